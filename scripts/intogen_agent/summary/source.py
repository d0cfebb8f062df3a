"""What summaries are held to: the reviewed report, its words and its verdict."""

from dataclasses import dataclass, field
from typing import Any

from intogen_agent.report.models import FinalReport
from intogen_agent.review.naming import CancerTerms
from intogen_agent.summary.verdict import Verdict


@dataclass
class Source:
    """What summaries are held to.

    Attributes:
        report: The reviewed report.
        terms: The words for all cancer types.
        search_terms: Other names of the pair's cancer.
        sections: The validated sections, as the summary helper sees them.
        text: All their words.
        pair: The names of the gene and of the cancer.
        verdict: What the summaries may not contradict.
    """

    report: FinalReport
    terms: CancerTerms | None = None
    search_terms: tuple[str, ...] = ()
    sections: dict[str, Any] = field(init=False)
    text: str = field(init=False)
    pair: tuple[str, ...] = field(init=False)
    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        """Take the sections and their words."""
        include = {"gene", "cancer", "gene_function", "assessment", "mechanistic_hypothesis"}
        self.sections = self.report.model_dump(mode="json", include=include)
        self.text = _all_text(self.sections)
        gene, cancer = self.report.gene, self.report.cancer
        self.pair = (gene.symbol, gene.name or "", *gene.aliases, cancer.name, cancer.code)
        self.verdict = Verdict.of(self.report, self.text, self.search_terms)

    @property
    def supported(self) -> bool:
        """Whether the report holds mechanisms; only a supported one may."""
        return self.report.mechanistic_hypothesis is not None

    def task(self) -> dict[str, Any]:
        """Return the task as models see it."""
        return {"gene": self.report.gene.symbol, "cancer": self.sections["cancer"]}


def _all_text(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_all_text(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(_all_text(item) for item in value)
    return str(value)
