"""What a server gets of this job's surroundings, and what of it must not come back.

Only named variables reach a server. Proxies and certificates are named by default: without them a
server on a cluster finds no service, and its outage looks like an absence.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from intogen_agent.config.mcp_settings import SECRET_NAME, Server
from intogen_agent.processes import fill, package_environment

# In both cases: programs read one or the other.
NETWORK = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    "NODE_EXTRA_CA_CERTS",
)
# What every program may know.
COMMON = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR", "TZ")
# Shorter values would be blotted out of ordinary words.
SHORTEST_SECRET = 6


def command(settings: Server, values: Mapping[str, str]) -> list[str]:
    """Return a server's command with its placeholders filled."""
    prefix = {} if settings.prefix is None else {"prefix": str(settings.prefix.expanduser())}
    program, *words = fill(settings.command, **prefix, **values)
    return [str(Path(program).expanduser()) if program.startswith("~") else program, *words]


def environment(settings: Server, filled: list[str]) -> dict[str, str]:
    """Return the whole environment of a server's process."""
    names = (*COMMON, *(NETWORK if settings.pass_network else ()), *settings.env)
    passed = {name: os.environ[name] for name in names if name in os.environ}
    return package_environment(filled, {**passed, **settings.set_env})


def secrets(settings: Server) -> list[str]:
    """Return values that a server knows and that its answers may quote: keys and passwords."""
    found = [os.environ.get(name, "") for name in settings.env if SECRET_NAME.search(name)]
    if settings.pass_network:
        found += [_password(os.environ.get(name, "")) for name in NETWORK]
    kept = {value for value in found if len(value) >= SHORTEST_SECRET}
    return sorted(kept, key=lambda value: (-len(value), value))


def _password(url: str) -> str:
    """Return the password in a proxy's address."""
    try:
        return unquote(urlsplit(url).password or "")
    except ValueError:
        return ""
