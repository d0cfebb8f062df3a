"""The hosts of addresses, and whether they may be asked."""

import fnmatch
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_NOT_IN_HOSTS = re.compile(r"[^\w.:-]")


def host_of(url: str) -> str:
    """Return the host of an address; an empty text for what is no address.

    A placeholder for the port is no part of it.
    """
    try:
        parts = urlsplit(url.replace(":{port}", ""))
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    sound = parts.scheme in ("http", "https") and port != 0 and not _NOT_IN_HOSTS.search(host)
    return host if sound else ""


def refusal(
    place: str, url: str, allowed: Sequence[str] | None, example: str, keys: str
) -> str | None:
    """Say why an address must not be asked; None if it may.

    Args:
        place: The option or section that holds the address.
        url: The address.
        allowed: `network.allow_hosts`; None allows all. This machine is always allowed.
        example: What an address there looks like.
        keys: Where keys belong instead of in an address.
    """
    if "@" in url:
        return f"{place}: the address holds a user or password; write it without, and {keys}"
    host = host_of(url)
    if not host:
        return f"{place}: '{url}' is no address; write {example}"
    if allowed is None or host in LOOPBACK:
        return None
    if any(fnmatch.fnmatchcase(host, pattern.lower()) for pattern in allowed):
        return None
    known = ", ".join(allowed) or "none"
    return f"{place}: the host {host} is not in network.allow_hosts ({known}); add it there"
