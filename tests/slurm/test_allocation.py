"""The whole run in one allocation: stopped near the end of its time, killed, and gone on with."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.slurm.conftest import Cluster
from tests.slurm.gate import about

pytestmark = [pytest.mark.workflow, pytest.mark.slurm]

APC, TTN = ("APC", "COADREAD"), ("TTN", "LUAD")


def slurm_says(*command: str) -> str:
    asked = subprocess.run(command, capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def state(job: str) -> str:
    return slurm_says("squeue", "--noheader", "--states=all", "--format=%T", f"--jobs={job}")


def restarts(job: str) -> str:
    words = slurm_says("scontrol", "show", "job", job).split()
    return next(word for word in words if word.startswith("Restarts="))


def processes(job: str) -> list[int]:
    """Return the process ids of a job on this node; none when it is over."""
    asked = subprocess.run(["scontrol", "listpids", job], capture_output=True, text=True)
    rows = [line.split()[0] for line in asked.stdout.splitlines()[1:]]
    return [int(row) for row in rows if row != "-1"]


def until(what: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for what another process does."""
    end = monotonic() + seconds
    while not what():
        assert monotonic() < end, "nothing came"
        sleep(0.2)


@pytest.fixture
def submit(cluster: Cluster) -> Iterator[Callable[..., str]]:
    """Submit allocations that do not outlive the test."""
    jobs: list[str] = []

    def submitted(configfile: Path, *options: str) -> str:
        jobs.append(cluster.submit(configfile, *options))
        return jobs[-1]

    yield submitted
    for job in jobs:
        subprocess.run(["scancel", "--quiet", job], check=True)


def test_near_the_end_of_its_time_it_stops_requeues_itself_and_goes_on(
    cluster: Cluster, submit: Callable[..., str]
) -> None:
    configfile = cluster.write([APC, TTN])
    cluster.gate.hold(about("WireCritique"))
    job = submit(configfile, "--export=ALL,FINISH_SECONDS=1")
    assert cluster.gate.held.wait(200)
    answered = len(cluster.gate.answered)
    # The signal that Slurm sends --signal=B:USR1@300 before the end.
    subprocess.run(["scancel", "--batch", "--signal=USR1", job], check=True)
    until(lambda: restarts(job) == "Restarts=1")
    assert not (cluster.directory / ".snakemake" / "allocation").exists()
    cluster.gate.open()
    # Slurm would let it wait for two minutes, and needs at least one second.
    until(lambda: state(job) == "PENDING" and not processes(job))
    slurm_says("scontrol", "update", f"JobId={job}", "StartTime=now+3seconds")
    until(lambda: state(job) not in ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING"), 300)
    log = (cluster.directory / "job.log").read_text()
    assert state(job) == "COMPLETED", log[-3000:]
    assert "Back into the queue" in log
    assert "removing its lock" not in log
    assert cluster.gate.repeated() == set()
    assert len(cluster.gate.answered) > answered
    assert cluster.path("reports.tsv").exists()


def test_killed_without_a_warning_the_next_one_removes_the_lock_and_goes_on(
    cluster: Cluster, submit: Callable[..., str]
) -> None:
    configfile = cluster.write([APC])
    cluster.gate.hold(about("ReportDraft"))
    first = submit(configfile)
    assert cluster.gate.held.wait(200)

    # A second one in the same directory does not touch the first one's lock.
    second = submit(configfile, f"--output={cluster.directory}/second.log")
    until(lambda: state(second) == "FAILED")
    said = (cluster.directory / "second.log").read_text()
    assert said.startswith(f"ERROR: job {first} works in {cluster.directory}")

    for process in processes(first):
        os.kill(process, signal.SIGKILL)
    until(lambda: state(first) == "FAILED")

    # Somebody has unlocked the directory since, and works there.
    locks = cluster.directory / ".snakemake" / "locks"
    own = locks.rename(locks.with_name("own"))
    shutil.copytree(own, locks, copy_function=shutil.copyfile)
    other = submit(configfile, f"--output={cluster.directory}/other.log")
    until(lambda: state(other) == "FAILED")
    said = (cluster.directory / "other.log").read_text()
    assert said.startswith(f"ERROR: {cluster.directory} is locked by another run")
    assert len(list(locks.iterdir())) == len(list(own.iterdir())) == 2

    shutil.rmtree(locks)
    own.rename(locks)
    cluster.gate.open()
    third = submit(configfile)
    until(lambda: state(third) not in ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING"), 300)
    log = (cluster.directory / "job.log").read_text()
    assert state(third) == "COMPLETED", log[-3000:]
    assert f"Job {first} was killed; removing its lock" in log
    assert cluster.gate.repeated() == set()
    assert cluster.path(*APC, "report.md").exists()
