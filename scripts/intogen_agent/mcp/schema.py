"""Tool schemas as models can take them, and the checks that models' servers do not make.

A model's server that cannot use one tool's schema refuses the request with all its tools. So an
offer is read from the server's schema keyword by keyword: what is unknown or not well-formed is
left out, and so is what servers are known to choke on (bounds of length, patterns, formats,
references). What is left out of an offer is still checked here, before a tool is called.
"""

import json
from typing import Any
from urllib.parse import unquote

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
ALTERNATIVES = ("anyOf", "oneOf", "allOf")
# OpenAI refuses these beside the type of a tool's arguments.
NOT_AT_THE_ROOT = (*ALTERNATIVES, "enum", "const")
# Schemas in schemas that an offer holds; what lies deeper may be anything.
MAX_DEPTH = 10
# References can make a small schema large.
MAX_PARTS = 1000
MAX_SHOWN = 2000


def function_tool(name: str, description: str, input_schema: Any) -> dict[str, Any]:
    """Return a tool offer in Chat Completions form.

    Args:
        name: The tool's name.
        description: What it does.
        input_schema: The server's schema of the arguments; any JSON value.
    """
    parameters = offered_schema(input_schema)
    return {
        "type": "function",
        "function": {"name": name, "description": description.strip(), "parameters": parameters},
    }


def offered_schema(input_schema: Any) -> dict[str, Any]:
    """Return the schema of a tool's arguments as models get it: an object with its properties."""
    read = _Reader(input_schema).schema(input_schema)
    kept = {key: item for key, item in read.items() if key not in NOT_AT_THE_ROOT}
    return {"type": "object", "properties": {}} | kept | {"type": "object"}


def shown_schema(input_schema: Any) -> dict[str, Any] | str:
    """Return a tool's schema for the answer to a call that does not fit it.

    A schema of more than `MAX_SHOWN` characters is shown as the beginning of its JSON text.
    """
    schema = offered_schema(input_schema)
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return schema if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


class _Reader:
    """Reads what can be offered out of one server's schema.

    Args:
        root: The whole schema, for references into it.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = MAX_PARTS

    def schema(self, value: Any, depth: int = 0, trail: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return what can be offered of a schema; an empty one where that is nothing.

        Args:
            value: The schema.
            depth: How many schemas it lies in.
            trail: The references on the way to it: one that leads back is not followed.
        """
        self._left -= 1
        if not isinstance(value, dict) or depth > MAX_DEPTH or self._left < 0:
            return {}
        value, trail = self._followed(value, trail)

        def below(part: Any) -> dict[str, Any]:
            return self.schema(part, depth + 1, trail)

        kept: dict[str, Any] = {}
        for key, item in value.items():
            if key == "properties" and isinstance(item, dict):
                kept[key] = {name: below(part) for name, part in item.items()}
            elif key in ALTERNATIVES and isinstance(item, list) and item:
                kept[key] = [below(part) for part in item]
            elif key in ("items", "additionalProperties") and isinstance(item, dict):
                kept[key] = below(item)
            elif _well_formed(key, item):
                kept[key] = item
        return kept

    def _followed(
        self, value: dict[str, Any], trail: tuple[str, ...]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Put what a reference leads to in its place: not every server follows references."""
        while "$ref" in value:
            reference = value["$ref"]
            value = {key: item for key, item in value.items() if key != "$ref"}
            if not isinstance(reference, str) or reference in trail:
                break
            value = {**self._target(reference), **value}
            trail = (*trail, reference)
        return value, trail

    def _target(self, reference: str) -> dict[str, Any]:
        """Return what a reference into the schema itself leads to; an empty schema if nowhere."""
        start, *path = reference.split("/")
        found = self._root if start == "#" else None
        for part in path:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}


def _well_formed(key: str, item: Any) -> bool:
    """Tell whether a keyword that holds no schema is known and has a value that it may have."""
    match key:
        case "description":
            return isinstance(item, str)
        case "type":
            return item in TYPES if isinstance(item, str) else _names(item, TYPES) and item != []
        case "required":
            return _names(item)
        case "enum":
            return isinstance(item, list) and item != []
        case "const":
            return True
        case "multipleOf":
            return _number(item) and item > 0
        case "additionalProperties" | "uniqueItems":
            return isinstance(item, bool)
    return key in NUMBERS and _number(item)


def _names(item: Any, among: tuple[str, ...] = ()) -> bool:
    """Tell whether a value is a list of different names, each one of some if there are any."""
    if not isinstance(item, list) or not all(isinstance(name, str) for name in item):
        return False
    return len(set(item)) == len(item) and (not among or set(item) <= set(among))


def _number(item: Any) -> bool:
    return isinstance(item, int | float) and not isinstance(item, bool)


def argument_problem(arguments: dict[str, Any], input_schema: Any) -> str | None:
    """Check arguments against the server's own schema; None if they fit.

    With a schema that cannot be used (no object, an unknown type, a reference to nowhere or to the
    network, keywords with values that they cannot have) nothing is checked: the server decides.
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry

    if not isinstance(input_schema, dict):
        return None
    try:
        validator = Draft202012Validator(input_schema, registry=Registry())
        errors = sorted(validator.iter_errors(arguments), key=lambda error: error.json_path)
    except Exception:  # whatever a broken schema breaks in the validator
        return None
    if not errors:
        return None
    error = errors[0]
    place = error.json_path.removeprefix("$").removeprefix(".")
    return (f"{place}: {error.message}" if place else error.message)[:300]


def without_nulls(arguments: dict[str, Any], input_schema: Any) -> dict[str, Any]:
    """Drop nulls of optional arguments: strict function calling sends them, servers refuse them."""
    required = input_schema.get("required") if isinstance(input_schema, dict) else None
    kept = required if isinstance(required, list) else []
    return {name: value for name, value in arguments.items() if value is not None or name in kept}
