"""The molecular mechanism investigator's search: a bounded conversation with literature tools."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import EvidenceItem, Failure, Query
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.files import canonical_json
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, Message, ToolCall
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import PHASE2, LogicalTool
from intogen_agent.mcp.toolbox import Toolbox


@dataclass(frozen=True)
class SearchLimits:
    """The bounds of a search.

    Attributes:
        max_turns: Model turns of one conversation.
        max_calls: Tool calls of all conversations together.
        retries: Further turns after one in which every call failed.
    """

    max_turns: int
    max_calls: int
    retries: int


class LiteratureSearch:
    """Conducts bounded searches of the literature.

    Args:
        run: The stage's run.
        toolbox: The literature tools.
        summarizer: Turns answers into ledger items.
        ledger: The ledger; answered-empty queries become null results in it.
        manager: The run's reference manager.
        task: The task block.
        limits: The bounds; those of phase 2 where none are given.

    Attributes:
        queries: Every literature search and how it ended.
        failures: Searches that no attempt answered.
    """

    def __init__(
        self,
        run: Run,
        toolbox: Toolbox,
        summarizer: Summarizer,
        ledger: Ledger,
        manager: ReferenceManager,
        task: dict[str, Any],
        limits: SearchLimits | None = None,
    ) -> None:
        self._run = run
        self._toolbox = toolbox
        self._summarizer = summarizer
        self._ledger = ledger
        self._manager = manager
        self._task = task
        evidence = run.job.settings.evidence
        self._limits = limits or SearchLimits(
            evidence.max_turns, evidence.max_calls, evidence.phase2_retries
        )
        self._memory: dict[str, dict[str, Any]] = {}
        self._made = 0
        self._dark_turns = 0
        self.queries: list[Query] = []
        self.failures: list[Failure] = []

    async def conduct(
        self, function: list[dict[str, Any]], hypotheses: list[dict[str, Any]]
    ) -> None:
        """Test hypotheses until the model is done or a cap is reached."""
        values = {
            "retries": self._limits.retries,
            "max_calls": self._limits.max_calls,
            "closing": False,
        }
        messages: list[Message] = [
            prompts.system(prompts.instruction(Role.MECHANISM_INVESTIGATOR, values)),
            prompts.user(
                "Test the hypotheses against the literature.",
                prompts.block("gene_function", function),
                prompts.block("task", self._task),
                prompts.block("hypotheses", hypotheses),
            ),
        ]
        await self.converse(Role.MECHANISM_INVESTIGATOR, messages, must_search=True)

    async def converse(self, role: Role, messages: list[Message], *, must_search: bool) -> None:
        """Let a role call the tools until it is done or a cap is reached.

        Args:
            role: Who searches.
            messages: The conversation's beginning.
            must_search: Whether a text before the first call is sent back.
        """
        offer = self._toolbox.offer(*PHASE2)
        turns, limit = 0, self._limits.max_turns
        while turns < limit:
            turns += 1
            outcome = await self._run.models.chat(role, messages, offer)
            if isinstance(outcome, Failed):
                if outcome.kind is FailureKind.EMPTY and self.queries:
                    break
                outcome.stop(role.value)
            if isinstance(outcome, Answer):
                if self._made or not must_search:
                    break
                messages += [outcome.message, prompts.user("Search first, with the offered tools.")]
                continue
            messages.append(outcome.message)
            messages += await self._turn(outcome.calls)
            if outcome.one_a_turn:
                limit = max(limit, self._limits.max_calls)
            if self._over():
                break

    def _over(self) -> bool:
        return self._made >= self._limits.max_calls or self._dark_turns > self._limits.retries

    async def _turn(self, calls: list[ToolCall]) -> list[Message]:
        """Answer the calls of one model turn; new ones run concurrently."""
        fresh: dict[str, ToolCall] = {}
        for call in calls:
            key = _key(call)
            if key not in self._memory and self._made + len(fresh) < self._limits.max_calls:
                fresh.setdefault(key, call)
        self._made += len(fresh)
        answers = await asyncio.gather(
            *(self._toolbox.call(c.name, c.arguments, c.problem) for c in fresh.values())
        )
        dark = bool(answers) and all(answer.kind == "failed" for answer in answers)
        self._dark_turns = self._dark_turns + 1 if dark else 0
        found = await self._summarized(list(fresh.values()), answers)
        for (key, call), answer, items in zip(fresh.items(), answers, found, strict=True):
            self._memory[key] = self._note(call, answer, items)
        over = {"outcome": "refused", "error": "no calls are left; close the search"}
        return [
            {
                "role": "tool",
                "tool_call_id": call.id,
                "content": json.dumps(self._memory.get(_key(call), over), ensure_ascii=False),
            }
            for call in calls
        ]

    async def _summarized(
        self, calls: list[ToolCall], answers: list[ToolAnswer]
    ) -> list[list[EvidenceItem]]:
        materials = [
            Material(call.name, answer.call, answer.text, answer.text)
            for call, answer in zip(calls, answers, strict=True)
            if answer.kind == "content"
        ]
        summaries = iter(await self._summarizer.summarize(materials))
        return [next(summaries) if answer.kind == "content" else [] for answer in answers]

    def _note(
        self, call: ToolCall, answer: ToolAnswer, items: list[EvidenceItem]
    ) -> dict[str, Any]:
        """Keep how a call ended, and return what the model is told of it."""
        searched = self._toolbox.named(call.name) is LogicalTool.ARTICLE_SEARCH
        # An empty page after the first is the end of the results, no null result.
        ended = answer.kind == "empty" and (call.arguments or {}).get("page") not in (None, 1)
        records = article_records(answer.text) if answer.kind == "content" else []
        if searched and answer.kind != "refused" and not ended:
            self.queries.append(
                Query(
                    call=answer.call,
                    arguments=call.arguments or {},
                    outcome=answer.kind,
                    records=len(records),
                    note=answer.error or "",
                )
            )
        if answer.kind == "empty" and searched and not ended:
            items = [self._null(call, answer)]
        if answer.kind == "failed":
            self._fail(call, answer)
        return {
            "outcome": answer.kind,
            "records": [
                {"id": f"PMID:{r.pmid}", "title": r.title, "year": r.year, "journal": r.journal}
                for r in records
                if r.pmid
            ],
            "findings": [
                {
                    "id": item.id,
                    "statement": item.statement,
                    "stance": item.stance.value,
                    "references": item.references,
                }
                for item in items
            ],
            "error": answer.error,
            "note": "a failed call is no evidence of absence" if answer.kind == "failed" else "",
            **({"schema": answer.schema} if answer.schema is not None else {}),
        }

    def _null(self, call: ToolCall, answer: ToolAnswer) -> EvidenceItem:
        told = "; ".join(
            f"{name}: {', '.join(value) if isinstance(value, list) else value}"
            for name, value in sorted((call.arguments or {}).items())
        )
        quote = answer.text.strip().splitlines()[0] if answer.text.strip() else answer.text
        return self._ledger.add_null(
            f"A literature search found no article ({told}).", quote, answer.call, call.name
        )

    def _fail(self, call: ToolCall, answer: ToolAnswer) -> None:
        message = answer.error or "no answer"
        self.failures.append(
            Failure(
                tool=call.name,
                attempts=1,
                error=message.split(":")[0],
                message=f"{message} (arguments {canonical_json(call.arguments or {})})",
            )
        )


def _key(call: ToolCall) -> str:
    """Return what makes a call the same as another; what could not be read differs by its error."""
    return canonical_json([call.name, call.arguments, call.problem])
