"""Jobs that left no record are put on record from Snakemake's log."""

import json
from pathlib import Path
from typing import Any

import pytest
from trees import make_task

from intogen_agent.delivery.failures import log_path
from intogen_agent.delivery.silent import record_silent_failures
from intogen_agent.failure import FAILURE
from intogen_agent.models import Stage

TASK, OTHER = make_task(), make_task(code="PAAD")
FINGERPRINTS = {"phase2": "f2"}


def snakemake_log(folder: Path, results: Path, *failed: tuple[str, Stage]) -> str:
    blocks = [
        f"Error in rule {stage.value}:\n    message: None\n    jobid: 2\n"
        f"    log: {log_path(results, path, stage)} (check log file(s) for error details)\n"
        for path, stage in failed
    ]
    log = folder / "snakemake.log"
    log.write_text("Job 2: Phase 2\n" + "".join(blocks))
    return str(log)


def record(results: Path, *logs: str) -> None:
    record_silent_failures(logs, results, [TASK, OTHER], FINGERPRINTS)


def left(folder: Path) -> Any:
    path = folder / FAILURE
    return json.loads(path.read_text()) if path.exists() else None


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


def test_a_job_without_a_record_gets_one(tmp_path: Path, results: Path) -> None:
    record(results, snakemake_log(tmp_path, results, (TASK.path, Stage.PHASE2)))
    found = left(results / TASK.path)
    assert (found["gene"], found["cancer_type"], found["stage"]) == ("APC", "COADREAD", "phase2")
    assert (found["error"], found["fingerprint"]) == ("interrupted", "f2")
    assert left(results / OTHER.path) is None


def test_a_gene_is_recorded_once_and_without_a_cancer_type(tmp_path: Path, results: Path) -> None:
    record(results, snakemake_log(tmp_path, results, ("APC", Stage.PHASE1)))
    assert (left(results / "APC")["stage"], left(results / "APC")["cancer_type"]) == (
        "phase1",
        None,
    )


def test_what_a_stage_has_said_itself_stays(tmp_path: Path, results: Path) -> None:
    folder = results / TASK.path
    folder.mkdir(parents=True)
    (folder / FAILURE).write_text('{"error": "llm_quota"}')
    record(results, snakemake_log(tmp_path, results, (TASK.path, Stage.PHASE2)))
    assert left(folder) == {"error": "llm_quota"}


def test_a_failed_group_keeps_the_word_of_the_stage_that_failed(
    tmp_path: Path, results: Path
) -> None:
    # Snakemake deletes the outputs of the stages before it and names all of their logs.
    folder = results / TASK.path
    folder.mkdir(parents=True)
    (folder / FAILURE).write_text('{"stage": "critique", "error": "llm_quota"}')
    stages = (Stage.PHASE2, Stage.REPORT, Stage.CRITIQUE)
    record(results, snakemake_log(tmp_path, results, *((TASK.path, each) for each in stages)))
    assert left(folder)["stage"] == "critique"


def test_a_job_that_succeeded_at_a_second_attempt_is_no_failure(
    tmp_path: Path, results: Path
) -> None:
    folder = results / TASK.path
    folder.mkdir(parents=True)
    (folder / "phase2.json").write_text("{}")
    record(results, snakemake_log(tmp_path, results, (TASK.path, Stage.PHASE2)))
    assert left(folder) is None


def test_of_a_group_the_first_stage_that_is_missing_is_named(tmp_path: Path, results: Path) -> None:
    folder = results / TASK.path
    folder.mkdir(parents=True)
    (folder / "phase2.json").write_text("{}")
    group = [(TASK.path, stage) for stage in Stage if stage is not Stage.PHASE1]
    record(results, snakemake_log(tmp_path, results, *group))
    assert left(folder)["stage"] == "report"


def test_a_log_that_cannot_be_read_tells_nothing(tmp_path: Path, results: Path) -> None:
    record(results, str(tmp_path / "none.log"))
    assert not results.exists()
