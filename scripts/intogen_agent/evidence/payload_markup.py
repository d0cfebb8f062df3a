"""Turning Markdown and plain text into the records and texts that they hold."""

import re
from collections.abc import Iterator
from typing import Any

from intogen_agent.evidence.payload_objects import is_identifier_key, squeeze

Part = dict[str, Any] | str

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_RECORD = re.compile(r"Record \d+\s*")
# `Key: value`, `- **Key:** value`; not the scheme of an address.
_FIELD = re.compile(
    r"(?:[-*][ \t]+)?(?:\*\*)?([A-Za-z][A-Za-z0-9 ()/_.-]{0,39})(?:\*\*)?:(?!//)(?:\*\*)?[ \t]*(.*)"
)
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
        match = _HEADING.match(line)
        if match:
            yield from _stretch(lines, heading)
            lines = []
            heading = None
            if len(match.group(1)) == 1:
                heading = "" if _RECORD.fullmatch(match.group(2)) else match.group(2).strip()
        elif line.strip() or heading is not None:
            lines.append(line)
        else:
            yield from _stretch(lines, None)
            lines = []
    yield from _stretch(lines, heading)


def _stretch(lines: list[str], heading: str | None) -> Iterator[Part]:
    """Yield lines that belong together: an object if keys or a heading make it one, else text."""
    rows = [line for line in lines if line.startswith("|")]
    lines = [line for line in lines if not line.startswith("|")]
    fields, free = _fields(lines)
    if heading is not None or any(map(is_identifier_key, fields)):
        record = {key: _unwrapped(values) for key, values in fields.items()}
        yield {**record, **({"heading": heading} if heading else {}), "": "\n".join(free)}
    elif lines:
        yield _WRAPPED.sub("-", "\n".join(lines))
    header = [squeeze(cell) for cell in _cells(rows[0])] if rows else []
    for row in rows[1:]:
        yield dict(zip(header, _cells(row), strict=False))


def _fields(lines: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the values by key, and the lines without key; indented lines go on with the value."""
    fields: dict[str, list[str]] = {}
    free: list[str] = []
    values = free
    for line in lines:
        match = None if line.startswith(_INDENTED) else _FIELD.match(line)
        if match:
            values = fields.setdefault(squeeze(match.group(1)), [])
            values.append(match.group(2))
        elif line.startswith(_INDENTED) and values:
            values[-1] += f"\n{line}"
        else:
            values = free
            free.append(line)
    return fields, free


def _unwrapped(values: list[str]) -> str | list[str]:
    texts = [_WRAPPED.sub("-", value).strip() for value in values]
    return texts[0] if len(texts) == 1 else texts


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
