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
from intogen_agent.offline import (
    composer,
    outages,
    protocol,
    protocol_chat,
    protocol_responses,
    traits,
)
from intogen_agent.offline.faults import Faults
from intogen_agent.offline.outages import Sent, json_answer
from intogen_agent.offline.prompt_cache import PromptCache
from intogen_agent.offline.protocol import Asked, Written
from intogen_agent.offline.refused import Refused
from intogen_agent.offline.spoiling import spoil

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_BODY = 32 * 1024 * 1024
_METHODS = {
    "/health": "GET",
    "/v1/models": "GET",
    "/v1/chat/completions": "POST",
    "/v1/responses": "POST",
}
_WIRES: Mapping[
    str, tuple[Callable[[bytes], Asked], Callable[[Asked, Written, int], dict[str, Any]]]
] = {
    "/v1/chat/completions": (protocol_chat.parse, protocol_chat.body),
    "/v1/responses": (protocol_responses.parse, protocol_responses.body),
}


class Application:
    """The ASGI application.

    Args:
        faults: Faults to give.
        log: Where one JSON line is written for each request.
    """

    def __init__(self, faults: Faults | None = None, log: TextIO | None = None) -> None:
        self._faults = faults or Faults()
        self._log = log
        self._cache = PromptCache()
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Let go of requests that would be held until their clients go away."""
        self._closing.set()

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
        answer = self._answer(str(scope["method"]), str(scope["path"]), body)
        if not answer.never:
            await _respond(send, answer)
        elif await self._held(receive):
            await _respond(send, Sent(503))

    async def _held(self, receive: Receive) -> bool:
        """Wait until the client goes away, or the server ends: then it is still there."""
        gone = asyncio.ensure_future(receive())
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait({gone, closing}, return_when=asyncio.FIRST_COMPLETED)
            return not gone.done()
        finally:
            gone.cancel()
            closing.cancel()

    def _answer(self, method: str, path: str, body: bytes) -> Sent:
        entry: dict[str, Any] = {"path": path}
        before = self._faults.given.copy()
        answer = self._route(method, path, body, entry)
        given = self._faults.given - before
        if given:
            entry["faults"] = sorted(given)
        self._write({**entry, "status": None if answer.never else answer.status})
        return answer

    def _route(self, method: str, path: str, body: bytes, entry: dict[str, Any]) -> Sent:
        if path not in _METHODS:
            refused = Refused(f"Unknown request URL: {method} {path}.", None, "unknown_url", 404)
            return json_answer(404, refused.body())
        if method != _METHODS[path]:
            refused = Refused(f"Not allowed to {method} on {path}.", None, "method_not_supported")
            return json_answer(405, refused.body(), allow=_METHODS[path])
        if path == "/health":
            return json_answer(200, {"status": "ok", "model": composer.MODEL})
        if path == "/v1/models":
            return json_answer(200, protocol.models())
        return outages.instead(self._faults) or self._complete(path, body, entry)

    def _complete(self, path: str, body: bytes, entry: dict[str, Any]) -> Sent:
        parse, render = _WIRES[path]
        try:
            if len(body) > MAX_BODY:
                raise Refused("The request body is too large.", status=413)
            asked = parse(body)
            entry |= _described(asked)
            refusal = traits.refusal(asked, self._faults)
            if refusal is not None:
                raise refusal
        except Refused as error:
            return json_answer(error.status, error.body())
        whole = protocol.written(asked, composer.reply(asked.chat))
        answer = spoil(asked, whole, self._faults)
        value = render(asked, answer, self._cache.take(asked.model, asked.prompt))
        entry["prompt_characters"] = len(asked.prompt)
        entry["completion_characters"] = len(protocol.written_text(answer))
        return outages.broken(asked.wire, value, self._faults)

    def _write(self, entry: dict[str, Any]) -> None:
        if self._log is not None:
            line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **entry}
            self._log.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._log.flush()


def _described(asked: Asked) -> dict[str, Any]:
    wanted = asked.chat.get("response_format") or {}
    return {
        "model": asked.raw["model"],
        "schema": (wanted.get("json_schema") or {}).get("name"),
        "tools": [tool["function"]["name"] for tool in asked.chat.get("tools") or ()],
        "messages": len(asked.chat["messages"]),
    }


async def _respond(send: Send, answer: Sent) -> None:
    length = len(answer.body) if answer.promised is None else answer.promised
    named = {
        "content-type": answer.content_type,
        "content-length": str(length),
        **answer.headers,
    }
    raw = [(key.encode(), text.encode()) for key, text in named.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": raw})
    # A body that is never finished makes uvicorn close the connection.
    unfinished = answer.promised is not None
    await send({"type": "http.response.body", "body": answer.body, "more_body": unfinished})


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
    application = Application(faults, handle)
    config = uvicorn.Config(
        application,
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

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            application.close()
            await super().shutdown(sockets)

    # The socket listens already: connections made from now on are answered.
    if port_file is not None:
        write_text(port_file, f"{number}\n")
    print(f"http://{host}:{number}/v1", flush=True)
    try:
        asyncio.run(Server(config).serve(sockets=[listener]))
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
