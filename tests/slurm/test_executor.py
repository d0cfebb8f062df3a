"""One Slurm job per pair: to the end, through a failed group, through a job's time limit."""

import re
import subprocess

import pytest

from tests.slurm.conftest import Cluster
from tests.slurm.gate import about

pytestmark = [pytest.mark.workflow, pytest.mark.slurm]

APC, TTN = ("APC", "COADREAD"), ("TTN", "LUAD")


def submitted(log: str) -> dict[str, list[str]]:
    """Return the numbers of the Slurm jobs by the group or rule they ran."""
    jobs: dict[str, list[str]] = {}
    found = re.findall(r"SLURM jobid (\d+) \(log: \S*/slurm_logs/(group|rule)_([a-z]+)", log)
    for number, _, name in found:
        jobs.setdefault(name, []).append(number)
    return jobs


def lifetimes(numbers: list[str]) -> list[tuple[str, str]]:
    """Return when Slurm jobs began and ended."""
    asked = subprocess.run(
        ["squeue", "--noheader", "--states=all", "--format=%S %e", f"--jobs={','.join(numbers)}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [(line.split()[0], line.split()[1]) for line in asked.stdout.splitlines()]


def most_at_once(spans: list[tuple[str, str]]) -> int:
    # Slurm's times have whole seconds: a job that began in the second of another's end came after.
    return max(sum(begin <= moment < end for begin, end in spans) for moment, _ in spans)


def test_pairs_are_one_job_each_and_a_failed_one_comes_back_from_its_journals(
    cluster: Cluster,
) -> None:
    # Both pairs fail in their third stage, which takes the outputs of the two before with it.
    configfile = cluster.write([APC, TTN])
    cluster.gate.refuse(about("WireCritique"))
    slots = ["--resources", "llm_slots=4", "literature_slots=1"]
    first = cluster.snakemake(configfile, *slots, "--retries", "0")
    assert first.returncode == 1
    jobs = submitted(first.stderr)
    assert {name: len(numbers) for name, numbers in jobs.items()} == {
        "store": 1,
        "gene": 2,
        "pair": 2,
    }
    assert most_at_once(lifetimes(jobs["gene"])) == 2
    assert most_at_once(lifetimes(jobs["pair"])) == 1
    for pair in (APC, TTN):
        assert not cluster.path(*pair, "phase2.json").exists()
        assert cluster.path(*pair, ".journal", "phase2.jsonl").exists()
    failures = cluster.path("_run", "failures.tsv").read_text().splitlines()
    assert [line.split("\t")[:3] for line in failures[1:]] == [
        [*APC, "critique"],
        [*TTN, "critique"],
    ]

    cluster.gate.open()
    before = len(cluster.gate.answered)
    second = cluster.snakemake(configfile)
    assert second.returncode == 0, second.stderr[-3000:]
    assert {name: len(numbers) for name, numbers in submitted(second.stderr).items()} == {"pair": 2}
    # What comes now is the critique and the summary, nothing of phase 2 or the report.
    assert cluster.gate.repeated() == set()
    assert 4 <= len(cluster.gate.answered) - before < before
    assert len(cluster.path("reports.tsv").read_text().splitlines()) == 3


def test_a_job_that_runs_out_of_time_is_tried_again_and_goes_on(cluster: Cluster) -> None:
    configfile = cluster.write([APC])
    cluster.gate.hold(about("ToolSummary"))
    tight = ["--default-resources", "mem_mb=1000", "runtime=attempt", "--until", "phase1"]
    first = cluster.snakemake(configfile, *tight, "--retries", "0")
    assert first.returncode == 1
    [number] = submitted(first.stderr)["gene"]
    state = subprocess.run(
        ["squeue", "--noheader", "--states=all", "--format=%T", f"--jobs={number}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert state.stdout.strip() == "TIMEOUT"
    answered = list(cluster.gate.answered)
    assert answered

    cluster.gate.open()
    second = cluster.snakemake(configfile, "--until", "phase1")
    assert second.returncode == 0, second.stderr[-3000:]
    assert cluster.path("APC", "phase1.json").exists()
    assert cluster.gate.repeated() == set()
    assert len(cluster.gate.answered) > len(answered)
