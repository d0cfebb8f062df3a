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
        scope_stated: The summarizer's scope, where the cancers that the quote names corrected it.
        cancers: In a pan-cancer task the cancers that the item rests on.
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
    scope_stated: Scope | None = None
    cancers: list[str] = Field(default_factory=list)


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
    """A structured failure: a question that no tool answered.

    Attributes:
        attempts: How often it was asked; 0 if it never was.
        calls: The ids of the attempts.
    """

    tool: str
    attempts: int
    error: str
    message: str
    calls: list[str] = Field(default_factory=list)


class Protein(Record):
    """A protein record after the configured caps.

    Attributes:
        accession: Null for text that is not from UniProtKB.
        kept: By category, how many of its entries were kept, as `5 of 11`.
        call: The tool call that brought it.
    """

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
    pathways: list[str] = Field(default_factory=list)
    kept: dict[str, str] = Field(default_factory=dict)
    call: str | None = None


class Chain(Record):
    """A mechanism: alteration or state, mediator or pathway, cellular or clinical outcome."""

    cause: str
    mediator: str
    outcome: str


Fate = Literal["confirmed", "refined", "refuted", "unresolved"]


class Hypothesis(Record):
    """A hypothesis of mechanism and what became of it.

    Attributes:
        expected_studies: The key primary studies that should exist if it is true.
        keywords: Words that a search for these studies combines with the gene and the cancer.
        evidence: The ledger items that decide its fate; where it is unresolved, those looked at.
        against: Items that the model named too and that speak the other way.
        searches: The ids of the searches that tested it.
        stated_fate: What the model said, where its items do not bear it out and a rule corrected
            it; the note says why.
    """

    id: str
    statement: str
    chain: Chain
    alteration: Alteration
    expected_studies: list[str]
    fate: Fate = "unresolved"
    evidence: list[str] = Field(default_factory=list)
    note: str = ""
    keywords: list[str] = Field(default_factory=list)
    against: list[str] = Field(default_factory=list)
    searches: list[str] = Field(default_factory=list)
    stated_fate: Fate | None = None


class Query(Record):
    """One literature search and how it ended.

    Attributes:
        arguments: What was asked, after what the rules put right.
        completed: What the rules put right.
        scope: Whose cancer it asks for, seen from the pair's cancer type.
        hypotheses: The hypotheses that it tests.
        attempt: 1, or more where it asks a failed search's question again.
        adjusts: The call whose failed search it asks again.
    """

    call: str
    arguments: dict[str, object]
    outcome: Literal["content", "empty", "failed", "refused"]
    records: int
    note: str = ""
    completed: list[str] = Field(default_factory=list)
    scope: Scope | None = None
    hypotheses: list[str] = Field(default_factory=list)
    attempt: int = 1
    adjusts: str | None = None


class End(StrEnum):
    """Why a literature search ended."""

    CLOSED = "closed"
    TURNS = "turns"
    CALLS = "calls"
    TOKENS = "tokens"
    DARK = "dark"
    SILENT = "silent"
    CONTEXT = "context"


class SearchEnd(Record):
    """How far a literature search went and why it ended.

    Attributes:
        reason: The model closed it, a cap was reached (turns, calls, tokens), too many turns in a
            row brought only failures (dark), the model said nothing (silent), or the conversation
            no longer fitted the model (context).
        tokens: Tokens of the conversation, as the server reports them, else estimated.
    """

    reason: End
    turns: int
    calls: int
    tokens: int


class Phase1(StageFile):
    """`phase1.json`: what the gene and its protein do."""

    identity_sources: dict[str, str] = Field(
        default_factory=dict,
        description="Where each identifier of the gene is from: the record and its call",
    )
    protein: Protein | None
    other_proteins: list[Protein] = Field(
        default_factory=list, description="Further reviewed proteins of the gene"
    )
    notes: list[str] = Field(
        default_factory=list,
        description="Where the records contradict each other, and how the protein was chosen",
    )
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
    search: SearchEnd | None = None


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
