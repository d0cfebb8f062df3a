"""Results of tasks that are no longer in the cohort."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.rows import RetiredRow

# The stage files that say most, first.
_FILES = ("reviewed.json", "report.json", "phase2.json")


def retired_rows(results: Path, tasks: Iterable[Task]) -> list[RetiredRow]:
    """Return a row for every pair's folder that holds results and belongs to no task.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.
    """
    paths = {task.path for task in tasks}
    return [
        _row(folder, path)
        for folder in _pair_folders(results)
        if (path := f"{folder.parent.name}/{folder.name}") not in paths
        and any((folder / name).is_file() for name in _FILES)
    ]


def _pair_folders(results: Path) -> Iterator[Path]:
    for gene in _folders(results):
        yield from _folders(gene)


def _folders(folder: Path) -> list[Path]:
    """Return the folders in a folder; names that begin with `_` or `.` belong to the run."""
    return sorted(
        entry for entry in folder.iterdir() if entry.name[0] not in "_." and entry.is_dir()
    )


def _row(folder: Path, path: str) -> RetiredRow:
    for name in _FILES:
        try:
            value = from_json((folder / name).read_bytes())
            return RetiredRow(
                gene=value["gene"]["symbol"],
                cancer_type=value["cancer"]["code"],
                path=path,
                involvement=_involvement(value),
            )
        except (OSError, ValueError, TypeError, KeyError):
            # The next file may be sound; what is retired is not worth more than this.
            continue
    return RetiredRow(gene=folder.parent.name, cancer_type=folder.name, path=path, involvement=None)


def _involvement(value: dict[str, Any]) -> str | None:
    assessment = value.get("assessment")
    return str(assessment["involvement"]) if assessment else None
