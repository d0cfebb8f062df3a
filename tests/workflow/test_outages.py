"""What a pair comes to when its sources are down, and when they answer that they hold nothing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.conftest import Workflow, write_records

pytestmark = pytest.mark.workflow

SERVER = Path(__file__).with_name("literature_server.py")


def config(workflow: Workflow, habit: str, *phases: str) -> dict[str, Any]:
    """Return the configuration of one pair whose phases ask a server of a habit."""
    drivers = workflow.directory / "drivers.tsv"
    drivers.write_text("gene\tcancer_type\nKEAP1\tLUAD\n")
    write_records(workflow.directory / "records", {"KEAP1"})
    command = ["{python}", str(SERVER), habit]
    return {
        "drivers": str(drivers),
        "cohort": {"pan_cancer": False},
        "store": {"records": str(workflow.directory / "records")},
        "mcp": {
            "servers": {"literature": {"command": command, "adapter": "store"}},
            **{phase: ["literature"] for phase in phases},
        },
    }


def words(report: dict[str, Any]) -> str:
    return " ".join(bullet["text"] for bullet in report["assessment"]["rationale"])


def cited(report: dict[str, Any]) -> set[str]:
    """Return what the rationale cites."""
    by_index = {one["index"]: f"{one['kind']}:{one['id']}" for one in report["references"]}
    bullets = report["assessment"]["rationale"]
    return {by_index[index] for bullet in bullets for index in bullet["citations"]}


def test_with_every_upstream_dead_the_pair_fails_as_evidence_unavailable(
    workflow: Workflow,
) -> None:
    run = workflow.run(config(workflow, "dead", "phase1", "phase2"))
    assert run.returncode == 1
    results = workflow.directory / "results"
    rows = workflow.rows("_run/failures.tsv")
    assert {(row["stage"], row["error"]) for row in rows} == {
        ("phase1", "evidence_unavailable"),
        ("phase1", "blocked"),
    }
    left = json.loads((results / "KEAP1/failure.json").read_text())
    assert left["error"] == "evidence_unavailable"
    failed = json.loads((results / "KEAP1/phase1.failed.json").read_text())
    assert [(one["tool"], one["error"]) for one in failed["failures"]] == [
        ("gene_record", "upstream"),
        ("protein_record", "upstream"),
    ]
    assert {call["outcome"] for call in failed["calls"]} <= {"failed", "refused"}
    for tool in ("gene_record", "protein_record"):
        assert re.search(rf"{tool}: upstream: [^;]*HTTP 503", left["message"])
    assert not list(results.glob("KEAP1/*/report.json"))


@pytest.mark.parametrize(
    ("habit", "kind"),
    [
        ("dead", "upstream"),
        pytest.param("throttled", "throttled", marks=pytest.mark.long),
    ],
)
def test_with_only_the_literature_dead_the_report_is_undetermined(
    workflow: Workflow, habit: str, kind: str
) -> None:
    run = workflow.run(config(workflow, habit, "phase2"))
    assert run.returncode == 0, run.stderr[-3000:]
    phase2 = workflow.json("KEAP1/LUAD/phase2.json")
    assert phase2["search"]["reason"] == "dark"
    assert {failure["error"] for failure in phase2["failures"]} == {kind}
    assert max(failure["attempts"] for failure in phase2["failures"]) == 3
    assert {query["outcome"] for query in phase2["queries"]} == {"failed"}
    assert phase2["ledger"] == []
    notes = {hypothesis["note"] for hypothesis in phase2["hypotheses"]}
    assert all("could not be obtained" in note for note in notes)
    report = workflow.json("KEAP1/LUAD/reviewed.json")
    assessment = report["assessment"]
    assert (assessment["involvement"], assessment["undetermined"]) == ("not_supported", True)
    assert "failed, so whether the literature holds evidence is unknown" in words(report)
    assert "No article" not in words(report) and "none was found" not in words(report)
    assert cited(report) == {"tool:article_search"}
    page = (workflow.directory / "results/KEAP1/LUAD/report.md").read_text()
    assert "undetermined: evidence could not be obtained" in page


def test_answered_empty_searches_say_that_none_was_found_and_where_was_looked(
    workflow: Workflow,
) -> None:
    run = workflow.run(config(workflow, "empty", "phase2"))
    assert run.returncode == 0, run.stderr[-3000:]
    phase2 = workflow.json("KEAP1/LUAD/phase2.json")
    assert phase2["search"]["reason"] == "closed"
    assert phase2["failures"] == []
    assert {item["kind"] for item in phase2["ledger"]} == {"null_result"}
    notes = {hypothesis["note"] for hypothesis in phase2["hypotheses"]}
    assert notes == {"no evidence was found that decides it"}
    report = workflow.json("KEAP1/LUAD/reviewed.json")
    assessment = report["assessment"]
    assert (assessment["involvement"], assessment["undetermined"]) == ("not_supported", False)
    assert (
        "A literature search found no article on KEAP1 in lung adenocarcinoma (diseases: lung "
        "adenocarcinoma, adenocarcinoma of the lung, " in words(report)
    )
    assert "failed" not in words(report)
    assert cited(report) == {"tool:article_search"}
    page = (workflow.directory / "results/KEAP1/LUAD/report.md").read_text()
    looked = [line for line in page.splitlines() if "Search without a result" in line]
    assert any("lung adenocarcinoma" in line and "KEAP1" in line for line in looked)
