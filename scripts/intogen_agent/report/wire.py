"""What the report creator, the repairer and the refiner fill.

Citations are identifiers (`PMID:...`, `UniProt:...`); numbering, order, references and provenance
are the controller's work, never the model's.
"""

from typing import Literal

from intogen_agent.evidence.wire import WireModel


class DraftBullet(WireModel):
    """A cited statement."""

    text: str
    citations: list[str]
    evidence: list[str]


class DraftMechanism(WireModel):
    """A mechanism: one chain from alteration over mediator to outcome."""

    text: str
    cause: str
    mediator: str
    outcome: str
    citations: list[str]
    evidence: list[str]


class ReportDraft(WireModel):
    """The report as the model writes it."""

    gene_function: list[DraftBullet]
    involvement: Literal["supported", "not_supported"]
    undetermined: bool
    reason: str
    rationale: list[DraftBullet]
    mechanisms: list[DraftMechanism]


class IssueAnswer(WireModel):
    """What the refiner did about one issue of the reviewer."""

    issue: str
    decision: Literal["accepted", "rejected"]
    explanation: str


class RefinedDraft(WireModel):
    """The refiner's answers and the new report."""

    answers: list[IssueAnswer]
    report: ReportDraft
