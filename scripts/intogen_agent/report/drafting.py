"""From a model's draft to a report that passes every rule: checking and the bounded repair cycle.

Source: the seed's section "Structured report generation and Pydantic-based validation": a draft
that fails is regenerated under the same schema, with exponential backoff and a bounded number of
retries; only reports that pass are accepted.
"""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.evidence.blocks import ledger_block, task_block
from intogen_agent.evidence.failures import failures_block
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, Message
from intogen_agent.report.answers import MAX_SHOWN_ANSWER, text_around, unusable
from intogen_agent.report.assemble import (
    Assembled,
    Head,
    assemble,
    with_tools,
)
from intogen_agent.report.circular import is_circular
from intogen_agent.report.default_verdict import default_verdict
from intogen_agent.report.models import FinalReport, ReportProvenance
from intogen_agent.report.rules import Evidence, Violation, violations
from intogen_agent.report.rules.findings import threshold_counts
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.report.wire import ReportDraft

MAX_SHOWN = 20


class ReportRejected(Exception):
    """No draft passed within the bounded repairs.

    Attributes:
        report: The draft that breaks the fewest rules, as a report.
        problems: What is wrong with it.
        repairs: Rules that failed, one list per attempt.
        requests: The recorded requests of the repairs, to be asked anew.
    """

    def __init__(
        self,
        report: FinalReport,
        problems: list[Violation],
        repairs: list[list[str]],
        requests: list[str],
    ) -> None:
        first = problems[0]
        super().__init__(f"{len(problems)} rules broken, first {first.rule} at {first.path}")
        self.report = report
        self.problems = problems
        self.repairs = repairs
        self.requests = requests


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
        return [
            prompts.block("rules", self.thresholds.model_dump(mode="json")),
            prompts.block("ledger", ledger_block([*phase1.ledger, *phase2.ledger])),
            prompts.block("task", task_block(self.run.job, phase1.gene)),
            prompts.block("hypotheses", [h.model_dump(mode="json") for h in phase2.hypotheses]),
            prompts.block("failures", failures_block(phase1, phase2)),
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
                    "circular": known is not None and is_circular(known),
                }
            )
        return shown

    async def settle(
        self,
        first: ReportDraft | Failed,
        conversation: list[Message],
        provenance: ReportProvenance,
    ) -> FinalReport:
        """Return the report of the first draft that passes.

        An answer that holds no draft (a refusal, a cut-off, an empty one, prose, a wrong shape) is
        an attempt like a draft that breaks rules. What no repair has brought up to the thresholds
        is not supported. Of drafts that all break rules, the one with the fewest is kept.

        Args:
            first: The model's first draft, or why there is none.
            conversation: The conversation that brought it.
            provenance: The report's provenance so far; the repairs are added to it.

        Raises:
            ReportRejected: No draft passed within the bound.
            StageFailure: The model gave no draft at all, or its server no answer.
        """
        limit = self.run.job.settings.report.repairs
        conversation, answer = list(conversation), _Answer(first)
        tried: list[_Tried] = []
        repairs: list[list[str]] = []
        requests = list(first.requests) if isinstance(first, Failed) else []
        for attempt in range(limit + 1):
            if isinstance(answer.draft, Failed):
                problems = unusable(answer.draft)
                if not problems:
                    answer.draft.stop(_speaker(attempt).value)
            else:
                known = _so_far(provenance, repairs, answer.edits)
                assembled = self._assemble(answer.draft, known)
                problems = self._problems(assembled)
                if not problems:
                    return self._counted(assembled.report)
                tried.append(_Tried(assembled, problems))
            repairs = [*repairs, sorted({problem.rule for problem in problems})]
            if attempt < limit:
                await asyncio.sleep(self._wait(attempt))
                conversation += self._complaint(answer.draft, problems)
                answer = await self._repaired(conversation)
                requests += answer.requests
        if not tried and isinstance(answer.draft, Failed):
            replace(answer.draft, requests=requests).stop(_speaker(limit).value)
        best = min(tried, key=lambda one: len(one.problems))
        settled = self._by_default(tried, _so_far(provenance, repairs, []).repairs)
        if settled is None:
            raise ReportRejected(best.assembled.report, best.problems, repairs, requests)
        return settled

    def _by_default(self, tried: list["_Tried"], repairs: list[list[str]]) -> FinalReport | None:
        """Return the best draft with the default verdict, if that is all that it lacks."""
        for assembled, _ in sorted(tried, key=lambda one: len(one.problems)):
            provenance = assembled.report.provenance.model_copy(update={"repairs": repairs})
            report = assembled.report.model_copy(update={"provenance": provenance})
            settled = default_verdict(report, self.thresholds, self.evidence)
            if not self._problems(settled._replace(problems=assembled.problems)):
                return self._counted(settled.report)
        return None

    def _assemble(self, draft: ReportDraft, provenance: ReportProvenance) -> Assembled:
        job = self.run.job
        head = Head(
            gene=self.evidence.phase1.gene,
            cancer=job.cancer,
            stage=job.stage,
            fingerprint=job.fingerprint,
            provenance=provenance,
        )
        resolve = with_tools(self.manager.resolve, self.evidence)
        return assemble(draft, head, resolve)

    def _counted(self, report: FinalReport) -> FinalReport:
        """Write into a report what was found for each threshold."""
        counts = threshold_counts(report, self.thresholds, self.evidence)
        assessment = report.assessment.model_copy(update={"thresholds": counts})
        return report.model_copy(update={"assessment": assessment})

    def _problems(self, assembled: Assembled) -> list[Violation]:
        return assembled.for_model(violations(assembled.report, self.thresholds, self.evidence))

    def _wait(self, attempt: int) -> float:
        settings = self.run.job.settings.report
        return float(min(settings.repair_max_wait, settings.repair_first_wait * 2**attempt))

    def _complaint(self, draft: ReportDraft | Failed, problems: list[Violation]) -> list[Message]:
        """Return an answer and what is wrong with it, as the next turns of its conversation."""
        shown = [problem._asdict() for problem in problems[:MAX_SHOWN]]
        complaint = prompts.user(
            prompts.instruction(Role.REPAIRER, {}), prompts.block("violations", shown)
        )
        text = (
            draft.text[:MAX_SHOWN_ANSWER] if isinstance(draft, Failed) else draft.model_dump_json()
        )
        own = {"role": "assistant", "content": text}
        return [own, complaint] if text.strip() else [complaint]

    async def _repaired(self, conversation: list[Message]) -> "_Answer":
        outcome = await self.run.models.structured(Role.REPAIRER, conversation, ReportDraft)
        if isinstance(outcome, Failed):
            return _Answer(outcome, requests=outcome.requests)
        return _Answer(outcome.value, text_around(outcome.text), [outcome.request])


@dataclass(frozen=True)
class _Answer:
    """What a model gave: a draft, or why there is none.

    Attributes:
        edits: What was put right before the draft was read.
        requests: The recorded requests behind it.
    """

    draft: ReportDraft | Failed
    edits: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


class _Tried(NamedTuple):
    """A draft and what is wrong with it."""

    assembled: Assembled
    problems: list[Violation]


def _speaker(attempt: int) -> Role:
    return Role.REPAIRER if attempt else Role.REPORT_CREATOR


def _so_far(
    provenance: ReportProvenance, repairs: list[list[str]], edits: list[str]
) -> ReportProvenance:
    return provenance.model_copy(
        update={
            "repairs": [*provenance.repairs, *repairs],
            "controller_edits": [*provenance.controller_edits, *edits],
        }
    )
