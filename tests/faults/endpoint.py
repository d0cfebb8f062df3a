"""The offline model behind a door in this process: it counts, breaks and holds requests."""

import asyncio
import hashlib
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline.faults import parse
from intogen_agent.offline.server import Application
from tests.asgi_thread import served

PROBE = "probe"
Watcher = Callable[[int, str], None]
OVERLOADED = b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'


@dataclass(frozen=True)
class Sent:
    """A request that came in whole: its client request id and its body."""

    id: str
    body: bytes


@dataclass
class Endpoint:
    """What tests see of the server.

    Attributes:
        url: Where it listens.
        sent: The requests to models, in order, the probe of a model's abilities excepted.
        overloaded: The share of requests, in percent, that get HTTP 529.
        before: Is called with the number and id of a request before it is answered.
        after: The same, when its answer has gone out.
    """

    url: str = ""
    sent: list[Sent] = field(default_factory=list)
    overloaded: int = 0
    before: Watcher | None = None
    after: Watcher | None = None

    def times_sent(self) -> Counter[str]:
        """Return how often each client request id came in."""
        return Counter(request.id for request in self.sent)

    def settle(self) -> None:
        """Let the server read what a client had sent when it was killed."""
        for _ in range(2):
            urllib.request.urlopen(self.url.replace("/v1", "/health"), timeout=60).close()

    def provider(self) -> dict[str, Any]:
        """Return the configuration that leads here, with short waits."""
        return {
            "providers": {"here": {"base_url": self.url}},
            "default": {"provider": "here", "model": "offline-extractive-1"},
            "retry": {"attempts": 12, "first_wait": 0.01, "max_wait": 0.05},
        }


@contextmanager
def serving(faults: Sequence[str] = (), overloaded: int = 0) -> Iterator[Endpoint]:
    """Serve the offline model in a thread until the block ends.

    Args:
        faults: Faults of the offline model (`429:20%`).
        overloaded: The share of requests, in percent, that get HTTP 529.
    """
    endpoint = Endpoint(overloaded=overloaded)
    with served(_Door(endpoint, Application(parse(list(faults))))) as port:
        endpoint.url = f"http://127.0.0.1:{port}/v1"
        yield endpoint


class _Door:
    """An ASGI application in front of the offline model's."""

    def __init__(self, endpoint: Endpoint, inner: Application) -> None:
        self._endpoint = endpoint
        self._inner = inner
        self._met = 0

    def close(self) -> None:
        self._inner.close()

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers") or [])
        name = headers.get(b"x-client-request-id", b"").decode()
        if scope["type"] != "http" or not name or name == PROBE:
            await self._inner(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = bool(message.get("more_body"))
        self._endpoint.sent.append(Sent(name, body))
        number = len(self._endpoint.sent)
        await _tell(self._endpoint.before, number, name)
        if self._is_overloaded():
            await _answer_529(send)
            return

        async def whole() -> Mapping[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        await self._inner(scope, whole, send)
        await _tell(self._endpoint.after, number, name)

    def _is_overloaded(self) -> bool:
        self._met += 1
        drawn = hashlib.sha256(f"529 {self._met}".encode()).digest()
        return int.from_bytes(drawn[:4], "big") % 100 < self._endpoint.overloaded


async def _tell(watcher: Watcher | None, number: int, name: str) -> None:
    # In a thread: a watcher may wait for a process to end.
    if watcher is not None:
        await asyncio.to_thread(watcher, number, name)


async def _answer_529(send: Any) -> None:
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"0")]
    await send({"type": "http.response.start", "status": 529, "headers": headers})
    await send({"type": "http.response.body", "body": OVERLOADED})
