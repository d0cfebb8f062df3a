"""The reviewer's answer as a CritiqueReport."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.review.models import CritiqueReport, Section, Severity
from intogen_agent.review.reviewer import public_critique
from intogen_agent.review.wire import WireCritique, WireIssue

SECTIONS = ["gene_function", "mechanistic_hypothesis", "assessment", "verdict_alignment"]


def issue(severity: str = "low", section: str = "assessment", **more: Any) -> WireIssue:
    values: dict[str, Any] = {
        "outside_evidence": False,
        "needs_new_evidence": False,
        "why": "A contradiction is not named.",
        "recommended_action": "Name it.",
        "suggested_identifiers": ["PMID:1651563"],
        **more,
    }
    return WireIssue(section=section, severity=severity, **values)


def critique(*issues: WireIssue, accept: bool = True, **scores: Any) -> WireCritique:
    values: dict[str, Any] = {
        "overall_score": 0.8,
        "gene_function_score": None,
        "mechanistic_hypothesis_score": None,
        "assessment_alignment_score": None,
        **scores,
    }
    return WireCritique(overall_accept=accept, summary="Sound.", issues=list(issues), **values)


@given(
    severities=st.lists(st.sampled_from(["low", "medium", "high"]), max_size=6),
    accept=st.booleans(),
)
def test_a_high_issue_rules_out_acceptance_and_nothing_grants_it(
    severities: list[str], accept: bool
) -> None:
    found = public_critique(critique(*map(issue, severities), accept=accept))
    assert found.overall_accept == (accept and "high" not in severities)
    assert [item.severity.value for item in found.issues] == severities
    assert [item.id for item in found.issues] == [f"I{n + 1}" for n in range(len(severities))]


@pytest.mark.parametrize(
    ("given_score", "held"),
    [
        (0.0, 0.0),
        (0.35, 0.35),
        (1.0, 1.0),
        (-3.0, 0.0),
        (8.5, 1.0),
        (float("nan"), 0.0),
        (float("inf"), 1.0),
        (float("-inf"), 0.0),
    ],
)
def test_scores_are_held_to_0_and_1(given_score: float, held: float) -> None:
    names = [
        "overall_score",
        "gene_function_score",
        "mechanistic_hypothesis_score",
        "assessment_alignment_score",
    ]
    found = public_critique(critique(**dict.fromkeys(names, given_score)))
    assert [getattr(found, name) for name in names] == [held] * 4
    assert CritiqueReport.model_validate_json(found.model_dump_json()) == found


def test_an_absent_section_has_no_score() -> None:
    found = public_critique(critique())
    assert found.gene_function_score is None and found.overall_score == 0.8


@pytest.mark.parametrize("section", SECTIONS)
def test_an_issue_keeps_what_the_reviewer_said(section: str) -> None:
    wire = issue("medium", section, outside_evidence=True, needs_new_evidence=True)
    (found,) = public_critique(critique(wire)).issues
    assert found.section is Section(section) and found.severity is Severity.MEDIUM
    assert found.outside_evidence and found.needs_new_evidence
    assert found.why == wire.why and found.recommended_action == "Name it."
    assert found.suggested_identifiers == ["PMID:1651563"]
