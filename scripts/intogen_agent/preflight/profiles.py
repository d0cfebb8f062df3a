"""What a run is started with: Snakemake's profiles, configuration files, single values.

Snakemake itself is not imported: it takes longer to load than all of this to read. A test compares
both.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from intogen_agent.config.load import read_config
from intogen_agent.errors import UserError

PROFILE_FILE = re.compile(r"(?:profile|config)(?:\.v(?P<version>\d+)\+)?\.yaml")
SNAKEMAKE_VERSION = 9
NAME = re.compile(r"[A-Za-z_][\w-]*\w")


@dataclass(frozen=True)
class Started:
    """What a run is started with.

    Attributes:
        configfiles: Merged over config/config.yaml in this order.
        values: `key=value` texts, merged over the files.
        executor: Snakemake's executor; None: jobs run on this machine.
        resources: The profile's default resources, and `slurm-qos` as `qos`.
    """

    configfiles: tuple[Path, ...]
    values: tuple[str, ...]
    executor: str | None
    resources: Mapping[str, str]

    def over(self) -> dict[str, Any]:
        """Return the single values as a configuration.

        Raises:
            UserError: One of them is not `key=value`.
        """
        return dict(map(_pair, self.values))


def started_with(
    profiles: Sequence[str], configfiles: Sequence[Path], values: Sequence[str], root: Path
) -> Started:
    """Return what Snakemake takes from its profiles and its command line.

    An entry of a later profile replaces that of an earlier one, `profiles/default` replaces both,
    and the command line everything.

    Args:
        profiles: Names, folders or files of profiles.
        configfiles: `--configfile` of the command line.
        values: `--config` of the command line.
        root: The repository.

    Raises:
        UserError: A profile cannot be found or read.
    """
    entries: dict[str, Any] = {}
    for name in profiles:
        if name != "none":
            entries |= _read(_find(name))
    default = next(filter(Path.is_dir, (Path("profiles/default"), root / "profiles/default")), None)
    if default is not None:
        entries |= _read(_find(str(default)))
    files = configfiles or [Path(os.path.expandvars(f)) for f in _list(entries.get("configfile"))]
    resources = dict(_split(text) for text in _pairs(entries.get("default-resources")))
    if "slurm-qos" in entries:
        resources["qos"] = str(entries["slurm-qos"])
    executor = entries.get("executor")
    return Started(
        tuple(Path(file).expanduser().absolute() for file in files),
        tuple(values or _pairs(entries.get("config"))),
        None if executor is None else str(executor),
        {name: text.strip("\"'") for name, text in resources.items()},
    )


def _find(name: str) -> Path:
    """Return a profile's file: by its path, or by name where Snakemake looks."""
    personal = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "snakemake"
    for folder in (Path(), personal, Path("/etc/xdg/snakemake")):
        place = folder / name
        if place.is_file():
            return place
        if place.is_dir() and (found := _newest(place)):
            return found
    raise UserError(
        f"--profile {name}: no profile.yaml or config.yaml there; name a folder such as "
        "profiles/local"
    )


def _newest(folder: Path) -> Path | None:
    """Return a folder's profile for the newest version that is not newer than Snakemake."""
    versions = {
        path: int(match["version"] or 0)
        for path in sorted(folder.iterdir())
        if (match := PROFILE_FILE.fullmatch(path.name))
    }
    fitting = {path: number for path, number in versions.items() if number <= SNAKEMAKE_VERSION}
    return max(fitting, key=lambda path: fitting[path], default=None)


def _read(path: Path) -> dict[str, Any]:
    entries = {key: value for key, value in read_config(path).items() if value is not None}
    if entries.get("__use_yte__"):
        raise UserError(
            f"{path}: its templates (yte) cannot be read here; use --configfile and --config, or "
            "the target `snakemake check`"
        )
    for key, value in entries.items():
        if isinstance(value, str) and (path.parent / value).exists():
            entries[key] = str(path.parent / value)
    return entries


def _list(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _pairs(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={item}" for key, item in value.items()]
    return _list(value)


def _split(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _pair(text: str) -> tuple[str, Any]:
    """Read `key=value` as Snakemake does: a number, True or False, YAML, or a text."""
    name, equals, value = text.partition("=")
    value = value.strip("'\"")
    if not equals or not NAME.fullmatch(name):
        raise UserError(
            f"--config {text}: not KEY=VALUE; write nested options as "
            "\"llm={'default': {'model': 'x'}}\""
        )
    if value == "":
        return name, None
    for read in (int, float):
        try:
            return name, read(value)
        except ValueError:
            continue
    if value in ("True", "False"):
        return name, value == "True"
    try:
        # Snakemake's reader leaves numbers inside nested options texts.
        return name, yaml.load(value, Loader=yaml.BaseLoader)  # noqa: S506
    except yaml.YAMLError:
        return name, value
