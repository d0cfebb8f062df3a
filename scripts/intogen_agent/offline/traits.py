"""Faults that are traits of a server: requests that it refuses, in the words of real servers.

They apply to the requests that they are about, so they hit until the client adapts.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from intogen_agent.offline import protocol, reasoning
from intogen_agent.offline.faults import Faults
from intogen_agent.offline.protocol import Asked
from intogen_agent.offline.refused import Refused

_LONG = 2000
_CONTEXT = 4096
# The parameter that a fault is about: on Chat Completions, and on Responses.
_PARAMETERS = {
    "no-seed": ("seed", None),
    "no-reasoning-effort": ("reasoning_effort", "reasoning"),
    "no-service-tier": ("service_tier", "service_tier"),
    "no-prompt-cache-key": ("prompt_cache_key", "prompt_cache_key"),
    "no-store": ("store", "store"),
    "no-include": (None, "include"),
}


def refusal(asked: Asked, faults: Faults) -> Refused | None:
    """Return why a server with these faults refuses a request; None if it does not."""
    for name, (concerns, refuse) in _TRAITS.items():
        # Most requests meet no fault: what one is about is looked at only if there is one.
        if faults.wanted(name) and concerns(asked) and faults.take(name):
            return refuse(asked, faults.given[name] - 1)
    for name in _PARAMETERS:
        parameter = _parameter(name, asked)
        if asked.raw.get(str(parameter)) is not None and faults.take(name):
            return _no_parameter(str(parameter), faults.turn(name, 2))
    return None


def _parameter(name: str, asked: Asked) -> str | None:
    return _PARAMETERS[name][asked.wire == protocol.RESPONSES]


def _no_parameter(name: str, turn: int) -> Refused:
    if turn == 0:
        message = f"Unsupported parameter: '{name}' is not supported with this model."
        return Refused(message, name, "unsupported_parameter")
    detail = {
        "type": "extra_forbidden",
        "loc": ["body", name],
        "msg": "Extra inputs are not permitted",
    }
    return Refused("", status=422, words={"detail": [detail]})


def _any(asked: Asked) -> bool:
    return True


def _has(name: str) -> Callable[[Asked], bool]:
    return lambda asked: asked.wire == protocol.CHAT and asked.raw.get(name) is not None


def _has_tools(asked: Asked) -> bool:
    return bool(asked.chat.get("tools"))


def _has_tools_on_chat(asked: Asked) -> bool:
    return asked.wire == protocol.CHAT and _has_tools(asked)


def _has_temperature(asked: Asked) -> bool:
    return asked.raw.get("temperature") not in (None, 1)


def _has_format(kind: str) -> Callable[[Asked], bool]:
    return lambda asked: (asked.chat.get("response_format") or {}).get("type") == kind


def _has_choice(asked: Asked) -> bool:
    return asked.chat.get("tool_choice") not in (None, "auto")


def _messages(asked: Asked, role: str) -> list[tuple[int, Mapping[str, Any]]]:
    messages = enumerate(asked.chat["messages"])
    return [(place, message) for place, message in messages if message["role"] == role]


def _has_null(asked: Asked) -> bool:
    turns = _messages(asked, "assistant") if asked.wire == protocol.CHAT else []
    return any(message.get("content") is None for _, message in turns)


def _has_empty(asked: Asked) -> bool:
    turns = _messages(asked, "assistant") if asked.wire == protocol.CHAT else []
    return any(message.get("content") == "" for _, message in turns)


def _has_bad_grammar(asked: Asked) -> bool:
    tools = asked.chat.get("tools") or ()
    return any(_is_bad(part) for tool in tools for part in _parts(tool["function"]))


def _parts(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every object of a schema, but for the names of properties."""
    if isinstance(value, Mapping):
        yield value
        for key, inner in value.items():
            named = key in ("properties", "$defs") and isinstance(inner, Mapping)
            for part in inner.values() if named else (inner,):
                yield from _parts(part)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)


def _is_bad(part: Mapping[str, Any]) -> bool:
    long = part.get("maxLength")
    empty = part.get("type") == "object" and not part.get("properties")
    return empty or "pattern" in part or (isinstance(long, int) and long >= _LONG)


def _has_late_system(asked: Asked) -> bool:
    late = any(place > 0 for place, _ in _messages(asked, "system"))
    return late or bool(_messages(asked, "developer"))


def _has_system(asked: Asked) -> bool:
    return bool(_messages(asked, "system") or _messages(asked, "developer"))


def _too_long(asked: Asked, turn: int) -> Refused:
    count = max(protocol.tokens(asked.prompt), _CONTEXT + 1)
    forms = (_openai, _llama_cpp, _vllm, _sglang, _ollama)
    return forms[turn % len(forms)](asked, count)


def _openai(asked: Asked, count: int) -> Refused:
    if asked.wire == protocol.RESPONSES:
        return Refused(
            "Your input exceeds the context window of this model. Please adjust your input and "
            "try again.",
            "input",
            "context_length_exceeded",
        )
    return Refused(
        f"This model's maximum context length is {_CONTEXT} tokens. However, your messages "
        f"resulted in {count} tokens. Please reduce the length of the messages.",
        "messages",
        "context_length_exceeded",
    )


