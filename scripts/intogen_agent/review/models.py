"""The reviewer's record: `critique.json`."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from intogen_agent.evidence.models import AddedEvidence
from intogen_agent.models import Record, StageFile


class Section(StrEnum):
    """The part of a report that an issue is about."""

    GENE_FUNCTION = "gene_function"
    MECHANISTIC_HYPOTHESIS = "mechanistic_hypothesis"
    ASSESSMENT = "assessment"
    VERDICT_ALIGNMENT = "verdict_alignment"


class Severity(StrEnum):
    """How much an issue matters."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class CritiqueIssue(Record):
    """One concern of the reviewer, or of a check.

    Attributes:
        id: `I1`, ... for the reviewer's, `C1`, ... for those of checks.
        outside_evidence: Whether it rests on knowledge outside the run's evidence.
        needs_new_evidence: Whether the gathered evidence cannot settle it.
        suggested_identifiers: The reviewer's hints; untrusted until a tool returns them.
        origin: Whether a model or a deterministic check raised it.
        check: The check's name; None for the reviewer's own.
        place: Where in the report a check found it.
    """

    id: str
    section: Section
    severity: Severity
    outside_evidence: bool
    needs_new_evidence: bool
    why: str
    recommended_action: str
    suggested_identifiers: list[str] = Field(default_factory=list)
    origin: Literal["reviewer", "check"] = "reviewer"
    check: str | None = None
    place: str | None = None


class CritiqueReport(Record):
    """The reviewer's structured feedback on one version of the report.

    Attributes:
        overall_accept: False whenever an issue is of high severity, whatever the model says.
    """

    overall_accept: bool
    overall_score: float = Field(ge=0, le=1)
    gene_function_score: float | None = Field(None, ge=0, le=1)
    mechanistic_hypothesis_score: float | None = Field(None, ge=0, le=1)
    assessment_alignment_score: float | None = Field(None, ge=0, le=1)
    summary: str
    issues: list[CritiqueIssue]

    @property
    def high(self) -> list[CritiqueIssue]:
        """The issues of high severity."""
        return [issue for issue in self.issues if issue.severity is Severity.HIGH]


class Answer(Record):
    """What the refiner did about an issue.

    Attributes:
        decision: `unanswered` also for a rejection without a reason.
        explanation: The edit, or the reason of a rejection.
        edited: Whether the part of the report that the issue is about changed; None if no refined
            report came of it.
    """

    issue: str
    decision: Literal["accepted", "rejected", "unanswered"]
    explanation: str
    edited: bool | None = None


class Iteration(Record):
    """One round of the loop.

    Attributes:
        answers: The refiner's answers; empty when the round ended the loop.
        taken: Whether the refined report replaced the previous one; None without a refinement.
        changes: Statements, chains and verdicts that the refinement added (`+`), removed (`-`) or
            based on something else (`~`), each with its section.
        note: Why a refinement was not taken, or why the loop ended.
        calls: Ids of the round's calls to models (`m1`) and tools (`c1`) in the stage's record.
        searched: Ids of the issues that new evidence was looked for.
    """

    number: int
    critique: CritiqueReport
    answers: list[Answer] = Field(default_factory=list)
    taken: bool | None = None
    changes: list[str] = Field(default_factory=list)
    repairs: list[list[str]] = Field(default_factory=list)
    note: str = ""
    calls: list[str] = Field(default_factory=list)
    searched: list[str] = Field(default_factory=list)


class CritiqueFile(StageFile):
    """`critique.json`.

    Attributes:
        accepted: Whether the reviewer accepted the last report.
        unresolved: High-severity issues that stayed open.
        refinement_used_tools: Whether refinement made new tool calls.
        kept_round: The round whose report was kept because later ones made it worse.
        added: The evidence that refinement gathered; None without a search.
    """

    accepted: bool
    iterations: list[Iteration]
    unresolved: list[CritiqueIssue]
    refinement_used_tools: bool = False
    kept_round: int | None = None
    added: AddedEvidence | None = None
