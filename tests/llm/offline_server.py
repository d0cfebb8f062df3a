"""The offline model's server, acting out failures, and the client that has to survive them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripted_server import KNOWN
from tests.asgi_thread import served

from intogen_agent.config.settings import Settings
from intogen_agent.llm.models import Models
from intogen_agent.offline.faults import Faults, parse
from intogen_agent.offline.server import Application
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

DEADLINE = 3.0
Act = Callable[[Models], Awaitable[Any]]


@dataclass
class Server:
    """A server in a thread of this process; tests choose its faults."""

    url: str
    faults: Faults

    def act_out(self, *specs: str) -> None:
        """Give these faults and no others."""
        fresh = parse(list(specs))
        self.faults.left, self.faults.shares = fresh.left, fresh.shares
        self.faults.given.clear()


@contextmanager
def serving() -> Iterator[Server]:
    """Serve until the block ends."""
    faults = Faults()
    with served(Application(faults)) as port:
        yield Server(f"http://127.0.0.1:{port}/v1", faults)


@dataclass
class Asked:
    """What an act against the server brought.

    Attributes:
        seconds: How long it took.
    """

    value: Any
    entries: list[dict[str, Any]]
    seconds: float


def ask(
    folder: Path,
    server: Server,
    wire: str,
    act: Act,
    *,
    role: dict[str, Any] | None = None,
    provider: dict[str, Any] | None = None,
) -> Asked:
    """Let something happen between the models and the server; waits between attempts are short."""
    settings = Settings.model_validate(
        {
            "results": str(folder / "results"),
            "llm": {
                "providers": {
                    "offline": {
                        "base_url": server.url,
                        "api": wire,
                        "capabilities": KNOWN,
                        **(provider or {}),
                    }
                },
                "default": {"provider": "offline", "model": "offline-extractive-1", **(role or {})},
                "retry": {
                    "attempts": 3,
                    "first_wait": 0.001,
                    "max_wait": 0.002,
                    "request_timeout": 0.5,
                    "call_deadline": DEADLINE,
                },
            },
        }
    )

    async def main() -> Asked:
        with Journal(folder / "journal.jsonl") as journal:
            recorder = Recorder(journal, "phase1")
            start = time.monotonic()
            async with Models(settings, recorder, folder / "logs") as models:
                value = await act(models)
            return Asked(value, recorder.used, time.monotonic() - start)

    return asyncio.run(main())
