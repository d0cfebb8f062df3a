"""Tool schemas as models can take them: cleaned, never strict; bounds are checked elsewhere."""

import re
from typing import Any

# Servers and grammars choke on these (llama.cpp on long bounds, strict modes on formats).
DROPPED = frozenset(
    {"minLength", "maxLength", "pattern", "format", "default", "title", "examples", "$schema"}
)


def function_tool(name: str, description: str, input_schema: dict[str, Any]) -> dict[str, Any]:
    """Return a tool offer in Chat Completions form."""
    cleaned = _clean(input_schema)
    schema = cleaned if isinstance(cleaned, dict) else {}
    schema = {"type": "object", **schema, "properties": schema.get("properties") or {}}
    return {
        "type": "function",
        "function": {"name": name, "description": description.strip(), "parameters": schema},
    }


def _clean(value: Any, *, names: bool = False) -> Any:
    """Drop what models' servers refuse; `names` marks a mapping whose keys are property names."""
    if isinstance(value, dict):
        return {
            key: _clean(item, names=key in {"properties", "$defs", "definitions"} and not names)
            for key, item in value.items()
            if names or key not in DROPPED
        }
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


def argument_problem(arguments: dict[str, Any], input_schema: dict[str, Any]) -> str | None:
    """Check arguments against the server's own schema; None if they fit.

    With a schema that cannot be used (an unknown type, a reference to nowhere or to the network)
    nothing is checked: the server decides.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import UnknownType
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    validator = Draft202012Validator(input_schema, registry=Registry())
    try:
        errors = sorted(validator.iter_errors(arguments), key=lambda error: error.json_path)
    except (UnknownType, Unresolvable, re.error, AttributeError, TypeError, ValueError):
        return None
    if not errors:
        return None
    error = errors[0]
    place = error.json_path.removeprefix("$").removeprefix(".")
    return (f"{place}: {error.message}" if place else error.message)[:300]


def without_nulls(arguments: dict[str, Any], input_schema: dict[str, Any]) -> dict[str, Any]:
    """Drop nulls of optional arguments: strict function calling sends them, servers refuse them."""
    required = set(input_schema.get("required") or ())
    return {
        name: value for name, value in arguments.items() if value is not None or name in required
    }
