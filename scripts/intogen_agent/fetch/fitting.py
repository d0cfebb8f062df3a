"""Making records of what services say, without what does not fit."""

import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

R = TypeVar("R", bound=BaseModel)

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def fitting(model: type[R], values: dict[str, Any]) -> R | None:
    """Return a record of values; an optional value that does not fit is left out.

    Args:
        model: The kind of record.
        values: What a service said, by field.

    Returns:
        None if a required value does not fit.
    """
    values = dict(values)
    while True:
        try:
            return model.model_validate(values)
        except ValidationError as error:
            bad = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
            if not bad or any(
                name not in values or model.model_fields[name].is_required() for name in bad
            ):
                return None
            for name in bad:
                del values[name]


def line(text: object) -> str | None:
    """Return a text as one line without control characters; None if nothing is left."""
    if not isinstance(text, str):
        return None
    return " ".join(_CONTROL.sub(" ", text).split()) or None


def lines(texts: object) -> list[str]:
    """Return a list's texts, each as one line, once."""
    found = texts if isinstance(texts, list) else [texts]
    return list(dict.fromkeys(filter(None, map(line, found))))
