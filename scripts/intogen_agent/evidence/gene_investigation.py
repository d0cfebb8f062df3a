"""The gene/protein investigator: a conversation in which one tool is offered at a time.

Source: the seed's section "Phase 1". The order is the controller's: first the gene record, then
the protein record. What is wrong about a call or an answer is decided here and in the steps, by
rules; the model only words the calls.
"""

from dataclasses import dataclass, field
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.gene_steps import Found, GeneStep, Problem, ProteinStep, Step
from intogen_agent.evidence.models import EvidenceItem, Failure, System
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.evidence.uniprot_choice import HUMAN
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Answer, Failed, Message, ToolCall
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.toolbox import Toolbox

NUDGE = "Call the offered tool now; do not answer from memory."
ADJUST = "Try again with adjusted arguments: an alias, a previous symbol, an identifier."


@dataclass
class Conversation:
    """What came of the conversation, apart from what was found.

    Attributes:
        idle: Digests of requests that the model answered without calling the offered tool.
    """

    failures: list[Failure] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)


class GeneInvestigator:
    """Conducts phase 1.

    Args:
        run: The stage's run.
        toolbox: The tools of phase 1.
        summarizer: Turns answers into ledger items.
        manager: The run's reference manager.

    Attributes:
        found: The gene record and the protein.
        talk: Failures, and what the model did beside its task.
    """

    def __init__(
        self, run: Run, toolbox: Toolbox, summarizer: Summarizer, manager: ReferenceManager
    ) -> None:
        self._run = run
        self._toolbox = toolbox
        self._summarizer = summarizer
        self._manager = manager
        self._evidence = run.job.settings.evidence
        self._symbol = run.job.task.gene
        self.found = Found()
        self.talk = Conversation()
        instruction = prompts.instruction(
            Role.GENE_INVESTIGATOR,
            {
                "organism": self._evidence.organism,
                "fallback_organism": self._evidence.fallback_organism,
                "retries": self._evidence.phase1_retries,
            },
        )
        self._messages: list[Message] = [prompts.system(instruction)]

    async def investigate(self) -> None:
        """Retrieve the gene record, then the protein record."""
        task = prompts.block("task", {"gene": self._symbol, "cancer": None})
        self._messages.append(
            prompts.user("Step 1. Resolve the gene's identifiers with the offered tool.", task)
        )
        await self._step(GeneStep(LogicalTool.GENE_RECORD, self._symbol, self.found))
        self._messages.append(
            prompts.user("Step 2. Retrieve the protein annotation with the offered tool.")
        )
        await self._step(
            ProteinStep(LogicalTool.PROTEIN_RECORD, self._symbol, self.found, self._evidence)
        )

    async def _step(self, step: Step) -> None:
        """Let the model call one tool until it brings something usable or the attempts are over."""
        nudges = self._run.job.settings.llm.nudges
        problems: list[Problem] = []
        while not self._over(problems):
            outcome = await self._run.models.chat(
                Role.GENE_INVESTIGATOR, self._messages, self._toolbox.offer(step.tool)
            )
            if isinstance(outcome, Failed):
                outcome.stop(Role.GENE_INVESTIGATOR.value)
            self._messages.append(outcome.message)
            if isinstance(outcome, Answer):
                self.talk.idle.append(outcome.request)
                if nudges == 0:
                    break
                nudges -= 1
                self._messages.append(prompts.user(NUDGE))
                continue
            problem = await self._turn(step, outcome.calls)
            if problem is None:
                return
            problems.append(problem)
        self.talk.failures.append(_failure(step.tool, problems))

    def _over(self, problems: list[Problem]) -> bool:
        """Tell whether the attempts are over: a refused call asked nobody, so it counts for less.

        As many calls may be refused as may be made, no more: a model may not learn.
        """
        most = self._evidence.phase1_retries + 1
        refused = sum(problem.kind == "refused" for problem in problems)
        return len(problems) - refused >= most or refused >= most

    async def _turn(self, step: Step, calls: list[ToolCall]) -> Problem | None:
        """Dispatch the first call and answer every call; None if the answer is usable."""
        first, *others = calls
        answer, problem = await self._dispatch(step, first)
        content: dict[str, Any] = {"outcome": answer.kind, "error": None}
        if problem is None:
            content["findings"] = [
                {"id": item.id, "statement": item.statement, "references": item.references}
                for item in await self._take(step, answer)
            ]
        else:
            content["outcome"] = "unusable" if answer.kind == "content" else answer.kind
            content |= {"error": problem.message, "note": ADJUST}
        if self.found.record is not None:
            content["aliases"] = [*self.found.record.aliases, *self.found.record.previous]
        if answer.schema is not None:
            content["schema"] = answer.schema
        self._messages.append(prompts.tool_answer(first.id, content))
        for call in others:
            why = "one call at a time"
            self._toolbox.refuse(call.name, call.arguments, why)
            note = {"outcome": "refused", "error": why}
            self._messages.append(prompts.tool_answer(call.id, note))
        return problem

    async def _dispatch(self, step: Step, call: ToolCall) -> tuple[ToolAnswer, Problem | None]:
        """Make a call, unless a rule forbids it."""
        forbidden = None
        if self._toolbox.named(call.name) is not step.tool:
            [offer] = self._toolbox.offer(step.tool)
            forbidden = f"only {offer['function']['name']} is offered in this step"
        if forbidden is None and call.arguments is not None:
            forbidden = step.forbidden(call.arguments)
        if forbidden is not None:
            refused = self._toolbox.refuse(call.name, call.arguments, forbidden)
            return refused, Problem("refused", forbidden)
        answer = await self._toolbox.call(call.name, call.arguments, call.problem)
        return answer, step.read(answer, call.arguments or {})

    async def _take(self, step: Step, answer: ToolAnswer) -> list[EvidenceItem]:
        """Turn a usable answer into ledger items."""
        # Every reference of the answer is tracked; only those of the chosen record may be cited.
        self._manager.observe(answer.text, "phase1", step.tool, answer.call)
        materials = [Material(step.tool, answer.call, text, text) for text in step.shown()]
        summaries = await self._summarizer.summarize(materials)
        items = [item for summary in summaries for item in summary]
        if step.organism != HUMAN:
            mark_organism([item for item in items if item.call == answer.call], step.organism)
        return items


def mark_organism(items: list[EvidenceItem], organism: str) -> None:
    """Mark what another organism's record says: in its system, and in words wherever it is read."""
    for item in items:
        item.system = System.ANIMAL
        if organism.casefold() not in item.statement.casefold():
            item.statement = f"{item.statement.rstrip('.')} (in {organism})."


def _failure(tool: str, problems: list[Problem]) -> Failure:
    """Return the failure of a step: what was tried, and what ended each attempt."""
    attempts = sum(problem.kind != "refused" for problem in problems)
    problems = problems or [Problem("not_called", "the model did not call the tool")]
    # A refused call has asked nobody: what a tool answered says more.
    answered = [problem for problem in problems if problem.kind != "refused"] or problems
    messages = dict.fromkeys(problem.message for problem in answered)
    return Failure(
        tool=tool, attempts=attempts, error=answered[-1].kind, message="; ".join(messages)
    )
