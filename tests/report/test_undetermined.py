"""What failures are about, and when they leave the verdict undetermined."""

from typing import Any

import pytest

from intogen_agent.evidence.failures import failures_block, literature_unanswered, nothing_known
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.report.default_verdict import default_verdict
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence, violations
from intogen_agent.report.thresholds import Thresholds

Data = dict[str, Any]
RULE = "undetermined-by-outage"


def failed(phase: Data, logical: str | None, *, recorded: bool = True) -> None:
    """Add a question that nobody answered, of a logical tool; or one that has no calls."""
    call = {
        "id": "c9",
        "server": "store",
        "tool": "some_tool",
        "arguments": {},
        "outcome": "failed",
        "error": "timeout",
        "started": "2026-11-30T00:00:00Z",
        "seconds": 0.1,
        "logical": logical,
    }
    phase["calls"] += [call] if recorded else []
    calls = ["c9"] if recorded else []
    phase["failures"].append(
        {"tool": "some_tool", "attempts": 1, "error": "x", "message": "x", "calls": calls}
    )


def only_empty_searches(phase2: Data) -> None:
    item = {**phase2["ledger"][3], "id": "E1", "references": ["TOOL:article_searcher"]}
    phase2["ledger"] = [{**item, "kind": "null_result", "stance": "neutral"}]


def rests_on_nothing(report: Data) -> None:
    """Let every rationale bullet tell of the searches alone."""
    report["references"].pop()
    report["assessment"]["rationale"][1].update(citations=[3], evidence=[])
    report["assessment"]["reason"] = "0 references of the 3 needed."


def refused(report: Data, phase1: Data, phase2: Data) -> set[str]:
    evidence = Evidence(Phase1.model_validate(phase1), Phase2.model_validate(phase2))
    return {one.rule for one in violations(FinalReport.model_validate(report), evidence=evidence)}


@pytest.mark.parametrize("logical", ["article_search", "article_fetch", None])
def test_undetermined_needs_an_unanswered_question_to_the_literature(
    not_supported: Data, phase1: Data, phase2: Data, logical: str | None
) -> None:
    not_supported["assessment"]["undetermined"] = True
    assert refused(not_supported, phase1, phase2) == {RULE}
    failed(phase2, logical)
    assert refused(not_supported, phase1, phase2) == set()


def test_failures_of_trials_and_of_phase_1_leave_the_verdict_determined(
    not_supported: Data, phase1: Data, phase2: Data
) -> None:
    failed(phase2, "trial_search")
    failed(phase1, "gene_record")
    assert refused(not_supported, phase1, phase2) == set()
    not_supported["assessment"]["undetermined"] = True
    assert refused(not_supported, phase1, phase2) == {RULE}


def test_a_verdict_on_failed_searches_alone_is_undetermined(
    not_supported: Data, phase1: Data, phase2: Data
) -> None:
    only_empty_searches(phase2)
    rests_on_nothing(not_supported)
    assert refused(not_supported, phase1, phase2) == set(), "answered, and nothing was found"
    failed(phase2, None, recorded=False)
    assert refused(not_supported, phase1, phase2) == {RULE}
    not_supported["assessment"]["undetermined"] = True
    assert refused(not_supported, phase1, phase2) == set()


def test_findings_beside_failed_searches_leave_the_choice(
    not_supported: Data, phase1: Data, phase2: Data
) -> None:
    failed(phase2, "article_search")
    assert refused(not_supported, phase1, phase2) == set()


def test_the_controller_puts_the_mark_right_where_it_sets_the_verdict(
    not_supported: Data, valid: Data, phase1: Data, phase2: Data
) -> None:
    not_supported["assessment"]["undetermined"] = True
    evidence = Evidence(Phase1.model_validate(phase1), Phase2.model_validate(phase2))
    settled = default_verdict(FinalReport.model_validate(not_supported), Thresholds(), evidence)
    assert not settled.report.assessment.undetermined
    assert "assessment: undetermined set to false" in settled.edits
    only_empty_searches(phase2)
    failed(phase2, "article_search")
    dark = Evidence(evidence.phase1, Phase2.model_validate(phase2))
    settled = default_verdict(FinalReport.model_validate(valid), Thresholds(), dark)
    assert settled.report.assessment.undetermined


def test_models_are_told_what_each_failure_is_about(phase1: Data, phase2: Data) -> None:
    failed(phase1, "protein_record")
    failed(phase2, "trial_search")
    failed(phase2, None, recorded=False)
    phases = Phase1.model_validate(phase1), Phase2.model_validate(phase2)
    told = [one["about"] for one in failures_block(*phases)]
    assert told == ["gene function", "trials", "literature"]
    assert len(literature_unanswered(phases[1])) == 1
    assert not nothing_known(phases[1]), "the ledger holds findings"
