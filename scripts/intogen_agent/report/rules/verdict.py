"""Rules of the involvement assessment.

Source: seed, "Structured report generation and Pydantic-based validation", assessment and
mechanism consistency.
"""

from collections.abc import Iterator

from intogen_agent.report.models import FinalReport, Involvement
from intogen_agent.report.rules.base import RATIONALE, Finding
from intogen_agent.report.sources import support
from intogen_agent.report.thresholds import THRESHOLD_NAMES, Thresholds

_SOURCES = {"journal": "journals, databases, sites", "study": "studies, databases, sites"}
_REMEDY = "cite further evidence where it exists, or change the involvement to not_supported."


def supported_rationale(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Supported needs at least two rationale bullets with references that count."""
    if report.assessment.involvement is Involvement.SUPPORTED:
        found, needed = support(report).rationale, thresholds.min_supported_rationale
        if found < needed:
            yield (
                RATIONALE,
                f"supported needs {needed} rationale bullets that cite papers or records; {found} "
                f"found; {_REMEDY}",
            )


def supported_references(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Supported needs at least three references cited by the rationale together.

    Retracted papers, intOGen's own papers and TOOL pseudo-identifiers do not count; one paper
    counts once.
    """
    if report.assessment.involvement is Involvement.SUPPORTED:
        found, needed = support(report).references, thresholds.min_supported_references
        if found < needed:
            yield (
                RATIONALE,
                f"supported needs {needed} references cited by the rationale together (retracted "
                "papers, intOGen's own and TOOL do not count, one paper counts once); "
                f"{found} found; {_REMEDY}",
            )


def supported_sources(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Supported needs references from at least two distinct sources.

    A source is a journal, a database or a site; papers of unknown journals are one together. With
    `report.source_by: study` each paper is a source of its own.
    """
    if report.assessment.involvement is Involvement.SUPPORTED:
        found = support(report, source_by=thresholds.source_by).sources
        needed = thresholds.min_supported_sources
        if len(found) < needed:
            yield (
                RATIONALE,
                f"supported needs references from {needed} sources "
                f"({_SOURCES[thresholds.source_by]}); "
                f"found {len(found)} ({', '.join(found) or 'none'}); {_REMEDY}",
            )


def not_supported_reason(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Not supported is the default; it says which threshold was missed or what was unknown."""
    assessment = report.assessment
    if (
        assessment.involvement is Involvement.NOT_SUPPORTED
        and not (assessment.reason or "").strip()
    ):
        yield (
            "assessment.reason",
            "not_supported needs a reason: the threshold missed and by how much, or what could "
            "not be asked.",
        )


def supported_determined(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """A supported verdict cannot be undetermined at the same time."""
    assessment = report.assessment
    if assessment.involvement is Involvement.SUPPORTED and assessment.undetermined:
        yield (
            "assessment.undetermined",
            "the verdict is supported, so it is not undetermined; set it to false, or the "
            "involvement to not_supported if evidence could not be obtained.",
        )


def thresholds_met(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """A supported verdict lists no missed threshold, and the list is that of the thresholds.

    Seed: supported is set "only if pre-specified evidence thresholds are met"; what each needs is
    the configuration's number, not the report's. Reports of earlier versions have no list.
    """
    listed = report.assessment.thresholds
    if not listed:
        return
    path = "assessment.thresholds"
    names = [each.threshold for each in listed]
    if names != list(THRESHOLD_NAMES):
        yield path, f"lists {', '.join(names)}; list {', '.join(THRESHOLD_NAMES)}."
    needed = dict(zip(THRESHOLD_NAMES, thresholds.needed, strict=True))
    for number, each in enumerate(listed):
        supported = report.assessment.involvement is Involvement.SUPPORTED
        wanted = needed.get(each.threshold, each.needed)
        if each.needed != wanted:
            yield (
                f"{path}[{number}].needed",
                f"{each.threshold} needs {wanted} by the configuration, not {each.needed}; write "
                f"{wanted}.",
            )
        if supported and each.found < max(each.needed, wanted):
            yield (
                f"{path}[{number}]",
                f"{each.threshold} is missed ({each.found} of {wanted}), so the involvement is "
                "not_supported.",
            )
