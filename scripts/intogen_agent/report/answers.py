"""Answers that hold no draft, each kind with its own rule id and remedy; text around an answer."""

from intogen_agent.llm.json_text import without_thoughts
from intogen_agent.llm.models import NO_OBJECT
from intogen_agent.llm.outcomes import Failed, FailureKind
from intogen_agent.report.rules import Violation

_WHOLE = "$"
# What of an unusable answer is shown to the model again, in characters.
MAX_SHOWN_ANSWER = 6000


def unusable(failed: Failed) -> list[Violation]:
    """Say what was wrong with an answer that holds no draft, as violations with a remedy.

    Returns:
        Nothing when asking again cannot help: the prompt is too long, the quota is used up, the
        server does not answer.
    """
    if failed.kind is FailureKind.REFUSAL:
        return _one(
            "answer-refused",
            f"the answer was a refusal ({failed.message}); the report restates published findings "
            "of the ledger, so write it.",
        )
    if failed.kind is FailureKind.CUT_OFF:
        return _one(
            "answer-cut-off",
            f"{failed.message}; write fewer and shorter bullets, so that the whole object fits.",
        )
    if failed.kind is FailureKind.EMPTY:
        return _one("answer-empty", f"{failed.message}; write the report as one JSON object.")
    if failed.kind is not FailureKind.INVALID:
        return []
    if failed.problems == [NO_OBJECT]:
        return _one(
            "answer-without-json",
            "there is no complete JSON object in the answer; write one object and nothing else.",
        )
    return [
        Violation("answer-shape", _WHOLE, f"{problem}; keep to the schema.")
        for problem in failed.problems or [failed.message]
    ]


def _one(rule: str, message: str) -> list[Violation]:
    return [Violation(rule, _WHOLE, message)]


def text_around(text: str) -> list[str]:
    """Return the edit to record when an answer holds more than its JSON object."""
    bare = without_thoughts(text).strip()
    if bare.startswith("{") and bare.endswith("}"):
        return []
    return ["answer: the text around the JSON object was left out"]
