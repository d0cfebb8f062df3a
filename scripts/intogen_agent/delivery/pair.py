"""What is on the disk of a gene and of a pair: which files exist, what they say, what is damaged.

Runs are read while they go on and after they were killed: a missing file is a stage to come, a
file that cannot be read is a failure to report, and neither is an error of the reader.
"""

from collections.abc import Mapping
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
    """`failure.json`, which a failed stage leaves behind.

    Attributes:
        fingerprint: What the stage was to be made with.
    """

    stage: Stage
    error: str
    message: str
    fingerprint: str = ""


@dataclass(frozen=True)
class Damage:
    """A file that cannot be read, and why."""

    name: str
    stage: Stage | None
    reason: str


@dataclass
class Gene:
    """What is there of a gene's phase 1.

    Attributes:
        failure: Why it failed, if it has not been made since.
    """

    files: frozenset[str]
    phase1: Head | None = None
    failure: FailureFile | None = None
    damaged: list[Damage] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether phase 1 failed and has not been made since.

        What an earlier configuration has left there does not count for made.
        """
        return FAILURE in self.files and (PHASE1 not in self.files or self.failure is not None)

    @property
    def done(self) -> bool:
        """Whether phase 1 was made."""
        return PHASE1 in self.files and not self.failed


@dataclass
class Pair:
    """What is there of a pair.

    Attributes:
        files: The names in its folder.
        first: Head of `report.json`.
        report: `reviewed.json`, or `report.json` as long as there is no other.
        failure: Which stage failed and has not been made since.
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
        """Whether every stage was made, phase 1 included."""
        return self.gene.done and all(map(self.done, STAGE_FILES))

    def ledger(self) -> list[LedgerItem]:
        """Return the ledger of phase 2 and what refinement added to it."""
        added = self.critique.added if self.critique else None
        own = self.phase2.ledger if self.phase2 else []
        more = added.ledger if added else []
        return [*own, *(LedgerItem(id=i.id, system=i.system, scope=i.scope) for i in more)]

    def done(self, stage: Stage) -> bool:
        """Whether a stage's files exist, and are not those of before a failure."""
        order = list(Stage)
        behind = self.failure is not None and order.index(stage) >= order.index(self.failure.stage)
        return not behind and has_files(self.files, stage)

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
        wanted: Each stage's fingerprint under the present configuration; empty if unknown.
    """

    def __init__(self, results: Path, wanted: Mapping[str, str] | None = None) -> None:
        self.results = results
        self._wanted = wanted or {}
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
        gene.failure = self._failure(reader)
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
        pair.failure = self._failure(_Reader(folder, pair.files, pair.damaged))
        return pair

    def outline(self, task: Task) -> Pair:
        """Return what is there of a task by the names of its files; only its failure is read."""
        folder = self.results / task.path
        pair = Pair(task, self.gene(task), _names(folder))
        pair.failure = self._failure(_Reader(folder, pair.files, pair.damaged))
        return pair

    def _failure(self, reader: "_Reader") -> FailureFile | None:
        """Return the failure of a folder, unless the stage or a later one was made since."""
        failure = reader.read(FAILURE, FailureFile, None)
        return failure if failure and stands(failure, reader.folder, self._wanted) else None


def stands(failure: FailureFile, folder: Path, wanted: Mapping[str, str]) -> bool:
    """Tell whether a stage still has not been made as it was to be when it failed.

    If its job could not even start, the files of an earlier configuration are still there.

    Args:
        failure: The failure.
        folder: Where it lies.
        wanted: Each stage's fingerprint under the present configuration; empty if unknown.
    """
    if not all((folder / name).exists() for name in stage_files(failure.stage)):
        return True
    fingerprint = wanted.get(failure.stage.value, failure.fingerprint)
    if not fingerprint or failure.fingerprint != fingerprint:
        return False
    return stored_fingerprint(folder, failure.stage) not in (None, fingerprint)


def stage_files(stage: Stage) -> tuple[str, ...]:
    """Return the names of a stage's files."""
    return STAGE_FILES.get(stage, (PHASE1,))


def has_files(names: frozenset[str], stage: Stage) -> bool:
    """Tell whether a stage's files are among the names in its folder."""
    return all(name in names for name in stage_files(stage))


def stored_fingerprint(folder: Path, stage: Stage) -> str | None:
    """Return the fingerprint that a stage's files carry; None if they cannot tell."""
    name = next(name for name in reversed(stage_files(stage)) if name.endswith(".json"))
    try:
        return Head.model_validate_json((folder / name).read_bytes()).fingerprint
    except (ValidationError, OSError):
        # Damage is told by whoever reads the file for its content.
        return None


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
