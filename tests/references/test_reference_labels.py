"""Every recorded answer gives exactly the identifiers in it.

The labels were written by reading the answers, before the extractor ran on them; those of the four
long ones with a script over the structure of their JSON that shares no code with the project. An
identifier is what a reader takes for one: of a paper, of a trial, of a record whose database the
answer names beside it, or an address that leads to one thing. What an answer's error quotes from
the question is none, nor are codes of evidence, keywords, features of an entry, searches, and
accessions whose database is not named.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.cli.references import run

LABELS = Path(__file__).parent / "labels"
NAMES = sorted(
    f"{path.stem}/{name}"
    for path in LABELS.glob("*.json")
    for name in json.loads(path.read_text(encoding="utf-8"))
)


def labels(name: str) -> dict[str, Any]:
    server, _, answer = name.partition("/")
    of_server = json.loads((LABELS / f"{server}.json").read_text(encoding="utf-8"))
    return dict(of_server[answer])


def labelled(name: str) -> set[tuple[str, str]]:
    said = labels(name)
    records = {
        ("database", f"{database}:{accession}")
        for database, accessions in said.get("database", {}).items()
        for accession in accessions
    }
    kinds = ("pmid", "doi", "pmcid", "nct", "url")
    return records | {(kind, one) for kind in kinds for one in said.get(kind, [])}


def lines(name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    path = shared_data / "payloads" / "tool_outputs" / f"{name}.json"
    assert run(argparse.Namespace(files=[path], tool="recorded")) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_recorded_answer_is_labelled(shared_data: Path) -> None:
    folder = shared_data / "payloads" / "tool_outputs"
    found = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.json")}
    assert found == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_answer_gives_exactly_the_labelled_identifiers(
    name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = [
        (one["kind"], one["id"])
        for line in lines(name, shared_data, capsys)
        for one in (line, *line["also"])
    ]
    assert len(printed) == len(set(printed))
    assert set(printed) == labelled(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_answer_marks_exactly_the_retracted_papers(
    name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = lines(name, shared_data, capsys)
    retracted = [line["id"] for line in printed if line["retracted"]]
    assert retracted == labels(name).get("retracted", [])
