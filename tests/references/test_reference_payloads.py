"""Which identifiers of a payload are one paper's, and what the payload says of it."""

import json
from typing import Any

import pytest

from intogen_agent.evidence.references import Found, scan


def ids(found: list[Found]) -> list[list[str]]:
    return [[identifier.text for identifier in one.ids] for one in found]


def scan_json(value: Any) -> list[Found]:
    return scan(json.dumps(value, indent=1))


PAPER = {
    "pmid": "22663011",
    "pmcid": "PMC3549296",
    "doi": "10.1056/NEJMoa1203421",
    "title": "Improved survival in <i>BRAF</i>-mutated melanoma.",
    "journal": "N Engl J Med",
    "date": "2012-07-12T00:00:00Z",
}
ALL_IDS = ["PMID:22663011", "DOI:10.1056/nejmoa1203421", "PMCID:PMC3549296"]


def test_the_keys_of_one_object_are_one_paper() -> None:
    [paper] = scan_json([PAPER])
    assert ids([paper]) == [ALL_IDS]
    assert paper.title == "Improved survival in BRAF-mutated melanoma."
    assert (paper.journal, paper.year, paper.retracted) == ("N Engl J Med", 2012, False)


@pytest.mark.parametrize(
    "payload",
    [
        json.dumps(PAPER),
        "Results of the search:\n" + json.dumps([PAPER], indent=2) + "\nEnd of results.",
        "```json\n" + json.dumps(PAPER) + "\n```",
        json.dumps({"result": json.dumps([PAPER])}),
        json.dumps(PAPER) + "\n" + json.dumps({"pmid": 22663011}),
        # Cut in the second paper.
        json.dumps([PAPER, PAPER], indent=1)[:-120],
    ],
)
def test_json_is_found_wherever_it_stands(payload: str) -> None:
    [paper] = scan(payload)
    assert ids([paper]) == [ALL_IDS]
    assert paper.year == 2012


def test_keys_in_any_spelling() -> None:
    assert ids(scan_json({"PMID": 22663011, "Doi": "https://doi.org/10.1056/NEJMOA1203421"})) == [
        ["PMID:22663011", "DOI:10.1056/nejmoa1203421"]
    ]
    esummary = {
        "uid": "22663011",
        "articleids": [
            {"idtype": "pubmed", "value": "22663011"},
            {"idtype": "doi", "value": "10.1056/NEJMoa1203421"},
            {"idtype": "pii", "value": "12345678"},
        ],
        "title": "T",
        "fulljournalname": "The New England journal of medicine",
        "pubdate": "2012 Jul 12",
    }
    [paper] = scan_json(esummary)
    assert ids([paper]) == [["PMID:22663011", "DOI:10.1056/nejmoa1203421"]]
    assert (paper.journal, paper.year) == ("The New England journal of medicine", 2012)
    semantic_scholar = {
        "title": "T",
        "externalIds": {"PubMed": "22663011", "DOI": "10.1056/x", "CorpusId": 1234567},
        "year": 2012,
    }
    [paper] = scan_json(semantic_scholar)
    assert ids([paper]) == [["PMID:22663011", "DOI:10.1056/x"]]
    assert (paper.title, paper.year) == ("T", 2012)


def test_an_address_belongs_to_the_paper_of_its_object() -> None:
    [paper] = scan_json({"title": "T", "url": "https://pubmed.ncbi.nlm.nih.gov/22663011/"})
    assert ids([paper]) == [["PMID:22663011"]]
    assert paper.title == "T"
    [paper] = scan_json({"pmid": 1, "url": "https://journal.org/article/7"})
    assert ids([paper]) == [["PMID:1", "https://journal.org/article/7"]]
    [site] = scan_json({"title": "A page", "url": "https://example.org/page"})
    assert ids([site]) == [["https://example.org/page"]]
    assert site.title == "A page"


def test_an_address_of_another_paper_is_another_paper() -> None:
    found = scan_json({"pmid": 1, "title": "T", "pubmed_url": "https://pubmed.ncbi.nlm.nih.gov/2/"})
    assert ids(found) == [["PMID:1"], ["PMID:2"]]
    assert [paper.title for paper in found] == ["T", None]


def test_pmc_digits_are_never_a_pmid() -> None:
    assert ids(scan_json({"pmid": "PMC128915"})) == [["PMCID:PMC128915"]]
    assert ids(scan_json({"pmid": None, "pmcid": "128915"})) == [["PMCID:PMC128915"]]


