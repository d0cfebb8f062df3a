"""`WireCritique` and `RefinedDraft`."""

import copy
import json
from typing import Any

import pytest
from offline_world import DRIVER, PASSENGER, Journey, Paper, answer, block, journey, task

HISTORY = block("tool_history", [])


def critique(case: Journey, report: dict[str, Any] | None = None) -> dict[str, Any]:
    return answer("WireCritique", block("report", report or case.final()), *case.blocks, HISTORY)


def numbered(value: dict[str, Any]) -> dict[str, Any]:
    issues = [{"id": f"I{n}", **issue} for n, issue in enumerate(value["issues"], start=1)]
    return {**value, "issues": issues}


def refine(case: Journey, report: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return answer(
        "RefinedDraft",
        block("report", report),
        block("critique", numbered(found)),
        *case.blocks,
        HISTORY,
    )


def kinds(value: dict[str, Any]) -> list[tuple[str, str]]:
    return [(issue["section"], issue["severity"]) for issue in value["issues"]]


MANY = [
    *DRIVER,
    *(
        Paper(9000600 + n, f"Journal {n}", f"ABX1 was mutated in {n + 10}% of breast cancers.")
        for n in range(3)
    ),
]


@pytest.mark.parametrize(("papers", "gene"), [(MANY, "ABX1"), (PASSENGER, "LNG9")])
def test_a_report_that_agrees_with_its_ledger_is_accepted(papers: Any, gene: str) -> None:
    found = critique(journey(papers, task(gene)))
    assert found["overall_accept"]
    assert "high" not in [severity for _, severity in kinds(found)]
    assert found["overall_score"] > 0.9


def test_the_score_of_mechanisms_is_null_without_them() -> None:
    assert critique(journey(PASSENGER, task("LNG9")))["mechanistic_hypothesis_score"] is None
    assert critique(journey(MANY))["mechanistic_hypothesis_score"] is not None


def test_a_supported_verdict_that_the_ledger_does_not_carry_is_a_high_issue() -> None:
    case = journey(PASSENGER, task("LNG9"))
    report = case.final()
    report["assessment"]["involvement"] = "supported"
    found = critique(case, report)
    assert not found["overall_accept"]
    assert ("verdict_alignment", "high") in kinds(found)


def test_a_bullet_that_says_more_than_its_items_is_a_high_issue() -> None:
    case = journey(MANY)
    report = case.final()
    report["assessment"]["rationale"][0]["text"] = "Aspirin cures every patient within weeks."
    found = critique(case, report)
    assert ("assessment", "high") in kinds(found)
    assert found["assessment_alignment_score"] <= 0.5


def test_a_bullet_without_items_is_a_medium_issue() -> None:
    case = journey(MANY)
    report = case.final()
    report["gene_function"]["bullets"][0]["evidence"] = []
    assert ("gene_function", "medium") in kinds(critique(case, report))


def test_a_bullet_about_another_gene_is_a_medium_issue() -> None:
    case = journey(MANY)
    item = copy.deepcopy(case.ledger[-1])
    item |= {"id": "E90", "statement": "QRS2 was mutated in 12% of breast cancers."}
    case.ledger.append(item)
    report = case.final()
    bullet = report["assessment"]["rationale"][0]
    bullet |= {"text": item["statement"], "evidence": ["E90"]}
    assert ("assessment", "medium") in kinds(critique(case, report))


def test_a_retracted_citation_is_a_high_issue() -> None:
    case = journey(MANY)
    report = case.final()
    for reference in case.references:
        reference["retracted"] = reference["id"] == "PMID:9000102"
    assert "high" in [severity for _, severity in kinds(critique(case, report))]


def test_too_few_function_bullets_are_a_high_issue() -> None:
    case = journey(MANY)
    report = case.final()
    report["gene_function"]["bullets"] = report["gene_function"]["bullets"][:1]
    assert ("gene_function", "high") in kinds(critique(case, report))


def test_refuting_evidence_that_is_not_named_is_a_medium_issue() -> None:
    against = Paper(
        9000400, "Journal Z", "In one set, ABX1 mutations of breast cancer are passengers."
    )
    case = journey([*MANY, against])
    report = case.final()
    report["assessment"]["rationale"].pop()
    found = critique(case, report)
    assert ("assessment", "medium") in kinds(found)
    (issue,) = [one for one in found["issues"] if one["severity"] == "medium"]
    assert issue["suggested_identifiers"] == ["PMID:9000400"]


def test_a_confirmed_hypothesis_without_a_mechanism_is_a_medium_issue() -> None:
    case = journey(MANY)
    case.hypotheses = [
        {
            "id": "H1",
            "fate": "confirmed",
            "chain": {"cause": "ABX1 loss", "mediator": "WXY9 pathway", "outcome": "growth"},
            "evidence": [],
        }
    ]
    assert ("mechanistic_hypothesis", "medium") in kinds(critique(case))


def test_a_critique_names_only_identifiers_it_has_seen() -> None:
    case = journey([*MANY, *PASSENGER])
    report = case.final()
    report["assessment"]["rationale"] = report["assessment"]["rationale"][:2]
    seen = {one for item in case.ledger for one in item["references"]}
    for issue in critique(case, report)["issues"]:
        assert set(issue["suggested_identifiers"]) <= seen
        assert not issue["outside_evidence"]


def test_a_refinement_without_issues_changes_nothing() -> None:
    case = journey(MANY)
    draft = case.report()
    refined = refine(case, case.final(draft), critique(case))
    assert refined["report"]["rationale"] == [
        {**bullet, "citations": sorted(bullet["citations"])} for bullet in draft["rationale"]
    ]
    assert refined["report"]["mechanisms"] == draft["mechanisms"]


def test_every_issue_is_answered_by_its_id() -> None:
    case = journey(MANY)
    report = case.final()
    report["assessment"]["rationale"][0]["text"] = "Aspirin cures every patient within weeks."
    report["gene_function"]["bullets"] = report["gene_function"]["bullets"][:1]
    found = critique(case, report)
    answers = refine(case, report, found)["answers"]
    assert [one["issue"] for one in answers] == [
        f"I{n}" for n in range(1, len(found["issues"]) + 1)
    ]


def test_a_bullet_beyond_its_evidence_is_replaced() -> None:
    case = journey(MANY)
    report = case.final()
    report["assessment"]["rationale"][0]["text"] = "Aspirin cures every patient within weeks."
    refined = refine(case, report, critique(case, report))
    assert "Aspirin" not in json.dumps(refined["report"])
    assert refined["answers"][0]["decision"] == "accepted"
    assert critique(case, case.final(refined["report"]))["overall_accept"]


def test_a_verdict_against_the_ledger_is_weighed_again() -> None:
    case = journey(PASSENGER, task("LNG9"))
    report = case.final()
    report["assessment"]["involvement"] = "supported"
    refined = refine(case, report, critique(case, report))
    assert refined["report"]["involvement"] == "not_supported"
    assert refined["report"]["reason"]


def test_unnamed_refuting_evidence_is_added() -> None:
    against = Paper(
        9000400, "Journal Z", "In one set, ABX1 mutations of breast cancer are passengers."
    )
    case = journey([*MANY, against])
    report = case.final()
    report["assessment"]["rationale"].pop()
    refined = refine(case, report, critique(case, report))
    assert refined["report"]["rationale"][-1]["citations"] == ["PMID:9000400"]
    assert refined["report"]["rationale"][-1]["text"].startswith("Conflicting evidence: ")


def test_missing_function_bullets_are_written() -> None:
    case = journey(MANY)
    report = case.final()
    report["gene_function"]["bullets"] = report["gene_function"]["bullets"][:1]
    refined = refine(case, report, critique(case, report))
    assert len(refined["report"]["gene_function"]) >= 2


FOREIGN = {
    "section": "assessment",
    "severity": "high",
    "outside_evidence": True,
    "needs_new_evidence": True,
    "why": "A famous study is missing.",
    "recommended_action": "Cite it.",
    "suggested_identifiers": ["PMID:1"],
}


def test_an_issue_that_the_ledger_cannot_settle_is_rejected() -> None:
    case = journey(MANY)
    refined = refine(case, case.final(), {**critique(case), "issues": [FOREIGN]})
    assert refined["answers"][0]["decision"] == "rejected"
    assert "PMID:1" not in json.dumps(refined["report"]).split('"')


def test_a_paper_that_another_referee_misses_is_taken_up_if_the_ledger_has_it() -> None:
    case = journey(MANY)
    report = case.final()
    report["assessment"]["rationale"] = report["assessment"]["rationale"][:2]
    issue = {**FOREIGN, "suggested_identifiers": ["PMID:9000602"]}
    refined = refine(case, report, {**critique(case), "issues": [issue]})
    assert refined["answers"][0]["decision"] == "accepted"
    assert ["PMID:9000602"] in [bullet["citations"] for bullet in refined["report"]["rationale"]]
