"""The tables of a run that is not finished, and its failures, from whatever exists.

No rule declares these files: hooks and `intogen-agent collect` write them.
"""

from collections.abc import Mapping
from pathlib import Path

from intogen_agent.cohort.tasks import Cohort
from intogen_agent.delivery.cohort_file import read_cohort
from intogen_agent.delivery.retired import retired_rows
from intogen_agent.delivery.rows import FailureRow, RetiredRow
from intogen_agent.delivery.tables import Tables, build_tables, write_tables
from intogen_agent.delivery.tsv import table_text, write_if_changed


def partial_folder(results: Path) -> Path:
    """Return the folder of the partial tables."""
    return results / "_run" / "partial"


def failures_path(results: Path) -> Path:
    """Return where failures.tsv lies."""
    return results / "_run" / "failures.tsv"


def retired_path(results: Path) -> Path:
    """Return where retired.tsv lies."""
    return results / "_run" / "retired.tsv"


def collect(results: Path, cohort: Cohort | None, fingerprints: Mapping[str, str]) -> Tables:
    """(Re)build `_run/partial/*.tsv`, `_run/failures.tsv` and `_run/retired.tsv`.

    Args:
        results: The folder of results.
        cohort: The run's cohort; None reads its tasks from `_run/cohort.tsv`.
        fingerprints: Each stage's fingerprint under the present configuration; empty if unknown.

    Returns:
        The rows.

    Raises:
        UserError: There is no cohort and no `_run/cohort.tsv`.
    """
    tasks = read_cohort(results) if cohort is None else cohort.tasks
    tables = build_tables(results, tasks, fingerprints)
    tables.retired = retired_rows(results, tasks) if results.is_dir() else []
    write_tables(tables, partial_folder(results))
    write_if_changed(failures_path(results), table_text(FailureRow, tables.failures))
    write_if_changed(retired_path(results), table_text(RetiredRow, tables.retired))
    return tables
