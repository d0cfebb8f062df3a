"""One function per rule: what a rule's script calls with what Snakemake hands it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from intogen_agent.config import places
from intogen_agent.config.load import load_settings
from intogen_agent.errors import UserError
from intogen_agent.jobs import (
    Job,
    Run,
    StageFunction,
    make_job,
    run_logged,
    run_stage,
    run_task,
)
from intogen_agent.models import Stage

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Handed:
    """What Snakemake hands to the script of a stage.

    Attributes:
        config: The configuration.
        task: The task as JSON.
        settings: The stage's dependencies, sorted `key=value` lines.
        output: The first declared output; its folder is the task's.
        log: The log file.
        store: The local evidence store, if the workflow builds it.
    """

    config: Mapping[str, Any]
    task: str
    settings: Sequence[str]
    output: str
    log: str
    store: Sequence[str] = ()


def _read(path: Path, model: type[M]) -> M:
    return model.model_validate_json(path.read_bytes())


def _job(stage: Stage, handed: Handed) -> Job:
    store = Path(handed.store[0]) if handed.store else _configured_store(handed.config)
    log, folder = Path(handed.log), Path(handed.output).parent
    return make_job(stage, handed.config, handed.task, handed.settings, folder, store, log)


def _configured_store(config: Mapping[str, Any]) -> Path | None:
    return places.found(load_settings(config), places.checkout()).store.path


def _run(stage: Stage, handed: Handed, function: StageFunction) -> int:
    return run_stage(_job(stage, handed), function, Path(handed.log))


def phase1(handed: Handed) -> int:
    """Rule `phase1`; returns the exit code."""
    from intogen_agent.evidence.phase1 import run_phase1

    return _run(Stage.PHASE1, handed, run_phase1)


def phase2(handed: Handed) -> int:
    """Rule `phase2`; returns the exit code."""
    from intogen_agent.evidence.models import Phase1
    from intogen_agent.evidence.phase2 import run_phase2

    async def function(run: Run) -> Mapping[Path, Any]:
        return await run_phase2(run, _read(run.job.folder.parent / "phase1.json", Phase1))

    return _run(Stage.PHASE2, handed, function)


def report(handed: Handed) -> int:
    """Rule `report`; returns the exit code."""
    from intogen_agent.report.rules import read_evidence
    from intogen_agent.report.stage import run_report

    async def function(run: Run) -> Mapping[Path, Any]:
        return await run_report(run, read_evidence(run.job.folder))

    return _run(Stage.REPORT, handed, function)


def critique(handed: Handed) -> int:
    """Rule `critique`; returns the exit code."""
    from intogen_agent.report.models import FinalReport
    from intogen_agent.report.rules import read_evidence
    from intogen_agent.review.stage import run_critique

    async def function(run: Run) -> Mapping[Path, Any]:
        folder = run.job.folder
        first = _read(folder / "report.json", FinalReport)
        return await run_critique(run, read_evidence(folder), first)

    return _run(Stage.CRITIQUE, handed, function)


def summary(handed: Handed) -> int:
    """Rule `summary`; returns the exit code."""
    from intogen_agent.report.models import FinalReport
    from intogen_agent.summary.stage import run_summary

    async def function(run: Run) -> Mapping[Path, Any]:
        return await run_summary(run, _read(run.job.folder / "reviewed.json", FinalReport))

    return _run(Stage.SUMMARY, handed, function)


def render(handed: Handed, statistics: str) -> int:
    """Rule `render`; returns the exit code.

    Args:
        handed: What Snakemake hands over.
        statistics: intOGen's statistics of the pair as JSON.
    """
    from intogen_agent.delivery.render import render_pair

    job = _job(Stage.RENDER, handed)
    return run_task(job, lambda: render_pair(job, statistics), Path(handed.log))


def store(config: Mapping[str, Any], root: Path, output: str | None, log: str) -> int:
    """Rule `store`; returns the exit code.

    Args:
        config: The configuration.
        root: The repository.
        output: What to build; None: the store is there already and is only looked at.
        log: The log file.
    """
    from intogen_agent.store.build import build_store, records_digest
    from intogen_agent.workflow import plan

    def build() -> None:
        planned = plan(config, root, surroundings=False)
        store = Path(output or str(planned.store))
        found = records_digest(Path(str(planned.store_records)), planned.cancer_types)
        if f"-{found[:12]}." not in store.name:
            raise UserError("store.records: changed since this run began; start it again")
        build_store(Path(str(planned.store_records)), store, planned.cancer_types)

    return run_logged(build, Path(log))


def tables(
    config: Mapping[str, Any],
    root: Path,
    planned_as: str,
    outputs: Mapping[str, str],
    log: str,
) -> int:
    """Rule `tables`; returns the exit code.

    Args:
        config: The configuration.
        root: The repository.
        planned_as: The rule's parameter: what the tables were planned from (`table_settings`).
        outputs: The tables by name.
        log: The log file.
    """
    from intogen_agent.delivery.tables import make_tables
    from intogen_agent.workflow import plan

    def make() -> None:
        planned = plan(config, root, surroundings=False)
        if planned.table_settings() != planned_as:
            raise UserError(
                "the drivers table, an instruction or an option was edited since this run was "
                "planned: start the run again"
            )
        make_tables(planned.settings.results, planned.cohort, planned.fingerprints(), dict(outputs))

    return run_logged(make, Path(log))
