"""Tool calls that a model wrote into its text, because it or its server cannot make them.

Only an object that names an offered tool and whose arguments fit the tool's schema is a call;
everything else stays text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.llm import json_text
from intogen_agent.llm.tool_names import original_name

_ENDS_IN_OBJECT = re.compile(r"\}\s*(</?[a-z_|]+>|```|\]|\s)*$")
_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")


@dataclass(frozen=True)
class Written:
    """A call that was found in a text."""

    name: str
    arguments: Any


def calls(text: str, tools: Sequence[Mapping[str, Any]]) -> list[Written]:
    """Return the calls in a text: fenced, bare, or between `<tool_call>` tags.

    Args:
        text: The model's answer.
        tools: The offers in the form of Chat Completions.
    """
    # A call ends the text; one that is told about in the middle of it was made before.
    if not _ENDS_IN_OBJECT.search(text):
        return []
    found = (_call(value, tools) for value in json_text.objects(text))
    return [call for call in found if call is not None]


def _call(value: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Written | None:
    from intogen_agent.mcp.schema import argument_problem

    inner = value.get("function")
    if isinstance(inner, Mapping):
        value = inner
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
    name = original_name(name, schemas)
    arguments = next((value[key] for key in _ARGUMENTS if key in value), None)
    if isinstance(arguments, str):
        arguments = json_text.first_object(arguments)
    if name not in schemas or not isinstance(arguments, dict):
        return None
    return None if argument_problem(arguments, schemas[name]) else Written(name, arguments)
