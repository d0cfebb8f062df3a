"""How far each stage of a run is, seen from the names of files and from journals.

Nothing large is read: thousands of pairs are looked at in seconds.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.failures import gene_failures, pair_failures
from intogen_agent.delivery.pair import FAILURE, PHASE1, FailureFile, Pair, Tree
from intogen_agent.delivery.rows import FailureRow
from intogen_agent.models import STAGE_FILES, Stage
from intogen_agent.provenance.audit import journal_path
from intogen_agent.provenance.liveness import Lease, Leases

UNDETERMINED = re.compile(rb'"undetermined":\s*true')


class State(StrEnum):
    """What is to be said of a stage.

    `stopped`: its journal is there, its output is not, and nobody seems to work on it.
    """

    DONE = "done"
    RUNNING = "running"
    WAITING = "waiting"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        counts: Stages by state.
        genes: The genes' folders, and whether phase 1 is done.
        complete: The tasks whose files are all there.
        lost: The tasks that failed or that a failed phase 1 blocks; they are not to go.
        behind: Waiting stages that come after one that failed.
        stages_to_go: Stages that are neither done nor failed nor behind one that failed.
        unseen: Running stages (folder, stage) known by a recent write alone.
        failures: Failed stages.
        undetermined: Complete tasks whose evidence could not be obtained.
    """

    results: Path
    tasks: Sequence[Task]
    counts: dict[Stage, Counter[State]] = field(default_factory=lambda: defaultdict(Counter))
    genes: dict[str, bool] = field(default_factory=dict)
    complete: list[Task] = field(default_factory=list)
    lost: list[Task] = field(default_factory=list)
    behind: int = 0
    stages_to_go: int = 0
    unseen: set[tuple[str, str]] = field(default_factory=set)
    failures: list[FailureRow] = field(default_factory=list)
    undetermined: list[Task] = field(default_factory=list)

    def total(self, *states: State) -> int:
        """Return the number of stages in some states."""
        return sum(count[state] for count in self.counts.values() for state in states)

    @property
    def to_go(self) -> int:
        """The number of pairs that are neither complete nor failed."""
        return len(self.tasks) - len(self.complete) - len(self.lost)

    def finish_times(self) -> list[float]:
        """Return when each complete pair was finished (seconds since 1970), sorted."""
        paths = (self.results / task.path / "provenance.json" for task in self.complete)
        return sorted(_times(paths))

    def stage_times(self) -> list[float]:
        """Return when each stage was finished, sorted; a look at every file."""
        files = [self.results / gene / PHASE1 for gene in self.genes]
        for task in self.tasks:
            files += [self.results / task.path / names[-1] for names in STAGE_FILES.values()]
        return sorted(_times(files))


def _times(paths: Iterator[Path] | Sequence[Path]) -> Iterator[float]:
    for path in paths:
        moment = _time(path)
        if moment is not None:
            yield moment


def _time(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except (FileNotFoundError, NotADirectoryError):
        return None


def look(
    results: Path,
    tasks: Sequence[Task],
    now: float | None = None,
    shared: bool | None = None,
    wanted: Mapping[str, str] | None = None,
) -> Progress:
    """Look at a run.

    A stage runs if a process holds the lease on its journal. Where other machines may write too,
    their leases may be invisible: there a journal that was written lately counts as well.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.
        now: Seconds since 1970; None: the time now.
        shared: Whether other machines may write too; None: as the file system says.
        wanted: Each stage's fingerprint under the present configuration; empty if unknown.
    """
    tree, progress = Tree(results, wanted), Progress(results, tasks)
    leases = Leases(results, now, shared)
    for task in tasks:
        if task.gene_path not in progress.genes:
            _look_at_gene(tree, progress, task, leases)
        _look_at_pair(tree, progress, task, leases)
    return progress


def _look_at_gene(tree: Tree, progress: Progress, task: Task, leases: Leases) -> None:
    gene, path = tree.gene(task), task.gene_path
    progress.genes[path] = gene.done
    failed = FailureFile(stage=Stage.PHASE1, error="", message="") if gene.failed else None
    journalled = ".journal" in gene.files
    state = _state(progress, path, Stage.PHASE1, gene.done, journalled, failed, leases)
    progress.counts[Stage.PHASE1][state] += 1
    progress.stages_to_go += state not in (State.DONE, State.FAILED)
    progress.failures += gene_failures(gene, task, tree.results, leases)


def _look_at_pair(tree: Tree, progress: Progress, task: Task, leases: Leases) -> None:
    pair, path = tree.outline(task), task.path
    states = []
    for stage in STAGE_FILES:
        journalled = ".journal" in pair.files
        states.append(
            _state(progress, path, stage, pair.done(stage), journalled, pair.failure, leases)
        )
        progress.counts[stage][states[-1]] += 1
    progress.failures += pair_failures(pair, tree.results, leases)
    if pair.complete:
        progress.complete.append(task)
        if _undetermined(pair, tree.results):
            progress.undetermined.append(task)
    elif State.RUNNING not in states and (pair.gene.failed or State.FAILED in states):
        progress.lost.append(task)
        progress.behind += states.count(State.WAITING)
    else:
        progress.stages_to_go += len(states) - states.count(State.DONE)


def _state(
    progress: Progress,
    path: str,
    stage: Stage,
    done: bool,
    journalled: bool,
    failure: FailureFile | None,
    leases: Leases,
) -> State:
    if done:
        return State.DONE
    failed = failure is not None and failure.stage is stage
    journal = journal_path(progress.results / path, stage.value)
    written = _time(journal) if journalled else None
    lease = Lease.FREE if written is None else leases.of(journal)
    if lease is Lease.HELD:
        return State.RUNNING
    left = _time(progress.results / path / FAILURE) if failed else None
    if lease is Lease.PERHAPS and (written or 0.0) > (left or 0.0):
        progress.unseen.add((path, stage.value))
        return State.RUNNING
    if failed:
        return State.FAILED
    return State.WAITING if written is None else State.STOPPED


def _undetermined(pair: Pair, results: Path) -> bool:
    """Tell whether a report is undetermined without reading it as a whole.

    A text of a report cannot match: its quotes are escaped.
    """
    try:
        report = (results / pair.task.path / "reviewed.json").read_bytes()
    except FileNotFoundError:
        return False
    return UNDETERMINED.search(report) is not None
