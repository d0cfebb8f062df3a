"""Jobs of Slurm are held to the plan of their run, and one that Slurm refuses is on record."""

import threading

import pytest

from tests.slurm.conftest import Cluster

pytestmark = [pytest.mark.workflow, pytest.mark.slurm]

APC = ("APC", "COADREAD")
CRITIQUE = [*APC, "critique"]


def failures(cluster: Cluster) -> list[list[str]]:
    lines = cluster.path("_run", "failures.tsv").read_text().splitlines()
    return [line.split("\t")[:4] for line in lines[1:]]


def test_an_edited_option_and_a_refused_job_are_on_record_until_they_are_made_good(
    cluster: Cluster,
) -> None:
    configfile = cluster.write([APC])
    cluster.gate.hold(lambda _: True)

    def edit() -> None:
        cluster.gate.held.wait(200)
        cluster.write([APC], review={"max_iterations": 2})
        cluster.gate.open()

    # The pair's job, which comes after phase 1, reads the new file when it starts.
    editor = threading.Thread(target=edit)
    editor.start()
    first = cluster.snakemake(configfile, "--retries", "0")
    editor.join()
    assert first.returncode == 1
    assert failures(cluster) == [[*CRITIQUE, "changed"]]
    told = cluster.path("_run", "failures.tsv").read_text()
    assert "the option review.max_iterations was 3 and is 2 since this run was planned" in told

    second = cluster.snakemake(configfile)
    assert second.returncode == 0, second.stderr[-3000:]
    assert failures(cluster) == []

    # Snakemake removes the files of before, or leaves them: they are not those that are wanted.
    cluster.write([APC], review={"max_iterations": 1})
    huge = ["--default-resources", "mem_mb=900000000", "runtime=5", "--retries", "0"]
    third = cluster.snakemake(configfile, *huge)
    assert third.returncode == 1
    assert failures(cluster) == [[*CRITIQUE, "interrupted"]]

    fourth = cluster.snakemake(configfile)
    assert fourth.returncode == 0, fourth.stderr[-3000:]
    assert failures(cluster) == []
