"""A stage's start and end: its lease, what an earlier start left behind, and disks that fail."""

import errno
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.samples import apc_task

from intogen_agent.config.settings import Settings
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.failure import FAILURE, write_failure
from intogen_agent.jobs import Job, Run, run_stage, run_task
from intogen_agent.models import Stage
from intogen_agent.provenance.audit import AUDIT, journal_path
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.liveness import Lease, Leases
from intogen_agent.provenance.recorder import Performed

TASK = apc_task(origin="user")


def make_job(tmp_path: Path, stage: Stage = Stage.PHASE2, **options: Any) -> Job:
    results = tmp_path / "results"
    folder = results / ("APC" if stage is Stage.PHASE1 else "APC/COADREAD")
    settings = Settings(results=results, **options)
    return Job(stage, TASK, settings, folder, "f", None, "", tmp_path / "logs")


def run(job: Job, tmp_path: Path, act: Any = None) -> int:
    """Run a stage that asks one question and does something before it ends."""

    async def answer(_: str) -> Performed:
        return Performed("yes", True)

    async def function(run: Run) -> Mapping[Path, Any]:
        recorded = await run.recorder.call("tool", {"q": 1}, answer)
        if act is not None:
            act()
        return {job.folder / f"{job.stage.value}.json": {"replayed": recorded.replayed}}

    return run_stage(job, function, tmp_path / "stage.log")


def failure(job: Job) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((job.folder / FAILURE).read_text())
    return found


def raises(error: Exception) -> Any:
    def act() -> None:
        raise error

    return act


def test_the_lease_is_held_until_the_outputs_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, held = make_job(tmp_path), []
    from intogen_agent import jobs

    write = jobs.write_json

    def watched(path: Path, value: Any) -> None:
        held.append(Leases(tmp_path).of(journal_path(job.folder, "phase2")))
        write(path, value)

    monkeypatch.setattr(jobs, "write_json", watched)
    assert run(job, tmp_path) == 0
    assert held == [Lease.HELD]


def test_a_stage_whose_output_was_deleted_is_made_again_without_a_call(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    for replayed in (False, True):
        assert run(job, tmp_path) == 0
        path = job.folder / "phase2.json"
        assert json.loads(path.read_text()) == {"replayed": replayed}
        path.unlink()
    anew = make_job(tmp_path, fresh="again")
    assert run(anew, tmp_path) == 0
    assert json.loads(path.read_text()) == {"replayed": False}


def test_the_audit_of_phase_1_is_as_good_as_its_journal(tmp_path: Path) -> None:
    job = make_job(tmp_path, Stage.PHASE1)
    for replayed in (False, True):
        assert run(job, tmp_path) == 0
        assert json.loads((job.folder / "phase1.json").read_text()) == {"replayed": replayed}
        assert (job.folder / AUDIT).exists()
        assert not (job.folder / ".journal").exists()


def test_a_new_start_overtakes_the_failure_of_the_one_before(tmp_path: Path) -> None:
    job, seen = make_job(tmp_path), []
    write_failure(job.folder, TASK, Stage.PHASE2, ErrorClass.LLM_QUOTA, "x", "f")
    assert run(job, tmp_path, lambda: seen.append((job.folder / FAILURE).exists())) == 0
    assert seen == [False]


def test_the_failure_of_an_earlier_stage_stays(tmp_path: Path) -> None:
    job = make_job(tmp_path, Stage.REPORT)
    write_failure(job.folder, TASK, Stage.PHASE2, ErrorClass.LLM_QUOTA, "x", "f")
    assert run(job, tmp_path) == 0
    assert failure(job)["stage"] == "phase2"


def test_temporary_files_of_a_killed_writer_are_removed(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    job.folder.mkdir(parents=True)
    for name in (".phase2.json.ab12", ".failure.json.x", ".report.json.ab12"):
        (job.folder / name).write_text("{")
    assert run(job, tmp_path) == 0
    left = sorted(path.name for path in job.folder.glob(".*.*"))
    # Another stage's writer may be at work.
    assert left == [".report.json.ab12"]


def test_a_stage_that_another_process_works_on_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intogen_agent.jobs.LEASE_PATIENCE", 0.0)
    job = make_job(tmp_path)
    with Journal(journal_path(job.folder, "phase2")):
        assert run(job, tmp_path) == 1
    assert failure(job)["error"] == "busy"
    assert not (job.folder / "phase2.json").exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ESTALE])
