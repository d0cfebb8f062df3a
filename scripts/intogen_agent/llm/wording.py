"""The sentences of the wire: what a model is told about the form of its answer.

What the agents are told about their work stands in `config/prompts/`.
"""

import json
from typing import Any

REMINDER = "Your answer was empty. Answer, or call an offered tool."
CALL_NOW = "Do not write about it: call one of the offered tools now."
NOT_ANSWERED = '{"outcome": "failed", "error": "the call was not made"}'
RESULT = "Result of the call of "


def with_schema(text: str, schema: dict[str, Any]) -> str:
    """Return a message that asks for a JSON object of a schema."""
    asked = "Answer with one JSON object of this JSON Schema and nothing else:"
    return f"{text}\n\n{asked}\n{json.dumps(schema, ensure_ascii=False)}"


def mend(problems: list[str]) -> str:
    """Return what is said about a structured answer of the wrong shape."""
    told = "; ".join(problems)
    return f"That answer does not fit the schema: {told}. Answer again with the JSON object alone."


def action_instructions(tools: list[dict[str, Any]], *, may_answer: bool) -> str:
    """Return how a model that cannot call tools natively writes its calls."""
    lines = [
        "You can use tools. In each turn answer with one JSON object and nothing else. "
        "To call a tool:",
        '{"action": {"tool": "NAME", "arguments": {...}}}',
    ]
    if may_answer:
        lines += ["When no call is needed any more:", '{"action": {"answer": "TEXT"}}']
    lines += ["You will get the result of each call. The tools:"]
    for tool in tools:
        function = tool["function"]
        schema = json.dumps(function["parameters"], ensure_ascii=False)
        lines.append(f"- {function['name']}: {function['description']}\n  arguments: {schema}")
    return "\n".join(lines)
