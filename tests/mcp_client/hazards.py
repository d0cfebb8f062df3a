"""Running a hostile server beside an honest one, and looking for what they leave behind."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from intogen_agent.config.mcp_settings import McpSettings
from intogen_agent.errors import StageFailure
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

HAZARD = Path(__file__).with_name("servers") / "hazard.py"
RECORD = "# Record 1\nSymbol: APC\n"
Act = Callable[[Toolbox], Awaitable[ToolAnswer]]


@dataclass
class Outcome:
    """How a hazard ended.

    Attributes:
        answer: The answer of the hostile server, if there is one.
        failure: Why there is none.
        honest: The answer of the honest server, asked at the same time.
        seconds: How long both took together, their ends included.
        work: Seconds of this process's own work on both.
    """

    answer: ToolAnswer | None
    failure: StageFailure | None
    honest: ToolAnswer
    seconds: float
    work: float

    @property
    def verdict(self) -> str:
        """`answers`, or the type of the failure."""
        if self.failure is not None:
            return self.failure.error.value
        assert self.answer is not None
        kind = self.answer.failure
        return "answers" if self.answer.kind in ("content", "empty") else str(kind)


async def gene(toolbox: Toolbox) -> ToolAnswer:
    """Ask for a gene with every argument that a model may send."""
    [offer] = toolbox.offer(LogicalTool.GENE_RECORD)
    name = offer["function"]["name"]
    return await toolbox.call(name, {"gene": "APC", "organism": None}, None)


def settings(habit: str, folder: Path, **options: Any) -> McpSettings:
    """Return the settings of one server with a habit."""
    limit = options.pop("max_answer_bytes", 64_000_000)
    server = {
        "command": ["{python}", "-S", str(HAZARD), habit, str(folder)],
        "tools": {"gene_record": options.pop("tool", "gene_getter")},
        "start_timeout": 60.0,
        "call_timeout": 60.0,
        **options,
    }
    return McpSettings.model_validate(
        {
            "servers": {"one": server},
            "phase1": ["one"],
            "phase2": ["one"],
            "max_answer_bytes": limit,
        }
    )


def toolbox(habit: str, folder: Path, journal: Journal, **options: Any) -> Toolbox:
    """Return the toolbox of one server with a habit."""
    return Toolbox(
        settings(habit, folder, **options),
        ["one"],
        [LogicalTool.GENE_RECORD],
        Recorder(journal, "phase1"),
        {},
        folder / "logs",
    )


def meet(habit: str, folder: Path, act: Act = gene, **options: Any) -> Outcome:
    """Let a hostile and an honest server answer at the same time; nothing may be left of them."""
    before = open_files()
    begun, worked = time.monotonic(), time.process_time()

    async def ask(name: str, what: Act, **more: Any) -> ToolAnswer:
        place = folder / ("honest" if name == "honest" else "hostile")
        place.mkdir()
        with Journal(place / "journal.jsonl") as journal:
            async with toolbox(name, place, journal, **more) as tools:
                return await what(tools)

    async def both() -> tuple[Any, Any]:
        found = await asyncio.gather(
            ask(habit, act, **options), ask("honest", gene), return_exceptions=True
        )
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others, f"tasks are left: {others}"
        return found[0], found[1]

    hostile, honest = asyncio.run(both())
    if isinstance(hostile, BaseException) and not isinstance(hostile, StageFailure):
        raise hostile
    failed = isinstance(hostile, StageFailure)
    assert processes(folder) == []
    assert open_files() == before
    return Outcome(
        None if failed else hostile,
        hostile if failed else None,
        honest,
        time.monotonic() - begun,
        time.process_time() - worked,
    )


def open_files() -> list[str]:
    """Return what this process has open, but for what the interpreter opens once for good."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except OSError:
            continue
    return sorted(name for name in found if not name.startswith(("/dev/", "/proc/")))


def processes(folder: Path) -> list[str]:
    """Return the processes that have a folder in their command, by the process table."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline", "status"]):
        words = process.info["cmdline"] or []
        if any(str(folder) in word for word in words) and process.pid != os.getpid():
            found.append(f"{process.pid} {process.info['status']} {' '.join(words)[:200]}")
    return found


def gone(folder: Path, seconds: float = 60.0) -> list[str]:
    """Wait until no process has a folder in its command; return those that stay."""
    end = time.monotonic() + seconds
    while (left := processes(folder)) and time.monotonic() < end:
        psutil.wait_procs([], timeout=0)
        psutil.cpu_percent(interval=0.02)
    return left
