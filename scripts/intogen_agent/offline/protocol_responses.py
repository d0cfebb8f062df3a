"""The Responses API: what a request must look like, and what an answer looks like."""

import json
from collections.abc import Mapping
from typing import Any

from intogen_agent.offline import checks, protocol, reasoning, responses_items
from intogen_agent.offline.protocol import Asked, Written
from intogen_agent.offline.refused import Refused
from intogen_agent.offline.sentences import word_set

# The parameters of OpenAI's API; a test compares them with the installed client's.
PARAMETERS = word_set(
    """
    access_programs background background_options context_management conversation image include
    input instructions max_output_tokens max_tool_calls metadata model moderation
    parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
    prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options
    temperature text tool_choice tools top_logprobs top_p truncation user
    """
)
_MOVED = {
    "response_format": "text.format",
    "messages": "input",
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    "reasoning_effort": "reasoning.effort",
}
_NOT_ACTED_ON = ("background", "context_management", "conversation", "image", "prompt")
_INCLUDES = (
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    reasoning.ENCRYPTED,
    "message.output_text.logprobs",
)
_TOOL_FIELDS = checks.FUNCTION_FIELDS | {"type", "async", "allowed_callers", "defer_loading"}
_MIN_OUTPUT_TOKENS = 16
_REASONS = {"length": "max_output_tokens", "filter": "content_filter"}


def parse(raw: bytes) -> Asked:
    """Read and check a request body.

    Raises:
        Refused: It is not JSON, or OpenAI would refuse it.
    """
    request = checks.load(raw)
    for name in request:
        _check_parameter(name)
    checks.model(request)
    checks.not_acted_on(request, _NOT_ACTED_ON)
    checks.values(request, {"max_output_tokens": _MIN_OUTPUT_TOKENS})
    reasons = protocol.answering(request) == protocol.REASONING_MODEL
    include = request.get("include")
    if include is not None and not isinstance(include, list):
        raise Refused("Invalid type for 'include'.", "include", "invalid_type")
    for place, name in enumerate(include or ()):
        checks.member(name, f"include[{place}]", _INCLUDES)
    reasoning.check_responses(request, reasons=reasons)
    tools = _tools(request)
    items = _items(request)
    stored = request.get("store") is not False
    responses_items.check(items, reasons=reasons, stored=stored)
    chat = {
        "model": request["model"],
        "messages": responses_items.as_messages(request.get("instructions"), items),
        "tools": tools,
        "tool_choice": _choice(request.get("tool_choice")),
        "parallel_tool_calls": request.get("parallel_tool_calls"),
        "response_format": _format(request, items),
    }
    kept = {name: value for name, value in chat.items() if value is not None}
    return Asked(protocol.RESPONSES, request, kept)


def _check_parameter(name: str) -> None:
    if name in _MOVED:
        raise Refused(
            f"Unsupported parameter: '{name}'. In the Responses API, this parameter has moved to "
            f"'{_MOVED[name]}'.",
            name,
            "unsupported_parameter",
        )
    if name not in PARAMETERS:
        raise Refused(f"Unknown parameter: '{name}'.", name, "unknown_parameter")


def _items(request: Mapping[str, Any]) -> list[Any]:
    before = request.get("previous_response_id")
    if before is not None:
        raise Refused(
            f"Previous response with id '{before}' not found.",
            "previous_response_id",
            "previous_response_not_found",
        )
    instructions = request.get("instructions")
    if instructions is not None and not isinstance(instructions, str):
        raise Refused("Invalid type for 'instructions'.", "instructions", "invalid_type")
    given = request.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if not isinstance(given, list) or not given:
        raise Refused("Missing required parameter: 'input'.", "input", "missing_required_parameter")
    return given


def _tools(request: Mapping[str, Any]) -> list[Any] | None:
    """Return the tools in the form of Chat Completions."""
    tools = request.get("tools") or None
    names = []
    if tools is not None:
        checks.number_of_tools(tools)
    offers = []
    for place, tool in enumerate(tools or ()):
        where = f"tools[{place}]"
        if not isinstance(tool, Mapping):
            raise Refused(f"Invalid type for '{where}'.", where, "invalid_type")
        checks.member(tool.get("type"), f"{where}.type", ("function",))
        if "name" not in tool:
            path = f"{where}.name"
            raise Refused(
                f"Missing required parameter: '{path}'.", path, "missing_required_parameter"
            )
        checks.fields(tool, _TOOL_FIELDS, where)
        names.append(checks.function(tool, where))
        function = {key: tool[key] for key in tool if key in checks.FUNCTION_FIELDS}
        offers.append({"type": "function", "function": function})
    choice = request.get("tool_choice")
    chosen = choice if isinstance(choice, Mapping) else {}
    checks.choice(request, chosen.get("name") if chosen.get("type") == "function" else None, names)
    return offers or None


