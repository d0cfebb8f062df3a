"""Text and links that Markdown shows as they are.

Everything that came from a model or a tool goes through here: it can open no tag, table or link.
"""

import re
from urllib.parse import quote

from intogen_agent.evidence.identifiers import parse_url

_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
# Underscores inside a word (TCGA_WXS) mean nothing to Markdown and read better as they are.
_SPECIAL = re.compile(r"([\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_ENTITY = re.compile(r"&(?=#?\w+;)")
# Tags and autolinks; `<user@example.org>` is one, `<5%` is none.
_TAG = re.compile(r"<(?=[A-Za-z/!?]|[^\s<>]*@)")
_LINE_START = re.compile(r"^(#|>|[-+=]|\d+(?=[.)]))")


def escape(text: str) -> str:
    """Return text that Markdown shows as it is, on one line.

    Bare addresses in it stay visible as what they are; nothing becomes a tag, an entity, a link
    with another text, a table cell, emphasis, a heading, a list or a formula.
    """
    text = " ".join(_INVISIBLE.sub("", " ".join(text.split())).split())
    text = _TAG.sub("&lt;", _ENTITY.sub("&amp;", text))
    text = _SPECIAL.sub(r"\\\1", text)
    start = _LINE_START.match(text)
    if start:
        mark = start.group()
        safe = f"{mark}\\" if mark.isdigit() else f"\\{mark}"
        text = safe + text[len(mark) :]
    return text


def link(label: str, url: str | None) -> str:
    """Return a link with an escaped label, or only the label when there is no safe address."""
    if url is None or parse_url(url) is None:
        return escape(label)
    return f"[{escape(label)}]({quote(url, safe=':/?#@!$&*+,;=%~-._')})"
