"""The wire: what a chat completion request must look like, and what an answer looks like."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from intogen_agent.offline import shape
from intogen_agent.offline.composer import MODEL, Reply

MAX_TOOLS = 128
CHARACTERS_PER_TOKEN = 3.5
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_CHOICES = frozenset({"auto", "none", "required"})


class Refused(Exception):
    """A request that is refused with an error body like OpenAI's.

    Attributes:
        message: What is wrong.
        param: The parameter at fault.
        code: OpenAI's error code, if there is one for it.
        status: The HTTP status.
    """

    def __init__(
        self, message: str, param: str | None = None, code: str | None = None, status: int = 400
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        self.code = code
        self.status = status

    def body(self) -> dict[str, Any]:
        """Return the error body."""
        kind = "rate_limit_error" if self.status == 429 else "invalid_request_error"
        return {
            "error": {
                "message": self.message,
                "type": kind,
                "param": self.param,
                "code": self.code,
            }
        }


def parse(raw: bytes) -> dict[str, Any]:
    """Read and check a request body.

    Raises:
        Refused: It is not JSON, or OpenAI would refuse it.
    """
    try:
        request = json.loads(raw)
    except ValueError:
        raise Refused("We could not parse the JSON body of your request.") from None
    if not isinstance(request, dict):
        raise Refused("The JSON body of your request is not an object.")
    _check_model(request)
    _check_messages(request)
    _check_tools(request)
    _check_format(request)
    return request


def _check_model(request: Mapping[str, Any]) -> None:
    if not isinstance(request.get("model"), str) or not request["model"]:
        raise Refused("you must provide a model parameter", "model")
    if request.get("stream"):
        raise Refused("This server does not stream.", "stream", "unsupported_value")
    count = request.get("n")
    if count not in (None, 1):
        raise Refused("This server gives one choice.", "n", "unsupported_value")


def _check_messages(request: Mapping[str, Any]) -> None:
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Refused("[] is too short - 'messages'", "messages")
    open_calls: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages.[{place}]"
        if not isinstance(message, Mapping) or message.get("role") not in _ROLES:
            raise Refused(
                f"Invalid value for the role of {where}.", f"{where}.role", "invalid_value"
            )
        if message["role"] == "tool":
            _check_tool_message(message, where, open_calls)
            continue
        _no_open_calls(open_calls, where)
        content = message.get("content")
        if not isinstance(content, str | list) and not (
            message["role"] == "assistant" and message.get("tool_calls")
        ):
            raise Refused(
                f"Invalid type for '{where}.content'.", f"{where}.content", "invalid_type"
            )
        if message["role"] == "assistant":
            open_calls = _calls_of(message, where)
    _no_open_calls(open_calls, "messages")


def _check_tool_message(message: Mapping[str, Any], where: str, open_calls: set[str]) -> None:
    identifier = message.get("tool_call_id")
    if identifier not in open_calls:
        raise Refused(
            "Invalid parameter: messages with role 'tool' must be a response to a preceding "
            "message with 'tool_calls'.",
            f"{where}.role",
        )
    if not isinstance(message.get("content"), str | list):
        raise Refused(f"Invalid type for '{where}.content'.", f"{where}.content", "invalid_type")
    open_calls.discard(str(identifier))


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
        if not isinstance(function, Mapping) or not isinstance(call.get("id"), str):
            raise Refused(f"Invalid tool call in '{where}.tool_calls'.", f"{where}.tool_calls")
        _check_name(function.get("name"), f"{where}.tool_calls")
        if not isinstance(function.get("arguments"), str):
            raise Refused(
                f"Invalid type for the arguments in '{where}.tool_calls': expected a string.",
                f"{where}.tool_calls",
                "invalid_type",
            )
        identifiers.append(call["id"])
    if len(set(identifiers)) != len(identifiers):
        raise Refused(f"Duplicate ids in '{where}.tool_calls'.", f"{where}.tool_calls")
    return set(identifiers)


def _check_name(name: Any, where: str) -> None:
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name):
        raise Refused(
            f"Invalid '{where}': string does not match pattern. Expected a string that matches the "
            "pattern '^[a-zA-Z0-9_-]{1,64}$'.",
            where,
            "invalid_value",
        )


def _check_tools(request: Mapping[str, Any]) -> None:
    tools = request.get("tools")
    choice = request.get("tool_choice")
    if tools is None:
        if choice not in (None, "none"):
            raise Refused("Invalid value for 'tool_choice': no 'tools' are given.", "tool_choice")
        return
    if not isinstance(tools, list) or not tools:
        raise Refused("[] is too short - 'tools'", "tools")
    if len(tools) > MAX_TOOLS:
        raise Refused(
            f"Invalid 'tools': array too long. Expected an array with maximum length {MAX_TOOLS}, "
            f"but got an array with length {len(tools)} instead.",
            "tools",
            "array_above_max_length",
        )
    names = []
    for place, tool in enumerate(tools):
        where = f"tools[{place}].function"
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or tool.get("type") != "function":
            raise Refused(f"Missing required parameter: '{where}'.", where)
        _check_name(function.get("name"), f"{where}.name")
        names.append(function["name"])
        _check_parameters(function, where)
    _check_choice(choice, names)


def _check_parameters(function: Mapping[str, Any], where: str) -> None:
    parameters = function.get("parameters")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise Refused(f"Invalid type for '{where}.parameters'.", f"{where}.parameters")
    if function.get("strict"):
        problem = shape.strict_problem(parameters)
        if problem:
            raise Refused(
                f"Invalid schema for function '{function['name']}': {problem}.",
                f"{where}.parameters",
                "invalid_function_parameters",
            )


def _check_choice(choice: Any, names: list[str]) -> None:
    if choice is None or (isinstance(choice, str) and choice in _CHOICES):
        return
    function = choice.get("function") if isinstance(choice, Mapping) else None
    if isinstance(function, Mapping) and choice.get("type") == "function":
        if function.get("name") in names:
            return
        raise Refused(
            "Invalid value for 'tool_choice': the named function is not among 'tools'.",
            "tool_choice",
        )
    raise Refused(f"Invalid value for 'tool_choice': {choice!r}.", "tool_choice", "invalid_value")


def _check_format(request: Mapping[str, Any]) -> None:
    wanted = request.get("response_format")
    if wanted is None or (isinstance(wanted, Mapping) and wanted.get("type") == "text"):
        return
    if not isinstance(wanted, Mapping) or wanted.get("type") != "json_schema":
        raise Refused(
            f"Invalid value for 'response_format.type'; {MODEL} takes 'text' and 'json_schema'.",
            "response_format.type",
            "unsupported_value",
        )
    described = wanted.get("json_schema")
    described = described if isinstance(described, Mapping) else {}
    _check_name(described.get("name"), "response_format.json_schema.name")
    schema = described.get("schema")
    if not isinstance(schema, Mapping):
        where = "response_format.json_schema.schema"
        raise Refused(f"Missing required parameter: '{where}'.", where)
    problem = shape.strict_problem(schema) if described.get("strict") else None
    if problem:
        raise Refused(
            f"Invalid schema for response_format '{described['name']}': {problem}.",
            "response_format",
            "invalid_json_schema",
        )


def tokens(text: str) -> int:
    """Estimate the tokens of a text."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def completion(request: Mapping[str, Any], reply: Reply, cut_off: bool = False) -> dict[str, Any]:
    """Return the response body of a reply; the same request gives the same body.

    Args:
        request: The request.
        reply: What the composer answered.
        cut_off: Whether the answer ends at a token limit.
    """
    key = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": None}
    finish = "length" if cut_off else "stop"
    if reply.calls:
        finish = "tool_calls"
        message["tool_calls"] = [
            {
                "id": f"call_{key[:16]}{place:02d}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
            }
            for place, (name, arguments) in enumerate(reply.calls)
        ]
    prompt = tokens(prompt_text(request))
    answer = tokens(completion_text(reply))
    return {
        "id": f"chatcmpl-{key[:29]}",
        "object": "chat.completion",
        # No clock: the same request gives the same answer, byte for byte.
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
        "system_fingerprint": None,
    }


def prompt_text(request: Mapping[str, Any]) -> str:
    """Return all that a request makes a model read."""
    parts = [request.get("messages"), request.get("tools"), request.get("response_format")]
    return "".join(json.dumps(part, ensure_ascii=False) for part in parts if part)


def completion_text(reply: Reply) -> str:
    """Return all that a reply makes a model write."""
    calls = "".join(f"{name}{json.dumps(arguments)}" for name, arguments in reply.calls)
    return f"{reply.text or ''}{calls}"


def models() -> dict[str, Any]:
    """Return the list of models."""
    entry = {"id": MODEL, "object": "model", "created": 0, "owned_by": "intogen-agent"}
    return {"object": "list", "data": [entry]}
