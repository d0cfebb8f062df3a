"""Which entry of a protein answer is the gene's, and why the others are not."""

import json
from pathlib import Path

import pytest
from uniprot_shapes import MOUSE, UNREVIEWED, Made, recorded, search

from intogen_agent.evidence.uniprot_choice import organism_name, select_entry

INACTIVE = {"entryType": "Inactive", "primaryAccession": "Q00007"}


def chosen(text: str, symbol: str = "APC", organism: str = "human") -> str | None:
    entry = select_entry(text, symbol, organism).entry
    return entry["primaryAccession"] if entry else None


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
    text = recorded(shared_data, f"augmented_nature_uniprot/{name}")
    assert chosen(text, symbol) == accession


@pytest.mark.parametrize(
    ("name", "symbol", "organism", "why"),
    [
        (
            "search_by_gene_BRAF_small_real_entry",
            "RAFB1",
            "human",
            "P15056 is of BRAF, which has RAFB1 only as a synonym",
        ),
        ("search_by_gene_BRAF_small_real_entry", "BRAF", "mouse", "1 of Homo sapiens"),
        ("search_by_gene_taxid_as_organism_empty", "TP53", "human", "holds no results"),
        ("get_protein_info_inactive", "X", "human", "I8FBX0 is inactive (deleted)"),
        ("get_protein_info_default_format_bug", "BRAF", "human", "not a UniProt result"),
        ("get_protein_info_404", "BRAF", "human", "not a UniProt result"),
    ],
)
def test_another_gene_organism_or_no_entry_is_refused_with_the_reason(
    shared_data: Path, name: str, symbol: str, organism: str, why: str
) -> None:
    text = recorded(shared_data, f"augmented_nature_uniprot/{name}")
    choice = select_entry(text, symbol, organism)
    assert choice.entry is None and why in choice.reason


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("noResults", "holds no results"),
        ("deletedEntryModelData", "I8FBX0 is inactive (deleted)"),
        ("demergedEntryModelData", "Q00007 is inactive (demerged into P63151, P63150)"),
    ],
)
def test_inactive_entries_and_empty_results_are_refused(
    shared_data: Path, name: str, why: str
) -> None:
    text = (shared_data / "payloads" / "uniprot" / f"{name}.json").read_text(encoding="utf-8")
    choice = select_entry(text, "APP", "human")
    assert choice.entry is None and why in choice.reason


@pytest.mark.parametrize(
    ("proteins", "accession"),
    [
        ([Made(kind=UNREVIEWED, accession="A0A1"), Made()], "P25054"),
        ([Made(), Made(kind=UNREVIEWED, accession="A0A1")], "P25054"),
        ([Made(accession="P25054-2"), Made()], "P25054"),
        ([Made(kind=UNREVIEWED, accession="A0A1"), Made(accession="P25054-2")], "P25054-2"),
        ([Made("APC2", accession="O95996"), Made()], "P25054"),
        ([Made(organism=MOUSE, accession="Q61315"), Made()], "P25054"),
        ([Made("apc")], "P25054"),
        ([Made(kind="Local record")], "P25054"),
        ([Made(organism=MOUSE)], None),
        ([Made("APC2")], None),
        ([], None),
    ],
)
def test_the_reviewed_human_entry_with_the_primary_symbol_wins(
    proteins: list[Made], accession: str | None
) -> None:
    assert chosen(search(*proteins)) == accession


def test_an_inactive_entry_never_wins() -> None:
    live = Made(kind=UNREVIEWED, accession="A0A1").rest()
    assert chosen(json.dumps({"results": [INACTIVE, live]})) == "A0A1"
    assert chosen(json.dumps(INACTIVE)) is None


def test_one_protein_of_several_genes_is_each_genes() -> None:
    entry = Made("H3C1", accession="P68431").rest()
    entry["genes"].append({"geneName": {"value": "H3C2"}})
    assert chosen(json.dumps({"results": [entry]}), "H3C2") == "P68431"


