"""The summarization layer: every tool answer goes through the compact model and the checks."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.ledger import Checked, Ledger, check
from intogen_agent.evidence.models import EvidenceItem, Failure
from intogen_agent.evidence.passages import passages
from intogen_agent.evidence.portions import Portion, halved, portions
from intogen_agent.evidence.references import (
    ReferenceManager,
    identifier_of,
    parse_identifier,
)
from intogen_agent.evidence.wire import ToolSummary
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Failed, FailureKind, Message

# A portion that does not fit is halved; below this it is not the portion's length.
SHORTEST_PORTION = 500
# What says that a request, or its answer, was too long for the model.
_TOO_LONG = (FailureKind.CONTEXT_OVERFLOW, FailureKind.CUT_OFF)


@dataclass(frozen=True)
class Material:
    """A tool's answer on its way to the summarizer.

    Attributes:
        raw: The payload as it came: what references are scanned in.
        shown: What the summarizer reads: the payload or its condensed form.
    """

    tool: str
    call: str
    raw: str
    shown: str


@dataclass
class _Asked:
    """A portion, what was asked about it, and what came of it."""

    place: int
    material: Material
    portion: Portion
    allowed: list[str]
    conversation: list[Message]
    requests: list[str] = field(default_factory=list)
    results: list[Checked] = field(default_factory=list)

    @property
    def all_refused(self) -> bool:
        """Whether findings came back last and none of them held."""
        last = self.results[-1]
        return bool(last.refused) and not last.taken


class Summarizer:
    """Turns tool answers into ledger items.

    Args:
        models: The models.
        manager: The run's reference manager.
        ledger: Where checked items go.
        phase: `phase1` or `phase2`.
        task: The task block.
        limit: Characters of a payload that one request may hold.
        retries: How often a summary of which nothing holds is asked for again.
        stage: Whose calls they are, for the record of references; the phase where none is named.

    Attributes:
        fruitless: Digests of requests whose answers brought no finding that passes the checks.
        failures: Parts of answers that no request could hold.
    """

    def __init__(
        self,
        models: Models,
        manager: ReferenceManager,
        ledger: Ledger,
        phase: str,
        task: dict[str, Any],
        limit: int,
        retries: int = 1,
        stage: str = "",
    ) -> None:
        self._models = models
        self._manager = manager
        self._ledger = ledger
        self._stage = stage or phase
        self._task = task
        self._limit = limit
        self._retries = retries
        self.fruitless: list[str] = []
        self.failures: list[Failure] = []
        self._system = prompts.system(prompts.instruction(Role.SUMMARIZER, {"phase": phase}))

    async def summarize(self, materials: list[Material]) -> list[list[EvidenceItem]]:
        """Summarise answers concurrently; items are numbered in the answers' order.

        A summary of which no bullet holds is asked for again, with the reasons.
        """
        allowed = [self._manager.observe(m.raw, self._stage, m.tool, m.call) for m in materials]
        parts = await asyncio.gather(
            *(
                self._first(place, material, portion, names)
                for place, (material, names) in enumerate(zip(materials, allowed, strict=True))
                for portion in portions(material.shown, self._limit)
            )
        )
        asked = [one for part in parts for one in part]
        for _ in range(self._retries):
            await asyncio.gather(*(self._again(one) for one in asked if one.all_refused))
        found: list[list[EvidenceItem]] = [[] for _ in materials]
        for one in asked:
            found[one.place] += self._taken(one)
        return found

    async def _first(
        self, place: int, material: Material, portion: Portion, allowed: list[str]
    ) -> list[_Asked]:
        """Ask about a portion; one that is too long for the model is halved."""
        if portion.left_out:
            self._fail(material, portion.left_out)
        if not portion.text:
            return []
        message = prompts.user(
            "Condense this tool answer.",
            prompts.block("task", self._task),
            prompts.block("allowed_identifiers", allowed),
            prompts.block("payload", portion.text, tool=material.tool, call=material.call),
        )
        conversation = [self._system, message]
        asked = _Asked(place, material, portion, allowed, conversation)
        outcome = await self._ask(asked, conversation)
        if outcome is None:
            return [asked]
        if outcome.kind not in _TOO_LONG or len(portion.text) < SHORTEST_PORTION:
            outcome.stop(Role.SUMMARIZER.value)
        halves = await asyncio.gather(
            *(self._first(place, material, half, allowed) for half in halved(portion))
        )
        return [one for half in halves for one in half]

    async def _again(self, asked: _Asked) -> None:
        """Ask again about a portion of which no bullet held."""
        wrong = [
            {"quote": bullet.quote, "problem": reason}
            for bullet, reason in asked.results[-1].refused
        ]
        complaint = prompts.user(
            "None of these bullets holds. Answer anew with bullets that do, or with none.",
            prompts.block("violations", wrong),
        )
        outcome = await self._ask(asked, [*asked.conversation, complaint])
        if outcome is None:
            return
        # An answer is there; a model that has no room or no form for another keeps to it.
        if outcome.kind not in (*_TOO_LONG, FailureKind.INVALID):
            outcome.stop(Role.SUMMARIZER.value)
        asked.requests += outcome.requests

    async def _ask(self, asked: _Asked, conversation: list[Message]) -> Failed | None:
        """Ask and check the answer; return a failure as it is."""
        outcome = await self._models.structured(Role.SUMMARIZER, conversation, ToolSummary)
        if isinstance(outcome, Failed):
            return outcome
        summary = outcome.value
        records = passages(asked.portion.records, asked.allowed, self._canonical)
        asked.requests.append(outcome.request)
        asked.results.append(check(summary.bullets, records, asked.material.tool, self._canonical))
        answer = {"role": "assistant", "content": summary.model_dump_json()}
        asked.conversation = [*conversation, answer]
        return None

    def _taken(self, asked: _Asked) -> list[EvidenceItem]:
        """Take what holds into the ledger."""
        call = asked.material.call
        items = [item for result in asked.results for item in self._ledger.add(result, call)]
        if not items:
            self.fruitless += asked.requests
        return items

    def _canonical(self, text: str) -> str | None:
        """Return an identifier as the run's lists write it: a paper's DOI becomes its PMID."""
        known = self._manager.resolve(text)
        identifier = identifier_of(known) if known else parse_identifier(text)
        return identifier.text if identifier else None

    def _fail(self, material: Material, characters: int) -> None:
        message = (
            f"oversized: {characters} characters without the end of a sentence within "
            f"{self._limit} were not summarised (call {material.call})"
        )
        self.failures.append(
            Failure(tool=material.tool, attempts=1, error="oversized", message=message)
        )
