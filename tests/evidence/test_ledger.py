"""The ledger, by the seed's sentences in "Tool output summarization and reference management"."""

import json
from typing import Any

import pytest

from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.ledger import Ledger, check
from intogen_agent.evidence.models import Basis, EvidenceItem, Kind, Scope, Stance
from intogen_agent.evidence.passages import passages
from intogen_agent.evidence.references import ReferenceManager, parse_identifier
from intogen_agent.evidence.wire import SummaryBullet

PAYLOAD = """# Record 1
Pmid: 9065401
Doi: 10.1126/science.275.5307.1784
Title: Activation of beta-catenin-Tcf signaling in colon cancer
Abstract:
  Mutations of APC were found in 27 of 34 tumors. Loss of APC activates
  beta-catenin-Tcf signaling.

# Record 2
Pmid: 1651563
Title: Mutations of chromosome 5q21 genes
Abstract:
  No mutation was found in 12 normal tissues.
"""
ALLOWED = ["PMID:9065401", "PMID:1651563"]


def canonical(text: str) -> str | None:
    identifier = parse_identifier(text)
    return identifier.text if identifier else None


def bullet(
    quote: str = "Loss of APC activates beta-catenin-Tcf signaling",
    text: str = "Loss of APC activates beta-catenin-Tcf signaling.",
    citations: tuple[str, ...] = ("PMID:9065401",),
    **more: Any,
) -> SummaryBullet:
    values: dict[str, Any] = {
        "kind": "mechanism",
        "stance": "supports",
        "scope": "target",
        "system": "cell line",
        "basis": "functional",
        "alteration": "mutation",
        **more,
    }
    return SummaryBullet(text=text, quote=quote, citations=list(citations), **values)


@pytest.fixture
def ledger() -> Ledger:
    return Ledger("E")


def add(ledger: Ledger, *bullets: SummaryBullet, **more: Any) -> list[EvidenceItem]:
    values = {"allowed": ALLOWED, "canonical": canonical, "payload": PAYLOAD, **more}
    known = values["canonical"]
    records = passages(article_records(values["payload"]), values["allowed"], known)
    return ledger.add(check(bullets, records, "article_searcher", known), "c3")


def test_every_bullet_was_required_to_carry_at_least_one_citation(ledger: Ledger) -> None:
    items = add(
        ledger,
        bullet(),
        bullet(quote="found in 27 of 34 tumors", citations=()),
        bullet(quote="No mutation was found", citations=("PMID:99999999",)),
        bullet(quote="12 normal tissues", citations=("see above", "")),
    )
    assert [item.references for item in items] == [
        ["PMID:9065401"],
        ["PMID:9065401"],
        ["PMID:1651563"],
        ["PMID:1651563"],
    ]


def test_a_neighbours_paper_is_no_source_of_a_finding(ledger: Ledger) -> None:
    (item,) = add(ledger, bullet(citations=("PMID:1651563",)))
    assert item.references == ["PMID:9065401"]
    assert ledger.dropped == {"citation not allowed": 1}


def test_a_number_of_another_record_is_no_number_of_this_one(ledger: Ledger) -> None:
    assert add(ledger, bullet(text="Loss of APC was seen in 12 tumors.")) == []
    assert ledger.dropped == {"number not in the payload": 1}


def test_an_allowed_identifier_list_derived_from_previously_observed_references(
    ledger: Ledger,
) -> None:
    (item,) = add(ledger, bullet(citations=("PMID:9065401", "PMID:123", "NCT01234567")))
    assert item.references == ["PMID:9065401"]
    assert ledger.dropped == {"citation not allowed": 2}


@pytest.mark.parametrize(
    "citation",
    [
        "PMID:9065401",
        "PMID: 9065401",
        "pmid 9065401",
        "https://pubmed.ncbi.nlm.nih.gov/9065401/",
        "https://www.ncbi.nlm.nih.gov/pubmed/9065401",
    ],
)
def test_when_pubmed_links_were_present_they_were_converted_to_pmid_form(
    ledger: Ledger, citation: str
) -> None:
    (item,) = add(ledger, bullet(citations=(citation,)))
    assert item.references == ["PMID:9065401"] and not ledger.dropped


def test_pmids_are_preferred_over_equivalent_dois(ledger: Ledger) -> None:
    """The reference manager knows that both are one paper; the item names it once, by its PMID."""
    manager = ReferenceManager()
    allowed = manager.observe(PAYLOAD, "phase2", "article_searcher", "c3")

    def known(text: str) -> str | None:
        found = manager.resolve(text)
        return canonical(f"PMID:{found.id}") if found else canonical(text)

    doi = "10.1126/SCIENCE.275.5307.1784"
    (item,) = add(ledger, bullet(citations=(doi, "PMID:9065401")), allowed=allowed, canonical=known)
    assert item.references == ["PMID:9065401"] and not ledger.dropped


def test_when_no_approved_identifiers_were_available_the_tool_labels_the_evidence(
    ledger: Ledger,
) -> None:
    (item,) = add(ledger, bullet(citations=("TOOL:article_searcher",)), allowed=[])
    assert item.references == ["TOOL:article_searcher"] and not ledger.dropped


def test_the_label_names_the_tool_that_answered_whatever_the_model_says(ledger: Ledger) -> None:
    (item,) = add(ledger, bullet(citations=("TOOL:gene_getter",)), allowed=[])
    assert item.references == ["TOOL:article_searcher"]


