"""Running one stage of one pair: journal, models, outputs, and how a failure is left behind."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intogen_agent.cohort.handover import read_task
from intogen_agent.cohort.tasks import Task
from intogen_agent.config.load import load_settings
from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import write_snapshot
from intogen_agent.errors import ErrorClass, StageFailure, UserError
from intogen_agent.files import digest, write_json
from intogen_agent.llm.models import Models
from intogen_agent.models import SCHEMA_VERSION, Cancer, GeneIdentity, Stage, Status
from intogen_agent.provenance.audit import stage_entries
from intogen_agent.provenance.journal import Entry, Journal
from intogen_agent.provenance.recorder import Recorder

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
    """

    stage: Stage
    task: Task
    settings: Settings
    folder: Path
    fingerprint: str
    store: Path | None
    store_identity: str
    logs: Path

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
    stage_settings: Sequence[str],
    folder: Path,
    store: Path | None,
    log: Path,
) -> Job:
    """Build a job from what a rule's script has at hand.

    Args:
        stage: The stage.
        config: Snakemake's configuration.
        task: The task as JSON (`cohort.handover.task_text`).
        stage_settings: The rule's `settings` parameter: sorted `key=value` lines.
        folder: The folder of the stage's outputs.
        store: The local evidence store, if any.
        log: The rule's log file.
    """
    return Job(
        stage=stage,
        task=read_task(task),
        settings=load_settings(config),
        folder=folder,
        fingerprint=digest(list(stage_settings))[:16],
        store=store,
        store_identity=next((s for s in stage_settings if s.startswith("store=")), ""),
        logs=log.parent / log.stem,
    )


def run_stage(job: Job, function: StageFunction, log: Path) -> int:
    """Run a stage that calls models or tools, and write its outputs.

    Every call is journalled before it counts, so a killed stage goes on where it was.

    Args:
        job: The job.
        function: The stage; it returns what to write where.
        log: The rule's log file.

    Returns:
        The exit code: 0, or 1 after a failure.
    """

    def work() -> None:
        for path, value in asyncio.run(_journalled(job, function)).items():
            write_json(path, value)

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
            work()
        except (StageFailure, UserError) as error:
            _leave_failure(job, error)
            return 1
        except Exception as error:
            logger.exception("unexpected error")
            _leave_failure(job, error)
            raise
        _clear_failure(job)
    return 0


async def _journalled(job: Job, function: StageFunction) -> Mapping[Path, Any]:
    write_snapshot(job.settings)
    path = job.folder / ".journal" / f"{job.stage.value}.jsonl"
    earlier: Iterable[Entry] = stage_entries(job.folder, job.stage.value)
    with Journal(path) as journal:
        recorder = Recorder(journal, job.stage.value, earlier)
        try:
            async with Models(job.settings, recorder, job.logs) as models:
                return await function(Run(job, recorder, models))
        except StageFailure as error:
            recorder.failed(error.error.value, error.message, error.requests)
            raise


def _leave_failure(job: Job, error: Exception) -> None:
    kind = error.error if isinstance(error, StageFailure) else ErrorClass.INTERNAL
    message = str(error).splitlines()[0][:500] if str(error) else type(error).__name__
    logger.error("%s: %s", kind.value, message)
    write_json(
        job.folder / "failure.json",
        {
            "gene": job.task.gene,
            "cancer_type": None if job.stage is Stage.PHASE1 else job.task.cancer_type,
            "stage": job.stage.value,
            "error": kind.value,
            "message": message,
            "fingerprint": job.fingerprint,
        },
    )


def _clear_failure(job: Job) -> None:
    """Remove the record of a failure that this stage's success has overtaken."""
    path = job.folder / "failure.json"
    try:
        stage = json.loads(path.read_text())["stage"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError):
        stage = job.stage.value
    if stage == job.stage.value:
        path.unlink()


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
    log.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(log, mode="w", encoding="utf-8")
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
