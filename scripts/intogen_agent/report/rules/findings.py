"""What a verdict rests on in the ledger, and the rules on it.

Source: seed, Introduction (driver catalogs "do not explain how each gene contributes") and
"Structured report generation and Pydantic-based validation", assessment.
"""

from collections.abc import Iterator

from intogen_agent.evidence.failures import literature_unanswered, nothing_known
from intogen_agent.evidence.models import Basis, EvidenceItem, Kind, Scope, Stance
from intogen_agent.report.models import Bullet, FinalReport, Involvement, Reference, ThresholdCount
from intogen_agent.report.rules.base import RATIONALE, Finding, rationale_bullets
from intogen_agent.report.rules.ledger import Evidence
from intogen_agent.report.sources import Support, count, reference_keys, support
from intogen_agent.report.thresholds import THRESHOLD_NAMES, Thresholds


def agreeing(report: FinalReport, evidence: Evidence, thresholds: Thresholds) -> Support:
    """Count the rationale's references that speak for the involvement.

    A reference counts for a bullet when a tool returned it, it is no retracted paper, none of
    intOGen's own and no TOOL, and an item of the ledger that the bullet names rests on it and
    speaks for the involvement. What qualifies or refutes is cited for honesty, not for support.
    """
    return count(
        [_counting(report, bullet, evidence) for _, bullet in rationale_bullets(report)],
        thresholds.source_by,
    )


def _counting(report: FinalReport, bullet: Bullet, evidence: Evidence) -> list[Reference]:
    speaking = [item for item in evidence.behind(bullet) if _speaks_for(item, report)]
    keys = set[str]().union(*(evidence.keys(item) for item in speaking))
    return [each for each in _cited(report, bullet) if reference_keys(each) & keys]


def _cited(report: FinalReport, bullet: Bullet) -> list[Reference]:
    """Return a bullet's references of the kinds that can count at all."""
    return [
        reference
        for reference in report.references
        if reference.index in bullet.citations
        and reference.kind != "tool"
        and reference.tracked
        and not (reference.retracted or reference.circular)
    ]


def _speaks_for(item: EvidenceItem, report: FinalReport) -> bool:
    """Say whether an item supports the involvement, in this cancer or a related one.

    What a gene does, and an association with the outcome alone, is neutral.
    """
    against = (Kind.NULL_RESULT, Kind.CONTRADICTION)
    elsewhere = item.scope is Scope.OTHER and not report.cancer.pan_cancer
    return item.stance is Stance.SUPPORTS and item.kind not in against and not elsewhere


def findings(report: FinalReport, evidence: Evidence) -> list[EvidenceItem]:
    """Return the supporting functional or clinical items that the rationale rests on.

    Each in this cancer or a related one (or in any, for the pan-cancer task), and cited by a
    reference that counts.
    """
    found: dict[str, EvidenceItem] = {}
    for _, bullet in rationale_bullets(report):
        cited = set[str]().union(*map(reference_keys, _cited(report, bullet)))
        for item in evidence.behind(bullet):
            if _is_finding(item, report) and evidence.keys(item) & cited:
                found[item.id] = item
    return list(found.values())


def _is_finding(item: EvidenceItem, report: FinalReport) -> bool:
    return _speaks_for(item, report) and item.basis in (Basis.FUNCTIONAL, Basis.CLINICAL)


def threshold_counts(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> list[ThresholdCount]:
    """Count every threshold of `supported` for a report, whatever its verdict."""
    found = agreeing(report, evidence, thresholds)
    solid = len(findings(report, evidence))
    numbers = (found.rationale, found.references, len(found.sources), solid)
    return [
        ThresholdCount(threshold=name, needed=needed, found=number)
        for name, needed, number in zip(THRESHOLD_NAMES, thresholds.needed, numbers, strict=True)
    ]


def supported_evidence(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """Supported rests on at least one supporting functional or clinical item.

    Driver statistics and expression associations alone never reach `supported`: they nominate a
    gene (seed, Introduction: catalogs "do not explain how each gene contributes"). For a pair with
    a cancer type, a finding in another cancer (scope `other`) is no evidence either.
    """
    supported = report.assessment.involvement is Involvement.SUPPORTED
    if supported and not findings(report, evidence):
        yield (
            RATIONALE,
            "supported needs a rationale bullet that rests on a supporting item of functional or "
            "clinical basis in this cancer or a related one and cites its reference (driver "
            "statistics, expression or intOGen's own papers alone are not enough); name such an "
            "item, or change the involvement to not_supported.",
        )


def supported_tracked(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """The thresholds of supported are met by references that tools returned.

    Untracked references are kept and marked as lower-confidence (seed); they add to a verdict but
    do not make it.
    """
    if report.assessment.involvement is Involvement.SUPPORTED:
        by = thresholds.source_by
        missed = support(report, tracked_only=True, source_by=by).shortfalls(thresholds)
        if missed and not support(report, source_by=by).shortfalls(thresholds):
            yield (
                RATIONALE,
                f"without untracked references there are only {'; '.join(missed)}; cite what the "
                "tools returned, or change the involvement to not_supported.",
            )


def supported_agreeing(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """The thresholds of supported are met by evidence that speaks for the involvement.

    What refutes, qualifies or says neither is cited for honesty and adds nothing to the support.
    """
    if report.assessment.involvement is Involvement.SUPPORTED:
        missed = agreeing(report, evidence, thresholds).shortfalls(thresholds)
        tracked = support(report, tracked_only=True, source_by=thresholds.source_by)
        if missed and not tracked.shortfalls(thresholds):
            yield (
                RATIONALE,
                f"of items that speak for the involvement there are only {'; '.join(missed)}; "
                "cite further ones, or change the involvement to not_supported.",
            )


def thresholds_as_counted(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """The counts that a report gives for its thresholds are those of its evidence."""
    listed = report.assessment.thresholds
    counted = threshold_counts(report, thresholds, evidence)
    if listed and [each.found for each in listed] != [each.found for each in counted]:
        numbers = ", ".join(f"{each.threshold} {each.found}" for each in counted)
        yield "assessment.thresholds", f"the evidence holds {numbers}; write these numbers."


def undetermined_by_outage(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """Undetermined says that the literature was asked and did not answer; an outage is no absence.

    Design: what could not be asked is unknown, what was asked and not found is absent. Failures
    about the gene's function or about trials leave the question of the involvement as it is.
    """
    assessment = report.assessment
    if assessment.undetermined and not literature_unanswered(evidence.phase2):
        yield (
            "assessment.undetermined",
            "every question to the literature was answered (failures about the gene's function or "
            "trials do not count); set it to false.",
        )
    elif (
        assessment.involvement is Involvement.NOT_SUPPORTED
        and not assessment.undetermined
        and nothing_known(evidence.phase2)
    ):
        yield (
            "assessment.undetermined",
            "questions to the literature failed and the ledger holds no finding, so nothing is "
            "known; set it to true.",
        )
