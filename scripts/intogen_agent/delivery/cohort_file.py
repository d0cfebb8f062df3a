"""`_run/cohort.tsv`: every task of a run, then every input row that was dropped, with the reason.

The columns are those of `intogen-agent cohort`, then `origin` (intogen or configuration), `status`
(task or dropped), `reason` and `source` (file:line of a dropped row).
"""

from pathlib import Path
from typing import Literal

from intogen_agent.cohort.render import DROPPED_COLUMNS, TASK_COLUMNS, dropped_table, task_table
from intogen_agent.cohort.statistics import Statistics
from intogen_agent.cohort.tasks import Cohort, Task
from intogen_agent.delivery.tsv import write_if_changed
from intogen_agent.errors import UserError

COLUMNS = (*TASK_COLUMNS, "origin", "status", "reason", "source")


def cohort_path(results: Path) -> Path:
    """Return where the file lies in a folder of results."""
    return results / "_run" / "cohort.tsv"


def write_cohort(cohort: Cohort, results: Path) -> None:
    """Write the file, unless it holds the same already."""
    tasks = _cells(task_table(cohort))
    lines = [
        [*cells, task.origin, "task", "", ""]
        for cells, task in zip(tasks, cohort.tasks, strict=True)
    ]
    for cells in _cells(dropped_table(cohort)):
        row = dict(zip(DROPPED_COLUMNS, cells, strict=True))
        known = {
            "gene": row["gene"],
            "cancer_type": row["cancer_type"],
            "status": "dropped",
            "reason": row["reason"],
            "source": f"{row['file']}:{row['line']}",
        }
        lines.append([known.get(column, "") for column in COLUMNS])
    text = "".join("\t".join(line) + "\n" for line in [list(COLUMNS), *lines])
    write_if_changed(cohort_path(results), text)


def _cells(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.rstrip("\n").split("\n")[1:]]


def read_cohort(results: Path) -> tuple[Task, ...]:
    """Read the tasks of a run back; they have no search terms.

    Raises:
        UserError: The file is missing or was changed by hand.
    """
    path = cohort_path(results)
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise UserError(
            f"{path}: no such file; name a run's folder of results, or its configuration with "
            "--configfile"
        ) from None
    header, *rows = text.rstrip("\n").split("\n")
    if header.split("\t") != list(COLUMNS):
        raise UserError(f"{path}, line 1: not the header of a task table; run the workflow again")
    tasks = []
    for number, line in enumerate(rows, start=2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise UserError(
                f"{path}, line {number}: {len(cells)} columns where {len(COLUMNS)} are expected; "
                "run the workflow again"
            )
        row = dict(zip(COLUMNS, cells, strict=True))
        if row["status"] == "task":
            tasks.append(_task(row, f"{path}, line {number}"))
    return tuple(tasks)


def _task(row: dict[str, str], place: str) -> Task:
    kind: Literal["pair", "pan-cancer"] = "pan-cancer" if row["task"] == "pan-cancer" else "pair"
    if row["path"].count("/") != 1 or ".." in row["path"].split("/"):
        raise UserError(f"{place}, column path: {row['path']!r} is no GENE/CANCER folder")
    try:
        statistics = _statistics(row)
    except ValueError as error:
        raise UserError(f"{place}: {error}; run the workflow again") from None
    return Task(
        gene=row["gene"],
        cancer_type=row["cancer_type"],
        cancer_name=row["cancer_name"],
        scheme=row["scheme"],
        search_terms=(),
        path=row["path"],
        task=kind,
        origin=row["origin"],
        statistics=statistics,
    )


def _statistics(row: dict[str, str]) -> Statistics | None:
    votes = [vote.rpartition(":") for vote in _list(row["role_votes"])]
    found = Statistics(
        cohorts=_list(row["cohorts"]),
        methods=_list(row["methods"]),
        qvalue_min=float(row["qvalue_min"]) if row["qvalue_min"] else None,
        mutated_samples=int(row["mutated_samples"]) if row["mutated_samples"] else None,
        role=row["role"],
        role_votes=tuple((role, int(count)) for role, _, count in votes),
    )
    return None if found == Statistics((), (), None, None, "", ()) else found


def _list(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(",")) if cell else ()
