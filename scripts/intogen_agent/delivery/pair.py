"""What is on the disk of a gene and of a pair: which files exist, what they say, what is damaged.

Runs are read while they go on and after they were killed: a missing file is a stage to come, a
file that cannot be read is a failure to report, and neither is an error of the reader.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from intogen_agent.cohort.tasks import Task
from intogen_agent.evidence.models import Scope, System
from intogen_agent.models import STAGE_FILES, Stage
from intogen_agent.report.models import FinalReport
from intogen_agent.review.models import CritiqueFile
from intogen_agent.summary.models import SummaryReport

M = TypeVar("M", bound=BaseModel)

PHASE1 = "phase1.json"
FAILURE = "failure.json"
FINGERPRINTED = (Stage.PHASE1, Stage.PHASE2, Stage.REPORT, Stage.CRITIQUE, Stage.SUMMARY)
"""The stages whose fingerprints the tables show."""


class _View(BaseModel):
    """The part of a file that the tables need."""

    model_config = ConfigDict(extra="ignore")


class Head(_View):
    """The fingerprint of a stage file."""

    fingerprint: str


class LedgerItem(_View):
    """Where a ledger item's finding was made, and whose cancer it speaks of."""

    id: str
    system: System
    scope: Scope


class Phase2View(Head):
    """The ledger of phase 2."""

    ledger: list[LedgerItem]


class FailureFile(_View):
    """`failure.json`, which a failed stage leaves behind."""

    stage: Stage
    error: str
    message: str


@dataclass(frozen=True)
class Damage:
    """A file that cannot be read, and why."""

    name: str
    stage: Stage | None
    reason: str


@dataclass
class Gene:
    """What is there of a gene's phase 1."""

    files: frozenset[str]
    phase1: Head | None = None
    failure: FailureFile | None = None
    damaged: list[Damage] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether phase 1 failed and has not been made since."""
        return PHASE1 not in self.files and FAILURE in self.files


@dataclass
class Pair:
    """What is there of a pair.

    Attributes:
        files: The names in its folder.
        first: Head of `report.json`.
        report: `reviewed.json`, or `report.json` as long as there is no other.
    """

    task: Task
    gene: Gene
    files: frozenset[str]
    phase2: Phase2View | None = None
    first: Head | None = None
    report: FinalReport | None = None
    critique: CritiqueFile | None = None
    summary: SummaryReport | None = None
    failure: FailureFile | None = None
    damaged: list[Damage] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every stage's files exist, phase 1 included."""
        return PHASE1 in self.gene.files and all(map(self.done, STAGE_FILES))

    def ledger(self) -> list[LedgerItem]:
        """Return the ledger of phase 2 and what refinement added to it."""
        added = self.critique.added if self.critique else None
        own = self.phase2.ledger if self.phase2 else []
        more = added.ledger if added else []
        return [*own, *(LedgerItem(id=i.id, system=i.system, scope=i.scope) for i in more)]

    def done(self, stage: Stage) -> bool:
        """Whether a stage's files exist."""
        return all(name in self.files for name in STAGE_FILES[stage])

    def own_fingerprints(self) -> dict[Stage, str]:
        """Return the fingerprints that the stage files carry now."""
        reviewed = self.report if self.report and self.report.stage is Stage.CRITIQUE else None
        files = {
            Stage.PHASE1: self.gene.phase1,
            Stage.PHASE2: self.phase2,
            Stage.REPORT: self.first,
            Stage.CRITIQUE: reviewed,
            Stage.SUMMARY: self.summary,
        }
        return {stage: file.fingerprint for stage, file in files.items() if file is not None}

    def fingerprints(self) -> dict[Stage, str]:
        """Return what the report was made with.

        Its evidence may have been made anew since: the report's own record is the stronger.
        """
        found = self.own_fingerprints()
        if self.report is not None:
            provenance = self.report.provenance
            found[Stage.PHASE1] = provenance.phase1_fingerprint or found.get(Stage.PHASE1, "")
            found[Stage.PHASE2] = provenance.phase2_fingerprint or found.get(Stage.PHASE2, "")
        return {stage: found[stage] for stage in FINGERPRINTED if found.get(stage)}


class Tree:
    """A folder of results, read pair by pair.

    Args:
        results: The folder.
    """

    def __init__(self, results: Path) -> None:
        self.results = results
        self._genes: dict[str, Gene] = {}

    def gene(self, task: Task) -> Gene:
        """Return what is there of a task's gene."""
        if task.gene_path not in self._genes:
            self._genes[task.gene_path] = self._read_gene(self.results / task.gene_path)
        return self._genes[task.gene_path]

    def _read_gene(self, folder: Path) -> Gene:
        gene = Gene(_names(folder))
        reader = _Reader(folder, gene.files, gene.damaged)
        gene.phase1 = reader.read(PHASE1, Head, Stage.PHASE1)
        if gene.failed:
            gene.failure = reader.read(FAILURE, FailureFile, None)
        return gene

    def pair(self, task: Task) -> Pair:
        """Return what is there of a task."""
        folder = self.results / task.path
        pair = Pair(task, self.gene(task), _names(folder))
        read = _Reader(folder, pair.files, pair.damaged).read
        pair.phase2 = read("phase2.json", Phase2View, Stage.PHASE2)
        pair.report = read("reviewed.json", FinalReport, Stage.CRITIQUE)
        pair.critique = read("critique.json", CritiqueFile, Stage.CRITIQUE)
        pair.summary = read("summary.json", SummaryReport, Stage.SUMMARY)
        if pair.report is not None:
            pair.first = read("report.json", Head, Stage.REPORT)
        else:
            pair.report = read("report.json", FinalReport, Stage.REPORT)
            if pair.report is not None:
                pair.first = Head(fingerprint=pair.report.fingerprint)
        if not pair.complete:
            pair.failure = read(FAILURE, FailureFile, None)
        return pair

    def outline(self, task: Task) -> Pair:
        """Return what is there of a task by the names of its files; only its failure is read."""
        folder = self.results / task.path
        pair = Pair(task, self.gene(task), _names(folder))
        if not pair.complete:
            pair.failure = _Reader(folder, pair.files, pair.damaged).read(
                FAILURE, FailureFile, None
            )
        return pair


def _names(folder: Path) -> frozenset[str]:
    # One listing instead of a look at every file: shared disks answer slowly.
    try:
        return frozenset(entry.name for entry in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()


@dataclass(frozen=True)
class _Reader:
    folder: Path
    files: frozenset[str]
    damaged: list[Damage]

    def read(self, name: str, model: type[M], stage: Stage | None) -> M | None:
        """Return a file's content; None if it is missing or damaged."""
        if name not in self.files:
            return None
        try:
            return model.model_validate_json((self.folder / name).read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            reason = f"{place}: {first['msg']}" if place else first["msg"]
        except OSError as error:
            reason = error.strerror or type(error).__name__
        self.damaged.append(Damage(name, stage, reason))
        return None
