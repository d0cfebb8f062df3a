"""What the models are asked to fill in the evidence phases.

Plain shapes that strict JSON Schema accepts: every field required, no bounds, no defaults.
Rules live in the code that reads the answers.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class WireModel(BaseModel):
    """A shape that a model fills."""

    model_config = ConfigDict(extra="forbid")


class SummaryBullet(WireModel):
    """One finding of a payload."""

    text: str
    citations: list[str]
    quote: str
    kind: Literal["function", "alteration", "mechanism", "clinical", "null_result", "contradiction"]
    stance: Literal["supports", "refutes", "neutral"]
    scope: Literal["target", "subtype", "related", "pan-cancer", "other"]
    system: Literal["patients", "cell line", "animal", "computational", "not stated"]
    basis: Literal[
        "functional", "clinical", "driver_statistics", "expression_association", "review"
    ]
    alteration: Literal["mutation", "copy number", "fusion", "methylation", "expression", "none"]


class ToolSummary(WireModel):
    """The findings of one tool answer."""

    bullets: list[SummaryBullet]


class PlannedHypothesis(WireModel):
    """A hypothesis of mechanism with the key studies that should exist if it is true."""

    id: str
    statement: str
    cause: str
    mediator: str
    outcome: str
    alteration: Literal["mutation", "copy number", "fusion", "methylation", "expression", "none"]
    expected_studies: list[str]
    keywords: list[str]


class HypothesisPlan(WireModel):
    """The hypotheses to be tested against the literature."""

    hypotheses: list[PlannedHypothesis]


class HypothesisVerdict(WireModel):
    """What became of one hypothesis, and the ledger items that decide it."""

    id: str
    fate: Literal["confirmed", "refined", "refuted", "unresolved"]
    cause: str
    mediator: str
    outcome: str
    evidence: list[str]
    note: str


class HypothesisVerdicts(WireModel):
    """The fate of every hypothesis."""

    verdicts: list[HypothesisVerdict]
