"""Who runs, who waits, how fast it goes and what is left."""

import os
import stat
from pathlib import Path

import pytest
from trees import Tree, make_call, make_provenance, make_report, make_task

from intogen_agent.cli import main
from intogen_agent.delivery.cohort_file import write_cohort
from intogen_agent.delivery.pace import duration, since_last_pause, tokens_left
from intogen_agent.delivery.progress import State, look
from intogen_agent.delivery.status import status
from intogen_agent.delivery.tokens import spent
from intogen_agent.file_systems import between_machines, file_system
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.liveness import RECENT_SECONDS
from intogen_agent.report.models import Assessment

NOW = 1_700_000_000.0


def begun(tree: Tree, stage: str = "report", written: float = NOW - 60) -> Path:
    """Add a pair whose stage has begun; return the journal."""
    task = tree.add(make_task())
    names = {path.name for path in (tree.results / task.path).iterdir()} - {"phase2.json"}
    tree.remove(task, *names)
    journal = tree.write(f"{task.path}/.journal/{stage}.jsonl", "")
    os.utime(journal, (written, written))
    return journal


def states(tree: Tree, *, shared: bool, stage: Stage = Stage.REPORT) -> dict[State, int]:
    counts = look(tree.results, tree.tasks, NOW, shared).counts[stage]
    return {state: number for state, number in counts.items() if number}


@pytest.mark.parametrize("shared", [False, True], ids=["own-disk", "shared"])
def test_a_stage_runs_while_its_lease_is_held(tree: Tree, shared: bool) -> None:
    journal = begun(tree, written=NOW - 10 * RECENT_SECONDS)
    with Journal(journal):
        assert states(tree, shared=shared) == {State.RUNNING: 1}
        assert "failures" not in status(tree.results, tree.tasks, NOW, shared)
    os.utime(journal, (NOW - 10 * RECENT_SECONDS,) * 2)
    assert states(tree, shared=shared) == {State.STOPPED: 1}


def test_a_stage_that_failed_and_runs_again_is_running(tree: Tree) -> None:
    journal = begun(tree)
    tree.fail("APC/COADREAD", "report")
    assert states(tree, shared=False) == {State.FAILED: 1}
    with Journal(journal):
        assert states(tree, shared=False) == {State.RUNNING: 1}


def test_on_a_shared_disk_a_recent_write_counts_and_the_text_says_so(tree: Tree) -> None:
    begun(tree)
    assert states(tree, shared=False) == {State.STOPPED: 1}
    assert states(tree, shared=True) == {State.RUNNING: 1}
    text = status(tree.results, tree.tasks, NOW, True)
    assert "running: 1 of these only by a journal that was written in the last 5 minutes" in text
    assert "on another machine, or just stopped" in text
    assert "failures" not in text


def test_an_old_journal_that_nobody_holds_is_stopped(tree: Tree) -> None:
    begun(tree, written=NOW - RECENT_SECONDS - 1)
    assert states(tree, shared=True) == {State.STOPPED: 1}
    text = status(tree.results, tree.tasks, NOW, True)
    assert "stopped: begun, and nobody seems to work on it" in text
    assert "no stage is seen running" in text
    assert "APC COADREAD report: interrupted: " in text


@pytest.mark.parametrize(
    ("failed_at", "state"), [(NOW - 50, State.FAILED), (NOW - 70, State.RUNNING)]
)
def test_of_a_failure_and_a_journal_the_later_counts(
    tree: Tree, failed_at: float, state: State
) -> None:
    begun(tree)
    tree.fail("APC/COADREAD", "report")
    os.utime(tree.results / "APC/COADREAD/failure.json", (failed_at, failed_at))
    assert states(tree, shared=True) == {state: 1}


