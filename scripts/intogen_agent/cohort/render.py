"""The task table and the table of dropped rows, as TSV."""

from collections.abc import Iterable

from intogen_agent.cohort.tasks import Cohort, Dropped, Task

TASK_COLUMNS = (
    "gene",
    "cancer_type",
    "cancer_name",
    "scheme",
    "path",
    "task",
    "cohorts",
    "methods",
    "qvalue_min",
    "mutated_samples",
    "role",
    "role_votes",
)
DROPPED_COLUMNS = ("file", "line", "gene", "cancer_type", "reason")


def task_table(cohort: Cohort) -> str:
    """Return the tasks as TSV with a header; lists are joined by commas (`Act:3,LoF:1`)."""
    return _tsv(TASK_COLUMNS, map(_task_row, cohort.tasks))


def dropped_table(cohort: Cohort) -> str:
    """Return the dropped rows as TSV with a header; control characters are escaped."""
    return _tsv(DROPPED_COLUMNS, map(_dropped_row, cohort.dropped))


def dropped_lines(cohort: Cohort) -> list[str]:
    """Return one line per dropped row for people: place, gene, cancer type and reason."""
    return [
        f"{_cell(row.file)}, line {row.line}: {_cell(row.gene)[:40]} {_cell(row.cancer_type)[:40]}:"
        f" {row.reason}"
        for row in cohort.dropped
    ]


def _task_row(task: Task) -> tuple[str, ...]:
    head = (
        task.gene,
        task.cancer_type,
        task.cancer_name,
        task.scheme,
        task.path,
        task.task,
    )
    found = task.statistics
    if found is None:
        return (*head, *[""] * (len(TASK_COLUMNS) - len(head)))
    return (
        *head,
        ",".join(found.cohorts),
        ",".join(found.methods),
        "" if found.qvalue_min is None else repr(found.qvalue_min),
        "" if found.mutated_samples is None else str(found.mutated_samples),
        found.role,
        ",".join(f"{role}:{count}" for role, count in found.role_votes),
    )


def _dropped_row(row: Dropped) -> tuple[str, ...]:
    return row.file, str(row.line), row.gene, row.cancer_type, row.reason


def _tsv(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = ["\t".join(columns), *("\t".join(map(_cell, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Keep a value in its cell: everything unprintable (tabs, line ends) is escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