@pytest.mark.parametrize(
    "value",
    [
        {"year": 2010, "count": 9065401, "total": 12345678},
        {"hits": {"pubmed": 12345, "pmc": 54321}},
        {"source": "PubMed", "value": 12345678},
        {"chromosome": 7, "start": 140719327, "end": 140925199},
        {"id": "22663011", "title": "no source named"},
        {"accession": "P05067"},
        {"identifier": "673", "namespace": "NCBIGene", "text": "BRAF"},
        {"pmid": None, "doi": "", "pmcid": "n/a"},
        {"pmid": True},
        {"gene_id": 673},
        {"results": [], "note": "No protein record found for 'PMID:99999999'."},
        {"error": "Invalid identifier format: PMC11193658."},
        {"query": "PMID:99999999", "queryString": "doi:10.1038/nature12213"},
        {"_meta": {"next_commands": ["get article PMID:99999999"]}},
        {"arguments": {"pmid": "99999999"}},
    ],
)
def test_what_is_no_reference(value: Any) -> None:
    assert scan_json(value) == []


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "[]",
        "Error: PMID (e.g., 22663011), PMC9984800 or 10.1056/NEJMoa1203421",
        "Error executing tool article_getter: PMC9984800, see https://errors.pydantic.dev/2.14/v/x",
        "MCP error -32602: PMC9984800",
        "# Record 1\nError: Invalid identifier PMC9984800\nSuggestion: PMID:22663011\n",
        "No articles found for 'PMID:99999999' in this store.",
        "<!DOCTYPE html><html><a href='https://doi.org/10.1038/x'>503</a></html>",
    ],
)
def test_failed_and_empty_answers_hold_no_reference(payload: str) -> None:
    assert scan(payload) == []


def test_a_list_of_pmids_names_several_papers() -> None:
    found = scan_json({"pubmed_id": [10854427, 18630988], "title": "not theirs"})
    assert ids(found) == [["PMID:10854427"], ["PMID:18630988"]]
    assert [paper.title for paper in found] == [None, None]


def test_what_a_paper_cites_is_its_own_reference() -> None:
    value = {
        **PAPER,
        "abstract": "As shown (doi:10.1038/nature12213; NCT01245062).",
        "references": [{"pmid": "1", "title": "One"}, "Smith J. doi:10.1038/other"],
    }
    assert ids(scan_json(value)) == [
        ALL_IDS,
        ["DOI:10.1038/nature12213"],
        ["NCT01245062"],
        ["PMID:1"],
        ["DOI:10.1038/other"],
    ]


def test_the_wording_of_a_reference_holds_its_doi() -> None:
    value = {
        "nctId": "NCT01245062",
        "briefTitle": "A trial",
        "references": [{"pmid": "22663011", "citation": "Flaherty. 2012. doi: 10.1056/NEJMoa1."}],
    }
    found = scan_json(value)
    assert ids(found) == [["NCT01245062"], ["PMID:22663011", "DOI:10.1056/nejmoa1"]]
    assert found[0].title == "A trial"


def test_a_trial_and_a_paper_of_one_object_are_two() -> None:
    found = scan_json({"pmid": 1, "nct_id": "NCT01245062", "title": "Of the paper"})
    assert ids(found) == [["PMID:1"], ["NCT01245062"]]
    assert [one.title for one in found] == ["Of the paper", None]


@pytest.mark.parametrize(
    ("fields", "retracted"),
    [
        ({"retracted": True}, True),
        ({"is_retracted": "true"}, True),
        ({"is_retracted": False}, False),
        ({"pubType": "journal article; retracted publication"}, True),
        ({"pubTypeList": {"pubType": ["Journal Article", "Retracted Publication"]}}, True),
        ({"publication_type": "retraction of publication"}, False),
        ({"publication_type": "published erratum"}, False),
        ({"title": "RETRACTED: A claim"}, True),
        ({"title": "[RETRACTED] A claim"}, True),
        ({"title": "Retraction: A claim"}, False),
        ({"title": "Retracted nuclei in tumours"}, False),
    ],
)
def test_retraction_where_the_payload_says_so(fields: dict[str, Any], retracted: bool) -> None:
    [paper] = scan_json({"pmid": 1, "doi": "10.1016/S0140-6736(97)11096-0,1", **fields})
    assert paper.retracted is retracted


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("A &lt;i&gt;TP53&lt;/i&gt; study", "A TP53 study"),
        ("A\n  wrapped title", "A wrapped title"),
        ("p < 0.05 and n > 3", "p < 0.05 and n > 3"),
        ("Cut after sixty charac...", None),
        ("lone \ud800 surrogate", "lone ? surrogate"),
        ("  ", None),
        (17, None),
    ],
)
def test_titles_are_plain_text(title: Any, said: str | None) -> None:
    [paper] = scan_json({"pmid": 1, "title": title})
    assert paper.title == said


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


