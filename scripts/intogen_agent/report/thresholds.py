"""The numbers that a report is held to."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field

from intogen_agent.config.settings import ReportSettings
from intogen_agent.models import Record


def _ordered(bounds: tuple[int, int]) -> tuple[int, int]:
    low, high = bounds
    if not 1 <= low <= high:
        raise ValueError("write [least, most] with 1 <= least <= most")
    return bounds


Bounds = Annotated[tuple[int, int], AfterValidator(_ordered)]


# In the order of `Assessment.thresholds`, which the controller counts.
THRESHOLD_NAMES = (
    "rationale_bullets",
    "references",
    "sources",
    "functional_or_clinical_findings",
)


# No option: catalogues alone "do not explain how each gene contributes" (seed, Introduction).
NEEDED_FINDINGS = 1


class Thresholds(Record):
    """How many bullets a section may hold and what `supported` needs.

    The bounds are the seed's ("Structured report generation and Pydantic-based validation"):
    its sentences fix 2-5, 2-4 and 1-6 bullets, 2-3 sentences, and two bullets that together cite
    at least three references from at least two sources. A source is a journal, a database or a
    site; with `source_by: study` each paper is a source of its own, because independent studies
    can stand in one journal. `model_dump(mode="json")` is the `rules`
    block that a model is shown.
    """

    model_config = ConfigDict(frozen=True)

    min_supported_rationale: int = Field(2, ge=1)
    min_supported_references: int = Field(3, ge=1)
    min_supported_sources: int = Field(2, ge=1)
    source_by: Literal["journal", "study"] = "journal"
    function_bullets: Bounds = (2, 5)
    rationale_bullets: Bounds = (2, 4)
    mechanism_bullets: Bounds = (1, 6)
    function_sentences: Bounds = (2, 3)

    @property
    def needed(self) -> tuple[int, int, int, int]:
        """What each of `THRESHOLD_NAMES` needs."""
        return (
            self.min_supported_rationale,
            self.min_supported_references,
            self.min_supported_sources,
            NEEDED_FINDINGS,
        )

    @classmethod
    def from_settings(cls, settings: ReportSettings) -> Self:
        """Return the thresholds that a configuration sets."""
        return cls(
            min_supported_rationale=settings.min_supported_rationale,
            min_supported_references=settings.min_supported_references,
            min_supported_sources=settings.min_supported_sources,
            source_by=settings.source_by,
        )
