"""The settings: every option, its default and its meaning.

`config/config.yaml` documents the same options for people; a test keeps both in step, and
`schemas/config.schema.json` is generated from these models.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from intogen_agent.config.llm_settings import LlmSettings
from intogen_agent.config.mcp_settings import McpSettings
from intogen_agent.config.section import NotNegative, Positive, Section


class Pair(Section):
    """A gene x cancer type pair that is not in the drivers table."""

    gene: str
    cancer_type: str


class Selection(Section):
    """Which pairs of the table to run; empty lists keep all."""

    genes: list[str] = []
    cancer_types: list[str] = []
    cohorts: list[str] = []
    list: Path | None = Field(None, description="Two-column file: gene, cancer type")


class Columns(Section):
    """Headers of the user's own table, where they differ from intOGen's."""

    gene: str | None = None
    cancer_type: str | None = None
    cohort: str | None = None
    methods: str | None = None
    qvalue: str | None = None
    samples: str | None = None
    role: str | None = None


class CohortSettings(Section):
    """From the drivers table to tasks."""

    scheme: Literal["auto", "2020", "oncotree", "custom"] = Field(
        "auto", description="Code scheme of the cancer types; auto detects it from the codes"
    )
    pan_cancer: bool = Field(True, description="Add one pan-cancer task (CANCER) per gene")
    extra_pairs: list[Pair] = []
    select: Selection = Selection()
    columns: Columns = Columns()


class ExtraCancerType(Section):
    """A cancer type of one's own."""

    code: str
    name: str
    search_terms: list[str]
    parent: str | None = None


class CancerTypeSettings(Section):
    """Cancer types: the shipped table and one's own."""

    table: Path | None = Field(None, description="Another table than config/cancer_types.tsv")
    extra: list[ExtraCancerType] = []


class StoreSettings(Section):
    """The local evidence store: a built one, or record files to build it from."""

    path: Path | None = Field(None, description="A store made by `intogen-agent store build`")
    records: Path | None = Field(
        Path("config/demo/evidence"),
        description="Folder of genes.jsonl, proteins.jsonl, articles.jsonl; the workflow builds it",
    )


class UniprotSettings(Section):
    """What to keep of a protein record (entries per category; 0 disables it)."""

    isoforms: NotNegative = 5
    domains: NotNegative = 8
    motifs: NotNegative = 5
    subcellular_locations: NotNegative = 6
    interactions: NotNegative = 10
    modifications: NotNegative = 6
    pathways: NotNegative = 6
    include_sub_refs: bool = Field(True, description="Keep inline references of UniProt")


class EvidenceSettings(Section):
    """Evidence collection in both phases."""

    organism: str = "human"
    fallback_organism: str | None = "mouse"
    phase1_retries: NotNegative = Field(3, description="Further attempts per tool in phase 1")
    phase2_retries: NotNegative = Field(
        2,
        description="Further attempts per failed call in phase 2, and further turns after one in "
        "which every call failed",
    )
    max_turns: Positive = Field(8, description="Model turns in phase 2")
    max_calls: Positive = Field(24, description="Tool calls in phase 2")
    max_tokens: Positive = Field(
        500_000, description="Tokens of the search conversation in phase 2, all turns together"
    )
    max_payload_chars: Positive = Field(
        60_000, description="Longer payloads are summarised record by record in parts"
    )
    uniprot: UniprotSettings = UniprotSettings()


class ReportSettings(Section):
    """The report's thresholds and repairs."""

    min_supported_rationale: Positive = 2
    min_supported_references: Positive = 3
    min_supported_sources: Positive = 2
    repairs: NotNegative = Field(3, description="Attempts to mend a draft that breaks a rule")
    repair_first_wait: float = Field(0.5, ge=0, description="Seconds before the first repair")
    repair_max_wait: float = Field(8.0, ge=0)


class ReviewSettings(Section):
    """The scientific reviewer's loop."""

    enabled: bool = True
    max_iterations: Positive = 3
    history_tokens: NotNegative = Field(
        8000, description="Raw tool answers that the refiner gets, in estimated tokens"
    )
    new_evidence: bool = Field(
        False, description="Whether refinement may search for what the evidence cannot settle"
    )
    max_turns: Positive = Field(4, description="Model turns of one search of refinement")
    max_calls: Positive = Field(8, description="Tool calls of all its searches together")


class SummarySettings(Section):
    """Plain-language summaries and the style editor."""

    max_iterations: NotNegative = 2
    max_sentence_words: Positive = 30


class NetworkSettings(Section):
    """Where this project's own calls may go."""

    allow_hosts: list[str] | None = Field(
        None,
        description="The only hosts that models and MCP servers with a url may be asked at "
        "(`*.example.org` takes them all); "
        "null: any; this machine is always allowed",
    )


def _as_text(value: Any) -> Any:
    """Take a number or a date, as YAML reads it, for the text that was meant."""
    return value if isinstance(value, str | dict | list | None) else str(value)


class Settings(Section):
    """The whole configuration."""

    drivers: Path | list[Path] | None = Field(
        None, description="intOGen table(s) of drivers, or two columns: gene, cancer type"
    )
    results: Path = Path("results")
    fresh: Annotated[str, BeforeValidator(_as_text)] = Field(
        "", description="Only answers recorded under the same text are used; empty: all are"
    )
    cohort: CohortSettings = CohortSettings()
    cancer_types: CancerTypeSettings = CancerTypeSettings()
    store: StoreSettings = StoreSettings()
    llm: LlmSettings = LlmSettings()
    network: NetworkSettings = NetworkSettings()
    mcp: McpSettings = McpSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    report: ReportSettings = ReportSettings()
    review: ReviewSettings = ReviewSettings()
    summary: SummarySettings = SummarySettings()
