"""The summary helper's draft: asked for, checked against the report, put right where it must be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, Message, Structured
from intogen_agent.report.models import FinalReport
from intogen_agent.summary.checks import (
    allowed_roles,
    says_not_supported,
    summary_problems,
    why_ruled_out,
    without_foreign,
)
from intogen_agent.summary.facts import foreign_mechanisms
from intogen_agent.summary.models import RoleOfAction, Summaries, SummaryName
from intogen_agent.summary.wire import SummaryDraft

ATTEMPTS = 3
NAMES: tuple[SummaryName, ...] = get_args(SummaryName)
# What a verdict that is not supported must say of itself.
_TELLS_WHY = ("headline", "assessment")


@dataclass
class Source:
    """What summaries are held to.

    Attributes:
        sections: The validated sections, as the summary helper sees them.
        text: All their words.
        pair: The names of the gene and of the cancer.
    """

    report: FinalReport
    sections: dict[str, Any] = field(init=False)
    text: str = field(init=False)
    pair: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Take the sections and their words."""
        include = {"gene", "cancer", "gene_function", "assessment", "mechanistic_hypothesis"}
        self.sections = self.report.model_dump(mode="json", include=include)
        self.text = _all_text(self.sections)
        gene, cancer = self.report.gene, self.report.cancer
        self.pair = (gene.symbol, gene.name or "", *gene.aliases, cancer.name, cancer.code)

    @property
    def supported(self) -> bool:
        """Whether the report holds mechanisms; only a supported one may."""
        return self.report.mechanistic_hypothesis is not None

    def task(self) -> dict[str, Any]:
        """Return the task as models see it."""
        return {"gene": self.report.gene.symbol, "cancer": self.sections["cancer"]}


@dataclass
class Drafted:
    """Summaries that keep to the report.

    Attributes:
        edits: What the controller put right because no attempt did.
    """

    summaries: Summaries
    role: RoleOfAction
    role_reason: str
    edits: list[str]


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
    empty = [name for name, text in _texts(drafted.summaries, source).items() if not text]
    if empty:
        message = f"summary_helper: nothing of {empty[0]} keeps to the report: {problems[0]}"
        raise StageFailure(ErrorClass.LLM_INVALID, message, requests)
    return drafted


async def _ask(run: Run, messages: list[Message]) -> Structured[SummaryDraft]:
    outcome = await run.models.structured(Role.SUMMARY_HELPER, messages, SummaryDraft)
    if isinstance(outcome, Failed):
        outcome.stop(Role.SUMMARY_HELPER.value)
    return outcome


def _texts(written: SummaryDraft | Summaries, source: Source) -> dict[str, str]:
    """Return the texts that a report of this verdict needs."""
    names = ["headline", *NAMES]
    if not source.supported:
        names.remove("mechanistic_hypothesis")
    return {name: getattr(written, name) or "" for name in names}


def _problems(written: SummaryDraft, source: Source, limit: int) -> list[str]:
    texts = _texts(written, source)
    problems = [
        f"{name}: {problem}"
        for name, text in texts.items()
        for problem in summary_problems(text, source.text, limit)
    ]
    problems += [
        f"{name}: the report does not speak of {mechanism}"
        for name, text in texts.items()
        for mechanism in foreign_mechanisms(text, source.text)
    ]
    if not source.supported:
        if written.mechanistic_hypothesis:
            problems.append("mechanistic_hypothesis: the report has no mechanism; write null")
        problems += [
            f"{name}: say that it is not supported, and why"
            for name in _TELLS_WHY
            if not says_not_supported(texts[name], headline=name == "headline")
        ]
    if written.role_reason.strip():
        told = summary_problems(written.role_reason, source.text, limit)
        problems += [f"role_reason: {problem}" for problem in told]
    if RoleOfAction(written.role_of_action) not in allowed_roles(source.report):
        problems.append(f"role_of_action: {why_ruled_out(source.report)}")
    return problems


def put_right(written: SummaryDraft, source: Source) -> Drafted:
    """Leave out what a draft may not say, and say what it must.

    Sentences with citations, or with numbers, names, drugs or cancers that the report does not
    hold, go; without a mechanism there is no mechanism prose; a verdict that is not supported says
    so with the report's own reason; a role that the mechanisms rule out becomes unclear.
    """
    edits: list[str] = []
    texts = {name: " ".join(text.split()) for name, text in _texts(written, source).items()}
    for name, text in texts.items():
        kept = without_foreign(text, source.text)
        if kept != text and summary_problems(text, source.text, len(text)):
            edits.append(f"{name}: sentences that do not keep to the report were left out")
            texts[name] = kept or (_verdict(source) if name == "headline" else "")
    if not source.supported:
        if written.mechanistic_hypothesis:
            edits.append("mechanistic_hypothesis: left out, the report holds no mechanism")
        for name in _TELLS_WHY:
            if texts[name] and not says_not_supported(texts[name], headline=name == "headline"):
                edits.append(f"{name}: the verdict was put in its place")
                texts[name] = _verdict(source, with_reason=name == "assessment")
    texts.setdefault("mechanistic_hypothesis", "")
    role, reason = RoleOfAction(written.role_of_action), " ".join(written.role_reason.split())
    held = without_foreign(reason, source.text)
    if held != reason and summary_problems(reason, source.text, len(reason)):
        edits.append("role_reason: sentences that do not keep to the report were left out")
        reason = held
    if role not in allowed_roles(source.report):
        edits.append(f"role of action '{role.value}' set to unclear: the mechanisms rule it out")
        role, reason = RoleOfAction.UNCLEAR, why_ruled_out(source.report)
    return Drafted(_summaries(texts), role, reason, edits)


def _verdict(source: Source, *, with_reason: bool = False) -> str:
    report = source.report
    where = "cancer" if report.cancer.pan_cancer else report.cancer.name
    whom = f"a role of {report.gene.symbol} in {where}"
    does = "supports" if source.supported else "does not support"
    told = f"The evidence found {does} {whom}."
    if report.assessment.undetermined:
        told = f"Whether there is {whom} is open: evidence could not be obtained."
    reason = report.assessment.reason if with_reason else None
    return f"{told} {reason}" if reason else told


def _summaries(texts: Mapping[str, str]) -> Summaries:
    mechanism = texts["mechanistic_hypothesis"] or None
    return Summaries(**{**texts, "mechanistic_hypothesis": mechanism})


def _all_text(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_all_text(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(_all_text(item) for item in value)
    return str(value)
