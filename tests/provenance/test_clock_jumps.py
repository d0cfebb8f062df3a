"""Clocks that jump: what is on record is found again, and times of a record stay in order."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from intogen_agent.provenance import audit, record
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Performed, Recorder

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
# The clock is set back by an hour, by a year, and a day ahead.
JUMPS = [timedelta(0), timedelta(hours=-1), timedelta(days=-365), timedelta(days=1)]


def ask(folder: Path, clock: Iterator[datetime], requests: str) -> list[bool]:
    """Start a stage that asks these requests; tell which were answered from the record."""
    request = {"server": "store", "tool": "t", "arguments": {}}

    async def answer(_: str) -> Performed:
        return Performed({"server": "s"}, True, {"outcome": "content"})

    with Journal(audit.journal_path(folder, "phase2")) as journal:
        recorder = Recorder(journal, "phase2", clock=lambda: next(clock))
        return [
            asyncio.run(recorder.call("tool", {**request, "q": letter}, answer)).replayed
            for letter in requests
        ]


def test_a_clock_that_jumps_changes_no_answer(tmp_path: Path) -> None:
    assert ask(tmp_path, iter([NOON + jump for jump in JUMPS]), "abcd") == [False] * 4
    assert ask(tmp_path, iter([]), "abcd") == [True] * 4


def test_a_record_made_under_a_jumping_clock_has_boundaries_and_no_negative_time(
    tmp_path: Path,
) -> None:
    ask(tmp_path, iter([NOON + jump for jump in JUMPS]), "abcd")
    entries = audit.close_journals(tmp_path, ["phase2"])
    calls = record.call_records(entries)
    assert [call.id for call in calls] == ["c1", "c2", "c3", "c4"]
    assert all(call.seconds >= 0 for call in calls)
    [phase] = record.phases(calls, {"phase2": "f"})
    assert phase.started is not None and phase.ended is not None
    assert phase.started <= phase.ended
    assert phase.calls == 4
