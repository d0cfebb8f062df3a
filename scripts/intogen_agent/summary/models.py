"""The summaries and their style record: `summary.json`."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from intogen_agent.models import Record, StageFile
from intogen_agent.report.models import Involvement


class RoleOfAction(StrEnum):
    """How the gene acts in the cancer, as its mechanisms show it."""

    TUMOR_SUPPRESSOR = "tumor suppressor"
    ONCOGENE = "oncogene"
    CONTEXT_DEPENDENT = "context-dependent"
    UNCLEAR = "unclear"


class Summaries(Record):
    """Plain-language summaries without citations."""

    headline: str
    general: str
    gene_function: str
    assessment: str
    mechanistic_hypothesis: str | None


SummaryName = Literal["general", "gene_function", "assessment", "mechanistic_hypothesis"]


class StyleIssue(Record):
    """One concern of the style critic."""

    summary: SummaryName
    category: Literal["clarity", "jargon", "flow", "length"]
    severity: Literal["low", "medium", "high"]
    why: str
    suggested_rewrite: str | None = None


class StyleCritiqueReport(Record):
    """The style critic's structured feedback on one version of the summaries."""

    overall_accept: bool
    overall_score: float = Field(ge=0, le=1)
    readability: dict[SummaryName, float]
    overview: str
    issues: list[StyleIssue]


class StyleIteration(Record):
    """One round of the style editor.

    Attributes:
        rewritten: Summaries whose rewrite was taken.
        refused: Why a rewrite was not taken, by summary: it changed a fact.
    """

    number: int
    critique: StyleCritiqueReport
    rewritten: list[SummaryName] = Field(default_factory=list)
    refused: dict[SummaryName, str] = Field(default_factory=dict)


class SummaryReport(StageFile):
    """`summary.json`.

    Attributes:
        controller_edits: What the controller put right, for example a role that the mechanisms
            rule out.
        style_iterations: The style editor's rounds; the last score is the summaries' score.
    """

    involvement: Involvement
    undetermined: bool
    summaries: Summaries
    role_of_action: RoleOfAction
    role_reason: str
    controller_edits: list[str] = Field(default_factory=list)
    style_accepted: bool
    style_score: float | None
    style_iterations: list[StyleIteration]
