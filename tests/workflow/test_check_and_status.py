"""The target `check`, and `intogen-agent status` beside a run that is then killed."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from intogen_agent.cli import main
from intogen_agent.provenance.liveness import Lease, Leases
from tests.workflow.conftest import BIN, ROOT, Workflow, jobs_of

pytestmark = pytest.mark.workflow
PATIENCE = 120


def config() -> dict[str, Any]:
    return {
        "drivers": str(ROOT / "config" / "demo" / "drivers.tsv"),
        "cohort": {"pan_cancer": False, "select": {"genes": ["APC"]}},
    }


def test_the_target_check_makes_nothing_else(workflow: Workflow) -> None:
    done = workflow.run(config(), "--nocolor", "check")
    assert done.returncode == 0, done.stderr
    assert "ok      configuration: 1 pairs and 0 pan-cancer tasks of 1 genes\n" in done.stdout
    assert done.stdout.endswith("All 10 checks are ok.\n")
    assert jobs_of(done.stderr) == {"check": 1}
    results = workflow.directory / "results"
    assert (results / "_run" / "logs" / "check.log").read_text() == done.stdout
    assert not (results / "APC").exists()


def test_the_target_check_is_no_part_of_a_run(workflow: Workflow) -> None:
    done = workflow.run(config(), "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "phase1" in jobs_of(done.stdout) and "check" not in jobs_of(done.stdout)


def test_the_target_check_fails_with_a_check(workflow: Workflow) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    provider = {"base_url": url, "api": "chat"}
    llm = {"providers": {"own": provider}, "default": {"provider": "own", "model": "m"}}
    done = workflow.run({**config(), "llm": llm}, "--nocolor", "check")
    assert done.returncode == 1
    assert "FAILED  endpoint own: " in done.stdout and "start the server" in done.stdout


@pytest.fixture
def hanging(workflow: Workflow) -> Iterator[subprocess.Popen[bytes]]:
    """A run whose model never answers."""
    serve = ["{python}", "-m", "intogen_agent", "serve-offline-model", "--fault", "slow"]
    launch = {"command": [*serve, "--port-file", "{port_file}"]}
    provider = {"base_url": "http://127.0.0.1:{port}/v1", "launch": launch}
    values = {**config(), "llm": {"providers": {"offline": provider}}}
    (workflow.directory / "my.yaml").write_text(yaml.safe_dump(values))
    command = [
        str(BIN / "snakemake"),
        "--snakefile", str(ROOT / "Snakefile"),
        "--directory", str(workflow.directory),
        "--workflow-profile", str(ROOT / "profiles" / "default"),
        "--configfile", str(workflow.directory / "my.yaml"),
        "--cores", "1",
    ]  # fmt: skip
    log = (workflow.directory / "log").open("wb")
    environment = {**os.environ, "XDG_CACHE_HOME": str(workflow.directory / ".cache")}
    with subprocess.Popen(
        command, stdout=log, stderr=log, start_new_session=True, env=environment
    ) as process:
        yield process
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a run and all of its jobs at once."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()


def wait_for(journal: Path, process: subprocess.Popen[bytes], *, held: bool) -> None:
    """Wait until the lease on a journal is held, or given back."""
    end = time.monotonic() + PATIENCE
    wanted = Lease.HELD if held else Lease.FREE
    while not (journal.exists() and Leases(journal.parent, shared=False).of(journal) is wanted):
        assert time.monotonic() < end
        assert not held or process.poll() is None
        if process.poll() is None:
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue


def test_status_beside_a_run_and_after_its_end(
    workflow: Workflow,
    hanging: subprocess.Popen[bytes],
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = workflow.directory / "results"
    journal = results / "APC" / ".journal" / "phase1.jsonl"
    wait_for(journal, hanging, held=True)
    assert main(["status", str(results)]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{results}: 0 of 1 pairs complete, 1 gene\n")
    assert "phase1       0        1        0       0        0\n" in text
    assert "failures" not in text and "stopped:" not in text

    kill(hanging)
    wait_for(journal, hanging, held=False)
    assert main(["status", str(results)]) == 0
    text = capsys.readouterr().out
    assert "phase1       0        0        0       0        1\n" in text
    assert "no stage is seen running" in text
    assert "failures: 1\n  APC phase1: interrupted: " in text
    assert f"    log: {results}/_run/logs/APC/phase1.log\n" in text
