"""The critic loop: the scientific reviewer, and the refinement it asks for.

Source: the seed's section "Critic-driven scientific refinement".
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed
from intogen_agent.models import Stage, Status
from intogen_agent.report.drafting import Drafter, ReportRejected
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.stage import models_so_far
from intogen_agent.report.wire import IssueAnswer, RefinedDraft
from intogen_agent.review.models import (
    Answer,
    CritiqueFile,
    CritiqueIssue,
    CritiqueReport,
    Iteration,
    Section,
    Severity,
)
from intogen_agent.review.wire import WireCritique


async def run_critique(run: Run, evidence: Evidence, report: FinalReport) -> Mapping[Path, Any]:
    """Review a report until it is accepted or the bound is reached.

    Returns:
        `critique.json` and `reviewed.json`.

    Raises:
        StageFailure: A model gave no answer.
    """
    job = run.job
    if not job.settings.review.enabled:
        reviewed = _restaged(run, report, status=Status.NOT_REVIEWED)
        record = CritiqueFile(
            **{**job.head(report.gene, report.cancer), "status": Status.NOT_REVIEWED},
            accepted=False,
            iterations=[],
            unresolved=[],
        )
        return _outputs(run, record, reviewed)
    loop = _Loop(run, evidence, report)
    await loop.conduct()
    record = CritiqueFile(
        **job.head(report.gene, report.cancer),
        accepted=loop.iterations[-1].critique.overall_accept,
        iterations=loop.iterations,
        unresolved=loop.unresolved,
    )
    reviewed = _restaged(run, loop.report, loop=loop)
    return _outputs(run, record, reviewed)


def _outputs(run: Run, record: CritiqueFile, reviewed: FinalReport) -> Mapping[Path, Any]:
    folder = run.job.folder
    return {
        folder / "critique.json": record.model_dump(mode="json"),
        folder / "reviewed.json": reviewed.model_dump(mode="json"),
    }


def _restaged(
    run: Run, report: FinalReport, *, status: Status = Status.OK, loop: "_Loop | None" = None
) -> FinalReport:
    """Return a report as the review stage leaves it: its head and provenance."""
    update: dict[str, Any] = {"models": {**report.provenance.models, **models_so_far(run)}}
    if loop is not None:
        update["critic_iterations"] = len(loop.iterations)
        update["unresolved"] = [f"{issue.section.value}: {issue.why}" for issue in loop.unresolved]
    return report.model_copy(
        update={
            "stage": Stage.CRITIQUE,
            "status": status,
            "fingerprint": run.job.fingerprint,
            "provenance": report.provenance.model_copy(update=update),
        }
    )


class _Loop:
    """The iterations of review and refinement."""

    def __init__(self, run: Run, evidence: Evidence, report: FinalReport) -> None:
        self._run = run
        self._evidence = evidence
        self._drafter = Drafter(run, evidence)
        self.report = report
        self.iterations: list[Iteration] = []

    @property
    def unresolved(self) -> list[CritiqueIssue]:
        """High-severity issues of the last critique."""
        issues = self.iterations[-1].critique.issues
        return [issue for issue in issues if issue.severity is Severity.HIGH]

    async def conduct(self) -> None:
        bound = self._run.job.settings.review.max_iterations
        for number in range(1, bound + 1):
            critique = await self._review()
            iteration = Iteration(number=number, critique=critique)
            self.iterations.append(iteration)
            if critique.overall_accept:
                iteration.note = "accepted"
                return
            if number == bound:
                iteration.note = "the maximum number of iterations was reached"
                return
            await self._refine(iteration)
            if not iteration.taken:
                return

    async def _review(self) -> CritiqueReport:
        system = prompts.system(prompts.instruction(Role.SCIENTIFIC_REVIEWER, {}))
        message = prompts.user(
            "Review the report.", *self._drafter.blocks(), self._history(), self._report_block()
        )
        outcome = await self._run.models.structured(
            Role.SCIENTIFIC_REVIEWER, [system, message], WireCritique
        )
        if isinstance(outcome, Failed):
            outcome.stop(Role.SCIENTIFIC_REVIEWER.value)
        return public_critique(outcome.value)

    async def _refine(self, iteration: Iteration) -> None:
        """Have the report refined; a refinement that breaks the rules is not taken."""
        critique = iteration.critique.model_dump(mode="json")
        rules = self._drafter.thresholds.model_dump(mode="json")
        messages = [
            prompts.system(prompts.instruction(Role.REFINER, {"rules": rules})),
            prompts.user(
                "Revise the report.",
                *self._drafter.blocks(),
                self._history(),
                self._report_block(),
                prompts.block("critique", critique),
            ),
        ]
        outcome = await self._run.models.structured(Role.REFINER, messages, RefinedDraft)
        if isinstance(outcome, Failed):
            outcome.stop(Role.REFINER.value)
        iteration.answers = _answers(iteration.critique.issues, outcome.value.answers)
        kept = len(self.report.provenance.repairs)
        try:
            refined = await self._drafter.settle(
                outcome.value.report, messages, self.report.provenance
            )
        except ReportRejected as error:
            iteration.taken = False
            iteration.repairs = error.repairs
            iteration.note = f"the refined report was not taken: {error}"
            return
        iteration.taken = True
        iteration.repairs = refined.provenance.repairs[kept:]
        iteration.changes = changes(self.report, refined)
        self.report = refined

    def _report_block(self) -> str:
        return prompts.block(
            "report", self.report.model_dump(mode="json", exclude={"provenance", "fingerprint"})
        )

    def _history(self) -> str:
        calls = [*self._evidence.phase1.calls, *self._evidence.phase2.calls]
        keep = {"id", "tool", "arguments", "outcome", "error"}
        return prompts.block("tool_history", [call.model_dump(include=keep) for call in calls])


def public_critique(critique: WireCritique) -> CritiqueReport:
    """Return a reviewer's answer as a CritiqueReport.

    Issues are numbered, scores are held to 0-1, and a high-severity issue rules out acceptance
    (seed: "High-severity issues automatically set overall_accept=false").
    """
    issues = [
        CritiqueIssue(
            id=f"I{number}",
            section=Section(issue.section),
            severity=Severity(issue.severity),
            **issue.model_dump(exclude={"section", "severity"}),
        )
        for number, issue in enumerate(critique.issues, start=1)
    ]
    high = any(issue.severity is Severity.HIGH for issue in issues)
    return CritiqueReport(
        overall_accept=critique.overall_accept and not high,
        overall_score=_held(critique.overall_score) or 0.0,
        gene_function_score=_held(critique.gene_function_score),
        mechanistic_hypothesis_score=_held(critique.mechanistic_hypothesis_score),
        assessment_alignment_score=_held(critique.assessment_alignment_score),
        summary=critique.summary,
        issues=issues,
    )


def _held(score: float | None) -> float | None:
    return None if score is None else min(1.0, max(0.0, score))


def _answers(issues: list[CritiqueIssue], given: list[IssueAnswer]) -> list[Answer]:
    """Return one answer per issue; an issue that the refiner passed over is `unanswered`."""
    by_issue = {answer.issue: answer for answer in given}
    answers = []
    for issue in issues:
        answer = by_issue.get(issue.id)
        answers.append(
            Answer(issue=issue.id, decision="unanswered", explanation="")
            if answer is None
            else Answer(issue=issue.id, decision=answer.decision, explanation=answer.explanation)
        )
    return answers


def changes(before: FinalReport, after: FinalReport) -> list[str]:
    """Return the statements that a refinement removed (`-`) or added (`+`)."""
    old, new = _statements(before), _statements(after)
    removed = [f"- {text}" for text in old if text not in new]
    return removed + [f"+ {text}" for text in new if text not in old]


def _statements(report: FinalReport) -> list[str]:
    hypothesis = report.mechanistic_hypothesis
    bullets = [
        *report.gene_function.bullets,
        *report.assessment.rationale,
        *(hypothesis.bullets if hypothesis else []),
    ]
    return [
        f"involvement: {report.assessment.involvement.value}",
        *(bullet.text for bullet in bullets),
    ]
