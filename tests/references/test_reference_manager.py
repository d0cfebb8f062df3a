"""The reference manager: merging, first places, order, resolution."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.models import FirstSeen, OtherId, TrackedReference
from intogen_agent.evidence.payload_merge import Found, merge
from intogen_agent.evidence.references import Identifier, ReferenceManager


def observed(*payloads: Any) -> ReferenceManager:
    manager = ReferenceManager()
    for number, payload in enumerate(payloads, start=1):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        manager.observe(text, "phase2", f"tool{number}", f"c{number}")
    return manager


def test_observe_returns_canonical_identifiers_in_order() -> None:
    manager = ReferenceManager()
    text = "PMID: 2 and https://pubmed.ncbi.nlm.nih.gov/1/ (NCT01245062), again PMID:2"
    assert manager.observe(text, "phase2", "t", "c1") == ["PMID:2", "PMID:1", "NCT01245062"]
    assert manager.observe("PMID:1", "phase2", "t", "c2") == ["PMID:1"]
    assert manager.observe("nothing", "phase2", "t", "c3") == []
    assert manager.allowed() == ["PMID:2", "PMID:1", "NCT01245062"]


def test_a_paper_seen_by_its_doi_is_completed_later() -> None:
    manager = observed(
        {"doi": "10.1126/Science.1", "title": "First said"},
        {"pmid": 9065401, "doi": "10.1126/science.1", "title": "Later", "journal": "Science"},
        {"pmid": 9065401, "pmcid": "PMC77", "year": 1997, "retracted": True},
    )
    [reference] = manager.tracked()
    assert (reference.kind, reference.id) == ("pmid", "9065401")
    assert reference.url == "https://pubmed.ncbi.nlm.nih.gov/9065401/"
    assert reference.also == [
        OtherId(kind="doi", id="10.1126/science.1"),
        OtherId(kind="pmcid", id="PMC77"),
    ]
    assert (reference.title, reference.journal, reference.year) == ("First said", "Science", 1997)
    assert reference.retracted
    assert reference.first_seen == FirstSeen(stage="phase2", tool="tool1", call="c1")
    assert manager.allowed() == ["PMID:9065401"]


@pytest.mark.parametrize(
    "written",
    [
        "PMID:9065401",
        "pmid 9065401",
        "https://www.ncbi.nlm.nih.gov/pubmed/9065401",
        "DOI:10.1126/SCIENCE.1",
        "https://doi.org/10.1126/science.1",
        "PMC77",
    ],
)
def test_any_identifier_of_a_paper_resolves_to_it(written: str) -> None:
    manager = observed({"pmid": 9065401, "doi": "10.1126/science.1", "pmcid": "PMC77"})
    reference = manager.resolve(written)
    assert reference is not None
    assert reference.id == "9065401"


@pytest.mark.parametrize("text", ["PMID:2", "nonsense", "TOOL:tool1", "UniProt:P25054"])
def test_what_was_not_seen_does_not_resolve(text: str) -> None:
    assert observed({"pmid": 1}).resolve(text) is None


def test_a_refused_identifier_in_an_error_is_not_seen() -> None:
    manager = observed([{"error": "Invalid identifier format: PMC11193658."}])
    assert manager.tracked() == []


def test_database_records_carry_source_and_accession() -> None:
    [reference] = observed("UniProt: P25054").tracked()
    assert (reference.kind, reference.id) == ("database", "UniProt:P25054")
    assert (reference.database, reference.record_id) == ("UniProt", "P25054")
    assert reference.url == "https://www.uniprot.org/uniprotkb/P25054/entry"


def test_a_preprint_and_its_paper_stay_two() -> None:
    manager = observed(
        {"doi": "10.1101/2020.01.02.123456", "title": "Same title"},
        {"pmid": 1, "doi": "10.1038/x", "title": "Same title"},
    )
    assert manager.allowed() == ["DOI:10.1101/2020.01.02.123456", "PMID:1"]


def test_a_preprints_doi_given_to_the_paper_does_not_displace_the_papers() -> None:
    manager = observed(
        {"pmid": 1, "doi": "10.1101/2020.01.02.123456"}, {"pmid": 1, "doi": "10.1158/x"}
    )
    assert manager.allowed() == ["PMID:1", "DOI:10.1101/2020.01.02.123456"]
    assert manager.tracked()[0].also == [OtherId(kind="doi", id="10.1158/x")]


def test_two_papers_with_one_doi_stay_two() -> None:
    manager = observed({"pmid": 2, "doi": "10.1038/x"}, {"pmid": 1, "doi": "10.1038/x"})
    assert manager.allowed() == ["PMID:2", "PMID:1"]


def test_a_page_that_several_papers_give_is_no_papers_own() -> None:
    page = "https://journal.org/"
    manager = observed({"pmid": 1, "url": page}, {"doi": "10.1038/x", "url": page})
    assert manager.allowed() == ["PMID:1", page, "DOI:10.1038/x"]
    assert observed({"pmid": 1, "url": page}).resolve(page) == observed(
        {"pmid": 1, "url": page}
    ).resolve("PMID:1")


def test_phase_1_goes_into_phase_2_and_keeps_its_places() -> None:
    first = ReferenceManager()
    first.observe("UniProt: P25054 (PMID:9065401)", "phase1", "search_by_gene", "c1")
    second = ReferenceManager(first.tracked())
    assert second.observe('{"pmid": 9065401, "doi": "10.1126/x"}', "phase2", "t", "c9") == [
        "PMID:9065401"
    ]
    assert second.allowed() == ["UniProt:P25054", "PMID:9065401"]
    [record, paper] = second.tracked()
    assert paper.first_seen == FirstSeen(stage="phase1", tool="search_by_gene", call="c1")
    assert paper.also == [OtherId(kind="doi", id="10.1126/x")]
    assert record == first.tracked()[0]


def test_tracked_references_go_in_and_out_unchanged() -> None:
    references = observed(
        {"pmid": 1, "doi": "10.1038/x", "title": "T", "url": "https://journal.org/7"},
        "HGNC:583 https://example.org/a NCT01245062 PMC128915 doi:10.1038/nature12213",
    ).tracked()
    assert len(references) == 6
    assert ReferenceManager(references).tracked() == references


def test_a_reference_that_is_none_is_refused() -> None:
    seen = FirstSeen(stage="phase1", tool="t", call="c")
    with pytest.raises(ValueError, match="PMC1"):
        ReferenceManager([TrackedReference(kind="pmid", id="PMC1", first_seen=seen)]).tracked()


_PMIDS = st.integers(1, 4).map(lambda number: Identifier("pmid", str(number)))
_DOIS = st.sampled_from(["10.1038/a", "10.1038/b", "10.1101/123456", "10.1038/c"]).map(
    lambda doi: Identifier("doi", doi)
)
_PMCIDS = st.integers(1, 3).map(lambda number: Identifier("pmcid", f"PMC{number}"))
_URLS = st.integers(1, 2).map(lambda number: Identifier("url", f"https://example.org/{number}"))
_FOUND = (
    st.tuples(*(st.one_of(st.none(), one) for one in (_PMIDS, _DOIS, _PMCIDS, _URLS)))
    .map(lambda ids: tuple(one for one in ids if one))
    .filter(bool)
    .map(Found)
)


@given(st.lists(_FOUND, max_size=12), st.randoms(use_true_random=False))
def test_which_identifiers_go_together_does_not_depend_on_the_order(
    findings: list[Found], random: random.Random
) -> None:
    shuffled = findings.copy()
    random.shuffle(shuffled)
    assert {merged.found.ids for merged in merge(findings)} == {
        merged.found.ids for merged in merge(shuffled)
    }


@given(st.lists(_FOUND, max_size=12))
def test_merging_loses_nothing_and_gives_a_paper_one_identifier_of_each_kind(
    findings: list[Found],
) -> None:
    merged = [one.found.ids for one in merge(findings)]
    flat = [identifier for ids in merged for identifier in ids]
    assert len(flat) == len(set(flat))
    assert set(flat) == {identifier for finding in findings for identifier in finding.ids}
    for ids in merged:
        kinds = [identifier.kind for identifier in ids if identifier.kind != "url"]
        assert kinds == [kind for kind in ("pmid", "doi", "pmcid") if kind in kinds]
    firsts = [one.first for one in merge(findings)]
    assert firsts == sorted(firsts)


@given(st.lists(st.integers(1, 30), min_size=1))
def test_order_is_that_of_first_appearance(numbers: list[int]) -> None:
    manager = observed(*({"pmid": number} for number in numbers))
    assert manager.allowed() == [f"PMID:{number}" for number in dict.fromkeys(numbers)]
