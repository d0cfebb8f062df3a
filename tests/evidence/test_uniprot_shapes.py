"""The same protein gives the same record, whichever server's shape it comes in."""

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uniprot_shapes import HUMAN, MOUSE, REVIEWED, UNREVIEWED, Made, recorded, search

from intogen_agent.config.settings import UniprotSettings
from intogen_agent.evidence.gene_identity import protein_identity
from intogen_agent.evidence.models import Protein
from intogen_agent.evidence.uniprot import condense
from intogen_agent.evidence.uniprot_choice import select_entry
from intogen_agent.evidence.uniprot_entries import protein_entries

FORMATS = Path("formats/uniprot")
APC = Made(
    synonyms=["DP2.5", "DP3"],
    texts=[
        ("FUNCTION", "", "Holds beta-catenin in the cytoplasm. Binds pro- and anti-growth", ["11"]),
        ("FUNCTION", "Isoform 2", "Binds microtubules (PubMed:22, PubMed:33)", ["22", "44"]),
        ("ACTIVITY REGULATION", "", "Is inhibited by phosphorylation", []),
        ("SUBUNIT", "", "Forms a complex with AXIN1, GSK3B and the long-named beta-catenin", []),
        ("PTM", "", "Phosphorylated by GSK3B", ["9065401"]),
        ("DOMAIN", "", "The repeats bind catenins", []),
        ("PATHWAY", "", "Protein modification; protein ubiquitination", ["7"]),
    ],
    locations=[("Cell junction, adherens junction", ["12", "13"]), ("Cytoplasm", [])],
    isoforms=["Long", "1A"],
    features=[
        ("Repeat", 453, 495, "ARM 1", []),
        ("Domain", 1, 61, "Coiled", ["5"]),
        ("Motif", 2803, 2806, "Microtubule tip localization signal", []),
        ("Modified residue", 107, 107, "Phosphoserine; by GSK3B", ["6", "8"]),
        ("Zinc finger", 5, 9, "", []),
    ],
    partners=[("CTNNB1", 3, False), ("AXIN1", 9, False), ("E6", 9, True), ("APC", 5, False)],
    pathways=[
        ("R-HSA-5339562", "Signaling by APC mutants"),
        ("R-HSA-195253", "Degradation of beta-catenin; its complex"),
    ],
    hgnc="HGNC:583",
    entrez="324",
    ensembl=["ENSG00000134982.1", "ENSG00000134982.1"],
)


def record(text: str, symbol: str = "APC", organism: str = "human", **caps: Any) -> Protein:
    choice = select_entry(text, symbol, organism)
    assert choice.entry is not None, choice.reason
    return condense(choice.entry, UniprotSettings(**caps))


