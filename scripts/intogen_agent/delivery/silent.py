"""Jobs that ended without a word: killed before they could leave a record, or never started.

Only Snakemake knows of them: it names the log files of failed jobs in its own log. They are put on
record where a failing stage would have done it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.delivery.failures import log_path
from intogen_agent.delivery.pair import PHASE1
from intogen_agent.errors import ErrorClass
from intogen_agent.failure import FAILURE, write_failure
from intogen_agent.models import STAGE_FILES, Stage

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
        undone = [job for job in jobs if not _done(folder, job[0])]
        if undone and not (folder / FAILURE).exists():
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


def _done(folder: Path, stage: Stage) -> bool:
    names = STAGE_FILES.get(stage, (PHASE1,))
    return all((folder / name).exists() for name in names)
