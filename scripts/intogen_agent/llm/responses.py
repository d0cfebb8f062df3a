"""The Responses API: from a request to parameters, from a raw body to a reply.

Nothing is stored at the provider: reasoning comes back encrypted and is given back with the calls
that it led to, item by item as the server wrote them. This API has no seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from intogen_agent.files import digest
from intogen_agent.llm import conversation, token_counts
from intogen_agent.llm.outcomes import Failed, FailureKind, Message
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import RawCall, Reply
from intogen_agent.llm.request import Request
from intogen_agent.llm.server_errors import error_outcome
from intogen_agent.llm.tool_names import wire_name
from intogen_agent.provenance.attributes import Usage


def parameters(request: Request, profile: Profile) -> dict[str, Any]:
    """Return the parameters of `responses.create`.

    Args:
        request: The call.
        profile: What the model can do.
    """
    messages = conversation.merged(conversation.complete(request.messages))
    values: dict[str, Any] = {"model": request.model, "store": False}
    if request.tools:
        values["tools"] = [_offer(tool) for tool in request.tools]
        values["tool_choice"] = request.tool_choice
    if request.schema is not None:
        name, schema = request.schema
        if profile.structured == "json_schema":
            kind = {"type": "json_schema", "name": name, "schema": schema}
            values["text"] = {"format": {**kind, "strict": request.strict}}
        else:
            messages = conversation.asking_in_words(messages, schema)
            if profile.structured == "json_object":
                values["text"] = {"format": {"type": "json_object"}}
    if not profile.system_role:
        messages = conversation.without_system_role(messages)
    elif messages[0]["role"] == "system":
        values["instructions"] = messages.pop(0)["content"]
    if request.reasoning_effort is not None and "reasoning_effort" not in profile.refused:
        values["reasoning"] = {"effort": request.reasoning_effort}
    values["include"] = ["reasoning.encrypted_content"]
    values["temperature"] = request.temperature
    values["service_tier"] = request.service_tier
    values["max_output_tokens"] = request.max_output_tokens
    # The turns of one conversation are to reach the same cache.
    values["prompt_cache_key"] = digest(list(request.messages[:2]))[:32]
    sent = {k: v for k, v in values.items() if v is not None and k not in profile.refused}
    return {**sent, "input": list(_items(messages))}


def _offer(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    return {
        "type": "function",
        **function,
        "name": wire_name(function["name"]),
        # The API's default is strict, which most schemas of tools are not.
        "strict": False,
    }


def _items(messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    for message in messages:
        if message.get("output_items") is not None:
            yield from _given_back(message["output_items"])
        elif message["role"] == "tool":
            yield {
                "type": "function_call_output",
                "call_id": message["tool_call_id"],
                "output": message["content"],
            }
        else:
            if message["content"]:
                yield {"role": message["role"], "content": message["content"]}
            for call in message.get("tool_calls") or ():
                function = call["function"]
                yield {
                    "type": "function_call",
                    "call_id": call["id"],
                    "name": wire_name(function["name"]),
                    "arguments": function["arguments"],
                }


def _given_back(items: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a server's output as it takes it back.

    Reasoning that is not encrypted stands nowhere but at the provider, where nothing was stored:
    it is left out, and with it the ids that would ask for it.
    """
    lost = any(
        item.get("type") == "reasoning" and not item.get("encrypted_content") for item in items
    )
    for item in items:
        if not lost:
            yield item
        elif item.get("type") != "reasoning":
            yield {key: value for key, value in item.items() if key != "id"}


def read(body: Any) -> Reply | Failed:
    """Read a response body (already JSON)."""
    if not isinstance(body, Mapping):
        return Failed(FailureKind.INVALID, "the server did not answer with a JSON object")
    if body.get("error"):
        return error_outcome(200, body)
    output = body.get("output")
    if not isinstance(output, list):
        return Failed(FailureKind.TRANSPORT, "the answer holds no output")
    items = [item for item in output if isinstance(item, dict)]
    parts = [part for item in items if item.get("type") == "message" for part in _parts(item)]
    status = body.get("status") or "completed"
    finish = _finish(body)
    if status not in ("completed", "incomplete") or (status == "incomplete" and finish == "stop"):
        return Failed(FailureKind.TRANSPORT, f"the answer ended with the status '{status}'")
    return Reply(
        text="".join(_text(part.get("text")) for part in parts),
        calls=[_call(item) for item in items if item.get("type") == "function_call"],
        finish=finish,
        refusal="".join(_text(part.get("refusal")) for part in parts),
        reasoned=any(item.get("type") == "reasoning" for item in items),
        usage=usage(body),
        items=items,
    )


def _parts(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = item.get("content")
    if isinstance(content, str):
        return [{"text": content}]
    parts = content if isinstance(content, list) else []
    return [part for part in parts if isinstance(part, dict)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _call(item: Mapping[str, Any]) -> RawCall:
    return RawCall(item.get("call_id"), str(item.get("name") or ""), item.get("arguments"))


def _finish(body: Mapping[str, Any]) -> Literal["stop", "length", "filter"]:
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    if reason == "content_filter":
        return "filter"
    return "length" if reason in ("max_output_tokens", "max_tokens") else "stop"


def usage(body: Any) -> Usage:
    """Return the tokens that a response reports."""
    return token_counts.usage(body, token_counts.RESPONSES)