SHAPES = {
    "search": lambda protein: search(protein),
    "one entry": lambda protein: json.dumps(protein.rest()),
    "list": lambda protein: json.dumps([protein.rest()]),
    "flat": lambda protein: protein.flat(),
    "several flat": lambda protein: Made("APC2", accession="O95996").flat() + protein.flat(),
    "text in result": lambda protein: json.dumps({"result": protein.flat()}),
    "envelope": lambda protein: json.dumps({"data": protein.rest(), "provenance": {"url": "x"}}),
    "json in result": lambda protein: json.dumps({"result": search(protein)}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_protein_gives_the_same_record_from_every_shape(shape: str) -> None:
    protein = record(SHAPES[shape](APC))
    assert protein == record(search(APC))
    assert protein.function == [
        "Holds beta-catenin in the cytoplasm. Binds pro- and anti-growth (whole text: PMID:11)",
        "Isoform 2: Binds microtubules (PMID:22, PMID:33) (PMID:44)",
        "Is inhibited by phosphorylation",
    ]
    assert protein.domains == [
        "Coiled (1-61) (PMID:5)",
        "Zinc finger (5-9)",
        "Repeat: ARM 1 (453-495)",
        "The repeats bind catenins",
    ]
    assert protein.motifs == ["Microtubule tip localization signal (2803-2806)"]
    assert protein.subcellular_locations == [
        "Cell junction, adherens junction (PMID:12, PMID:13)",
        "Cytoplasm",
    ]
    assert protein.isoforms == ["Long (P25054-1)", "1A (P25054-2)"]
    assert protein.interactions == [
        "Forms a complex with AXIN1, GSK3B and the long-named beta-catenin",
        "AXIN1",
        "CTNNB1",
    ]
    assert protein.modifications == [
        "Phosphorylated by GSK3B (PMID:9065401)",
        "Phosphoserine; by GSK3B (107) (PMID:6, PMID:8)",
    ]
    assert protein.pathways == [
        "Protein modification; protein ubiquitination (PMID:7)",
        "Degradation of beta-catenin; its complex (Reactome R-HSA-195253)",
        "Signaling by APC mutants (Reactome R-HSA-5339562)",
    ]
    assert (protein.accession, protein.reviewed, protein.name) == ("P25054", True, APC.name)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_genes_identity_is_the_same_from_every_shape(shape: str) -> None:
    choice = select_entry(SHAPES[shape](APC), "APC", "human")
    assert choice.entry is not None
    identity = protein_identity(choice.entry, "APC")
    assert (identity.hgnc, identity.entrez) == (["HGNC:583"], ["324"])
    assert identity.ensembl == ["ENSG00000134982"]
    assert identity.aliases == ["DP2.5", "DP3"]


def test_biomcp_cli_gives_what_it_holds_of_the_same_record() -> None:
    whole, part = record(search(APC)), record(APC.biomcp())
    assert (part.accession, part.reviewed, part.name) == ("P25054", True, whole.name)
    assert part.organism == "Homo sapiens"
    assert part.function == ["Holds beta-catenin in the cytoplasm. Binds pro- and anti-growth"]


def test_an_entry_named_by_its_accession_is_unreviewed() -> None:
    value = json.loads(APC.biomcp()) | {"entry_id": "P25054_HUMAN"}
    assert not record(json.dumps(value)).reviewed


def test_what_biomcp_cli_adds_names_its_own_source() -> None:
    domains = [{"accession": "IPR000225", "name": "Armadillo"}, {"accession": "IPR1"}, {}, 3]
    partners = [{"partner": "AXIN1", "score": 0.99}, {"partner": "GSK3B"}, {"score": 1}]
    value = json.loads(APC.biomcp()) | {"domains": domains, "interactions": partners}
    protein = record(json.dumps(value))
    assert protein.domains == ["Armadillo (InterPro IPR000225)", "IPR1 (InterPro IPR1)"]
    assert protein.interactions == ["AXIN1 (STRING, score 0.99)", "GSK3B (STRING)"]


def test_recorded_braf_is_the_same_from_three_servers(shared_data: Path) -> None:
    rest = (shared_data / FORMATS / "rest_P15056_BRAF_fields_subset.json").read_text("utf-8")
    names = (
        "biomcp_cli_0.9.3/get_protein_P15056_json",
        "augmented_nature_uniprot/search_by_gene_BRAF_small_real_entry",
        "augmented_nature_uniprot/get_protein_info_json_P15056",
    )
    wanted = record(rest, "BRAF")
    assert wanted.accession == "P15056" and wanted.reviewed and len(wanted.function) == 1
    for name in names:
        assert record(recorded(shared_data, name), "BRAF") == wanted


def test_a_recorded_flat_entry_is_read(shared_data: Path) -> None:
    text = (shared_data / FORMATS / "flat_P21802_FGFR2_human.dat").read_text("utf-8")
    protein = record(text, "FGFR2")
    assert protein.domains[:4] == [
        "Ig-like C2-type 1 (25-125)",
        "Ig-like C2-type 2 (154-247)",
        "Ig-like C2-type 3 (256-358)",
        "Protein kinase (481-770)",
    ]
    assert protein.kept["isoforms"] == "5 of 17" and protein.isoforms[0] == "1 (P21802-1)"
    assert protein.subcellular_locations[:3] == [
        "Cell membrane",
        "Golgi apparatus",
        "Cytoplasmic vesicle",
    ]
    # FGF1 was also tried with a bovine partner; nine experiments stand behind PLCG1.
    assert protein.interactions[1:3] == ["PLCG1", "FGF1"]
    assert protein.modifications[2].endswith(
        "(whole text: PMID:15190072, PMID:16844695, PMID:21596750)"
    )
    assert "PIP3 activates AKT signaling (Reactome R-HSA-1257604)" in protein.pathways


def test_ten_recorded_flat_entries_are_told_apart(shared_data: Path) -> None:
    text = (shared_data / FORMATS / "flat_human_sample_10.txt").read_text("utf-8")
    entries = protein_entries(text)
    assert entries is not None and len(entries) == 10
    assert record(text, "PIGS").accession == "Q96S52"
    assert "MGEA5 only as a synonym" in select_entry(text, "MGEA5", "human").reason


def test_a_flat_entry_of_before_2019_is_read(shared_data: Path) -> None:
    protein = record((shared_data / FORMATS / "flat_Q13639_human.txt").read_text("utf-8"), "HTR4")
    assert protein.kept["isoforms"] == "5 of 7"
    assert protein.modifications == [
        "S-palmitoyl cysteine (By similarity) (329)",
        "N-linked (GlcNAc...) (Potential) (7)",
    ]


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "null", '"<html>"', "{", '{"results": null}', "[" * 9999, "ID   X"]
)
def test_an_answer_of_another_shape_is_refused(text: str) -> None:
    choice = select_entry(text, "APC", "human")
    assert choice.entry is None and choice.reason


