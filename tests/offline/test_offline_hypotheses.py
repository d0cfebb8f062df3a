"""`HypothesisPlan` and `HypothesisVerdicts`."""

from typing import Any

import pytest
from offline_world import DRIVER, FUNCTION, PASSENGER, Journey, answer, block, journey, task


def plan(about: dict[str, Any] | None = None, function: Any = FUNCTION) -> list[dict[str, Any]]:
    items = [
        {"id": f"F{n}", "statement": text, "references": ["UniProt:P00001"]}
        for n, text in enumerate(function, start=1)
    ]
    value = answer("HypothesisPlan", block("task", about or task()), block("gene_function", items))
    found: list[dict[str, Any]] = value["hypotheses"]
    return found


def fates(case: Journey, hypotheses: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    shown = [
        {
            **{key: one[key] for key in ("id", "statement", "alteration", "expected_studies")},
            "chain": {key: one[key] for key in ("cause", "mediator", "outcome")},
        }
        for one in hypotheses
    ]
    value = answer(
        "HypothesisVerdicts",
        block("task", case.about),
        block("hypotheses", shown),
        block("ledger", case.ledger),
    )
    return {verdict["id"]: verdict for verdict in value["verdicts"]}


def test_hypotheses_come_from_the_gene_s_function() -> None:
    found = plan()
    assert 2 <= len(found) <= 4
    assert {one["mediator"] for one in found} <= {"QRS2 signalling", "QRS2", "degradation"}
    assert all(one["outcome"] == "cell proliferation" for one in found)
    assert all(one["expected_studies"] and one["keywords"] for one in found)


def test_loss_and_gain_are_both_asked_about() -> None:
    causes = [one["cause"] for one in plan()]
    assert "ABX1 loss" in causes
    assert "activating ABX1 mutation" in causes


def test_without_function_statements_there_are_general_hypotheses() -> None:
    assert 2 <= len(plan(function=())) <= 4


def test_expected_studies_name_the_gene_and_the_cancer() -> None:
    for one in plan():
        assert all("ABX1" in study for study in one["expected_studies"])
        assert any("invasive breast carcinoma" in study for study in one["expected_studies"])


def test_a_hypothesis_is_confirmed_by_findings_that_name_its_mediator_and_outcome() -> None:
    (first, *_) = plan()
    expected = {**first, "outcome": "anchorage-independent growth"}
    verdict = fates(journey(DRIVER), [expected])["H1"]
    assert verdict["fate"] == "confirmed"
    assert verdict["evidence"]
    assert verdict["mediator"] == "QRS2 signalling"


def test_a_hypothesis_is_refined_by_a_chain_with_another_outcome() -> None:
    verdict = fates(journey(DRIVER), plan())["H1"]
    assert (verdict["fate"], verdict["outcome"]) == ("refined", "anchorage-independent growth")


def test_a_hypothesis_is_refined_by_a_chain_with_another_mediator() -> None:
    (first, *_) = plan()
    verdict = fates(journey(DRIVER), [{**first, "mediator": "TUV4"}])["H1"]
    assert verdict["fate"] == "refined"
    assert (verdict["cause"], verdict["mediator"]) == ("ABX1 loss", "QRS2 signalling")


def test_passenger_calls_refute() -> None:
    about = task("LNG9")
    verdicts = fates(journey(PASSENGER, about), plan(about))
    assert {verdict["fate"] for verdict in verdicts.values()} == {"refuted"}
    assert all(verdict["evidence"] for verdict in verdicts.values())


def test_without_evidence_everything_is_unresolved() -> None:
    verdicts = fates(journey(()), plan())
    assert {verdict["fate"] for verdict in verdicts.values()} == {"unresolved"}
    assert all(verdict["evidence"] == [] for verdict in verdicts.values())


@pytest.mark.parametrize("papers", [DRIVER, PASSENGER, ()])
def test_evidence_ids_are_the_ledger_s(papers: Any) -> None:
    case = journey(papers)
    known = {item["id"] for item in case.ledger}
    for verdict in fates(case, plan()).values():
        assert set(verdict["evidence"]) <= known
