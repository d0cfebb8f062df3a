"""profiles/slurm/vllm.sbatch with a stand-in for vLLM: the offline model's server."""

import os
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.workflow.conftest import BIN, ROOT

SCRIPT = ROOT / "profiles" / "slurm" / "vllm.sbatch"
HEALTHY = f"""#!/usr/bin/env bash
# vllm serve MODEL --host HOST --port PORT
exec {BIN}/intogen-agent serve-offline-model --host 127.0.0.1 --port "$6"
"""
BROKEN = """#!/usr/bin/env bash
exit 7
"""
SILENT = """#!/usr/bin/env bash
exec sleep 600
"""


class Job:
    """The script as a process, with a folder of its own."""

    def __init__(self, folder: Path, program: str) -> None:
        self.address = folder / "model-address"
        programs = folder / "bin"
        programs.mkdir()
        stand_in = programs / "vllm"
        stand_in.write_text(program)
        stand_in.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "ADDRESS_FILE": str(self.address),
            "NODE": "127.0.0.1",
            "MODEL": "stand-in",
        }

    def start(self, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            ["bash", SCRIPT],
            env={**self.environment, **environment},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def served(address: Path) -> str:
    """Wait for the address; it is never seen in part."""
    end = monotonic() + 60
    while not address.exists():
        assert monotonic() < end, "no address was written"
        sleep(0.1)
    return address.read_text()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[Job, "subprocess.Popen[str]", str]]:
    """A healthy server, its process and its port."""
    job, port = Job(tmp_path, HEALTHY), free_port()
    process = job.start(PORT=port)
    yield job, process, port
    if process.poll() is None:
        process.terminate()
        process.communicate(timeout=30)


def test_a_healthy_server_is_announced_and_at_its_end_withdrawn(
    running: tuple[Job, "subprocess.Popen[str]", str],
) -> None:
    job, process, port = running
    assert served(job.address) == f"http://127.0.0.1:{port}/v1\n"
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    assert not job.address.exists()
    with pytest.raises(OSError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health")
    assert sorted(path.name for path in job.address.parent.iterdir()) == ["bin"]


def test_the_address_of_a_later_server_stays(
    running: tuple[Job, "subprocess.Popen[str]", str],
) -> None:
    job, process, _ = running
    served(job.address)
    job.address.write_text("http://other:8000/v1\n")
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    assert job.address.read_text() == "http://other:8000/v1\n"


def test_a_server_that_ends_early_is_never_announced(tmp_path: Path) -> None:
    job = Job(tmp_path, BROKEN)
    _, said = job.start(PORT=free_port()).communicate(timeout=60)
    assert said.splitlines() == ["ERROR: the server ended with code 7 before it was healthy"]
    assert not job.address.exists()


def test_a_server_that_does_not_become_healthy_is_ended(tmp_path: Path) -> None:
    job = Job(tmp_path, SILENT)
    process = job.start(PORT=free_port(), START_SECONDS="1")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.splitlines() == ["ERROR: the server was not healthy after 1 s"]
    assert not job.address.exists()


def test_whoever_else_answers_on_the_port_is_not_announced(
    running: tuple[Job, "subprocess.Popen[str]", str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    first, _, port = running
    served(first.address)
    second = Job(tmp_path_factory.mktemp("second"), HEALTHY)
    process = second.start(PORT=port)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.splitlines() == [f"ERROR: port {port} of 127.0.0.1 is taken; set PORT"]
    assert not second.address.exists()


@pytest.mark.workflow
@pytest.mark.slurm
def test_as_a_slurm_job_it_serves_until_it_is_cancelled(slurm: None, tmp_path: Path) -> None:
    job = Job(tmp_path, HEALTHY)
    command = [
        "sbatch", "--parsable", "--gres=none", "--cpus-per-task=1", "--mem=1G", "--time=5",
        f"--output={tmp_path}/job.log", str(SCRIPT),
    ]  # fmt: skip
    environment = {**job.environment, "PORT": free_port()}
    submitted = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()
    try:
        url = served(job.address).strip()
        with urllib.request.urlopen(url.replace("/v1", "/health")) as answer:
            assert answer.status == 200
    finally:
        subprocess.run(["scancel", submitted], check=True)
    end = monotonic() + 30
    while job.address.exists():
        assert monotonic() < end, (tmp_path / "job.log").read_text()
        sleep(0.1)
