"""The ledger, the references and the stage files of both evidence phases."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from intogen_agent.mcp.record import ToolCallRecord
from intogen_agent.models import Record, StageFile


class Kind(StrEnum):
    """What a ledger item speaks of."""

    FUNCTION = "function"
    ALTERATION = "alteration"
    MECHANISM = "mechanism"
    CLINICAL = "clinical"
    NULL_RESULT = "null_result"
    CONTRADICTION = "contradiction"


class Stance(StrEnum):
    """Whether an item speaks for or against the gene's involvement in the cancer."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


class Scope(StrEnum):
    """Whose cancer an item speaks of, seen from the pair's cancer type."""

    TARGET = "target"
    SUBTYPE = "subtype"
    RELATED = "related"
    PAN_CANCER = "pan-cancer"
    OTHER = "other"


class System(StrEnum):
    """In which system a finding was made."""

    PATIENTS = "patients"
    CELL_LINE = "cell line"
    ANIMAL = "animal"
    COMPUTATIONAL = "computational"
    NOT_STATED = "not stated"


class Basis(StrEnum):
    """What kind of evidence a finding is."""

    FUNCTIONAL = "functional"
    CLINICAL = "clinical"
    DRIVER_STATISTICS = "driver_statistics"
    EXPRESSION_ASSOCIATION = "expression_association"
    REVIEW = "review"


class Alteration(StrEnum):
    """The kind of alteration a finding is about."""

    MUTATION = "mutation"
    COPY_NUMBER = "copy number"
    FUSION = "fusion"
    METHYLATION = "methylation"
    EXPRESSION = "expression"
    NONE = "none"


class EvidenceItem(Record):
    """One statement of the ledger, tied to a verbatim quote of a tool's answer.

    Attributes:
        id: `E1`, `E2`, ... in phase 2; `F1`, ... in phase 1.
        references: Identifiers such as `PMID:9065401`, `UniProt:P25054`, `TOOL:gene_getter`.
        call: The id of the tool call whose payload holds the quote.
    """

    id: str
    statement: str
    quote: str
    references: list[str] = Field(min_length=1)
    call: str
    kind: Kind
    stance: Stance
    scope: Scope
    system: System
    basis: Basis
    alteration: Alteration


ReferenceKind = Literal["pmid", "doi", "pmcid", "nct", "database", "url", "tool"]


class OtherId(Record):
    """Another identifier of the same paper or record."""

    kind: ReferenceKind
    id: str


# Which version of the work the other one is.
Relation = Literal["preprint", "article"]


class Version(Record):
    """Another version of the same work: a paper's preprint, or the article a preprint became."""

    relation: Relation
    kind: ReferenceKind
    id: str


class FirstSeen(Record):
    """Where an identifier first appeared."""

    stage: str
    tool: str
    call: str


class TrackedReference(Record):
    """A paper or record that the reference manager saw in a raw payload.

    Attributes:
        also: Other identifiers of the same paper.
        versions: Other versions of the work, each a reference of its own.
    """

    kind: ReferenceKind
    id: str
    also: list[OtherId] = Field(default_factory=list)
    versions: list[Version] = Field(default_factory=list)
    database: str | None = None
    record_id: str | None = None
    url: str | None = None
    title: str | None = None
    journal: str | None = None
    year: int | None = None
    retracted: bool = False
    first_seen: FirstSeen


class Failure(Record):
    """A structured failure: a question that no tool answered."""

    tool: str
    attempts: int
    error: str
    message: str


class Protein(Record):
    """A protein record after the configured caps."""

    accession: str | None
    reviewed: bool
    organism: str
    name: str | None = None
    function: list[str] = Field(default_factory=list)
    isoforms: list[str] = Field(default_factory=list)
    domains: list[str] = Field(default_factory=list)
    motifs: list[str] = Field(default_factory=list)
    subcellular_locations: list[str] = Field(default_factory=list)
    interactions: list[str] = Field(default_factory=list)
    modifications: list[str] = Field(default_factory=list)


class Chain(Record):
    """A mechanism: alteration or state, mediator or pathway, cellular or clinical outcome."""

    cause: str
    mediator: str
    outcome: str


class Hypothesis(Record):
    """A hypothesis of mechanism and what became of it."""

    id: str
    statement: str
    chain: Chain
    alteration: Alteration
    expected_studies: list[str]
    fate: Literal["confirmed", "refined", "refuted", "unresolved"] = "unresolved"
    evidence: list[str] = Field(default_factory=list)
    note: str = ""


class Query(Record):
    """One literature search and how it ended."""

    call: str
    arguments: dict[str, object]
    outcome: Literal["content", "empty", "failed", "refused"]
    records: int
    note: str = ""


class Phase1(StageFile):
    """`phase1.json`: what the gene and its protein do."""

    protein: Protein | None
    ledger: list[EvidenceItem]
    references: list[TrackedReference]
    calls: list[ToolCallRecord]
    failures: list[Failure]
    dropped: dict[str, int] = Field(
        default_factory=dict, description="Bullets of the summarizer that a check refused, by check"
    )


class Phase2(StageFile):
    """`phase2.json`: cancer-specific evidence, hypotheses and their fate."""

    hypotheses: list[Hypothesis]
    ledger: list[EvidenceItem]
    references: list[TrackedReference]
    queries: list[Query]
    calls: list[ToolCallRecord]
    failures: list[Failure]
    dropped: dict[str, int] = Field(default_factory=dict)


class AddedEvidence(Record):
    """What a refinement's own search brought; its ledger items are `R1`, `R2`, ...

    Attributes:
        references: Papers and records that no earlier phase had seen, or that are known better now.
    """

    ledger: list[EvidenceItem]
    references: list[TrackedReference]
    queries: list[Query]
    calls: list[ToolCallRecord]
    failures: list[Failure]
    dropped: dict[str, int] = Field(default_factory=dict)

    def to(self, phase2: Phase2) -> Phase2:
        """Return the evidence of phase 2 with this added to it."""
        return phase2.model_copy(
            update={
                "ledger": [*phase2.ledger, *self.ledger],
                "references": [*phase2.references, *self.references],
                "queries": [*phase2.queries, *self.queries],
                "calls": [*phase2.calls, *self.calls],
                "failures": [*phase2.failures, *self.failures],
            }
        )
