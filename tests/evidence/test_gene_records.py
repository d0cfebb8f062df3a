"""Gene records as BioMCP and the local store write them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.gene_record import (
    GeneRecord,
    identity_problem,
    read_gene_record,
    settle_identity,
)

PAYLOADS = Path("payloads/tool_outputs/biomcp_python_0.7.3")


def recorded(shared_data: Path, name: str) -> str:
    value = json.loads((shared_data / PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))
    return "\n".join(block["text"] for block in value["result"]["content"])


@pytest.mark.parametrize(
    ("symbol", "entrez", "ensembl", "aliases", "alias"),
    [
        ("BRAF", "673", "ENSG00000157764", 6, "RAFB1"),
        ("BRCA1", "672", "ENSG00000012048", 9, "FANCS"),
        ("CD274", "29126", "ENSG00000120217", 8, "PD-L1"),
        ("EGFR", "1956", "ENSG00000146648", 8, "HER1"),
        ("ERBB2", "2064", "ENSG00000141736", 10, "HER-2/neu"),
    ],
)
def test_a_recorded_gene_record_is_read(
    shared_data: Path, symbol: str, entrez: str, ensembl: str, aliases: int, alias: str
) -> None:
    record = read_gene_record(recorded(shared_data, f"gene_getter_{symbol}"))
    assert record is not None
    assert (record.symbol, record.entrez_id, record.ensembl_id) == (symbol, entrez, ensembl)
    assert len(record.aliases) == aliases and alias in record.aliases
    assert not any("more)" in name for name in record.aliases)
    assert record.name and record.summary and "RefSeq" in record.summary
    assert "  " not in record.summary and "\n" not in record.summary
    assert identity_problem(record, symbol) is None
    for name in record.aliases:
        if name.casefold() != symbol.casefold():
            assert f"which has {name} only as an alias" in str(identity_problem(record, name))


@pytest.mark.parametrize(
    "name", ["gene_getter_notfound", "gene_getter_scalar_alias_synthetic", "fetch_gene"]
)
def test_an_answer_without_a_record_is_none(shared_data: Path, name: str) -> None:
    assert read_gene_record(recorded(shared_data, name)) is None


RECORD = """# Record 1
Gene Id: 324
Symbol: APC
Name: APC regulator of WNT signaling pathway
Hgnc Id: HGNC:583
Previous Symbols: DP3, OLD1
Summary:
  A tumor suppressor that acts on beta-
  catenin. Symbol: not a field, it is indented.
Alias:
  DP2, DP2.5
  (and 2 more)
Swiss Prot: P25054

## Ensembl
Gene: ENSG00000134982
"""


def test_every_field_is_read() -> None:
    assert read_gene_record(RECORD) == GeneRecord(
        symbol="APC",
        name="APC regulator of WNT signaling pathway",
        entrez_id="324",
        hgnc_id="HGNC:583",
        ensembl_id="ENSG00000134982",
        uniprot="P25054",
        aliases=["DP2", "DP2.5"],
        previous=["DP3", "OLD1"],
        summary=(
            "A tumor suppressor that acts on beta- catenin. Symbol: not a field, it is indented."
        ),
    )


def test_of_several_records_the_first_is_read_alone() -> None:
    text = "# Record 1\nSymbol: APC\n\n# Record 2\nSymbol: APC2\nHgnc: HGNC:24036\nAlias: X\n"
    text += "Gene: ENSG00000115266\n"
    assert read_gene_record(text) == GeneRecord("APC", None, None, None, None, None)


@pytest.mark.parametrize("text", ["", "Symbol:", "# Record 1\nSymbol:\n", "symbol: APC", "{}"])
def test_without_a_symbol_there_is_no_record(text: str) -> None:
    assert read_gene_record(text) is None


@given(text=st.text(alphabet="# RecordSymbol:Alias,\n ()1APC"))
def test_no_text_breaks_the_reader(text: str) -> None:
    record = read_gene_record(text)
    assert record is None or record.symbol


@pytest.mark.parametrize(
    ("symbol", "problem"),
    [
        ("APC", None),
        ("apc", None),
        ("OLD1", None),
        ("DP2", "the record is of APC, which has DP2 only as an alias"),
        ("dp2", "the record is of APC, which has dp2 only as an alias"),
        ("TP53", "the record is of APC, not of TP53"),
    ],
)
def test_only_a_present_or_previous_symbol_is_the_gene(symbol: str, problem: str | None) -> None:
    record = read_gene_record(RECORD)
    assert record is not None and identity_problem(record, symbol) == problem


def test_the_identity_keeps_the_symbol_that_was_asked_for() -> None:
    record = read_gene_record(RECORD)
    renamed = settle_identity("OLD1", record, "P99999")
    assert (renamed.symbol, renamed.uniprot, renamed.hgnc_id) == ("OLD1", "P99999", "HGNC:583")
    assert renamed.aliases == ["APC", "DP2", "DP2.5"]
    same = settle_identity("APC", record, None)
    assert same.aliases == ["DP2", "DP2.5"] and same.uniprot == "P25054"
    alone = settle_identity("APC", None, "P25054")
    assert alone.model_dump(exclude_defaults=True) == {"symbol": "APC", "uniprot": "P25054"}
