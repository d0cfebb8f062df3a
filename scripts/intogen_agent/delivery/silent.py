"""Jobs that ended without a word: killed before they could leave a record, or never started.

Only Snakemake knows of them: it names the log files of failed jobs in its own log. They are put on
record where a failing stage would have done it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.failures import log_path
from intogen_agent.delivery.pair import FailureFile, stage_files, stands, stored_fingerprint
from intogen_agent.errors import ErrorClass
from intogen_agent.failure import FAILURE, write_failure
from intogen_agent.models import Stage

FAILED_LOG = re.compile(r"^\s+log: (.+?) \(check log file", re.MULTILINE)
MESSAGE = (
    "the job left no record: it was killed, could not start or could not write (see its log and "
    "Snakemake's); it goes on from what is on record when it is run again"
)


def record_silent_failures(
    logs: Sequence[str], results: Path, tasks: Iterable[Task], fingerprints: Mapping[str, str]
) -> None:
    """Leave a `failure.json` for every failed job that left none.

    Args:
        logs: Snakemake's log files; what cannot be read tells nothing.
        results: The folder of results.
        tasks: The tasks of the run.
        fingerprints: Each stage's fingerprint.
    """
    failed = {name for log in logs for name in FAILED_LOG.findall(_text(Path(log)))}
    silent: dict[Path, list[tuple[Stage, Task]]] = defaultdict(list)
    for task in tasks:
        for stage in Stage:
            path = task.gene_path if stage is Stage.PHASE1 else task.path
            if log_path(results, path, stage) in failed:
                silent[results / path].append((stage, task))
    for folder, jobs in silent.items():
        undone = [job for job in jobs if not _done(folder, job[0], fingerprints)]
        if undone and not _told(folder, fingerprints):
            stage, task = undone[0]
            fingerprint = fingerprints.get(stage.value, "")
            # A disk that takes nothing must not keep the other failures off the record.
            with suppress(OSError):
                write_failure(folder, task, stage, ErrorClass.INTERRUPTED, MESSAGE, fingerprint)


def _text(log: Path) -> str:
    try:
        return log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _done(folder: Path, stage: Stage, wanted: Mapping[str, str]) -> bool:
    """Tell whether a stage was made as it is wanted.

    The files of an earlier configuration are still there if the job never started.
    """
    if not all((folder / name).exists() for name in stage_files(stage)):
        return False
    fingerprint = wanted.get(stage.value)
    return fingerprint is None or stored_fingerprint(folder, stage) in (None, fingerprint)


def _told(folder: Path, wanted: Mapping[str, str]) -> bool:
    """Tell whether a failure is on record that still stands."""
    try:
        failure = FailureFile.model_validate_json((folder / FAILURE).read_bytes())
    except FileNotFoundError:
        return False
    except (ValidationError, OSError):
        return True
    return stands(failure, folder, wanted)