@pytest.mark.parametrize(("owner", "alias"), [("TYMP", "SCO2"), ("CD40LG", "IGM")])
def test_an_alias_hit_on_another_genes_entry_is_rejected_and_said_so(
    owner: str, alias: str
) -> None:
    choice = select_entry(search(Made(owner, accession="P19971", synonyms=[alias])), alias, "human")
    assert choice.entry is None
    assert f"P19971 is of {owner}, which has {alias} only as a synonym" in choice.reason
    both = search(
        Made(owner, accession="P19971", synonyms=[alias]), Made(alias, accession="O43819")
    )
    assert chosen(both, alias) == "O43819"


def test_all_reviewed_products_of_a_gene_are_told_and_the_gene_record_decides_between_them() -> (
    None
):
    p16 = Made("CDKN2A", accession="P42771", name="Cyclin-dependent kinase inhibitor 2A")
    arf = Made("CDKN2A", accession="Q8N726", name="Tumor suppressor ARF")
    text = search(arf, p16, Made("CDKN2A", kind=UNREVIEWED, accession="A0A1"))
    choice = select_entry(text, "CDKN2A", "human", known="P42771")
    assert choice.entry is not None and choice.entry["primaryAccession"] == "P42771"
    assert [entry["primaryAccession"] for entry in choice.others] == ["Q8N726"]
    assert choice.notes == [
        "CDKN2A has further reviewed entries beside P42771: Q8N726 (Tumor suppressor ARF)"
    ]
    assert chosen(text, "CDKN2A") == "Q8N726"


def test_an_unreviewed_or_isoform_entry_is_said_to_be_one() -> None:
    unreviewed = select_entry(search(Made(kind=UNREVIEWED, accession="A0A1")), "APC", "human")
    assert unreviewed.notes == ["no reviewed entry was in the answer: A0A1 is unreviewed"]
    isoform = select_entry(search(Made(accession="P25054-2")), "APC", "human")
    assert isoform.notes == ["P25054-2 is the entry of one isoform"]


def test_a_taxonomy_number_outweighs_a_name() -> None:
    assert chosen(search(Made(organism=("Homo sapiens", "Human", 63221)))) is None
    nameless = Made().rest() | {"organism": {"taxonId": 9606}}
    assert chosen(json.dumps(nameless)) == "P25054"


# The mouse's rule.


@pytest.mark.parametrize(
    ("human", "mouse", "found"),
    [
        ("APC", "Apc", True),
        ("APC", "Apc2", False),
        ("TP53", "Trp53", True),
        ("TP53", "Tp53", True),
        ("TP63", "Trp63", True),
        ("TP73", "Trp73", True),
        ("TP53", "Trp63", False),
        ("TP53BP1", "Trp53bp1", True),
        ("TPM1", "Trpm1", False),
        ("H3C2", "h3c2", True),
    ],
)
def test_a_mouse_entry_counts_by_its_symbol_case_apart(human: str, mouse: str, found: bool) -> None:
    text = search(Made(mouse, organism=MOUSE, accession="Q61315"))
    assert (chosen(text, human, "mouse") is not None) == found
    assert chosen(text, human, "human") is None


def test_a_synonym_of_a_mouse_entry_does_not_count() -> None:
    text = search(Made("Zfp750", organism=MOUSE, accession="Q8BH05", synonyms=["Znf750"]))
    choice = select_entry(text, "ZNF750", "mouse")
    assert choice.entry is None and "Zfp750, which has ZNF750 only as a synonym" in choice.reason


def test_the_p53_familys_mouse_spelling_is_no_human_symbol() -> None:
    assert chosen(search(Made("TRP53")), "TP53") is None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("human", "human"),
        ("Homo  sapiens", "human"),
        (9606, "human"),
        ("9606", "human"),
        ("Mus musculus", "mouse"),
        ("MOUSE", "mouse"),
        ("10090", "mouse"),
        ("Rattus norvegicus", "rattus norvegicus"),
    ],
)
def test_organisms_have_one_name(said: object, name: str) -> None:
    assert organism_name(said) == name
