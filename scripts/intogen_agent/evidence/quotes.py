"""Checks that tie a statement to the text of a tool's answer."""

import re
import unicodedata

from intogen_agent.visible import visible

_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe63\uff0d]")
_ESCAPE = re.compile(r"(?:\\u[0-9a-f]{4})+", re.IGNORECASE)
# Quotation marks, and the mark that stands for a disarmed `<` in what models are shown.
_MARKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2039": "<"})
_HYPHEN_BREAK = re.compile(r"(?<=\w)- (?=\w)")


def normalise(text: str) -> str:
    """Return text in which differences of Unicode form, dashes, quotes and spacing are gone."""
    # JSON payloads hold the escapes of characters, line breaks and quotes.
    text = _ESCAPE.sub(_characters, text)
    text = visible(unicodedata.normalize("NFKC", visible(text)))
    text = _DASHES.sub("-", text).translate(_MARKS)
    text = text.replace('\\"', '"').replace("\\n", " ")
    return _HYPHEN_BREAK.sub("-", " ".join(text.split())).casefold()


def _characters(match: re.Match[str]) -> str:
    units = match.group().lower().split("\\u")[1:]
    return bytes.fromhex("".join(units)).decode("utf-16-be", "replace")


def quote_in(quote: str, payload: str) -> bool:
    """Tell whether a quote stands verbatim in a payload, apart from spacing and Unicode form."""
    wanted = normalise(quote)
    return bool(wanted) and wanted in normalise(payload)
