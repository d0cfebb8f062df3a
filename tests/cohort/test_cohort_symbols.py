import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.cohort.symbols import shown, symbol_problem


@pytest.mark.parametrize(
    "symbol",
    [
        "APC",
        "H3-3A",
        "HLA-A",
        "NKX2-1",
        "LY75-CD302",
        "C9orf72",
        "CXorf38",
        "SEPT9",
        "FAM46C",
        "MARCHF1",
        "KMT2C",
        "HOXA@",
        "AC012345.1",
        "GTF2H2C_2",
        "HSPB2-C11orf52",
        "A1BG",
        "T",
        "apc",
        "OCT4",
        "DEC1",
        "SEPT-9",
    ],
)
def test_real_symbols_are_legal(symbol):
    assert symbol_problem(symbol) is None


@pytest.mark.parametrize(
    ("symbol", "word"),
    [
        ("", "empty"),
        ("nan", "empty"),
        ("-", "empty"),
        ("../x", "'/'"),
        ("/etc/passwd", "'/'"),
        ("..", "not begin with a letter"),
        (".hidden", "not begin with a letter"),
        ("-rf", "not begin with a letter"),
        ("_run", "not begin with a letter"),
        ("A..B", "not formed"),
        ("APC-", "not formed"),
        ("@APC", "not begin with a letter"),
        ("A" * 300, "300 characters"),
        ("TP 53", "' '"),
        ("BRCA1;BRCA2", "';'"),
        ("APC\n", r"\\n"),
        ("AP\x00C", r"\\x00"),
        ("APC\u200b", "u200b"),
        ("АPC", "А"),  # a Cyrillic letter that looks like A
        ("123", "not begin with a letter"),
        ("$(rm)", r"'\$'"),
    ],
)
def test_hostile_symbols_are_refused_with_their_reason(symbol, word):
    import re

    problem = symbol_problem(symbol)
    assert problem is not None
    assert re.search(word, problem)
    assert problem.isprintable()


@pytest.mark.parametrize(
    ("text", "likely"),
    [
        ("1-Mar", "MARCHF1 (was MARCH1)"),
        ("01-Mar", "MARCHF1 (was MARCH1)"),
        ("1-Mar", "MTARC1 (was MARC1)"),
        ("10-Mar", "MARCHF10 (was MARCH10)"),
        ("Mar-01", "MARCHF1 (was MARCH1)"),
        ("Mar-1", "MARCHF1 (was MARCH1)"),
        ("2-Sep", "SEPTIN2 (was SEPT2)"),
        ("Sep-09", "SEPTIN9 (was SEPT9)"),
        ("9-SEP", "SEPTIN9 (was SEPT9)"),
        ("15-Sep", "SELENOF (was SEP15)"),
        ("1-Dec", "DELEC1 (was DEC1)"),
        ("2-Dec", "BHLHE41 (also called DEC2)"),
        ("4-Oct", "POU5F1 (also called OCT4)"),
        ("2020-03-01", "MARCHF1 (was MARCH1)"),
        ("2023-09-02 00:00:00", "SEPTIN2 (was SEPT2)"),
        ("2-Sep-23", "SEPTIN2 (was SEPT2)"),
        ("43891", "MARCHF1 (was MARCH1)"),
        ("43891.0", "MARCHF1 (was MARCH1)"),
        ("44440", "SEPTIN1 (was SEPT1)"),
    ],
)
def test_spreadsheet_dates_are_explained_with_the_likely_symbol(text, likely):
    problem = symbol_problem(text)
    assert problem is not None
    assert "date made by a spreadsheet" in problem
    assert likely in problem


@pytest.mark.parametrize("text", ["3-Jun", "Feb-20", "30-Mar", "43831"])
def test_other_dates_are_refused_without_a_guess(text):
    assert "original source" in str(symbol_problem(text))


@given(st.text(max_size=60))
def test_a_legal_symbol_is_short_plain_ascii_and_begins_with_a_letter(text):
    if symbol_problem(text) is None:
        assert text.isascii()
        assert text[0].isalpha()
        assert len(text) <= 40
        assert not set(text) - set(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._@"
        )


@given(st.text(max_size=500))
def test_shown_values_are_one_short_printable_line(text):
    assert shown(text).isprintable()
    assert len(shown(text)) < 500
