"""Rules of citation.

Source: seed, "Structured report generation and Pydantic-based validation", citation logic.
"""

from collections.abc import Iterator

from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules.base import Finding, all_bullets
from intogen_agent.report.thresholds import Thresholds


def bullet_cited(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """All bullets reference at least one citation index."""
    for path, bullet in all_bullets(report):
        if not bullet.citations:
            yield (
                f"{path}.citations",
                "no citation; cite the references that the statement rests on, or remove the "
                "bullet.",
            )


def citation_exists(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Citations are 1-based indices of references that exist."""
    indices = {reference.index for reference in report.references}
    for path, bullet in all_bullets(report):
        for citation in bullet.citations:
            if citation not in indices:
                yield (
                    f"{path}.citations",
                    f"cites {citation}, but there is no reference of this index (1 to "
                    f"{len(report.references)} exist); cite a reference of the list.",
                )


def citations_ascending(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Each bullet's citation list is in ascending order, each index once."""
    for path, bullet in all_bullets(report):
        in_order = sorted(set(bullet.citations))
        if bullet.citations != in_order:
            yield f"{path}.citations", f"write {in_order} instead of {bullet.citations}."


def indices_contiguous(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Citation indices are 1-based and contiguous within the reference list."""
    for position, reference in enumerate(report.references):
        if reference.index != position + 1:
            yield (
                f"references[{position}].index",
                f"is {reference.index}; the reference at this place has index {position + 1}.",
            )


def reference_cited(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Every reference is cited at least once; uncited references are rejected."""
    cited = {citation for _, bullet in all_bullets(report) for citation in bullet.citations}
    for position, reference in enumerate(report.references):
        if reference.index not in cited:
            yield (
                f"references[{position}]",
                f"{reference.id} is cited by no bullet; cite it where a statement rests on it, or "
                "remove it.",
            )


def references_by_appearance(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """References are ordered by first appearance across sections.

    The sections in order: gene function, assessment, mechanisms. Within a bullet the citations
    are ascending, so those that are new in a bullet must continue the count without a gap.
    """
    indices = {reference.index for reference in report.references}
    highest = 0
    for path, bullet in all_bullets(report):
        for citation in sorted(set(bullet.citations) & indices):
            if citation > highest + 1:
                yield (
                    f"{path}.citations",
                    f"cites {citation} before {highest + 1}; number the references in the order "
                    "in which bullets first cite them.",
                )
            highest = max(highest, citation)
