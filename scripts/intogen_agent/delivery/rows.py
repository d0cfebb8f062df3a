"""The rows of the public tables; the order of the fields is the order of the columns."""

from pydantic import Field

from intogen_agent.models import Record


class ReportRow(Record):
    """`reports.tsv`: a pair.

    Attributes:
        task: `pair` or `pan-cancer`.
        path: The pair's folder within the results.
        status: `ok`, `not_reviewed` or `copied` for a complete pair; `failed` when a stage failed
            or was blocked, `incomplete` when stages are still to come (partial tables only).
        model: The models that answered for the report creator.
        origin: `intogen` (a row of a drivers table) or `configuration`.
        intogen_role: intOGen's role by most votes of its cohorts: Act, LoF or ambiguous.
        role_agreement: `agrees`, `disagrees`, `no vote` or `unclear` (`summary.agreement`).
        fingerprint: `stage:fingerprint` of what the report was made with.
        current: Whether all of these are those of the present configuration; None if it is
            not known.
    """

    gene: str
    cancer_type: str
    cancer_name: str
    scheme: str
    task: str
    path: str
    status: str
    involvement: str | None = None
    undetermined: bool | None = None
    role_of_action: str | None = None
    headline: str | None = None
    references: int | None = None
    tracked_references: int | None = None
    untracked_references: int | None = None
    mechanisms: int | None = None
    function_bullets: int | None = None
    unresolved_high: int | None = None
    critic_score: float | None = None
    critic_iterations: int | None = None
    critic_accepted: bool | None = None
    style_score: float | None = None
    style_iterations: int | None = None
    model: list[str] = Field(default_factory=list)
    origin: str
    cohorts: list[str] = Field(default_factory=list)
    methods: list[str] = Field(default_factory=list)
    qvalue_min: float | None = None
    mutated_samples: int | None = None
    intogen_role: str | None = None
    role_votes: list[str] = Field(default_factory=list)
    role_agreement: str | None = None
    fingerprint: list[str] = Field(default_factory=list)
    current: bool | None = None


class ReferenceRow(Record):
    """`references.tsv`: a reference of a pair's report.

    Attributes:
        id: As citations write it: `PMID:9065401`, `UniProt:P25054`, `TOOL:article_searcher`.
        also: Other identifiers of the same paper.
        sections: The sections that cite it.
    """

    gene: str
    cancer_type: str
    index: int
    kind: str
    id: str
    also: list[str]
    database: str | None
    record_id: str | None
    url: str | None
    title: str | None
    journal: str | None
    year: int | None
    tracked: bool
    retracted: bool
    first_seen_stage: str | None
    first_seen_tool: str | None
    first_seen_call: str | None
    sections: list[str]


class MechanismRow(Record):
    """`mechanisms.tsv`: a mechanism of a pair's report.

    Attributes:
        number: 1-based, in the report's order.
        citations: Identifiers of the references it cites.
        evidence: Ids of the ledger items it rests on.
        systems: In which systems these findings were made.
        scopes: Whose cancer they speak of.
        role_of_action: The pair's role of action.
    """

    gene: str
    cancer_type: str
    cancer_name: str
    number: int
    cause: str
    mediator: str
    outcome: str
    text: str
    citations: list[str]
    evidence: list[str]
    systems: list[str]
    scopes: list[str]
    role_of_action: str | None


class FailureRow(Record):
    """`failures.tsv`: a stage that failed, or that another's failure blocks.

    Attributes:
        cancer_type: None for phase 1, which belongs to the gene.
        error: An `ErrorClass`.
        log: The stage's log file.
        path: The folder within the results.
    """

    gene: str
    cancer_type: str | None
    stage: str
    error: str
    message: str
    log: str | None
    path: str


class RetiredRow(Record):
    """`retired.tsv`: results of a task that is no longer in the cohort."""

    gene: str
    cancer_type: str
    path: str
    involvement: str | None
