"""Slots are Snakemake resources: they hold over all jobs of a run."""

import gzip
import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.workflow.conftest import ROOT, Workflow

# The twelve genes of the demo's evidence.
DEMO = (ROOT / "config/demo/drivers.tsv").read_text().splitlines()[1:]
GENES = sorted({line.split("\t")[0] for line in DEMO} | {"NPM1", "TTN"})
SLOTS = {
    "phase1": {"llm_slots", "gene_slots", "protein_slots"},
    "phase2": {"llm_slots", "literature_slots"},
    "report": {"llm_slots"},
    "critique": {"llm_slots"},
    "summary": {"llm_slots"},
    "check": set(),
    "render": set(),
    "store": set(),
    "tables": set(),
}


def config(workflow: Workflow, genes: list[str]) -> dict[str, object]:
    drivers = workflow.directory / "drivers.tsv"
    drivers.write_text("gene\tcancer_type\n" + "".join(f"{gene}\tLUAD\n" for gene in genes))
    return {"drivers": str(drivers), "cohort": {"pan_cancer": False}}


def test_every_rule_takes_the_slots_of_the_services_it_uses() -> None:
    taken: dict[str, set[str]] = {}
    for path in sorted((ROOT / "rules").glob("*.smk")):
        _, *rules = re.split(r"^ *rule (\w+):$", path.read_text(), flags=re.MULTILINE)
        for name, body in zip(rules[::2], rules[1::2], strict=True):
            taken[name] = set(re.findall(r"^ +(\w+_slots)=1,$", body, flags=re.MULTILINE))
    assert taken == SLOTS


def span(audit: Path) -> tuple[datetime, datetime]:
    """Return when a stage asked for the first and was answered for the last time."""
    with gzip.open(audit, "rt") as handle:
        calls = [json.loads(line) for line in handle]
    begins = [datetime.fromisoformat(call["started"]) for call in calls]
    lasted = [timedelta(seconds=call["seconds"]) for call in calls]
    ends = [begin + length for begin, length in zip(begins, lasted, strict=True)]
    return min(begins), max(ends)


def most_at_once(spans: list[tuple[datetime, datetime]]) -> int:
    return max(sum(begin <= moment < end for begin, end in spans) for moment, _ in spans)


@pytest.mark.long
@pytest.mark.workflow
def test_with_three_slots_twelve_jobs_never_run_more_than_three_at_once(
    workflow: Workflow,
) -> None:
    assert len(GENES) == 12
    done = workflow.run(
        config(workflow, GENES), "--until", "phase1", "--cores", "12", "--resources", "llm_slots=3"
    )
    assert done.returncode == 0, done.stderr[-3000:]
    spans = [span(path) for path in workflow.directory.glob("results/*/audit.jsonl.gz")]
    assert len(spans) == 12
    # Two or three: jobs do overlap, so the slots are what keeps them apart.
    assert most_at_once(spans) in (2, 3)
