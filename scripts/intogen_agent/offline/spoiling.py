"""Faults of a model: answers that are of no use, or not in the form that they should have."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from intogen_agent.offline.faults import Faults
from intogen_agent.offline.protocol import Asked, Written

_REFUSAL = "I'm sorry, but I can't help with that."
_PROSE = "Certainly! In short, the evidence has been looked at and here is what I think of it."
_PONDERING = "I should think about which tool to call."
_SPENT = 4096
_SHARE_READ = 0.3
NOT_OFFERED = "lookup_everything"


def spoil(asked: Asked, answer: Written, faults: Faults) -> Written:
    """Spoil an answer by the first fault that applies to it and is left."""
    for name, (concerns, change) in _SPOILERS.items():
        if faults.wanted(name) and concerns(asked, answer) and faults.take(name):
            return change(answer, faults.given[name] - 1)
    return answer


def _any(asked: Asked, answer: Written) -> bool:
    return True


def _calls(asked: Asked, answer: Written) -> bool:
    return bool(answer.calls)


def _forced(asked: Asked, answer: Written) -> bool:
    choice = asked.chat.get("tool_choice")
    return bool(answer.calls) and (choice == "required" or isinstance(choice, Mapping))


def _structured(asked: Asked, answer: Written) -> bool:
    return (answer.text or "").startswith("{")


def _by_schema(asked: Asked, answer: Written) -> bool:
    wanted = asked.chat.get("response_format") or {}
    return wanted.get("type") == "json_schema" and _structured(asked, answer)


def _first_call(answer: Written, **changes: Any) -> Written:
    first, *others = answer.calls
    return replace(answer, calls=(replace(first, **changes), *others))


def _bad_arguments(answer: Written, turn: int) -> Written:
    text = answer.calls[0].arguments
    return _first_call(answer, arguments=text[: max(1, len(text) // 2)])


def _list_arguments(answer: Written, turn: int) -> Written:
    return _first_call(answer, arguments=f"[{answer.calls[0].arguments}]")


def _same_ids(answer: Written, turn: int) -> Written:
    calls = tuple(replace(call, id="call_0") for call in answer.calls)
    return replace(answer, calls=calls)


def _no_ids(answer: Written, turn: int) -> Written:
    calls = tuple(replace(call, id=None if turn % 2 else "") for call in answer.calls)
    return replace(answer, calls=calls)


def _unknown_tool(answer: Written, turn: int) -> Written:
    return _first_call(answer, name=NOT_OFFERED)


def _prose(answer: Written, turn: int) -> Written:
    return replace(answer, text=_PROSE, calls=())


def _call_as_text(answer: Written, turn: int) -> Written:
    call = answer.calls[0]
    value = {"name": call.name, "arguments": json.loads(call.arguments)}
    plain = json.dumps(value, ensure_ascii=False)
    forms = (
        f"I will look that up.\n```json\n{plain}\n```",
        plain,
        f"<tool_call>\n{plain}\n</tool_call>",
        json.dumps({"function": value}, ensure_ascii=False),
    )
    return replace(answer, text=forms[turn % len(forms)], calls=())


def _call_as_prose(answer: Written, turn: int) -> Written:
    value = {"name": NOT_OFFERED, "arguments": json.loads(answer.calls[0].arguments)}
    text = f"I would call this now:\n{json.dumps(value, ensure_ascii=False)}"
    return replace(answer, text=text, calls=())


def _truncated(answer: Written, turn: int) -> Written:
    text = answer.text or ""
    return replace(answer, text=text[: max(1, len(text) // 2)], ending="length")


def _bad_json(answer: Written, turn: int) -> Written:
    return replace(answer, text=f"Here is the JSON: {(answer.text or '')[:-1]},")


def _empty(answer: Written, turn: int) -> Written:
    return replace(answer, text=None if turn % 2 else "", calls=())


def _reasoning_only(answer: Written, turn: int) -> Written:
    thinking = answer.text or _PONDERING
    return replace(answer, text=None if turn % 2 else "", calls=(), thinking=thinking)


def _reasoning_length(answer: Written, turn: int) -> Written:
    spent = answer.reasoning_tokens + _SPENT
    return replace(answer, text=None, calls=(), ending="length", reasoning_tokens=spent)


def _refusal(answer: Written, turn: int) -> Written:
    return replace(answer, text=None, calls=(), refusal=_REFUSAL)


def _content_filter(answer: Written, turn: int) -> Written:
    return replace(answer, text="", calls=(), ending="filter")


def _silent_truncation(answer: Written, turn: int) -> Written:
    return replace(answer, admitted=_SHARE_READ)


_SPOILERS: Mapping[
    str, tuple[Callable[[Asked, Written], bool], Callable[[Written, int], Written]]
] = {
    "bad-arguments": (_calls, _bad_arguments),
    "list-arguments": (_calls, _list_arguments),
    "same-ids": (_calls, _same_ids),
    "no-ids": (_calls, _no_ids),
    "unknown-tool": (_calls, _unknown_tool),
    "tool-choice-ignored": (_forced, _prose),
    "call-as-text": (_calls, _call_as_text),
    "call-as-prose": (_calls, _call_as_prose),
    "json-schema-ignored": (_by_schema, _prose),
    "truncated": (_structured, _truncated),
    "bad-json": (_structured, _bad_json),
    "empty": (_any, _empty),
    "reasoning-only": (_any, _reasoning_only),
    "reasoning-length": (_any, _reasoning_length),
    "refusal": (_any, _refusal),
    "content-filter": (_any, _content_filter),
    "silent-truncation": (_any, _silent_truncation),
}
