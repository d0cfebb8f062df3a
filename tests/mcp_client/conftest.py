"""Running tool calls against child processes, and seeing that none is left."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from intogen_agent.config.mcp_settings import McpSettings, Server
from intogen_agent.mcp import stdio
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

SERVERS = Path(__file__).with_name("servers")
Act = Callable[[Toolbox], Awaitable[Any]]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the patience of mcp's shutdown."""
    monkeypatch.setattr(stdio, "EOF_GRACE", 0.1)
    monkeypatch.setattr(stdio, "TERM_GRACE", 0.1)


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """After every test no server process is left."""
    yield
    children = psutil.Process().children(recursive=True)
    left = [child for child in children if any("servers" in w for w in child.cmdline())]
    for child in left:
        child.kill()
    assert left == []


def command(habit: str, mark: Path | str = "") -> list[str]:
    """Return the command of the hostile server with one habit."""
    return ["{python}", "-S", str(SERVERS / "raw.py"), habit, str(mark)]


class Bench:
    """One folder with a journal; every run is a start of the same stage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = folder / "mark"
        self.calls: list[Any] = []
        self.recorder: Recorder | None = None

    def run(
        self,
        habit: str,
        act: Act,
        *,
        allowed: tuple[LogicalTool, ...] = (LogicalTool.GENE_RECORD,),
        command_line: list[str] | None = None,
        servers: dict[str, list[str]] | None = None,
        optional: tuple[LogicalTool, ...] = (),
        **settings: Any,
    ) -> Any:
        """Open a toolbox on a server with a habit, and let something happen."""
        lines = servers or {"raw": command_line or command(habit, self.mark)}
        tools = {"gene_record": "gene_getter", "article_fetch": "article_getter"}
        timeouts = {"start_timeout": 20.0, "call_timeout": 20.0, "tools": tools, **settings}
        configured = McpSettings(
            servers={name: Server(command=line, **timeouts) for name, line in lines.items()},
            phase1=list(lines),
            phase2=list(lines),
        )

        async def main() -> Any:
            with Journal(self.folder / "journal.jsonl") as journal:
                self.recorder = Recorder(journal, "phase1")
                toolbox = Toolbox(
                    configured,
                    list(lines),
                    allowed,
                    self.recorder,
                    {},
                    self.folder / "logs",
                    optional,
                )
                async with toolbox:
                    value = await act(toolbox)
                self.calls = toolbox.calls
                return value

        return asyncio.run(main())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A place to run servers."""
    return Bench(tmp_path)


@pytest.fixture
def honest() -> list[str]:
    """The command of the honest server."""
    return [sys.executable, str(SERVERS / "honest.py")]