WORD = st.sampled_from(
    ["binds", "beta-catenin", "the", "GSK3B", "pro- and", "anti-", "G(o)", "5'-end", "1,4,5-tris"]
)
PMIDS = st.lists(st.integers(1, 10**8).map(str), max_size=3)
TEXT = st.lists(WORD, min_size=1, max_size=30).map(lambda words: f"X {' '.join(words)} Y")
NAME = st.text("ABCDEFG0123456789", min_size=1, max_size=6)
PROTEINS = st.builds(
    Made,
    kind=st.sampled_from([REVIEWED, UNREVIEWED]),
    organism=st.sampled_from([HUMAN, MOUSE]),
    synonyms=st.lists(NAME, max_size=3),
    texts=st.lists(
        st.tuples(
            st.sampled_from(["FUNCTION", "SUBUNIT", "PTM", "DOMAIN", "PATHWAY"]),
            st.sampled_from(["", "Isoform 2"]),
            TEXT.filter(lambda text: "anti- " not in text),
            PMIDS,
        ),
        max_size=5,
    ),
    locations=st.lists(st.tuples(NAME, PMIDS), max_size=4),
    isoforms=st.lists(NAME, max_size=4),
    features=st.lists(
        st.tuples(
            st.sampled_from(["Domain", "Motif", "Modified residue", "Repeat"]),
            st.integers(1, 99),
            st.integers(100, 999),
            NAME,
            PMIDS,
        ),
        max_size=4,
    ),
    partners=st.lists(st.tuples(NAME, st.integers(1, 99), st.booleans()), max_size=5),
    pathways=st.lists(st.tuples(st.just("R-HSA-1"), NAME), max_size=3),
)


@given(protein=PROTEINS)
def test_flat_text_and_json_never_differ(protein: Made) -> None:
    organism = protein.organism[1].casefold()
    assert record(protein.flat(), "APC", organism) == record(search(protein), "APC", organism)


PIECES = """\
AC   P25054;
GN   Name=APC;
GN   and
OX   NCBI_TaxID=9606;
OS
DE
ID
CC   -!- FUNCTION: x {
CC   -!- INTERACTION:
CC       ;;NbExp=1;
CC   -!-
CC   -!- SUBCELLULAR LOCATION: {}.;{
CC   -!- ALTERNATIVE PRODUCTS: Name=;IsoId=
FT
FT   DOMAIN 1..
FT   DOMAIN  99999999999999..1
FT   X  ?  <
FT                   /note="
DR   Ensembl;
DR   ;
DR   Reactome; R-HSA-1; a; b.
//
"""
LINES = st.sampled_from(PIECES.splitlines())


@given(lines=st.lists(LINES | st.text(max_size=20), max_size=12))
def test_no_flat_text_breaks_the_reader(lines: list[str]) -> None:
    text = "\n".join(["ID   APC_HUMAN   Reviewed;  9 AA.", *lines])
    choice = select_entry(text, "APC", "human")
    assert (choice.entry is None) == (choice.reason != "")
    for entry in protein_entries(text) or []:
        condense(entry, UniprotSettings())
        protein_identity(entry, "APC")


HOSTILE = {
    "place": "CC   -!- SUBCELLULAR LOCATION: " + "a" * 200_000 + "{",
    "names": "DE   " + "RecName: Full=" * 20_000,
    "braces": "CC   -!- FUNCTION: " + "{ECO:" * 50_000,
    "isoforms": "CC   -!- ALTERNATIVE PRODUCTS: " + "Name=" * 50_000,
    "references": "CC   -!- FUNCTION: " + "(PubMed:1, " * 30_000,
    "feature": "FT   " + "1" * 300_000,
    "blanks": "CC   -!- PTM: x" + " " * 300_000 + "{",
    "cross-reference": "DR   Reactome; " + "." + " " * 300_000 + "x",
}


@pytest.mark.parametrize("line", HOSTILE)
def test_a_hostile_line_costs_no_more_than_its_length(line: str) -> None:
    head = "ID   APC_HUMAN   Reviewed;  9 AA.\nGN   Name=APC;\nOX   NCBI_TaxID=9606;\n"
    text = f"{head}{HOSTILE[line]}\n"
    started = process_time()
    choice = select_entry(text, "APC", "human")
    assert choice.entry is not None
    condense(choice.entry, UniprotSettings())
    # A step that looks back over the line for each of its characters takes minutes.
    assert process_time() - started < 5
