"""The public report: `FinalReport` and its parts."""

from enum import StrEnum

from pydantic import Field, model_validator

from intogen_agent.evidence.identifiers import canonical_url, pmid_identifier
from intogen_agent.evidence.models import Chain, FirstSeen, OtherId, ReferenceKind, Version
from intogen_agent.models import Cancer, GeneIdentity, Record, StageFile
from intogen_agent.provenance.models import RoleRecord


class Involvement(StrEnum):
    """Whether the literature supports the gene's role in the cancer."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"


class Bullet(Record):
    """A cited statement.

    Attributes:
        citations: 1-based indices into the report's references, ascending.
        evidence: Ids of the ledger items it rests on.
    """

    text: str
    citations: list[int]
    evidence: list[str] = Field(default_factory=list)


class MechanismBullet(Bullet):
    """A bullet of the mechanistic hypothesis: exactly one chain."""

    chain: Chain


class GeneFunction(Record):
    """The section Gene/Protein Function."""

    bullets: list[Bullet]


class ThresholdCount(Record):
    """One threshold of `supported`: what it needs, and what the rationale brings to it."""

    threshold: str
    needed: int
    found: int


class Assessment(Record):
    """The section Assessment.

    Attributes:
        undetermined: True when evidence could not be obtained; an outage is never an absence.
        reason: Why the verdict is `not_supported`: the threshold missed and by how much, or what
            could not be asked. None when supported.
        thresholds: The thresholds of `supported` and what was found, counted by code; what speaks
            against the involvement does not count. Empty in reports of earlier versions.
    """

    involvement: Involvement
    undetermined: bool = False
    reason: str | None = None
    rationale: list[Bullet]
    thresholds: list[ThresholdCount] = Field(default_factory=list)


class MechanisticHypothesis(Record):
    """The section Mechanistic Hypothesis; only for supported pairs."""

    bullets: list[MechanismBullet]


class Reference(Record):
    """A cited paper, record, site or tool.

    A PMID without an address gets its PubMed address (seed, "Reference integrity").

    Attributes:
        tracked: True when the reference manager saw the identifier in a raw payload of this
            journey (phase 1 included).
        circular: True for intOGen's own publications, which support no call of intOGen.
    """

    index: int
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
    first_seen: FirstSeen | None = None
    tracked: bool = False
    retracted: bool = False
    circular: bool = False

    @model_validator(mode="after")
    def _pubmed_address(self) -> "Reference":
        if self.kind == "pmid" and self.url is None:
            identifier = pmid_identifier(self.id.removeprefix("PMID:").strip())
            self.url = canonical_url(identifier) if identifier else None
        return self


class RoleModel(Record):
    """Which model answered for a role, where, and what it used.

    What a provider's cache saved and what it cost differ from run to run with equal answers; they
    stand in provenance.json only.
    """

    provider: str
    model: str
    answered_by: list[str] = Field(default_factory=list)
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @classmethod
    def of(cls, used: RoleRecord) -> "RoleModel":
        """Return what a report says of the record of a role."""
        return cls(**used.model_dump(include=set(cls.model_fields)))


class Pruning(Record):
    """What `report.prune` took out of the conversation before the final instruction.

    Tokens are estimates over the same characters, so that they compare.

    Attributes:
        parts: The configured parts.
        tokens_before: The final request with both phases' conversations in full; None when these
            are no longer on record.
        tokens_after: The final request as it was sent.
    """

    parts: list[str]
    tokens_before: int | None
    tokens_after: int


class ReportProvenance(Record):
    """Where a report comes from; the full record is provenance.json.

    Attributes:
        repairs: Rules that failed on the way to the accepted draft, one list per attempt.
        controller_edits: What the controller put right without judgement (order, duplicates...).
        unresolved: High-severity issues that stayed open when the reviewer loop ended.
        pruned: What left the conversation before the final instruction, in words.
        pruning: The same with its size.
    """

    models: dict[str, RoleModel] = Field(default_factory=dict)
    servers: dict[str, str] = Field(default_factory=dict)
    phase1_fingerprint: str = ""
    phase2_fingerprint: str = ""
    repairs: list[list[str]] = Field(default_factory=list)
    controller_edits: list[str] = Field(default_factory=list)
    critic_iterations: int = 0
    refinement_used_tools: bool = False
    unresolved: list[str] = Field(default_factory=list)
    pruned: list[str] = Field(default_factory=list)
    pruning: Pruning | None = None


class FinalReport(StageFile):
    """`report.json` and `reviewed.json`."""

    gene: GeneIdentity
    cancer: Cancer
    gene_function: GeneFunction
    assessment: Assessment
    mechanistic_hypothesis: MechanisticHypothesis | None
    references: list[Reference]
    provenance: ReportProvenance