def test_pairs_of_a_failed_phase_1_wait_and_are_not_to_go(tree: Tree) -> None:
    for code in ("COADREAD", "PAAD"):
        tree.tasks.append(make_task(code=code))
    tree.fail("APC", "phase1")
    progress = look(tree.results, tree.tasks, NOW, False)
    assert (progress.to_go, progress.behind, progress.stages_to_go) == (0, 10, 0)
    text = status(tree.results, tree.tasks, NOW, False)
    assert "waiting: 10 of these come after a stage that failed" in text
    assert "left" not in text


@pytest.mark.parametrize("indent", [None, 1])
def test_undetermined_pairs_are_counted_whatever_a_text_says(
    tree: Tree, indent: int | None
) -> None:
    assessment = {"involvement": "not_supported", "undetermined": True, "rationale": []}
    words = Assessment.model_validate(assessment | {"undetermined": False, "reason": QUOTED})
    told = make_report(make_task(code="PAAD"), Stage.CRITIQUE, assessment=words)
    unknown = make_report(
        make_task(), Stage.CRITIQUE, assessment=Assessment.model_validate(assessment)
    )
    for report, code in ((unknown, "COADREAD"), (told, "PAAD")):
        task = tree.add(make_task(code=code))
        tree.write(f"{task.path}/reviewed.json", report.model_dump_json(indent=indent))
    found = look(tree.results, tree.tasks, NOW, False).undetermined
    assert [task.cancer_type for task in found] == ["COADREAD"]


QUOTED = 'It says "undetermined": true, it does.'


def finished(tree: Tree, times: list[float], to_go: int = 0) -> None:
    """Add pairs that were finished at these times, and others that have not begun."""
    for number, moment in enumerate(times):
        task = tree.add(make_task(f"GENE{number}"))
        os.utime(tree.results / task.path / "provenance.json", (moment, moment))
    tree.tasks += [make_task(f"OTHER{number}") for number in range(to_go)]


def test_the_rate_and_what_is_left(tree: Tree) -> None:
    finished(tree, [NOW - 60 * minutes for minutes in range(6)], to_go=30)
    lines = status(tree.results, tree.tasks, NOW, False).splitlines()
    assert "rate: 60.0 pairs an hour (the last 6 finished)" in lines
    assert "left: 30 pairs, about 30 min at this rate" in lines
    left = "left: about 3,300 tokens in, 1,650 out, if the rest is like the finished pairs"
    assert left in lines


def test_while_it_runs_a_run_that_stalls_gets_slower(tree: Tree) -> None:
    finished(tree, [NOW - 3600 + 60 * minutes for minutes in range(6)])
    journal = begun(tree)
    assert "rate: 60.0 pairs" in status(tree.results, tree.tasks, NOW, False)
    with Journal(journal):
        assert "rate: 5.0 pairs" in status(tree.results, tree.tasks, NOW, False)


def test_a_run_that_begins_again_after_days_has_no_rate_yet(tree: Tree) -> None:
    finished(tree, [NOW - 3 * 86400 + 60 * minutes for minutes in range(6)], to_go=3)
    with Journal(begun(tree)):
        text = status(tree.results, tree.tasks, NOW, False)
    assert "rate: not known yet" in text


def test_an_older_failure_of_a_later_stage_does_not_hide_the_one_that_runs(tree: Tree) -> None:
    tree.fail("APC/COADREAD", "critique")
    with Journal(begun(tree)):
        progress = look(tree.results, tree.tasks, NOW, shared=False)
    assert progress.lost == [] and progress.stages_to_go > 0


def test_with_few_finished_pairs_stages_are_counted(tree: Tree) -> None:
    task = tree.add(make_task())
    files = [tree.results / "APC/phase1.json", *(tree.results / task.path).iterdir()]
    for path in files:
        os.utime(path, (NOW - 100, NOW - 100))
    os.utime(tree.results / task.path / "provenance.json", (NOW, NOW))
    tree.tasks += [make_task(code="PAAD"), make_task(code="LUAD")]
    tree.fail("APC/LUAD", "phase2")
    lines = status(tree.results, tree.tasks, NOW, False).splitlines()
    assert "waiting: 4 of these come after a stage that failed" in lines
    assert "rate: 180.0 stages an hour (the last 6 finished)" in lines
    assert "left: 5 stages, about 2 min at this rate" in lines