def test_a_disk_that_fails_is_named(tmp_path: Path, number: int) -> None:
    job = make_job(tmp_path)
    assert run(job, tmp_path, raises(OSError(number, "the disk says no"))) == 1
    found = failure(job)
    assert found["error"] == "storage"
    assert "the disk says no" in found["message"] and str(job.folder) in found["message"]


def test_a_disk_on_which_not_even_the_failure_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr("intogen_agent.failure.write_json", lambda *_: raises(full)())
    assert run(make_job(tmp_path), tmp_path, raises(full)) == 1
    errors = capsys.readouterr().err
    assert "storage: " in errors and "failure.json cannot be written" in errors


def test_a_full_disk_is_found_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(Journal, "find_room", lambda _: raises(full)())
    asked: list[bool] = []
    assert run(make_job(tmp_path), tmp_path, lambda: asked.append(True)) == 1
    assert asked == []


def test_results_that_were_taken_away_are_not_written_elsewhere(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    away = tmp_path / "away"
    assert run(job, tmp_path, lambda: job.settings.results.rename(away)) == 1
    assert failure(job)["error"] == "storage"
    assert not (job.folder / "phase2.json").exists()
    assert journal_path(away / "APC" / "COADREAD", "phase2").exists()


def test_another_error_of_the_system_is_no_matter_of_the_disk(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    with pytest.raises(FileNotFoundError):
        run(job, tmp_path, raises(FileNotFoundError(errno.ENOENT, "no such file", "x")))
    assert failure(job)["error"] == "internal"


def test_a_structured_failure_is_on_record_and_asks_anew(tmp_path: Path) -> None:
    job, asked = make_job(tmp_path), []

    async def answer(key: str) -> Performed:
        asked.append(key)
        return Performed("a bad draft", True)

    async def function(run: Run) -> Mapping[Path, Any]:
        call = await run.recorder.call("llm", {"q": 1}, answer)
        raise StageFailure(ErrorClass.REPORT_INVALID, "no draft passed", [call.request])

    for _ in range(3):
        assert run_stage(job, function, tmp_path / "stage.log") == 1
    assert failure(job)["error"] == "report_invalid"
    assert len(set(asked)) == 3
    with Journal(journal_path(job.folder, "phase2")) as journal:
        assert [e["try"] for e in journal.entries if "try" in e] == [0, 1, 2]


def test_a_killed_render_leaves_nothing_half_written_either(tmp_path: Path) -> None:
    job = make_job(tmp_path, Stage.RENDER)
    job.folder.mkdir(parents=True)
    for name in (".report.md.ab12", ".provenance.json.x", ".audit.jsonl.gz.x"):
        (job.folder / name).write_text("{")
    assert run_task(job, lambda: None, tmp_path / "stage.log") == 0
    assert list(job.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("failed", "left"), [("phase1", True), ("phase2", False), ("critique", False)]
)
def test_a_new_start_overtakes_failures_of_this_stage_and_of_later_ones(
    tmp_path: Path, failed: str, left: bool
) -> None:
    job = make_job(tmp_path)
    job.folder.mkdir(parents=True)
    write_failure(job.folder, TASK, Stage(failed), ErrorClass.INTERNAL, "old", "f")
    seen: list[bool] = []
    run(job, tmp_path, lambda: seen.append((job.folder / FAILURE).exists()))
    assert seen == [left]


def test_who_comes_too_late_leaves_the_word_of_the_other(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    job.folder.mkdir(parents=True)
    write_failure(job.folder, TASK, Stage.PHASE2, ErrorClass.LLM_QUOTA, "empty", "f")

    def late() -> None:
        raise StageFailure(ErrorClass.BUSY, "another process works on this stage")

    assert run_task(job, late, tmp_path / "log") == 1
    assert json.loads((job.folder / FAILURE).read_text())["error"] == "llm_quota"
