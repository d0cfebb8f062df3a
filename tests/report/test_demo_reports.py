"""Reports of a real run: each passes, each breaks under every mutant, each survives harmless edits.

`INTOGEN_AGENT_RESULTS` names other results to try, for example those of `make demo`.
"""

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from demo_edits import HARMLESS
from demo_mutants import mutants_of, supported
from tests.workflow.finished_run import finished_run

from intogen_agent.cli import main

pytestmark = pytest.mark.workflow
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every report of the run that the workflow tests share, before and after review."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    named = os.environ.get("INTOGEN_AGENT_RESULTS")
    results = Path(named) if named else finished_run(shared / "finished").results
    found = [*results.glob("*/*/report.json"), *results.glob("*/*/reviewed.json")]
    return sorted(path for path in found if not path.parts[-3].startswith("_"))


def rules(path: Path, capsys: Capture, *words: str) -> set[str]:
    """Return the rules that `intogen-agent validate` names; its exit code must agree."""
    code = main(["validate", str(path), *words])
    out, err = capsys.readouterr()
    assert err == ""
    found = {json.loads(line)["rule"] for line in out.splitlines()}
    assert code == (1 if found else 0)
    return found


def changed(path: Path, changes: dict[str, Any], folder: Path) -> Iterator[tuple[str, Any, Path]]:
    original = json.loads(path.read_text())
    for name, change in changes.items():
        report = deepcopy(original)
        (change[1] if isinstance(change, tuple) else change)(report)
        target = folder / "report.json"
        target.write_text(json.dumps(report))
        yield name, change, target


def test_there_are_reports_of_both_verdicts(reports: list[Path]) -> None:
    verdicts = {supported(json.loads(path.read_text())) for path in reports}
    assert verdicts == {True, False} and len(reports) >= 4


def test_every_report_passes_with_and_without_its_evidence(
    reports: list[Path], capsys: Capture
) -> None:
    for path in reports:
        assert rules(path, capsys) == set(), path
        assert rules(path, capsys, "--evidence", str(path.parent)) == set(), path


def test_every_report_broken_in_fifty_ways_is_refused_by_the_rule_of_each(
    reports: list[Path], capsys: Capture, tmp_path: Path
) -> None:
    for path in reports:
        mutants = mutants_of(json.loads(path.read_text()))
        assert len(mutants) >= 50
        missed = [
            (name, rule, found)
            for name, (rule, _), target in changed(path, mutants, tmp_path)
            if rule not in (found := rules(target, capsys))
        ]
        assert missed == [], path


def test_every_report_survives_harmless_edits(
    reports: list[Path], capsys: Capture, tmp_path: Path
) -> None:
    assert len(HARMLESS) >= 15
    for path in reports:
        refused = [
            (name, found)
            for name, _, target in changed(path, HARMLESS, tmp_path)
            if (found := rules(target, capsys))
        ]
        assert refused == [], path


def test_the_readmes_sample_is_what_the_demo_writes(reports: list[Path]) -> None:
    [written] = {path.parent for path in reports if path.parts[-3:-1] == ("APC", "COADREAD")}
    page = {line.strip("# ") for line in (written / "report.md").read_text("utf-8").splitlines()}
    readme = Path(__file__).parents[2] / "README.md"
    quoted = [line for line in readme.read_text("utf-8").splitlines() if line.startswith(">")]
    sample = {line.lstrip(">").strip(" #") for line in quoted} - {"", "..."}
    assert sample and sample - {line.strip() for line in page} == set()
