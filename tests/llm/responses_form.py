"""The scripted server's other wire: the same script and the same requests in Responses form."""

from typing import Any

STATUSES = {
    "length": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
    "content_filter": {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
}


def answer(body: Any) -> Any:
    """Return a scripted chat completion as a response; anything else as it is."""
    if not isinstance(body, dict) or "choices" not in body:
        return body
    choices = body["choices"]
    common = {key: body[key] for key in ("id", "model") if key in body}
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return {**common, "object": "response", "status": "completed", "output": None}
    choice = choices[0]
    message = choice.get("message")
    if not isinstance(message, dict):
        return [message]
    return {
        **common,
        "object": "response",
        **STATUSES.get(choice.get("finish_reason"), {"status": "completed"}),
        "output": list(_output(message)),
        "usage": _usage(body.get("usage")),
    }


def _output(message: dict[str, Any]) -> Any:
    if message.get("reasoning_content"):
        yield {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}
    parts = []
    if message.get("content") is not None:
        content = message["content"]
        texts = [part["text"] for part in content] if isinstance(content, list) else [content]
        parts += [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    if message.get("refusal"):
        parts.append({"type": "refusal", "refusal": message["refusal"]})
    if parts:
        yield {"type": "message", "role": "assistant", "id": "msg_1", "content": parts}
    for place, call in enumerate(message.get("tool_calls") or []):
        function = call.get("function") if isinstance(call, dict) else None
        function = function if isinstance(function, dict) else {}
        identifier = call.get("id") if isinstance(call, dict) else None
        yield {"type": "function_call", "id": f"fc_{place}", "call_id": identifier, **function}


def _usage(usage: Any) -> Any:
    if not isinstance(usage, dict):
        return usage
    return {
        "input_tokens": usage["prompt_tokens"],
        "output_tokens": usage["completion_tokens"],
        "input_tokens_details": usage["prompt_tokens_details"],
        "output_tokens_details": usage["completion_tokens_details"],
    }


def request(body: dict[str, Any]) -> dict[str, Any]:
    """Return a Responses request in the form of Chat Completions, to be compared with one."""
    same = ("model", "temperature", "service_tier", "tool_choice")
    chat: dict[str, Any] = {key: body[key] for key in same if key in body}
    if "max_output_tokens" in body:
        chat["max_completion_tokens"] = body["max_output_tokens"]
    if "reasoning" in body:
        chat["reasoning_effort"] = body["reasoning"]["effort"]
    if "tools" in body:
        chat["tools"] = [
            {"type": "function", "function": _without(tool, "type", "strict")}
            for tool in body["tools"]
        ]
    form = body.get("text", {}).get("format")
    if form is not None:
        described = {"json_schema": _without(form, "type")} if "schema" in form else {}
        chat["response_format"] = {"type": form["type"], **described}
    messages: list[dict[str, Any]] = []
    if "instructions" in body:
        messages.append({"role": "system", "content": body["instructions"]})
    for item in body["input"]:
        _add(messages, item)
    return {**chat, "messages": messages}


def _without(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key not in keys}


def _add(messages: list[dict[str, Any]], item: dict[str, Any]) -> None:
    kind = item.get("type", "message")
    if kind == "reasoning":
        return
    if kind == "function_call_output":
        messages.append(
            {"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]}
        )
    elif kind == "function_call":
        call = {
            "id": item["call_id"],
            "type": "function",
            "function": {"name": item["name"], "arguments": item["arguments"]},
        }
        last = messages[-1] if messages else {}
        if last.get("role") != "assistant":
            last = {"role": "assistant", "content": None}
            messages.append(last)
        last.setdefault("tool_calls", []).append(call)
    else:
        content = item["content"]
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        messages.append({"role": item["role"], "content": content})
