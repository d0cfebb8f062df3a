"""One refinement: the refiner answers every issue and writes the report again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, Message, Structured
from intogen_agent.report.drafting import Drafter, ReportRejected
from intogen_agent.report.models import FinalReport
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.report.wire import IssueAnswer, RefinedDraft
from intogen_agent.review.changes import PARTS, edited, unasked
from intogen_agent.review.models import Answer, CritiqueIssue, CritiqueReport
from intogen_agent.review.reviewer import report_block, told

# A report that passed is there: what a model cannot do does not take it away.
_UNUSABLE = frozenset({ErrorClass.LLM_INVALID, ErrorClass.LLM_REFUSED, ErrorClass.LLM_CONTEXT})
_MISSING = "These issues have no answer: {}. Answer every issue by its id and give all once more."


@dataclass
class Refinement:
    """What came of a refinement.

    Attributes:
        report: The refined report; None if none passed the rules.
        refusal: Why it is not taken; empty if nothing speaks against it.
    """

    report: FinalReport | None = None
    answers: list[Answer] = field(default_factory=list)
    repairs: list[list[str]] = field(default_factory=list)
    refusal: str = ""


async def refine(
    run: Run,
    drafter: Drafter,
    history: str,
    report: FinalReport,
    critique: CritiqueReport,
    refused: str,
) -> Refinement:
    """Have a report refined; the answer is checked like a first draft.

    Args:
        run: The stage's run.
        drafter: Checks and repairs drafts against the evidence.
        history: The tool history block.
        report: The report as it is.
        critique: What is wrong with it.
        refused: Why the last attempt on the same critique was not taken; empty if it is the first.

    Raises:
        StageFailure: The model could not be reached.
    """
    messages = _messages(run, drafter, history, report, critique, refused)
    try:
        outcome = await _ask(run, messages, critique.issues)
        answers = settled(critique.issues, outcome.value.answers)
        made = Refinement(answers=answers)
        kept = len(report.provenance.repairs)
        refined = await drafter.settle(outcome.value.report, messages, report.provenance)
    except ReportRejected as error:
        made.repairs, made.refusal = error.repairs, f"it breaks the rules: {error}"
        return made
    except StageFailure as error:
        if error.error not in _UNUSABLE:
            raise
        unanswered = settled(critique.issues, [])
        return Refinement(answers=unanswered, refusal=f"no usable answer: {error.message}")
    made.report, made.repairs = refined, refined.provenance.repairs[kept:]
    made.answers = _with_edits(answers, critique.issues, report, refined)
    made.refusal = "; ".join(unasked(report, refined, critique.issues, answers))
    return made


def instruction_values(run: Run, thresholds: Thresholds, *, searching: bool) -> dict[str, Any]:
    """Return what the refiner's instruction is filled with."""
    return {
        "rules": thresholds.model_dump(mode="json"),
        "max_calls": run.job.settings.review.max_calls,
        "searching": searching,
    }


def _messages(
    run: Run,
    drafter: Drafter,
    history: str,
    report: FinalReport,
    critique: CritiqueReport,
    refused: str,
) -> list[Message]:
    content: dict[str, Any] = {
        **critique.model_dump(mode="json", exclude={"issues"}),
        "issues": [told(issue) for issue in critique.issues],
    }
    if refused:
        content["refused"] = f"Your last revision was not taken: {refused}"
    values = instruction_values(run, drafter.thresholds, searching=False)
    return [
        prompts.system(prompts.instruction(Role.REFINER, values)),
        prompts.user(
            "Revise the report.",
            *drafter.blocks(),
            history,
            report_block(report),
            prompts.block("critique", content),
        ),
    ]


async def _ask(
    run: Run, messages: list[Message], issues: Sequence[CritiqueIssue]
) -> Structured[RefinedDraft]:
    """Ask for the refined draft; once more if issues were passed over."""
    outcome = await run.models.structured(Role.REFINER, messages, RefinedDraft)
    if isinstance(outcome, Failed):
        outcome.stop(Role.REFINER.value)
    missing = [a.issue for a in settled(issues, outcome.value.answers) if _open(a)]
    if not missing:
        return outcome
    again: list[Message] = [
        *messages,
        {"role": "assistant", "content": outcome.text},
        prompts.user(_MISSING.format(", ".join(missing))),
    ]
    second = await run.models.structured(Role.REFINER, again, RefinedDraft)
    return outcome if isinstance(second, Failed) else second


def _open(answer: Answer) -> bool:
    return answer.decision == "unanswered"


def settled(issues: Sequence[CritiqueIssue], given: Sequence[IssueAnswer]) -> list[Answer]:
    """Return one answer per issue, in the issues' order.

    An issue that the refiner passed over, or rejected without a reason, is `unanswered`; answers to
    issues that do not exist are left out.
    """
    by_issue = {answer.issue.strip(): answer for answer in given}
    answers = []
    for issue in issues:
        answer = by_issue.get(issue.id)
        text = " ".join(answer.explanation.split()) if answer else ""
        no_reason = answer is not None and answer.decision == "rejected" and not text
        decision = "unanswered" if answer is None or no_reason else answer.decision
        answers.append(Answer(issue=issue.id, decision=decision, explanation=text))
    return answers


def _with_edits(
    answers: Sequence[Answer],
    issues: Sequence[CritiqueIssue],
    before: FinalReport,
    after: FinalReport,
) -> list[Answer]:
    """Say of each answer whether the part that its issue is about changed."""
    changed = edited(before, after)
    return [
        answer.model_copy(update={"edited": bool(PARTS[issue.section] & changed)})
        for answer, issue in zip(answers, issues, strict=True)
    ]
