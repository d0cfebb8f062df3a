"""How a search of the literature goes: what it may still ask, and when it is over."""

from collections.abc import Sequence
from dataclasses import dataclass

from intogen_agent.evidence.models import End
from intogen_agent.mcp.answers import AnswerKind

_ANSWERED = ("content", "empty")


@dataclass(frozen=True)
class SearchLimits:
    """The bounds of a search.

    Attributes:
        max_turns: Model turns of one conversation.
        max_calls: Tool calls of all conversations together.
        retries: Further attempts per failed call, and further turns after one in which every
            call failed.
        max_tokens: Tokens of a role's turns in this stage, input and output together.
    """

    max_turns: int
    max_calls: int
    retries: int
    max_tokens: int


class Course:
    """Counts a search's calls and failures against its limits.

    Source: the seed's section "Phase 2": "Human data for the target cancer were prioritized,
    followed by closely related subtypes, then pan-cancer and model systems".

    Args:
        limits: The bounds.

    Attributes:
        made: Calls that were sent.
        must_search: Whether the task's own cancer has to be searched first.
    """

    def __init__(self, limits: SearchLimits) -> None:
        self._limits = limits
        self.made = 0
        self.must_search = True
        self._answered_at_target = False
        self._failed_at_target = 0
        self._dark_turns = 0

    @property
    def opened(self) -> bool:
        """Whether other cancers and trials may be searched.

        A search of the own cancer was answered, or as many failed as attempts are allowed.
        """
        tried = self._failed_at_target > self._limits.retries
        return self._answered_at_target or tried or not self.must_search

    def searched_target(self, kind: AnswerKind) -> None:
        """Note how a search of articles on the task's own cancer ended."""
        opened = self.opened
        self._answered_at_target |= kind in _ANSWERED
        self._failed_at_target += kind == "failed"
        if self.opened and not opened:
            # What may be asked from now on gets a turn before the search is called dark.
            self._dark_turns = min(self._dark_turns, self._limits.retries)

    def turned(self, literature: Sequence[AnswerKind]) -> None:
        """Note how the calls to the literature of one turn ended; registers of trials are none."""
        if literature:
            dark = all(kind == "failed" for kind in literature)
            self._dark_turns = self._dark_turns + 1 if dark else 0

    def over(self) -> End | None:
        """Return why the search has to end now."""
        if self.made >= self._limits.max_calls:
            return End.CALLS
        return End.DARK if self._dark_turns > self._limits.retries else None
