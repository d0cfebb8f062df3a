"""What a run was planned from goes with its jobs; what changed since is named."""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from intogen_agent import stages, workflow
from intogen_agent.config import planned
from intogen_agent.config import snapshot as snapshots
from intogen_agent.config.load import load_settings
from intogen_agent.config.snapshot import add_found, snapshot_path, write_snapshot
from intogen_agent.errors import UserError
from intogen_agent.models import Stage
from intogen_agent.workflow import Plan, plan, plan_or_exit


@pytest.fixture(autouse=True)
def _own_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Set and removed again, so that what a test hands over ends with it.
    monkeypatch.setenv(planned.VARIABLE, "")


def config(root: Path, **options: Any) -> dict[str, Any]:
    return {"drivers": str(root / "config" / "demo" / "drivers.tsv"), **options}


def own_records(root: Path, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    for source in (root / "config" / "demo" / "evidence").iterdir():
        (folder / source.name).write_bytes(source.read_bytes())
    return config(root, store={"records": str(folder)})


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the folders whose records are read, as they are read."""
    read: list[Path] = []
    real = workflow.records_digest

    def digest(folder: Path, types: Path) -> str:
        read.append(folder)
        return real(folder, types)

    monkeypatch.setattr(workflow, "records_digest", digest)
    return read


def test_a_job_knows_what_its_run_was_planned_from(root: Path) -> None:
    made = plan_or_exit(config(root), root, main=True)
    held = planned.handed(Path("results"))
    assert held is not None
    assert held.stages == {stage: made.stage_settings(stage) for stage in Stage}
    assert planned.handed(Path("elsewhere")) is None


def test_two_runs_of_one_process_are_told_apart(root: Path) -> None:
    plan_or_exit(config(root, results="one"), root, main=True)
    plan_or_exit(config(root, results="two", review={"max_iterations": 2}), root, main=True)
    one, two = planned.handed(Path("one")), planned.handed(Path("two"))
    assert one and two and one.stages[Stage.CRITIQUE] != two.stages[Stage.CRITIQUE]


def test_who_is_not_the_controlling_process_hands_nothing_over(root: Path) -> None:
    plan_or_exit(config(root), root)
    assert planned.handed(Path("results")) is None


def test_a_word_that_is_not_a_plan_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(planned.VARIABLE, '{"results": 3}')
    with pytest.raises(UserError, match=f"{planned.VARIABLE}: .*start the run again.*unset"):
        planned.handed(Path("results"))


# Records


def test_jobs_do_not_read_the_records_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options, read = own_records(root, tmp_path / "records"), counted(monkeypatch)
    first = plan_or_exit(options, root, main=True)
    assert len(read) == 1
    again = plan_or_exit(options, root)
    assert (again.store, again.store_identity) == (first.store, first.store_identity)
    assert len(read) == 1
    # The next start of the controlling process trusts nobody.
    plan_or_exit(options, root, main=True)
    assert len(read) == 2


@pytest.mark.parametrize("name", ["articles.jsonl", "genes.jsonl", "proteins.jsonl"])
@pytest.mark.parametrize("how", ["longer", "same-size"])
def test_a_record_file_that_changed_is_read_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    options, read = own_records(root, tmp_path / "records"), counted(monkeypatch)
    first = plan_or_exit(options, root, main=True)
    path = tmp_path / "records" / name
    before = path.stat()
    text = path.read_bytes()
    path.write_bytes(text + b"\n" if how == "longer" else text.replace(b"e", b"f", 1))
    if how == "longer":
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    else:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    job = plan_or_exit(options, root)
    assert len(read) == 2
    assert job.store != first.store


def test_the_store_is_built_from_what_is_there_and_not_from_a_remembered_digest(
    root: Path, tmp_path: Path
) -> None:
    options = own_records(root, tmp_path / "records")
    made = plan_or_exit(options, root, main=True)
    path = tmp_path / "records" / "articles.jsonl"
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"e", b"f", 1))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert plan(options, root).store == made.store
    log = tmp_path / "store.log"
    assert stages.store(options, root, str(made.store), str(log)) == 1
    assert "store.records: changed since this run began" in log.read_text()
    assert not Path(str(made.store)).exists()


# The snapshot


def updated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clone be at another commit, with other packages."""
    monkeypatch.setattr(snapshots, "commit", lambda _: "f" * 40)
    monkeypatch.setattr(snapshots, "_version", lambda _: "99.0")


def test_a_run_has_one_snapshot_though_clone_and_packages_are_updated(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan_or_exit(config(root), root, main=True)
    settings = load_settings(config(root))
    path = snapshot_path(settings)
    write_snapshot(settings)
    updated(monkeypatch)
    assert snapshot_path(settings) == path
    add_found(settings, {"tools": {"a": "store"}})
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert yaml.safe_load(path.read_text())["made_under"]["packages"]["openai"] != "99.0"


def test_the_next_start_has_a_snapshot_of_its_own_and_nothing_else_changes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings(config(root))

    def start() -> tuple[Path, Plan]:
        made = plan_or_exit(config(root), root, main=True)
        return snapshot_path(settings), made

    before, first = start()
    updated(monkeypatch)
    after, second = start()
    assert before != after
    assert first.fingerprints() == second.fingerprints()


def test_a_run_from_a_snapshot_is_compared_with_what_is_there_now(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan_or_exit(config(root), root, main=True)
    settings = load_settings(config(root))
    write_snapshot(settings)
    then = yaml.safe_load(snapshot_path(settings).read_text())
    updated(monkeypatch)
    plan_or_exit(then, root, main=True)
    assert f"commit was {then['made_under']['commit']} and is {'f' * 40}" in capsys.readouterr().err


# What changed


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ("prompt.refiner=1", "prompt.refiner=2", "config/prompts/refiner.md was edited"),
        ("store=1", "store=2", "the evidence store, or the records it is built from, changed"),
        ("version=1", "version=2", "the code was updated (stage version 1 became 2)"),
        (
            "review.max_iterations=2",
            "review.max_iterations=3",
            "the option review.max_iterations was 2 and is 3",
        ),
        ("a=1", None, "the option a was 1 and is not there"),
        (None, f"a={'x' * 80}", f"the option a was not there and is {'x' * 57}..."),
    ],
    ids=["instruction", "store", "code", "option", "removed", "added-and-long"],
)
def test_what_changed_is_named(then: str | None, now: str | None, said: str) -> None:
    same = ["b=1=2"]
    before = same + ([then] if then else [])
    after = same + ([now] if now else [])
    [found] = planned.changes(before, after)
    assert found.endswith(said)
    assert planned.changes(before, before) == []
