"""How `offline-reasoning-1` differs: it acts out what OpenAI's reasoning models refuse.

It composes the same answers. What it calls reasoning is an empty summary and a digest: it shows
whether a client carries these items along as it must.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from intogen_agent.offline import checks
from intogen_agent.offline.refused import Refused

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
TOKENS_PER_ITEM = 64
ENCRYPTED = "reasoning.encrypted_content"
_SAMPLING = (
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "logprobs",
    "top_logprobs",
    "logit_bias",
)


def check_chat(request: Mapping[str, Any], *, reasons: bool) -> None:
    """Check a Chat Completions request against its model.

    Raises:
        Refused: The model does not take it.
    """
    effort = request.get("reasoning_effort")
    if not reasons:
        if effort is not None:
            raise Refused("Unrecognized request argument supplied: reasoning_effort")
        return
    if effort is not None:
        checks.member(effort, "reasoning_effort", EFFORTS)
    if request.get("tools") and effort != "none":
        raise no_tools_on_chat(str(request["model"]))
    if request.get("temperature") not in (None, 1):
        raise no_temperature(request["temperature"])
    if request.get("max_tokens") is not None:
        raise no_max_tokens()
    _check_sampling(request)


def no_tools_on_chat(model: str) -> Refused:
    """Return the refusal of tools on Chat Completions."""
    return Refused(
        f"Function tools with reasoning_effort are not supported for {model} in "
        "/v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to "
        "'none'.",
        "reasoning_effort",
    )


def no_temperature(value: Any) -> Refused:
    """Return the refusal of a temperature."""
    return Refused(
        f"Unsupported value: 'temperature' does not support {value} with this model. Only the "
        "default (1) value is supported.",
        "temperature",
        "unsupported_value",
    )


def no_max_tokens() -> Refused:
    """Return the refusal of the older limit on output tokens."""
    return Refused(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
    )


def check_responses(request: Mapping[str, Any], *, reasons: bool) -> None:
    """Check a Responses request against its model.

    Raises:
        Refused: The model does not take it.
    """
    wanted = request.get("reasoning") or {}
    if not isinstance(wanted, Mapping):
        raise Refused("Invalid type for 'reasoning'.", "reasoning", "invalid_type")
    checks.fields(wanted, {"effort", "summary", "generate_summary", "context", "mode"}, "reasoning")
    if reasons:
        if wanted.get("effort") is not None:
            checks.member(wanted["effort"], "reasoning.effort", EFFORTS)
        if request.get("temperature") not in (None, 1):
            raise no_temperature(request["temperature"])
        _check_sampling(request)
        return
    for name, value in wanted.items():
        if value is not None:
            path = f"reasoning.{name}"
            raise _unsupported(path)
    if ENCRYPTED in (request.get("include") or ()):
        raise Refused("Encrypted content is not supported with this model.", "include")


def _check_sampling(request: Mapping[str, Any]) -> None:
    for name in _SAMPLING:
        if request.get(name):
            raise _unsupported(name)


def _unsupported(path: str) -> Refused:
    message = f"Unsupported parameter: '{path}' is not supported with this model."
    return Refused(message, path, "unsupported_parameter")


def call_item(key: str, place: int, *, reasons: bool) -> tuple[str, str]:
    """Return the ids of a function call's item and of the reasoning item before it.

    Args:
        key: The digest of the request.
        place: The position among the calls.
        reasons: Whether the call rests on its reasoning item; its id then says so.
    """
    stem = f"{key[:24]}{place:02d}"
    mark = _digest("call", stem)[:8] if reasons else "0" * 8
    return f"fc_{stem}{mark}", f"rs_{stem}"


def item_before(call_item: Any) -> str | None:
    """Return the id of the reasoning item that a function call's item rests on, if any."""
    if not isinstance(call_item, str):
        return None
    stem = call_item.removeprefix("fc_")[:-8]
    return f"rs_{stem}" if call_item == f"fc_{stem}{_digest('call', stem)[:8]}" else None


def encrypted(item: str) -> str:
    """Return the encrypted content of a reasoning item: a digest, so that it can be verified."""
    return f"gAAAA{_digest('reasoning', item)}"


def _digest(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind} {text}".encode()).hexdigest()
