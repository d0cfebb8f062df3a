"""A cohort's store, from the command to what the agents' reference manager sees of it."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fetch_world import Fetch, store_path, table
from public_services import World, entry

from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.store import render
from intogen_agent.store.search import Store


def test_a_cohort_becomes_a_store(fetch: Fetch, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch("KRAS COADREAD", "BRAF MEL") == 0
    told = table(capsys.readouterr().out)
    today = str(datetime.now(UTC).date())
    assert told | {"tasks": "4", "articles": "4", "articles retracted": "1"} == told
    assert told["tasks without a hit"] == "1"
    assert told["listed without a usable abstract"] == "1"
    assert told["protein records"] == told["gene records"] == "2"
    assert told["questions not answered"] == "0"
    assert told["oldest answer"] == told["latest answer"] == today
    assert told["store"] == str(store_path())
    with Store(store_path()) as store:
        assert store.as_of == today
        assert store.gaps == 0
        hits = store.articles(["KRAS"], ["colorectal cancer"])
        assert [hit.article.pmid for hit in hits] == ["12", "11"]
        match = store.gene("BRAF1")
        assert match is not None
        assert match.record.symbol == "BRAF"
        assert store.proteins("KRAS", "human")[0].function[0].text == "Invented switch."


def test_retraction_journal_and_year_reach_the_references(fetch: Fetch) -> None:
    assert fetch() == 0
    with Store(store_path()) as store:
        hits = store.articles(["KRAS"], ["colorectal cancer"])
        searched, one = render.articles(hits), store.article("12")
        assert one is not None
        for payload in (searched, render.article(one)):
            manager = ReferenceManager()
            manager.observe(payload, "phase2", "article_searcher", "c1")
            found = manager.resolve("PMID:12")
            assert found is not None
            assert (found.journal, found.year, found.retracted) == ("J Invent Res", 2019, True)
            assert found.title == "KRAS in colorectal cancer"
        manager = ReferenceManager()
        manager.observe(searched, "phase2", "article_searcher", "c1")
        other = manager.resolve("PMID:11")
        assert other is not None
        assert not other.retracted


def test_publication_types_are_shown(fetch: Fetch) -> None:
    assert fetch() == 0
    with Store(store_path()) as store:
        article = store.article("12")
        assert article is not None
        assert article.publication_types == ["Journal Article", "Retracted Publication"]
        assert "Journal Article" in render.article(article)


def test_ncbi_is_told_who_asks(fetch: Fetch, world: World) -> None:
    assert fetch() == 0
    for service in ("esearch", "efetch"):
        for fields in world.requests(service):
            assert fields["tool"] == "intogen-agent"
            assert fields["email"] == "me@example.org"
            assert "api_key" not in fields


def test_the_key_goes_with_the_form_and_nowhere_else(
    fetch: Fetch,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("NCBI_API_KEY", "secret36")
    assert fetch() == 0
    asked = [*world.requests("esearch"), *world.requests("efetch")]
    assert all(fields["api_key"] == "secret36" for fields in asked)
    assert not any("secret36" in fields["_path"] for fields in asked)
    told = capsys.readouterr()
    assert "secret36" not in told.out + told.err
    assert not any(b"secret36" in p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())


def test_every_search_is_put_on_record(fetch: Fetch) -> None:
    assert fetch("KRAS COADREAD") == 0
    header, *rows = Path("fetched/searches.tsv").read_text().splitlines()
    assert header.split("\t")[-1] == "query"
    assert [row.split("\t")[1] for row in rows] == ["COADREAD", "CANCER"]
    assert rows[0].split("\t")[4:6] == ["3", "3"]
    assert 'AND ("colorectal adenocarcinoma"[tiab:~0]' in rows[0]


def test_only_the_most_relevant_papers_are_taken(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch(options=("--max-articles=2", "--no-pan-cancer")) == 0
    told = table(capsys.readouterr().out)
    assert told["tasks with more hits than were taken"] == "1"
    assert [fields["id"] for fields in world.requests("efetch")] == ["11,12"]


def test_a_service_that_lists_less_at_a_time_is_asked_on(fetch: Fetch, world: World) -> None:
    world.most_listed = 1
    assert fetch(options=("--no-pan-cancer",)) == 0
    assert [fields["retstart"] for fields in world.requests("esearch")] == ["0", "1", "2"]
    assert [fields["id"] for fields in world.requests("efetch")] == ["11,12,14"]


def test_dates_bound_the_search(fetch: Fetch, world: World) -> None:
    assert fetch(options=("--since=2015-06", "--until=2023")) == 0
    fields = world.requests("esearch")[0]
    assert (fields["mindate"], fields["maxdate"]) == ("2015/06", "2023")
    assert fields["datetype"] == "pdat"


def test_a_search_that_went_on_without_the_gene_found_nothing(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.errors = {"errorlist": {"phrasesnotfound": ['"KRAS"[tiab]'], "fieldsnotfound": []}}
    assert fetch() == 0
    told = table(capsys.readouterr().out)
    assert told["tasks without a hit"] == "2"
    assert world.requests("efetch") == []


def test_proteins_come_in_pages(fetch: Fetch, world: World) -> None:
    world.proteins_on_a_page = 1
    assert fetch("KRAS COADREAD", "BRAF MEL") == 0
    assert len(world.requests("uniprot")) == 2
    with Store(store_path()) as store:
        assert store.counts["proteins"] == 2


def test_only_entries_of_the_gene_itself_count(fetch: Fetch, world: World) -> None:
    world.entries += [
        entry("P00003", "KRAS", "Invented mouse.", organism={"taxonId": 10090}),
        entry("P00004", "KRAS", "Invented draft.", entryType="UniProtKB unreviewed (TrEMBL)"),
    ]
    assert fetch() == 0
    with Store(store_path()) as store:
        assert [one.accession for one in store.proteins("KRAS")] == ["P00001"]


def test_a_gene_that_nobody_knows_is_no_failure(
    fetch: Fetch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch("KRAS COADREAD", "NOSUCH1 MEL") == 0
    told = capsys.readouterr()
    assert table(told.out)["genes without a gene record"] == "1"
    assert "note: HGNC knows no gene NOSUCH1" in told.err
    assert "note: UniProt has no reviewed human entry for NOSUCH1" in told.err


def test_an_old_symbol_finds_its_gene(fetch: Fetch, world: World) -> None:
    world.genes[0]["prev_symbol"] = ["KRAS2"]
    assert fetch("KRAS2 COADREAD") == 0
    assert '"KRAS"[tiab] OR "KRAS2"[tiab]' in world.requests("esearch")[0]["term"]
    with Store(store_path()) as store:
        assert [one.gene for one in store.proteins("KRAS2")] == ["KRAS"]


def test_a_paper_that_pubmed_no_longer_has_is_counted(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    del world.papers[12]
    assert fetch() == 0
    assert table(capsys.readouterr().out)["listed but unknown to PubMed"] == "1"
    assert [fields["id"] for fields in world.requests("efetch")] == ["11,12,13,14", "12"]


def test_a_retraction_notice_marks_the_paper_that_it_retracts(fetch: Fetch, world: World) -> None:
    world.papers[13].extra = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="RetractionOf"><RefSource>J'
        '</RefSource><PMID Version="1">11</PMID></CommentsCorrections></CommentsCorrectionsList>'
    )
    assert fetch() == 0
    rows = map(json.loads, Path("fetched/records/articles.jsonl").read_text().splitlines())
    assert {row["pmid"] for row in rows if row["retracted"]} == {"11", "12"}


def test_a_cancer_without_a_name_is_not_searched_and_said(
    fetch: Fetch, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch("KRAS OURS", options=("--no-pan-cancer",)) == 1
    told = capsys.readouterr()
    assert "not answered: search for KRAS OURS: the cancer type has no name" in told.err
    assert world.requests("esearch") == []