ENTRY = {
    "entryType": "UniProtKB reviewed (Swiss-Prot)",
    "primaryAccession": "P25054",
    "secondaryAccessions": ["D3DT03"],
    "proteinDescription": {"recommendedName": {"fullName": {"value": "APC protein"}}},
    "comments": [
        {
            "texts": [
                {
                    "value": "Tumor suppressor (PubMed:10947987).",
                    "evidences": [
                        {"evidenceCode": "ECO:0000269", "source": "PubMed", "id": "10947987"},
                        {"evidenceCode": "ECO:0000250", "source": "UniProtKB", "id": "Q61315"},
                        {"evidenceCode": "ECO:0007744", "source": "PDB", "id": "1DEB"},
                        {"evidenceCode": "ECO:0000269", "source": "Reference", "id": "Ref.10"},
                        {"evidenceCode": "ECO:0000305"},
                    ],
                }
            ]
        }
    ],
    "references": [
        {
            "citation": {
                "id": "1651562",
                "citationCrossReferences": [
                    {"database": "PubMed", "id": "1651562"},
                    {"database": "DOI", "id": "10.1016/0092-8674(81)90021-0"},
                ],
                "title": "Identification of the gene.",
                "publicationDate": "AUG-1991",
                "journal": "Cell",
            }
        },
        {"citation": {"id": "CI-7CAL69OST03DI", "citationType": "submission"}},
    ],
    "uniProtKBCrossReferences": [
        {"database": "PDB", "id": "1DEB", "properties": []},
        {"database": "HGNC", "id": "HGNC:583", "properties": []},
        {
            "database": "GO",
            "id": "GO:0005515",
            "evidences": [{"evidenceCode": "ECO:0000353", "source": "PubMed", "id": "20696900"}],
        },
    ],
}


def test_a_uniprot_entry_cites_its_evidence_and_its_citations_only() -> None:
    found = scan_json({"results": [ENTRY]})
    assert ids(found) == [
        ["UniProt:P25054"],
        ["PMID:10947987"],
        ["UniProt:Q61315"],
        ["PMID:1651562", "DOI:10.1016/0092-8674(81)90021-0"],
        ["PMID:20696900"],
    ]
    assert found[0].title == "APC protein"
    assert found[1].title is None
    assert (found[3].title, found[3].journal, found[3].year) == (
        "Identification of the gene.",
        "Cell",
        1991,
    )


@pytest.mark.parametrize("kind", ["Inactive", "Local note (not UniProtKB)", None])
def test_only_an_entry_that_says_so_is_uniprots(kind: str | None) -> None:
    found = scan_json({**ENTRY, "entryType": kind})
    assert ["UniProt:P25054"] not in ids(found)


def test_pairs_of_source_and_accession() -> None:
    assert ids(scan_json([{"database": "UniProt", "accession": "P25054"}])) == [["UniProt:P25054"]]
    assert ids(scan_json([{"source": "MED", "id": "123", "title": "T"}])) == [["PMID:123"]]
    assert scan_json([{"database": "MEDLINE", "id": "98264328"}]) == []


def test_a_mygene_record() -> None:
    found = scan_json(
        {
            "symbol": "BRAF",
            "HGNC": "1097",
            "entrezgene": "673",
            "ensembl": [{"gene": "ENSG00000157764"}],
            "uniprot": {"Swiss-Prot": "P15056", "TrEMBL": ["A0A2R8Y8E0"]},
        }
    )
    assert ids(found) == [
        ["HGNC:1097"],
        ["NCBI Gene:673"],
        ["Ensembl:ENSG00000157764"],
        ["UniProt:P15056"],
    ]


