"""Does Slurm answer, and would it take a job of this run."""

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping, Sequence

from intogen_agent.preflight.finding import Finding, failed, ok
from intogen_agent.preflight.job_size import first_attempt
from intogen_agent.preflight.scene import Scene
from intogen_agent.processes import package_environment

SECONDS = 5.0
PROGRAMS = ("sinfo", "sbatch")


async def check_slurm(scene: Scene) -> list[Finding]:
    """Tell whether Slurm can be used, if the run's executor is Slurm.

    Slurm itself judges a pair's job, the largest of a run, with account, partition, QOS, time and
    memory as they come out at the first attempt: `sbatch --test-only` submits nothing.
    """
    if scene.executor != "slurm":
        return []
    about = "slurm"
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        remedy = "start on a machine where it is, for example a login node"
        return [failed(about, f"there is no {missing[0]} here", remedy)]
    code, text = await _run(["sinfo", "--noheader", "--format=%P %a %D"])
    if code != 0:
        remedy = "is slurmctld up? try `sinfo` by hand"
        return [failed(about, f"sinfo: {_last(text)}", remedy)]
    partitions = sorted({line.split()[0] for line in text.splitlines() if line.split()})
    size = first_attempt(scene.resources)
    options = size.of_a_pair()
    told = " ".join(options) or "no account or partition set"
    shape = ["--ntasks=1", "--cpus-per-task=1"]
    code, answer = await _run(["sbatch", "--test-only", *shape, *options, "--wrap=true"])
    if code != 0:
        there = f"there are the partitions {', '.join(partitions)}; " if partitions else ""
        remedy = (
            f"{there}set slurm_account, slurm_partition, runtime and mem_mb in default-resources "
            "of the profile (the job asks for the time of five stages)"
        )
        problem = f"it would refuse a pair's job ({told}): {_last(answer)}"
        return [failed(about, problem, remedy)]
    not_tried = f"; not tried: {', '.join(size.untried)}" if size.untried else ""
    known = f"partitions {', '.join(partitions)}"
    return [ok(about, f"answers, would take a pair's job ({told}{not_tried}); {known}")]


async def _run(command: Sequence[str]) -> tuple[int, str]:
    """Run a command of Slurm's; one that hangs is ended."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(SECONDS):
            output, _ = await process.communicate()
    except TimeoutError:
        return 1, f"no answer within {SECONDS:g} s"
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode or 0, output.decode(errors="replace")


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:300] if lines else "no message"


def in_a_job(arguments: Sequence[str], resources: Mapping[str, str]) -> int:
    """Run `intogen-agent check` inside one Slurm job and pass its output on.

    Args:
        arguments: The command's arguments.
        resources: The profile's default resources: account, partition, QOS, memory.

    Returns:
        The exit code of the command, or srun's own.
    """
    if shutil.which("srun") is None:
        remedy = "start on a machine where it is, for example a login node"
        print(failed("slurm", "there is no srun here", remedy).line())
        return 1
    size = first_attempt(resources)
    python = [sys.executable, "-m", "intogen_agent", "check", *arguments]
    command = [
        "srun",
        "--job-name=intogen-agent-check",
        "--ntasks=1",
        "--cpus-per-task=1",
        "--time=2",
        *size.memory,
        *size.place,
        *python,
    ]
    print("Waiting for a Slurm job to check from ...", file=sys.stderr, flush=True)
    environment = package_environment(python, dict(os.environ))
    return _wait(command, environment)


def _wait(command: Sequence[str], environment: Mapping[str, str]) -> int:
    import subprocess

    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # srun has got it too and ends the job.
            return process.wait()
