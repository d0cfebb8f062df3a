"""The rows of failures.tsv."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.pair import FAILURE, Damage, Gene, Pair
from intogen_agent.delivery.rows import FailureRow
from intogen_agent.errors import ErrorClass
from intogen_agent.models import Stage


def gene_failures(gene: Gene, task: Task, results: Path) -> list[FailureRow]:
    """Return why a gene's phase 1 failed, and which of its files cannot be read.

    Args:
        gene: What is there of the gene.
        task: One of its tasks.
        results: The folder of results.
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
    return rows + list(_damaged(gene.damaged, task.gene, None, results, task.gene_path))


def pair_failures(pair: Pair, results: Path) -> list[FailureRow]:
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
    return rows + list(_damaged(pair.damaged, task.gene, task.cancer_type, results, task.path))


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
