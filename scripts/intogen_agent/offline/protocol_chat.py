"""Chat Completions: what a request must look like, and what an answer looks like."""

import json
from collections.abc import Mapping
from typing import Any

from intogen_agent.offline import checks, protocol, reasoning
from intogen_agent.offline.protocol import Asked, Written
from intogen_agent.offline.refused import Refused
from intogen_agent.offline.sentences import word_set

# The parameters of OpenAI's API; a test compares them with the installed client's.
PARAMETERS = word_set(
    """
    audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
    max_tokens messages metadata modalities model moderation n parallel_tool_calls prediction
    presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
    response_format safety_identifier seed service_tier stop store stream stream_options
    temperature tool_choice tools top_logprobs top_p user verbosity web_search_options
    """
)
_NOT_ACTED_ON = ("functions", "function_call", "audio", "prediction", "web_search_options")
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_FIELDS = {
    "assistant": {"tool_calls", "refusal", "audio", "function_call", "annotations"},
    "tool": {"tool_call_id"},
}
_ENDINGS = {"length": "length", "filter": "content_filter"}


def parse(raw: bytes) -> Asked:
    """Read and check a request body.

    Raises:
        Refused: It is not JSON, or OpenAI would refuse it.
    """
    request = checks.load(raw)
    for name in request:
        if name not in PARAMETERS:
            raise Refused(f"Unrecognized request argument supplied: {name}")
    checks.model(request)
    if request.get("n") not in (None, 1):
        raise Refused("This server gives one choice.", "n", "unsupported_value")
    checks.not_acted_on(request, _NOT_ACTED_ON)
    checks.values(request, {"max_tokens": 1, "max_completion_tokens": 1})
    if None not in (request.get("max_tokens"), request.get("max_completion_tokens")):
        raise Refused(
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
            "max_tokens",
            "invalid_parameter_combination",
        )
    _check_messages(request)
    _check_tools(request)
    _check_format(request)
    reasons = protocol.answering(request) == protocol.REASONING_MODEL
    reasoning.check_chat(request, reasons=reasons)
    return Asked(protocol.CHAT, request, request)


def _check_messages(request: Mapping[str, Any]) -> None:
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Refused("[] is too short - 'messages'", "messages")
    open_calls: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages.[{place}]"
        role = message.get("role") if isinstance(message, Mapping) else None
        if not isinstance(role, str) or role not in _ROLES:
            raise Refused(
                f"Invalid value for the role of {where}.", f"{where}.role", "invalid_value"
            )
        known = {"role", "content", "name"} | _FIELDS.get(role, set())
        checks.fields(message, known, f"messages[{place}]")
        if message["role"] == "tool":
            _check_tool_message(message, where, open_calls)
            continue
        _no_open_calls(open_calls, where)
        _check_content(message, where)
        if message["role"] == "assistant":
            open_calls = _calls_of(message, where)
    _no_open_calls(open_calls, "messages")


def _check_content(message: Mapping[str, Any], where: str) -> None:
    may_lack = message["role"] == "assistant" and (
        message.get("tool_calls") or message.get("refusal")
    )
    content = message.get("content")
    if content is None and may_lack:
        return
    if not isinstance(content, str | list):
        raise Refused(f"Invalid type for '{where}.content'.", f"{where}.content", "invalid_type")
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping) or part.get("type") not in ("text", "refusal"):
            raise Refused(
                f"Invalid part in '{where}.content'; this server reads text.",
                f"{where}.content",
                "invalid_value",
            )


def _check_tool_message(message: Mapping[str, Any], where: str, open_calls: set[str]) -> None:
    identifier = message.get("tool_call_id")
    if not isinstance(identifier, str) or identifier not in open_calls:
        raise Refused(
            "Invalid parameter: messages with role 'tool' must be a response to a preceding "
            "message with 'tool_calls'.",
            f"{where}.role",
        )
    _check_content(message, where)
    open_calls.discard(identifier)


