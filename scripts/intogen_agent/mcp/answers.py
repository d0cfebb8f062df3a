"""What a server's answer is worth: content, answered-empty, or failed.

Servers hide outages: BioMCP answers `[]`, `Error` records and "not found" with isError=false when
its upstream is down (docs/servers.md). Such answers are `failed`: only an answer that plainly says
that nothing was found may support an absence. What is known of one server line beyond this stands
with the line (`lines`).
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from intogen_agent.files import parse_json
from intogen_agent.visible import visible

AnswerKind = Literal["content", "empty", "failed", "refused"]


class FailureKind(StrEnum):
    """Why a call has no answer; the first word of its error."""

    TIMEOUT = "timeout"
    TRANSPORT = "transport"
    UPSTREAM = "upstream"
    THROTTLED = "throttled"
    BAD_ARGUMENTS = "bad_arguments"
    OVERSIZED = "oversized"
    UNREADABLE = "unreadable"


_ERROR_RECORD = re.compile(r"\A\s*# Record 1\s*\n\s*Error:\s*(.*)", re.IGNORECASE)
_ERROR_TEXT = re.compile(r"\A\s*(error\b(?!-)|<!doctype html|<html\b)", re.IGNORECASE)
# The names of HTTP's errors, as gateways write them; a record does not begin so.
_GATEWAY = re.compile(
    r"\A\W{0,3}(?:HTTP(?:/\d(?:\.\d)?)?\s)?(?:[45]\d\d\W{1,3})?"
    r"(?:service (?:temporarily )?unavailable|bad gateway|gateway time-?out|internal server error"
    r"|too many requests|upstream (?:request timeout|connect error)|no healthy upstream"
    r"|request time-?out)\b",
    re.I,
)
_STATUS = ("status", "statusCode", "status_code", "httpStatus", "code")
_DETAILS = ("message", "detail", "title", "reason")
# A record has other fields beside these.
_BODY = {
    *_STATUS,
    *_DETAILS,
    *("error", "errors", "type", "path", "timestamp", "instance", "success", "data", "url"),
}
# What JavaScript and Python servers print of a body that they could not read.
_NO_VALUE = {"null", "none", "undefined", "[object object]", "{}"}
_NOTHING_FOUND = re.compile(r"\A\s*No (gene record|articles?|proteins?|trials?) found\b", re.I)
# Words of an outage in a line that says that nothing was found.
_OUTAGE = re.compile(
    r"\btimed out\b|\btime-?out\b|\bunavailable\b|\bunreachable\b|\([45]\d\d\)"
    r"|\b(?:HTTP|status|error) [45]\d\d\b",
    re.I,
)
_THROTTLED = re.compile(r"\b429\b|too many requests|rate.?limit|\bthrottl|quota exceeded", re.I)
_BAD_ARGUMENTS = re.compile(
    r"validation errors? for \w*Arguments|\AError: Invalid argument|Invalid [\w ]*arguments?\b"
    r"|Invalid identifier format|Input validation error|unexpected keyword argument"
    r"|missing \d+ required|\bInput error in\b|unknown \w+ search field|Unsupported identifier",
    re.I,
)


@dataclass(frozen=True)
class ToolAnswer:
    """An answer with its worth.

    Attributes:
        text: The text without hidden characters, empty when there is none; the audit has it raw.
        error: Why it failed or was refused; of a failure, the kind is its first word.
        call: The call's id on record; empty for calls that were never dispatched.
        schema: For a call that does not fit its tool: the tool's schema. It is for the model
            alone; stage files keep the error.
        failure: The kind of a failure.
        asked: What of the logical arguments was asked, where the server cannot take all of them:
            nothing more may be said to have been searched for.
    """

    kind: AnswerKind
    text: str
    error: str | None = None
    call: str = ""
    schema: dict[str, Any] | str | None = None
    failure: FailureKind | None = None
    asked: dict[str, Any] | None = None


def failure(kind: FailureKind, message: str, text: str = "") -> ToolAnswer:
    """Return a failed answer."""
    return ToolAnswer("failed", text, f"{kind}: {message}", failure=kind)


def classify(text: str, is_error: bool, blocks: int = 1) -> ToolAnswer:
    """Tell content from answered-empty and from failures, disguised ones included.

    Args:
        text: The joined text of the answer's blocks.
        is_error: The server's own error flag.
        blocks: How many blocks the answer has; none is a legal answer that says nothing.
    """
    text = visible(text)
    stripped = text.strip()
    if is_error:
        return _told(stripped, text)
    if blocks == 0:
        return ToolAnswer("empty", text)
    if not stripped or stripped.casefold() in _NO_VALUE:
        return failure(FailureKind.UNREADABLE, "the answer holds nothing", text)
    record = _ERROR_RECORD.match(stripped)
    if record:
        return _told(record.group(1), text)
    if _NOTHING_FOUND.match(stripped):
        line = _first_line(stripped)
        return _told(line, text) if _OUTAGE.search(line) else ToolAnswer("empty", text)
    if _ERROR_TEXT.match(stripped) or _GATEWAY.match(stripped):
        return _told(stripped, text)
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
        wrapped = classify(value, False)
        return ToolAnswer(wrapped.kind, text, wrapped.error, failure=wrapped.failure)
    if value == []:
        return failure(FailureKind.UPSTREAM, "an empty list may hide an outage", text)
    first = value[0] if isinstance(value, list) else value
    if isinstance(first, dict):
        if set(first) == {"error"} or (first.get("error") and "results" not in first):
            return _told(str(first["error"]), text)
        if (status := _http_error(first)) is not None:
            return _told(status, text)
        inner = first.get("data")
        if first.get("results") == [] or (isinstance(inner, dict) and inner.get("results") == []):
            told = first.get("error") or first.get("errors")
            meta = first.get("_meta")
            if isinstance(meta, dict) and "source_status" in meta:
                told = None  # It says of every source whether it answered: its line reads that.
            return _told(_one_text(told), text) if told else ToolAnswer("empty", text)
    return ToolAnswer("content", text)


def _http_error(answer: dict[str, Any]) -> str | None:
    """Return the error of an answer that is the body of a failed HTTP request."""
    code = next((answer[name] for name in _STATUS if name in answer), None)
    failed = re.fullmatch(r"[45]\d\d", str(code)) and not isinstance(code, bool)
    if not failed or not set(answer) <= _BODY:
        return None
    told = next((answer[name] for name in _DETAILS if isinstance(answer.get(name), str)), "")
    return f"HTTP {code} {told}".strip()


def _one_text(told: Any) -> str:
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def _told(message: str, text: str) -> ToolAnswer:
    """Return the failure that a server's own words tell of."""
    line = _first_line(message)
    if _THROTTLED.search(line):
        return failure(FailureKind.THROTTLED, line, text)
    if _BAD_ARGUMENTS.search(line):
        return failure(FailureKind.BAD_ARGUMENTS, line, text)
    return failure(FailureKind.UPSTREAM, line, text)


def _first_line(text: str) -> str:
    return text.splitlines()[0][:300] if text else "no message"