def test_without_a_finished_stage_no_rate_is_told(tree: Tree) -> None:
    tree.tasks.append(make_task())
    text = status(tree.results, tree.tasks, NOW, False)
    assert "rate: not known yet" in text and "left" not in text


@pytest.mark.parametrize(
    ("times", "kept"),
    [
        ([], []),
        ([5.0], [5.0]),
        ([0.0, 60.0, 120.0], [0.0, 60.0, 120.0]),
        ([0.0, 60.0, 40_000.0, 40_060.0], [40_000.0, 40_060.0]),
        ([0.0, 800.0, 860.0], [0.0, 800.0, 860.0]),
        ([0.0, 3600.0, 7200.0, 12_000.0], [0.0, 3600.0, 7200.0, 12_000.0]),
    ],
    ids=["none", "one", "steady", "a-night", "a-short-break", "slow"],
)
def test_a_pause_is_no_part_of_the_rate(times: list[float], kept: list[float]) -> None:
    assert since_last_pause(times) == kept


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "1 min"),
        (3540, "59 min"),
        (3599, "1 h 00 min"),
        (5400, "1 h 30 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_time_spans_for_people(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_what_has_begun_is_paid_in_part(tree: Tree) -> None:
    done = tree.add(make_task())
    calls = [
        make_call("phase1", tokens=1000, price=1.0),
        make_call("report", tokens=100, price=4.0),
    ]
    tree.replace(done, make_provenance(done, calls))
    used = spent(tree.results, tree.tasks)
    assert tokens_left(used, 2, 0) == "about 200 tokens in, 100 out, price about 8.00"
    assert tokens_left(used, 2, 1) == "about 1,200 tokens in, 600 out, price about 9.00"
    assert tokens_left(used, 0, 0) is None
    entry = (
        '{"kind":"llm","stage":"report","meta":'
        '{"gen_ai.usage.input_tokens":30,"gen_ai.usage.output_tokens":0,"intogen_agent.price":1}}\n'
    )
    tree.tasks.append(make_task(code="PAAD"))
    tree.write("APC/PAAD/.journal/report.jsonl", entry)
    used = spent(tree.results, tree.tasks)
    assert tokens_left(used, 2, 0) == "about 170 tokens in, 100 out, price about 7.00"
    assert tokens_left(used, 1, 0) == "about 70 tokens in, 50 out, price about 3.00"


# The command


def test_an_empty_folder_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path}: empty, no run has begun here\n"


def test_results_that_may_only_be_read(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree.add(make_task())
    begun(tree)
    write_cohort(tree.cohort, tree.results)
    paths = [tree.results, *tree.results.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: path.stat().st_mtime_ns for path in paths}

    def writes(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.replace", writes)
    monkeypatch.setattr("os.mkdir", writes)
    try:
        assert main(["status", str(tree.results)]) == 0
    finally:
        for path in paths:
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
    assert {path: path.stat().st_mtime_ns for path in paths} == before
    assert "pairs complete" in capsys.readouterr().out


def test_a_folder_that_may_not_be_read_is_one_line(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree.add(make_task())
    write_cohort(tree.cohort, tree.results)

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "results/APC")

    monkeypatch.setattr("intogen_agent.delivery.progress.look", refused)
    monkeypatch.setattr("intogen_agent.delivery.status.look", refused)
    assert main(["status", str(tree.results)]) == 2
    assert capsys.readouterr().err.startswith("ERROR: results/APC: may not be read; ")


def test_the_kind_of_a_file_system(tmp_path: Path) -> None:
    assert file_system(Path("/proc")) == "proc"
    assert file_system(tmp_path) != "?"
    assert not between_machines(Path("/proc"))
