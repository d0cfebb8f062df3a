"""Where the offline model sees a gene named, and where not."""

import pytest

from intogen_agent.offline.genes import Gene

ABX1 = Gene("ABX1", ("QBX", "ABX-ONE1", "X2"), "alphabetin 1")
WORD = Gene("CUP", (), "CUP proto-oncogene, receptor tyrosine kinase")


@pytest.mark.parametrize(
    "text",
    [
        "ABX1 is lost",
        "Abx1 loss in mice",
        "abx1-null mice",
        "ABX-1 is lost",
        "ABX1-mutated tumours",
        "the ABX1/QRS2 complex",
        "ABX1-QRS2 binding",
        "(ABX1)",
        "mutant QBX",
        "hABX1 mutations",
        "pABX1 levels",
        "ABX1gamma is stable",
        "cytoplasmic alphabetin",
        "Alphabetin 1 is lost",
        "QRS2 and ABX1",
    ],
)
def test_a_gene_is_seen_in_its_usual_spellings(text: str) -> None:
    assert ABX1.named_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "ABX1-AS1 is an antisense RNA",
        "ABX1-IT2",
        "ABX1-OT1",
        "ABX1-DT",
        "ABX10 is lost",
        "ABX1P1 pseudogene",
        "TABX1",
        "anti-ABX1 antibody",
        "non-ABX1",
        "ABX1-disease",
        "X2 is too short an alias",
        "an alphabet",
        "proto-oncogene",
    ],
)
def test_other_names_are_not_the_gene(text: str) -> None:
    assert not ABX1.named_in(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("CUP mutations", True),
        ("Cup loss in mice", True),
        ("the Cup receptor", True),
        ("c-Cup was lost", True),
        ("Cup of tea", False),
        ("a cup of tea", False),
        ("it cups", False),
    ],
)
def test_a_symbol_that_is_a_word_needs_capitals_or_its_surroundings(text: str, named: bool) -> None:
    assert WORD.named_in(text) is named


def test_spans_tell_where_the_gene_stands() -> None:
    assert ABX1.spans("ABX1 and QBX") == [(0, 4), (9, 12)]


@pytest.mark.parametrize(
    ("text", "is_name"), [("ABX1", True), ("Abx1", True), ("ABX1 loss", False)]
)
def test_a_bare_name_is_told_from_a_phrase(text: str, is_name: bool) -> None:
    assert ABX1.is_name(text) is is_name


@pytest.mark.parametrize("symbol", ["C9orf72", "A1BG", "HLA-B", "ABCDE", "ZZ", "X-1"])
def test_symbols_of_any_shape_are_found_in_text(symbol: str) -> None:
    assert Gene(symbol).named_in(f"Loss of {symbol} causes growth.")
