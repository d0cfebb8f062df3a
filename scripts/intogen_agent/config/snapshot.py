"""The configuration snapshot of a run: everything that a run was made under, in one file.

The file is a configuration: `snakemake --configfile results/_run/config/<digest>.yaml` makes the
run again. What is no option stands under `made_under`, which the settings pass over.
"""

import importlib.metadata
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from intogen_agent import __version__, locks
from intogen_agent.config import places
from intogen_agent.config.checkout import commit, has_changes
from intogen_agent.config.llm_settings import role_settings
from intogen_agent.config.load import MADE_UNDER
from intogen_agent.config.mcp_settings import McpSettings
from intogen_agent.config.planned import handed
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.config.stages import VERSIONS
from intogen_agent.files import digest, write_text
from intogen_agent.prompts import prompt_digest

PACKAGES = ("openai", "mcp", "pydantic", "snakemake", "jinja2", "tenacity")


def snapshot(settings: Settings) -> dict[str, Any]:
    """Return the resolved configuration: options, roles' models, prompt digests, versions.

    Files are named by their full paths, the folder of results as it is. Keys never appear: the
    configuration names environment variables and files, not what they hold.
    """
    options = places.absolute(settings, places.checkout()).model_dump(mode="json")
    return {**options, MADE_UNDER: _made_under(settings)}


def _made_under(settings: Settings) -> dict[str, Any]:
    # One run, one snapshot: clone and packages may change while it goes on.
    planned = handed(settings.results)
    return {
        **(present() if planned is None else planned.made_under),
        "roles": {
            role.value: role_settings(settings.llm, role).model_dump(mode="json") for role in Role
        },
        "tools": _routing(settings.mcp),
    }


def present() -> dict[str, Any]:
    """Return what is no option: versions, commit and digests of instructions as they are now."""
    return {
        "intogen_agent": __version__,
        "commit": commit(places.checkout()),
        "packages": {
            "python": platform.python_version(),
            **{name: _version(name) for name in PACKAGES},
        },
        "stages": {stage.value: version for stage, version in VERSIONS.items()},
        "prompts": {role.value: prompt_digest(role) for role in Role},
    }


def _routing(mcp: McpSettings) -> dict[str, Any]:
    """Return the servers of each phase, in the order in which they are asked for its tools."""
    return {
        "phase1": {"servers": mcp.phase1, "tools": ["gene_record", "protein_record"]},
        "phase2": {
            "servers": mcp.phase2,
            "tools": ["article_search", "article_fetch"],
            "optional": ["trial_search"],
        },
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def snapshot_path(settings: Settings) -> Path:
    """Return the snapshot's file: `results/_run/config/<digest>.yaml`."""
    return settings.results / "_run" / "config" / f"{digest(snapshot(settings))[:16]}.yaml"


def write_snapshot(settings: Settings) -> None:
    """Write the snapshot unless it is there already."""
    path = snapshot_path(settings)
    if path.exists():
        return
    with _alone(path):
        # One job of the first ones asks git; the others wait for it.
        if not path.exists():
            value = snapshot(settings)
            value[MADE_UNDER]["changed_files"] = has_changes(places.checkout())
            _write(path, value)


def add_found(settings: Settings, found: Mapping[str, Any]) -> None:
    """Add what only a run finds out to its snapshot, under `made_under.found`.

    Args:
        settings: The configuration of the run.
        found: Names of servers, abilities of models and the like; lists are joined.
    """
    write_snapshot(settings)
    path = snapshot_path(settings)
    with _alone(path):
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
        before = value[MADE_UNDER].get("found", {})
        after = _joined(before, found)
        if after != before:
            value[MADE_UNDER]["found"] = after
            _write(path, value)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other jobs of the run from writing a snapshot at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent.parent / f".{path.stem}.lock").open("a") as handle:
        # Without locks a finding of another job may be lost; nothing is made of it.
        locks.take(handle.fileno(), wait=True)
        yield


def _joined(before: Any, after: Any) -> Any:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        keys = dict.fromkeys([*before, *after])
        return {
            # A profile is what a model could do at one time, not a mixture.
            key: _joined(before[key], after[key])
            if key in before and key in after and key != "profile"
            else after.get(key, before.get(key))
            for key in keys
        }
    if isinstance(before, list) and isinstance(after, list):
        return sorted({*before, *after})
    return after


def _write(path: Path, value: Mapping[str, Any]) -> None:
    write_text(path, yaml.safe_dump(dict(value), sort_keys=False, allow_unicode=True))


def differences(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is not as it was when the snapshot was taken that a run is made from.

    Args:
        config: Snakemake's configuration; without `made_under` nothing is compared.
    """
    then = config.get(MADE_UNDER)
    if not isinstance(then, Mapping):
        return
    for name, value in present().items():
        yield from _differing(name, then.get(name), value)


def _differing(name: str, then: Any, now: Any) -> Iterator[str]:
    if isinstance(now, Mapping) and isinstance(then, Mapping):
        for key, value in now.items():
            yield from _differing(f"{name}.{key}", then.get(key), value)
    elif then != now:
        yield f"{name} was {then} and is {now}"
