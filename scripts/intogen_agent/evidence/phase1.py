"""Phase 1: gene and protein function characterization (once per gene).

Source: the seed's section "Phase 1". Fixed order: the gene record, then the protein record, each
by a model turn that is offered only that tool; a tool may be tried again with adjusted arguments,
then a structured failure is recorded and the work goes on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.evidence import uniprot
from intogen_agent.evidence.gene_record import (
    GeneRecord,
    identity_problem,
    read_gene_record,
    settle_identity,
)
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import EvidenceItem, Failure, Phase1, Protein
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Answer, Failed, Message, ToolCall
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import PHASE1, LogicalTool
from intogen_agent.mcp.toolbox import Toolbox

# A report needs two bullets on the function, each with something to rest on.
MIN_STATEMENTS = 2
NUDGE = "Call the offered tool now; do not answer from memory."


@dataclass
class Found:
    """What phase 1 has found so far.

    Attributes:
        idle: Digests of requests that the model answered without calling the offered tool.
    """

    record: GeneRecord | None = None
    protein: Protein | None = None
    failures: list[Failure] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)


class GeneInvestigator:
    """The gene/protein investigator: a conversation with one tool at a time."""

    def __init__(self, run: Run, toolbox: Toolbox, summarizer: Summarizer) -> None:
        self._run = run
        self._toolbox = toolbox
        self._summarizer = summarizer
        self._evidence = run.job.settings.evidence
        self._symbol = run.job.task.gene
        self._human_failed = False
        self.found = Found()
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
        await self._step(LogicalTool.GENE_RECORD)
        self._messages.append(
            prompts.user("Step 2. Retrieve the protein annotation with the offered tool.")
        )
        await self._step(LogicalTool.PROTEIN_RECORD)

    async def _step(self, tool: LogicalTool) -> None:
        """Let the model call one tool until it brings something usable or the retries are over."""
        nudges = self._run.job.settings.llm.nudges
        attempts, error = 0, "the model did not call the tool"
        while attempts <= self._evidence.phase1_retries:
            outcome = await self._run.models.chat(
                Role.GENE_INVESTIGATOR, self._messages, self._toolbox.offer(tool)
            )
            if isinstance(outcome, Failed):
                outcome.stop(Role.GENE_INVESTIGATOR.value)
            self._messages.append(outcome.message)
            if isinstance(outcome, Answer):
                self.found.idle.append(outcome.request)
                if nudges == 0:
                    break
                nudges -= 1
                self._messages.append(prompts.user(NUDGE))
                continue
            attempts += 1
            problem = await self._answer(tool, outcome.calls)
            if problem is None:
                return
            error = problem
        self.found.failures.append(
            Failure(tool=tool, attempts=attempts, error=error.split(":")[0], message=error)
        )

    async def _answer(self, tool: LogicalTool, calls: list[ToolCall]) -> str | None:
        """Dispatch the first call and answer every call; None if the answer is usable."""
        first, *others = calls
        answer, problem = await self._dispatch(tool, first)
        content: dict[str, Any] = {"outcome": answer.kind, "error": problem}
        if problem is None:
            content["findings"] = [
                {"id": item.id, "statement": item.statement, "references": item.references}
                for item in await self._take(tool, answer)
            ]
            if self.found.record is not None:
                content["aliases"] = self.found.record.aliases
        else:
            content["note"] = "Try again with adjusted arguments, or give up with a short answer."
        if answer.schema is not None:
            content["schema"] = answer.schema
        self._messages.append(_tool_message(first, content))
        for call in others:
            note = {"outcome": "refused", "error": "one call at a time"}
            self._messages.append(_tool_message(call, note))
        return problem

    async def _dispatch(self, tool: LogicalTool, call: ToolCall) -> tuple[ToolAnswer, str | None]:
        arguments = call.arguments
        wanted = (arguments or {}).get("organism")
        if wanted == self._evidence.fallback_organism and not self._human_failed:
            why = f"ask for {self._evidence.organism} first"
            return ToolAnswer("refused", "", why), why
        if self._toolbox.named(call.name) is not tool:
            [offer] = self._toolbox.offer(tool)
            why = f"only {offer['function']['name']} is offered in this step"
            return ToolAnswer("refused", "", why), why
        answer = await self._toolbox.call(call.name, arguments, call.problem)
        problem = self._problem(tool, answer, str(wanted or self._evidence.organism))
        # A call that was refused has asked nobody.
        self._human_failed |= problem is not None and answer.kind != "refused"
        return answer, problem

    def _problem(self, tool: LogicalTool, answer: ToolAnswer, organism: str) -> str | None:
        """Read an answer into what was found; say why it is of no use, if it is not."""
        if answer.kind == "empty":
            return "empty: the tool answered that it found nothing"
        if answer.kind != "content":
            return answer.error or answer.kind
        if tool is LogicalTool.GENE_RECORD:
            record = read_gene_record(answer.text)
            if record is None:
                return "unreadable: the answer holds no gene record"
            mismatch = identity_problem(record, self._symbol)
            if mismatch is not None:
                return f"wrong gene: {mismatch}"
            self.found.record = record
            return None
        present = self.found.record.symbol if self.found.record else self._symbol
        entry, why = uniprot.select_entry(answer.text, present, organism)
        if entry is None:
            return f"empty: {why}"
        self.found.protein = uniprot.condense(entry, self._evidence.uniprot)
        return None

    async def _take(self, tool: LogicalTool, answer: ToolAnswer) -> list[EvidenceItem]:
        shown = answer.text
        if tool is LogicalTool.PROTEIN_RECORD and self.found.protein is not None:
            shown = json.dumps(self.found.protein.model_dump(), ensure_ascii=False, indent=1)
        material = Material(tool, answer.call, answer.text, shown)
        return (await self._summarizer.summarize([material]))[0]


def _tool_message(call: ToolCall, content: Mapping[str, Any]) -> Message:
    return {
        "role": "tool",
        "tool_call_id": call.id,
        "content": json.dumps(content, ensure_ascii=False),
    }


async def run_phase1(run: Run) -> Mapping[Path, Any]:
    """Characterize a gene and its protein.

    Returns:
        `phase1.json`.

    Raises:
        StageFailure: No tool answered with any function evidence (`evidence_unavailable`), a
            server or a model could not be used.
    """
    job = run.job
    names = job.settings.mcp
    manager, ledger = ReferenceManager(), Ledger("F")
    task = {"gene": job.task.gene, "cancer": None}
    summarizer = Summarizer(
        run.models, manager, ledger, "phase1", task, job.settings.evidence.max_payload_chars
    )
    toolbox = Toolbox(
        names,
        names.phase1,
        PHASE1,
        run.recorder,
        job.server_values(),
        job.logs,
        allow_hosts=job.settings.network.allow_hosts,
    )
    async with toolbox:
        investigator = GeneInvestigator(run, toolbox, summarizer)
        await investigator.investigate()
    found = investigator.found
    if len(ledger.items) < MIN_STATEMENTS:
        message = _too_little(len(ledger.items), found.failures)
        again = [*found.idle, *summarizer.fruitless]
        raise StageFailure(ErrorClass.EVIDENCE_UNAVAILABLE, message, again)
    accession = found.protein.accession if found.protein else None
    identity = settle_identity(job.task.gene, found.record, accession)
    phase1 = Phase1(
        **job.head(identity, None),
        protein=found.protein,
        ledger=ledger.items,
        references=manager.tracked(),
        calls=sorted(toolbox.calls, key=lambda call: (len(call.id), call.id)),
        failures=found.failures,
        dropped=dict(ledger.dropped),
    )
    return {job.folder / "phase1.json": phase1.model_dump(mode="json")}


def _too_little(statements: int, failures: list[Failure]) -> str:
    told = "; ".join(f"{failure.tool}: {failure.message}" for failure in failures)
    why = told or "no finding passed the checks"
    if statements == 0:
        return f"no function evidence was answered ({why})"
    return f"{statements} statement on the function is too little for a report ({why})"
