"""Results that several users share: who may read them, and what reading needs to write."""

import ctypes
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.finished_run import ROWS, Trial, copy_of

pytestmark = pytest.mark.workflow

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
LIBC = ctypes.CDLL(None)


def bound_by_permissions() -> None:
    """In a child: let root, too, be bound by the permissions of files."""
    LIBC.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


def agent(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "intogen_agent", *words],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        preexec_fn=bound_by_permissions,
    )  # fmt: skip


def set_modes(folder: Path, files: int, folders: int) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(folders if path.is_dir() else files)


@pytest.fixture
def read_only(finished: Trial, tmp_path: Path) -> Iterator[Trial]:
    trial = copy_of(finished, tmp_path)
    set_modes(trial.results, 0o444, 0o555)
    yield trial
    set_modes(trial.results, 0o644, 0o755)


@pytest.mark.parametrize(
    "words",
    [
        ["status", "results"],
        ["status", "results", "--configfile", "config.yaml"],
        ["status", "results", "--stale", "--configfile", "config.yaml"],
        ["collect", "results", "--overview"],
        ["render", "results/APC/COADREAD/report.json"],
        [
            "validate", "results/APC/COADREAD/reviewed.json",
            "--evidence", "results/APC/COADREAD",
        ],
    ],
    ids=lambda words: "-".join(word for word in words if "/" not in word),
)  # fmt: skip
def test_reading_commands_need_no_permission_to_write(read_only: Trial, words: list[str]) -> None:
    done = agent(read_only.directory, *words)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_would_write_says_in_one_line_that_it_cannot(read_only: Trial) -> None:
    (read_only.directory / "results" / "_run").chmod(0o555)
    done = agent(read_only.directory, "collect", "results")
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("ERROR: results/_run: cannot be written (Permission denied)")


@pytest.mark.parametrize("folder", ["results", ".snakemake"])
def test_a_run_by_somebody_who_may_only_read_is_refused_in_one_line(
    finished: Trial, tmp_path: Path, folder: str
) -> None:
    trial = copy_of(finished, tmp_path)
    (trial.directory / folder).chmod(0o555)
    done = trial.run("--dry-run", before=bound_by_permissions)
    (trial.directory / folder).chmod(0o755)
    assert done.returncode == 2
    [line] = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    assert line.startswith(f"ERROR: {folder}: cannot write below '{trial.directory / folder}'")
    assert "Traceback" not in done.stderr


UMASK = 0o027


def test_everything_that_a_run_writes_has_the_permissions_of_the_umask(
    finished: Trial, tmp_path: Path
) -> None:
    trial = copy_of(finished, tmp_path)
    for path in ("_run", "TTN"):
        shutil.rmtree(trial.results / path)
    # The records of calls stay, so no model is asked.
    for path in trial.results.rglob("*"):
        if path.is_file() and path.name != "audit.jsonl.gz":
            path.unlink()
    trial.write_drivers(ROWS[:2])
    set_modes(trial.results, 0o600, 0o700)
    before = os.umask(UMASK)
    try:
        done = trial.run()
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr[-3000:]

    kept = {trial.results / "APC", trial.results / "APC" / "COADREAD"}
    written = set(trial.results.rglob("*")) - kept
    assert {"report.md", "reports.tsv", "audit.jsonl.gz", "cohort.tsv", "phase1.log"} <= {
        path.name for path in written
    }
    wrong = {path.relative_to(trial.results): oct(mode) for path in written if (mode := odd(path))}
    assert wrong == {}


def odd(path: Path) -> int:
    """Return the permissions of a file or folder if they are not the umask's."""
    mode = stat.S_IMODE(path.stat().st_mode)
    # A store is never changed after it was built.
    whole = 0o777 if path.is_dir() else 0o444 if path.suffix == ".sqlite" else 0o666
    return 0 if mode == whole & ~UMASK else mode
