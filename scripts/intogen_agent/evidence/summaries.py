"""The summarization layer: every tool answer goes through the compact model and the checks."""

import asyncio
from dataclasses import dataclass
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.articles import split_payload
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import EvidenceItem
from intogen_agent.evidence.passages import passages
from intogen_agent.evidence.references import (
    ReferenceManager,
    identifier_of,
    parse_identifier,
)
from intogen_agent.evidence.wire import ToolSummary
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Failed, Structured


@dataclass(frozen=True)
class Material:
    """A tool's answer on its way to the summarizer.

    Attributes:
        raw: The raw payload: what references are scanned in.
        shown: What the summarizer reads: the raw payload or its condensed form.
    """

    tool: str
    call: str
    raw: str
    shown: str


class Summarizer:
    """Turns tool answers into ledger items.

    Args:
        models: The models.
        manager: The run's reference manager.
        ledger: Where checked items go.
        phase: `phase1` or `phase2`.
        task: The task block.
        limit: Characters of a payload that one request may hold.
        stage: Whose calls they are, for the record of references; the phase where none is named.

    Attributes:
        fruitless: Digests of requests whose answers brought no finding that passes the checks.
    """

    def __init__(
        self,
        models: Models,
        manager: ReferenceManager,
        ledger: Ledger,
        phase: str,
        task: dict[str, Any],
        limit: int,
        stage: str = "",
    ) -> None:
        self._models = models
        self._manager = manager
        self._ledger = ledger
        self._stage = stage or phase
        self._task = task
        self._limit = limit
        self.fruitless: list[str] = []
        self._system = prompts.system(prompts.instruction(Role.SUMMARIZER, {"phase": phase}))

    async def summarize(self, materials: list[Material]) -> list[list[EvidenceItem]]:
        """Summarise answers concurrently; items are numbered in the answers' order."""
        allowed = [self._manager.observe(m.raw, self._stage, m.tool, m.call) for m in materials]
        parts = [split_payload(m.shown, self._limit) for m in materials]
        summaries = await asyncio.gather(
            *(
                self._ask(material, part, names)
                for material, names, texts in zip(materials, allowed, parts, strict=True)
                for part in texts
            )
        )
        answers = iter(summaries)
        return [
            [item for part in texts for item in self._kept(next(answers), material, part, names)]
            for material, names, texts in zip(materials, allowed, parts, strict=True)
        ]

    def _kept(
        self,
        summary: Structured[ToolSummary],
        material: Material,
        part: str,
        allowed: list[str],
    ) -> list[EvidenceItem]:
        """Take the findings that pass the checks into the ledger."""
        items = self._ledger.add(
            summary.value.bullets,
            passages(part, allowed, self._canonical),
            material.call,
            material.tool,
            self._canonical,
        )
        if not items:
            self.fruitless.append(summary.request)
        return items

    def _canonical(self, text: str) -> str | None:
        """Return an identifier as the run's lists write it: a paper's DOI becomes its PMID."""
        known = self._manager.resolve(text)
        identifier = identifier_of(known) if known else parse_identifier(text)
        return identifier.text if identifier else None

    async def _ask(
        self, material: Material, part: str, allowed: list[str]
    ) -> Structured[ToolSummary]:
        message = prompts.user(
            "Condense this tool answer.",
            prompts.block("task", self._task),
            prompts.block("allowed_identifiers", allowed),
            prompts.block("payload", part, tool=material.tool, call=material.call),
        )
        outcome = await self._models.structured(
            Role.SUMMARIZER, [self._system, message], ToolSummary
        )
        if isinstance(outcome, Failed):
            outcome.stop(Role.SUMMARIZER.value)
        return outcome
