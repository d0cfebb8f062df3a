"""What both wires check about a request in the same way."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from intogen_agent.offline import shape
from intogen_agent.offline.refused import Refused

MAX_TOOLS = 128
CHOICES = frozenset({"auto", "none", "required"})
FUNCTION_FIELDS = frozenset({"name", "description", "parameters", "strict"})
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TIERS = ("auto", "default", "flex", "scale", "priority", "fast")
_MAX_PAIRS = 16
_BOUNDS = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "presence_penalty": (-2, 2),
    "frequency_penalty": (-2, 2),
}


def load(raw: bytes) -> dict[str, Any]:
    """Read a request body.

    Raises:
        Refused: It is not a JSON object.
    """
    try:
        request = json.loads(raw, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused("We could not parse the JSON body of your request.") from None
    if not isinstance(request, dict):
        raise Refused("The JSON body of your request is not an object.")
    return request


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def model(request: Mapping[str, Any]) -> None:
    """Check that a model is named and that one whole answer is asked for."""
    if not isinstance(request.get("model"), str) or not request["model"]:
        raise Refused("you must provide a model parameter", "model")
    if request.get("stream"):
        raise Refused("This server does not stream.", "stream", "unsupported_value")


def not_acted_on(request: Mapping[str, Any], names: Collection[str]) -> None:
    """Refuse parameters that would change an answer and that this server does not act on."""
    for name in names:
        if request.get(name):
            message = f"Unsupported parameter: '{name}' is not supported by this server."
            raise Refused(message, name, "unsupported_parameter")


def values(request: Mapping[str, Any], limits: Mapping[str, int]) -> None:
    """Check the values of plain parameters.

    Args:
        request: The request.
        limits: The names of limits on output tokens, with their smallest values.
    """
    for name, (low, high) in _BOUNDS.items():
        value = request.get(name)
        if value is None:
            continue
        if not _is_number(value):
            raise Refused(f"Invalid type for '{name}': expected a decimal.", name, "invalid_type")
        if not low <= value <= high:
            above = value > high
            side, bound = ("above max", f"<= {high}") if above else ("below min", f">= {low}")
            raise Refused(
                f"Invalid '{name}': decimal {side}imum value. Expected a value {bound}, but got "
                f"{value} instead.",
                name,
                f"decimal_{side.replace(' ', '_')}_value",
            )
    for name, least in limits.items():
        _limit(request.get(name), name, least)
    tier = request.get("service_tier")
    if tier is not None:
        member(tier, "service_tier", _TIERS)
    _metadata(request.get("metadata"))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _limit(value: Any, name: str, least: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(f"Invalid type for '{name}': expected an integer.", name, "invalid_type")
    if value < least:
        raise Refused(
            f"Invalid '{name}': integer below minimum value. Expected a value >= {least}, but got "
            f"{value} instead.",
            name,
            "integer_below_min_value",
        )


def _metadata(value: Any) -> None:
    if value is None:
        return
    pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
    if len(pairs) > _MAX_PAIRS or not all(isinstance(text, str) for _, text in pairs):
        message = f"Invalid 'metadata': expected at most {_MAX_PAIRS} pairs of strings."
        raise Refused(message, "metadata", "invalid_type")


def member(value: Any, where: str, allowed: Sequence[str]) -> None:
    """Check that a value is one of a few words."""
    if value not in allowed:
        listed = ", ".join(f"'{word}'" for word in allowed)
        raise Refused(
            f"Invalid value: '{value}'. Supported values are: {listed}.", where, "invalid_value"
        )


def fields(value: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuse fields of an object that are not known."""
    for name in value:
        if name not in known:
            path = f"{where}.{name}"
            raise Refused(f"Unknown parameter: '{path}'.", path, "unknown_parameter")


def name(value: Any, where: str) -> None:
    """Check the name of a tool or schema."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise Refused(
            f"Invalid '{where}': string does not match pattern. Expected a string that matches the "
            "pattern '^[a-zA-Z0-9_-]{1,64}$'.",
            where,
            "invalid_value",
        )


def number_of_tools(tools: Any) -> None:
    """Check that tools are a list of a length that is taken."""
    if not isinstance(tools, list) or not tools:
        raise Refused("[] is too short - 'tools'", "tools")
    if len(tools) > MAX_TOOLS:
        raise Refused(
            f"Invalid 'tools': array too long. Expected an array with maximum length {MAX_TOOLS}, "
            f"but got an array with length {len(tools)} instead.",
            "tools",
            "array_above_max_length",
        )


def function(value: Mapping[str, Any], where: str) -> str:
    """Check a function that is offered as a tool, and return its name."""
    name(value.get("name"), f"{where}.name")
    parameters = value.get("parameters")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise Refused(f"Invalid type for '{where}.parameters'.", f"{where}.parameters")
    problem = shape.problem(parameters or {})
    if problem is None and value.get("strict"):
        problem = shape.strict_problem(parameters)
    if problem:
        raise Refused(
            f"Invalid schema for function '{value['name']}': {problem}.",
            f"{where}.parameters",
            "invalid_function_parameters",
        )
    return str(value["name"])


def choice(request: Mapping[str, Any], chosen: Any, names: Collection[str]) -> None:
    """Check `tool_choice` and what else goes only with tools.

    Args:
        request: The request.
        chosen: The name of the function that must be called; None if the choice is a word.
        names: The names of the offered tools.
    """
    value = request.get("tool_choice")
    if not names and value not in (None, "none"):
        raise Refused("Invalid value for 'tool_choice': no 'tools' are given.", "tool_choice")
    if not names and request.get("parallel_tool_calls") is not None:
        raise Refused(
            "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when "
            "'tools' are specified.",
            "parallel_tool_calls",
        )
    if value is None or (isinstance(value, str) and value in CHOICES):
        return
    if chosen is None:
        raise Refused(
            f"Invalid value for 'tool_choice': {value!r}.", "tool_choice", "invalid_value"
        )
    if chosen not in names:
        raise Refused(
            "Invalid value for 'tool_choice': the named function is not among 'tools'.",
            "tool_choice",
        )


def schema(described: Mapping[str, Any], where: str, param: str) -> None:
    """Check a named schema for the answer.

    Args:
        described: Name, schema and strictness.
        where: Where it stands.
        param: The parameter that an error names.
    """
    fields(described, {"type", "name", "description", "schema", "strict"}, where)
    name(described.get("name"), f"{where}.name")
    wanted = described.get("schema")
    if not isinstance(wanted, Mapping):
        raise Refused(f"Missing required parameter: '{where}.schema'.", f"{where}.schema")
    problem = shape.problem(wanted)
    if problem is None and described.get("strict"):
        problem = shape.strict_problem(wanted)
    if problem:
        raise Refused(
            f"Invalid schema for response_format '{described['name']}': {problem}.",
            param,
            "invalid_json_schema",
        )
