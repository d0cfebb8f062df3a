"""The closing text of a run: what came out, and which pages to open."""

from collections.abc import Sequence
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.collect import partial_folder
from intogen_agent.delivery.columns import aligned
from intogen_agent.delivery.rows import ReportRow
from intogen_agent.delivery.tables import build_tables
from intogen_agent.delivery.tokens import run_tokens
from intogen_agent.delivery.tsv import cell

HEADER = ("gene", "cancer", "involvement", "role", "references", "mechanisms")
PAGES = 3


def overview(results: Path, tasks: Sequence[Task]) -> str:
    """Return a table of all pairs that have a report or failed, tokens, and the pages to open.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.

    Returns:
        Lines for a terminal.
    """
    rows = build_tables(results, tasks, {}).reports
    if not rows:
        return f"No reports in {results} yet.\n"
    table = aligned([HEADER, *map(_cells, rows)], right=(4, 5))
    used = run_tokens(results, tasks).lines()
    return "\n".join([*table, "", *used, "", "Open:", *_pages(results, rows)]) + "\n"


def _cells(row: ReportRow) -> tuple[str, ...]:
    numbers = (row.references, row.mechanisms)
    return (
        cell(row.gene),
        cell(row.cancer_type),
        _involvement(row),
        row.role_of_action or "-",
        *("-" if number is None else str(number) for number in numbers),
    )


def _involvement(row: ReportRow) -> str:
    if row.involvement is None:
        return row.status
    word = "undetermined" if row.undetermined else row.involvement.replace("_", " ")
    return f"{word} ({row.status})" if row.status in ("failed", "incomplete") else word


def _pages(results: Path, rows: Sequence[ReportRow]) -> list[str]:
    chosen = [row for row in rows if row.status not in ("failed", "incomplete")]
    # A supported pair with its mechanisms shows most.
    chosen.sort(key=lambda row: (not row.mechanisms, row.task == "pan-cancer"))
    pages = [
        (results / row.path / name, what)
        for row in chosen[:PAGES]
        for name, what in (
            ("summary.md", f"one page on {row.gene} in {row.cancer_type}"),
            ("report.md", "its report, every reference a link"),
        )
    ]
    public = results / "reports.tsv"
    table = public if public.is_file() else partial_folder(results) / "reports.tsv"
    if table.is_file():
        pages.append((table, "one row per pair"))
    return [f"  {line}" for line in aligned([(path.as_posix(), what) for path, what in pages])]