PUBMED = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "https://dtd.nlm.nih.gov/pubmed_250101.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">9500320</PMID>
<DateCompleted><Year>1999</Year></DateCompleted>
<Article><Journal><JournalIssue><PubDate><Year>1998</Year></PubDate></JournalIssue>
<Title>Lancet (London, England)</Title><ISOAbbreviation>Lancet</ISOAbbreviation></Journal>
<ArticleTitle>A <i>claim</i> &amp; more.</ArticleTitle>
<ELocationID EIdType="doi" ValidYN="Y">10.1016/S0140-6736(97)11096-0</ELocationID>
<Abstract><AbstractText>See NCT01245062, n=1234567.</AbstractText></Abstract>
{types}</Article>
<CommentsCorrectionsList>{corrections}</CommentsCorrectionsList></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">9500320</ArticleId>
<ArticleId IdType="pii">S0140-6736(97)11096-0</ArticleId><ArticleId IdType="pmc">PMC77</ArticleId>
</ArticleIdList><ReferenceList><Reference><Citation>Cited. doi: 10.1038/cited.</Citation>
<ArticleIdList><ArticleId IdType="pubmed">123</ArticleId></ArticleIdList></Reference>
</ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>"""
RETRACTED = '<PublicationType UI="D016441">Retracted Publication</PublicationType>'
CORRECTION = '<CommentsCorrections RefType="{}"><PMID Version="1">{}</PMID></CommentsCorrections>'


def pubmed(types: str = "", corrections: str = "") -> list[Found]:
    return scan(PUBMED.replace("{types}", types).replace("{corrections}", corrections))


def test_pubmed_xml() -> None:
    paper, trial, cited = pubmed()
    assert ids([paper]) == [["PMID:9500320", "DOI:10.1016/s0140-6736(97)11096-0", "PMCID:PMC77"]]
    assert (paper.title, paper.journal, paper.year) == ("A claim & more.", "Lancet", 1998)
    assert ids([trial, cited]) == [["NCT01245062"], ["PMID:123", "DOI:10.1038/cited"]]


@pytest.mark.parametrize(
    ("types", "corrections", "retracted"),
    [
        (RETRACTED, "", {"9500320"}),
        ("", CORRECTION.format("RetractionIn", 20137807), {"9500320"}),
        ("", CORRECTION.format("RetractionOf", 111), {"111"}),
        ("", CORRECTION.format("ErratumIn", 111), set()),
        ("", CORRECTION.format("ExpressionOfConcernIn", 111), set()),
        ("", CORRECTION.format("CommentIn", 111), set()),
    ],
)
def test_retractions_in_pubmed_xml(types: str, corrections: str, retracted: set[str]) -> None:
    found = pubmed(types, corrections)
    assert {paper.ids[0].id for paper in found if paper.retracted} == retracted
    assert len(found) == (4 if corrections else 3)


@pytest.mark.parametrize("cut", range(100, len(PUBMED), 23))
def test_cut_xml_is_read_as_far_as_it_goes(cut: int) -> None:
    texts = {identifier.text for one in scan(PUBMED[:cut]) for identifier in one.ids}
    assert texts <= {
        "PMID:9500320",
        "DOI:10.1016/s0140-6736(97)11096-0",
        "NCT01245062",
        "PMCID:PMC77",
        "PMID:123",
        "DOI:10.1038/cited",
    }


def test_jats_bioc_and_uniprot_xml() -> None:
    jats = (
        '<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>'
        '<article-id pub-id-type="pmid">11</article-id><article-id pub-id-type="doi">10.1038/a'
        "</article-id><title-group><article-title>Own</article-title></title-group>"
        "<pub-date><year>2020</year></pub-date></article-meta></front><back><ref-list><ref>"
        '<article-title>Cited</article-title><pub-id pub-id-type="pmid">12</pub-id></ref>'
        "</ref-list></back></article>"
    )
    own, cited = scan(jats)
    assert ids([own, cited]) == [["PMID:11", "DOI:10.1038/a"], ["PMID:12"]]
    assert (own.title, own.year, cited.title) == ("Own", 2020, "Cited")
    bioc = '<?xml version="1.0"?><collection><document><id>5</id><infon key="pmid">5</infon>\
<infon key="title">T</infon><infon key="year">2017</infon></document></collection>'
    [paper] = scan(bioc)
    assert (ids([paper]), paper.title, paper.year) == ([["PMID:5"]], "T", 2017)
    uniprot = (
        '<?xml version="1.0"?><uniprot xmlns="http://uniprot.org/uniprot"><entry '
        'dataset="Swiss-Prot"><accession>P25054</accession><accession>D3DT03</accession>'
        '<reference><citation type="journal article" date="1991" name="Cell"><title>T</title>'
        '<dbReference type="MEDLINE" id="91330307"/><dbReference type="PubMed" id="1651562"/>'
        '</citation></reference><dbReference type="PDB" id="1DEB"/></entry></uniprot>'
    )
    entry, paper = scan(uniprot)
    assert ids([entry, paper]) == [["UniProt:P25054"], ["PMID:1651562"]]
    assert (paper.title, paper.journal, paper.year) == ("T", "Cell", 1991)


@pytest.mark.parametrize(
    "payload",
    [
        "[" * 100_000,
        '{"a":' * 5_000 + '"PMID:1"',
        '{"metadata":' * 900 + '{"pmid": 1}' + "}" * 900,
        '{"pmid":' + "[" * 900 + "1" + "]" * 900 + "}",
        '{"pmid": 1, "pubType":' + "[" * 900 + "1" + "]" * 900 + "}",
        "<?xml ?>" + "<article>" * 5_000,
        "{\x00",
        "[1e999]",
        f"[{'9' * 10_000}]",
    ],
)
def test_hostile_payloads_do_no_harm(payload: str) -> None:
    assert len(scan(payload)) <= 1
