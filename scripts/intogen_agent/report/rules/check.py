"""All rules, and running them on a report or on a text that should be one."""

import json
from collections.abc import Callable, Iterator

from pydantic import ValidationError

from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import (
    citations,
    findings,
    ledger,
    reason,
    references,
    structure,
    verdict,
)
from intogen_agent.report.rules.base import Finding, Violation
from intogen_agent.report.rules.ledger import Evidence
from intogen_agent.report.thresholds import Thresholds

Rule = Callable[[FinalReport, Thresholds], Iterator[Finding]]
LedgerRule = Callable[[FinalReport, Thresholds, Evidence], Iterator[Finding]]

RULES: tuple[Rule, ...] = (
    structure.accepted_report,
    structure.function_bullet_count,
    structure.function_sentence_count,
    structure.function_verb_first,
    structure.function_without_cancer,
    structure.rationale_bullet_count,
    structure.mechanisms_only_when_supported,
    structure.mechanism_bullet_count,
    structure.mechanism_one_chain,
    structure.mechanisms_non_redundant,
    structure.bullets_distinct,
    structure.text_present,
    structure.text_plain,
    structure.text_without_citations,
    citations.bullet_cited,
    citations.citation_exists,
    citations.citations_ascending,
    citations.indices_contiguous,
    citations.reference_cited,
    citations.references_by_appearance,
    verdict.supported_rationale,
    verdict.supported_references,
    verdict.supported_sources,
    verdict.not_supported_reason,
    verdict.supported_determined,
    verdict.thresholds_met,
    references.identifier_format,
    references.database_complete,
    references.database_id,
    references.url_shape,
    references.url_of_the_same_paper,
    references.authoritative_identifier,
    references.no_duplicates,
    references.tracked_consistent,
    references.circular_marked,
)

LEDGER_RULES: tuple[LedgerRule, ...] = (
    ledger.evidence_of_this_pair,
    ledger.evidence_exists,
    ledger.evidence_named,
    ledger.evidence_quoted,
    ledger.citation_from_evidence,
    ledger.citation_unsupported,
    ledger.citation_in_ledger,
    ledger.reference_as_tracked,
    ledger.numbers_from_evidence,
    findings.supported_evidence,
    findings.supported_tracked,
    findings.supported_agreeing,
    findings.thresholds_as_counted,
    findings.undetermined_by_outage,
    reason.reason_from_evidence,
)

# Ids that are not made of their function's name.
IDS: dict[Rule | LedgerRule, str] = {ledger.citation_unsupported: "citation.unsupported"}


def rule_id(rule: Rule | LedgerRule) -> str:
    """Return the id that violations carry: the function's name with hyphens, or its own."""
    return IDS.get(rule) or rule.__name__.replace("_", "-")


def violations(
    report: FinalReport,
    thresholds: Thresholds | None = None,
    evidence: Evidence | None = None,
) -> list[Violation]:
    """Check a parsed report against every rule.

    Args:
        report: The report.
        thresholds: The numbers it is held to; the defaults when None.
        evidence: The pair's evidence; without it the ledger rules are left out.

    Returns:
        The breaches in the order of the rules; empty for a valid report.
    """
    limits = thresholds or Thresholds()
    found = [
        Violation(rule_id(rule), path, message)
        for rule in RULES
        for path, message in rule(report, limits)
    ]
    if evidence is not None:
        found += [
            Violation(rule_id(rule), path, message)
            for rule in LEDGER_RULES
            for path, message in rule(report, limits, evidence)
        ]
    return found


def check_text(
    raw: str | bytes,
    thresholds: Thresholds | None = None,
    evidence: Evidence | None = None,
) -> list[Violation]:
    """Check a text that should be a FinalReport in JSON: parse it, then apply every rule.

    Returns:
        One violation of the rule `json` when it is no JSON, those of the rule `schema` when it is
        no FinalReport, else what `violations` returns.
    """
    try:
        json.loads(raw)
    except (ValueError, RecursionError) as error:
        return [Violation("json", "$", f"not JSON ({error}); write one JSON object.")]
    try:
        # Strict: "1" is no citation, and 1 is no truth value.
        report = FinalReport.model_validate_json(raw, strict=True)
    except ValidationError as error:
        return [
            Violation("schema", _path(problem["loc"]), f"{problem['msg']}.")
            for problem in error.errors(include_url=False, include_input=False)
        ]
    return violations(report, thresholds, evidence)


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path or "$"
