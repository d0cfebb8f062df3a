"""Failed calls and what was tried instead.

Source: the seed's section "Phase 2" ("up to two additional attempts with adjusted queries before
a failure was recorded and the analysis moved on").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.evidence.models import Failure, Scope
from intogen_agent.evidence.queries import texts
from intogen_agent.files import canonical_json
from intogen_agent.mcp.answers import ToolAnswer

# Words that two searches must share, as a part of all their words, to ask the same question.
SHARED = 0.5


@dataclass
class Question:
    """A call that failed, with the calls that were made in its place.

    Attributes:
        words: The words of mechanism of all attempts: the gene is the same in all.
        scope: Of which cancers it asks: an answer about others leaves it open.
        calls: The ids of the attempts that were answered or failed.
        started: Attempts so far, those under way included.
    """

    tool: str
    words: set[str]
    hypotheses: frozenset[str]
    arguments: Mapping[str, Any]
    scope: Scope | None = None
    calls: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    started: int = 1
    error: str = ""
    failed: bool = False
    answered: bool = False


class Attempts:
    """Follows every failed call through its adjusted attempts.

    Args:
        retries: Further attempts after the first.
    """

    def __init__(self, retries: int) -> None:
        self._most = retries + 1
        self._questions: list[Question] = []

    def begin(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        key: str,
        hypotheses: list[str],
        scope: Scope | None = None,
    ) -> Question | None:
        """Return the question that a call asks, or None if it was asked often enough.

        A call asks the question of an earlier one that failed if it is the same call again, or a
        search of the same tool for the same hypotheses or with words that mostly agree.

        Args:
            tool: The tool.
            arguments: The arguments.
            key: What makes a call the same as another.
            hypotheses: The hypotheses that a search tests.
            scope: Of which cancers a search asks.
        """
        words = _words(arguments)
        wanted = frozenset(hypotheses)
        unanswered = [
            question
            for question in self._questions
            if (question.tool, question.scope) == (tool, scope)
            and question.failed
            and not question.answered
        ]
        same = next((q for q in unanswered if key in q.keys), None)
        same = same or self._adjusted(unanswered, words, wanted)
        if same is None:
            same = Question(tool, words, wanted, arguments, scope, keys={key})
            self._questions.append(same)
            return same
        if same.started >= self._most:
            return None
        same.started += 1
        same.words |= words
        same.keys.add(key)
        return same

    def _adjusted(
        self, unanswered: list[Question], words: set[str], hypotheses: frozenset[str]
    ) -> Question | None:
        """Return the failed question that a search asks in other words.

        Only the very same question counts once it was asked often enough: else nothing with a
        word in common could be asked any more.
        """
        likely = [
            (likeness, _shared(question.words, words), -question.started, place)
            for place, question in enumerate(unanswered)
            if (likeness := _likeness(question, words, hypotheses)) > 0
            and (question.started < self._most or likeness == 1)
        ]
        open_ones = [one for one in likely if -one[2] < self._most]
        best = max(open_ones or likely, default=None)
        return None if best is None else unanswered[best[3]]

    def end(self, question: Question, answer: ToolAnswer) -> int:
        """Note how an attempt ended; return how many attempts are left."""
        if answer.kind == "refused":
            # Nobody was asked.
            question.started -= 1
            return max(0, self._most - question.started)
        question.calls.append(answer.call)
        if answer.kind == "failed":
            question.failed = True
            question.error = answer.error or "no answer"
        else:
            question.answered = True
        return max(0, self._most - question.started) if answer.kind == "failed" else 0

    def failures(self) -> list[Failure]:
        """Return the questions that no attempt answered."""
        return [
            Failure(
                tool=question.tool,
                attempts=len(question.calls),
                error=question.error.split(":")[0],
                message=f"{question.error} (arguments {canonical_json(question.arguments)})",
                calls=question.calls,
            )
            for question in self._questions
            if question.failed and not question.answered
        ]


def _likeness(question: Question, words: set[str], hypotheses: frozenset[str]) -> float:
    """Return how likely a search asks a question again: 1 for certain, 0 for no."""
    if hypotheses and hypotheses == question.hypotheses:
        return 1.0
    if words == question.words:
        return 1.0
    if not words or not question.words:
        return 0.1
    shared = _shared(words, question.words)
    contained = words <= question.words or question.words <= words
    return max(shared, SHARED) if contained else (shared if shared >= SHARED else 0.0)


def _shared(one: set[str], two: set[str]) -> float:
    return len(one & two) / len(one | two) if one or two else 1.0


def _words(arguments: Mapping[str, Any]) -> set[str]:
    fields = ("keywords", "variants", "keyword", "query", "pmid", "id")
    found = {text.casefold() for name in fields for text in texts(arguments.get(name))}
    page = arguments.get("page")
    return found | ({f"page {page}"} if page not in (None, 1) else set())
