"""Summaries and the style editor.

Source: the seed's section "Summary generation and style refinement".
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed
from intogen_agent.report.models import FinalReport
from intogen_agent.summary.checks import allowed_roles, rewrite_problem, summary_problems
from intogen_agent.summary.models import (
    RoleOfAction,
    StyleCritiqueReport,
    StyleIssue,
    StyleIteration,
    Summaries,
    SummaryName,
    SummaryReport,
)
from intogen_agent.summary.wire import StyleRevision, SummaryDraft, WireStyleCritique

ATTEMPTS = 3
NAMES: tuple[SummaryName, ...] = get_args(SummaryName)


async def run_summary(run: Run, report: FinalReport) -> Mapping[Path, Any]:
    """Summarise a reviewed report and edit its style.

    Returns:
        `summary.json`.

    Raises:
        StageFailure: A model gave no answer, or no draft kept to the report.
    """
    stage = _SummaryStage(run, report)
    draft = await stage.draft()
    role, edits = _role(draft, report)
    summaries = _summaries(draft)
    summaries, iterations = await stage.edit(summaries)
    last = iterations[-1].critique if iterations else None
    summary = SummaryReport(
        **run.job.head(report.gene, report.cancer),
        involvement=report.assessment.involvement,
        undetermined=report.assessment.undetermined,
        summaries=summaries,
        role_of_action=role,
        role_reason=draft.role_reason.strip(),
        controller_edits=edits,
        style_accepted=last is not None and last.overall_accept,
        style_score=last.overall_score if last else None,
        style_iterations=iterations,
    )
    return {run.job.folder / "summary.json": summary.model_dump(mode="json")}


def report_sections(report: FinalReport) -> dict[str, Any]:
    """Return the validated sections of a report, as the summary helper sees them."""
    include = {"gene", "cancer", "gene_function", "assessment", "mechanistic_hypothesis"}
    return report.model_dump(mode="json", include=include)


class _SummaryStage:
    def __init__(self, run: Run, report: FinalReport) -> None:
        self._run = run
        self._settings = run.job.settings.summary
        self._sections = report_sections(report)
        self._source = _all_text(self._sections)
        self._supported = report.mechanistic_hypothesis is not None
        self._values = {"max_sentence_words": self._settings.max_sentence_words}

    async def draft(self) -> SummaryDraft:
        """Have the summaries written; what is not in the report is sent back."""
        messages = [
            prompts.system(prompts.instruction(Role.SUMMARY_HELPER, self._values)),
            prompts.user(
                "Summarise the report.",
                prompts.block("task", self._task()),
                prompts.block("report", self._sections),
            ),
        ]
        problems: list[str] = []
        requests: list[str] = []
        for _ in range(ATTEMPTS):
            outcome = await self._run.models.structured(Role.SUMMARY_HELPER, messages, SummaryDraft)
            if isinstance(outcome, Failed):
                outcome.stop(Role.SUMMARY_HELPER.value)
            requests.append(outcome.request)
            problems = self._problems(outcome.value)
            if not problems:
                return outcome.value
            mend = "Write the summaries again: " + "; ".join(problems)
            messages = [
                *messages,
                {"role": "assistant", "content": outcome.text},
                prompts.user(mend),
            ]
        raise StageFailure(ErrorClass.LLM_INVALID, f"summary_helper: {problems[0]}", requests)

    def _task(self) -> dict[str, Any]:
        return {"gene": self._sections["gene"]["symbol"], "cancer": self._sections["cancer"]}

    def _problems(self, draft: SummaryDraft) -> list[str]:
        texts = {name: getattr(draft, name) for name in ("headline", *NAMES)}
        if not self._supported:
            texts.pop("mechanistic_hypothesis")
        problems = [
            f"{name}: {problem}"
            for name, text in texts.items()
            for problem in summary_problems(
                text or "", self._source, self._settings.max_sentence_words
            )
        ]
        if not self._supported and draft.mechanistic_hypothesis:
            problems.append("mechanistic_hypothesis: the report has no mechanism; write null")
        return problems

    async def edit(self, summaries: Summaries) -> tuple[Summaries, list[StyleIteration]]:
        """Have the style criticised and refined, within the bound."""
        iterations: list[StyleIteration] = []
        for number in range(1, self._settings.max_iterations + 1):
            critique = await self._criticise(summaries)
            iteration = StyleIteration(number=number, critique=critique)
            iterations.append(iteration)
            last = number == self._settings.max_iterations
            if critique.overall_accept or last or not critique.issues:
                break
            summaries = await self._refine(summaries, iteration)
            if not iteration.rewritten:
                break
        return summaries, iterations

    async def _criticise(self, summaries: Summaries) -> StyleCritiqueReport:
        outcome = await self._run.models.structured(
            Role.STYLE_CRITIC,
            [
                prompts.system(prompts.instruction(Role.STYLE_CRITIC, self._values)),
                prompts.user("Judge the summaries.", *self._blocks(summaries)),
            ],
            WireStyleCritique,
        )
        if isinstance(outcome, Failed):
            outcome.stop(Role.STYLE_CRITIC.value)
        wire = outcome.value
        return StyleCritiqueReport(
            overall_accept=wire.overall_accept,
            overall_score=min(1.0, max(0.0, wire.overall_score)),
            readability={item.summary: min(1.0, max(0.0, item.score)) for item in wire.readability},
            overview=wire.overview,
            issues=[StyleIssue(**issue.model_dump()) for issue in wire.issues],
        )

    def _blocks(self, summaries: Summaries) -> list[str]:
        texts = summaries.model_dump(exclude={"headline"}, exclude_none=True)
        return [
            prompts.block("targets", self._values),
            prompts.block("task", self._task()),
            prompts.block("summaries", texts),
        ]

    async def _refine(self, summaries: Summaries, iteration: StyleIteration) -> Summaries:
        critique = iteration.critique.model_dump(mode="json")
        outcome = await self._run.models.structured(
            Role.STYLE_REFINER,
            [
                prompts.system(prompts.instruction(Role.STYLE_REFINER, self._values)),
                prompts.user(
                    "Revise the summaries.",
                    *self._blocks(summaries),
                    prompts.block("style_critique", critique),
                ),
            ],
            StyleRevision,
        )
        if isinstance(outcome, Failed):
            outcome.stop(Role.STYLE_REFINER.value)
        for rewrite in outcome.value.rewrites:
            original = getattr(summaries, rewrite.summary)
            if original is None or rewrite.text.strip() == original:
                continue
            problem = rewrite_problem(
                rewrite.text, original, self._source, self._settings.max_sentence_words
            )
            if problem is not None:
                iteration.refused[rewrite.summary] = problem
                continue
            iteration.rewritten.append(rewrite.summary)
            summaries = summaries.model_copy(update={rewrite.summary: rewrite.text.strip()})
        return summaries


def _summaries(draft: SummaryDraft) -> Summaries:
    texts = {name: getattr(draft, name) for name in ("headline", *NAMES)}
    return Summaries(**{name: text and " ".join(text.split()) for name, text in texts.items()})


def _role(draft: SummaryDraft, report: FinalReport) -> tuple[RoleOfAction, list[str]]:
    """Return the proposed role, or the one that the mechanisms leave if they rule it out."""
    proposed, allowed = RoleOfAction(draft.role_of_action), allowed_roles(report)
    if proposed in allowed:
        return proposed, []
    edit = f"role of action '{proposed.value}' set to unclear: the mechanisms rule it out"
    return RoleOfAction.UNCLEAR, [edit]


def _all_text(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_all_text(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(_all_text(item) for item in value)
    return str(value)
