"""Checks that tie a statement to the text of a tool's answer."""

import re
import unicodedata

_DASHES = re.compile(r"[\u2010-\u2015\u2212\u00ad\ufe63\uff0d]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_HYPHEN_BREAK = re.compile(r"(?<=\w)- (?=\w)")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w]*[A-Za-z])")


def normalise(text: str) -> str:
    """Return text in which differences of Unicode form, dashes, quotes and spacing are gone."""
    text = unicodedata.normalize("NFKC", text)
    text = _DASHES.sub("-", text).translate(_QUOTES)
    # JSON payloads hold the escapes of line breaks and quotes.
    text = text.replace('\\"', '"').replace("\\n", " ")
    return _HYPHEN_BREAK.sub("-", " ".join(text.split())).casefold()


def quote_in(quote: str, payload: str) -> bool:
    """Tell whether a quote stands verbatim in a payload, apart from spacing and Unicode form."""
    wanted = normalise(quote)
    return bool(wanted) and wanted in normalise(payload)


def foreign_numbers(statement: str, source: str) -> list[str]:
    """Return the numbers of a statement that its source does not hold."""
    known = set(_NUMBER.findall(normalise(source).replace(",", "")))
    return [
        number
        for number in _NUMBER.findall(normalise(statement).replace(",", ""))
        if number not in known
    ]
