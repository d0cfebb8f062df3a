"""The reason of a verdict that is not supported: its numbers are those of the evidence."""

from copy import deepcopy
from typing import Any

import pytest

from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.report.default_verdict import default_verdict
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence, violations
from intogen_agent.report.thresholds import THRESHOLD_NAMES, Thresholds

Data = dict[str, Any]
RULE = "reason-from-evidence"

TRUE = [
    "1 reference of the 3 needed.",
    "0 of 2 supporting statements, 0 of 3 references and 0 of 2 sources.",
    "0 of the 3 needed references and none of the 2 sources.",
    "3 of 3 references are missing.",
    "The thresholds of supported are missed: 0 references of the 3 needed.",
    "The evidence misses the thresholds. 1 paper speaks against it.",
    "2 papers and 4 items were found by 2 searches.",
    "2 of 5 references are reviews.",
    "41 of 43 tumours carry mutations, but no mechanism was shown.",
    "It is one of 24 significantly mutated genes.",
    "Half of the literature is about DP2.5; the two-hit model was not tested.",
    "Too little is known of HIF-1 and p.R175H in COADREAD.",
]
FALSE = [
    "2 of 4 references needed.",
    "3 of 3 sources are missing.",
    "1 reference of the 5 needed.",
    "Mutations were found in 17 of 500 tumours.",
    "Only 12% of tumours carry it.",
    "Ninety percent of tumours are without it.",
    "99 papers speak against it.",
    "81 searches found nothing.",
]
OF_ENOUGH = [
    "Nothing is known; 3 of 3 references are missing.",
    "Only 1 of 3 references.",
    "The thresholds of supported are not met.",
    "The evidence misses the thresholds.",
]


def refused(report: Data, phase1: Data, phase2: Data) -> set[str]:
    evidence = Evidence(Phase1.model_validate(phase1), Phase2.model_validate(phase2))
    return {one.rule for one in violations(FinalReport.model_validate(report), evidence=evidence)}


@pytest.fixture
def enough(valid: Data) -> Data:
    """A report that could be supported and is not."""
    report = deepcopy(valid)
    report["assessment"].update(involvement="not_supported", reason="A model's view.")
    report["mechanistic_hypothesis"] = None
    return report


@pytest.mark.parametrize("reason", TRUE)
def test_numbers_of_the_evidence_may_be_given(
    not_supported: Data, phase1: Data, phase2: Data, reason: str
) -> None:
    if "sources" in reason and "missing" not in reason:
        phase2["queries"] = []
    not_supported["assessment"]["reason"] = reason
    assert refused(not_supported, phase1, phase2) == set()


@pytest.mark.parametrize("reason", FALSE)
def test_numbers_of_the_models_own_are_refused(
    not_supported: Data, phase1: Data, phase2: Data, reason: str
) -> None:
    not_supported["assessment"]["reason"] = reason
    assert refused(not_supported, phase1, phase2) == {RULE}


@pytest.mark.parametrize("reason", OF_ENOUGH)
def test_no_shortfall_is_claimed_where_there_is_none(
    enough: Data, phase1: Data, phase2: Data, reason: str
) -> None:
    assert refused(enough, phase1, phase2) == set()
    enough["assessment"]["reason"] = reason
    assert refused(enough, phase1, phase2) == {RULE}


def test_the_controller_writes_a_false_reason_anew(
    not_supported: Data, phase1: Data, phase2: Data
) -> None:
    not_supported["assessment"]["reason"] = "Found in 17 of 500 tumours only."
    evidence = Evidence(Phase1.model_validate(phase1), Phase2.model_validate(phase2))
    settled = default_verdict(FinalReport.model_validate(not_supported), Thresholds(), evidence)
    reason = settled.report.assessment.reason
    assert reason and reason.startswith("Thresholds of supported missed: 0 rationale bullets")
    assert violations(settled.report, evidence=evidence) == []


@pytest.mark.parametrize("needed", [(2, 0, 2, 1), (2, 3, 2, 0), (9, 3, 2, 1)])
def test_what_a_threshold_needs_is_the_configurations_number(
    not_supported: Data, phase1: Data, phase2: Data, needed: tuple[int, ...]
) -> None:
    not_supported["assessment"]["thresholds"] = [
        {"threshold": name, "needed": number, "found": 0}
        for name, number in zip(THRESHOLD_NAMES, needed, strict=True)
    ]
    assert refused(not_supported, phase1, phase2) == {"thresholds-met"}


def test_other_thresholds_are_compared_with_their_own_configuration(not_supported: Data) -> None:
    not_supported["assessment"]["thresholds"] = [
        {"threshold": name, "needed": number, "found": 0}
        for name, number in zip(THRESHOLD_NAMES, (2, 5, 2, 1), strict=True)
    ]
    report = FinalReport.model_validate(not_supported)
    assert violations(report, Thresholds(min_supported_references=5)) == []
    assert [one.rule for one in violations(report)] == ["thresholds-met"]
