"""What is checked before any job: the clone, and what a run needs of its surroundings."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from intogen_agent.config import places, stages
from intogen_agent.config.llm_settings import Provider, role_settings
from intogen_agent.config.mcp_settings import Server
from intogen_agent.config.settings import Settings
from intogen_agent.errors import UserError
from intogen_agent.llm import address
from intogen_agent.mcp import address as mcp_address
from intogen_agent.mcp import surroundings
from intogen_agent.models import Stage
from intogen_agent.processes import fill


def check_place(root: Path, prefixed: bool) -> None:
    """Check that rules, library and results belong together.

    Raises:
        UserError: The library is not that of the Snakefile, or paths are changed from outside.
    """
    if root.resolve() != places.checkout():
        raise UserError(
            f"the Snakefile of {root} meets the library of {places.checkout()}, with its prompts: "
            "set up this clone (make setup) and use its own .venv/bin/snakemake"
        )
    if prefixed:
        raise UserError(
            "module: `prefix` and `replace_prefix` are not for this workflow; set the option "
            "results instead"
        )


def check_surroundings(settings: Settings) -> None:
    """Check what would otherwise only fail in a job: keys, commands, files.

    Raises:
        UserError: A key, a command or a store is missing.
    """
    llm, mcp = settings.llm, settings.mcp
    for name in sorted({str(role_settings(llm, role).provider) for role in _used_roles()}):
        provider = llm.providers[name]
        _check_host(name, provider, settings.network.allow_hosts)
        address.api_key(name, provider)
        if provider.launch is not None:
            _check_command(f"llm.providers.{name}.launch.command", provider.launch.command)
    for name in dict.fromkeys([*mcp.phase1, *mcp.phase2]):
        _check_server(name, mcp.servers[name], settings.network.allow_hosts)
    _check_writable(settings.results)


def _check_server(name: str, server: Server, allowed: Sequence[str] | None) -> None:
    """Check that a server's program is there, or that its address may be asked."""
    if server.url is None:
        command = surroundings.command(server, {})
        _check_command(f"mcp.servers.{name}.command", command)
        return
    refusal = mcp_address.refusal(name, server.url, allowed)
    if refusal is not None:
        raise UserError(refusal)
    mcp_address.headers(name, server.headers)


def _check_host(name: str, provider: Provider, allowed: Sequence[str] | None) -> None:
    """Check that a provider may be asked; an address in a file may come later."""
    if provider.base_url is not None:
        refusal = address.refusal(name, provider.base_url, allowed)
        if refusal is not None:
            raise UserError(refusal)


def _check_writable(results: Path) -> None:
    """Check that the results, and Snakemake's state beside them, can be made and written."""
    elsewhere = "run in another directory (snakemake --directory RUN)"
    for name, path, remedy in (
        ("results", results, f"set results, or {elsewhere}"),
        (".snakemake", Path(".snakemake"), elsewhere),
    ):
        folder = path.absolute()
        existing = next(place for place in (folder, *folder.parents) if place.exists())
        if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
            raise UserError(f"{name}: cannot write below '{existing}'; {remedy}")


def _used_roles() -> list[Any]:
    return [role for stage in Stage for role in stages.ROLES[stage]]


def _check_command(option: str, command: list[str]) -> None:
    program = str(Path(fill(command)[0]).expanduser())
    if shutil.which(program) is None:
        raise UserError(
            f"{option}: there is no program '{program}'; install it or give its full path"
        )
