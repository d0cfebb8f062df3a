"""Literature answers as records, and long answers cut into parts of whole records."""

import json
from pathlib import Path

import pytest

from intogen_agent.evidence.articles import article_records


def recorded(shared_data: Path, name: str) -> str:
    folder = shared_data / "payloads" / "tool_outputs" / "biomcp_python_0.7.3"
    value = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return "\n".join(block["text"] for block in value["result"]["content"])


@pytest.mark.parametrize(
    ("name", "pmid", "title", "journal", "year"),
    [
        ("article_searcher_BRAF_melanoma", "22663011", "BRAF alterations", "Test Journal", "2024"),
        ("article_getter_22663011", "22663011", "Improved survival", "N Engl J Med", "2012"),
        ("article_getter_20516115", "20516115", "Comprehensive analysis", "Cancer Res", "2010"),
        ("article_getter_doi", None, "Improved survival", "N Engl J Med (preprint)", "2012"),
    ],
)
def test_a_recorded_answer_is_read(
    shared_data: Path, name: str, pmid: str | None, title: str, journal: str, year: str
) -> None:
    first = article_records(recorded(shared_data, name))[0]
    assert (first.pmid, first.journal, first.year) == (pmid, journal, year)
    assert first.title is not None and first.title.startswith(title)


MARKDOWN = """A preamble.

# Record 1
Pmid: 9065401
Title:
  Activation of beta-catenin-Tcf signaling in colon cancer by mutations in
  beta-catenin or APC
Journal: Science
Date: 1997-03-21
Abstract:
  Title: not a field, it is indented.

# Record 2
Pmid: 1651563
Title: Mutations of chromosome 5q21 genes
"""


def test_wrapped_titles_are_whole_and_indented_text_is_no_field() -> None:
    first, second = article_records(MARKDOWN)
    assert first.title == (
        "Activation of beta-catenin-Tcf signaling in colon cancer by mutations in beta-catenin "
        "or APC"
    )
    assert (first.pmid, first.journal, first.year) == ("9065401", "Science", "1997")
    assert (second.pmid, second.journal, second.year) == ("1651563", None, None)
    assert first.text.startswith("# Record 1") and "1651563" not in first.text


@pytest.mark.parametrize("payload", ["plain text", "", "{not json", "# Records\nx"])
def test_an_answer_in_no_known_form_is_one_record(payload: str) -> None:
    (record,) = article_records(payload)
    assert record.text == payload and record.pmid is record.title is None


@pytest.mark.parametrize(
    ("payload", "pmids"),
    [
        ('[{"pmid": 1}, {"pmid": "2"}, 3, null]', ["1", "2"]),
        ('{"pmid": 1}', ["1"]),
        ('[{"pmid": null, "title": ""}]', [None]),
        ('[{"date": 2012}]', [None]),
        ("[]", []),
        ("3", []),
    ],
)
def test_json_answers_are_read_in_any_shape(payload: str, pmids: list[str | None]) -> None:
    assert [record.pmid for record in article_records(payload)] == pmids
