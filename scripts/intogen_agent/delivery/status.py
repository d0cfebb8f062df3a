"""How far a run is: stages done and failed, tokens so far, the last failures, stale results."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.columns import aligned
from intogen_agent.delivery.failures import gene_failures, pair_failures
from intogen_agent.delivery.pair import FAILURE, PHASE1, Gene, Pair, Tree
from intogen_agent.delivery.rows import FailureRow
from intogen_agent.delivery.tokens import run_tokens
from intogen_agent.delivery.tsv import cell
from intogen_agent.errors import ErrorClass
from intogen_agent.models import STAGE_FILES, Stage
from intogen_agent.provenance.audit import journal_path

HEADER = ("stage", "done", "failed", "started", "not yet")
LAST = 10


def status(results: Path, tasks: Sequence[Task]) -> str:
    """Say how far a run is.

    A stage counts as started when its journal is there and its output is not: it runs, or it was
    interrupted and will go on from there.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.

    Returns:
        Lines for a terminal.
    """
    tree = Tree(results)
    counts: dict[Stage, Counter[str]] = defaultdict(Counter)
    genes: dict[str, Task] = {}
    failures: list[FailureRow] = []
    unknown: list[Task] = []
    complete = 0
    for task in tasks:
        if task.gene_path not in genes:
            genes[task.gene_path] = task
            gene = tree.gene(task)
            counts[Stage.PHASE1][_gene_state(gene, results / task.gene_path)] += 1
            failures += gene_failures(gene, task, results)
        pair = tree.pair(task)
        complete += pair.complete
        if pair.report is not None and pair.report.assessment.undetermined:
            unknown.append(task)
        failures += pair_failures(pair, results)
        for stage in STAGE_FILES:
            counts[stage][_state(pair, stage, results / task.path)] += 1
    lines = [
        f"{results}: {complete} of {len(tasks)} pairs complete, {_genes(len(genes))}",
        "",
        *_counts(counts),
        "",
        *run_tokens(results, tasks).lines(),
        *_undetermined(results, unknown),
        *_last(failures, results),
    ]
    return "\n".join(lines) + "\n"


def _genes(number: int) -> str:
    return f"{number} gene{'' if number == 1 else 's'}"


def _gene_state(gene: Gene, folder: Path) -> str:
    if PHASE1 in gene.files:
        return "done"
    if gene.failed:
        return "failed"
    return "started" if journal_path(folder, Stage.PHASE1.value).exists() else "not yet"


def _state(pair: Pair, stage: Stage, folder: Path) -> str:
    if pair.done(stage):
        return "done"
    if pair.failure is not None and pair.failure.stage is stage:
        return "failed"
    # Listed once per pair: a folder without journals needs no further look.
    journalled = ".journal" in pair.files and journal_path(folder, stage.value).exists()
    return "started" if journalled else "not yet"


def _counts(counts: Mapping[Stage, Counter[str]]) -> list[str]:
    rows = [
        (stage.value, *(str(counts[stage][state]) for state in HEADER[1:]))
        for stage in (Stage.PHASE1, *STAGE_FILES)
    ]
    return aligned([HEADER, *rows], right=(1, 2, 3, 4))


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
