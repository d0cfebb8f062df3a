"""The input items of a Responses request: what they must look like, and how they read as a chat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import checks, reasoning
from intogen_agent.offline.refused import Refused

_ROLES = ("assistant", "system", "developer", "user")
# What each kind of item may hold, as the installed client's types have it.
_FIELDS = {
    "message": {"type", "role", "content", "id", "status", "phase"},
    "function_call": {
        *("type", "id", "call_id", "name", "arguments", "status"),
        *("async", "caller", "namespace"),
    },
    "function_call_output": {
        *("type", "id", "call_id", "output", "status"),
        *("caller", "name", "namespace"),
    },
    "reasoning": {"type", "id", "summary", "content", "encrypted_content", "status"},
    "item_reference": {"type", "id"},
}
_PREFIX = {"message": "msg", "function_call": "fc", "reasoning": "rs"}
_NOT_STORED = (
    "Items are not persisted when `store` is set to false. Try again with `store` set to true, or "
    "remove this item from your input."
)


@dataclass
class _Reader:
    """The state of a conversation while its items are checked in order."""

    reasons: bool
    stored: bool
    seen: set[str] = field(default_factory=set)
    thoughts: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)

    def not_found(self, identifier: Any) -> Refused:
        """Return the refusal of an item that only its id names: nothing is stored here."""
        why = "" if self.stored else f" {_NOT_STORED}"
        return Refused(f"Item with id '{identifier}' not found.{why}", "input", status=404)


def check(items: Sequence[Any], *, reasons: bool, stored: bool) -> None:
    """Check the items of a request.

    Args:
        items: The items.
        reasons: Whether they go to a reasoning model.
        stored: Whether the request says that answers are stored (here they never are).

    Raises:
        Refused: OpenAI would refuse them.
    """
    reader = _Reader(reasons, stored)
    for place, item in enumerate(items):
        where = f"input[{place}]"
        kind = _kind(item, where)
        checks.fields(item, _FIELDS[kind], where)
        if kind not in ("reasoning", "function_call_output"):
            _no_loose_thought(items, place)
        _check_id(reader, item, kind, where)
        _CHECKS[kind](reader, item, where)
    _no_loose_thought(items, len(items))
    for identifier in sorted(reader.waiting):
        raise Refused(f"No tool output found for function call {identifier}.", "input")


def _kind(item: Any, where: str) -> str:
    if not isinstance(item, Mapping):
        raise Refused(f"Invalid type for '{where}': expected an object.", where, "invalid_type")
    kind = item.get("type")
    if kind is None:
        kind = "message" if "role" in item else "item_reference"
    checks.member(kind, where, tuple(_FIELDS))
    return str(kind)


def _check_id(reader: _Reader, item: Mapping[str, Any], kind: str, where: str) -> None:
    identifier = item.get("id")
    if identifier is None or kind not in _PREFIX:
        return
    prefix = _PREFIX[kind]
    if not isinstance(identifier, str) or not identifier.startswith(prefix):
        raise Refused(
            f"Invalid '{where}.id': '{identifier}'. Expected an ID that begins with '{prefix}'.",
            f"{where}.id",
            "invalid_value",
        )
    if identifier in reader.seen:
        raise Refused(
            f"Duplicate item found with id {identifier}. Remove duplicate items from your input "
            "and try again.",
            "input",
        )
    reader.seen.add(identifier)


def _no_loose_thought(items: Sequence[Any], place: int) -> None:
    """Refuse a reasoning item that what it led to does not follow."""
    before = items[place - 1] if place else None
    if not isinstance(before, Mapping) or before.get("type") != "reasoning":
        return
    item = items[place] if place < len(items) else {}
    led_to = isinstance(item, Mapping) and (
        item.get("type") == "function_call" or item.get("role") == "assistant"
    )
    if not led_to:
        raise Refused(
            f"Item '{before.get('id')}' of type 'reasoning' was provided without its required "
            "following item.",
            "input",
        )


def _check_message(reader: _Reader, item: Mapping[str, Any], where: str) -> None:
    checks.member(item.get("role"), where, _ROLES)
    content = item.get("content")
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        raise Refused(f"Invalid type for '{where}.content'.", f"{where}.content", "invalid_type")
    allowed = ("output_text", "refusal") if item["role"] == "assistant" else ("input_text",)
    for place, part in enumerate(content):
        path = f"{where}.content[{place}]"
        if not isinstance(part, Mapping):
            raise Refused(f"Invalid type for '{path}'.", path, "invalid_type")
        checks.member(part.get("type"), path, allowed)


def _check_call(reader: _Reader, item: Mapping[str, Any], where: str) -> None:
    _require(item, where, "call_id", "name", "arguments")
    checks.name(item["name"], f"{where}.name")
    if item["call_id"] in reader.waiting:
        raise Refused(f"Duplicate 'call_id' in '{where}'.", f"{where}.call_id", "invalid_value")
    thought = reasoning.item_before(item.get("id"))
    if reader.reasons and thought is not None and thought not in reader.thoughts:
        raise Refused(
            f"Item '{item['id']}' of type 'function_call' was provided without its required "
            f"'reasoning' item: '{thought}'.",
            "input",
        )
    reader.waiting.add(item["call_id"])


def _check_output(reader: _Reader, item: Mapping[str, Any], where: str) -> None:
    _require(item, where, "call_id")
    output = item.get("output")
    parts = output if isinstance(output, list) else []
    if not isinstance(output, str | list) or not all(isinstance(p, Mapping) for p in parts):
        raise Refused(f"Invalid type for '{where}.output'.", f"{where}.output", "invalid_type")
    if item["call_id"] not in reader.waiting:
        raise Refused(
            f"No tool call found for function call output with call_id {item['call_id']}.", "input"
        )
    reader.waiting.discard(item["call_id"])


def _check_reasoning(reader: _Reader, item: Mapping[str, Any], where: str) -> None:
    if not reader.reasons:
        raise Refused(
            "Reasoning input items can only be provided to a reasoning or computer use model. "
            "Remove reasoning items from your input and try again.",
            "input",
        )
    _require(item, where, "id")
    if not isinstance(item.get("summary"), list):
        path = f"{where}.summary"
        raise Refused(f"Missing required parameter: '{path}'.", path, "missing_required_parameter")
    content = item.get("encrypted_content")
    if content is None:
        raise reader.not_found(item["id"])
    if content != reasoning.encrypted(item["id"]):
        raise Refused(
            f"The encrypted content {str(content)[:8]}... could not be verified. Reason: Encrypted "
            "content could not be decrypted or parsed.",
            "input",
            "invalid_encrypted_content",
        )
    reader.thoughts.add(item["id"])


def _check_reference(reader: _Reader, item: Mapping[str, Any], where: str) -> None:
    raise reader.not_found(item.get("id"))


def _require(item: Mapping[str, Any], where: str, *names: str) -> None:
    for name in names:
        path = f"{where}.{name}"
        if name not in item:
            raise Refused(
                f"Missing required parameter: '{path}'.", path, "missing_required_parameter"
            )
        if not isinstance(item[name], str) or (name == "call_id" and not item[name]):
            raise Refused(f"Invalid type for '{path}': expected a string.", path, "invalid_type")


_CHECKS: Mapping[str, Callable[[_Reader, Mapping[str, Any], str], None]] = {
    "message": _check_message,
    "function_call": _check_call,
    "function_call_output": _check_output,
    "reasoning": _check_reasoning,
    "item_reference": _check_reference,
}


def as_messages(instructions: str | None, items: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return checked items as messages of Chat Completions; reasoning is left out."""
    messages: list[dict[str, Any]] = []
    if instructions:
        messages.append({"role": "system", "content": instructions})
    for item in items:
        kind = item.get("type") or "message"
        if kind == "message":
            messages.append({"role": item["role"], "content": _text(item["content"])})
        elif kind == "function_call":
            _add_call(messages, item)
        elif kind == "function_call_output":
            content = _text(item["output"])
            messages.append({"role": "tool", "tool_call_id": item["call_id"], "content": content})
    return messages


def _add_call(messages: list[dict[str, Any]], item: Mapping[str, Any]) -> None:
    """Add a call to the turn before it: one turn's items are one message."""
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": None})
    function = {"name": item["name"], "arguments": item["arguments"]}
    call = {"id": item["call_id"], "type": "function", "function": function}
    messages[-1].setdefault("tool_calls", []).append(call)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or part.get("refusal") or "") for part in content)
