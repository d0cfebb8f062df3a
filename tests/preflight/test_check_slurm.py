"""Slurm as the checks see it; its commands are played by scripts on the path."""

import socket
import sys
import time
from pathlib import Path

import pytest
from preflight_bench import RAW, Bench, Serve

from intogen_agent.preflight import slurm

SINFO = 'echo "debug* up 2"; echo "long up 5"'


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path that holds what tests put there, and nothing of Slurm's."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("env", "sleep", "bash"):
        (folder / name).symlink_to(f"/usr/bin/{name}")
    monkeypatch.setenv("PATH", str(folder))
    return folder


def write(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)


def profile(bench: Bench, **resources: str) -> str:
    lines = ["executor: slurm", "jobs: 3", "default-resources:", "  mem_mb: 500"]
    lines += [f"  {name}: {value}" for name, value in resources.items()]
    folder = bench.folder / "slurm-profile"
    folder.mkdir()
    (folder / "profile.yaml").write_text("\n".join(lines) + "\n")
    return str(folder)


def test_without_the_executor_slurm_is_not_looked_at(bench: Bench, programs: Path) -> None:
    assert "slurm" not in bench.check().states


def test_slurm_would_take_a_job(bench: Bench, programs: Path) -> None:
    write(programs, "sinfo", SINFO)
    write(programs, "sbatch", f'echo "$@" > {bench.folder}/asked; echo "sbatch: Job 5 to start"')
    said = bench.check("--profile", profile(bench, slurm_account="lab", slurm_partition="long"))
    assert said.states["slurm"] == (
        "ok",
        "answers, would take a pair's job (--account=lab --partition=long --mem=500M); "
        "partitions debug*, long",
    )
    asked = (bench.folder / "asked").read_text().split()
    options = ["--account=lab", "--partition=long", "--mem=500M"]
    assert asked == [
        "--test-only", "--ntasks=1", "--cpus-per-task=1", *options, "--wrap=true"
    ]  # fmt: skip


def test_time_and_memory_are_tried_as_they_come_out_at_the_first_attempt(
    bench: Bench, programs: Path
) -> None:
    write(programs, "sinfo", SINFO)
    # Refuses what its partition refuses, in the words of sbatch.
    refusal = "sbatch: error: Batch job submission failed: Requested time limit is invalid"
    time = f'[[ $word == --time=300 ]] && {{ echo "{refusal}" >&2; exit 1; }}'
    write(programs, "sbatch", f'for word in "$@"; do {time}; done; exit 0')
    said = bench.check("--profile", profile(bench, runtime="60 * attempt"))
    state, told = said.states["slurm"]
    assert (said.code, state) == (1, "FAILED")
    assert told.startswith(
        f"it would refuse a pair's job (--time=300 --mem=500M): {refusal}; there are the "
        "partitions debug*, long; set slurm_account, slurm_partition, runtime and mem_mb in "
    )


def test_a_resource_that_only_snakemake_can_work_out_is_told(bench: Bench, programs: Path) -> None:
    write(programs, "sinfo", SINFO)
    write(programs, "sbatch", "exit 0")
    state, told = bench.check("--profile", profile(bench, runtime="mine(input)")).states["slurm"]
    assert (state, told) == (
        "ok",
        "answers, would take a pair's job (--mem=500M; not tried: runtime); "
        "partitions debug*, long",
    )


def test_slurm_refuses_the_account(bench: Bench, programs: Path) -> None:
    write(programs, "sinfo", SINFO)
    write(programs, "sbatch", 'echo "allocation failure: Invalid account" >&2; exit 1')
    said = bench.check("--profile", profile(bench))
    assert (said.code, said.states["slurm"][0]) == (1, "FAILED")
    told = said.states["slurm"][1]
    assert told.startswith(
        "it would refuse a pair's job (--mem=500M): allocation failure: Invalid account; "
    )
    assert "set slurm_account, slurm_partition, runtime and mem_mb in default-resources" in told


def test_slurm_does_not_answer(
    bench: Bench, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm, "SECONDS", 0.1)
    write(programs, "sinfo", "exec sleep 600")
    write(programs, "sbatch", "exit 0")
    state, told = bench.check("--profile", profile(bench)).states["slurm"]
    assert (state, told) == (
        "FAILED",
        "sinfo: no answer within 0.1 s; is slurmctld up? try `sinfo` by hand",
    )


def test_slurm_is_not_here(bench: Bench, programs: Path) -> None:
    state, told = bench.check("--profile", profile(bench)).states["slurm"]
    assert (state, told) == (
        "FAILED",
        "there is no sinfo here; start on a machine where it is, for example a login node",
    )


def test_the_checks_run_inside_a_job(bench: Bench, programs: Path, serve: Serve) -> None:
    bench.provider(serve())
    bench.config["drivers"] = "only-here.tsv"
    (bench.folder / "only-here.tsv").write_text("gene\tcancer_type\nAPC\tCOADREAD\n")
    # Like Slurm's: options first, then the command; it runs somewhere else.
    script = f'while [[ $1 == --* ]]; do echo "$1" >> {bench.folder}/options; shift; done'
    write(programs, "srun", f'{script}\ncd /; echo in a job; exec "$@"')
    write(programs, "sinfo", SINFO)
    write(programs, "sbatch", "exit 0")
    said = bench.check("--on-cluster", "--profile", profile(bench, slurm_account="lab"))
    out = said.out
    assert said.code == 0
    assert out.startswith("in a job\nok      configuration: 1 pairs and 1 pan-cancer tasks of 1 ")
    assert "ok      slurm: " in out and out.endswith("checks are ok.\n")
    options = (bench.folder / "options").read_text().split()
    assert options[-2:] == ["--mem=500M", "--account=lab"]


def test_a_failed_check_inside_a_job_is_the_commands_answer(bench: Bench, programs: Path) -> None:
    write(programs, "srun", 'while [[ $1 == --* ]]; do shift; done; exec "$@"')
    said = bench.check("--on-cluster")
    assert (said.code, said.failed()) == (1, ["endpoint mine"])


def test_when_nothing_answers_the_deadline_holds_for_all_together(
    bench: Bench, programs: Path
) -> None:
    write(programs, "sinfo", "exec sleep 600")
    write(programs, "sbatch", "exit 0")
    bench.servers(own=["{python}", "-S", str(RAW), "hangs-in-initialize"])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        bench.provider(f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        start = time.monotonic()
        said = bench.check("--seconds", "2", "--profile", profile(bench))
        seconds = time.monotonic() - start
    assert said.failed() == ["endpoint mine", "server own", "slurm"]
    assert said.states["endpoint mine"][1].startswith("no answer within ")
    assert seconds < 15


def test_without_srun_there_is_no_job(bench: Bench, programs: Path) -> None:
    said = bench.check("--on-cluster")
    assert (said.code, said.out) == (
        1,
        "FAILED  slurm: there is no srun here; start on a machine where it is, for example a "
        "login node\n",
    )


def test_the_command_in_the_job_is_this_python(bench: Bench, programs: Path) -> None:
    write(programs, "srun", 'while [[ $1 == --* ]]; do shift; done; printf "%s\\n" "$@"')
    said = bench.check("--on-cluster", "--config", "results=elsewhere", "--seconds", "7")
    assert said.code == 0
    words = said.out.split()
    assert words[:5] == [sys.executable, "-m", "intogen_agent", "check", "--seconds=7"]
    assert words[5:] == [
        "--configfile",
        str(bench.folder / "my.yaml"),
        "--config",
        "results=elsewhere",
        f"--directory={bench.folder}",
    ]