def _no_open_calls(open_calls: set[str], where: str) -> None:
    if open_calls:
        raise Refused(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            f"{', '.join(sorted(open_calls))}",
            f"{where}.role",
        )


def _calls_of(message: Mapping[str, Any], where: str) -> set[str]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise Refused(f"Invalid type for '{where}.tool_calls'.", f"{where}.tool_calls")
    identifiers = []
    for call in calls:
        function = call.get("function") if isinstance(call, Mapping) else None
        identifier = call.get("id") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(identifier, str) or not identifier:
            raise Refused(f"Invalid tool call in '{where}.tool_calls'.", f"{where}.tool_calls")
        checks.name(function.get("name"), f"{where}.tool_calls")
        if not isinstance(function.get("arguments"), str):
            raise Refused(
                f"Invalid type for the arguments in '{where}.tool_calls': expected a string.",
                f"{where}.tool_calls",
                "invalid_type",
            )
        identifiers.append(identifier)
    if len(set(identifiers)) != len(identifiers):
        raise Refused(f"Duplicate ids in '{where}.tool_calls'.", f"{where}.tool_calls")
    return set(identifiers)


def _check_tools(request: Mapping[str, Any]) -> None:
    tools = request.get("tools")
    names = []
    if tools is not None:
        checks.number_of_tools(tools)
    for place, tool in enumerate(tools or ()):
        where = f"tools[{place}].function"
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or tool.get("type") != "function":
            raise Refused(
                f"Missing required parameter: '{where}'.", where, "missing_required_parameter"
            )
        checks.fields(function, checks.FUNCTION_FIELDS, where)
        names.append(checks.function(function, where))
    checks.choice(request, _chosen(request.get("tool_choice")), names)


def _chosen(choice: Any) -> str | None:
    function = choice.get("function") if isinstance(choice, Mapping) else None
    if not isinstance(function, Mapping) or choice.get("type") != "function":
        return None
    return str(function.get("name"))


def _check_format(request: Mapping[str, Any]) -> None:
    wanted = request.get("response_format")
    if wanted is None:
        return
    kind = wanted.get("type") if isinstance(wanted, Mapping) else None
    checks.member(kind, "response_format.type", ("json_schema", "json_object", "text"))
    if kind == "json_object" and "json" not in json.dumps(request["messages"]).lower():
        raise Refused(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of "
            "type 'json_object'.",
            "messages",
        )
    if kind == "json_schema":
        described = wanted.get("json_schema")
        described = described if isinstance(described, Mapping) else {}
        checks.schema(described, "response_format.json_schema", "response_format")


def body(asked: Asked, answer: Written, cached: int = 0) -> dict[str, Any]:
    """Return the response body of an answer; only the cached share depends on what came before.

    Args:
        asked: The request.
        answer: What is answered.
        cached: The tokens of the prompt that an earlier request began with too.
    """
    message: dict[str, Any] = {
        "role": "assistant",
        "content": answer.text,
        "refusal": answer.refusal,
    }
    if answer.thinking is not None:
        message["reasoning_content"] = answer.thinking
    if answer.calls:
        message["tool_calls"] = [_call(call) for call in answer.calls]
    finish = "tool_calls" if answer.calls else _ENDINGS.get(answer.ending, "stop")
    spent = protocol.usage(asked, answer, cached)
    return {
        "id": f"chatcmpl-{asked.key[:29]}",
        "object": "chat.completion",
        # No clock: the same request gives the same answer.
        "created": 0,
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": spent.prompt,
            "completion_tokens": spent.answer,
            "total_tokens": spent.prompt + spent.answer,
            "prompt_tokens_details": {"cached_tokens": spent.cached},
            "completion_tokens_details": {"reasoning_tokens": spent.reasoning},
        },
        "system_fingerprint": None,
    }


def _call(call: protocol.WrittenCall) -> dict[str, Any]:
    written = {
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
    return written if call.id is None else {"id": call.id, **written}
