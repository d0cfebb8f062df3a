"""Reading JSON that others wrote: a value of the wrong type is as good as none."""

from collections.abc import Mapping
from typing import Any


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def texts(value: Any) -> list[str]:
    """Return the texts of a list."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """Return a text, or an empty one."""
    return value if isinstance(value, str) else ""
