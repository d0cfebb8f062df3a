"""Faults of a server or the way to it: answers that are none of a model."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import protocol
from intogen_agent.offline.faults import Faults
from intogen_agent.offline.refused import Refused

_JSON = "application/json"
_HTML = "text/html; charset=utf-8"
_PAGE = "<!DOCTYPE html>\n<html><body><h1>{}</h1></body></html>\n"


@dataclass(frozen=True)
class Sent:
    """What goes out over HTTP.

    Attributes:
        promised: The length that the header tells, if not that of the body; the connection is then
            closed after the body.
        never: Nothing goes out until the client goes away.
    """

    status: int
    body: bytes = b""
    content_type: str = _JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    promised: int | None = None
    never: bool = False


def json_answer(status: int, value: Any, **headers: str) -> Sent:
    """Return a JSON answer; headers by their names with `_` for `-`."""
    data = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Sent(status, data, headers=named)


def instead(faults: Faults) -> Sent | None:
    """Return what comes instead of an answer, before the request is looked at."""
    for name, make in _INSTEAD.items():
        if faults.take(name):
            return make(faults.given[name] - 1)
    return None


def _limited(wait: str) -> Callable[[int], Sent]:
    text = "Rate limit reached (fault on request)."
    error = Refused(text, None, "rate_limit_exceeded", 429, kind="rate_limit_error")
    return lambda turn: json_answer(429, error.body(), retry_after=wait)


def _quota(turn: int) -> Sent:
    text = "You exceeded your current quota, please check your plan and billing details."
    kind = "insufficient_quota"
    return json_answer(429, Refused(text, None, kind, 429, kind=kind).body())


def _unauthorised(turn: int) -> Sent:
    text = "Incorrect API key provided (fault on request)."
    return json_answer(401, Refused(text, None, "invalid_api_key", 401).body())


def _error_500(turn: int) -> Sent:
    text = "The server had an error while processing your request. Sorry about that!"
    error = Refused(text, None, None, 500, kind="server_error").body()
    overloaded = Refused("That model is overloaded.", None, None, 503, kind="server_error").body()
    forms = (
        json_answer(500, error),
        Sent(502, _PAGE.format("502 Bad Gateway").encode(), _HTML),
        json_answer(503, overloaded),
        Sent(500, b"Internal Server Error", "text/plain; charset=utf-8"),
    )
    return forms[turn % len(forms)]


def _error_200(turn: int) -> Sent:
    forms: tuple[Any, ...] = (
        {"error": {"message": "Provider returned error", "code": 502}},
        {"error": "upstream connect error"},
        {"error": {"message": "Internal error", "type": "server_error", "code": None}},
    )
    return json_answer(200, forms[turn % len(forms)])


_INSTEAD: Mapping[str, Callable[[int], Sent]] = {
    "429": _limited("0"),
    "429-date": _limited("Wed, 21 Oct 2015 07:28:00 GMT"),
    "429-long": _limited("100000"),
    "quota": _quota,
    "401": _unauthorised,
    "error-500": _error_500,
    "slow": lambda turn: Sent(200, never=True),
    "html": lambda turn: Sent(200, _PAGE.format("Sign in to the network").encode(), _HTML),
    "empty-body": lambda turn: Sent(200),
    "error-200": _error_200,
}


def broken(wire: str, value: dict[str, Any], faults: Faults) -> Sent:
    """Return a whole answer as it goes out, broken if a fault is left.

    Args:
        wire: The wire.
        value: The response body.
        faults: The faults to give.
    """
    if faults.take("no-choices"):
        return json_answer(200, _without_choices(wire, value, faults.turn("no-choices", 2)))
    if faults.take("stream"):
        return Sent(200, _stream(wire, value).encode(errors="replace"), "text/event-stream")
    whole = json_answer(200, value)
    if faults.take("half-body"):
        half = whole.body[: len(whole.body) // 2]
        return Sent(200, half, promised=len(whole.body))
    return whole


def _without_choices(wire: str, value: dict[str, Any], turn: int) -> dict[str, Any]:
    name = "choices" if wire == protocol.CHAT else "output"
    if turn == 0:
        return {**value, name: None}
    if wire == protocol.CHAT:
        return {**value, name: []}
    return {key: part for key, part in value.items() if key != name}


def _stream(wire: str, value: dict[str, Any]) -> str:
    """Return the beginning of a stream: no end of the answer, no end of the stream."""
    if wire == protocol.CHAT:
        named = {key: value[key] for key in ("id", "created", "model")}
        said = (value["choices"][0]["message"].get("content") or "")[:40]
        choice = {"index": 0, "delta": {"role": "assistant", "content": said}}
        chunk = {**named, "object": "chat.completion.chunk", "choices": [choice]}
        return f"data: {json.dumps(chunk)}\n\n"
    started = {**value, "status": "in_progress", "output": []}
    event = {"type": "response.created", "sequence_number": 0, "response": started}
    return f"event: response.created\ndata: {json.dumps(event)}\n\n"
