"""What a server said, read from either wire, and the outcome that it means."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from intogen_agent.files import parse_json
from intogen_agent.llm import actions, json_text, salvage
from intogen_agent.llm.outcomes import (
    Answer,
    Failed,
    FailureKind,
    Message,
    Outcome,
    ToolCall,
    ToolCalls,
)
from intogen_agent.llm.request import Request
from intogen_agent.llm.tool_names import original_name, wire_name
from intogen_agent.provenance.attributes import Usage

NO_ARGUMENTS = "{}"


@dataclass(frozen=True)
class RawCall:
    """A tool call as the server wrote it."""

    id: Any
    name: str
    arguments: Any


@dataclass(frozen=True)
class Reply:
    """A server's answer.

    Attributes:
        reasoned: Whether there is text, but only in a field for reasoning.
        items: The output of a Responses server; None on the other wire.
    """

    text: str = ""
    calls: list[RawCall] = field(default_factory=list)
    finish: Literal["stop", "length", "filter"] = "stop"
    refusal: str = ""
    reasoned: bool = False
    usage: Usage = field(default_factory=Usage)
    items: list[dict[str, Any]] | None = None


def outcome(reply: Reply | Failed, request: Request, *, as_actions: bool) -> Outcome:
    """Return what a reply to a request means.

    Args:
        reply: The server's answer.
        request: What was asked, with the tools that were offered.
        as_actions: Whether tool calls were asked for as JSON objects in the text.
    """
    if isinstance(reply, Failed):
        return reply
    failed = _failure(reply)
    if failed is not None:
        return failed
    if reply.calls:
        return _tool_calls(reply, request)
    calls: list[salvage.Written] = []
    text = json_text.without_thoughts(reply.text)
    if request.tools:
        written = actions.read(text) if as_actions else None
        calls = written.calls if written else salvage.calls(text, request.tools)
        text = written.text if written and written.text is not None else text
    if not calls and not text.strip():
        where = "; the text stands in the field for reasoning" if reply.reasoned else ""
        return Failed(FailureKind.EMPTY, f"the answer is empty{where}")
    if calls:
        raw = [RawCall(None, call.name, call.arguments) for call in calls]
        return replace(_tool_calls(Reply(calls=raw), request), one_a_turn=as_actions)
    return Answer(text, _with_items({"role": "assistant", "content": text}, reply.items))


def _failure(reply: Reply) -> Failed | None:
    if reply.refusal:
        return Failed(FailureKind.REFUSAL, reply.refusal[:300])
    if reply.finish == "filter":
        return Failed(FailureKind.REFUSAL, "the provider's content filter stopped the answer")
    if reply.finish == "length":
        spent = reply.usage.reasoning_tokens
        note = f" ({spent} tokens went into reasoning)" if spent else ""
        message = f"the answer was cut off at the token limit{note}"
        return Failed(FailureKind.CUT_OFF, message, reply.text)
    return None


def _tool_calls(reply: Reply, request: Request) -> ToolCalls:
    """Read tool calls; missing, repeated or used ids are minted anew by position."""
    used = _used_ids(request.messages)
    ids = [call.id for call in reply.calls]
    sound = all(isinstance(item, str) and item and item not in used for item in ids)
    if not sound or len(set(ids)) < len(ids):
        ids = _minted(len(ids), used)
    calls = []
    for raw, identifier in zip(reply.calls, ids, strict=True):
        arguments, problem = _arguments(raw.arguments)
        name = original_name(raw.name, request.tool_names())
        calls.append(ToolCall(str(identifier), name, arguments, problem))
    message = {
        "role": "assistant",
        "content": reply.text or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _repeated(call)},
            }
            for call in calls
        ],
    }
    return ToolCalls(calls, _with_items(message, _renamed(reply.items, calls)))


def _used_ids(messages: Sequence[Message]) -> set[str]:
    return {call["id"] for message in messages for call in message.get("tool_calls") or ()}


def _minted(count: int, used: set[str]) -> list[str]:
    start = len(used) + 1
    return [f"call_{number}" for number in range(start, start + count)]


def _repeated(call: ToolCall) -> str:
    """Return the arguments as a conversation repeats them; servers refuse malformed ones."""
    return json.dumps(call.arguments, ensure_ascii=False) if call.arguments else NO_ARGUMENTS


def _renamed(
    items: list[dict[str, Any]] | None, calls: Sequence[ToolCall]
) -> list[dict[str, Any]] | None:
    """Return a server's output with the calls as a server takes them back."""
    if items is None:
        return None
    given = iter(calls)
    renamed = []
    for item in items:
        if item.get("type") == "function_call":
            call, arguments = next(given), item.get("arguments")
            if call.problem is not None or not isinstance(arguments, str) or not arguments:
                arguments = _repeated(call)
            name = wire_name(call.name)
            item = {**item, "call_id": call.id, "name": name, "arguments": arguments}
        renamed.append(item)
    return renamed


def _with_items(message: Message, items: list[dict[str, Any]] | None) -> Message:
    return message if items is None else {**message, "output_items": items}


def _arguments(raw: Any) -> tuple[dict[str, Any] | None, str | None]:
    if isinstance(raw, Mapping):
        return dict(raw), None
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return {}, None
    try:
        value = parse_json(raw)
    except (TypeError, ValueError) as error:
        return None, f"the arguments are not valid JSON: {error}"
    if not isinstance(value, dict):
        return None, "the arguments are not a JSON object"
    return value, None
