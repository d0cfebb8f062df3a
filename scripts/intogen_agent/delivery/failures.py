"""The rows of failures.tsv."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.pair import FAILURE, PHASE1, Damage, Gene, Pair
from intogen_agent.delivery.rows import FailureRow
from intogen_agent.errors import ErrorClass
from intogen_agent.models import STAGE_FILES, Stage
from intogen_agent.provenance.audit import journal_path
from intogen_agent.provenance.liveness import Lease, Leases


def gene_failures(gene: Gene, task: Task, results: Path, leases: Leases) -> list[FailureRow]:
    """Return why a gene's phase 1 failed, and which of its files cannot be read.

    Args:
        gene: What is there of the gene.
        task: One of its tasks.
        results: The folder of results.
        leases: Who works on what.
    """
    rows = []
    if gene.failed and gene.failure is not None:
        rows.append(
            FailureRow(
                gene=task.gene,
                cancer_type=None,
                stage=Stage.PHASE1.value,
                error=gene.failure.error,
                message=gene.failure.message,
                log=log_path(results, task.gene_path, Stage.PHASE1),
                path=task.gene_path,
            )
        )
    elif PHASE1 not in gene.files:
        rows += _interrupted(results, task.gene_path, task.gene, None, (Stage.PHASE1,), leases)
    return rows + list(_damaged(gene.damaged, task.gene, None, results, task.gene_path))


def pair_failures(pair: Pair, results: Path, leases: Leases) -> list[FailureRow]:
    """Return why a pair is not complete, if it failed: a pair that never ran is no failure.

    A pair whose gene failed in phase 1 is listed under that stage as blocked. What its own
    `failure.json` says is then older.
    """
    task, rows = pair.task, []
    if pair.gene.failed:
        rows.append(_blocked(pair, results))
    elif not pair.complete and pair.failure is not None:
        rows.append(
            FailureRow(
                gene=task.gene,
                cancer_type=task.cancer_type,
                stage=pair.failure.stage.value,
                error=pair.failure.error,
                message=pair.failure.message,
                log=log_path(results, task.path, pair.failure.stage),
                path=task.path,
            )
        )
    elif not pair.complete and ".journal" in pair.files:
        undone = [stage for stage in STAGE_FILES if not pair.done(stage)]
        rows += _interrupted(results, task.path, task.gene, task.cancer_type, undone[:1], leases)
    return rows + list(_damaged(pair.damaged, task.gene, task.cancer_type, results, task.path))


def _interrupted(
    results: Path,
    path: str,
    gene: str,
    cancer_type: str | None,
    stages: Iterable[Stage],
    leases: Leases,
) -> Iterator[FailureRow]:
    """Yield a stage that began and did not end, and that nobody works on.

    It was killed: by a user, for its memory, or at the end of its time on a cluster. One that may
    still run where leases are invisible is none yet.
    """
    for stage in stages:
        journal = journal_path(results / path, stage.value)
        if journal.exists() and leases.of(journal) is Lease.FREE:
            yield FailureRow(
                gene=gene,
                cancer_type=cancer_type,
                stage=stage.value,
                error=ErrorClass.INTERRUPTED.value,
                message="the stage was killed; it goes on from its journal when it is run again",
                log=log_path(results, path, stage),
                path=path,
            )


def _blocked(pair: Pair, results: Path) -> FailureRow:
    task, cause = pair.task, pair.gene.failure
    why = f"{cause.error}: {cause.message}" if cause else f"{FAILURE} cannot be read"
    return FailureRow(
        gene=task.gene,
        cancer_type=task.cancer_type,
        stage=Stage.PHASE1.value,
        error=ErrorClass.BLOCKED.value,
        message=f"phase 1 of {task.gene} failed: {why}",
        log=log_path(results, task.gene_path, Stage.PHASE1),
        path=task.path,
    )


def _damaged(
    damages: Iterable[Damage], gene: str, cancer_type: str | None, results: Path, path: str
) -> Iterator[FailureRow]:
    for damage in damages:
        yield FailureRow(
            gene=gene,
            cancer_type=cancer_type,
            stage=damage.stage.value if damage.stage else "",
            error=ErrorClass.INTERNAL.value,
            message=f"{damage.name} cannot be read: {damage.reason}; delete it and run again",
            log=log_path(results, path, damage.stage) if damage.stage else None,
            path=path,
        )


def log_path(results: Path, path: str, stage: Stage) -> str:
    """Return a stage's log file, as the rules name it."""
    return (results / "_run" / "logs" / path / f"{stage.value}.log").as_posix()
