"""The summary helper's draft: asked for, checked against the report, put right where it must be."""

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, Message, Structured
from intogen_agent.summary.checks import summary_problems
from intogen_agent.summary.facts import foreign_mechanisms
from intogen_agent.summary.mending import Drafted, put_right, texts_of
from intogen_agent.summary.models import RoleOfAction
from intogen_agent.summary.source import Source
from intogen_agent.summary.verdict import allowed_roles, why_ruled_out
from intogen_agent.summary.wire import SummaryDraft

ATTEMPTS = 3


async def draft(run: Run, source: Source) -> Drafted:
    """Have the summaries written; what is not in the report is sent back, then left out.

    Raises:
        StageFailure: The model gave no answer, or nothing is left of a summary.
    """
    limit = run.job.settings.summary.max_sentence_words
    values = {"max_sentence_words": limit}
    messages: list[Message] = [
        prompts.system(prompts.instruction(Role.SUMMARY_HELPER, values)),
        prompts.user(
            "Summarise the report.",
            prompts.block("task", source.task()),
            prompts.block("report", source.sections),
        ),
    ]
    requests: list[str] = []
    for _ in range(ATTEMPTS):
        outcome = await _ask(run, messages)
        requests.append(outcome.request)
        problems = _problems(outcome.value, source, limit)
        if not problems:
            break
        messages = [
            *messages,
            {"role": "assistant", "content": outcome.text},
            prompts.user("Write the summaries again: " + "; ".join(problems)),
        ]
    drafted = put_right(outcome.value, source)
    empty = [name for name, text in texts_of(drafted.summaries, source).items() if not text]
    if empty:
        message = f"summary_helper: nothing of {empty[0]} keeps to the report: {problems[0]}"
        raise StageFailure(ErrorClass.LLM_INVALID, message, requests)
    return drafted


async def _ask(run: Run, messages: list[Message]) -> Structured[SummaryDraft]:
    outcome = await run.models.structured(Role.SUMMARY_HELPER, messages, SummaryDraft)
    if isinstance(outcome, Failed):
        outcome.stop(Role.SUMMARY_HELPER.value)
    return outcome


def _problems(written: SummaryDraft, source: Source, limit: int) -> list[str]:
    verdict = source.verdict.beside(RoleOfAction(written.role_of_action))
    problems = [
        f"{name}: {problem}"
        for name, text in texts_of(written, source).items()
        for problem in (*_of_text(text, source, limit), *verdict.problems(name, text))
    ]
    if not source.supported and written.mechanistic_hypothesis:
        problems.append("mechanistic_hypothesis: the report has no mechanism; write null")
    if written.role_reason.strip():
        told = summary_problems(written.role_reason, source.text, limit, source.terms)
        told += verdict.problems("role_reason", written.role_reason)
        problems += [f"role_reason: {problem}" for problem in told]
    if RoleOfAction(written.role_of_action) not in allowed_roles(source.report):
        problems.append(f"role_of_action: {why_ruled_out(source.report)}")
    return problems


def _of_text(text: str, source: Source, limit: int) -> list[str]:
    foreign = foreign_mechanisms(text, source.text)
    return [
        *summary_problems(text, source.text, limit, source.terms),
        *(f"the report does not speak of {mechanism}" for mechanism in foreign),
    ]
