"""What the summary helper, the style critic and the style refiner fill."""

from typing import Literal

from intogen_agent.evidence.wire import WireModel

SummaryName = Literal["general", "gene_function", "assessment", "mechanistic_hypothesis"]


class SummaryDraft(WireModel):
    """Plain-language summaries without citations."""

    headline: str
    general: str
    gene_function: str
    assessment: str
    mechanistic_hypothesis: str | None
    role_of_action: Literal["tumor suppressor", "oncogene", "context-dependent", "unclear"]
    role_reason: str


class WireReadability(WireModel):
    """A readability score (0-1) for one summary."""

    summary: SummaryName
    score: float


class WireStyleIssue(WireModel):
    """One concern of the style critic."""

    summary: SummaryName
    category: Literal["clarity", "jargon", "flow", "length"]
    severity: Literal["low", "medium", "high"]
    why: str
    suggested_rewrite: str | None


class WireStyleCritique(WireModel):
    """The style critic's structured feedback."""

    overall_accept: bool
    overall_score: float
    readability: list[WireReadability]
    overview: str
    issues: list[WireStyleIssue]


class WireRewrite(WireModel):
    """A rewritten summary."""

    summary: SummaryName
    text: str


class StyleRevision(WireModel):
    """The summaries that the style refiner chose to rewrite."""

    rewrites: list[WireRewrite]
