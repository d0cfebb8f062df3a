"""The allocation's script removes its own stale lock and nobody else's; Slurm is played."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from intogen_agent import allocation
from tests.workflow.conftest import ROOT

SCRIPT = ROOT / "profiles" / "slurm-allocation" / "run.sbatch"
# Takes the lock, as Snakemake does, unless it is there; `--unlock` removes it.
SNAKEMAKE = """
echo "$@" >> "$ASKED"
locks=RUN/.snakemake/locks
case "$*" in
  *--unlock*) rm -r "$locks" ;;
  *) [ ! -e "$locks" ] || exit 1
     [ -n "$INTOGEN_AGENT_ALLOCATION" ] || exit 3 ;;
esac
"""


class Site:
    """A clone and a run's directory in it, with a Snakemake and a squeue of the test's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run = folder / "RUN"
        self.locks = self.run / ".snakemake" / "locks"
        self.marker = self.run / ".snakemake" / "allocation"
        self.asked = folder / "asked"
        self.moment = 1_700_000_000_000_000_000
        self._program(folder / ".venv" / "bin" / "snakemake", SNAKEMAKE)
        self.queue()

    def _program(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}")
        path.chmod(0o755)

    def queue(self, *jobs: int) -> None:
        """Say which jobs Slurm knows."""
        self._program(self.folder / "bin" / "squeue", "".join(f"echo {job}\n" for job in jobs))

    def lock(self) -> None:
        """Lock the run's directory as Snakemake does."""
        shutil.rmtree(self.locks, ignore_errors=True)
        self.locks.mkdir(parents=True)
        # Later than the one before by little, whatever the clock of the disk can tell apart.
        self.moment += 1_000_001
        for kind in ("input", "output"):
            path = self.locks / f"0.{kind}.lock"
            path.write_text("results/APC/phase1.json\n")
            os.utime(path, ns=(self.moment, self.moment))

    def killed(self, job: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Leave what a run leaves that was killed while it worked."""
        self.lock()
        monkeypatch.setenv(allocation.VARIABLE, str(job))
        monkeypatch.chdir(self.run)
        allocation.note_lock()
        assert allocation.VARIABLE not in os.environ

    def start(self, job: int) -> tuple[int, str, list[str]]:
        """Start the script as a job; return its code, what it said and what Snakemake was told."""
        environment = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "SLURM_SUBMIT_DIR": str(self.folder),
            "SLURM_JOB_ID": str(job),
            "ASKED": str(self.asked),
        }
        self.asked.write_text("")
        done = subprocess.run(
            ["bash", str(SCRIPT), "--directory", "RUN"],
            env=environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr, self.asked.read_text().splitlines()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


RUN = "--profile profiles/slurm-allocation --directory RUN"
UNLOCK = f"{RUN} --unlock"


def test_a_run_starts_where_nothing_is_locked(site: Site) -> None:
    assert site.start(7) == (0, "", [RUN])
    assert not site.marker.exists()


@pytest.mark.parametrize("job", [7, 8], ids=["requeued", "another-job"])
def test_the_own_lock_of_a_killed_run_is_removed(
    site: Site, monkeypatch: pytest.MonkeyPatch, job: int
) -> None:
    site.killed(7, monkeypatch)
    site.queue(*([7] if job == 7 else [8]))
    code, said, asked = site.start(job)
    assert (code, asked) == (0, [UNLOCK, RUN])
    assert said == "Job 7 was killed; removing its lock\n"


def test_a_lock_that_another_controller_has_taken_since_stays(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.killed(7, monkeypatch)
    # By hand on a login node: unlocked, and started.
    site.lock()
    site.queue(7)
    code, said, asked = site.start(7)
    assert (code, asked) == (2, [])
    assert said.startswith("ERROR: RUN is locked by another run than an allocation")
    assert len(list(site.locks.iterdir())) == 2


def test_a_second_lock_beside_the_own_one_keeps_both(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.killed(7, monkeypatch)
    (site.locks / "1.output.lock").write_text("results/TP53/phase1.json\n")
    assert site.start(7)[0] == 2
    assert len(list(site.locks.iterdir())) == 3


def test_a_lock_without_a_marker_is_somebody_elses(site: Site) -> None:
    site.lock()
    code, said, asked = site.start(7)
    assert (code, asked) == (2, [])
    assert "run snakemake once with --unlock" in said


def test_a_run_killed_before_it_could_note_its_lock_is_not_guessed_at(site: Site) -> None:
    site.lock()
    site.marker.write_text("7\n")
    assert site.start(7)[::2] == (2, [])


def test_while_the_other_job_is_in_the_queue_nothing_is_touched(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.killed(7, monkeypatch)
    site.queue(7, 8)
    code, said, asked = site.start(8)
    assert (code, asked) == (2, [])
    assert said == "ERROR: job 7 works in RUN; wait for its end or cancel it\n"


def test_an_old_marker_without_a_lock_stops_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.killed(7, monkeypatch)
    shutil.rmtree(site.locks)
    assert site.start(8) == (0, "", [RUN])


def test_without_an_allocation_nothing_is_noted(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(allocation.VARIABLE, raising=False)
    site.lock()
    monkeypatch.chdir(site.run)
    allocation.note_lock()
    assert not site.marker.exists()
