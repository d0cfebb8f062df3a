"""Protein answers: the right entry is chosen, and condensed by the configured caps."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.config.settings import UniprotSettings
from intogen_agent.evidence.uniprot import FUNCTION_STATEMENTS, condense, select_entry

CATEGORIES = [
    "isoforms",
    "domains",
    "motifs",
    "subcellular_locations",
    "interactions",
    "modifications",
]
ALL = UniprotSettings(**dict.fromkeys(CATEGORIES, 10_000))  # type: ignore[arg-type]


def recorded(shared_data: Path, name: str) -> str:
    folder = shared_data / "payloads" / "tool_outputs" / "augmented_nature_uniprot"
    value = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    text: str = value["result"]["content"][0]["text"]
    return text


@pytest.fixture(scope="module")
def app(shared_data: Path) -> dict[str, Any]:
    """The full entry of APP, 1 MB."""
    text = recorded(shared_data, "search_by_gene_APP_full_real_entry")
    entry, why = select_entry(text, "APP", "human")
    assert entry is not None and why == ""
    return entry


# Choosing.


@pytest.mark.parametrize(
    ("name", "symbol", "accession"),
    [
        ("search_by_gene_APP_full_real_entry", "APP", "P05067"),
        ("search_by_gene_APP_full_real_entry", "app", "P05067"),
        ("search_by_gene_BRAF_small_real_entry", "BRAF", "P15056"),
        ("search_by_gene_TP53_human_featuresonly_upstream", "TP53", "P04637"),
    ],
)
def test_the_entry_of_a_gene_is_chosen(
    shared_data: Path, name: str, symbol: str, accession: str
) -> None:
    entry, why = select_entry(recorded(shared_data, name), symbol, "human")
    assert entry is not None and why == "" and entry["primaryAccession"] == accession
    protein = condense(entry, UniprotSettings())
    assert protein.accession == accession and protein.reviewed
    assert protein.organism == "Homo sapiens" and protein.name


@pytest.mark.parametrize(
    ("name", "symbol", "organism", "why"),
    [
        ("search_by_gene_BRAF_small_real_entry", "RAFB1", "human", "no human entry with the prim"),
        ("search_by_gene_BRAF_small_real_entry", "BRAF", "mouse", "no mouse entry with the prim"),
        ("search_by_gene_taxid_as_organism_empty", "TP53", "human", "TP53 among 0"),
        ("get_protein_info_inactive", "X", "human", "the answer holds no results"),
        ("get_protein_info_default_format_bug", "BRAF", "human", "not a UniProt result"),
        ("get_protein_info_404", "BRAF", "human", "not a UniProt result"),
    ],
)
def test_another_gene_organism_or_no_entry_is_refused_with_the_reason(
    shared_data: Path, name: str, symbol: str, organism: str, why: str
) -> None:
    entry, reason = select_entry(recorded(shared_data, name), symbol, organism)
    assert entry is None and why in reason


@pytest.mark.parametrize("name", ["noResults", "deletedEntryModelData", "demergedEntryModelData"])
def test_inactive_entries_and_empty_results_are_refused(shared_data: Path, name: str) -> None:
    path = shared_data / "payloads" / "uniprot" / f"{name}.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    text = json.dumps(value if "results" in value else {"results": [value]})
    entry, why = select_entry(text, "APP", "human")
    assert entry is None and why


REVIEWED, UNREVIEWED = "UniProtKB reviewed (Swiss-Prot)", "UniProtKB unreviewed (TrEMBL)"


def made(
    symbol: str = "APC",
    kind: str = REVIEWED,
    organism: str = "Homo sapiens",
    accession: str = "P25054",
    *others: str,
) -> dict[str, Any]:
    return {
        "entryType": kind,
        "primaryAccession": accession,
        "organism": {"scientificName": organism},
        "genes": [{"geneName": {"value": name}} for name in (symbol, *others)],
    }


@pytest.mark.parametrize(
    ("entries", "accession"),
    [
        ([made(kind=UNREVIEWED, accession="A0A1"), made()], "P25054"),
        ([made(), made(kind=UNREVIEWED, accession="A0A1")], "P25054"),
        ([made("APC2", accession="O95996"), made()], "P25054"),
        ([made(organism="Mus musculus", accession="Q61315"), made()], "P25054"),
        ([made(kind="Inactive"), made(kind=UNREVIEWED, accession="A0A1")], "A0A1"),
        ([made("apc")], "P25054"),
        (
            [made("H3C1", "UniProtKB reviewed (Swiss-Prot)", "Homo sapiens", "P68431", "APC")],
            "P68431",
        ),
        ([made(kind="Local record")], "P25054"),
        ([made(organism="Mus musculus")], None),
        ([made("APC2")], None),
        ([made(kind="Inactive")], None),
        ([], None),
    ],
)
def test_the_reviewed_human_entry_with_the_primary_symbol_wins(
    entries: list[dict[str, Any]], accession: str | None
) -> None:
    entry, why = select_entry(json.dumps({"results": entries}), "APC", "human")
    assert (entry and entry["primaryAccession"]) == accession
    assert (why == "") == (accession is not None)


def test_a_synonym_is_no_primary_symbol() -> None:
    entry = made("TTC3")
    entry["genes"][0]["synonyms"] = [{"value": "APC"}]
    assert select_entry(json.dumps({"results": [entry]}), "APC", "human")[0] is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", "null", '"<html>"', "{", '{"results": null}', '{"results": {}}', "[" * 9999],
)
def test_an_answer_of_another_shape_is_refused(text: str) -> None:
    entry, why = select_entry(text, "APC", "human")
    assert entry is None and why


def test_text_that_is_not_from_uniprot_has_no_accession() -> None:
    protein = condense(made(kind="Local record"), UniprotSettings())
    assert protein.accession is None and not protein.reviewed


# Condensing the full entry.


def test_the_default_caps_hold_on_a_full_entry(app: dict[str, Any]) -> None:
    protein = condense(app, UniprotSettings())
    assert len(json.dumps(protein.model_dump())) < 20_000
    assert protein.name == "Amyloid-beta precursor protein"
    assert protein.isoforms[0] == "APP770 (P05067-1)" and len(protein.isoforms) == 5
    assert protein.domains == ["E1 (28-189)", "BPTI/Kunitz inhibitor (291-341)", "E2 (374-565)"]
    assert protein.motifs[0].startswith("OX-2 (344-365)")
    assert len(protein.interactions) == 10 and len(protein.subcellular_locations) == 6
    assert 1 <= len(protein.function) <= FUNCTION_STATEMENTS


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("cap", [0, 1, 2])
def test_a_cap_bounds_its_category_and_zero_disables_it(
    app: dict[str, Any], category: str, cap: int
) -> None:
    full = condense(app, ALL)
    capped = condense(app, ALL.model_copy(update={category: cap}))
    everything: list[str] = getattr(full, category)
    assert everything and getattr(capped, category) == everything[:cap]
    assert capped.model_dump(exclude={category}) == full.model_dump(exclude={category})
    assert len(set(everything)) == len(everything)


def texts(protein: Any) -> list[str]:
    return [
        text for value in protein.model_dump().values() if isinstance(value, list) for text in value
    ]


def test_references_are_kept_or_stripped(app: dict[str, Any]) -> None:
    with_refs, without = (
        texts(condense(app, ALL.model_copy(update={"include_sub_refs": keep})))
        for keep in (True, False)
    )
    assert len(with_refs) >= len(without)
    assert any(re.search(r"\(PMID:\d+(, PMID:\d+)*\)$", text) for text in with_refs)
    assert not any(re.search(r"PMID|PubMed", text) for text in without)
    assert not any("PubMed:" in text for text in with_refs)
    stripped = [re.sub(r" \(PMID:\d+(, PMID:\d+)*\)$", "", text) for text in with_refs]
    assert set(stripped) == set(without)


def test_every_kept_reference_is_one_of_the_entry(app: dict[str, Any]) -> None:
    kept = {pmid for text in texts(condense(app, ALL)) for pmid in re.findall(r"PMID:(\d+)", text)}
    payload = json.dumps(app)
    assert len(kept) > 50 and all(f'"{pmid}"' in payload for pmid in kept)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Binds actin (PubMed:123).", "Binds actin."),
        ("Binds actin (PubMed:1, PubMed:22). Moves (PubMed:3).", "Binds actin. Moves."),
        ("Binds Cu(2+) (By similarity).", "Binds Cu(2+) (By similarity)."),
        ("(PubMed:1)", None),
        ("", None),
    ],
)
def test_inline_references_leave_the_text(value: str, shown: str | None) -> None:
    entry = {**made(), "comments": [{"commentType": "FUNCTION", "texts": [{"value": value}]}]}
    assert condense(entry, ALL).function == ([shown] if shown else [])


def test_only_papers_are_references() -> None:
    evidences = [
        {"source": "PubMed", "id": "9065401"},
        {"source": "PubMed", "id": "9065401"},
        {"source": "PROSITE-ProRule", "id": "PRU01217"},
        {"source": "PubMed", "id": "x"},
        {"source": "PubMed", "id": None},
        {},
    ]
    comment = {"commentType": "PTM", "texts": [{"value": "Phosphorylated", "evidences": evidences}]}
    protein = condense({**made(), "comments": [comment]}, ALL)
    assert protein.modifications == ["Phosphorylated (PMID:9065401)"]


KEYS = [
    "value",
    "genes",
    "geneName",
    "organism",
    "scientificName",
    "comments",
    "texts",
    "commentType",
    "features",
    "type",
    "location",
    "evidences",
    "isoforms",
    "name",
]
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
KINDS = ["FUNCTION", "SUBUNIT", "PTM", "DOMAIN", "SUBCELLULAR LOCATION", "INTERACTION"]
ODD = st.fixed_dictionaries(
    {},
    optional={
        "entryType": ANY,
        "primaryAccession": ANY,
        "organism": ANY | st.just({"scientificName": "Homo sapiens"}),
        "genes": ANY | st.just([{"geneName": {"value": "APC"}}]),
        "proteinDescription": ANY,
        "comments": st.lists(
            st.fixed_dictionaries(
                {"commentType": st.sampled_from([*KINDS, "ALTERNATIVE PRODUCTS"])},
                optional={
                    "texts": ANY,
                    "isoforms": ANY,
                    "subcellularLocations": ANY,
                    "interactions": ANY,
                },
            )
            | ANY,
            max_size=3,
        )
        | ANY,
        "features": ANY,
    },
)


@given(results=st.lists(ODD | ANY, max_size=3))
def test_no_shape_of_an_answer_breaks_the_reader(results: list[Any]) -> None:
    entry, why = select_entry(json.dumps({"results": results}), "APC", "human")
    assert (entry is None) == (why != "")
    for result in results:
        if isinstance(result, dict):
            condense(result, ALL)
