"""Where a server at an address is, whether it may be asked, and what is sent with each request."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from intogen_agent import hosts
from intogen_agent.errors import UserError

_PLACE = re.compile(r"\{(env|file):([^{}]+)\}")


def refusal(name: str, url: str, allowed: Sequence[str] | None) -> str | None:
    """Say why a server must not be asked at an address; None if it may (see `hosts.refusal`)."""
    place = f"mcp.servers.{name}.url"
    return hosts.refusal(place, url, allowed, "http://HOST:PORT/mcp", "the key in headers")


def headers(name: str, configured: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return a server's headers with their keys, and the keys alone.

    Args:
        name: The server's name in the configuration.
        configured: Headers in which `{env:NAME}` and `{file:PATH}` stand for keys.

    Raises:
        UserError: A variable is not set, or a file cannot be read or holds no single line.
    """
    keys: list[str] = []

    def fill(found: re.Match[str]) -> str:
        keys.append(_key(name, *found.groups()))
        return keys[-1]

    filled = {header: _PLACE.sub(fill, value) for header, value in configured.items()}
    return filled, keys


def _key(name: str, kind: str, where: str) -> str:
    place = f"mcp.servers.{name}.headers"
    if kind == "env":
        key = os.environ.get(where, "").strip()
        if not key:
            raise UserError(f"{place}: the environment variable {where} is not set; export it")
    else:
        try:
            key = Path(where).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(
                f"{place}: {where} cannot be read ({error}); write the key into it"
            ) from None
    if not key or not all(" " <= character <= "~" for character in key):
        raise UserError(f"{place}: what stands for {kind}:{where} is no key; write it anew")
    return key
