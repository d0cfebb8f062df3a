"""The offline model's HTTP server: an ASGI application under uvicorn.

It is started for every job, so it loads nothing that it does not need: no framework, no access
log, one thread.
"""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from intogen_agent.errors import UserError
from intogen_agent.files import write_text
from intogen_agent.offline import composer, protocol
from intogen_agent.offline.faults import Faults, spoil
from intogen_agent.offline.protocol import Refused

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Answer = tuple[int, Any, dict[str, str]]

MAX_BODY = 32 * 1024 * 1024


class Application:
    """The ASGI application.

    Args:
        faults: Faults to give.
        log: Where one JSON line is written for each request.
    """

    def __init__(self, faults: Faults | None = None, log: TextIO | None = None) -> None:
        self._faults = faults or Faults()
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            return
        body = b""
        more = True
        while more and len(body) <= MAX_BODY:
            message = await receive()
            body += message.get("body", b"")
            more = bool(message.get("more_body"))
        status, value, headers = self._answer(str(scope["method"]), str(scope["path"]), body)
        await _respond(send, status, value, headers)

    def _answer(self, method: str, path: str, body: bytes) -> Answer:
        entry: dict[str, Any] = {"path": path}
        answer = self._route(method, path, body, entry)
        self._write({**entry, "status": answer[0]})
        return answer

    def _route(self, method: str, path: str, body: bytes, entry: dict[str, Any]) -> Answer:
        known = {"/health": "GET", "/v1/models": "GET", "/v1/chat/completions": "POST"}
        if path not in known:
            refused = Refused(f"Unknown request URL: {method} {path}.", None, "unknown_url", 404)
            return 404, refused.body(), {}
        if method != known[path]:
            refused = Refused(f"Not allowed to {method} on {path}.", None, "method_not_supported")
            return 405, refused.body(), {"allow": known[path]}
        if path == "/health":
            return 200, {"status": "ok", "model": composer.MODEL}, {}
        if path == "/v1/models":
            return 200, protocol.models(), {}
        return self._complete(body, entry)

    def _complete(self, body: bytes, entry: dict[str, Any]) -> Answer:
        if self._faults.take("429"):
            text = "Rate limit reached (fault on request)."
            limited = Refused(text, None, "rate_limit_exceeded", 429)
            return 429, limited.body(), {"retry-after": "0"}
        try:
            if len(body) > MAX_BODY:
                raise Refused("The request body is too large.", status=413)
            request = protocol.parse(body)
        except Refused as error:
            return error.status, error.body(), {}
        entry |= _described(request)
        reply, cut_off = spoil(composer.reply(request), self._faults)
        value = protocol.completion(request, reply, cut_off)
        entry["prompt_characters"] = len(protocol.prompt_text(request))
        entry["completion_characters"] = len(protocol.completion_text(reply))
        return 200, value, {}

    def _write(self, entry: dict[str, Any]) -> None:
        if self._log is not None:
            line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **entry}
            self._log.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._log.flush()


def _described(request: Mapping[str, Any]) -> dict[str, Any]:
    wanted = request.get("response_format")
    schema = wanted.get("json_schema") if isinstance(wanted, Mapping) else None
    return {
        "model": request["model"],
        "schema": schema.get("name") if isinstance(schema, Mapping) else None,
        "tools": [tool["function"]["name"] for tool in request.get("tools") or ()],
        "messages": len(request["messages"]),
    }


async def _respond(send: Send, status: int, value: Any, headers: Mapping[str, str]) -> None:
    data = json.dumps(value, ensure_ascii=False).encode()
    named = {
        "content-type": "application/json",
        "content-length": str(len(data)),
        **headers,
    }
    raw = [(key.encode(), text.encode()) for key, text in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": data})


def serve(
    host: str, port: int, faults: Faults, log: Path | None = None, port_file: Path | None = None
) -> None:
    """Serve until the process is terminated.

    Args:
        host: The address to listen on.
        port: The port; 0 takes a free one.
        faults: Faults to give.
        log: File for JSON lines, appended to.
        port_file: File that gets the port once connections are taken.

    Raises:
        UserError: The address cannot be used, or the log cannot be written.
    """
    import uvicorn

    listener = _listen(host, port)
    number = listener.getsockname()[1]
    handle = _open_log(log)
    config = uvicorn.Config(
        Application(faults, handle),
        http="h11",
        loop="asyncio",
        ws="none",
        interface="asgi3",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    # The socket listens already: connections made from now on are answered.
    if port_file is not None:
        write_text(port_file, f"{number}\n")
    print(f"http://{host}:{number}/v1", flush=True)
    try:
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
    finally:
        listener.close()
        if handle is not None:
            handle.close()


def _listen(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) else "no such port"
        raise UserError(f"--host {host} --port {port}: cannot listen there ({why})") from None
    return listener


def _open_log(path: Path | None) -> TextIO | None:
    if path is None:
        return None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise UserError(f"--log {path}: cannot be written ({error.strerror})") from None
