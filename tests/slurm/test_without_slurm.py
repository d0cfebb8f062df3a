"""Where there is no Slurm, one line says what is missing."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.workflow.conftest import ROOT

NEEDED = ("make", "sh", "mkdir", "timeout")


def make(target: str, programs: Path) -> subprocess.CompletedProcess[str]:
    """Run a target with nothing on the PATH but some programs."""
    for name in NEEDED:
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    return subprocess.run(
        [programs / "make", target],
        cwd=ROOT, env={"PATH": str(programs)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def errors(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stderr.splitlines() if not line.startswith("make")]


@pytest.mark.parametrize("target", ["demo-slurm", "demo-allocation"])
def test_without_its_commands(target: str, tmp_path: Path) -> None:
    done = make(target, tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = errors(done)
    assert line.startswith("ERROR: Slurm's commands (sbatch, sinfo, squeue) are not here")


@pytest.mark.parametrize("target", ["demo-slurm", "demo-allocation"])
def test_without_a_controller(target: str, tmp_path: Path) -> None:
    for name, code in (("sbatch", 0), ("sinfo", 1)):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(0o755)
    done = make(target, tmp_path)
    assert done.returncode == 2
    [line] = errors(done)
    assert line.startswith("ERROR: sinfo gets no answer from Slurm's controller")
