"""Who a gene is, settled from both records; what they disagree on is said."""

from dataclasses import replace

import pytest
from uniprot_shapes import Made

from intogen_agent.evidence.gene_identity import (
    ProteinIdentity,
    protein_identity,
    settle_identity,
)
from intogen_agent.evidence.gene_record import GeneRecord

RECORD = GeneRecord(
    symbol="APC",
    name="APC regulator of WNT signaling pathway",
    entrez_id="324",
    hgnc_id="HGNC:583",
    ensembl_id="ENSG00000134982",
    uniprot="P25054",
    aliases=["DP2", "DP2.5"],
    previous=["OLD1"],
)
ENTRY = ProteinIdentity(
    accession="P25054",
    reviewed=True,
    name="Adenomatous polyposis coli protein",
    former=["Q15162"],
    hgnc=["HGNC:583"],
    entrez=["324"],
    ensembl=["ENSG00000134982"],
    aliases=["dp2.5", "GS"],
)
FIELDS = ["hgnc_id", "entrez_id", "ensembl_id"]
LISTS = {"hgnc_id": "hgnc", "entrez_id": "entrez", "ensembl_id": "ensembl"}


def test_two_records_that_agree_make_one_identity_without_a_note() -> None:
    settled = settle_identity("APC", RECORD, ENTRY)
    assert settled.gene.model_dump() == {
        "symbol": "APC",
        "name": "APC regulator of WNT signaling pathway",
        "hgnc_id": "HGNC:583",
        "entrez_id": "324",
        "ensembl_id": "ENSG00000134982",
        "uniprot": "P25054",
        "aliases": ["DP2", "DP2.5", "GS"],
    }
    assert settled.notes == []
    assert settled.sources == {
        **dict.fromkeys(["name", *FIELDS], "gene record"),
        "uniprot": "protein record",
    }


def test_the_symbol_that_was_asked_for_is_kept_and_the_present_one_is_an_alias() -> None:
    gene = settle_identity("OLD1", RECORD, None).gene
    assert gene.symbol == "OLD1" and gene.aliases == ["APC", "DP2", "DP2.5"]


def test_without_any_record_only_the_symbol_is_known() -> None:
    settled = settle_identity("APC", None, None)
    assert settled.gene.model_dump(exclude_defaults=True) == {"symbol": "APC"}
    assert settled.sources == {} and settled.notes == []


@pytest.mark.parametrize("name", FIELDS)
def test_an_identifier_that_the_gene_record_lacks_comes_from_the_entry(name: str) -> None:
    settled = settle_identity("APC", replace(RECORD, **{name: None}), ENTRY)
    assert getattr(settled.gene, name) == getattr(RECORD, name)
    assert settled.sources[name] == "protein record" and settled.notes == []


@pytest.mark.parametrize("name", FIELDS)
def test_a_conflict_is_said_and_the_gene_record_stands(name: str) -> None:
    settled = settle_identity("APC", RECORD, replace(ENTRY, **{LISTS[name]: ["other"]}))
    kept = getattr(RECORD, name)
    assert getattr(settled.gene, name) == kept
    assert settled.notes == [
        f"{name}: the gene record says {kept}, the protein record other; {kept} is kept"
    ]


@pytest.mark.parametrize("name", FIELDS)
def test_one_of_several_identifiers_is_never_guessed(name: str) -> None:
    several = replace(ENTRY, **{LISTS[name]: ["a", "b"]})
    settled = settle_identity("H3C2", None, several)
    assert getattr(settled.gene, name) is None and name not in settled.sources
    assert settled.notes == [f"{name}: the protein record names a, b; none is kept"]
    among = replace(ENTRY, **{LISTS[name]: ["a", getattr(RECORD, name)]})
    assert settle_identity("APC", RECORD, among).notes == []


def test_the_reviewed_entry_decides_the_accession_and_the_difference_is_said() -> None:
    settled = settle_identity("APC", replace(RECORD, uniprot="Q99999"), ENTRY)
    assert settled.gene.uniprot == "P25054"
    assert settled.notes == [
        "uniprot: the gene record says Q99999, the reviewed entry is P25054; P25054 is kept"
    ]


def test_an_accession_that_was_merged_into_the_entry_is_no_conflict() -> None:
    settled = settle_identity("APC", replace(RECORD, uniprot="Q15162"), ENTRY)
    assert settled.gene.uniprot == "P25054" and settled.notes == []


def test_an_unreviewed_entry_never_displaces_the_accession_of_the_gene_record() -> None:
    unreviewed = replace(ENTRY, accession="A0A1", reviewed=False)
    settled = settle_identity("APC", RECORD, unreviewed)
    assert settled.gene.uniprot == "P25054" and settled.sources["uniprot"] == "gene record"
    assert "the unreviewed entry is A0A1; P25054 is kept" in settled.notes[0]
    assert settle_identity("APC", None, unreviewed).gene.uniprot == "A0A1"


def test_an_isoforms_entry_gives_the_proteins_accession() -> None:
    assert protein_identity(Made(accession="P25054-2").rest(), "APC").accession == "P25054"


def test_a_record_that_is_not_uniprots_gives_no_accession() -> None:
    assert protein_identity(Made(kind="Local note").rest(), "APC").accession is None


def test_of_several_genes_of_a_protein_the_own_ones_ids_and_synonyms_count() -> None:
    entry = Made("H3C1", accession="P68431", synonyms=["H3FA"], hgnc="HGNC:4766").rest()
    entry["genes"].append({"geneName": {"value": "H3C2"}, "synonyms": [{"value": "H3FL"}]})
    entry["uniProtKBCrossReferences"].append(
        {
            "database": "HGNC",
            "id": "HGNC:4776",
            "properties": [{"key": "GeneName", "value": "H3C2"}],
        }
    )
    identity = protein_identity(entry, "H3C2")
    assert identity.hgnc == ["HGNC:4776"] and identity.aliases == ["H3FL"]
