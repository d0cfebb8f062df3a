"""What a server's answer is worth: content, answered-empty, or failed.

Servers hide outages: BioMCP answers `[]`, `Error` records and "not found" with isError=false when
its upstream is down (docs/servers.md). Such answers are `failed`: only an answer that plainly says
that nothing was found may support an absence. What is known of one server line beyond this stands
with the line (`lines`).
"""

import json
import re
from dataclasses import dataclass, replace
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
_ERROR_TEXT = re.compile(
    r"\A[\s*#_]*(?:error\b(?!-|\s+(?:rates?|bars?|corrections?|corrected|margins?|estimates?)\b)"
    r"|traceback \(most recent call last\))"
    r"|\A\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html\b|<error\b|<\w+>\s*<error\b)",
    re.IGNORECASE,
)
# The names of HTTP's errors and of broken connections, as gateways and clients write them; a
# record does not begin so.
_GATEWAY = re.compile(
    r"\A\W{0,3}(?:HTTP(?:/\d(?:\.\d)?)?\s)?(?:error\s)?(?:[45]\d\d\W{1,3})?"
    r"(?:service (?:temporarily )?unavailable|bad gateway|gateway time-?out|internal server error"
    r"|too many requests|upstream (?:request timeout|connect error)|no healthy upstream"
    r"|(?:read |connect(?:ion)? )?(?:request )?time(?:d[ -])?-?out|fetch failed"
    r"|(?:server|client) error|request failed with status code"
    r"|connection (?:refused|reset|error|closed|aborted))\b"
    r"|\A\W{0,3}HTTP(?:/\d(?:\.\d)?)?\s(?:error\s)?[45]\d\d\b",
    re.I,
)
_STATUS = ("status", "statusCode", "status_code", "httpStatus", "code")
_DETAILS = ("message", "detail", "title", "reason")
_SAID = (*_DETAILS, "error", "errors", "warning", "warnings", "note", "notes")
# A record has other fields beside these.
_BODY = {
    *_STATUS,
    *_DETAILS,
    *("error", "errors", "type", "path", "timestamp", "instance", "success", "data", "url"),
}
_FAILED = ("error", "failed", "failure", "fail")
# What JavaScript and Python servers print of a body that they could not read.
_NO_VALUE = {"null", "none", "undefined", "[object object]", "{}"}
_NOTHING_FOUND = re.compile(r"\A\s*No (gene record|articles?|proteins?|trials?) found\b", re.I)
# Words of an outage in a line that says that nothing was found.
_OUTAGE = re.compile(
    r"\btimed out\b|\btime-?out\b|\bunavailable\b|\bunreachable\b|\([45]\d\d\)"
    r"|\b(?:HTTP|status|error) [45]\d\d\b|\bconnection (?:reset|refused|error|closed|aborted)\b"
    r"|\bfailed to (?:reach|fetch|connect|retrieve|load|query|contact)\b|\bdid not respond\b",
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
        outage = next((line for line in stripped.splitlines() if _OUTAGE.search(line)), None)
        return _told(outage, text) if outage else ToolAnswer("empty", text)
    if _ERROR_TEXT.match(stripped) or _GATEWAY.match(stripped):
        return _told(stripped, text)
    return _classify_json(text, stripped)


def _classify_json(text: str, stripped: str) -> ToolAnswer:
    if stripped[0] not in '[{"':
        return ToolAnswer("content", text)
    try:
        value: Any = parse_json(stripped)
    except ValueError:
        # Several blocks: an error in the first is the answer's.
        first, _, rest = stripped.partition("\n")
        alone = _classify_json(text, first) if rest and first.endswith("}") else None
        return alone if alone and alone.kind == "failed" else ToolAnswer("content", text)
    if isinstance(value, str):
        # A body that was no JSON, wrapped: a proxy's page, or nothing.
        return replace(classify(value, False), text=text)
    if value == []:
        return failure(FailureKind.UPSTREAM, "an empty list may hide an outage", text)
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, dict) for item in items):
        return ToolAnswer("content", text)
    # One record that failed leaves the others good.
    answers = [_of_object(item, text) for item in items]
    return next((one for one in answers if one.kind == "content"), answers[0])


def _of_object(answer: dict[str, Any], text: str) -> ToolAnswer:
    """Return what an object is worth: a record, a list of results, or an error."""
    if set(answer) == {"error"} or (answer.get("error") and "results" not in answer):
        return _told(_one_text(answer["error"]), text)
    if (status := _body_of_error(answer)) is not None:
        return _told(status, text)
    if answer and set(answer) <= {"message", "detail"}:
        return replace(classify(_one_text(next(iter(answer.values()))), False), text=text)
    inner = answer.get("data")
    inner = inner if isinstance(inner, dict) else {}
    if answer.get("results") == [] or inner.get("results") == []:
        told = _outage_beside(answer) or _outage_beside(inner)
        meta = answer.get("_meta")
        if isinstance(meta, dict) and "source_status" in meta:
            told = None  # It says of every source whether it answered: its line reads that.
        return _told(told, text) if told else ToolAnswer("empty", text)
    return ToolAnswer("content", text)


def _outage_beside(answer: dict[str, Any]) -> str | None:
    """Return the words of an outage that stand beside an empty list of results."""
    told = answer.get("error") or answer.get("errors")
    if told:
        return _one_text(told)
    if _http_status(answer) or answer.get("success") is False or answer.get("status") in _FAILED:
        return _one_text({name: answer[name] for name in answer if name != "results"})
    said = (_one_text(answer[name]) for name in _SAID if answer.get(name))
    return next((one for one in said if _OUTAGE.search(one)), None)


def _http_status(answer: dict[str, Any]) -> str | None:
    code = next((answer[name] for name in _STATUS if name in answer), None)
    failed = re.fullmatch(r"[45]\d\d", str(code)) and not isinstance(code, bool)
    return str(code) if failed else None


def _body_of_error(answer: dict[str, Any]) -> str | None:
    """Return the error of an answer that is the body of a failed request."""
    if not set(answer) <= _BODY or answer.get("data"):
        return None
    code = _http_status(answer)
    said_so = answer.get("success") is False or answer.get("status") in _FAILED
    if code is None and not said_so and not answer.get("errors"):
        return None
    told = next((answer[name] for name in _DETAILS if isinstance(answer.get(name), str)), None)
    told = told or _one_text(answer.get("errors") or "")
    return f"HTTP {code} {told}".strip() if code else told or "an error without a message"


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
