"""Building a store: what it holds, and what is refused."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_records import ARTICLES, GENES, article, gene, protein

from intogen_agent.errors import UserError
from intogen_agent.store import schema
from intogen_agent.store.build import build_store, records_digest
from intogen_agent.store.records import ArticleRecord, read_records
from intogen_agent.store.search import Store

Build = Callable[..., Path]


def sql(path: Path, query: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    connection.create_function("unpack", 1, schema.unpack)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def left_behind(path: Path) -> set[str]:
    return {entry.name for entry in path.iterdir()} - {"records", "x.store", "y.store"}


def test_the_same_input_gives_the_same_bytes(build: Build) -> None:
    assert build(name="x.store").read_bytes() == build(name="y.store").read_bytes()


def test_the_file_is_laid_out_for_many_readers(build: Build) -> None:
    path = build()
    assert sql(path, "PRAGMA page_size") == [(16384,)]
    assert "WITHOUT ROWID" in sql(path, "SELECT sql FROM sqlite_master WHERE name='pair'")[0][0]
    plan = sql(
        path,
        "EXPLAIN QUERY PLAN SELECT score, pmid FROM pair WHERE gene=1 AND cancer=0 "
        "ORDER BY score DESC, pmid DESC LIMIT 9",
    )
    assert len(plan) == 1
    assert "USING PRIMARY KEY" in plan[0][3]


def test_texts_are_compressed_and_the_index_reads_them(build: Build) -> None:
    path = build()
    assert sql(path, "SELECT typeof(text) FROM article LIMIT 1") == [("blob",)]
    found = sql(path, "SELECT rowid, text FROM article_fts WHERE article_fts MATCH 'spindle'")
    assert found == [(103, "APC regulates the mitotic spindle.")]


def test_counts_and_origin_are_in_the_store(build: Build, tmp_path: Path) -> None:
    with Store(build(as_of="2026-01-31")) as store:
        folder = tmp_path / "records"
        assert store.digest == records_digest(folder, folder / "types.tsv")
        assert store.as_of == "2026-01-31"
        assert (store.counts["genes"], store.counts["articles"]) == (len(GENES), len(ARTICLES))


def test_an_unknown_day_stays_unknown(build: Build) -> None:
    with Store(build()) as store:
        assert store.as_of is None


@pytest.mark.parametrize("day", ["2026", "31.1.2026", "2026-02-30", "20260131", "today"])
def test_a_day_that_is_none_is_refused(build: Build, day: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="YYYY-MM-DD"):
        build(as_of=day)
    assert not (tmp_path / "x.store").exists()


@pytest.mark.parametrize("name", [*schema.RECORD_FILES, "types.tsv"])
def test_the_digest_covers_every_file(write: Callable[..., Path], name: str) -> None:
    folder = write()
    before = records_digest(folder, folder / "types.tsv")
    with (folder / name).open("a") as handle:
        handle.write("\n")
    assert records_digest(folder, folder / "types.tsv") != before


def test_the_digest_does_not_depend_on_the_place(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    folder = write()
    before = records_digest(folder, folder / "types.tsv")
    moved = folder.rename(tmp_path / "elsewhere")
    assert records_digest(moved, moved / "types.tsv") == before


def test_the_same_content_again_is_left_alone(build: Build, tmp_path: Path) -> None:
    path = build()
    before = path.stat()
    folder = tmp_path / "records"
    result = build_store(folder, path, folder / "types.tsv")
    assert not result.created
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


@pytest.mark.parametrize("change", [{"articles": []}, {"as_of": "2026-01-31"}])
def test_another_store_is_never_replaced(build: Build, change: dict[str, Any]) -> None:
    before = build().read_bytes()
    with pytest.raises(UserError, match=r"holds another store.*new name"):
        build(**change)
    assert build().read_bytes() == before


def test_a_file_that_is_no_store_is_never_replaced(build: Build, tmp_path: Path) -> None:
    (tmp_path / "x.store").write_text("my thesis")
    with pytest.raises(UserError, match="not a store"):
        build()
    assert (tmp_path / "x.store").read_text() == "my thesis"


def test_the_store_is_read_only_and_nothing_else_is_left(build: Build, tmp_path: Path) -> None:
    assert build().stat().st_mode & 0o222 == 0
    assert not left_behind(tmp_path)


def test_a_failed_build_leaves_nothing(build: Build, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        build(articles=[*ARTICLES, article(101, "again")])
    assert not left_behind(tmp_path)
    assert not (tmp_path / "x.store").exists()


def test_a_place_that_cannot_be_written_is_told(write: Callable[..., Path], tmp_path: Path) -> None:
    folder = write()
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        build_store(folder, tmp_path / "file" / "x.store", folder / "types.tsv")


def test_an_empty_store_can_be_built(build: Build) -> None:
    with Store(build(genes=[], proteins=[], articles=[], types=[])) as store:
        assert store.counts["articles"] == 0
        assert store.articles(["APC"], ["cancer"]) == []


@pytest.mark.parametrize("name", schema.RECORD_FILES)
def test_a_missing_file_is_told(write: Callable[..., Path], tmp_path: Path, name: str) -> None:
    folder = write()
    (folder / name).unlink()
    with pytest.raises(UserError, match=f"{name}: cannot be read"):
        build_store(folder, tmp_path / "x.store", folder / "types.tsv")


HOSTILE_ARTICLES = [
    ("{", "not a JSON object"),
    ("[]", "not a JSON object"),
    ("null", "not a JSON object"),
    ('"' * 3, "not a JSON object"),
    ("[" * 100_000, "not a JSON object"),
    (article(1, "x") | {"pmid": 1}, "field pmid is 1: "),
    (article("0", "x"), "field pmid is '0'"),
    (article("PMID:1", "x"), "field pmid"),
    (article("1\n2", "x"), "field pmid"),
    (article("٣", "x"), "field pmid"),
    (article("1" * 10, "x"), "field pmid"),
    (article(1, ""), "field text is '': it is blank"),
    (article(1, " \n "), "it is blank"),
    (article(1, "nul \x00"), r"control character U\+0000"),
    (article(1, "escape \x1b[31m"), r"control character U\+001B"),
    (article(1, "x", "bell \x07"), "field title"),
    (article(1, "x", year="2001"), "field year"),
    (article(1, "x", year=20010), "field year"),
    (article(1, "x", year=10**400), "field year"),
    (article(1, "x", doi="nature12213"), "field doi"),
    (article(1, "x", doi="https://doi.org/10.1038/x"), "field doi"),
    (article(1, "x", pmcid="77"), "field pmcid"),
    (article(1, "x", retracted="no"), "field retracted"),
    (article(1, "x", text_kind="full text"), "field text_kind"),
    (article(1, "x", genes="APC"), "field genes"),
    (article(1, "x", genes=[None]), r"field genes.0"),
    (article(1, "x", abstract="x"), "field abstract is not known; remove it"),
    ({"pmid": "1"}, "field text is missing; add it"),
    ('{"pmid": "1", "text": "\\ud800", "text_kind": "synopsis"}', "not a JSON object"),
    ('{"pmid": "1", "year": NaN, "text": "x", "text_kind": "synopsis"}', "field year"),
]


@pytest.mark.parametrize(("record", "told"), HOSTILE_ARTICLES)
def test_a_bad_article_is_refused_in_one_line(build: Build, record: Any, told: str) -> None:
    with pytest.raises(UserError, match=told) as error:
        build(articles=[ARTICLES[0], record])
    message = str(error.value)
    assert "articles.jsonl, line 2: " in message
    assert "\n" not in message
    assert len(message) < 600


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (gene("APC NEW"), "field symbol"),
        (gene(""), "field symbol"),
        (gene("X", hgnc_id="583"), "field hgnc_id"),
        (gene("X", hgnc_id="HGNC:HGNC:583"), "field hgnc_id"),
        (gene("X", entrez_id=324), "field entrez_id"),
        (gene("X", ensembl_id="ENST00000134982"), "field ensembl_id"),
        (gene("X", uniprot="P2505"), "field uniprot"),
        (gene("X", aliases="a|b"), "field aliases"),
        (gene("X", aliases=[""]), "field aliases.0"),
        (gene("apc"), "symbol apc again"),
    ],
)
def test_a_bad_gene_is_refused(build: Build, record: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=f"genes.jsonl, line 2: {told}"):
        build(genes=[GENES[0], record])


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (protein("APC", "P2505"), "field accession"),
        (protein("APC", "P25054", taxon_id="9606"), "field taxon_id"),
        (protein("APC", "P25054", length=0), "field length"),
        (protein("APC", "P25054", function=["text"]), "field function.0"),
        (protein("APC", "P25054", motifs=[{"text": "x", "pmids": [1]}]), "field motifs.0.pmids.0"),
        (protein("APC", "P25054", text_kind="mine"), "field text_kind"),
        (
            protein("TTN", "Q8WZ42", text_kind="general_knowledge", name="Q8WZ42 titin"),
            "a text of kind general_knowledge names UniProt",
        ),
        (
            protein(
                "TTN",
                "Q8WZ42",
                text_kind="general_knowledge",
                domains=[{"text": "According to UniProt it has Ig domains."}],
            ),
            "a text of kind general_knowledge names UniProt",
        ),
    ],
)
def test_a_bad_protein_is_refused(build: Build, record: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=f"proteins.jsonl, line 1: {told}"):
        build(proteins=[record])


def test_a_protein_twice_is_refused(build: Build) -> None:
    with pytest.raises(UserError, match="line 2: accession P25054 again"):
        build(proteins=[protein("APC", "P25054"), protein("apc", "P25054")])


def test_genes_may_share_a_protein(build: Build) -> None:
    with Store(build(proteins=[protein("APC", "P25054"), protein("KRAS", "P25054")])) as store:
        assert [one.gene for one in store.proteins("KRAS")] == ["KRAS"]


def test_a_paper_twice_is_refused_with_its_line(build: Build) -> None:
    with pytest.raises(UserError, match="line 3: PMID 1 again; write one record a paper"):
        build(articles=[article(1, "x"), article(2, "y"), article(1, "z")])


def test_a_bad_line_is_told_by_its_own_number(build: Build, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 4: "):
        build(articles=[article(1, "x"), "", "  ", "{"])


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    folder = write()
    text = "\ufeff" + "\r\n".join(json.dumps(record) for record in ARTICLES)
    (folder / "articles.jsonl").write_bytes(text.encode())
    result = build_store(folder, tmp_path / "x.store", folder / "types.tsv")
    assert result.counts["articles"] == len(ARTICLES)


def test_bytes_that_are_no_text_are_refused(write: Callable[..., Path], tmp_path: Path) -> None:
    folder = write()
    (folder / "articles.jsonl").write_bytes(
        b'{"pmid": "1", "text": "\xff", "text_kind": "abstract"}'
    )
    with pytest.raises(UserError, match="UTF-8"):
        build_store(folder, tmp_path / "x.store", folder / "types.tsv")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    st.binary(max_size=200)
    | st.dictionaries(st.text(), st.text()).map(lambda d: json.dumps(d).encode())
)
def test_any_file_is_read_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "articles.jsonl"
    path.write_bytes(data)
    try:
        records = list(read_records(path, ArticleRecord))
    except UserError as error:
        assert "\n" not in str(error)
    else:
        assert all(record.pmid for _, record in records)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15, deadline=None
)
@given(
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip),
    st.integers(1, 10**9 - 1),
)
def test_every_text_comes_back_as_it_went_in(
    write: Callable[..., Path], tmp_path: Path, text: str, pmid: int
) -> None:
    folder = write(articles=[article(pmid, text)], genes=[], proteins=[], types=[])
    output = tmp_path / "round.store"
    output.unlink(missing_ok=True)
    build_store(folder, output, folder / "types.tsv")
    with Store(output) as store:
        found = store.article(str(pmid))
    assert found is not None
    assert found.text == text.strip()


def test_a_gene_that_no_record_describes_is_counted_and_found(build: Build) -> None:
    with Store(build(articles=[article(1, "x", genes=["BRAF"])])) as store:
        assert store.counts["unknown_genes"] == 1
        assert store.gene("BRAF") is None
        assert [hit.article.pmid for hit in store.articles(["braf"])] == ["1"]


def test_a_build_that_lost_a_race_accepts_the_winner(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    winner = build()
    content = winner.read_bytes()
    winner.rename(tmp_path / "y.store")
    folder = tmp_path / "records"

    def win(path: Path, target: Path) -> None:
        (tmp_path / "y.store").rename(path)
        raise FileExistsError

    monkeypatch.setattr(Path, "hardlink_to", win)
    result = build_store(folder, winner, folder / "types.tsv")
    assert (result.created, winner.read_bytes()) == (False, content)


def test_a_file_system_without_hard_links_will_do(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(path: Path, target: Path) -> None:
        raise PermissionError("no hard links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    with Store(build()) as store:
        assert store.counts["genes"] == len(GENES)
    assert not left_behind(tmp_path)
