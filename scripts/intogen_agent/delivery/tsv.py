"""Rows as TSV."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from intogen_agent.files import write_text
from intogen_agent.models import Record

# Everything that some reader takes for the end of a cell or of a line.
_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def cell(value: Any) -> str:
    """Return a value as the text of one cell.

    None is empty, booleans are `yes` and `no`, lists are joined by commas; tabs, line ends and
    other control characters become spaces. A straight quote at the beginning becomes a typographic
    one: most readers take it for the beginning of a quoted cell and swallow what follows.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(cell, value))
    text = _BREAKS.sub(" ", str(value)).strip()
    return f"\u201c{text[1:]}" if text.startswith('"') else text


def table_text(model: type[Record], rows: Iterable[Record]) -> str:
    """Return rows as TSV; the header holds the model's fields in their order."""
    columns = list(model.model_fields)
    lines = ["\t".join(columns)]
    lines += ("\t".join(cell(getattr(row, column)) for column in columns) for row in rows)
    return "\n".join(lines) + "\n"


def write_if_changed(path: Path, text: str) -> None:
    """Write a text file atomically, unless it holds this text already."""
    try:
        if path.read_bytes() == text.encode():
            return
    except FileNotFoundError:
        pass
    write_text(path, text)
