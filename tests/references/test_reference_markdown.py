"""Papers and records of Markdown and plain text."""

from intogen_agent.evidence.references import Found, scan


def ids(found: list[Found]) -> list[list[str]]:
    return [[identifier.text for identifier in one.ids] for one in found]


ALL_IDS = ["PMID:22663011", "DOI:10.1056/nejmoa1203421", "PMCID:PMC3549296"]
GENE = """# Record 1
Gene Id: 673
Symbol: BRAF
Name: B-Raf proto-oncogene, serine/threonine kinase
Summary:
  Mutations were found in 2010 in 322 of 1234567 cells, see doi:10.1038/cancer-
  gene1.
Alias: B-RAF1, BRAF1
Entrezgene: 673
Hgnc: HGNC:1097

## Ensembl
Gene: ENSG00000157764

## Uniprot
Swiss-Prot: P15056

## Links
Ncbi Gene: https://www.ncbi.nlm.nih.gov/gene/673
Pub Med: https://pubmed.ncbi.nlm.nih.gov/?term=BRAF
"""


def test_a_gene_record_names_its_records() -> None:
    found = scan(GENE)
    assert ids(found) == [
        ["NCBI Gene:673"],
        ["HGNC:1097"],
        ["DOI:10.1038/cancer-gene1"],
        ["Ensembl:ENSG00000157764"],
        ["UniProt:P15056"],
    ]
    assert found[0].title == "B-Raf proto-oncogene, serine/threonine kinase"


def test_the_lines_of_one_record_are_one_paper() -> None:
    found = scan(
        "# Record 1\nPmid: 22663011\nPmcid: PMC3549296\nDoi: 10.1056/NEJMoa1203421\n"
        "Title:\n  A title that goes\n  on\nJournal: N Engl J Med\nDate: 2012\n"
        "Abstract:\n  BACKGROUND: 322 patients (NCT01245062.).\nRetracted: true\n"
        "Pubmed Url: https://pubmed.ncbi.nlm.nih.gov/22663011/\n"
        "Pmc Url: https://www.ncbi.nlm.nih.gov/pmc/articles/PMC3549296/\n\n"
        "# Record 2\nPmid: 1\nTitle: Another\n"
    )
    assert ids(found) == [ALL_IDS, ["NCT01245062"], ["PMID:1"]]
    assert (found[0].title, found[0].year, found[0].retracted) == (
        "A title that goes on",
        2012,
        True,
    )
    assert found[2].title == "Another"


def test_the_heading_of_a_markdown_article_is_its_title() -> None:
    [paper, cited] = scan(
        "# Improved survival\n\nPMID: 22663011\n\nDOI: 10.1056/x\nJournal: NEJM\nDate: 2012-07\n"
        "[PubMed](https://pubmed.ncbi.nlm.nih.gov/22663011/)\n\n## References\n\n1. PMID: 77\n"
    )
    assert ids([paper, cited]) == [["PMID:22663011", "DOI:10.1056/x"], ["PMID:77"]]
    assert (paper.title, paper.journal, paper.year) == ("Improved survival", "NEJM", 2012)


def test_a_markdown_trial_has_its_title_in_a_field() -> None:
    [trial] = scan("# NCT01245062\n\nStatus: Completed\n\nTitle: METRIC\n")
    assert ids([trial]) == [["NCT01245062"]]
    assert trial.title == "METRIC"


def test_the_heading_of_a_search_is_an_echo() -> None:
    assert scan("# Articles: PMID:99999999 doi:10.1038/asked\n\nNothing.\n") == []


def test_rows_of_a_table_are_records() -> None:
    found = scan(
        "| PMID | DOI | Title |\n|---|---|---|\n| 1 | 10.1038/a | One |\n| 2 | - | Two |\n"
    )
    assert ids(found) == [["PMID:1", "DOI:10.1038/a"], ["PMID:2"]]
    assert [paper.title for paper in found] == ["One", "Two"]


def test_identifiers_of_running_text_stand_alone() -> None:
    found = scan("Smith 2010, PMID: 123456 and doi:10.1038/nature12213 (PMC128915).")
    assert ids(found) == [["PMID:123456"], ["DOI:10.1038/nature12213"], ["PMCID:PMC128915"]]


def test_a_list_of_one_paragraph_is_no_record() -> None:
    assert ids(scan("PMID: 1\nPMID: 2\nPMID: 3\n")) == [["PMID:1"], ["PMID:2"], ["PMID:3"]]


def test_pubmeds_plain_text_keeps_a_papers_identifiers_together() -> None:
    text = "DOI: 10.1038/x\nPMCID: PMC77777\nPMID: 9065401  [Indexed for MEDLINE]\n"
    assert ids(scan(text)) == [["PMID:9065401", "DOI:10.1038/x", "PMCID:PMC77777"]]


def test_bars_without_a_rule_are_no_table() -> None:
    assert ids(scan("|10.1038/x|\n")) == [["DOI:10.1038/x"]]
    assert ids(scan("| PMID:1 | one |\n| PMID:2 | two |\n")) == [["PMID:1"], ["PMID:2"]]
