"""The scientific reviewer: one structured critique of one version of a report."""

from collections.abc import Sequence
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed
from intogen_agent.report.models import FinalReport
from intogen_agent.review.models import (
    CritiqueIssue,
    CritiqueReport,
    Iteration,
    Section,
    Severity,
)
from intogen_agent.review.wire import WireCritique


async def review(
    run: Run,
    blocks: Sequence[str],
    report: FinalReport,
    found: Sequence[CritiqueIssue],
    rounds: Sequence[Iteration],
) -> CritiqueReport:
    """Have a report reviewed.

    Args:
        run: The stage's run.
        blocks: The evidence and the tool history.
        report: The report.
        found: What the checks found; the reviewer is told, and it counts like its own issues.
        rounds: The rounds so far, for the answers to earlier issues.

    Raises:
        StageFailure: The model gave no answer.
    """
    known: dict[str, Any] = {}
    if found:
        known["checks"] = [told(issue) for issue in found]
    if rounds:
        known["rounds"] = [_round(each) for each in rounds]
    message = prompts.user(
        "Review the report.",
        *blocks,
        report_block(report),
        *([prompts.block("critique", known)] if known else []),
    )
    system = prompts.system(prompts.instruction(Role.SCIENTIFIC_REVIEWER, {}))
    outcome = await run.models.structured(Role.SCIENTIFIC_REVIEWER, [system, message], WireCritique)
    if isinstance(outcome, Failed):
        outcome.stop(Role.SCIENTIFIC_REVIEWER.value)
    return public_critique(outcome.value, found)


def report_block(report: FinalReport) -> str:
    """Return a report as reviewer and refiner see it."""
    content = report.model_dump(mode="json", exclude={"provenance", "fingerprint"})
    return prompts.block("report", content)


def told(issue: CritiqueIssue) -> dict[str, Any]:
    """Return an issue as models see it."""
    return issue.model_dump(mode="json", exclude_none=True)


def _round(iteration: Iteration) -> dict[str, Any]:
    return {
        "number": iteration.number,
        "score": iteration.critique.overall_score,
        "issues": [told(issue) for issue in iteration.critique.issues],
        "answers": [answer.model_dump(mode="json") for answer in iteration.answers],
    }


def public_critique(critique: WireCritique, found: Sequence[CritiqueIssue] = ()) -> CritiqueReport:
    """Return a reviewer's answer as a CritiqueReport.

    The issues of checks come first, the reviewer's are numbered, scores are held to 0-1, and a
    high-severity issue rules out acceptance (seed: "High-severity issues automatically set
    overall_accept=false").
    """
    own = [
        CritiqueIssue(
            id=f"I{number}",
            section=Section(issue.section),
            severity=Severity(issue.severity),
            **issue.model_dump(exclude={"section", "severity"}),
        )
        for number, issue in enumerate(critique.issues, start=1)
    ]
    issues = [*found, *own]
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
    # NaN falls to 0: max() keeps its first argument when the comparison fails.
    return None if score is None else min(1.0, max(0.0, score))
