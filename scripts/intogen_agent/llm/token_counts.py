"""The tokens that a server reports, under either wire's names."""

from collections.abc import Mapping
from typing import Any

from intogen_agent.provenance.attributes import Usage

_LONGEST_COUNT = 10**12
CHAT = ("prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details")
RESPONSES = ("input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details")


def usage(body: Any, names: tuple[str, str, str, str]) -> Usage:
    """Return the tokens that a response reports.

    Args:
        body: The body.
        names: The wire's names of input, output and their details.
    """
    raw = body.get("usage") if isinstance(body, Mapping) else None
    if not isinstance(raw, Mapping):
        return Usage()
    read, written, of_read, of_written = names
    return Usage(
        input_tokens=_count(raw.get(read)),
        output_tokens=_count(raw.get(written)),
        cached_tokens=_detail(raw, of_read, "cached_tokens"),
        reasoning_tokens=_detail(raw, of_written, "reasoning_tokens"),
    )


def _detail(raw: Mapping[str, Any], group: str, name: str) -> int | None:
    details = raw.get(group)
    return _count(details.get(name)) if isinstance(details, Mapping) else None


def _count(value: Any) -> int | None:
    sound = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LONGEST_COUNT
    return value if sound else None
