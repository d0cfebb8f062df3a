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
    assert (
        "ok      slurm: answers, would take a pair's job (--time=300 --mem=1000M); " in done.stdout
    )
    assert done.stdout.endswith("All 11 checks are ok.\n")
    assert "Waiting for a Slurm job" in done.stderr


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        ("slurm_partition: nonesuch", "Invalid partition name specified"),
        ("mem_mb: 900000000 * attempt", "Requested node configuration is not available"),
    ],
    ids=["partition", "memory"],
)
def test_what_slurm_refuses_is_said_in_its_words(tmp_path: Path, resource: str, words: str) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    lines = ["executor: slurm", "default-resources:", f"  {resource}"]
    (profile / "profile.yaml").write_text("\n".join(lines) + "\n")
    done = check(tmp_path, "--profile", str(profile))
    assert done.returncode == 1
    [line] = [line for line in done.stdout.splitlines() if line.startswith("FAILED  slurm: ")]
    assert "it would refuse a pair's job (" in line and words in line
    assert "there are the partitions " in line
