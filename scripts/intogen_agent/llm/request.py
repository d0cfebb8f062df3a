"""One model call, as neither wire has it yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.llm.outcomes import Message


@dataclass(frozen=True)
class Request:
    """One model call.

    Messages have the form of Chat Completions. An assistant message may also hold `output_items`:
    what a Responses server put out for it, to be given back as it was.

    Attributes:
        tools: Offers in the form of Chat Completions.
        tool_choice: `auto`, `none` or `required`.
        schema: Name and JSON Schema of the structured answer, if one is asked for.
        steps_down: How many steps of the ladder json_schema, json_object, prompt below the model's
            own the schema is asked for.
        strict: Whether the schema keeps to the rules of strict mode.
        service_tier: What a provider sells at several speeds; it changes no answer.
    """

    model: str
    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]] = ()
    tool_choice: str | None = None
    schema: tuple[str, dict[str, Any]] | None = None
    steps_down: int = 0
    strict: bool = True
    temperature: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    max_output_tokens: int | None = None
    service_tier: str | None = None

    def tool_names(self) -> list[str]:
        """Return the names of the offered tools."""
        return [str(tool["function"]["name"]) for tool in self.tools]