def test_citations_are_kept_in_order_and_once(ledger: Ledger) -> None:
    cited = ("PMID:15355978", "UniProt:P25054", "PMID: 15355978", "PMID:1651563")
    statement = "Loss of APC activates beta-catenin-Tcf signaling (PMID:15355978)."
    payload = json.dumps({"accession": "P25054", "function": [statement, "Binds (PMID:1651563)."]})
    allowed = ["UniProt:P25054", "PMID:15355978", "PMID:1651563"]
    (item,) = add(ledger, bullet(citations=cited), payload=payload, allowed=allowed)
    assert item.references == ["PMID:15355978", "UniProt:P25054"]


# The quote and the numbers.


@pytest.mark.parametrize(
    ("quote", "text", "reason"),
    [
        ("Loss of APC inactivates signaling", "x", "quote not in the payload"),
        ("", "x", "quote not in the payload"),
        ("Loss of APC", " \n", "quote not in the payload"),
        ("found in 27 of 34 tumors", "Found in 72 of 34.", "number not in the payload"),
        ("found in 27 of 34 tumors", "Found in 79% of tumors.", "number not in the payload"),
    ],
)
def test_a_bullet_that_its_payload_does_not_carry_is_dropped_and_counted(
    ledger: Ledger, quote: str, text: str, reason: str
) -> None:
    assert add(ledger, bullet(quote=quote, text=text), bullet(quote=quote, text=text)) == []
    assert ledger.items == [] and ledger.dropped == {reason: 2}


def test_a_quote_across_a_wrapped_line_holds(ledger: Ledger) -> None:
    (item,) = add(ledger, bullet(quote=" Loss of APC activates beta-catenin-Tcf signaling. "))
    assert item.quote == "Loss of APC activates beta-catenin-Tcf signaling."


def test_an_item_keeps_what_the_summarizer_found(ledger: Ledger) -> None:
    (item,) = add(
        ledger,
        bullet(
            quote="No mutation was found in 12 normal tissues",
            text="No mutation was\nfound in 12  normal tissues.",
            citations=("PMID:1651563",),
            kind="null_result",
            stance="refutes",
            scope="other",
            basis="clinical",
        ),
    )
    assert item == EvidenceItem(
        id="E1",
        statement="No mutation was found in 12 normal tissues.",
        quote="No mutation was found in 12 normal tissues",
        references=["PMID:1651563"],
        call="c3",
        kind=Kind.NULL_RESULT,
        stance=Stance.REFUTES,
        scope=Scope.OTHER,
        system="cell line",  # type: ignore[arg-type]
        basis=Basis.CLINICAL,
        alteration="mutation",  # type: ignore[arg-type]
    )


# Numbering and repetition.


def test_items_are_numbered_in_order_without_gaps() -> None:
    ledger = Ledger("F")
    add(ledger, bullet(), bullet(quote="nowhere"), bullet(quote="found in 27 of 34 tumors"))
    assert [item.id for item in ledger.items] == ["F1", "F2"]


def test_the_same_finding_of_the_same_paper_is_one_item(ledger: Ledger) -> None:
    first = add(ledger, bullet())
    again = add(ledger, bullet(text="APC loss turns on Tcf."), bullet(quote="found in 27 of 34"))
    assert again[0] is first[0] and [item.id for item in again] == ["E1", "E2"]
    assert [item.id for item in ledger.items] == ["E1", "E2"]


def test_the_same_words_of_another_paper_are_another_item(ledger: Ledger) -> None:
    add(ledger, bullet())
    other = PAYLOAD.replace("9065401", "2188735").replace("10.1126/science.275.5307.1784", "")
    add(ledger, bullet(citations=()), payload=other, allowed=["PMID:2188735", "PMID:1651563"])
    assert [item.references for item in ledger.items] == [["PMID:9065401"], ["PMID:2188735"]]


# Null results.


def test_null_results_were_explicitly_recorded(ledger: Ledger) -> None:
    item = ledger.add_null(
        "A search found no article (genes: APC).", "No articles found", "c9", "article_searcher"
    )
    assert (item.kind, item.stance, item.references) == (
        Kind.NULL_RESULT,
        Stance.NEUTRAL,
        ["TOOL:article_searcher"],
    )
    assert (item.id, item.call, item.quote) == ("E1", "c9", "No articles found")


def test_two_empty_searches_are_two_null_results_and_a_repeated_one_is_one(
    ledger: Ledger,
) -> None:
    one = ledger.add_null("No article (genes: APC).", "No articles found", "c1", "searcher")
    two = ledger.add_null("No article (genes: TP53).", "No articles found", "c2", "searcher")
    again = ledger.add_null("No article (genes:  APC).", "No articles found", "c3", "searcher")
    assert one is again and one is not two and len(ledger.items) == 2


def test_a_neighbours_database_record_is_no_source(ledger: Ledger) -> None:
    text = "APC loss causes polyposis."
    other = {"nct_id": "NCT01234567", "text": "KRAS was studied."}
    payload = json.dumps({"results": [{"title": "On APC", "text": text}, other]})
    (item,) = add(ledger, bullet(text=text, quote=text), payload=payload, allowed=["NCT01234567"])
    assert item.references == ["TOOL:article_searcher"]
