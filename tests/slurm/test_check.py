"""`intogen-agent check` on the real Slurm."""

import subprocess
from pathlib import Path

import pytest

from tests.workflow.conftest import BIN, ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.slurm, pytest.mark.usefixtures("slurm")]


def check(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        str(BIN / "intogen-agent"), "check",
        "--profile", str(ROOT / "profiles" / "slurm"),
        "--config", f"drivers={ROOT / 'config' / 'demo' / 'drivers.tsv'}",
        "--directory", str(directory),
        *arguments,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_slurm_would_take_a_job_and_the_checks_run_inside_one(tmp_path: Path) -> None:
    done = check(tmp_path, "--on-cluster")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok      slurm: answers, would take a job (" in done.stdout
    assert done.stdout.endswith("All 11 checks are ok.\n")
    assert "Waiting for a Slurm job" in done.stderr


def test_a_partition_that_is_not_there_is_named(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    lines = ["executor: slurm", "default-resources:", "  slurm_partition: nonesuch"]
    (profile / "profile.yaml").write_text("\n".join(lines) + "\n")
    done = check(tmp_path, "--profile", str(profile))
    assert done.returncode == 1
    assert "FAILED  slurm: it would refuse a job: " in done.stdout
    assert "there are the partitions " in done.stdout
