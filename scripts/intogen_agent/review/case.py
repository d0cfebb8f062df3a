"""What a check looks at and what it finds."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from intogen_agent.evidence.models import EvidenceItem
from intogen_agent.report.models import Bullet, FinalReport, Involvement, Reference
from intogen_agent.report.rules import Evidence
from intogen_agent.report.rules.base import (
    function_bullets,
    mechanism_bullets,
    rationale_bullets,
)
from intogen_agent.report.sources import reference_keys
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.review.models import Section, Severity
from intogen_agent.review.naming import CancerTerms, GeneNames


class Finding(NamedTuple):
    """What a check found: where, how bad, why it matters and what to do."""

    section: Section
    severity: Severity
    place: str
    why: str
    action: str


class Placed(NamedTuple):
    """A bullet with its section and path."""

    section: Section
    path: str
    bullet: Bullet


@dataclass(frozen=True)
class Case:
    """A report, its evidence and the names of its pair."""

    report: FinalReport
    evidence: Evidence
    gene: GeneNames
    cancer: CancerTerms
    thresholds: Thresholds

    @property
    def supported(self) -> bool:
        """Whether the verdict is `supported`."""
        return self.report.assessment.involvement is Involvement.SUPPORTED

    @property
    def pan_cancer(self) -> bool:
        """Whether the pair is about cancer of any type."""
        return self.report.cancer.pan_cancer

    def bullets(self, *sections: Section) -> Iterator[Placed]:
        """Yield the bullets of some sections, all without an argument, with their paths."""
        for section, found in (
            (Section.GENE_FUNCTION, function_bullets(self.report)),
            (Section.ASSESSMENT, rationale_bullets(self.report)),
            (Section.MECHANISTIC_HYPOTHESIS, mechanism_bullets(self.report)),
        ):
            if not sections or section in sections:
                yield from (Placed(section, path, bullet) for path, bullet in found)

    def claims(self) -> Iterator[Placed]:
        """Yield the bullets that speak of the cancer: rationale and mechanisms."""
        return self.bullets(Section.ASSESSMENT, Section.MECHANISTIC_HYPOTHESIS)

    def behind(self, bullet: Bullet) -> list[EvidenceItem]:
        """Return the ledger items that a bullet rests on."""
        return self.evidence.behind(bullet)

    @cached_property
    def references(self) -> dict[int, Reference]:
        """The report's references by index."""
        return {reference.index: reference for reference in self.report.references}

    def cited(self, bullet: Bullet) -> list[Reference]:
        """Return the references that a bullet cites, those that exist."""
        return [self.references[i] for i in bullet.citations if i in self.references]

    def items_of(self, reference: Reference, bullet: Bullet) -> list[EvidenceItem]:
        """Return the items of a bullet that come from a reference."""
        keys = reference_keys(reference)
        return [item for item in self.behind(bullet) if keys & self.evidence.keys(item)]

    def source(self, item: EvidenceItem) -> str:
        """Return the words of an item's source: its quote and the titles of its papers."""
        keys = self.evidence.keys(item)
        titles = [
            reference.title
            for reference in self.report.references
            if reference.title and reference_keys(reference) & keys
        ]
        return " ".join([item.quote, *titles])

    def held(self, bullet: Bullet) -> str:
        """Return all words of the items behind a bullet."""
        items = self.behind(bullet)
        return " ".join(f"{item.statement} {self.source(item)}" for item in items)
