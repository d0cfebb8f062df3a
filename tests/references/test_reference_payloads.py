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


def test_registers_of_a_trial_are_kept_apart() -> None:
    module = {
        "nctId": "NCT01245062",
        "briefTitle": "METRIC",
        "secondaryIdInfos": [
            {"id": "2010-019348-37", "type": "EUDRACT_NUMBER"},
            {"id": "ISRCTN12345678", "type": "REGISTRY"},
            {"id": "12345678", "type": "OTHER_GRANT"},
        ],
    }
    assert ids(scan_json({"identificationModule": module})) == [
        ["NCT01245062"],
        ["EudraCT:2010-019348-37"],
        ["ISRCTN:12345678"],
    ]
    assert ids(scan_json({"eudract": "2010-019348-37"})) == [["EudraCT:2010-019348-37"]]


def test_crossrefs_message_is_an_answer() -> None:
    work = {
        "DOI": "10.1038/x",
        "title": ["A title"],
        "container-title": ["Nature"],
        "issued": {"date-parts": [[2012, 7]]},
    }
    [paper] = scan_json({"status": "ok", "message": work})
    assert (paper.title, paper.journal, paper.year) == ("A title", "Nature", 2012)
    assert scan_json({"status": "failed", "message": "PMID:1 was asked"}) == []
