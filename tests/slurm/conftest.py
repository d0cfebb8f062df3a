"""A Slurm to test on, and runs of the real workflow on it.

A Slurm that answers is used. Where there is none, INTOGEN_AGENT_SLURM_TESTS=1 allows the tests to
install one from Debian's packages for their own time; else they skip.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.slurm.gate import Gate, serving
from tests.workflow.conftest import BIN, ROOT

SCRIPT = Path(__file__).with_name("slurm.sh")
ALLOWED = "INTOGEN_AGENT_SLURM_TESTS"


def answers() -> bool:
    """Tell whether a Slurm is there."""
    if shutil.which("sinfo") is None:
        return False
    try:
        asked = subprocess.run(["sinfo", "--noheader"], capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0 and bool(asked.stdout.strip())


def nodes() -> set[str]:
    """Return the names of the nodes."""
    asked = subprocess.run(
        ["sinfo", "--noheader", "--format=%n"], capture_output=True, text=True, check=True
    )
    return set(asked.stdout.split())


def obstacle() -> str | None:
    """Say why no Slurm can be brought up here."""
    if os.environ.get(ALLOWED) != "1":
        return f"no Slurm answers (sinfo), and {ALLOWED}=1 is not set"
    if "PYTEST_XDIST_WORKER" in os.environ:
        return "one Slurm is brought up for one process: run with -n 0"
    if os.geteuid() != 0:
        return "no Slurm answers, and installing one takes root"
    if shutil.which("apt-get") is None:
        return "no Slurm answers, and there are no Debian packages here"
    return None


def bring_up() -> str | None:
    """Install and start a Slurm; say why it could not be done."""
    try:
        up = subprocess.run([SCRIPT, "up"], capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        return "not within four minutes"
    lines = up.stderr.strip().splitlines() or ["no message"]
    return None if up.returncode == 0 else lines[-1]


@pytest.fixture(scope="session")
def slurm() -> Iterator[None]:
    """A Slurm that answers; one that was brought up here is removed again."""
    if answers():
        if nodes() != {socket.gethostname().split(".")[0]}:
            pytest.skip("the nodes of this Slurm do not see this machine's temporary files")
        yield
        return
    reason = obstacle()
    if reason is not None:
        pytest.skip(reason)
    try:
        failure = bring_up()
        if failure is not None:
            pytest.skip(f"no Slurm could be brought up: {failure}")
        yield
    finally:
        subprocess.run([SCRIPT, "down"], check=True, timeout=300)


@pytest.fixture
def gate() -> Iterator[Gate]:
    """The offline model behind a gate that notes, holds and refuses requests."""
    with serving() as served:
        yield served


@dataclass
class Cluster:
    """A run directory, and the means to run the demo's pairs on Slurm."""

    directory: Path
    gate: Gate

    def write(self, pairs: list[tuple[str, str]], **config: Any) -> Path:
        """Write the pairs and the configuration; return the latter's path."""
        drivers = self.directory / "drivers.tsv"
        rows = ["gene\tcancer_type", *("\t".join(pair) for pair in pairs)]
        drivers.write_text("\n".join(rows) + "\n")
        path = self.directory / "config.yaml"
        provider: Mapping[str, Any] = {"base_url": self.gate.url}
        value = {
            "drivers": str(drivers),
            "cohort": {"pan_cancer": False},
            "llm": {
                "providers": {"gate": provider},
                "default": {"provider": "gate"},
                "retry": {"attempts": 1},
            },
            **config,
        }
        path.write_text(yaml.safe_dump(value))
        return path

    def snakemake(self, configfile: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run with profiles/slurm; standard error holds the log."""
        command = [
            str(BIN / "snakemake"),
            "--profile", "profiles/slurm",
            "--directory", str(self.directory),
            "--configfile", str(configfile),
            "--slurm-init-seconds-before-status-checks", "3",
            *arguments,
        ]  # fmt: skip
        return self._run(command)

    def submit(self, configfile: Path, *options: str) -> str:
        """Submit the allocation; return the job's number."""
        command = [
            "sbatch", "--parsable", "--cpus-per-task=2", "--mem=2G", "--time=20",
            f"--output={self.directory}/job.log", *options,
            "profiles/slurm-allocation/run.sbatch",
            "--directory", str(self.directory), "--configfile", str(configfile), "--cores", "4",
        ]  # fmt: skip
        submitted = self._run(command)
        assert submitted.returncode == 0, submitted.stderr
        return submitted.stdout.strip()

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.directory / ".cache")}
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=400
        )

    def path(self, *parts: str) -> Path:
        """Return a path in the results."""
        return self.directory.joinpath("results", *parts)


@pytest.fixture
def cluster(slurm: None, gate: Gate, tmp_path: Path) -> Cluster:
    """A fresh run directory on a Slurm."""
    return Cluster(tmp_path, gate)
