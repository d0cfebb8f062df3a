"""JSON actions: tool calls for models that cannot call tools, as structured answers.

The model answers each turn with an object of a schema that lists the tools and their arguments.
The conversation is kept in the form of native calls and translated on the way out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from intogen_agent.llm import json_text, wording
from intogen_agent.llm.conversation import answers, merged
from intogen_agent.llm.outcomes import Message
from intogen_agent.llm.request import Request
from intogen_agent.llm.salvage import Written
from intogen_agent.llm.tool_names import wire_name

SCHEMA_NAME = "action"


@dataclass(frozen=True)
class Action:
    """What an action says: a call, or a text."""

    calls: list[Written]
    text: str | None = None


def translate(request: Request) -> Request:
    """Return a request that asks for tool calls as JSON objects."""
    messages = merged(_translated(request.messages))
    if not request.tools or request.tool_choice == "none":
        return replace(request, tools=(), tool_choice=None, messages=messages)
    may_answer = request.tool_choice != "required"
    tools = [_named(tool) for tool in request.tools]
    told = wording.action_instructions(tools, may_answer=may_answer)
    return replace(
        request,
        messages=merged([{"role": "system", "content": told}, *messages]),
        tools=(),
        tool_choice=None,
        schema=(SCHEMA_NAME, _schema(tools, may_answer=may_answer)),
        strict=False,
    )


def _named(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    return {"function": {**function, "name": wire_name(function["name"])}}


def _translated(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield a conversation with its calls and their results as text, one call a turn."""
    results = answers(messages)
    for message in messages:
        if message["role"] == "tool":
            continue
        if not message.get("tool_calls"):
            yield message
            continue
        for call in message["tool_calls"]:
            name = wire_name(call["function"]["name"])
            action = {"tool": name, "arguments": json.loads(call["function"]["arguments"])}
            text = json.dumps({"action": action}, ensure_ascii=False)
            yield {"role": "assistant", "content": text}
            result = results.get(call["id"], wording.NOT_ANSWERED)
            yield {"role": "user", "content": f"{wording.RESULT}{name}:\n{result}"}


def _schema(tools: Sequence[Mapping[str, Any]], *, may_answer: bool) -> dict[str, Any]:
    forms = []
    for tool in tools:
        function = tool["function"]
        name = {"type": "string", "const": function["name"]}
        forms.append(_object(tool=name, arguments=function["parameters"]))
    if may_answer:
        forms.append(_object(answer={"type": "string"}))
    return {"title": SCHEMA_NAME, **_object(action={"anyOf": forms})}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read(text: str) -> Action | None:
    """Return the action that a text holds, or None."""
    value = (json_text.first_object(text) or {}).get("action")
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("answer"), str):
        return Action([], value["answer"])
    if isinstance(value.get("tool"), str):
        # What is no object of arguments is never called with empty ones.
        return Action([Written(value["tool"], value.get("arguments", "null"))])
    return None
