"""An MCP server over streamable HTTP as an ASGI application, with one habit."""

import json
from typing import Any

SCHEMA = {"type": "object", "properties": {"gene_id_or_symbol": {"type": "string"}}}
RECORD = "# Record 1\nSymbol: APC\n"


class Web:
    """Answers POSTs of JSON-RPC.

    Args:
        habit: What it does wrong in a call.
        key: The only value of the header Authorization that it takes.
        sse: Whether it answers with a stream of events.
    """

    def __init__(self, habit: str = "", key: str = "", *, sse: bool = False) -> None:
        self.habit, self.key, self.sse = habit, key, sse
        self.asked: list[str] = []

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        body = b""
        while True:
            part = await receive()
            body += part.get("body", b"")
            if not part.get("more_body"):
                break
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        if scope["method"] != "POST":
            return await self._send(send, 405, b"")
        if self.key and headers.get("authorization") != self.key:
            return await self._send(send, 401, b"no")
        request = json.loads(body)
        self.asked.append(request["method"])
        if "id" not in request:
            return await self._send(send, 202, b"")
        if request["method"] == "tools/call" and self.habit.isdigit():
            return await self._send(send, int(self.habit), b"<html>sorry</html>", "text/html")
        reply = {"jsonrpc": "2.0", "id": request["id"], **self._result(request)}
        await self._reply(send, json.dumps(reply).encode())

    def _result(self, request: dict[str, Any]) -> dict[str, Any]:
        method = request["method"]
        if method == "initialize":
            version = request["params"]["protocolVersion"]
            info = {"name": "web", "version": "1"}
            capable: dict[str, Any] = {"tools": {}}
            return {
                "result": {
                    "protocolVersion": version,
                    "capabilities": capable,
                    "serverInfo": info,
                }
            }
        if method == "tools/list":
            schema = {"properties": SCHEMA["properties"]} if self.habit == "no-type" else SCHEMA
            return {"result": {"tools": [{"name": "gene_getter", "inputSchema": schema}]}}
        if method != "tools/call":
            return {"error": {"code": -32601, "message": "Method not found"}}
        text = RECORD + ("x" * 5_000_000 if self.habit == "large" else "")
        blocks: list[Any] = [{"type": "text", "text": text}]
        if self.habit == "no-type":
            blocks.append({"type": "hologram"})
        return {"result": {"content": blocks, "isError": False}}

    async def _reply(self, send: Any, body: bytes) -> None:
        if self.sse:
            event = b"event: message\ndata: " + body + b"\n\n"
            return await self._send(send, 200, event, "text/event-stream")
        await self._send(send, 200, body)

    async def _send(
        self, send: Any, status: int, body: bytes, kind: str = "application/json"
    ) -> None:
        headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
