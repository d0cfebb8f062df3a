"""The molecular mechanism investigator's search: a bounded conversation with literature tools."""

import asyncio
from dataclasses import replace
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.asked import Asked, advice, call_key
from intogen_agent.evidence.attempts import Attempts
from intogen_agent.evidence.course import Course, SearchLimits
from intogen_agent.evidence.failures import of_literature
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import End, EvidenceItem, Failure, Query, Scope, SearchEnd
from intogen_agent.evidence.queries import QueryRules, texts
from intogen_agent.evidence.spending import spent
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.jobs import Run
from intogen_agent.llm import tokens
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, Message, ToolCall
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import OPTIONAL, PHASE2, SCHEMAS, LogicalTool
from intogen_agent.mcp.toolbox import Toolbox

ROLE = Role.MECHANISM_INVESTIGATOR
ARTICLES, TRIALS = LogicalTool.ARTICLE_SEARCH, LogicalTool.TRIAL_SEARCH
NUDGE = "Search first, with the offered tools."
# What a search may say of itself; no server gets it.
TESTED = "hypotheses"
_TESTED_SCHEMA = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Ids of the hypotheses that this search tests, e.g. H1",
}


class LiteratureSearch:
    """Conducts bounded searches of the literature.

    Args:
        run: The stage's run.
        toolbox: The literature tools.
        summarizer: Turns answers into ledger items.
        ledger: The ledger; answered-empty queries become null results in it.
        rules: What a search must hold.
        payloads: Where the raw answers are left by their calls' ids.
        task: The task block.
        limits: The bounds; those of phase 2 where none are given.

    Attributes:
        queries: Every literature search and how it ended.
        end: Why the search ended.
    """

    def __init__(
        self,
        run: Run,
        toolbox: Toolbox,
        summarizer: Summarizer,
        ledger: Ledger,
        rules: QueryRules,
        payloads: dict[str, str],
        task: dict[str, Any],
        limits: SearchLimits | None = None,
    ) -> None:
        self._run = run
        self._toolbox = toolbox
        self._summarizer = summarizer
        self._ledger = ledger
        self._rules = rules
        self._payloads = payloads
        self._task = task
        evidence = run.job.settings.evidence
        self._limits = limits or SearchLimits(
            evidence.max_turns, evidence.max_calls, evidence.phase2_retries, evidence.max_tokens
        )
        self._attempts = Attempts(self._limits.retries)
        self._memory: dict[str, dict[str, Any]] = {}
        self._known: set[str] = set()
        self._properties: dict[str, dict[str, Any]] = {}
        self._course = Course(self._limits)
        self.queries: list[Query] = []
        self.end = SearchEnd(reason=End.TURNS, turns=0, calls=0, tokens=0)

    @property
    def failures(self) -> list[Failure]:
        """The questions that no attempt answered; a search that was never made is one of them."""
        found = self._attempts.failures()
        dark = of_literature(found, self._toolbox.calls)
        if self._course.must_search and not self.queries and not dark:
            message = "not searched: the model made no search that could be sent"
            tool = ARTICLES.value
            never = Failure(tool=tool, attempts=0, error="not searched", message=message)
            found = [never, *found]
        return found

    async def conduct(
        self, function: list[dict[str, Any]], hypotheses: list[dict[str, Any]]
    ) -> None:
        """Test hypotheses until the model is done or a cap is reached."""
        self._known = {str(one["id"]) for one in hypotheses}
        values = {
            "retries": self._limits.retries,
            "max_calls": self._limits.max_calls,
            "closing": False,
        }
        messages: list[Message] = [
            prompts.system(prompts.instruction(ROLE, values)),
            prompts.user(
                "Test the hypotheses against the literature.",
                prompts.block("gene_function", function),
                prompts.block("task", self._task),
                prompts.block("hypotheses", hypotheses),
            ),
        ]
        await self.converse(ROLE, messages, must_search=True)

    async def converse(self, role: Role, messages: list[Message], *, must_search: bool) -> None:
        """Let a role call the tools until it is done or a cap is reached.

        Args:
            role: Who searches.
            messages: The conversation's beginning.
            must_search: Whether there is nothing yet: a text before the first call is sent back,
                and the task's own cancer is searched first.
        """
        self._course.must_search = must_search
        turns, reason = 0, None
        limit, offer = self._limits.max_turns, self._offer()
        nudges = max(1, self._run.job.settings.llm.nudges) if must_search else 0
        while reason is None:
            if turns >= limit:
                reason = End.TURNS
            elif turns and self._over_tokens(role, messages):
                reason = End.TOKENS
            if reason is not None:
                break
            turns += 1
            outcome = await self._run.models.chat(role, messages, offer)
            if isinstance(outcome, Failed):
                reason = self._ended(role, outcome)
            elif isinstance(outcome, Answer):
                if self._course.made or not nudges:
                    reason = End.CLOSED
                nudges -= 1
                messages += [outcome.message, prompts.user(NUDGE)]
            else:
                messages.append(outcome.message)
                messages += await self._turn(outcome.calls)
                if outcome.one_a_turn:
                    limit = max(limit, self._limits.max_calls)
                reason = self._course.over()
        used = spent(self._run.recorder.used, role)
        self.end = SearchEnd(reason=reason, turns=turns, calls=self._course.made, tokens=used)

    def _offer(self) -> list[dict[str, Any]]:
        """Return the offers; a search may say which hypotheses it tests."""
        offers = []
        for offer in self._toolbox.offer(*PHASE2, *OPTIONAL):
            function = dict(offer["function"])
            parameters = dict(function.get("parameters") or {})
            properties = dict(parameters.get("properties") or {})
            self._properties[function["name"]] = properties
            if self._searched(function["name"]) is ARTICLES:
                properties = {**properties, TESTED: _TESTED_SCHEMA}
                function["parameters"] = {**parameters, "properties": properties}
            offers.append({**offer, "function": function})
        return offers

    def _searched(self, name: str) -> LogicalTool | None:
        """Return which search is offered under a name; None if it is none."""
        tool = self._toolbox.named(name)
        return tool if tool in (ARTICLES, TRIALS) else None

    def _ended(self, role: Role, failed: Failed) -> End:
        """Return how a failure of the model ends the search, if what was found may stand.

        Raises:
            StageFailure: Nothing was found yet, or the model cannot be used.
        """
        ends = {FailureKind.EMPTY: End.SILENT, FailureKind.CONTEXT_OVERFLOW: End.CONTEXT}
        if failed.kind in ends and self.queries:
            return ends[failed.kind]
        failed.stop(role.value)

    def _over_tokens(self, role: Role, messages: list[Message]) -> bool:
        """Tell whether the next turn would use more tokens than the search may."""
        used = spent(self._run.recorder.used, role)
        return used + tokens.estimate(messages) > self._limits.max_tokens

    async def _turn(self, calls: list[ToolCall]) -> list[Message]:
        """Answer the calls of one model turn; new ones run concurrently."""
        fresh: dict[str, Asked] = {}
        read = [self._read(call) for call in calls]
        target = any(self._at_target(one) and not one.refusal for one in read)
        opened = self._course.opened or target
        told = [self._place(asked, fresh, opened) for asked in read]
        self._course.made += len(fresh)
        answers = await asyncio.gather(
            *(
                self._toolbox.call(asked.call.name, asked.call.arguments, asked.call.problem)
                for asked in fresh.values()
            )
        )
        self._course.turned(
            [
                answer.kind
                for asked, answer in zip(fresh.values(), answers, strict=True)
                if self._searched(asked.call.name) is not TRIALS
            ]
        )
        found = await self._summarized(list(fresh.values()), answers)
        notes = {
            asked.key: self._note(asked, answer, items)
            for asked, answer, items in zip(fresh.values(), answers, found, strict=True)
        }
        for asked, answer in zip(fresh.values(), answers, strict=True):
            # A failed call may be made again; what was answered or refused stays so.
            if answer.kind != "failed":
                self._memory[asked.key] = notes[asked.key]
        known = {**self._memory, **notes}
        return [
            prompts.tool_answer(call.id, known[place] if isinstance(place, str) else place)
            for call, place in zip(calls, told, strict=True)
        ]

    def _at_target(self, asked: Asked) -> bool:
        return asked.scope is Scope.TARGET and self._searched(asked.call.name) is ARTICLES

    def _read(self, call: ToolCall) -> Asked:
        """Read a call; a search goes through the rules."""
        if call.arguments is None:
            return Asked(call, call_key(call))
        arguments = dict(call.arguments)
        tested = [name for name in texts(arguments.pop(TESTED, None)) if name in self._known]
        call = replace(call, arguments=arguments)
        searched = self._searched(call.name)
        if searched is None:
            return Asked(call, call_key(call))
        properties = self._properties.get(call.name) or SCHEMAS[searched]["properties"]
        checked = self._rules.check(arguments, properties)
        refusal = checked.refusal
        if refusal is None:
            call = replace(call, arguments=checked.arguments)
            # A server may take one name of several.
            narrowed = self._toolbox.narrowed(call.name, checked.arguments)
            refusal = self._rules.alone(narrowed) if narrowed != checked.arguments else None
        return Asked(call, call_key(call), checked.completed, refusal, checked.scope, tested)

    def _place(self, asked: Asked, fresh: dict[str, Asked], opened: bool) -> dict[str, Any] | str:
        """Take a call among those to be made; return its key, or what it is refused with."""
        if asked.refusal is not None:
            return self._refused(asked.call, asked.refusal)
        if asked.scope is not None and not opened:
            own = f"the task's own cancer ({self._rules.target})"
            return self._refused(asked.call, f"search articles on {own} first, then others")
        if asked.key in self._memory or asked.key in fresh:
            return asked.key
        if self._course.made + len(fresh) >= self._limits.max_calls:
            return {"outcome": "refused", "error": "no calls are left; close the search"}
        name, arguments = asked.call.name, asked.call.arguments or {}
        question = self._attempts.begin(name, arguments, asked.key, asked.hypotheses, asked.scope)
        if question is None:
            most = self._limits.retries + 1
            why = f"this was tried {most} times without an answer; leave it"
            return self._refused(asked.call, why)
        fresh[asked.key] = replace(
            asked,
            question=question,
            attempt=question.started,
            adjusts=question.calls[-1] if question.calls else None,
        )
        return asked.key

    def _refused(self, call: ToolCall, why: str) -> dict[str, Any]:
        answer = self._toolbox.refuse(call.name, call.arguments, why)
        return {"outcome": answer.kind, "error": answer.error}

    async def _summarized(
        self, asked: list[Asked], answers: list[ToolAnswer]
    ) -> list[list[EvidenceItem]]:
        self._payloads.update({answer.call: answer.text for answer in answers})
        materials = [
            Material(one.call.name, answer.call, answer.text, answer.text)
            for one, answer in zip(asked, answers, strict=True)
            if answer.kind == "content"
        ]
        summaries = iter(await self._summarizer.summarize(materials))
        return [next(summaries) if answer.kind == "content" else [] for answer in answers]

    def _note(self, asked: Asked, answer: ToolAnswer, items: list[EvidenceItem]) -> dict[str, Any]:
        """Keep how a call ended, and return what the model is told of it."""
        arguments = answer.asked or asked.call.arguments or {}
        if answer.asked is not None:
            # A server may take less than it is given, even another gene or cancer of a list.
            asked = replace(asked, scope=self._rules.scope(answer.asked))
        searched = self._searched(asked.call.name) is ARTICLES
        # An empty page after the first is the end of the results, no null result.
        ended = answer.kind == "empty" and arguments.get("page") not in (None, 1)
        records = article_records(answer.text) if answer.kind == "content" else []
        left = self._attempts.end(asked.question, answer) if asked.question else 0
        if self._at_target(asked):
            self._course.searched_target(answer.kind)
        if searched and answer.kind != "refused" and not ended:
            self.queries.append(
                Query(
                    call=answer.call,
                    arguments=arguments,
                    outcome=answer.kind,
                    records=len(records),
                    note=answer.error or "",
                    completed=asked.completed,
                    scope=asked.scope,
                    hypotheses=asked.hypotheses,
                    attempt=asked.attempt,
                    adjusts=asked.adjusts,
                )
            )
        told = answer.asked is None or self._rules.names_gene(answer.asked)
        if answer.kind == "empty" and searched and not ended and told:
            items = [self._null(asked, answer)]
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
                    "scope": item.scope.value,
                    "references": item.references,
                }
                for item in items
            ],
            "error": answer.error,
            "note": advice(answer, left, searched, ended),
            **({"completed": asked.completed} if asked.completed else {}),
            # Of a longer list, only this was asked.
            **({"asked": answer.asked} if answer.asked is not None else {}),
            **({"schema": answer.schema} if answer.schema is not None else {}),
        }

    def _null(self, asked: Asked, answer: ToolAnswer) -> EvidenceItem:
        told = "; ".join(
            f"{name}: {', '.join(found)}"
            for name, value in sorted((answer.asked or asked.call.arguments or {}).items())
            if (found := texts(value))
        )
        quote = answer.text.strip().splitlines()[0] if answer.text.strip() else answer.text
        return self._ledger.add_null(
            f"A literature search found no article ({told}).",
            quote,
            answer.call,
            asked.call.name,
            asked.scope or Scope.TARGET,
        )