def _choice(choice: Any) -> Any:
    if isinstance(choice, Mapping):
        return {"type": "function", "function": {"name": choice["name"]}}
    return choice


def _format(request: Mapping[str, Any], items: list[Any]) -> dict[str, Any] | None:
    """Return the format of the answer in the form of Chat Completions."""
    text = request.get("text")
    if text is None:
        return None
    if not isinstance(text, Mapping):
        raise Refused("Invalid type for 'text'.", "text", "invalid_type")
    checks.fields(text, {"format", "verbosity"}, "text")
    wanted = text.get("format")
    if wanted is None:
        return None
    kind = wanted.get("type") if isinstance(wanted, Mapping) else None
    checks.member(kind, "text.format.type", ("json_schema", "json_object", "text"))
    if kind == "json_object" and "json" not in json.dumps(items).lower():
        raise Refused(
            "Response input messages must contain the word 'json' in some form to use "
            "'text.format' of type 'json_object'.",
            "input",
        )
    if kind != "json_schema":
        return {"type": kind}
    checks.schema(wanted, "text.format", "text.format.schema")
    described = {key: value for key, value in wanted.items() if key != "type"}
    return {"type": "json_schema", "json_schema": described}


def body(asked: Asked, answer: Written, cached: int = 0) -> dict[str, Any]:
    """Return the response body of an answer; only the cached share depends on what came before.

    Args:
        asked: The request.
        answer: What is answered.
        cached: The tokens of the prompt that an earlier request began with too.
    """
    request = asked.raw
    whole = answer.ending == "stop"
    spent = protocol.usage(asked, answer, cached)
    effort = (request.get("reasoning") or {}).get("effort")
    return {
        "id": f"resp_{asked.key[:40]}",
        "object": "response",
        # No clock: the same request gives the same answer.
        "created_at": 0,
        "status": "completed" if whole else "incomplete",
        "background": False,
        "error": None,
        "incomplete_details": None if whole else {"reason": _REASONS[answer.ending]},
        "instructions": request.get("instructions"),
        "max_output_tokens": request.get("max_output_tokens"),
        "model": asked.model,
        "output": _output(asked, answer, "completed" if whole else "incomplete"),
        "parallel_tool_calls": request.get("parallel_tool_calls") is not False,
        "previous_response_id": None,
        "reasoning": {"effort": effort, "summary": None},
        "service_tier": "default",
        "store": request.get("store") is not False,
        "temperature": 1.0 if request.get("temperature") is None else request["temperature"],
        "text": request.get("text") or {"format": {"type": "text"}},
        "tool_choice": request.get("tool_choice") or "auto",
        "tools": request.get("tools") or [],
        "top_p": 1.0 if request.get("top_p") is None else request["top_p"],
        "truncation": "disabled",
        "usage": {
            "input_tokens": spent.prompt,
            "input_tokens_details": {"cached_tokens": spent.cached, "cache_write_tokens": 0},
            "output_tokens": spent.answer,
            "output_tokens_details": {"reasoning_tokens": spent.reasoning},
            "total_tokens": spent.prompt + spent.answer,
        },
        "user": request.get("user"),
        "metadata": request.get("metadata") or {},
    }


def _output(asked: Asked, answer: Written, status: str) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = []
    if answer.thinking is not None or (answer.reasoning_tokens and not answer.calls):
        _, thought = reasoning.call_item(asked.key, 0, reasons=True)
        output.append(_reasoning(asked, thought, answer.thinking))
    part: dict[str, Any] | None = None
    if answer.refusal is not None:
        part = {"type": "refusal", "refusal": answer.refusal}
    elif answer.text is not None:
        part = {"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []}
    if part is not None:
        message = {"id": f"msg_{asked.key[:40]}", "type": "message", "role": "assistant"}
        output.append({**message, "status": status, "content": [part]})
    for call in answer.calls:
        if asked.reasons:
            output.append(_reasoning(asked, call.thought, None))
        output.append(_call(call))
    return output


def _reasoning(asked: Asked, identifier: str, thinking: str | None) -> dict[str, Any]:
    item: dict[str, Any] = {"id": identifier, "type": "reasoning", "summary": []}
    if thinking:
        item["content"] = [{"type": "reasoning_text", "text": thinking}]
    if reasoning.ENCRYPTED in (asked.raw.get("include") or ()):
        item["encrypted_content"] = reasoning.encrypted(identifier)
    return item


def _call(call: protocol.WrittenCall) -> dict[str, Any]:
    item = {
        "type": "function_call",
        "status": "completed",
        "name": call.name,
        "arguments": call.arguments,
    }
    return item if call.id is None else {"id": call.item, "call_id": call.id, **item}
