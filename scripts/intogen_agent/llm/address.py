"""Where a provider is, with which key, and whether it may be asked at all."""

import fnmatch
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from intogen_agent import hosts
from intogen_agent.config.llm_settings import Provider
from intogen_agent.errors import UserError

NO_KEY = "none"
_OPENAI_HOSTS = ("api.openai.com", "*.openai.azure.com")


class NoAddress(Exception):
    """There is no address yet: its file is missing or empty, and may still be written."""


def base_url(name: str, provider: Provider) -> str:
    """Return a provider's address; one in a file is read anew each time.

    Raises:
        NoAddress: The file of the address is missing or empty.
    """
    if provider.base_url_file is None:
        return str(provider.base_url)
    try:
        url = provider.base_url_file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        url = ""
    except (OSError, UnicodeDecodeError) as error:
        raise NoAddress(f"{provider.base_url_file} cannot be read ({error})") from None
    if not url:
        raise NoAddress(
            f"llm.providers.{name}.base_url_file: {provider.base_url_file} holds no address yet"
        )
    return url


def is_local(url: str) -> bool:
    """Tell whether an address is this machine's own."""
    return hosts.host_of(url) in hosts.LOOPBACK


def refusal(name: str, url: str, allowed: Sequence[str] | None) -> str | None:
    """Say why a provider must not be asked at an address; None if it may (see `hosts.refusal`)."""
    key = "the key in api_key_env or api_key_file"
    return hosts.refusal(f"llm.providers.{name}", url, allowed, "http://HOST:PORT/v1", key)


def api_of(provider: Provider, url: str) -> str:
    """Return the wire of a provider: `chat` or `responses`."""
    if provider.api != "auto":
        return provider.api
    return "responses" if is_openai(url) else "chat"


def is_openai(url: str) -> bool:
    """Tell whether an address is OpenAI's or Azure OpenAI's."""
    host = hosts.host_of(url)
    return any(fnmatch.fnmatchcase(host, pattern) for pattern in _OPENAI_HOSTS)


def api_key(name: str, provider: Provider) -> str:
    """Return a provider's key from its environment variable or its file.

    Raises:
        UserError: The variable is not set; the file is missing, empty or readable by others.
    """
    key = _key(name, provider)
    if not all("!" <= character <= "~" for character in key):
        raise UserError(
            f"llm.providers.{name}: the key holds characters that no key has (spaces, line breaks "
            "or letters with accents); write it anew"
        )
    return key


def _key(name: str, provider: Provider) -> str:
    if provider.api_key_file is not None:
        return _key_from_file(name, provider.api_key_file)
    if provider.api_key_env is None:
        return NO_KEY
    key = os.environ.get(provider.api_key_env, "").strip()
    if not key:
        raise UserError(
            f"llm.providers.{name}: the environment variable {provider.api_key_env} is not set; "
            f"export {provider.api_key_env}=... or choose another provider in llm.default.provider"
        )
    return key


def _key_from_file(name: str, path: Path) -> str:
    place = f"llm.providers.{name}.api_key_file: {path}"
    try:
        with path.open(encoding="utf-8") as handle:
            mode = os.fstat(handle.fileno()).st_mode
            key = handle.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not text"
        raise UserError(f"{place} cannot be read ({why}); write the key into it") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UserError(f"{place} can be read by others; chmod 600 it")
    if not key:
        raise UserError(f"{place} is empty; write the key into it")
    return key
