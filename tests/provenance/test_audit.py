"""The audit file: all calls, written once from the journals."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.provenance import audit
from intogen_agent.provenance.journal import Journal


def entry(stage: str, number: int) -> dict[str, Any]:
    return {"stage": stage, "id": f"c{number}", "kind": "tool", "key": f"{stage}{number}"}


def journal(folder: Path, stage: str, *numbers: int) -> Path:
    path = audit.journal_path(folder, stage)
    with Journal(path) as opened:
        for number in numbers:
            opened.append(entry(stage, number))
    return path


def read(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / audit.AUDIT, "rt", encoding="utf-8") as handle:
        return [json.loads(line) for line in handle]


def test_journals_become_one_audit_file_in_the_order_of_the_stages(tmp_path: Path) -> None:
    journal(tmp_path, "report", 1)
    journal(tmp_path, "phase2", 1, 2)
    merged = audit.close_journals(tmp_path, ["phase2", "report"])
    assert merged == read(tmp_path)
    assert merged == [entry("phase2", 1), entry("phase2", 2), entry("report", 1)]
    assert [path.name for path in tmp_path.iterdir()] == [audit.AUDIT]


def test_closing_twice_changes_nothing(tmp_path: Path) -> None:
    journal(tmp_path, "phase2", 1)
    audit.close_journals(tmp_path, ["phase2", "report"])
    before = (tmp_path / audit.AUDIT).read_bytes()
    audit.close_journals(tmp_path, ["phase2", "report"])
    assert (tmp_path / audit.AUDIT).read_bytes() == before


def test_a_stage_that_ran_again_replaces_its_own_calls_only(tmp_path: Path) -> None:
    journal(tmp_path, "phase2", 1)
    journal(tmp_path, "report", 1)
    audit.close_journals(tmp_path, ["phase2", "report"])
    journal(tmp_path, "report", 2, 3)
    assert audit.stage_entries(tmp_path, "report") == [entry("report", 1)]
    assert audit.merged_entries(tmp_path, ["report"]) == [entry("report", 2), entry("report", 3)]
    audit.close_journals(tmp_path, ["phase2", "report"])
    assert read(tmp_path) == [entry("phase2", 1), entry("report", 2), entry("report", 3)]


def test_the_journal_of_a_running_stage_is_left_alone(tmp_path: Path) -> None:
    running = journal(tmp_path, "critique", 1)
    journal(tmp_path, "phase2", 1)
    audit.close_journals(tmp_path, ["phase2"])
    assert running.exists()
    assert read(tmp_path) == [entry("phase2", 1)]


def test_a_kill_between_writing_and_removing_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal(tmp_path, "phase2", 1)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(KeyboardInterrupt):
        audit.close_journals(tmp_path, ["phase2"])
    monkeypatch.undo()
    assert audit.close_journals(tmp_path, ["phase2"]) == [entry("phase2", 1)] == read(tmp_path)


def test_without_files_there_are_no_entries(tmp_path: Path) -> None:
    assert audit.stage_entries(tmp_path, "phase1") == []
    assert audit.merged_entries(tmp_path, ["phase1"]) == []


def test_equal_calls_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        journal(tmp_path / name, "phase2", 1, 2)
        audit.close_journals(tmp_path / name, ["phase2"])
    one, two = (tmp_path / name / audit.AUDIT for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_journal_that_another_process_works_with_is_merged_and_stays(tmp_path: Path) -> None:
    path = journal(tmp_path, "phase2", 1)
    journal(tmp_path, "report", 1)
    with Journal(path) as held:
        audit.close_journals(tmp_path, ["phase2", "report"])
        assert read(tmp_path) == [entry("phase2", 1), entry("report", 1)]
        held.append(entry("phase2", 2))
    assert not audit.journal_path(tmp_path, "report").exists()
    audit.close_journals(tmp_path, ["phase2", "report"])
    assert read(tmp_path) == [entry("phase2", 1), entry("phase2", 2), entry("report", 1)]
    assert not path.exists()
