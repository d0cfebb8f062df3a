"""It is the evidence that decides, not the name of a gene."""

import re
from pathlib import Path

import pytest

from tests.workflow.conftest import Workflow, write_records

pytestmark = pytest.mark.workflow
PAIRS = "gene\tcancer_type\n"


def config(directory: Path, table: str) -> dict[str, object]:
    drivers = directory / "drivers.tsv"
    drivers.write_text(PAIRS + table)
    return {
        "drivers": str(drivers),
        "cohort": {"pan_cancer": False},
        "store": {"records": str(directory / "records")},
    }


def swapped(first: str, second: str) -> re.Pattern[str]:
    return re.compile(rf"\b({first}|{second})\b")


def involvement(workflow: Workflow, pair: str) -> str:
    verdict: str = workflow.json(*pair.split("/"), "report.json")["assessment"]["involvement"]
    return verdict


@pytest.mark.long
def test_with_the_evidence_of_two_genes_exchanged_the_verdicts_exchange(
    workflow: Workflow,
) -> None:
    other = {"APC": "TTN", "TTN": "APC", "titin": "adenomatous coli", "Titin": "Adenomatous coli"}
    names = re.compile(r"\b(APC|TTN|[Tt]itin)\b")
    write_records(
        workflow.directory / "records",
        {"APC", "TTN"},
        lambda text: names.sub(lambda match: other[match.group()], text),
    )
    table = "TTN\tCOADREAD\nAPC\tLUAD\n"
    done = workflow.run(config(workflow.directory, table), "--until", "report")
    assert done.returncode == 0, done.stderr[-3000:]
    assert involvement(workflow, "TTN/COADREAD") == "supported"
    assert involvement(workflow, "APC/LUAD") == "not_supported"


@pytest.mark.long
def test_with_genes_renamed_to_made_up_symbols_the_verdicts_stay(workflow: Workflow) -> None:
    made_up = {"APC": "QZX7", "TTN": "WOBL3", "titin": "woblin", "Titin": "Woblin"}
    names = re.compile(r"\b(APC|TTN|[Tt]itin)\b")
    write_records(
        workflow.directory / "records",
        {"APC", "TTN"},
        lambda text: names.sub(lambda match: made_up[match.group()], text),
    )
    table = "QZX7\tCOADREAD\nWOBL3\tLUAD\n"
    done = workflow.run(config(workflow.directory, table), "--until", "report")
    assert done.returncode == 0, done.stderr[-3000:]
    assert involvement(workflow, "QZX7/COADREAD") == "supported"
    assert involvement(workflow, "WOBL3/LUAD") == "not_supported"
