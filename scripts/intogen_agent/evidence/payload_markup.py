"""Turning Markdown and plain text into the records and texts that they hold."""

import re
from collections.abc import Iterator
from typing import Any

from intogen_agent.evidence.payload_objects import is_identifier_key, is_identifier_of, squeeze

Part = dict[str, Any] | str

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_RECORD = re.compile(r"Record \d+\s*")
# `Key: value`, `- **Key:** value`; not the scheme of an address.
_FIELD = re.compile(
    r"(?:[-*][ \t]+)?(?:\*\*)?([A-Za-z][A-Za-z0-9 ()/_.-]{0,39})(?:\*\*)?:(?!//)(?:\*\*)?[ \t]*(.*)"
)
# PubMed's plain text says so behind the PMID.
_INDEXED = re.compile(r"\s+\[Indexed for MEDLINE\]$")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*")
_WRAPPED = re.compile(r"-\n[ \t]+(?=\S)")
_INDENTED = (" ", "\t")


def markdown_parts(text: str) -> Iterator[Part]:
    """Yield the records of a Markdown or plain text as objects and the rest as texts, in order.

    The `Key: value` lines below a heading `# ...` up to the next heading are one record, as are
    those of one paragraph elsewhere; table rows are records with the header's keys.
    """
    heading: str | None = None
    lines: list[str] = []
    for line in text.splitlines():
        match = _HEADING.match(line) if line.startswith("#") else None
        if match:
            yield from _stretch(lines, heading)
            lines = []
            heading = None
            if len(match.group(1)) == 1:
                heading = "" if _RECORD.fullmatch(match.group(2)) else match.group(2).strip()
        elif heading is not None or (line and not line.isspace()):
            lines.append(line)
        elif lines:
            yield from _stretch(lines, None)
            lines = []
    yield from _stretch(lines, heading)


def _stretch(lines: list[str], heading: str | None) -> Iterator[Part]:
    """Yield lines that belong together: an object if keys or a heading make it one, else text."""
    rows = [line for line in lines if line.startswith("|")]
    if len(rows) > 1 and _RULE.fullmatch(rows[1]):
        lines = [line for line in lines if not line.startswith("|")]
    else:
        rows = []  # Bars without the rule below a header make no table.
    fields, free = _fields(lines)
    if heading is not None or any(map(is_identifier_key, fields)):
        record = {key: _texts(values) for key, values in fields.items()}
        yield {**record, **({"heading": heading} if heading else {}), "": "\n".join(free)}
    elif lines:
        yield _WRAPPED.sub("-", "\n".join(lines))
    header = [squeeze(cell) for cell in _cells(rows[0])] if rows else []
    for row in rows[1:]:
        yield dict(zip(header, _cells(row), strict=False))


def _fields(lines: list[str]) -> tuple[dict[str, list[list[str]]], list[str]]:
    """Return the values by key, each as its lines, and the lines without key.

    Indented lines go on with the value, or the text, above. A sentence that begins like a field
    (`PMID: 1 and 2 show that...`) is text.
    """
    fields: dict[str, list[list[str]]] = {}
    free: list[str] = []
    current = free
    for line in lines:
        if not line.startswith(_INDENTED):
            match = _FIELD.match(line)
            key, value = (squeeze(match.group(1)), match.group(2).strip()) if match else ("", "")
            value = _INDEXED.sub("", value)
            if key and not (value and is_identifier_key(key) and not is_identifier_of(key, value)):
                current = [value]
                fields.setdefault(key, []).append(current)
                continue
            current = free
        current.append(line)
    return fields, free


def _texts(values: list[list[str]]) -> str | list[str]:
    texts = [" ".join(_WRAPPED.sub("-", "\n".join(lines)).split()) for lines in values]
    return texts[0] if len(texts) == 1 else texts


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
