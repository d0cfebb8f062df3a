"""Which run a command speaks of: its folder of results, its tasks and, if known, its settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import intogen_agent
from intogen_agent.cohort.tasks import Cohort, Task
from intogen_agent.config.load import read_config
from intogen_agent.delivery.cohort_file import cohort_path, read_cohort
from intogen_agent.errors import UserError


@dataclass(frozen=True)
class Scope:
    """A run.

    Attributes:
        declared: The folder of results as the rules name it.
        cohort: None where only the task table of the run is known, not its configuration.
        fingerprints: Each stage's fingerprint under the configuration; empty if unknown.
    """

    results: Path
    declared: Path
    tasks: tuple[Task, ...]
    cohort: Cohort | None
    fingerprints: dict[str, str]


def find_scope(results: Path | None, configfiles: Sequence[Path]) -> Scope:
    """Find a run.

    With configuration files the cohort and the fingerprints are theirs. Without any, the task
    table that the run wrote is enough; where there is none yet, config/config.yaml is asked.

    Args:
        results: The folder of results; None: the configuration's, or `results`.
        configfiles: Merged over config/config.yaml in this order, as Snakemake does.

    Raises:
        UserError: A file or folder is missing, or the configuration is wrong.
    """
    folder = results or Path("results")
    if not configfiles and cohort_path(folder).is_file():
        return Scope(folder, folder, read_cohort(folder), None, {})
    config = merged_config([default_config(), *configfiles])
    if not configfiles and not config.get("drivers"):
        raise UserError(
            f"{cohort_path(folder)}: no such file; name a run's folder of results, or its "
            "configuration with --configfile"
        )
    from intogen_agent.workflow import plan

    planned = plan(config, _root(), surroundings=False)
    folder = results or planned.settings.results
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; name a run's folder of results")
    declared, cohort = planned.settings.results, planned.cohort
    return Scope(folder, declared, cohort.tasks, cohort, planned.fingerprints())


def _root() -> Path:
    return Path(intogen_agent.__file__).resolve().parents[2]


def default_config() -> Path:
    """Return config/config.yaml of the checkout that the package is installed from."""
    return _root() / "config" / "config.yaml"


def merged_config(paths: Sequence[Path], over: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Read configuration files; later ones win, option by option.

    Args:
        paths: The files.
        over: What wins over all of them.

    Raises:
        UserError: A file is missing or is no configuration.
    """
    config: dict[str, Any] = {}
    for path in paths:
        _merge(config, read_config(path))
    _merge(config, over or {})
    return config


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> None:
    for key, value in over.items():
        below = base.get(key)
        if isinstance(value, Mapping) and isinstance(below, dict):
            _merge(below, value)
        else:
            base[key] = value
