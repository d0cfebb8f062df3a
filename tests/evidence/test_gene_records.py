"""Gene records as BioMCP and the local store write them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.gene_record import (
    GeneRecord,
    identity_problem,
    read_gene_record,
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


FIELDS = {
    "symbol": "APC",
    "name": "APC regulator of WNT signaling pathway",
    "summary": "A tumor suppressor.",
}
WANTED = GeneRecord(
    symbol="APC",
    name="APC regulator of WNT signaling pathway",
    entrez_id="324",
    hgnc_id="HGNC:583",
    ensembl_id="ENSG00000134982",
    uniprot="P25054",
    aliases=["DP2", "DP2.5"],
    previous=["DP3"],
    summary="A tumor suppressor.",
)
OF_SERVICES = {
    "biomcp-cli": {
        **FIELDS,
        "entrez_id": "324",
        "hgnc_id": "583",
        "ensembl_id": "ENSG00000134982",
        "uniprot_id": "P25054",
        "aliases": ["DP2", "DP2.5"],
        "previous_symbols": ["DP3"],
        "section_outcomes": {},
    },
    "MyGene.info": {
        **FIELDS,
        "entrezgene": 324,
        "HGNC": "583",
        "taxid": 9606,
        "ensembl": [{"gene": "ENSG00000134982"}, {"gene": "ENSG99999999999"}],
        "uniprot": {"Swiss-Prot": "P25054", "TrEMBL": ["A0A1"]},
        "alias": ["DP2", "DP2.5"],
        "prev_symbol": "DP3",
    },
    "HGNC": {
        **FIELDS,
        "entrez_id": "324",
        "hgnc_id": "HGNC:583",
        "ensembl_gene_id": "ENSG00000134982",
        "uniprot_ids": ["P25054"],
        "alias_symbol": ["DP2", "DP2.5"],
        "prev_symbol": ["DP3"],
        "location": "5q22.2",
    },
}
WRAPPED = {
    "alone": lambda value: value,
    "list": lambda value: [value],
    "hits": lambda value: {"total": 1, "hits": [value]},
    "docs": lambda value: {"response": {"numFound": 1, "docs": [value]}},
    "result": lambda value: {"result": json.dumps(value)},
}


@pytest.mark.parametrize("service", OF_SERVICES)
@pytest.mark.parametrize("wrapping", WRAPPED)
def test_the_same_gene_gives_the_same_record_from_every_shape(service: str, wrapping: str) -> None:
    record = read_gene_record(json.dumps(WRAPPED[wrapping](OF_SERVICES[service])), "APC")
    assert record is not None and replace(record, taxon=None) == WANTED
    assert '"symbol": "APC"' in record.text and "section_outcomes" not in record.text


def test_one_text_stands_for_a_list_of_one() -> None:
    record = read_gene_record(json.dumps({"symbol": "APC", "alias": "DP2"}))
    assert record is not None and record.aliases == ["DP2"]


def test_recorded_biomcp_cli_gives_the_same_record_as_json_and_as_markdown(
    shared_data: Path,
) -> None:
    names = ("get_gene_BRAF_json", "get_gene_BRAF_md", "biomcp_get_gene")
    texts = [recorded(shared_data, f"../biomcp_cli_0.9.3/{name}") for name in names]
    of_json, *others = [read_gene_record(text, "BRAF") for text in texts]
    assert of_json is not None and of_json.uniprot == "P15056" and of_json.entrez_id == "673"
    assert of_json.aliases == ["B-RAF1", "BRAF1", "NS7", "RAFB1"]
    assert others == [of_json, of_json]
    # What the server adds for its own users is nothing to summarise.
    assert not any("next_commands" in str(one and one.text) for one in [of_json, *others])
    python = read_gene_record(recorded(shared_data, "gene_getter_BRAF"), "BRAF")
    assert python is not None and python.ensembl_id == of_json.ensembl_id
    assert {*of_json.aliases} < {*python.aliases}


def test_a_recorded_hgnc_answer_is_read(shared_data: Path) -> None:
    path = shared_data / "formats" / "hgnc" / "hgnc_complete_set_subset_20260424.json"
    record = read_gene_record(path.read_text(encoding="utf-8"), "A3GALT2")
    assert record is not None and record.hgnc_id == "HGNC:30005"
    assert record.previous == ["A3GALT2P"]


def test_of_several_records_the_one_that_was_asked_for_is_read() -> None:
    two = [{"symbol": "TYMP", "aliases": ["SCO2"]}, {"symbol": "SCO2"}]
    record = read_gene_record(json.dumps(two), "SCO2")
    assert record is not None and record.symbol == "SCO2"
    text = "# Record 1\nSymbol: TYMP\nAlias: SCO2\n\n# Record 2\nSymbol: SCO2\nName: x\n"
    record = read_gene_record(text, "SCO2")
    assert record is not None and record.symbol == "SCO2"
    assert record.text == "# Record 2\nSymbol: SCO2\nName: x"


@pytest.mark.parametrize(("owner", "alias"), [("TYMP", "SCO2"), ("CD40LG", "IGM")])
def test_an_alias_hit_on_another_genes_record_is_rejected_and_said_so(
    owner: str, alias: str
) -> None:
    record = read_gene_record(json.dumps({"symbol": owner, "aliases": [alias]}), alias)
    assert record is not None
    problem = identity_problem(record, alias)
    assert problem == f"the record is of {owner}, which has {alias} only as an alias"


def test_a_record_of_another_organism_is_not_the_human_gene() -> None:
    record = read_gene_record(json.dumps({"symbol": "Apc", "taxid": 10090}), "APC")
    assert record is not None
    assert identity_problem(record, "APC") == "the record is of the organism 10090, not of human"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["symbol", "hits", "result", "ensembl", "alias", "uniprot", "gene"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(value=VALUES)
def test_no_json_breaks_the_reader(value: object) -> None:
    record = read_gene_record(json.dumps(value), "APC")
    assert record is None or (record.symbol.strip() and record.text)


def test_a_record_with_a_mouse_gene_id_alone_is_not_the_human_gene() -> None:
    text = "# Record 1\nSymbol: Apc\nName: APC\nEnsembl: ENSMUSG00000005871\n"
    record = read_gene_record(text, "APC")
    assert record is not None
    assert "another organism" in str(identity_problem(record, "APC"))
    human = read_gene_record(text.replace("ENSMUSG00000005871", "ENSG00000134982"), "APC")
    assert human is not None and identity_problem(human, "APC") is None
