"""From a model's draft to a report that passes every rule: checking and the bounded repair cycle.

Source: the seed's section "Structured report generation and Pydantic-based validation": a draft
that fails is regenerated under the same schema, with exponential backoff and a bounded number of
retries; only reports that pass are accepted.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.blocks import ledger_block, task_block
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, Message
from intogen_agent.report.assemble import (
    Assembled,
    Head,
    assemble,
    default_verdict,
    with_tools,
)
from intogen_agent.report.models import FinalReport, ReportProvenance
from intogen_agent.report.rules import Evidence, Violation, violations
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.report.wire import ReportDraft

MAX_SHOWN = 20


class ReportRejected(Exception):
    """No draft passed within the bounded repairs.

    Attributes:
        report: The last draft as a report.
        problems: What is wrong with it.
        repairs: Rules that failed, one list per attempt.
    """

    def __init__(
        self, report: FinalReport, problems: list[Violation], repairs: list[list[str]]
    ) -> None:
        first = problems[0]
        super().__init__(f"{len(problems)} rules broken, first {first.rule} at {first.path}")
        self.report = report
        self.problems = problems
        self.repairs = repairs


@dataclass
class Drafter:
    """Checks drafts of one pair against the rules and its evidence, and has them repaired."""

    run: Run
    evidence: Evidence
    manager: ReferenceManager = field(init=False)
    thresholds: Thresholds = field(init=False)

    def __post_init__(self) -> None:
        """Take the references of both phases and the configured thresholds."""
        self.manager = ReferenceManager(self.evidence.phase2.references)
        self.thresholds = Thresholds.from_settings(self.run.job.settings.report)

    def blocks(self) -> list[str]:
        """Return the evidence as the blocks that report and review requests share.

        The conversations of both phases are not among them: system prompts, planning turns and
        raw tool results are pruned, what was found stays. The ledger begins with what phase 1
        found, which all cancers of the gene share.
        """
        phase1, phase2 = self.evidence.phase1, self.evidence.phase2
        failures = [*phase1.failures, *phase2.failures]
        return [
            prompts.block("rules", self.thresholds.model_dump(mode="json")),
            prompts.block("ledger", ledger_block([*phase1.ledger, *phase2.ledger])),
            prompts.block("task", task_block(self.run.job, phase1.gene)),
            prompts.block("hypotheses", [h.model_dump(mode="json") for h in phase2.hypotheses]),
            prompts.block("failures", [f.model_dump(mode="json") for f in failures]),
            prompts.block("references", self._references()),
        ]

    def _references(self) -> list[dict[str, Any]]:
        cited = [
            name
            for item in [*self.evidence.phase1.ledger, *self.evidence.phase2.ledger]
            for name in item.references
        ]
        shown = []
        for name in dict.fromkeys(cited):
            known = self.manager.resolve(name)
            shown.append(
                {
                    "id": name,
                    "title": known.title if known else None,
                    "journal": known.journal if known else None,
                    "year": known.year if known else None,
                    "retracted": known.retracted if known else False,
                }
            )
        return shown

    async def settle(
        self, draft: ReportDraft, conversation: list[Message], provenance: ReportProvenance
    ) -> FinalReport:
        """Return the report of the first draft that passes.

        Args:
            draft: The model's first draft.
            conversation: The conversation that brought it.
            provenance: The report's provenance so far; the repairs are added to it.

        Raises:
            ReportRejected: No draft passed within the bound.
            StageFailure: The model gave no answer.
        """
        limit = self.run.job.settings.report.repairs
        repairs: list[list[str]] = []
        conversation = list(conversation)
        for attempt in range(limit + 1):
            assembled = self._assemble(draft, provenance, repairs)
            problems = self._problems(assembled)
            if problems and attempt == limit:
                # What no repair has brought up to the thresholds is not supported.
                left_out = assembled.problems
                assembled = default_verdict(assembled.report, self.thresholds, self.evidence)
                problems = self._problems(assembled._replace(problems=left_out))
            if not problems:
                return assembled.report
            repairs = [*repairs, sorted({problem.rule for problem in problems})]
            if attempt == limit:
                raise ReportRejected(assembled.report, problems, repairs)
            await asyncio.sleep(self._wait(attempt))
            conversation += self._complaint(draft, problems)
            draft = await self._repaired(conversation)
        raise AssertionError("the loop above returns or raises")

    def _assemble(
        self, draft: ReportDraft, provenance: ReportProvenance, repairs: list[list[str]]
    ) -> Assembled:
        job = self.run.job
        head = Head(
            gene=self.evidence.phase1.gene,
            cancer=job.cancer,
            stage=job.stage,
            fingerprint=job.fingerprint,
            provenance=provenance.model_copy(update={"repairs": [*provenance.repairs, *repairs]}),
        )
        return assemble(draft, head, with_tools(self.manager.resolve, self.evidence))

    def _problems(self, assembled: Assembled) -> list[Violation]:
        return assembled.for_model(violations(assembled.report, self.thresholds, self.evidence))

    def _wait(self, attempt: int) -> float:
        settings = self.run.job.settings.report
        return float(min(settings.repair_max_wait, settings.repair_first_wait * 2**attempt))

    def _complaint(self, draft: ReportDraft, problems: list[Violation]) -> list[Message]:
        """Return a draft and what is wrong with it, as the next turns of its conversation."""
        shown = [problem._asdict() for problem in problems[:MAX_SHOWN]]
        return [
            {"role": "assistant", "content": draft.model_dump_json()},
            prompts.user(
                prompts.instruction(Role.REPAIRER, {}), prompts.block("violations", shown)
            ),
        ]

    async def _repaired(self, conversation: list[Message]) -> ReportDraft:
        outcome = await self.run.models.structured(Role.REPAIRER, conversation, ReportDraft)
        if isinstance(outcome, Failed):
            outcome.stop(Role.REPAIRER.value)
        return outcome.value
