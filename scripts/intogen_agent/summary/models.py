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


class Readability(Record):
    """What can be measured of a text's readability.

    Attributes:
        reading_ease: After Flesch: 60 to 70 is plain English, below 30 academic prose.
        longest_sentence: In words.
    """

    reading_ease: float
    sentences: int
    longest_sentence: int


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
        measured: The readability of the summaries that the critique is about.
        rewritten: Summaries whose rewrite was taken.
        refused: Why a rewrite was not taken, by summary: it changed a fact.
        declined: Summaries whose feedback the style assistant found not valid.
    """

    number: int
    critique: StyleCritiqueReport
    measured: dict[SummaryName, Readability] = Field(default_factory=dict)
    rewritten: list[SummaryName] = Field(default_factory=list)
    refused: dict[SummaryName, str] = Field(default_factory=dict)
    declined: list[SummaryName] = Field(default_factory=list)


class SummaryReport(StageFile):
    """`summary.json`.

    Attributes:
        controller_edits: What the controller put right, for example a role that the mechanisms
            rule out.
        why_not_supported: The report's reason, where the verdict is `not_supported`.
        style_iterations: The style editor's rounds; the last score is the summaries' score.
        measured: The readability of the final summaries.
    """

    involvement: Involvement
    undetermined: bool
    summaries: Summaries
    role_of_action: RoleOfAction
    role_reason: str
    controller_edits: list[str] = Field(default_factory=list)
    why_not_supported: str | None = None
    style_accepted: bool
    style_score: float | None
    style_iterations: list[StyleIteration]
    measured: dict[SummaryName, Readability] = Field(default_factory=dict)
