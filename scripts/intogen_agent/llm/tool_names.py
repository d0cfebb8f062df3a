"""Names of tools as models' servers take them, and back.

MCP allows dots, slashes and 128 characters; OpenAI allows 64 of letters, digits, `_` and `-`.
"""

import re
from collections.abc import Iterable

from intogen_agent.files import text_digest

_SOUND = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
_KEPT = 55


def wire_name(name: str) -> str:
    """Return a tool's name as it is sent; a changed name ends in a digest of the real one."""
    if _SOUND.fullmatch(name):
        return name
    return f"{_NOT_ALLOWED.sub('_', name)[:_KEPT]}_{text_digest(name)[:8]}"


def original_name(sent: str, offered: Iterable[str]) -> str:
    """Return the offered tool that a sent name stands for, or the name itself."""
    return next((name for name in offered if wire_name(name) == sent), sent)
