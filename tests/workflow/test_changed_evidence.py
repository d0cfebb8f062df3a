"""Changed evidence is read anew; a killed stage is on record and goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.conftest import Workflow, jobs_of, write_records

pytestmark = pytest.mark.workflow


def config(workflow: Workflow) -> dict[str, Any]:
    drivers = workflow.directory / "drivers.tsv"
    drivers.write_text("gene\tcancer_type\nAPC\tCOADREAD\n")
    return {
        "drivers": str(drivers),
        "cohort": {"pan_cancer": False},
        "store": {"records": str(workflow.directory / "records")},
    }


@pytest.mark.long
def test_answers_of_another_store_are_not_taken_for_this_ones(workflow: Workflow) -> None:
    records = workflow.directory / "records"
    write_records(records, {"APC"})
    until = ("--until", "phase2")
    assert workflow.run(config(workflow), *until).returncode == 0
    before = (workflow.directory / "results/APC/COADREAD/phase2.json").read_text()
    assert "beta-catenin" in before and "made-up-catenin" not in before

    articles = records / "articles.jsonl"
    articles.write_text(articles.read_text().replace("beta-catenin", "made-up-catenin"))
    again = workflow.run(config(workflow), *until)
    assert again.returncode == 0, again.stderr[-3000:]
    assert jobs_of(again.stderr)["phase2"] == 1
    after = (workflow.directory / "results/APC/COADREAD/phase2.json").read_text()
    assert "made-up-catenin" in after and "beta-catenin" not in after
    third = workflow.run(config(workflow), "--dry-run", *until)
    assert "phase2" not in jobs_of(third.stdout)


KILLER = """
import os, runpy, signal, sys
from intogen_agent.provenance import journal
append, calls = journal.Journal.append, []
def counted(self, entry):
    append(self, entry)
    calls.append(entry)
    if len(calls) == int(os.environ["KILL_AFTER"]):
        os.kill(os.getpid(), signal.SIGKILL)
journal.Journal.append = counted
"""


@pytest.mark.long
def test_a_killed_stage_is_on_record_and_asks_nothing_twice(
    workflow: Workflow, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_records(workflow.directory / "records", {"APC"})
    phase1 = "results/APC/phase1.json"
    assert workflow.run(config(workflow), "--until", "phase1").returncode == 0
    assert (workflow.directory / phase1).exists()

    # Python runs sitecustomize at its start: the job kills itself after its fifth journalled call.
    hook = workflow.directory / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(KILLER)
    monkeypatch.setenv("PYTHONPATH", str(hook))
    monkeypatch.setenv("KILL_AFTER", "5")
    killed = workflow.run(config(workflow), "--until", "phase2")
    assert killed.returncode == 1
    journal = workflow.directory / "results/APC/COADREAD/.journal/phase2.jsonl"
    kept = journal.read_text().splitlines()
    assert len(kept) == 5
    [failure] = workflow.rows("_run/failures.tsv")
    assert (failure["stage"], failure["error"]) == ("phase2", "interrupted")
    assert _servers_of(workflow.directory) == []

    monkeypatch.delenv("PYTHONPATH")
    resumed = workflow.run(config(workflow), "--until", "phase2")
    assert resumed.returncode == 0, resumed.stderr[-3000:]
    lines = journal.read_text().splitlines()
    assert lines[:5] == kept
    keys = [json.loads(line)["key"] for line in lines]
    assert len(keys) == len(set(keys)) > 5
    assert workflow.rows("_run/failures.tsv") == []


def _servers_of(directory: Path) -> list[str]:
    """Return the command lines of processes that name a directory, those of tests excepted."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        line = b" ".join(words).decode(errors="replace")
        if str(directory) in line and "serve-" in line:
            found.append(line)
    return found
