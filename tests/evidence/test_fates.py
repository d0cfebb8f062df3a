"""A fate is held to the items that are to decide it."""

from typing import Any

import pytest

from intogen_agent.evidence.fates import decided
from intogen_agent.evidence.models import Alteration, Chain, EvidenceItem, Hypothesis
from intogen_agent.evidence.wire import HypothesisVerdict


def item(name: str, stance: str = "supports", **more: Any) -> EvidenceItem:
    fields: dict[str, Any] = {
        "statement": "s",
        "quote": "s",
        "references": [f"PMID:{name[1:]}"],
        "call": "c1",
        "kind": "mechanism",
        "scope": "target",
        "system": "patients",
        "basis": "functional",
        "alteration": "mutation",
        **more,
    }
    return EvidenceItem(id=name, stance=stance, **fields)


LEDGER = {
    one.id: one
    for one in (
        item("E1"),
        item("E2", "refutes"),
        item("E3", "neutral"),
        item("E4", "neutral", kind="contradiction"),
        item("E5", "neutral", kind="null_result", references=["TOOL:article_search"]),
        item("E6", alteration="expression"),
        item("E7", scope="other"),
        item("E8", alteration="copy number"),
        item("E9", alteration="none"),
    )
}


def decide(fate: Any, *evidence: str, alteration: Alteration = Alteration.MUTATION) -> Hypothesis:
    hypothesis = Hypothesis(
        id="H1",
        statement="h",
        chain=Chain(cause="a", mediator="b", outcome="c"),
        alteration=alteration,
        expected_studies=["s"],
    )
    links = {"cause": "A", "mediator": "B", "outcome": "C"}
    verdict = HypothesisVerdict(id="H1", fate=fate, **links, evidence=[*evidence], note="Why.")
    return decided(hypothesis, verdict, LEDGER)


@pytest.mark.parametrize(
    ("fate", "evidence", "deciding", "against"),
    [
        ("confirmed", ["E1"], ["E1"], []),
        ("confirmed", ["E9", "E3"], ["E9"], []),
        ("confirmed", ["E2", "E1", "E4"], ["E1"], ["E2", "E4"]),
        ("confirmed", ["E1", "E7", "E6"], ["E1"], []),
        ("refined", ["E1"], ["E1"], []),
        ("refuted", ["E2", "E1"], ["E2"], ["E1"]),
        ("refuted", ["E4"], ["E4"], []),
    ],
    ids=str,
)
def test_a_fate_keeps_the_items_that_carry_it(
    fate: str, evidence: list[str], deciding: list[str], against: list[str]
) -> None:
    found = decide(fate, *evidence)
    assert (found.fate, found.evidence, found.against) == (fate, deciding, against)
    assert (found.stated_fate, found.note) == (None, "Why")


@pytest.mark.parametrize(
    ("fate", "evidence", "why"),
    [
        ("confirmed", [], "named no item"),
        ("confirmed", ["E99"], "E99: no items of the ledger"),
        ("confirmed", ["E2"], "do not support"),
        ("confirmed", ["E3", "E5"], "do not support"),
        ("confirmed", ["E6", "E8"], "not about mutation"),
        ("confirmed", ["E7"], "of other cancers"),
        ("refined", ["E2"], "do not support"),
        ("refuted", ["E1"], "do not speak against"),
        ("refuted", ["E5"], "do not speak against"),
        ("refuted", ["E3"], "do not speak against"),
    ],
    ids=str,
)
def test_a_fate_whose_items_do_not_fit_is_corrected_and_noted(
    fate: str, evidence: list[str], why: str
) -> None:
    found = decide(fate, *evidence)
    assert (found.fate, found.stated_fate) == ("unresolved", fate)
    assert why in found.note
    assert set(found.evidence) <= set(LEDGER)


def test_what_changes_the_amount_of_a_product_is_one_subject() -> None:
    for alteration in (Alteration.EXPRESSION, Alteration.COPY_NUMBER, Alteration.METHYLATION):
        assert decide("confirmed", "E8", alteration=alteration).fate == "confirmed"
        assert decide("confirmed", "E1", alteration=alteration).fate == "unresolved"
    assert decide("confirmed", "E1", alteration=Alteration.NONE).fate == "confirmed"


def test_only_a_refined_hypothesis_gets_the_chain_of_the_evidence() -> None:
    assert decide("refined", "E1").chain.cause == "A"
    assert decide("confirmed", "E1").chain.cause == "a"
    assert decide("refined", "E2").chain.cause == "a"


def test_an_unresolved_hypothesis_keeps_the_items_that_were_looked_at() -> None:
    found = decide("unresolved", "E3", "E77")
    assert (found.fate, found.evidence, found.stated_fate) == ("unresolved", ["E3"], None)
    assert found.note == "Why; E77: no items of the ledger"
