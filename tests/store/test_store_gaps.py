"""What is unknown to a store is never told as absent."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from store_calls import ask

from intogen_agent.cli import main
from intogen_agent.errors import UserError
from intogen_agent.store.search import Store

Build = Callable[..., Path]

GAPS = [
    {"kind": "articles", "gene": "KRAS", "cancer": "Colorectal Adenocarcinoma", "reason": "down"},
    {"kind": "articles", "gene": "TTN", "cancer": None, "reason": "down", "pmids": ["900"]},
    {"kind": "gene", "gene": "NEW1", "reason": "down"},
    {"kind": "protein", "gene": "KRAS", "reason": "down"},
]


@pytest.fixture
def store(write: Callable[..., Path], build: Build) -> Any:
    (write() / "gaps.jsonl").write_text("".join(f"{json.dumps(gap)}\n" for gap in GAPS))
    with Store(build()) as opened:
        yield opened


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("article_searcher", {"genes": ["KRAS"], "diseases": ["colorectal cancer"]}),
        ("article_searcher", {"genes": ["KRAS2"], "diseases": ["COADREAD"]}),
        ("article_searcher", {"genes": ["KRAS"], "diseases": ["rectal cancer"]}),
        ("article_searcher", {"genes": ["KRAS"], "diseases": ["bowel cancer"]}),
        ("article_searcher", {"genes": ["KRAS"], "diseases": ["invented disease"]}),
        ("article_searcher", {"genes": ["TTN"], "diseases": ["melanoma"]}),
        ("article_searcher", {"keywords": ["nowhere"]}),
        ("article_getter", {"pmid": "900"}),
        ("article_getter", {"pmid": "https://pubmed.ncbi.nlm.nih.gov/900/"}),
        ("article_getter", {"pmid": "10.1000/none"}),
        ("gene_getter", {"gene_id_or_symbol": "new1"}),
        ("search_by_gene", {"gene": "KRAS"}),
    ],
)
def test_an_empty_answer_to_an_unanswered_question_is_a_failure(
    store: Store, tool: str, arguments: dict[str, Any]
) -> None:
    result = ask(store, tool, arguments)
    assert result.is_error
    assert "unknown, not absent" in result.content[0].text
    assert "down" in result.content[0].text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("article_searcher", {"genes": ["KRAS"], "diseases": ["lung adenocarcinoma"]}),
        ("article_searcher", {"genes": ["ALK"], "diseases": ["colorectal cancer"]}),
        ("article_searcher", {"genes": ["APC"], "diseases": ["colorectal cancer"]}),
        ("article_searcher", {"genes": ["TTN"], "diseases": ["lung adenocarcinoma"], "page": 9}),
        ("article_getter", {"pmid": "901"}),
        ("gene_getter", {"gene_id_or_symbol": "NEW2"}),
        ("search_by_gene", {"gene": "ALK"}),
        ("search_by_gene", {"gene": "APC"}),
    ],
)
def test_other_answers_stay_as_they_are(store: Store, tool: str, arguments: dict[str, Any]) -> None:
    assert not ask(store, tool, arguments).is_error


def test_gaps_are_part_of_a_store_and_of_its_digest(
    write: Callable[..., Path], build: Build
) -> None:
    with Store(build(name="a.store")) as whole:
        assert whole.gaps == 0
    (write() / "gaps.jsonl").write_text(json.dumps(GAPS[0]))
    with Store(build(name="b.store")) as partial:
        assert partial.gaps == 1
    assert whole.digest != partial.digest


def test_a_bad_gap_is_refused(write: Callable[..., Path], build: Build) -> None:
    (write() / "gaps.jsonl").write_text('{"kind": "articles", "gene": "KRAS"}\n')
    with pytest.raises(UserError, match=r"gaps.jsonl, line 1: field reason is missing"):
        build()


def test_a_search_by_hand_says_that_something_is_unknown(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["store", "search", str(store.path), "--gene", "APC"]) == 0
    assert "note: 4 questions were not answered" in capsys.readouterr().err
