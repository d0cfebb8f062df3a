"""`fresh`: answers recorded under another text are not used, and a killed stage still resumes."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from intogen_agent.config.load import load_settings
from intogen_agent.config.settings import Settings
from intogen_agent.config.stages import stage_settings
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Performed, Recorder


class World:
    """What is outside: no two of its answers are the same."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    async def answer(self, key: str) -> Performed:
        self.keys.append(key)
        return Performed(len(self.keys), True)


def ask(
    path: Path,
    world: World,
    requests: str,
    fresh: str = "",
    earlier: Iterable[dict[str, Any]] = (),
    bad: bool = False,
) -> list[Any]:
    """Start a stage that asks these requests; return what it was answered."""
    with Journal(path) as journal:
        recorder = Recorder(journal, "report", earlier, fresh=fresh)
        calls = [
            asyncio.run(recorder.call("llm", {"q": request}, world.answer)) for request in requests
        ]
        if bad:
            recorder.failed("llm_invalid", "no draft passed", [calls[0].request])
    return [call.response for call in calls]


def entries(path: Path) -> list[dict[str, Any]]:
    with Journal(path) as journal:
        return journal.entries


def test_another_text_asks_anew_and_the_same_text_does_not(tmp_path: Path) -> None:
    path, world = tmp_path / "journal.jsonl", World()
    assert ask(path, world, "ab") == [1, 2]
    assert ask(path, world, "a", "again") == [3]
    # The stage was killed; it goes on within the text.
    assert ask(path, world, "ab", "again") == [3, 4]
    assert ask(path, world, "ab", "once more") == [5, 6]
    assert ask(path, world, "ab", "again") == [3, 4]
    assert len(set(world.keys)) == 6


def test_without_a_text_the_latest_answer_counts(tmp_path: Path) -> None:
    path, world = tmp_path / "journal.jsonl", World()
    ask(path, world, "ab")
    ask(path, world, "a", "again")
    assert ask(path, world, "ab") == [3, 2]
    assert len(world.keys) == 3


def test_the_audit_of_a_finished_stage_is_not_used_under_another_text(tmp_path: Path) -> None:
    world = World()
    ask(tmp_path / "first.jsonl", world, "ab")
    earlier = entries(tmp_path / "first.jsonl")
    assert ask(tmp_path / "second.jsonl", world, "ab", "again", earlier) == [3, 4]
    assert ask(tmp_path / "second.jsonl", world, "ab", "again", earlier) == [3, 4]
    # Its own audit is: with the text or without one, nothing is asked.
    later = entries(tmp_path / "second.jsonl")
    assert ask(tmp_path / "third.jsonl", world, "ab", "again", later) == [3, 4]
    assert ask(tmp_path / "fourth.jsonl", world, "ab", "", later) == [3, 4]


def test_the_request_id_is_the_same_after_a_kill_and_another_under_another_text(
    tmp_path: Path,
) -> None:
    worlds = [World() for _ in range(4)]
    for number, (world, fresh) in enumerate(zip(worlds, ["", "x", "x", "y"], strict=True)):
        ask(tmp_path / f"{number}.jsonl", world, "a", fresh)
    [plain], [one], [same], [other] = (world.keys for world in worlds)
    assert one == same
    assert len({plain, one, other}) == 3


def test_a_failure_raises_the_try_within_a_text_too(tmp_path: Path) -> None:
    path, world = tmp_path / "journal.jsonl", World()
    ask(path, world, "ab", "again", bad=True)
    assert ask(path, world, "ab", "again") == [3, 2]
    assert entries(path)[-1]["try"] == 1


def test_the_text_makes_no_stage_run_by_itself() -> None:
    for stage in Stage:
        assert stage_settings(Settings(fresh="again"), stage) == stage_settings(Settings(), stage)


def test_a_number_or_a_date_is_a_text_too(tmp_path: Path) -> None:
    from intogen_agent.config.load import read_config

    for written, read in (("2", "2"), ("2026-12-01", "2026-12-01"), ("again", "again")):
        path = tmp_path / "my.yaml"
        path.write_text(f"fresh: {written}\n")
        assert load_settings(read_config(path)).fresh == read
