"""Reading what PubMed's efetch returns: bibliographic data, abstracts and marks of retraction."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError, iterparse

from intogen_agent.fetch.fitting import fitting, line
from intogen_agent.store.records import ArticleRecord

RETRACTED = "D016441"
"""MeSH id of the publication type `Retracted Publication`."""

_RETRACTED_IN = {"RetractionIn", "RetractedandRepublishedIn"}
_RETRACTS = {"RetractionOf", "RetractedandRepublishedFrom"}
_YEAR = re.compile(r"\b(1[89]|20|21)[0-9]{2}\b")


@dataclass(frozen=True)
class Fetched:
    """One paper of an answer.

    Attributes:
        pmid: Its PMID.
        record: Its record; None if it has no abstract or cannot be read.
        retracts: PMIDs of the papers that it retracts.
        problem: Why there is no record; empty if there is one.
    """

    pmid: str
    record: ArticleRecord | None
    retracts: tuple[str, ...] = ()
    problem: str = ""


def read_articles(data: bytes) -> list[Fetched]:
    """Read an answer of efetch (PubmedArticleSet).

    Raises:
        ValueError: It is something else, cut off, or damaged; the message says what.
    """
    if data.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise ValueError("the answer is an HTML page")
    # Nothing in a PubMed answer needs an entity of its own; a bomb does.
    if b"<!ENTITY" in data:
        raise ValueError("the answer declares entities, which PubMed does not")
    try:
        text = data.decode("utf-8-sig").encode()
    except UnicodeDecodeError as error:
        raise ValueError(f"the answer is not UTF-8 at byte {error.start}") from None
    try:
        return list(_papers(text))
    except (ParseError, RecursionError) as error:
        raise ValueError(f"the answer is cut off or damaged ({error})") from None


def _papers(data: bytes) -> Iterator[Fetched]:
    root: Element | None = None
    # Entities are refused above, and the parser loads nothing from elsewhere.
    for event, element in iterparse(BytesIO(data), events=("start", "end")):  # noqa: S314
        if root is None:
            root = element
            continue
        if element is root and event == "end":
            _check_root(root)
        if event == "start" or element.tag not in ("PubmedArticle", "PubmedBookArticle"):
            continue
        if root.tag == "PubmedArticleSet":
            paper = _paper(element)
            if paper is not None:
                yield paper
            root.clear()


def _check_root(root: Element) -> None:
    if root.tag == "PubmedArticleSet":
        return
    said = line(" ".join(root.itertext())) or ""
    raise ValueError(f"the answer is {root.tag}, not PubmedArticleSet: {said[:120]}")


def _paper(element: Element) -> Fetched | None:
    """Read a paper or a chapter of a book."""
    book = element.tag == "PubmedBookArticle"
    head = element.find("BookDocument" if book else "MedlineCitation")
    pmid = (head.findtext("PMID") or "").strip() if head is not None else ""
    if head is None or not re.fullmatch(r"[1-9][0-9]{0,8}", pmid):
        return None
    article = head if book else head.find("Article")
    links = list(head.iterfind("CommentsCorrectionsList/CommentsCorrections"))
    retracts = tuple(
        other.strip()
        for link in links
        if link.get("RefType") in _RETRACTS and (other := link.findtext("PMID"))
    )
    text = _abstract(article) if article is not None else ""
    if article is None or not text:
        return Fetched(pmid, None, retracts, "no abstract")
    types = list(
        article.iterfind("PublicationType" if book else "PublicationTypeList/PublicationType")
    )
    record = fitting(
        ArticleRecord,
        {
            "pmid": pmid,
            "title": line(_text(article.find("ArticleTitle")))
            or line(_text(article.find("VernacularTitle"))),
            "journal": _journal(article, book),
            "year": _year(article, book),
            "first_author": _first_author(article),
            **_other_ids(element, article, book),
            "text": text,
            "text_kind": "abstract",
            "publication_types": list(
                dict.fromkeys(filter(None, (line(_text(kind)) for kind in types)))
            ),
            "retracted": any(kind.get("UI") == RETRACTED for kind in types)
            or any(_text(kind).strip() == "Retracted Publication" for kind in types)
            or any(link.get("RefType") in _RETRACTED_IN for link in links),
        },
    )
    return Fetched(pmid, record, retracts, "" if record else "its record cannot be read")


def _abstract(article: Element) -> str:
    """Return the abstract's sections, a line each, with their labels."""
    sections = []
    for section in article.iterfind("Abstract/AbstractText"):
        text = line(_text(section))
        label = line(section.get("Label") or "")
        if text:
            sections.append(f"{label}: {text}" if label and label != "UNLABELLED" else text)
    return "\n".join(sections)


def _text(element: Element | None) -> str:
    """Return an element's text; a power keeps its mark, since 10^3 is not 103."""
    if element is None:
        return ""
    parts = [element.text or ""]
    for child in element:
        inner = _text(child)
        raised = child.tag == "sup" and re.fullmatch(r"\s*[-+−–]?[0-9.,]+\s*", inner)
        if raised and parts and re.search(r"[0-9]\s*$", "".join(parts)[-3:]):
            inner = f"^{inner.strip()}"
        parts += [inner, child.tail or ""]
    return "".join(parts)


def _journal(article: Element, book: bool) -> str | None:
    if book:
        return line(_text(article.find("Book/BookTitle")))
    return line(article.findtext("Journal/ISOAbbreviation")) or line(
        article.findtext("Journal/Title")
    )


def _year(article: Element, book: bool) -> int | None:
    """Return the year of publication; PubMed writes some dates as text (`1998 Dec-1999 Jan`)."""
    place = "ContributionDate" if book else "Journal/JournalIssue/PubDate"
    dates = [article.find(place), article.find("Book/PubDate" if book else "ArticleDate")]
    for date in dates:
        if date is None:
            continue
        found = _YEAR.search(date.findtext("Year") or date.findtext("MedlineDate") or "")
        if found:
            return int(found.group())
    return None


def _first_author(article: Element) -> str | None:
    author = article.find("AuthorList/Author")
    if author is None:
        return None
    last = author.findtext("LastName")
    if not last:
        return line(author.findtext("CollectiveName"))
    return line(f"{last} {author.findtext('Initials') or ''}")


def _other_ids(element: Element, article: Element, book: bool) -> dict[str, str | None]:
    """Return DOI and PMC id of the paper itself; those of its own references lie elsewhere."""
    data = "PubmedBookData" if book else "PubmedData"
    ids = {
        one.get("IdType"): (one.text or "").strip()
        for one in element.iterfind(f"{data}/ArticleIdList/ArticleId")
    }
    located = [
        (one.text or "").strip()
        for one in article.iterfind("ELocationID")
        if one.get("EIdType") == "doi" and one.get("ValidYN", "Y") == "Y"
    ]
    return {"doi": ids.get("doi") or next(iter(located), None), "pmcid": ids.get("pmc")}
