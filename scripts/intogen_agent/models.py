"""What every file of a journey has in common."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION: Literal["1.0"] = "1.0"


class Record(BaseModel):
    """A model that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid")


class Status(StrEnum):
    """How a stage ended."""

    OK = "ok"
    FAILED = "failed"
    NOT_REVIEWED = "not_reviewed"
    COPIED = "copied"


class Stage(StrEnum):
    """The stages of a pair's journey, in order."""

    PHASE1 = "phase1"
    PHASE2 = "phase2"
    REPORT = "report"
    CRITIQUE = "critique"
    SUMMARY = "summary"
    RENDER = "render"


# The files of a pair's own stages; phase 1 belongs to the gene.
STAGE_FILES: dict[Stage, tuple[str, ...]] = {
    Stage.PHASE2: ("phase2.json",),
    Stage.REPORT: ("report.json",),
    Stage.CRITIQUE: ("critique.json", "reviewed.json"),
    Stage.SUMMARY: ("summary.json",),
    Stage.RENDER: ("report.md", "summary.md", "provenance.json"),
}


class GeneIdentity(Record):
    """Who a gene is, settled from the gene record and the reviewed human protein record."""

    symbol: str
    name: str | None = None
    hgnc_id: str | None = None
    entrez_id: str | None = None
    ensembl_id: str | None = None
    uniprot: str | None = None
    aliases: list[str] = Field(default_factory=list)


class Cancer(Record):
    """A cancer type: its code in its scheme and its name."""

    code: str
    scheme: str
    name: str
    pan_cancer: bool = False


class StageFile(Record):
    """The head of every JSON file of a journey."""

    schema_version: Literal["1.0"] = SCHEMA_VERSION
    gene: GeneIdentity
    cancer: Cancer | None
    stage: Stage
    status: Status
    fingerprint: str
