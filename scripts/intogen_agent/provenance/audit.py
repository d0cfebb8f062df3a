"""The audit files: all calls of a journey, written once from the journals.

`results/<gene>/audit.jsonl.gz` holds phase 1, `results/<gene>/<cancer>/audit.jsonl.gz` the pair's
own stages. Raw payloads, arguments, times and tokens are all there.
"""

import gzip
import json
import logging
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from intogen_agent.errors import StageFailure
from intogen_agent.files import canonical_json, write_gzip_lines
from intogen_agent.provenance.journal import Entry, Journal, read_entries

AUDIT = "audit.jsonl.gz"

logger = logging.getLogger(__name__)


def journal_path(folder: Path, stage: str) -> Path:
    """Return the journal of a stage in a folder of results."""
    return folder / ".journal" / f"{stage}.jsonl"


def stage_entries(folder: Path, stage: str) -> list[Entry]:
    """Return a stage's entries in a folder's audit file; none if there is no such file."""
    return [entry for entry in _read_audit(folder / AUDIT) if entry.get("stage") == stage]


def _read_audit(path: Path) -> list[Entry]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as handle:
            return [json.loads(line) for line in handle]
    except FileNotFoundError:
        return []
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
        # It is a record and a cache: what cannot be read is asked again, never guessed.
        logger.warning("%s cannot be read (%s); its calls are not reused", path, error)
        return []


def merged_entries(folder: Path, stages: Sequence[str]) -> list[Entry]:
    """Return all calls of some stages: from the journal where there is one, else the audit."""
    audit = _read_audit(folder / AUDIT)
    entries: list[Entry] = []
    for stage in stages:
        journalled = list(read_entries(journal_path(folder, stage)))
        entries += journalled or [entry for entry in audit if entry.get("stage") == stage]
    return entries


def close_journals(folder: Path, stages: Sequence[str]) -> list[Entry]:
    """Merge the journals of finished stages into the audit file, then remove them.

    A journal that another process works with is merged and stays: that process removes it.

    Returns:
        The merged entries.
    """
    with ExitStack() as stack:
        held = [path for stage in stages if _hold(path := journal_path(folder, stage), stack)]
        entries = merged_entries(folder, stages)
        write_gzip_lines(folder / AUDIT, (canonical_json(entry) for entry in entries))
        for path in held:
            path.unlink(missing_ok=True)
    directory = folder / ".journal"
    if directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()
    return entries


def _hold(path: Path, stack: ExitStack) -> bool:
    """Take the lease on a journal if there is one and nobody has it."""
    if not path.exists():
        return False
    try:
        stack.enter_context(Journal(path))
    except StageFailure:
        return False
    return True
