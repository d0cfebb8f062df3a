"""What is recorded of a model call, under OpenTelemetry's names for generative AI.

Source: OpenTelemetry semantic conventions for generative AI (`gen_ai.*`, `server.*`, `error.type`).
What has no name there stands under `intogen_agent.*`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from intogen_agent.config.llm_settings import Price
from intogen_agent.files import digest

MILLION = 1_000_000
DIGEST_LENGTH = 16
# Parameters of either wire by the convention's names.
_PARAMETERS = {
    "temperature": "gen_ai.request.temperature",
    "seed": "gen_ai.request.seed",
    "max_tokens": "gen_ai.request.max_tokens",
    "max_completion_tokens": "gen_ai.request.max_tokens",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "reasoning_effort": "intogen_agent.request.reasoning_effort",
    "service_tier": "openai.request.service_tier",
    "tool_choice": "intogen_agent.request.tool_choice",
}


@dataclass(frozen=True)
class Usage:
    """Tokens of one call; None where the server does not say.

    Cached tokens are a part of the input, reasoning tokens a part of the output.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def plus(self, other: "Usage") -> "Usage":
        """Return the tokens of two calls together."""
        return Usage(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cached_tokens, other.cached_tokens),
            _sum(self.reasoning_tokens, other.reasoning_tokens),
        )


def _sum(one: int | None, two: int | None) -> int | None:
    return None if one is None and two is None else (one or 0) + (two or 0)


def of_request(
    messages: Sequence[Mapping[str, Any]], sent: Mapping[str, Any], url: str, api: str
) -> dict[str, Any]:
    """Return the attributes of what was sent.

    Args:
        messages: The conversation as the agent has it.
        sent: The parameters that went out.
        url: The provider's address.
        api: The wire.
    """
    parts = urlsplit(url)
    effort = (sent.get("reasoning") or {}).get("effort")
    values = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": sent["model"],
        "gen_ai.output.type": "json" if "response_format" in sent or "text" in sent else "text",
        "server.address": parts.hostname,
        "openai.api.type": "responses" if api == "responses" else "chat_completions",
        "intogen_agent.request.reasoning_effort": effort,
        **{_PARAMETERS[key]: value for key, value in sent.items() if key in _PARAMETERS},
    }
    values["intogen_agent.request.digests"] = [
        digest(message)[:DIGEST_LENGTH] for message in messages
    ]
    return {key: value for key, value in values.items() if value is not None}


def of_answer(body: Any, usage: Usage) -> dict[str, Any]:
    """Return the attributes of what came back.

    Args:
        body: The last body.
        usage: The tokens of all attempts together.
    """
    body = body if isinstance(body, Mapping) else {}
    choices = body.get("choices")
    reasons = [
        choice["finish_reason"]
        for choice in (choices if isinstance(choices, list) else [])
        if isinstance(choice, Mapping) and isinstance(choice.get("finish_reason"), str)
    ]
    if isinstance(body.get("status"), str):
        reasons = [body["status"]]
    values = {
        "gen_ai.response.id": body.get("id"),
        "gen_ai.response.model": body.get("model"),
        "openai.response.service_tier": body.get("service_tier"),
        "openai.response.system_fingerprint": body.get("system_fingerprint"),
    }
    values = {key: value for key, value in values.items() if isinstance(value, str)}
    counts = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
    }
    values |= {key: value for key, value in counts.items() if value is not None}
    return {**values, **({"gen_ai.response.finish_reasons": reasons} if reasons else {})}


def price_of(usage: Usage, price: Price | None) -> float | None:
    """Return what a call cost, in the currency of the price table; None if it is not known.

    Cached tokens are a part of the input and have their own price, reasoning tokens are paid as
    output.
    """
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    cached_price = price.input if price.cached_input is None else price.cached_input
    total = (
        (usage.input_tokens - cached) * price.input
        + cached * cached_price
        + usage.output_tokens * price.output
    )
    return round(total / MILLION, 8)


def read_usage(meta: Mapping[str, Any]) -> Usage:
    """Return the tokens that a recorded call says it took."""
    return Usage(
        input_tokens=meta.get("gen_ai.usage.input_tokens"),
        output_tokens=meta.get("gen_ai.usage.output_tokens"),
        cached_tokens=meta.get("gen_ai.usage.cache_read.input_tokens"),
        reasoning_tokens=meta.get("gen_ai.usage.reasoning.output_tokens"),
    )


def total_price(prices: Sequence[float | None]) -> float | None:
    """Return the sum of known prices; None if none is known."""
    known = [price for price in prices if price is not None]
    return round(sum(known), 8) if known else None
