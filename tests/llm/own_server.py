"""A provider's server as `launch:` starts it; the first argument says how it behaves.

It answers 200 under /health and its environment and process id under /v1/environment.
"""

import json
import os
import signal
import socketserver
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HABIT = sys.argv[1]
options = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True))


class Handler(BaseHTTPRequestHandler):
    """Answers health checks and tells the environment."""

    sick_until = time.monotonic() + 0.3

    def do_GET(self) -> None:
        if self.path == "/health" and HABIT == "slow" and time.monotonic() < self.sick_until:
            return self._answer(503, {})
        if self.path == "/health" and HABIT == "sick":
            return self._answer(500, {})
        if self.path == "/health":
            return self._answer(200, {})
        return self._answer(200, {"environment": dict(os.environ), "pid": os.getpid()})

    def _answer(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Garbled(socketserver.BaseRequestHandler):
    """Answers what is no HTTP."""

    def handle(self) -> None:
        self.request.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")


def main() -> None:
    if HABIT == "dies":
        print("no such model", flush=True)
        sys.exit(4)
    if HABIT == "dies-once" and not Path(options["--mark"]).exists():
        Path(options["--mark"]).touch()
        sys.exit(4)
    if HABIT == "ignores-term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if HABIT == "silent":
        time.sleep(600)
    port = int(options.get("--port", "0"))
    if HABIT == "garbled":
        server: socketserver.BaseServer = socketserver.TCPServer(("127.0.0.1", port), Garbled)
    else:
        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    if "--mark" in options:
        Path(options["--mark"]).write_text(str(os.getpid()))
    if "--port-file" in options:
        place = Path(options["--port-file"])
        temporary = place.with_suffix(".new")
        temporary.write_text(str(server.server_address[1]))
        temporary.rename(place)
    server.serve_forever(poll_interval=0.05)


if __name__ == "__main__":
    main()
