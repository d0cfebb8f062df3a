"""A call of the literature search on its way, and what the model is told of its end."""

from dataclasses import dataclass, field
from typing import Any

from intogen_agent.evidence.attempts import Question
from intogen_agent.evidence.models import Scope
from intogen_agent.evidence.queries import texts
from intogen_agent.files import canonical_json
from intogen_agent.llm.outcomes import ToolCall
from intogen_agent.mcp.answers import ToolAnswer


@dataclass(frozen=True)
class Asked:
    """A call on its way: what is sent, and what it is for.

    Attributes:
        key: What makes it the same as another call.
        completed: What the rules put right.
        refusal: Why the rules do not let it go.
        scope: Whose cancer a search asks for; None for what is no search.
        hypotheses: The hypotheses that it tests.
        question: The question that it asks, perhaps again.
        attempt: Which attempt it is.
    """

    call: ToolCall
    key: str
    completed: list[str] = field(default_factory=list)
    refusal: str | None = None
    scope: Scope | None = None
    hypotheses: list[str] = field(default_factory=list)
    question: Question | None = None
    attempt: int = 1
    adjusts: str | None = None


def advice(answer: ToolAnswer, left: int, searched: bool, ended: bool) -> str:
    """Return what the model is told to make of an answer.

    Args:
        answer: The answer.
        left: Attempts that are left after a failure.
        searched: Whether it was a search.
        ended: Whether it was an empty page after others.
    """
    if answer.kind == "failed":
        again = (
            f"adjust it, {left} further attempts are left"
            if left
            else "it was tried often enough, leave it"
        )
        return f"a failed call is no evidence of absence; {again}"
    if ended:
        return "there are no more pages"
    if answer.kind == "empty" and searched:
        return "nothing was found in these words; it is kept as a null result"
    return ""


def call_key(call: ToolCall) -> str:
    """Return what makes a call the same as another.

    Order, repetition, case and spacing of words do not, nor do arguments that say nothing; what
    could not be read differs by its error.
    """
    if call.arguments is None:
        return canonical_json([call.name, None, call.problem])
    plain = {name: _plain(value) for name, value in call.arguments.items()}
    asked = {name: value for name, value in plain.items() if value not in (None, [], "")}
    if asked.get("page") == 1:
        del asked["page"]
    return canonical_json([call.name, asked])


def _plain(value: Any) -> Any:
    if isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(v, str) for v in value)
    ):
        return sorted({text.casefold() for text in texts(value)})
    return value
