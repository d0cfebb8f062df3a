"""Running one stage of one pair: journal, models, outputs, and how a failure is left behind."""

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intogen_agent.cohort.handover import read_task
from intogen_agent.cohort.tasks import Task
from intogen_agent.config.load import load_settings
from intogen_agent.config.planned import changes, handed
from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import write_snapshot
from intogen_agent.config.stages import stage_settings
from intogen_agent.errors import ErrorClass, StageFailure, UserError
from intogen_agent.failure import FAILURE, clear_failure, write_failure
from intogen_agent.files import digest, write_json
from intogen_agent.llm.models import Models
from intogen_agent.models import (
    SCHEMA_VERSION,
    STAGE_FILES,
    Cancer,
    GeneIdentity,
    Stage,
    Status,
)
from intogen_agent.provenance.audit import AUDIT, close_journals, journal_path, stage_entries
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

LEASE_PATIENCE = 5.0
# What a disk says that is full, read-only, somebody else's, broken or gone.
STORAGE_ERRORS = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.EIO,
    errno.ESTALE,
    errno.ENODEV,
    errno.ENOTCONN,
}

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """One stage of one task.

    Attributes:
        folder: The folder of the task's results: of the gene in phase 1, else of the pair.
        fingerprint: Digest of everything but the evidence that decides the stage's result.
        store: The local evidence store, if there is one.
        store_identity: What tells this store's content from another's.
        logs: Folder for the logs of this job's servers.
        planned: The stage's settings as the run was planned; empty: not known.
    """

    stage: Stage
    task: Task
    settings: Settings
    folder: Path
    fingerprint: str
    store: Path | None
    store_identity: str
    logs: Path
    planned: tuple[str, ...] = ()

    @property
    def cancer(self) -> Cancer:
        """The task's cancer type as the files carry it."""
        return Cancer(
            code=self.task.cancer_type,
            scheme=self.task.scheme,
            name=self.task.cancer_name,
            pan_cancer=self.task.task == "pan-cancer",
        )

    def head(self, gene: GeneIdentity, cancer: Cancer | None) -> dict[str, Any]:
        """Return the head of a stage file."""
        return {
            "schema_version": SCHEMA_VERSION,
            "gene": gene,
            "cancer": cancer,
            "stage": self.stage,
            "status": Status.OK,
            "fingerprint": self.fingerprint,
        }

    def server_values(self) -> dict[str, str]:
        """Return the values of the MCP commands' placeholders."""
        if self.store is None:
            return {}
        return {"store": str(self.store), "store_identity": self.store_identity}

    def check_unchanged(self) -> None:
        """Make sure that the stage still is what its fingerprint says.

        Raises:
            StageFailure: A file or an option that decides the result is not as it was planned.
        """
        if not self.planned:
            return
        store = _identity(self.store) if self.store_identity else None
        now = stage_settings(self.settings, self.stage, store)
        found = changes(self.planned, now)
        if not found and digest(list(self.planned))[:16] != self.fingerprint:
            # Edited and restored between Snakemake's look and this one.
            found = ["a file or an option was edited"]
        if found:
            raise StageFailure(
                ErrorClass.CHANGED,
                f"{'; '.join(found)} since this run was planned: start the run again",
            )


def _identity(store: Path | None) -> str | None:
    from intogen_agent.store.reader import Reader

    if store is None:
        return None
    reader = Reader(store)
    reader.close()
    return reader.digest[:16]


@dataclass
class Run:
    """What a stage's function works with."""

    job: Job
    recorder: Recorder
    models: Models


StageFunction = Callable[[Run], Awaitable[Mapping[Path, Any]]]


def make_job(
    stage: Stage,
    config: Mapping[str, Any],
    task: str,
    lines: Sequence[str],
    folder: Path,
    store: Path | None,
    log: Path,
) -> Job:
    """Build a job from what a rule's script has at hand.

    Args:
        stage: The stage.
        config: Snakemake's configuration.
        task: The task as JSON (`cohort.handover.task_text`).
        lines: The rule's `settings` parameter: sorted `key=value` lines.
        folder: The folder of the stage's outputs.
        store: The local evidence store, if any.
        log: The rule's log file.
    """
    settings = load_settings(config)
    plan = handed(settings.results)
    return Job(
        stage=stage,
        task=read_task(task),
        settings=settings,
        folder=folder,
        fingerprint=digest(list(lines))[:16],
        store=store,
        store_identity=next((s for s in lines if s.startswith("store=")), ""),
        logs=log.parent / log.stem,
        # In a job of Slurm's the rule's parameter is not older than the job.
        planned=tuple(lines if plan is None else plan.stages.get(stage, lines)),
    )


