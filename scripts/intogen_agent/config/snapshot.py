"""The configuration snapshot of a run: everything that a run was made under, in one file."""

import importlib.metadata
from pathlib import Path
from typing import Any

import yaml

from intogen_agent import __version__
from intogen_agent.config.llm_settings import role_settings
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.files import digest, write_text
from intogen_agent.prompts import prompt_digest

PACKAGES = ("openai", "mcp", "pydantic", "snakemake", "jinja2", "tenacity")


def snapshot(settings: Settings) -> dict[str, Any]:
    """Return the resolved configuration: options, roles' models, prompt digests, versions.

    Keys never appear: the configuration names environment variables, not their values.
    """
    return {
        "intogen_agent": __version__,
        "packages": {name: _version(name) for name in PACKAGES},
        "roles": {
            role.value: role_settings(settings.llm, role).model_dump(mode="json") for role in Role
        },
        "prompts": {role.value: prompt_digest(role) for role in Role},
        "options": settings.model_dump(mode="json"),
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
    if not path.exists():
        value = snapshot(settings)
        write_text(path, yaml.safe_dump(value, sort_keys=False, allow_unicode=True))
