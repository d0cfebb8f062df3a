import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.delivery.rows import RetiredRow
from intogen_agent.delivery.tsv import cell, table_text, write_if_changed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (0.0, "0.0"),
        (1e-10, "1e-10"),
        ([], ""),
        (["a", "b"], "a,b"),
        (["a\tb", "c"], "a b,c"),
        ("a\tb", "a b"),
        ("a\r\nb", "a b"),
        ("a\u2028b\x85c\x0bd", "a b c d"),
        ("\x1b[31mred", "[31mred"),
        ("a\x00b", "a b"),
        ('"Omics" of cancer', '\u201cOmics" of cancer'),
        ('the "omics" of cancer', 'the "omics" of cancer'),
        ("β-catenin", "β-catenin"),
    ],
)
def test_a_value_as_a_cell(value, text):
    assert cell(value) == text


def row(involvement: str | None) -> RetiredRow:
    return RetiredRow(gene="APC", cancer_type="X", path="APC/X", involvement=involvement)


def test_the_header_is_there_without_rows():
    assert table_text(RetiredRow, []) == "gene\tcancer_type\tpath\tinvolvement\n"


@given(st.text())
def test_every_text_stays_in_its_cell(text):
    table = table_text(RetiredRow, [row(text), row("next")])
    assert len(table.splitlines()) == 3
    assert {line.count("\t") for line in table.splitlines()} == {3}


@given(st.text())
def test_readers_that_know_quotes_find_the_same_rows(text):
    table = table_text(RetiredRow, [row(text), row("next")])
    read = list(csv.reader(io.StringIO(table, newline=""), delimiter="\t"))
    assert [len(line) for line in read] == [4, 4, 4]
    assert read[2][3] == "next"


def test_a_file_with_the_same_text_is_left_alone(tmp_path: Path):
    path = tmp_path / "a" / "b.tsv"
    write_if_changed(path, "one\n")
    before = path.stat()
    write_if_changed(path, "one\n")
    assert path.stat().st_ino == before.st_ino
    write_if_changed(path, "two\n")
    assert path.read_text() == "two\n"
