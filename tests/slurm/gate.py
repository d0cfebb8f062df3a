"""A gate before the offline model: it notes every request, and can hold or refuse some."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import uvicorn

from intogen_agent.offline.server import Application

Choice = Callable[[dict[str, Any]], bool]


def about(schema: str) -> Choice:
    """Choose requests that want an answer of this shape."""

    def chosen(body: dict[str, Any]) -> bool:
        wanted = body.get("response_format") or {}
        return bool((wanted.get("json_schema") or {}).get("name") == schema)

    return chosen


class Gate:
    """What a test sees and decides.

    Attributes:
        answered: Ids of the requests that got their answer, in order.
        held: Set when a request is being held.
    """

    def __init__(self) -> None:
        self.url = ""
        self.answered: list[str] = []
        self.held = threading.Event()
        self._open = threading.Event()
        self._hold: Choice | None = None
        self._refuse: Choice | None = None

    def hold(self, choice: Choice) -> None:
        """Let the chosen requests wait for `open`."""
        self._open.clear()
        self._hold = choice

    def refuse(self, choice: Choice) -> None:
        """Answer the chosen requests with HTTP 400 until `open`."""
        self._refuse = choice

    def open(self) -> None:
        """Let every request pass."""
        self._hold = self._refuse = None
        self._open.set()

    def decide(self, body: dict[str, Any]) -> bool:
        """Wait if the request is to be held; tell whether it may pass."""
        if self._hold is not None and self._hold(body):
            self.held.set()
            self._open.wait()
            return False
        return self._refuse is None or not self._refuse(body)

    def repeated(self) -> set[str]:
        """Return the ids of requests that were answered more than once.

        The questions that find out what a model can do are not part of any stage.
        """
        several = {name for name in self.answered if self.answered.count(name) > 1}
        return several - {"probe"}


@contextmanager
def serving() -> Iterator[Gate]:
    """Serve the offline model behind a gate until the block ends."""
    application = Application()
    config = uvicorn.Config(
        application, port=0, http="h11", ws="none", lifespan="off", log_config=None
    )
    model = uvicorn.Server(config)
    behind = threading.Thread(target=asyncio.run, args=(model.serve(),), daemon=True)
    behind.start()
    while not model.started:
        behind.join(0.005)
    gate = Gate()
    port = model.servers[0].sockets[0].getsockname()[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(gate, port))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    gate.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield gate
    finally:
        gate.open()
        server.shutdown()
        server.server_close()
        model.should_exit = True
        behind.join(5)


def handler(gate: Gate, port: int) -> type[BaseHTTPRequestHandler]:
    """Return the gate's request handler; the model is at a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._pass(b"")

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if not gate.decide(json.loads(data)):
                self._send(400, b'{"error": {"message": "refused by the test"}}')
                return
            self._pass(data)
            gate.answered.append(self.headers["X-Client-Request-Id"])

        def _pass(self, data: bytes) -> None:
            connection = HTTPConnection("127.0.0.1", port)
            connection.request(self.command, self.path, data, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            self._send(answer.status, body)

        def _send(self, status: int, body: bytes) -> None:
            # Whoever was held may be gone.
            with suppress(ConnectionError):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *words: Any) -> None:
            """Say nothing on the terminal."""

    return Handler
