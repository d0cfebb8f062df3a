"""Which genes a text names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.store.genes import GeneNames, names_gene
from intogen_agent.store.records import GeneRecord

RECORDS = [
    GeneRecord(symbol="TTN", aliases=["CMD1G"]),
    GeneRecord(symbol="APC", aliases=["DP2", "DP2.5", "deleted in polyposis 2.5"]),
    GeneRecord(symbol="KRAS", aliases=["K-Ras", "C-K-RAS", "SHARED9"], previous=["KRAS2"]),
    GeneRecord(symbol="FBXW7", aliases=["AGO", "FBW7", "SHARED9", "APC", "7", "14-3-3"]),
    GeneRecord(symbol="KIT", aliases=["p1", "CD117"]),
    GeneRecord(symbol="MET"),
    GeneRecord(symbol="SET"),
    GeneRecord(symbol="CAT"),
    GeneRecord(symbol="AR", aliases=["NR3C4"]),
    GeneRecord(symbol="C2"),
    GeneRecord(symbol="PDXP", aliases=["CIN"], previous=["DDP"]),
    GeneRecord(symbol="EML4"),
    GeneRecord(symbol="ALK"),
    GeneRecord(symbol="TP53", aliases=["p53"]),
    GeneRecord(symbol="NKX2-1", aliases=["TTF1"]),
    GeneRecord(symbol="FLT3", aliases=["STK1", "STK"]),
    GeneRecord(symbol="RET", aliases=["PTC"]),
    GeneRecord(symbol="CTNNB1", aliases=["beta-catenin"]),
]
NAMES = GeneNames(enumerate(RECORDS))


def found(text: str) -> set[str]:
    return {RECORDS[number].symbol for number in NAMES.find(text)}


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("TTN is long", {"TTN"}),
        ("TTN-AS1 is a lncRNA", set()),
        ("TTN–AS1 with an en dash", set()),
        ("TTN-AS1 and TTN", {"TTN"}),
        ("TTN-IT1, TTN-OT2, TTN-DT, TTN-1, TTN.2", set()),
        ("TTNX and XTTN", set()),
        ("APC-mutant", {"APC"}),
        ("APC-/- cells", {"APC"}),
        ("APC(-/-) cells", {"APC"}),
        ("APC/C is a ligase", set()),
        ("APC/KRAS", {"APC", "KRAS"}),
        ("APC:p.R1450X", {"APC"}),
        ("anti-KIT", {"KIT"}),
        ("KRAS-G12D", {"KRAS"}),
        ("KRASG12D", set()),
        ("EML4-ALK fusion", {"EML4", "ALK"}),
        ("EML4::ALK", {"EML4", "ALK"}),
        ("Kras in mice", {"KRAS"}),
        ("kras", set()),
        ("K-Ras and K‐Ras", {"KRAS"}),
        ("C-K-RAS", {"KRAS"}),
        ("KRAS2", {"KRAS"}),
        ("p53 and P53", {"TP53"}),
        ("DP2.5", {"APC"}),
        ("NKX2-1", {"NKX2-1"}),
        ("Beta-catenin", {"CTNNB1"}),
        ("ago years AGO Ago", set()),
        ("a cat sat on the set, we met; Met Set Cat", set()),
        ("CAT, SET and MET", {"CAT", "SET", "MET"}),
        ("AR signalling", {"AR"}),
        ("ar Ar", set()),
        ("AR-positive", {"AR"}),
        ("Ba/AR cells", set()),
        ("C2 domain, C2", set()),
        ("CIN and DDP", set()),
        ("p1", set()),
        ("SHARED9", set()),
        ("STK and STK1", {"FLT3"}),
        ("PTC means papillary thyroid carcinoma", set()),
        ("7 of 14-3-3", set()),
        ("", set()),
    ],
)
def test_names_count_only_as_whole_names(text: str, symbols: set[str]) -> None:
    assert found(text) == symbols


def test_mentions_are_counted() -> None:
    assert NAMES.find("TTN, TTN and TTN-AS1")[0] == 2


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    assert all(count > 0 for count in NAMES.find(text).values())


@given(st.sampled_from(["AS1", "AS2", "IT1", "OT1", "DT", "P1", "PS"]), st.sampled_from(RECORDS))
def test_a_transcript_named_after_a_gene_is_never_the_gene(suffix: str, gene: GeneRecord) -> None:
    assert found(f"the {gene.symbol}-{suffix} transcript") == set()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("NEWGENE is up", True),
        ("newgene-mutant", True),
        ("(NEWGENE)", True),
        ("NEWGENE-AS1 is up", False),
        ("XNEWGENE", False),
        ("NEWGENE2", False),
        ("NEWGENE-AS1, then NEWGENE", True),
        ("nothing", False),
    ],
)
def test_a_gene_without_a_record_is_found_as_a_whole_word(text: str, named: bool) -> None:
    assert names_gene("NEWGENE", text) is named
