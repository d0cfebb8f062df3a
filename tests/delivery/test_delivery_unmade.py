"""Files of before a failure do not count for made; a stage that may run is not `interrupted`."""

import errno
import fcntl
import json
import os
from pathlib import Path

import pytest
from trees import PRESENT, Tree, make_task, rows

from intogen_agent.delivery.collect import collect
from intogen_agent.delivery.failures import log_path
from intogen_agent.delivery.progress import State, look
from intogen_agent.delivery.silent import record_silent_failures
from intogen_agent.delivery.status import status
from intogen_agent.delivery.tables import make_tables
from intogen_agent.models import Stage
from intogen_agent.provenance.liveness import RECENT_SECONDS

# What the configuration wants now: another phase 2, so another report and so on.
WANTED = {**PRESENT, "phase2": "phase2-new"}
PAIR_STAGES = tuple(stage for stage in Stage if stage is not Stage.PHASE1)
TASK = make_task()


def refused(tree: Tree, wanted: dict[str, str] = WANTED, task_path: str = TASK.path) -> None:
    """Record a Slurm job that never started, as Snakemake's log tells of it."""
    stages = PAIR_STAGES if "/" in task_path else (Stage.PHASE1,)
    log = tree.results.parent / "snakemake.log"
    log.write_text(
        "".join(
            f"    log: {log_path(tree.results, task_path, stage)} (check log file(s) ...)\n"
            for stage in stages
        )
    )
    record_silent_failures([str(log)], tree.results, tree.tasks, wanted)


def failures(tree: Tree, wanted: dict[str, str]) -> list[tuple[str, str]]:
    collect(tree.results, tree.cohort, wanted)
    found = rows((tree.results / "_run" / "failures.tsv").read_text())
    return [(row["stage"], row["error"]) for row in found]


@pytest.mark.parametrize("known", [WANTED, {}], ids=["with-configuration", "without"])
def test_a_pair_whose_job_was_refused_is_a_failure_though_its_old_files_are_there(
    tree: Tree, known: dict[str, str]
) -> None:
    tree.add(TASK)
    assert failures(tree, PRESENT) == []
    refused(tree)
    assert failures(tree, known) == [("phase2", "interrupted")]
    progress = look(tree.results, tree.tasks, shared=False, wanted=known)
    assert (progress.complete, progress.lost) == ([], [TASK])
    assert [progress.counts[stage][State.FAILED] for stage in PAIR_STAGES] == [1, 0, 0, 0, 0]
    assert progress.counts[Stage.PHASE1][State.DONE] == 1
    assert progress.behind == 4
    text = status(tree.results, tree.tasks, shared=False, wanted=known)
    assert "0 of 1 pairs complete" in text
    assert "APC COADREAD phase2: interrupted: the job left no record" in text


def test_a_gene_whose_job_was_refused_blocks_its_pairs(tree: Tree) -> None:
    tree.add(TASK)
    wanted = {**PRESENT, "phase1": "phase1-new"}
    refused(tree, wanted, "APC")
    assert failures(tree, wanted) == [("phase1", "interrupted"), ("phase1", "blocked")]
    progress = look(tree.results, tree.tasks, shared=False, wanted=wanted)
    assert progress.counts[Stage.PHASE1][State.FAILED] == 1
    assert progress.genes == {"APC": False} and progress.complete == []


def test_a_job_that_was_tried_again_and_made_its_files_is_no_failure(tree: Tree) -> None:
    tree.add(TASK)
    refused(tree, PRESENT)
    assert not (tree.results / TASK.path / "failure.json").exists()


def test_when_the_configuration_is_taken_back_the_old_files_are_the_wanted_ones(
    tree: Tree,
) -> None:
    tree.add(TASK)
    refused(tree)
    assert failures(tree, PRESENT) == []
    outputs = {name: str(tree.results / f"{name}.tsv") for name in ("reports", "references")}
    outputs["mechanisms"] = str(tree.results / "mechanisms.tsv")
    make_tables(tree.results, tree.cohort, PRESENT, outputs)


def test_a_failure_that_no_longer_stands_does_not_hide_a_new_one(tree: Tree) -> None:
    tree.add(TASK)
    old = {"stage": "critique", "error": "llm_quota", "message": "no", "fingerprint": "older"}
    tree.write(f"{TASK.path}/failure.json", json.dumps(old))
    assert failures(tree, PRESENT) == []
    refused(tree)
    assert failures(tree, WANTED) == [("phase2", "interrupted")]


# Where leases are invisible


def begun(tree: Tree, seconds_ago: float) -> None:
    tree.tasks.append(TASK)
    tree.write("APC/.journal/phase1.jsonl", "")
    tree.write(f"{TASK.path}/.journal/phase2.jsonl", "")
    for path in tree.results.rglob("*.jsonl"):
        moment = path.stat().st_mtime - seconds_ago
        os.utime(path, (moment, moment))


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.usefixtures("without_locks")
def test_without_locks_a_stage_that_may_run_is_not_called_interrupted(tree: Tree) -> None:
    begun(tree, 60)
    assert failures(tree, {}) == []
    text = status(tree.results, tree.tasks)
    assert "interrupted" not in text
    assert "on another machine, or just stopped" in text


@pytest.mark.usefixtures("without_locks")
def test_without_locks_a_stage_that_is_silent_was_interrupted(tree: Tree) -> None:
    begun(tree, RECENT_SECONDS + 60)
    assert failures(tree, {}) == [("phase1", "interrupted"), ("phase2", "interrupted")]


def test_on_a_disk_of_ones_own_a_killed_stage_is_interrupted_at_once(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intogen_agent.provenance.liveness.between_machines", lambda _: False)
    begun(tree, 0)
    assert failures(tree, {}) == [("phase1", "interrupted"), ("phase2", "interrupted")]


def test_on_a_shared_disk_a_recent_journal_may_be_of_another_machine(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intogen_agent.provenance.liveness.between_machines", lambda _: True)
    begun(tree, 60)
    assert failures(tree, {}) == []
    (tree.results / TASK.path / "failure.json").write_text(
        '{"stage": "phase2", "error": "llm_quota", "message": "no"}'
    )
    assert failures(tree, {}) == [("phase2", "llm_quota")]


def test_a_missing_folder_has_no_failures(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "results", [TASK])
    assert look(tree.results, tree.tasks).failures == []
