"""JSON objects in the texts of models, with prose and fences around them."""

import json
from collections.abc import Iterator
from typing import Any

from intogen_agent.files import writable

THOUGHTS_END = "</think>"


def without_thoughts(text: str) -> str:
    """Return a text without the thoughts that some servers leave before the answer."""
    return text.rpartition(THOUGHTS_END)[2]


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the complete JSON objects of a text, outermost ones only, in order."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        end = start + 1
        try:
            value, end = decoder.raw_decode(text, start)
            value = writable(value) if isinstance(value, dict) else None
        except RecursionError:
            return
        except ValueError:
            value = None
        if value is not None:
            yield value
        start = text.find("{", end)


def first_object(text: str) -> dict[str, Any] | None:
    """Return the first complete JSON object of a text, or None."""
    return next(objects(text), None)
