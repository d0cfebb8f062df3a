"""What the controller puts right in a draft because no attempt did."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from intogen_agent.summary.checks import summary_problems, without_foreign
from intogen_agent.summary.models import RoleOfAction, Summaries, SummaryName
from intogen_agent.summary.source import Source
from intogen_agent.summary.verdict import (
    TELLS_WHY,
    Verdict,
    allowed_roles,
    says_not_supported,
    why_ruled_out,
)
from intogen_agent.summary.wire import SummaryDraft

NAMES: tuple[SummaryName, ...] = get_args(SummaryName)
_CHAINS = 3


@dataclass
class Drafted:
    """Summaries that keep to the report.

    Attributes:
        edits: What the controller put right.
    """

    summaries: Summaries
    role: RoleOfAction
    role_reason: str
    edits: list[str]


def texts_of(written: SummaryDraft | Summaries, source: Source) -> dict[str, str]:
    """Return the texts that a report of this verdict needs."""
    names = ["headline", *NAMES]
    if not source.supported:
        names.remove("mechanistic_hypothesis")
    return {name: getattr(written, name) or "" for name in names}


def put_right(written: SummaryDraft, source: Source) -> Drafted:
    """Leave out what a draft may not say, and say what it must.

    Sentences with citations, or with numbers, names, drugs or cancers that the report does not
    hold, go, and so do those that contradict its verdict or its mechanisms; without a mechanism
    there is no mechanism prose; a verdict that is not supported says so with the report's own
    reason; a role that the mechanisms rule out becomes unclear.
    """
    edits: list[str] = []
    texts = {name: " ".join(text.split()) for name, text in texts_of(written, source).items()}
    verdict = source.verdict.beside(RoleOfAction(written.role_of_action))
    for name, text in texts.items():
        texts[name] = _kept(name, text, source, verdict, edits)
    if not source.supported:
        if written.mechanistic_hypothesis:
            edits.append("mechanistic_hypothesis: left out, the report holds no mechanism")
        for name in sorted(TELLS_WHY):
            if texts[name] and not says_not_supported(texts[name]):
                edits.append(f"{name}: the verdict was put in its place")
                texts[name] = _verdict(source, with_reason=name == "assessment")
    texts.setdefault("mechanistic_hypothesis", "")
    role, reason = _role(written, source, verdict, edits)
    return Drafted(_summaries(texts), role, reason, edits)


def _kept(name: str, text: str, source: Source, verdict: Verdict, edits: list[str]) -> str:
    """Return a text without the sentences that may not stand, or what stands in its place."""
    kept = without_foreign(text, source.text, source.terms)
    if kept != text and summary_problems(text, source.text, len(text), source.terms):
        edits.append(f"{name}: sentences that do not keep to the report were left out")
        text = kept or (_verdict(source) if name == "headline" else "")
    if any(verdict.contradictions(name, text)):
        edits.append(
            f"{name}: sentences that contradict the verdict or the mechanisms were left out"
        )
        text = verdict.without(name, text) or _instead(name, source)
    return text


def _instead(name: str, source: Source) -> str:
    """Return what stands in the place of a text of which nothing is left."""
    if name in ("headline", "general", "assessment"):
        return _verdict(source, with_reason=name == "assessment")
    hypothesis = source.report.mechanistic_hypothesis
    if name != "mechanistic_hypothesis" or hypothesis is None:
        return ""
    chains = [bullet.chain for bullet in hypothesis.bullets[:_CHAINS]]
    told = (f"{one.cause} is linked to {one.outcome} through {one.mediator}." for one in chains)
    return " ".join(f"{one[0].upper()}{one[1:]}" for one in told)


def _role(
    written: SummaryDraft, source: Source, verdict: Verdict, edits: list[str]
) -> tuple[RoleOfAction, str]:
    role, reason = RoleOfAction(written.role_of_action), " ".join(written.role_reason.split())
    reason = _kept("role_reason", reason, source, verdict, edits)
    if role not in allowed_roles(source.report):
        edits.append(f"role of action '{role.value}' set to unclear: the mechanisms rule it out")
        return RoleOfAction.UNCLEAR, why_ruled_out(source.report)
    return role, reason


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
