"""HGNC's genes and UniProt's entries as a store's records."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from public_services import entry, hgnc_doc

from intogen_agent.fetch.hgnc import HgncGene, Nomenclature, read_complete_set
from intogen_agent.fetch.uniprot import _record


def complete_set(*docs: dict[str, Any]) -> str:
    return json.dumps({"responseHeader": {"status": 0}, "response": {"docs": docs}}, indent=1)


def test_only_approved_genes_are_read() -> None:
    text = complete_set(hgnc_doc("APC", 583), hgnc_doc("OLD", 1, status="Entry Withdrawn"))
    assert [gene.symbol for gene in read_complete_set(text)] == ["APC"]


def test_an_identifier_that_is_none_is_left_out() -> None:
    doc = hgnc_doc("APC", 583, ensembl_gene_id="none", uniprot_ids=["bad"], entrez_id=324)
    [gene] = read_complete_set(complete_set(doc))
    record = gene.record()
    assert record is not None
    assert (record.ensembl_id, record.uniprot, record.entrez_id) == (None, None, "324")


SET = complete_set(hgnc_doc("APC", 583), hgnc_doc("KRAS", 6407))


@given(st.integers(0, len(SET) - 10))
def test_a_cut_set_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=r".+"):
        list(read_complete_set(SET[:length]))


def test_a_symbol_means_its_gene_then_the_one_that_had_it_and_never_an_alias() -> None:
    genes = [
        HgncGene(symbol="SEPTIN9", previous=["SEPT9"], aliases=["MSF"]),
        HgncGene(symbol="PRG4", aliases=["MSF"]),
        HgncGene(symbol="MSF2", previous=["PRG4", "MSFX"]),
        HgncGene(symbol="MSF3", previous=["MSFX"], aliases=["ONLY1"]),
    ]
    symbols = ("SEPT9", "MSF", "PRG4", "MSFX", "ONLY1")
    names = Nomenclature(genes, symbols)
    found = {symbol: names.find(symbol) for symbol in symbols}
    assert {symbol: gene and gene.symbol for symbol, gene in found.items()} == {
        "SEPT9": "SEPTIN9",
        "MSF": None,
        "PRG4": "PRG4",
        "MSFX": None,
        "ONLY1": None,
    }
    assert names.is_shared("msf")
    assert not names.is_shared("SEPT9")


def test_a_protein_keeps_its_statements_and_their_papers() -> None:
    papers = {"evidences": [{"source": "PubMed", "id": "12"}, {"source": "HGNC", "id": "1"}]}
    place = {"start": {"value": 3}, "end": {"value": 9}}
    found = _record(
        entry(
            "P00001",
            "ABC1",
            "",
            comments=[
                {"commentType": "FUNCTION", "texts": [{"value": "Invented.", **papers}]},
                {"commentType": "PTM", "molecule": "Part 2", "texts": [{"value": "Is cut."}]},
                {
                    "commentType": "SUBCELLULAR LOCATION",
                    "subcellularLocations": [{"location": {"value": "Nucleus", **papers}}] * 2,
                },
                {
                    "commentType": "ALTERNATIVE PRODUCTS",
                    "isoforms": [{"name": {"value": "Long"}, "isoformIds": ["P00001-1"]}],
                },
                {
                    "commentType": "INTERACTION",
                    "interactions": [
                        {"interactantTwo": {"geneName": "XYZ1"}, "numberOfExperiments": 2},
                        {"interactantTwo": {"geneName": "XYZ2"}, "numberOfExperiments": 9},
                        {"interactantTwo": {}},
                    ],
                },
            ],
            features=[
                {"type": "Domain", "description": "Fold", "location": place},
                {"type": "Motif", "description": "Signal", "location": {}},
                {"type": "Helix", "location": place},
            ],
        ),
        "ABC1",
    )
    assert found is not None
    assert found.function[0].model_dump() == {"text": "Invented.", "pmids": ["12"]}
    assert [one.text for one in found.modifications] == ["Part 2: Is cut."]
    assert [one.text for one in found.subcellular_locations] == ["Nucleus"]
    assert [one.text for one in found.domains] == ["Fold (residues 3 to 9)"]
    assert [one.text for one in found.motifs] == ["Signal"]
    assert [one.text.split(" (")[0] for one in found.interactions] == [
        "Interacts with XYZ2",
        "Interacts with XYZ1",
    ]
    assert found.isoforms[0].id == "P00001-1"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


@given(st.sampled_from(["comments", "features", "sequence", "uniProtkbId", "organism"]), JSON)
def test_an_entry_of_another_shape_does_no_harm(field: str, value: Any) -> None:
    found = _record(entry("P00001", "ABC1", "Invented.") | {field: value}, "ABC1")
    assert found is None or found.accession == "P00001"


def test_recorded_entries_are_read(shared_data: Path) -> None:
    path = shared_data / "payloads" / "uniprot" / "P05067_APP_human_full_20260604.json"
    found = _record(json.loads(path.read_text()), "APP")
    assert found is not None
    assert (found.accession, found.length, len(found.isoforms)) == ("P05067", 770, 11)
    assert "E1 (residues 28 to 189)" in [one.text for one in found.domains]
    path = shared_data / "formats" / "hgnc" / "hgnc_complete_set_subset_20260424.json"
    genes = list(read_complete_set(path.read_text()))
    assert {"A1BG-AS1", "A3GALT2"} <= {gene.symbol for gene in genes}
    assert all(gene.record() for gene in genes)
