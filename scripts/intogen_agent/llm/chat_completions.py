"""Chat Completions: from a request to parameters, from a raw body to an outcome.

Pure functions; the transport is `endpoint.py`. What servers get wrong, and the order in which it
is looked for, follows the list of failure modes in docs/llm.md.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.files import parse_json
from intogen_agent.llm.outcomes import (
    Answer,
    Failed,
    FailureKind,
    Message,
    ToolCall,
    ToolCalls,
    Usage,
)

Outcome = Answer | ToolCalls | Failed
MAX_TOOLS = 128
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class Request:
    """One model call.

    Attributes:
        schema: Name and JSON Schema of the structured answer, if one is asked for.
    """

    model: str
    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]] = ()
    tool_choice: str | None = None
    schema: tuple[str, dict[str, Any]] | None = None
    temperature: float | None = None
    max_output_tokens: int | None = None


def parameters(request: Request, structured: str, max_tokens_field: str) -> dict[str, Any]:
    """Return the parameters of `chat.completions.create`.

    Args:
        request: The call.
        structured: `json_schema`, `json_object` or `prompt`: how the endpoint takes a schema.
        max_tokens_field: The endpoint's name for the limit on output tokens.
    """
    if len(request.tools) > MAX_TOOLS:
        raise ValueError(f"{len(request.tools)} tools offered; servers take {MAX_TOOLS}")
    messages = list(request.messages)
    values: dict[str, Any] = {"model": request.model}
    if request.tools:
        values["tools"] = list(request.tools)
        if request.tool_choice is not None:
            values["tool_choice"] = request.tool_choice
    if request.schema is not None:
        name, schema = request.schema
        if structured == "json_schema":
            values["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": schema, "strict": True},
            }
        else:
            messages = _with_schema(messages, schema)
            if structured == "json_object":
                values["response_format"] = {"type": "json_object"}
    if request.temperature is not None:
        values["temperature"] = request.temperature
    if request.max_output_tokens is not None:
        values[max_tokens_field] = request.max_output_tokens
    return {**values, "messages": messages}


def _with_schema(messages: list[Message], schema: dict[str, Any]) -> list[Message]:
    asked = "Answer with one JSON object of this JSON Schema and nothing else:\n"
    last = messages[-1]
    content = f"{last['content']}\n\n{asked}{json.dumps(schema)}"
    return [*messages[:-1], {**last, "content": content}]


def outcome(body: Any) -> Outcome:
    """Read a response body (already JSON) as a typed outcome."""
    if not isinstance(body, Mapping):
        return Failed(FailureKind.INVALID, "the server did not answer with a JSON object")
    if body.get("error"):
        return error_outcome(200, body)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return Failed(FailureKind.TRANSPORT, "the answer holds no choices")
    choice = choices[0]
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return Failed(FailureKind.INVALID, "the answer holds no message")
    text = message.get("content")
    text = text if isinstance(text, str) else ""
    if message.get("refusal"):
        return Failed(FailureKind.REFUSAL, str(message["refusal"])[:300])
    finish = choice.get("finish_reason")
    if finish == "content_filter":
        return Failed(FailureKind.REFUSAL, "the provider's content filter stopped the answer")
    if finish == "length":
        spent = usage(body).reasoning_tokens
        note = f" ({spent} tokens went into reasoning)" if spent else ""
        return Failed(FailureKind.CUT_OFF, f"the answer was cut off at the token limit{note}", text)
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return _tool_calls(calls, text)
    if not text.strip():
        return Failed(FailureKind.EMPTY, "the answer is empty")
    return Answer(text, {"role": "assistant", "content": text})


def _tool_calls(raw: list[Any], text: str) -> ToolCalls:
    """Read tool calls; missing or repeated ids are minted anew by position."""
    ids = [call.get("id") if isinstance(call, Mapping) else None for call in raw]
    sound = all(isinstance(item, str) and item for item in ids) and len(set(ids)) == len(ids)
    calls = []
    for position, call in enumerate(raw):
        function = call.get("function") if isinstance(call, Mapping) else None
        function = function if isinstance(function, Mapping) else {}
        name = str(function.get("name") or "")
        arguments, problem = _arguments(function.get("arguments"))
        identifier = str(ids[position]) if sound else f"call_{position + 1}"
        calls.append(ToolCall(identifier, name, arguments, problem))
    message = {
        "role": "assistant",
        "content": text or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    # Servers refuse a conversation that repeats a malformed name.
                    "name": _NOT_IN_NAMES.sub("_", call.name)[:64] or "unnamed",
                    "arguments": json.dumps(call.arguments or {}),
                },
            }
            for call in calls
        ],
    }
    return ToolCalls(calls, message)


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


def usage(body: Any) -> Usage:
    """Return the tokens that a response reports."""
    raw = body.get("usage") if isinstance(body, Mapping) else None
    if not isinstance(raw, Mapping):
        return Usage()
    return Usage(
        input_tokens=_count(raw.get("prompt_tokens")),
        output_tokens=_count(raw.get("completion_tokens")),
        cached_tokens=_detail(raw, "prompt_tokens_details", "cached_tokens"),
        reasoning_tokens=_detail(raw, "completion_tokens_details", "reasoning_tokens"),
    )


def _detail(raw: Mapping[str, Any], group: str, name: str) -> int | None:
    details = raw.get(group)
    return _count(details.get(name)) if isinstance(details, Mapping) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_CONTEXT = re.compile(
    r"context[ _](length|size|window)|maximum context|too many tokens|exceed_context_size"
    r"|prompt is too long|reduce the length|maximum model length|max_new_tokens"
    r"|token count.*exceed",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"insufficient_quota|billing_hard_limit|exceeded your current quota", re.I)


def error_outcome(status: int, body: Any) -> Failed:
    """Classify an HTTP error, or an error body that came with status 200."""
    body = body if isinstance(body, Mapping) else {}
    # {"error": {...}}, {"error": "text"}, or the error itself (older vLLM), or FastAPI's "detail".
    error = body.get("error") or body
    error = error if isinstance(error, Mapping) else {"message": error}
    message = str(error.get("message") or error.get("detail") or "no message")[:300]
    words = " ".join([message, *(str(error.get(name) or "") for name in ("code", "type"))])
    if _QUOTA.search(words):
        return Failed(FailureKind.QUOTA, message)
    if status in (401, 403):
        return Failed(FailureKind.AUTHENTICATION, f"the server refused the key (HTTP {status})")
    if status == 429:
        return Failed(FailureKind.THROTTLED, message)
    if status == 413 or _CONTEXT.search(words):
        return Failed(FailureKind.CONTEXT_OVERFLOW, message)
    if status == 408:
        return Failed(FailureKind.TIMEOUT, message)
    if status >= 500 or status == 409:
        return Failed(FailureKind.TRANSPORT, f"HTTP {status}: {message}")
    if status == 200:
        return Failed(FailureKind.TRANSPORT, f"an error came with HTTP 200: {message}")
    return Failed(FailureKind.REJECTED, f"HTTP {status}: {message}")
