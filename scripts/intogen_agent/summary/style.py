"""The style editor: a critic judges how the summaries read, an assistant rewrites what it may."""

from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed
from intogen_agent.summary.checks import rewrite_problem
from intogen_agent.summary.mending import NAMES
from intogen_agent.summary.models import (
    Readability,
    StyleCritiqueReport,
    StyleIssue,
    StyleIteration,
    Summaries,
    SummaryName,
)
from intogen_agent.summary.readability import measured
from intogen_agent.summary.source import Source
from intogen_agent.summary.wire import StyleRevision, WireRewrite, WireStyleCritique


class StyleEditor:
    """The bounded loop of style critic and style assistant.

    Args:
        run: The stage's run.
        source: What the summaries are held to.
    """

    def __init__(self, run: Run, source: Source) -> None:
        self._run = run
        self._settings = run.job.settings.summary
        self._source = source
        self._values = {"max_sentence_words": self._settings.max_sentence_words}

    async def edit(self, summaries: Summaries) -> tuple[Summaries, list[StyleIteration]]:
        """Have the style criticised and refined, within the bound.

        Returns:
            The summaries as they are at the end, and the rounds; the last critique is about them.

        Raises:
            StageFailure: A model gave no answer.
        """
        iterations: list[StyleIteration] = []
        for number in range(1, self._settings.max_iterations + 1):
            critique = await self._criticise(summaries)
            iteration = StyleIteration(
                number=number, critique=critique, measured=readability(summaries)
            )
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
        return public_style_critique(outcome.value)

    def _blocks(self, summaries: Summaries) -> list[str]:
        texts = summaries.model_dump(exclude={"headline"}, exclude_none=True)
        return [
            prompts.block("targets", self._values),
            prompts.block("task", self._source.task()),
            prompts.block("summaries", texts),
        ]

    async def _refine(self, summaries: Summaries, iteration: StyleIteration) -> Summaries:
        """Take the rewrites that keep every fact."""
        content: dict[str, Any] = iteration.critique.model_dump(mode="json")
        outcome = await self._run.models.structured(
            Role.STYLE_REFINER,
            [
                prompts.system(prompts.instruction(Role.STYLE_REFINER, self._values)),
                prompts.user(
                    "Revise the summaries.",
                    *self._blocks(summaries),
                    prompts.block("style_critique", content),
                ),
            ],
            StyleRevision,
        )
        if isinstance(outcome, Failed):
            outcome.stop(Role.STYLE_REFINER.value)
        criticised = dict.fromkeys(issue.summary for issue in iteration.critique.issues)
        for rewrite in outcome.value.rewrites:
            text = " ".join(rewrite.text.split())
            original = getattr(summaries, rewrite.summary)
            settled = rewrite.summary in (*iteration.rewritten, *iteration.refused)
            if original is None or text == original or settled:
                continue
            problem = self._problem(rewrite, original, rewrite.summary in criticised)
            if problem is not None:
                iteration.refused[rewrite.summary] = problem
                continue
            iteration.rewritten.append(rewrite.summary)
            summaries = summaries.model_copy(update={rewrite.summary: text})
        answered = {*iteration.rewritten, *iteration.refused}
        iteration.declined = [name for name in criticised if name not in answered]
        return summaries

    def _problem(self, rewrite: WireRewrite, original: str, criticised: bool) -> str | None:
        if not criticised:
            return "no feedback asks for it"
        limit = self._settings.max_sentence_words
        source = self._source
        changed = rewrite_problem(rewrite.text, original, limit, source.pair, source.terms)
        if changed is not None:
            return changed
        # The words may stay and the verdict turn.
        return next(iter(source.verdict.problems(rewrite.summary, rewrite.text)), None)


def readability(summaries: Summaries) -> dict[SummaryName, Readability]:
    """Measure every summary."""
    texts = ((name, getattr(summaries, name)) for name in NAMES)
    return {name: measured(text) for name, text in texts if text}


def public_style_critique(critique: WireStyleCritique) -> StyleCritiqueReport:
    """Return a style critic's answer with scores held to 0-1; a high issue rules out acceptance."""
    high = any(issue.severity == "high" for issue in critique.issues)
    return StyleCritiqueReport(
        overall_accept=critique.overall_accept and not high,
        overall_score=_held(critique.overall_score),
        readability={item.summary: _held(item.score) for item in critique.readability},
        overview=critique.overview,
        issues=[StyleIssue(**issue.model_dump()) for issue in critique.issues],
    )


def _held(score: float) -> float:
    return min(1.0, max(0.0, score))
