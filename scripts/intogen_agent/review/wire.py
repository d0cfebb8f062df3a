"""What the scientific reviewer fills."""

from typing import Literal

from intogen_agent.evidence.wire import WireModel


class WireIssue(WireModel):
    """One concern of the reviewer."""

    section: Literal["gene_function", "mechanistic_hypothesis", "assessment", "verdict_alignment"]
    severity: Literal["low", "medium", "high"]
    outside_evidence: bool
    needs_new_evidence: bool
    why: str
    recommended_action: str
    suggested_identifiers: list[str]


class WireCritique(WireModel):
    """A referee's structured feedback."""

    overall_accept: bool
    overall_score: float
    gene_function_score: float | None
    mechanistic_hypothesis_score: float | None
    assessment_alignment_score: float | None
    summary: str
    issues: list[WireIssue]
