"""A store whose job was cut off, or that is forced, keeps nothing that follows from being made.

Snakemake leaves out what follows a job by ancient inputs alone, if that job is forced or was cut
off, and then ends well.
"""

import shutil
from pathlib import Path

import pytest

from tests.workflow.conftest import jobs_of
from tests.workflow.finished_run import Trial, copy_of

pytestmark = pytest.mark.workflow

WHOLE = {
    "phase1": 2, "phase2": 2, "report": 2, "critique": 2, "summary": 2, "render": 2, "tables": 1
}  # fmt: skip
# Kills the controlling Snakemake, an ancestor of the job, when the store is in its place.
KILL = """
    import os, signal
    from pathlib import Path
    code = built()
    pid = os.getppid()
    while b"--snakefile" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(pid, signal.SIGKILL)
    return code


def built() -> int:
    return"""


def without_results(finished: Trial, folder: Path) -> Trial:
    """Return a clone and a run's directory where nothing was made yet."""
    trial = copy_of(finished, folder)
    shutil.rmtree(trial.results)
    shutil.rmtree(trial.directory / ".snakemake")
    return trial


def stores(trial: Trial) -> list[Path]:
    return list((trial.results / "_run" / "store").glob("*.sqlite"))


@pytest.mark.long
def test_a_controller_killed_when_the_store_was_built_leaves_all_the_rest_to_do(
    finished: Trial, tmp_path: Path
) -> None:
    trial = without_results(finished, tmp_path)
    trial.edit("scripts/store.py", r"\n    return", KILL)
    assert trial.run().returncode == -9
    [store] = stores(trial)
    built = store.stat()
    assert list((trial.directory / ".snakemake" / "incomplete").rglob("*"))

    assert trial.run("--unlock").returncode == 0
    assert trial.planned() == WHOLE
    done = trial.run("--until", "phase1")
    assert done.returncode == 0, done.stderr[-3000:]
    assert jobs_of(done.stderr)["phase1"] == 2
    assert (trial.results / "APC" / "phase1.json").exists()
    assert (store.stat().st_ino, store.stat().st_mtime_ns) == (built.st_ino, built.st_mtime_ns)


def test_a_store_that_is_forced_is_looked_at_and_what_changed_is_made_in_the_same_run(
    finished: Trial, tmp_path: Path
) -> None:
    trial = copy_of(finished, tmp_path)
    trial.configure({"review.max_iterations": 2})
    assert trial.planned("--forcerun", "store") == {"store": 1, **trial.planned()}
    [store] = stores(trial)
    before = store.stat().st_ino
    done = trial.run("--forcerun", "store", "--until", "store")
    assert done.returncode == 0, done.stderr[-3000:]
    assert store.stat().st_ino == before


def test_a_store_that_was_deleted_is_built_when_a_stage_needs_it(
    finished: Trial, tmp_path: Path
) -> None:
    trial = copy_of(finished, tmp_path)
    [store] = stores(trial)
    store.unlink()
    (trial.results / "APC" / "phase1.json").unlink()
    assert trial.planned()["store"] == 1
