"""A pair's summary as one page of Markdown for people, to be read in two minutes.

As in the report, everything that came from a model or a tool is escaped.
"""

from collections.abc import Iterator, Mapping, Sequence

from intogen_agent.evidence.models import Kind, Phase2, Stance
from intogen_agent.models import Status
from intogen_agent.report.markdown import escape, link
from intogen_agent.report.models import FinalReport, Involvement, Reference
from intogen_agent.report.sources import citation_text
from intogen_agent.report.statistics import IntogenStatistics
from intogen_agent.summary.agreement import MEANING, role_agreement, winning_role
from intogen_agent.summary.models import RoleOfAction, SummaryReport

KEY_REFERENCES = 5
PUBLICATIONS = frozenset({"pmid", "doi", "pmcid", "nct"})


def summary_markdown(
    summary: SummaryReport,
    report: FinalReport,
    statistics: IntogenStatistics | None = None,
    answered_by: Mapping[str, Sequence[str]] | None = None,
    phase2: Phase2 | None = None,
) -> str:
    """Render a summary.

    Args:
        summary: The summary.
        report: The reviewed report that it summarises.
        statistics: intOGen's statistics of the pair, for its own role.
        answered_by: The models of each agent role, as they name themselves; None takes them from
            the report's provenance.
        phase2: The evidence, to count what conflicts.

    Returns:
        Markdown (GitHub flavour) that ends with a newline.
    """
    parts = [
        *_top(summary, report),
        *_verdict(summary, report),
        *_role(summary, statistics),
        *_paragraphs(summary),
        *_open(summary, report, phase2),
        *_key_references(report),
        *_footer(report, answered_by),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _where(report: FinalReport) -> str:
    return escape("any cancer type" if report.cancer.pan_cancer else report.cancer.name)


def _top(summary: SummaryReport, report: FinalReport) -> Iterator[str]:
    yield f"# {escape(report.gene.symbol)} in {_where(report)}"
    yield ""
    yield f"**{escape(summary.summaries.headline)}**"
    yield ""
    yield escape(summary.summaries.general)
    yield ""


def _verdict(summary: SummaryReport, report: FinalReport) -> Iterator[str]:
    involved = f"{escape(report.gene.symbol)} is involved in {_where(report)}"
    if report.cancer.pan_cancer:
        involved = f"{escape(report.gene.symbol)} is involved in cancer"
    if summary.undetermined:
        verdict = f"**Undetermined**: evidence could not be obtained, so whether {involved} is open"
    elif summary.involvement is Involvement.SUPPORTED:
        verdict = f"**Supported**: the evidence found supports that {involved}"
    else:
        verdict = f"**Not supported**: the evidence found is not enough to say that {involved}"
    yield "## Verdict"
    yield ""
    yield f"{verdict}."
    reason = report.assessment.reason
    if reason:
        yield ""
        yield f"Reason: {escape(reason)}"
    yield ""


def _role(summary: SummaryReport, statistics: IntogenStatistics | None) -> Iterator[str]:
    yield "## Role of action"
    yield ""
    reason = f": {escape(summary.role_reason)}" if summary.role_reason else ""
    yield f"**{_capital(summary.role_of_action.value)}**{reason}"
    for edit in summary.controller_edits:
        yield ""
        yield f"Put right by the controller: {escape(edit)}."
    yield ""
    yield _intogen_role(summary.role_of_action, statistics)
    yield ""


def _intogen_role(role: RoleOfAction, statistics: IntogenStatistics | None) -> str:
    if statistics is None:
        return "intOGen's own role is not known here."
    if statistics.origin == "configuration":
        return "intOGen gives no role: this pair is not one of its driver calls."
    votes = statistics.role_votes
    winner = winning_role(votes)
    if winner is None:
        return "intOGen gives no role for this pair."
    counted = ", ".join(f"{escape(name)} {number}" for name, number in votes.items())
    agreement = {
        "agrees": "agrees with this role",
        "disagrees": "disagrees with this role",
        "unclear": "neither agrees nor disagrees with this role",
    }[role_agreement(role, votes)]
    meaning = MEANING.get(winner)
    stands_for = f", which stands for {_article(meaning)}" if meaning else ""
    return (
        f"intOGen's own role is {escape(winner)}{stands_for} (votes of its cohorts: {counted}); "
        f"it **{agreement}**. intOGen's role is a per-cohort dN/dS call: weak evidence."
    )


def _article(role: RoleOfAction) -> str:
    return {
        RoleOfAction.ONCOGENE: "an oncogene",
        RoleOfAction.TUMOR_SUPPRESSOR: "a tumor suppressor",
        RoleOfAction.CONTEXT_DEPENDENT: "a mixed or context-dependent role",
        RoleOfAction.UNCLEAR: "an unclear role",
    }[role]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _paragraphs(summary: SummaryReport) -> Iterator[str]:
    texts = summary.summaries
    for title, text in (
        ("What the gene does", texts.gene_function),
        ("What the evidence says", texts.assessment),
        ("How it may act", texts.mechanistic_hypothesis),
    ):
        if text:
            yield f"## {title}"
            yield ""
            yield escape(text)
            yield ""


def _open(summary: SummaryReport, report: FinalReport, phase2: Phase2 | None) -> Iterator[str]:
    yield "## What is uncertain or contested"
    yield ""
    points = list(_points(summary, report, phase2))
    yield from (f"- {point}" for point in points)
    if not points:
        yield "Nothing was left open on record; the evidence itself may still be incomplete."
    yield ""


def _points(summary: SummaryReport, report: FinalReport, phase2: Phase2 | None) -> Iterator[str]:
    if summary.undetermined:
        yield "Evidence could not be obtained: this is an unknown, not an absence."
    if report.status is Status.NOT_REVIEWED:
        yield "The scientific reviewer has not read the report."
    for issue in report.provenance.unresolved:
        yield f"The reviewer's issue of high severity stayed open: {escape(issue)}"
    if phase2 is not None:
        yield from _conflicts(phase2, summary.involvement)
    cited = report.references
    untracked = sum(not reference.tracked for reference in cited)
    if untracked:
        yield (
            f"{_count(untracked, 'reference')} of {len(cited)} untracked: no tool returned them, "
            "a model introduced them."
        )
    retracted = sum(reference.retracted for reference in cited)
    if retracted:
        yield f"{_count(retracted, 'reference')} of {len(cited)} retracted."


def _conflicts(phase2: Phase2, involvement: Involvement) -> Iterator[str]:
    # What refutes the gene carries a verdict of not supported; it is not what that leaves open.
    refuting = involvement is Involvement.SUPPORTED
    against = [
        item
        for item in phase2.ledger
        if (item.stance is Stance.REFUTES and refuting)
        or (item.kind is Kind.CONTRADICTION and item.stance is not Stance.REFUTES)
    ]
    null = sum(
        item.kind is Kind.NULL_RESULT and item.stance is not Stance.REFUTES
        for item in phase2.ledger
    )
    failed = sum(query.outcome in ("failed", "refused") for query in phase2.queries)
    if against:
        counted = "1 finding qualifies the gene's role or conflicts with others"
        if len(against) > 1:
            counted = (
                f"{len(against)} findings qualify the gene's role or conflict with others, "
                "for example"
            )
        yield f"{counted}: {escape(against[0].statement).rstrip('.')}."
    if null:
        yield f"{_count(null, 'null result')}."
    if failed:
        yield f"{_count(failed, 'literature search', 'literature searches')} without an answer."


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _key_references(report: FinalReport) -> Iterator[str]:
    chosen = key_references(report)
    yield "## Key references"
    yield ""
    for reference in chosen:
        yield f"- {_reference(reference)}"
    if chosen:
        yield ""
    if any(not reference.tracked for reference in chosen):
        yield "\\* Untracked: no tool of this journey returned this reference."
        yield ""
    yield (
        f"The whole report, with its {_count(len(report.references), 'reference')}: "
        "[report.md](report.md)"
    )
    yield ""


def key_references(report: FinalReport) -> list[Reference]:
    """Return up to five publications, those of the mechanisms first, then of the rationale."""
    hypothesis = report.mechanistic_hypothesis
    bullets = [*(hypothesis.bullets if hypothesis else []), *report.assessment.rationale]
    indices = dict.fromkeys(index for bullet in bullets for index in bullet.citations)
    known = {each.index: each for each in report.references if each.kind in PUBLICATIONS}
    return [known[index] for index in indices if index in known][:KEY_REFERENCES]


def _reference(reference: Reference) -> str:
    own = citation_text(reference.kind, reference.id, reference.database, reference.record_id)
    title = (reference.title or own).rstrip(". ")
    facts = [link(title, reference.url)]
    if reference.journal:
        facts.append(f"*{escape(reference.journal)}*")
    if reference.year is not None:
        facts.append(str(reference.year))
    mark = "**RETRACTED** " if reference.retracted else ""
    star = "" if reference.tracked else " \\*"
    return f"{mark}{', '.join(facts)}{star}"


def _footer(report: FinalReport, answered_by: Mapping[str, Sequence[str]] | None) -> Iterator[str]:
    if answered_by is None:
        models = report.provenance.models
        answered_by = {role: each.answered_by or [each.model] for role, each in models.items()}
    roles: dict[str, list[str]] = {}
    for role, names in answered_by.items():
        for name in names:
            roles.setdefault(name, []).append(role.replace("_", " "))
    if not roles:
        return
    yield "---"
    yield ""
    written = "; ".join(f"{escape(name)} ({escape(', '.join(r))})" for name, r in roles.items())
    yield f"Written by {written}; not by a person."
