"""What held when a run was planned, handed from the controlling process to its jobs.

A job on another node reads the configuration and the instructions anew, hours later. Only by what
the plan was made from can it tell that they are no longer the same. An environment variable goes
with every job, local or on Slurm (`--export=ALL`), of this workflow or of one that uses it as a
module. Where it is lost, a job knows only what Snakemake hands it.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from intogen_agent.errors import UserError
from intogen_agent.models import Stage
from intogen_agent.prompts import prompt_folder

VARIABLE = "INTOGEN_AGENT_PLANNED"


class RecordFiles(BaseModel):
    """The files that a store is built from, as they were read, and their digest.

    Attributes:
        files: Path, size in bytes and time of the last change in nanoseconds.
    """

    files: list[tuple[str, int, int]]
    digest: str


class Planned(BaseModel):
    """A plan, as far as jobs must know it.

    Attributes:
        stages: Each stage's settings (`config.stages.stage_settings`).
        made_under: What of the snapshot a job would otherwise look up for itself.
        records: The records of the store, if the workflow builds it.
    """

    stages: dict[Stage, list[str]]
    made_under: dict[str, Any]
    records: RecordFiles | None = None


_PLANS = TypeAdapter(dict[str, Planned])


def hand_over(results: Path, planned: Planned) -> None:
    """Let the jobs that this process starts know the plan of a folder of results."""
    plans = {**_plans(), results.as_posix(): planned}
    os.environ[VARIABLE] = _PLANS.dump_json(plans).decode()


def take_back(results: Path) -> None:
    """Forget the plan of a folder: it is to be made anew."""
    plans = _plans()
    if plans.pop(results.as_posix(), None) is not None:
        os.environ[VARIABLE] = _PLANS.dump_json(plans).decode()


def handed(results: Path) -> Planned | None:
    """Return the plan of a folder of results; None outside of a run.

    Args:
        results: The folder as the configuration names it.
    """
    return _plans().get(results.as_posix())


def _plans() -> dict[str, Planned]:
    try:
        return _PLANS.validate_json(os.environ.get(VARIABLE) or "{}")
    except ValidationError:
        raise UserError(
            f"{VARIABLE}: not as this version writes it; if the code was updated since this run "
            "was planned, start the run again, else unset the variable"
        ) from None


def records(results: Path, paths: Sequence[Path], read: Callable[[], str]) -> RecordFiles:
    """Return the digest of a store's record files; in a job of a run they are not read again.

    Args:
        results: The folder of results.
        paths: The files.
        read: Reads them for their digest, unless they are as they were planned with.

    Raises:
        OSError: A file cannot be found or read.
    """
    found = [(path, path.stat()) for path in paths]
    files = [(path.as_posix(), stat.st_size, stat.st_mtime_ns) for path, stat in found]
    plan = handed(results)
    if plan is not None and plan.records is not None and plan.records.files == files:
        return plan.records
    return RecordFiles(files=files, digest=read())


def changes(then: Sequence[str], now: Sequence[str]) -> list[str]:
    """Name what differs between two lists of a stage's settings, for people."""
    before, after = _by_key(then), _by_key(now)
    keys = [key for key in sorted({*before, *after}) if before.get(key) != after.get(key)]
    return [_change(key, before.get(key), after.get(key)) for key in keys]


def _by_key(lines: Sequence[str]) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("=") for line in lines)}


def _change(key: str, then: str | None, now: str | None) -> str:
    if key.startswith("prompt."):
        # The role may be one of another version of the code.
        return f"{prompt_folder() / key.removeprefix('prompt.')}.md was edited"
    if key == "store":
        return "the evidence store, or the records it is built from, changed"
    if key == "version":
        return f"the code was updated (stage version {then} became {now})"
    return f"the option {key} was {_short(then)} and is {_short(now)}"


def _short(value: str | None) -> str:
    if value is None:
        return "not there"
    return value if len(value) <= 60 else f"{value[:57]}..."
