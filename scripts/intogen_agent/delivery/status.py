"""How far a run is, in words: stages, tokens, rate, the last failures; and stale results."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.columns import aligned
from intogen_agent.delivery.pace import pace, tokens_left
from intogen_agent.delivery.pair import FAILURE, PHASE1, Pair, Tree
from intogen_agent.delivery.progress import Progress, State, look
from intogen_agent.delivery.rows import FailureRow
from intogen_agent.delivery.tokens import Spent, spent
from intogen_agent.delivery.tsv import cell
from intogen_agent.errors import ErrorClass
from intogen_agent.models import STAGE_FILES, Stage
from intogen_agent.provenance.liveness import RECENT_SECONDS

HEADER = ("stage", *State)
LAST = 10


def status(
    results: Path,
    tasks: Sequence[Task],
    now: float | None = None,
    shared: bool | None = None,
    wanted: Mapping[str, str] | None = None,
) -> str:
    """Say how far a run is.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.
        now: Seconds since 1970; None: the time now.
        shared: Whether other machines may write the results too; None: as the file system says.
        wanted: Each stage's fingerprint under the present configuration; empty if unknown.

    Returns:
        Lines for a terminal.
    """
    moment = time.time() if now is None else now
    progress = look(results, tasks, moment, shared, wanted)
    used = spent(results, tasks)
    lines = [
        f"{results}: {len(progress.complete)} of {len(tasks)} pairs complete, "
        f"{_genes(len(progress.genes))}",
        "",
        *_counts(progress),
        *_notes(progress),
        "",
        *used.total.lines(),
        *_outlook(progress, used, moment),
        *_undetermined(results, progress.undetermined),
        *_last(progress.failures, results),
    ]
    return "\n".join(lines) + "\n"


def _genes(number: int) -> str:
    return f"{number} gene{'' if number == 1 else 's'}"


def _counts(progress: Progress) -> list[str]:
    rows = [
        (stage.value, *(str(progress.counts[stage][state]) for state in State))
        for stage in (Stage.PHASE1, *STAGE_FILES)
    ]
    return aligned([HEADER, *rows], right=tuple(range(1, len(HEADER))))


def _notes(progress: Progress) -> Iterator[str]:
    """Yield what the numbers alone do not tell."""
    if progress.unseen:
        minutes = f"{RECENT_SECONDS / 60:.0f}"
        yield (
            f"running: {len(progress.unseen)} of these only by a journal that was written in the "
            f"last {minutes} minutes: on another machine, or just stopped"
        )
    elif not progress.total(State.RUNNING) and progress.to_go:
        yield "no stage is seen running"
    if progress.total(State.STOPPED):
        yield "stopped: begun, and nobody seems to work on it; it goes on from its journal"
    if progress.behind:
        yield f"waiting: {progress.behind} of these come after a stage that failed"


def _outlook(progress: Progress, used: Spent, now: float) -> Iterator[str]:
    """Yield the rate and what is left of time, tokens and price."""
    found = pace(progress, now)
    if found is not None:
        yield from found.lines()
    elif progress.to_go:
        yield "rate: not known yet"
    genes = sum(not done for done in progress.genes.values())
    rest = tokens_left(used, progress.to_go, genes)
    if rest is not None:
        yield f"left: {rest}, if the rest is like the finished pairs"


def _undetermined(results: Path, tasks: Sequence[Task]) -> Iterator[str]:
    """Yield how pairs whose evidence could not be obtained are asked again."""
    if not tasks:
        return
    files = " ".join((results / task.path / "phase2.json").as_posix() for task in tasks[:LAST])
    yield ""
    yield f"undetermined, because evidence could not be obtained: {len(tasks)}; ask again with"
    yield f"  snakemake ... --forcerun {files}" + (" ..." if len(tasks) > LAST else "")


def _last(failures: Iterable[FailureRow], results: Path) -> Iterator[str]:
    """Yield the latest failures; pairs that wait for another's failure are only counted."""
    causes = [row for row in failures if row.error != ErrorClass.BLOCKED.value]
    if not causes:
        return
    causes.sort(key=lambda row: _time(results / row.path / FAILURE), reverse=True)
    yield ""
    yield f"failures: {len(causes)}" + (f", the last {LAST}:" if len(causes) > LAST else "")
    for row in causes[:LAST]:
        where = " ".join(filter(None, (row.gene, row.cancer_type, row.stage)))
        yield f"  {where}: {row.error}: {cell(row.message)}"
        if row.log:
            yield f"    log: {row.log}"


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def stale(
    results: Path, tasks: Sequence[Task], present: Mapping[str, str], declared: Path | None = None
) -> str:
    """List the pairs that were made under another configuration, and how to make them anew.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.
        present: Each stage's fingerprint under the present configuration.
        declared: The folder of results as the rules name it, if it is another text.

    Returns:
        A line per pair: gene, cancer type, path, the first stage that is not current; then the
        command.
    """
    tree = Tree(results)
    lines: list[str] = []
    targets: dict[str, None] = {}
    for task in tasks:
        stage = _stale_stage(tree.pair(task), present)
        if stage is not None:
            lines.append("\t".join((task.gene, task.cancer_type, task.path, stage.value)))
            targets[_target(declared or results, task, stage)] = None
    if not lines:
        return "Every result is current.\n"
    command = f"snakemake --forcerun {' '.join(targets)}"
    head = "\t".join(("gene", "cancer_type", "path", "stage"))
    return "\n".join([head, *lines, "", "Make them anew (with your own options):", command]) + "\n"


def _stale_stage(pair: Pair, present: Mapping[str, str]) -> Stage | None:
    """Return the first stage to make anew, if any."""
    found = {
        stage
        for stage, fingerprint in pair.own_fingerprints().items()
        if fingerprint != present.get(stage.value)
    }
    # Evidence that was made anew after the report: what follows it is to be made.
    used = pair.fingerprints()
    following = {Stage.PHASE1: Stage.PHASE2, Stage.PHASE2: Stage.REPORT}
    found |= {
        then
        for stage, then in following.items()
        if pair.report is not None and used.get(stage) != present.get(stage.value)
    }
    return next((stage for stage in Stage if stage in found), None)


def _target(results: Path, task: Task, stage: Stage) -> str:
    if stage is Stage.PHASE1:
        return (results / task.gene_path / PHASE1).as_posix()
    return (results / task.path / STAGE_FILES[stage][0]).as_posix()
