"""Chat Completions: from a request to parameters, from a raw body to a reply.

Pure functions; the transport is `exchange.py`. What servers get wrong, and what is done about it,
follows the list of failures in docs/llm.md.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from intogen_agent.llm import conversation, token_counts
from intogen_agent.llm.outcomes import Failed, FailureKind, Message
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import RawCall, Reply
from intogen_agent.llm.request import Request
from intogen_agent.llm.server_errors import error_outcome
from intogen_agent.llm.tool_names import wire_name
from intogen_agent.provenance.attributes import Usage

_COMPLETE = {"", "stop", "tool_calls", "tool_use", "function_call", "end_turn", "eos", "eos_token"}
_COMPLETE |= {"stop_sequence", "complete"}


def parameters(request: Request, profile: Profile) -> dict[str, Any]:
    """Return the parameters of `chat.completions.create`.

    Args:
        request: The call.
        profile: What the model can do.
    """
    messages = conversation.merged(conversation.complete(request.messages))
    values: dict[str, Any] = {"model": request.model}
    if request.tools:
        values["tools"] = [_offer(tool) for tool in request.tools]
        values["tool_choice"] = request.tool_choice
    if request.schema is not None:
        name, schema = request.schema
        if profile.structured == "json_schema":
            described = {"name": name, "schema": schema, "strict": request.strict}
            values["response_format"] = {"type": "json_schema", "json_schema": described}
        else:
            messages = conversation.asking_in_words(messages, schema)
            if profile.structured == "json_object":
                values["response_format"] = {"type": "json_object"}
    values["temperature"] = request.temperature
    values["seed"] = request.seed
    values["reasoning_effort"] = request.reasoning_effort
    values["service_tier"] = request.service_tier
    values[profile.max_tokens_field] = request.max_output_tokens
    sent = {k: v for k, v in values.items() if v is not None and k not in profile.refused}
    if not profile.system_role:
        messages = conversation.without_system_role(messages)
    return {**sent, "messages": list(_plain(messages, profile))}


def _offer(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    return {"type": "function", "function": {**function, "name": wire_name(function["name"])}}


def _plain(messages: Iterable[Message], profile: Profile) -> Iterable[Message]:
    """Yield messages as this wire has them: names that servers take, content always there."""
    empty = "" if profile.empty_content == "text" else None
    for message in messages:
        plain = {key: value for key, value in message.items() if key != "output_items"}
        if message.get("tool_calls"):
            plain["content"] = message["content"] or empty
            plain["tool_calls"] = [
                {**call, "function": _offer(call)["function"]} for call in message["tool_calls"]
            ]
        yield plain


def read(body: Any) -> Reply | Failed:
    """Read a response body (already JSON)."""
    if not isinstance(body, Mapping):
        return Failed(FailureKind.INVALID, "the server did not answer with a JSON object")
    if body.get("error"):
        return error_outcome(200, body)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return Failed(FailureKind.TRANSPORT, "the answer holds no choices")
    choice = choices[0]
    if choice.get("error"):
        return error_outcome(200, choice)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return Failed(FailureKind.INVALID, "the answer holds no message")
    finish = finish_of(choice.get("finish_reason"))
    if finish is None:
        told = str(choice["finish_reason"])[:40]
        return Failed(FailureKind.TRANSPORT, f"the answer ended with '{told}'")
    text = _text(message.get("content"))
    calls = message.get("tool_calls")
    return Reply(
        text=text,
        calls=[_call(call) for call in calls] if isinstance(calls, list) else [],
        finish=finish,
        refusal=str(message.get("refusal") or ""),
        reasoned=bool(message.get("reasoning_content") or message.get("reasoning")),
        usage=usage(body),
    )


def finish_of(reason: Any) -> Literal["stop", "length", "filter"] | None:
    """Return how an answer ended, in any server's word; None if it was not finished."""
    word = reason.lower() if isinstance(reason, str) else ""
    if "length" in word or "max_tokens" in word:
        return "length"
    if "filter" in word or "safety" in word:
        return "filter"
    return "stop" if word in _COMPLETE and not isinstance(reason, list | dict) else None


def _text(content: Any) -> str:
    """Return a message's text; some servers send it as a list of parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _call(raw: Any) -> RawCall:
    call = raw if isinstance(raw, Mapping) else {}
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    return RawCall(call.get("id"), str(function.get("name") or ""), function.get("arguments"))


def usage(body: Any) -> Usage:
    """Return the tokens that a response reports."""
    return token_counts.usage(body, token_counts.CHAT)