def run_stage(job: Job, function: StageFunction, log: Path) -> int:
    """Run a stage that calls models or tools, and write its outputs.

    Every call is journalled before it counts, so a killed stage goes on where it was. The lease on
    the journal is held until the outputs are written.

    Args:
        job: The job.
        function: The stage; it returns what to write where.
        log: The rule's log file.

    Returns:
        The exit code: 0, or 1 after a failure.
    """

    def work() -> None:
        write_snapshot(job.settings)
        with Journal(journal_path(job.folder, job.stage.value), LEASE_PATIENCE) as journal:
            clear_failure(job.folder, job.stage)
            _remove_leftovers(job)
            journal.find_room()
            outputs = asyncio.run(_journalled(job, function, journal))
            journal.check_place()
            # Instructions are read for every request: none may have changed on the way.
            job.check_unchanged()
            for path, value in outputs.items():
                write_json(path, value)
        if job.stage is Stage.PHASE1:
            close_journals(job.folder, [job.stage.value])

    return run_task(job, work, log)


def run_task(job: Job, work: Callable[[], None], log: Path) -> int:
    """Do the work of a task's rule; a failure stays on record.

    A failure that is understood leaves `failure.json` beside the results (no rule declares it)
    and is one line on standard error.

    Returns:
        The exit code: 0, or 1 after a failure.
    """
    with _logging_to(log):
        try:
            if job.stage is Stage.RENDER:
                _remove_leftovers(job)
            job.check_unchanged()
            work()
        except (StageFailure, UserError) as error:
            _leave_failure(job, error)
            return 1
        except Exception as error:
            if isinstance(error, OSError) and _is_of_storage(error, job.folder):
                _leave_failure(job, _storage_failure(error, job.folder))
                return 1
            logger.exception("unexpected error")
            _leave_failure(job, error)
            raise
        clear_failure(job.folder, job.stage)
    return 0


async def _journalled(job: Job, function: StageFunction, journal: Journal) -> Mapping[Path, Any]:
    earlier = stage_entries(job.folder, job.stage.value)
    recorder = Recorder(journal, job.stage.value, earlier, fresh=job.settings.fresh)
    try:
        async with Models(job.settings, recorder, job.logs) as models:
            return await function(Run(job, recorder, models))
    except StageFailure as error:
        recorder.failed(error.error.value, error.message, error.requests)
        raise


def _remove_leftovers(job: Job) -> None:
    """Remove the temporary files of writers that were killed; a lease keeps others away."""
    own = STAGE_FILES.get(job.stage, ("phase1.json",))
    for name in (*own, "report.rejected.json", "phase1.failed.json", FAILURE, AUDIT):
        for path in job.folder.glob(f".{name}.*"):
            path.unlink(missing_ok=True)


def _is_of_storage(error: OSError, folder: Path) -> bool:
    gone = error.errno == errno.ENOENT and not folder.is_dir()
    return gone or error.errno in STORAGE_ERRORS


def _storage_failure(error: OSError, folder: Path) -> StageFailure:
    return StageFailure(
        ErrorClass.STORAGE,
        f"{error.filename or folder}: {error.strerror}; mend the disk and run again, what is on "
        "record is not asked for again",
    )


def _leave_failure(job: Job, error: Exception) -> None:
    kind = error.error if isinstance(error, StageFailure) else ErrorClass.INTERNAL
    message = str(error).splitlines()[0][:500] if str(error) else type(error).__name__
    logger.error("%s: %s", kind.value, message)
    if kind is ErrorClass.BUSY and (job.folder / FAILURE).exists():
        # Whoever works on the stage has its own word on record.
        return
    try:
        write_failure(job.folder, job.task, job.stage, kind, message, job.fingerprint)
    except OSError as problem:
        logger.error("%s cannot be written: %s", job.folder / FAILURE, problem.strerror)


def run_logged(function: Callable[[], None], log: Path) -> int:
    """Run a rule that calls no model, with its messages in the log file.

    Returns:
        The exit code: 0, or 1 after an error of the user's, which is one line.
    """
    with _logging_to(log):
        try:
            function()
        except UserError as error:
            logger.error("ERROR: %s", error)
            return 1
    return 0


@contextmanager
def _logging_to(log: Path) -> Any:
    """Send this package's messages to the rule's log file, and errors to the terminal too."""
    handler = _log_handler(log)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    terminal = logging.StreamHandler()
    terminal.setLevel(logging.ERROR)
    terminal.setFormatter(logging.Formatter("%(message)s"))
    root = logging.getLogger("intogen_agent")
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    root.addHandler(terminal)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.removeHandler(terminal)
        handler.close()


def _log_handler(log: Path) -> logging.Handler:
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        return logging.FileHandler(log, mode="w", encoding="utf-8")
    except OSError:
        # The work itself will say what is wrong with the disk.
        return logging.NullHandler()
