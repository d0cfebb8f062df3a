"""What a server's answer is worth: content, answered-empty, or failed.

Servers hide outages: BioMCP answers `[]`, `Error` records and "not found" with isError=false when
its upstream is down (docs/servers.md). Such answers are `failed`: only an answer that plainly says
that nothing was found may support an absence.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

from intogen_agent.files import parse_json
from intogen_agent.visible import visible

AnswerKind = Literal["content", "empty", "failed", "refused"]

_ERROR_RECORD = re.compile(r"\A\s*# Record 1\s*\n\s*Error:\s*(.*)", re.IGNORECASE)
_ERROR_TEXT = re.compile(r"\A\s*(error\b(?!-)|<!doctype html|<html\b)", re.IGNORECASE)
# What JavaScript and Python servers print of a body that they could not read.
_NO_VALUE = {"null", "none", "undefined", "[object object]", "{}"}
_NOTHING_FOUND = re.compile(r"\A\s*No (gene record|articles?|proteins?|trials?) found\b", re.I)


@dataclass(frozen=True)
class ToolAnswer:
    """An answer with its worth.

    Attributes:
        text: The text without hidden characters, empty when there is none; the audit has it raw.
        error: Why it failed or was refused.
        call: The call's id on record; empty for calls that were never dispatched.
        schema: For a call that does not fit its tool: the tool's schema. It is for the model
            alone; stage files keep the error.
    """

    kind: AnswerKind
    text: str
    error: str | None = None
    call: str = ""
    schema: dict[str, Any] | str | None = None


def classify(text: str, is_error: bool) -> ToolAnswer:
    """Tell content from answered-empty and from failures, disguised ones included.

    Args:
        text: The joined text blocks of the answer.
        is_error: The server's own error flag.
    """
    text = visible(text)
    stripped = text.strip()
    if is_error:
        return ToolAnswer("failed", text, f"upstream: {_first_line(stripped)}")
    if not stripped or stripped.casefold() in _NO_VALUE:
        return ToolAnswer("failed", text, "unreadable: the answer holds nothing")
    record = _ERROR_RECORD.match(stripped)
    if record:
        return ToolAnswer("failed", text, f"upstream: {_first_line(record.group(1))}")
    if _NOTHING_FOUND.match(stripped):
        return ToolAnswer("empty", text)
    if _ERROR_TEXT.match(stripped):
        return ToolAnswer("failed", text, f"upstream: {_first_line(stripped)}")
    return _classify_json(text, stripped)


def _classify_json(text: str, stripped: str) -> ToolAnswer:
    if stripped[0] not in '[{"':
        return ToolAnswer("content", text)
    try:
        value: Any = parse_json(stripped)
    except ValueError:
        return ToolAnswer("content", text)
    if isinstance(value, str):
        # A body that was no JSON, wrapped: a proxy's page, or nothing.
        inner = classify(value, False)
        return ToolAnswer(inner.kind, text, inner.error)
    if value == []:
        return ToolAnswer("failed", text, "unknown: an empty list may hide an outage")
    first = value[0] if isinstance(value, list) else value
    if isinstance(first, dict):
        if set(first) == {"error"} or (first.get("error") and "results" not in first):
            return ToolAnswer("failed", text, f"upstream: {_first_line(str(first['error']))}")
        if first.get("results") == []:
            return ToolAnswer("empty", text)
    return ToolAnswer("content", text)


def _first_line(text: str) -> str:
    return text.splitlines()[0][:300] if text else "no message"
