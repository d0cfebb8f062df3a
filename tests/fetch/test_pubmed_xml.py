"""Records of papers from PubMed's XML."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from public_services import Paper, article_set

from intogen_agent.fetch.pubmed_xml import Fetched, read_articles
from intogen_agent.store.records import ArticleRecord

CORRECTIONS = (
    '<CommentsCorrectionsList><CommentsCorrections RefType="{}"><RefSource>J</RefSource>'
    '<PMID Version="1">77</PMID></CommentsCorrections></CommentsCorrectionsList>'
)


def only(paper: Paper) -> Fetched:
    [found] = read_articles(article_set(paper))
    return found


def record(paper: Paper) -> ArticleRecord:
    found = only(paper).record
    assert found is not None
    return found


def test_a_record_has_what_a_reference_needs() -> None:
    ids = (
        '<ArticleId IdType="doi">10.1000/ABC(1)</ArticleId><ArticleId IdType="pmc">PMC9</ArticleId>'
    )
    found = record(Paper(5, "A title.", "An abstract.", ids=ids))
    assert found == ArticleRecord(
        pmid="5",
        pmcid="PMC9",
        doi="10.1000/abc(1)",
        title="A title.",
        journal="J Invent Res",
        year=2019,
        first_author="Doe JA",
        text="An abstract.",
        text_kind="abstract",
        publication_types=["Journal Article"],
    )


@pytest.mark.parametrize("kind", ["RetractionIn", "RetractedandRepublishedIn"])
def test_a_retraction_in_the_corrections_counts(kind: str) -> None:
    assert record(Paper(5, "T", "A.", extra=CORRECTIONS.format(kind))).retracted


@pytest.mark.parametrize(
    "types",
    [(("D016441", "Retracted Publication"),), (("", "Retracted Publication"),), (("D016441", ""),)],
    ids=["both", "name", "identifier"],
)
def test_a_retraction_in_the_publication_types_counts(types: tuple[tuple[str, str], ...]) -> None:
    assert record(Paper(5, "T", "A.", types=types)).retracted


@pytest.mark.parametrize(
    "kind", ["ErratumIn", "ExpressionOfConcernIn", "CommentIn", "UpdateIn", "RetractionOf", "Cites"]
)
def test_nothing_else_is_a_retraction(kind: str) -> None:
    found = only(Paper(5, "T", "A.", extra=CORRECTIONS.format(kind)))
    assert found.record is not None
    assert not found.record.retracted
    assert found.retracts == (("77",) if kind == "RetractionOf" else ())


def test_ids_of_cited_papers_are_not_the_papers_own() -> None:
    cited = (
        "</ArticleIdList><ReferenceList><Reference><Citation>J. 2001</Citation><ArticleIdList>"
        '<ArticleId IdType="doi">10.1000/other</ArticleId></ArticleIdList></Reference>'
        "</ReferenceList><ArticleIdList>"
    )
    assert record(Paper(5, "T", "A.", ids=cited)).doi is None


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("<Year>2021</Year><Month>Mar</Month>", 2021),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", 1998),
        ("<MedlineDate>Spring</MedlineDate>", None),
        ("", None),
    ],
    ids=["year", "range", "no-year", "none"],
)
def test_the_year_is_read(date: str, year: int | None) -> None:
    assert record(Paper(5, "T", "A.", year=date)).year == year


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a <i>BRAF</i><sup>V600E</sup> tumour", "a BRAFV600E tumour"),
        ("P = 3 x 10<sup>-5</sup>", "P = 3 x 10^-5"),
        ("10<sup>6</sup> cells", "10^6 cells"),
        ("Ca<sup>2+</sup> and H<sub>2</sub>O", "Ca2+ and H2O"),
        ("shown before<sup>12</sup>.", "shown before12."),
        ("P &lt; 0.05 &amp; more", "P < 0.05 & more"),
        ("two\n   lines\u0085here", "two lines here"),
    ],
    ids=["gene", "power", "count", "ion", "mark", "escaped", "spaces"],
)
def test_markup_leaves_the_text_true(written: str, text: str) -> None:
    assert record(Paper(5, "T", written)).text == text


def test_sections_keep_their_labels() -> None:
    parts = (
        "We asked.</AbstractText><AbstractText Label='RESULTS'>It was so.</AbstractText>"
        "<AbstractText Label='UNLABELLED'>Enough."
    )
    assert record(Paper(5, "T", parts)).text == "We asked.\nRESULTS: It was so.\nEnough."


def test_a_paper_without_abstract_is_told_apart() -> None:
    found = only(Paper(5, "T", None))
    assert (found.record, found.problem) == (None, "no abstract")


def test_a_doi_that_is_none_is_left_out() -> None:
    found = record(Paper(5, "T", "A.", ids='<ArticleId IdType="doi">see the web</ArticleId>'))
    assert found.doi is None
    assert found.text == "A."


def test_a_chapter_of_a_book_is_a_paper() -> None:
    data = (
        b'<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID Version="1">20301</PMID>'
        b"<Book><Publisher/><BookTitle>Invented Reviews</BookTitle><PubDate><Year>1993</Year>"
        b"</PubDate></Book><ArticleTitle>An invented syndrome</ArticleTitle>"
        b'<AuthorList><Author><LastName>Roe</LastName></Author></AuthorList><PublicationType UI="'
        b'D016454">Review</PublicationType><Abstract><AbstractText>It runs in families.'
        b"</AbstractText></Abstract><ContributionDate><Year>1998</Year></ContributionDate>"
        b"</BookDocument><PubmedBookData/></PubmedBookArticle></PubmedArticleSet>"
    )
    [found] = read_articles(data)
    assert found.record is not None
    assert (found.record.journal, found.record.year) == ("Invented Reviews", 1998)
    assert found.record.publication_types == ["Review"]


SOUND = article_set(Paper(5, "A title", "An abstract."), Paper(6, "Another", "More."))


@given(st.integers(0, len(SOUND) - 1))
def test_a_cut_answer_is_refused_wherever_it_is_cut(length: int) -> None:
    with pytest.raises(ValueError, match="cut off or damaged"):
        read_articles(SOUND[:length])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        assert read_articles(data) == []
    except ValueError:
        return


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"<!DOCTYPE HTML><html></html>", "an HTML page"),
        (b"<eFetchResult><ERROR>No good</ERROR></eFetchResult>", "eFetchResult.*No good"),
        (b"<PubmedArticleSet>\xff</PubmedArticleSet>", "not UTF-8"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><PubmedArticleSet>&a;</PubmedArticleSet>', "entities"),
        (b"<PubmedArticleSet>" + b"<a>" * 200_000, "cut off or damaged"),
    ],
    ids=["html", "error", "encoding", "bomb", "deep"],
)
def test_what_is_no_answer_is_refused_by_name(data: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_articles(data)


def test_deeply_nested_text_is_refused() -> None:
    deep = "<i>" * 5000 + "x" + "</i>" * 5000
    with pytest.raises(ValueError, match="cut off or damaged"):
        read_articles(article_set(Paper(5, "T", deep)))


def test_recorded_answers_are_read(shared_data: Path) -> None:
    folder = shared_data / "formats" / "pubmed"
    [found] = read_articles((folder / "efetch_22663011_BRAF.xml").read_bytes())
    assert found.record is not None
    assert (found.record.doi, found.record.year) == ("10.1056/nejmoa1203421", 2012)
    assert found.record.journal == "N Engl J Med"
    assert not found.record.retracted
    shape = (
        (folder / "SHAPE_retraction_note.xml")
        .read_text()
        .replace(
            "<PublicationTypeList>",
            "<Abstract><AbstractText>Words.</AbstractText></Abstract><PublicationTypeList>",
        )
    )
    body = shape[shape.index("<PubmedArticle>") :]
    [note] = read_articles(f"<PubmedArticleSet>{body}</PubmedArticleSet>".encode())
    assert note.record is not None
    assert note.record.retracted
    for path in sorted(folder.glob("biopython_pubmed[4567].xml")):
        for paper in read_articles(path.read_bytes()):
            assert paper.record is None or paper.record.year
