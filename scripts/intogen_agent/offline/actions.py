"""JSON actions: tool calls as structured answers, for models that cannot call tools.

A schema lists the tools and their arguments; calls and results stand in the texts of the
conversation. Both are read as native tools and calls.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_NAME = "action"
_RESULT = re.compile(r"Result of the call of (?P<name>[A-Za-z0-9_-]+):\n")


@dataclass(frozen=True)
class Form:
    """What a schema of actions offers: tools as in Chat Completions, and perhaps an answer."""

    tools: list[dict[str, Any]]
    may_answer: bool


def form(name: str, schema: Mapping[str, Any]) -> Form | None:
    """Read a response schema as a list of actions; None if it is another one."""
    action = _property(schema, _NAME) if name == _NAME else None
    options = action.get("anyOf") if action else None
    if not isinstance(options, list):
        return None
    tools = []
    may_answer = False
    for option in options:
        tool = _property(option, "tool")
        if tool is None:
            may_answer |= _property(option, "answer") is not None
            continue
        named = tool.get("const") or next(iter(tool.get("enum") or ()), "")
        function = {"name": str(named), "parameters": _property(option, "arguments") or {}}
        tools.append({"type": "function", "function": function})
    return Form(tools, may_answer) if tools else None


def _property(schema: Any, name: str) -> Mapping[str, Any] | None:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    value = properties.get(name) if isinstance(properties, Mapping) else None
    return value if isinstance(value, Mapping) else None


def call(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as an action."""
    return _dumps({"tool": name, "arguments": arguments})


def answer(text: str) -> str:
    """Return a text as an action."""
    return _dumps({"answer": text})


def _dumps(action: Mapping[str, Any]) -> str:
    return json.dumps({_NAME: action}, ensure_ascii=False)


def native(messages: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield a conversation with its actions and their results as calls and their answers."""
    waiting: tuple[str, str] | None = None
    for place, message in enumerate(messages):
        content = message.get("content")
        text = content if isinstance(content, str) else ""
        called = _called(text) if message.get("role") == "assistant" else None
        result = _RESULT.match(text) if message.get("role") == "user" else None
        if called is not None:
            name, arguments = called
            waiting = (f"action_{place}", name)
            function = {"name": name, "arguments": json.dumps(arguments)}
            calls = [{"id": waiting[0], "type": "function", "function": function}]
            yield {"role": "assistant", "content": None, "tool_calls": calls}
        elif result is not None and waiting is not None and waiting[1] == result["name"]:
            content, rest = _split(text[result.end() :])
            yield {"role": "tool", "tool_call_id": waiting[0], "content": content}
            waiting = None
            if rest.strip():
                yield {"role": "user", "content": rest}
        else:
            yield message


def _called(text: str) -> tuple[str, dict[str, Any]] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    action = value.get(_NAME) if isinstance(value, dict) else None
    if not isinstance(action, dict) or not isinstance(action.get("tool"), str):
        return None
    arguments = action.get("arguments")
    return action["tool"], arguments if isinstance(arguments, dict) else {}


def _split(text: str) -> tuple[str, str]:
    """Split a text into a result, which is JSON or one paragraph, and what the client added."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        result, _, rest = text.partition("\n\n")
        return result, rest
    return text[:end], text[end:]