def _llama_cpp(asked: Asked, count: int) -> Refused:
    error = {
        "code": 400,
        "message": f"request ({count} tokens) exceeds the available context size ({_CONTEXT} "
        "tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": count,
        "n_ctx": _CONTEXT,
    }
    return Refused("", words={"error": error})


def _vllm(asked: Asked, count: int) -> Refused:
    error = {
        "message": f"The decoder prompt (length {count}) is longer than the maximum model length "
        f"of {_CONTEXT}. Make sure that `max_model_len` is no smaller than the number of tokens.",
        "type": "BadRequestError",
        "param": None,
        "code": 400,
    }
    return Refused("", words={"error": error})


def _sglang(asked: Asked, count: int) -> Refused:
    body = {
        "object": "error",
        "message": f"The input ({count} tokens) is longer than the model's context length "
        f"({_CONTEXT} tokens).",
        "type": "BadRequest",
        "param": None,
        "code": 400,
    }
    return Refused("", words=body)


def _ollama(asked: Asked, count: int) -> Refused:
    return Refused("", words={"error": "the prompt is too long: it exceeds the context window"})


def _azure_filter(asked: Asked, turn: int) -> Refused:
    error = {
        "message": "The response was filtered due to the prompt triggering the content management "
        "policy. Please modify your prompt and retry.",
        "type": None,
        "param": "prompt",
        "code": "content_filter",
        "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}},
    }
    return Refused("", words={"error": error})


def _no_max_completion_tokens(asked: Asked, turn: int) -> Refused:
    return Refused("Unrecognized request argument supplied: max_completion_tokens")


def _no_json_schema(asked: Asked, turn: int) -> Refused:
    message = "This response_format type is unavailable now"
    return Refused(message, code="invalid_request_error")


def _no_json_object(asked: Asked, turn: int) -> Refused:
    return Refused("", words={"error": "'response_format.type' must be 'json_schema' or 'text'"})


def _no_tool_choice(asked: Asked, turn: int) -> Refused:
    choice = asked.raw["tool_choice"]
    word = choice if isinstance(choice, str) else "function"
    return Refused(f"Invalid tool_choice: '{word}' is not supported; only 'auto' is.")


def _no_null(asked: Asked, turn: int) -> Refused:
    error = {
        "message": "invalid message content type: <nil>",
        "type": "invalid_request_error",
        "param": None,
        "code": None,
    }
    return Refused("", words={"error": error})


def _no_empty(asked: Asked, turn: int) -> Refused:
    return Refused(
        "The text field in the content of a message is blank: text content must be non-empty. Add "
        "text to the content field, and try again.",
        kind="ValidationException",
    )


def _no_grammar(asked: Asked, turn: int) -> Refused:
    error = {
        "code": 400,
        "message": "failed to parse grammar",
        "type": "invalid_request_error",
    }
    return Refused("", words={"error": error})


def _one_system(asked: Asked, turn: int) -> Refused:
    if _messages(asked, "developer"):
        why = "Unexpected message role 'developer'."
    else:
        why = "System message must be at the beginning."
    error = {
        "code": 400,
        "message": f"Error rendering the chat template: Jinja Exception: {why}",
        "type": "invalid_request_error",
    }
    return Refused("", words={"error": error})


def _no_system(asked: Asked, turn: int) -> Refused:
    role = "developer" if _messages(asked, "developer") else "system"
    place = _messages(asked, role)[0][0]
    path = f"messages[{place}].role"
    return Refused(
        f"Unsupported value: '{path}' does not support '{role}' with this model.",
        path,
        "unsupported_value",
    )


def _no_tools(asked: Asked, turn: int) -> Refused:
    message = f"registry.ollama.ai/library/{asked.raw['model']} does not support tools"
    return Refused(message, kind="api_error")


_TRAITS: Mapping[str, tuple[Callable[[Asked], bool], Callable[[Asked, int], Refused]]] = {
    "context": (_any, _too_long),
    "content-filter-400": (_any, _azure_filter),
    "no-temperature": (
        _has_temperature,
        lambda asked, _: reasoning.no_temperature(asked.raw["temperature"]),
    ),
    "no-max-completion-tokens": (_has("max_completion_tokens"), _no_max_completion_tokens),
    "no-max-tokens": (_has("max_tokens"), lambda asked, _: reasoning.no_max_tokens()),
    "no-tools-with-reasoning": (
        _has_tools_on_chat,
        lambda asked, _: reasoning.no_tools_on_chat(str(asked.raw["model"])),
    ),
    "no-tools": (_has_tools, _no_tools),
    "no-json-schema": (_has_format("json_schema"), _no_json_schema),
    "no-json-object": (_has_format("json_object"), _no_json_object),
    "no-tool-choice": (_has_choice, _no_tool_choice),
    "no-null-content": (_has_null, _no_null),
    "no-empty-content": (_has_empty, _no_empty),
    "grammar": (_has_bad_grammar, _no_grammar),
    "one-system-message": (_has_late_system, _one_system),
    "no-system": (_has_system, _no_system),
}
