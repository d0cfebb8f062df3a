"""Deterministic checks of a report against its evidence, before a model reads it.

What they find becomes issues of the critique that are marked as such. A check knows words and the
ledger, not biology: those of high severity speak of contradictions that hold whatever was meant.
"""

from collections.abc import Callable, Iterator

from intogen_agent.evidence.cancer_tree import known_types
from intogen_agent.jobs import Run
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.review import checks_chains, checks_support, checks_words
from intogen_agent.review.case import Case, Finding
from intogen_agent.review.models import CritiqueIssue
from intogen_agent.review.naming import CancerTerms, GeneNames

Check = Callable[[Case], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    checks_support.gene_in_quote,
    checks_support.cancer_in_quote,
    checks_support.untracked_only,
    checks_support.retracted,
    checks_support.other_cancers_only,
    checks_support.models_only,
    checks_support.verdict_on_models,
    checks_support.contradicting_evidence,
    checks_support.refuting_unnamed,
    checks_support.absence_after_outage,
    checks_words.number_in_evidence,
    checks_words.name_in_evidence,
    checks_words.cancer_in_evidence,
    checks_words.negation_kept,
    checks_words.direction_kept,
    checks_chains.role_against_chains,
    checks_chains.refuted_mechanism,
    checks_chains.chain_in_evidence,
    checks_chains.chain_direction,
    checks_chains.confirmed_mechanism_missing,
)


def check_name(check: Check) -> str:
    """Return the name that issues carry: the function's with hyphens."""
    return check.__name__.replace("_", "-")


class Checker:
    """All checks of one pair.

    Args:
        terms: The words for the pair's cancer type.
        thresholds: The numbers that reports are held to.
    """

    def __init__(self, terms: CancerTerms, thresholds: Thresholds) -> None:
        self._terms = terms
        self._thresholds = thresholds

    @classmethod
    def of(cls, run: Run) -> "Checker":
        """Return the checks of a run's pair."""
        job = run.job
        terms = CancerTerms(job.cancer, job.task.search_terms, known_types(job.settings))
        return cls(terms, Thresholds.from_settings(job.settings.report))

    def issues(self, report: FinalReport, evidence: Evidence) -> list[CritiqueIssue]:
        """Return what the checks find, numbered `C1`, `C2`, ..."""
        case = Case(report, evidence, GeneNames(report.gene), self._terms, self._thresholds)
        found = [(check_name(check), finding) for check in CHECKS for finding in check(case)]
        return [
            CritiqueIssue(
                id=f"C{number}",
                section=finding.section,
                severity=finding.severity,
                outside_evidence=False,
                needs_new_evidence=False,
                why=finding.why,
                recommended_action=finding.action,
                origin="check",
                check=name,
                place=finding.place,
            )
            for number, (name, finding) in enumerate(found, start=1)
        ]
