"""Records are read by their shape, whatever server gave them; a record's own identifiers first."""

import json
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.evidence.articles import ArticleRecord, article_records

TITLE = "APC in colon tumours"
ABSTRACT = "Loss of APC activates Wnt signalling (PMID: 7777777)."
SHAPES: dict[str, Any] = {
    "biomcp-python, article": [
        {
            "pmid": 9065401,
            "title": TITLE,
            "abstract": ABSTRACT,
            "journal": "Science",
            "date": "1997",
        }
    ],
    "biomcp-cli, search": {
        "query": "gene=APC",
        "pagination": {"returned": 1},
        "results": [
            {"pmid": "9065401", "title": TITLE, "journal": "Science", "date": "1997-03-21"}
        ],
        "_meta": {"next_commands": ["biomcp get article 7777777"]},
    },
    "biomcp-cli, article": {
        "_meta": {"evidence_urls": [{"url": "https://pubmed.ncbi.nlm.nih.gov/9065401/"}]},
        "abstract_text": ABSTRACT,
        "annotations": {"genes": [{"text": "APC"}]},
        "date": "1997-03-21",
        "journal": "Science",
        "pmid": "9065401",
        "title": TITLE,
    },
    "Europe PMC, lite": {
        "resultList": {
            "result": [
                {
                    "id": "9065401",
                    "source": "MED",
                    "pmid": "9065401",
                    "title": TITLE,
                    "journalTitle": "Science",
                    "pubYear": "1997",
                }
            ]
        }
    },
    "PubTator": {
        "PubTator3": [
            {
                "id": "9065401",
                "pmid": 9065401,
                "journal": "Science",
                "date": "1997-03-21T00:00:00Z",
                "passages": [
                    {"infons": {"type": "title"}, "text": TITLE},
                    {"infons": {"type": "abstract"}, "text": ABSTRACT},
                ],
            }
        ]
    },
    "local store, Markdown": f"# Record 1\nPmid: 9065401\nTitle: {TITLE}\nJournal: Science\n"
    f"Date: 1997-03-21\nAbstract:\n  {ABSTRACT}\n",
    "PubMed, XML": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>9065401</PMID><Article>"
    "<Journal><JournalIssue><PubDate><Year>1997</Year></PubDate></JournalIssue>"
    f"<ISOAbbreviation>Science</ISOAbbreviation></Journal><ArticleTitle>{TITLE}</ArticleTitle>"
    f"<Abstract><AbstractText>{ABSTRACT}</AbstractText></Abstract></Article></MedlineCitation>"
    "</PubmedArticle></PubmedArticleSet>",
}


def records(payload: Any) -> list[ArticleRecord]:
    return article_records(payload if isinstance(payload, str) else json.dumps(payload))


@pytest.mark.parametrize("payload", SHAPES.values(), ids=SHAPES)
def test_a_record_is_read_from_every_shape(payload: Any) -> None:
    (record,) = records(payload)
    assert record.paper
    assert record.pmid == "9065401"
    assert record.title == TITLE
    assert (record.journal, record.year) == ("Science", "1997")
    assert "7777777" not in {one.id for one in record.ids}


@pytest.mark.parametrize(
    ("own", "ids"),
    [
        (
            {"pmid": "1", "doi": "10.1038/X1", "pmcid": "PMC77"},
            ["PMID:1", "DOI:10.1038/x1", "PMCID:PMC77"],
        ),
        ({"doi": "10.1101/2020.01.02.123456"}, ["DOI:10.1101/2020.01.02.123456"]),
        ({"pmid": None, "url": "https://pubmed.ncbi.nlm.nih.gov/1/"}, ["PMID:1"]),
        ({"nct_id": "NCT01245062"}, ["NCT01245062"]),
        ({}, []),
    ],
    ids=["several", "a preprint", "an address", "a trial", "none"],
)
def test_a_records_own_identifiers_come_from_its_own_fields(own: Any, ids: list[str]) -> None:
    (record,) = records([{**own, "title": TITLE, "abstract": ABSTRACT}])
    assert [one.text for one in record.ids] == ids
    assert record.paper


def test_a_word_of_the_server_to_its_reader_is_no_record() -> None:
    reminder = {"id": "thinking-reminder", "title": "Reminder", "text": "Use the tool.", "url": ""}
    paper = {"id": 1, "title": TITLE, "text": "", "url": "https://pubmed.ncbi.nlm.nih.gov/1/"}
    assert [record.pmid for record in records({"results": [reminder, paper]})] == ["1"]


@pytest.mark.parametrize(
    "payload",
    [
        {"symbol": "APC", "summary": "It binds.", "entrezgene": 324},
        {"results": [{"primaryAccession": "P25054", "entryType": "UniProtKB reviewed"}]},
        "# Record 1\nSymbol: APC\nSummary: It binds.\n",
        "Plain words on APC.",
    ],
)
def test_what_is_no_paper_is_one_record_without_a_papers_identity(payload: Any) -> None:
    (record,) = records(payload)
    assert not record.paper
    assert record.ids == ()


@pytest.mark.parametrize(
    ("name", "ids", "journal"),
    [
        (
            "search_article_BRAF_melanoma_json",
            ["PMID:22663011", "DOI:10.1056/nejmoa1203421", "PMCID:PMC123"],
            "Test Journal",
        ),
        (
            "get_article_22663011_json",
            ["PMID:22663011", "DOI:10.1056/nejmoa1203421"],
            "N Engl J Med",
        ),
    ],
)
def test_recorded_answers_of_the_rust_line_are_read(
    shared_data: Path, name: str, ids: list[str], journal: str
) -> None:
    folder = shared_data / "payloads" / "tool_outputs" / "biomcp_cli_0.9.3"
    value = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    (record,) = article_records("\n".join(one["text"] for one in value["result"]["content"]))
    assert [one.text for one in record.ids] == ids
    assert record.journal == journal
