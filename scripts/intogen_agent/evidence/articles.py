"""Reading the records of an answer: Markdown records, JSON of any server, PubMed's XML, plain text.

What a record is, is read off its shape: an object with a paper's own identifier or an abstract,
whatever the server calls the list around it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from intogen_agent.evidence.bibliography import pruned, without_bibliography
from intogen_agent.evidence.identifiers import Identifier
from intogen_agent.evidence.markdown_record import markdown_fields
from intogen_agent.evidence.payload_merge import PAPER_KINDS, Found
from intogen_agent.evidence.payload_objects import is_paper, plain, read_object
from intogen_agent.evidence.payload_records import scan
from intogen_agent.files import parse_json

_RECORD = re.compile(r"^# Record \d+\s*$", re.MULTILINE)
# Wrappers are not nested deeper: Europe PMC's `resultList.result`, PubTator's `PubTator3`.
_DEPTH = 3
# BioMCP puts a word to its reader before the results of a search.
_NO_RECORD = "thinking-reminder"
_OWN = (*PAPER_KINDS, "nct")


@dataclass(frozen=True)
class ArticleRecord:
    """One record of an answer.

    Attributes:
        ids: Its own identifiers, the preferred first; not those that its text names.
        paper: Whether it is the record of a paper (or a trial). A gene's, a protein's, and text in
            no known form are not.
        text: Its part of the answer.
        evidence: The part of it that speaks for the record: without its list of references.
        value: The object that it was, if it was JSON.
    """

    ids: tuple[Identifier, ...]
    paper: bool
    title: str | None
    journal: str | None
    year: str | None
    text: str
    evidence: str
    value: Mapping[str, Any] | None = None

    @property
    def pmid(self) -> str | None:
        """Its PMID, if it has one."""
        return next((one.id for one in self.ids if one.kind == "pmid"), None)

    @property
    def texts(self) -> list[str]:
        """What speaks for it: the strings of an object, else its text as a whole."""
        return [self.evidence] if self.value is None else list(_strings(pruned(self.value)))


def article_records(payload: str) -> list[ArticleRecord]:
    """Return the records of a payload; an answer in no known form is one record."""
    if _RECORD.search(payload):
        return [_markdown(part) for part in _parts(payload)]
    articles = list(_pubmed_articles(payload))
    if articles:
        return [_scanned(article) for article in articles]
    try:
        value = parse_json(payload)
    except ValueError:
        return [_of_no_form(payload)]
    return [_from_json(item) for item in _items(value)]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _parts(payload: str) -> list[str]:
    starts = [match.start() for match in _RECORD.finditer(payload)]
    return [
        payload[start:end].rstrip()
        for start, end in zip(starts, [*starts[1:], len(payload)], strict=True)
    ]


def _pubmed_articles(payload: str) -> Iterator[str]:
    """Yield the articles of PubMed's XML, in linear time whatever a payload holds."""
    start = payload.find("<PubmedArticle>")
    while start >= 0 and (end := payload.find("</PubmedArticle>", start)) >= 0:
        yield payload[start:end]
        start = payload.find("<PubmedArticle>", end)


def _markdown(part: str) -> ArticleRecord:
    return _described(markdown_fields(part), part, without_bibliography(part), None)


def _from_json(item: dict[str, Any]) -> ArticleRecord:
    text = json.dumps(item, ensure_ascii=False, indent=1)
    return _described(item, text, json.dumps(pruned(item), ensure_ascii=False, indent=1), item)


def _described(
    fields: Mapping[str, Any], text: str, evidence: str, value: Mapping[str, Any] | None
) -> ArticleRecord:
    found = read_object(fields)
    own = _own(found)
    title = own.title if own else fields.get("title")
    return ArticleRecord(
        ids=own.ids if own else (),
        paper=own is not None or is_paper(fields, found),
        title=plain(title) or None if isinstance(title, str) else None,
        journal=own.journal if own else None,
        year=str(own.year) if own and own.year else None,
        text=text,
        evidence=evidence,
        value=value,
    )


def _own(found: list[Found]) -> Found | None:
    first = found[0] if found else None
    return first if first and first.ids[0].kind in _OWN and not first.mentioned else None


def _scanned(article: str) -> ArticleRecord:
    own = _own([one for one in scan(article) if not one.mentioned])
    return ArticleRecord(
        ids=own.ids if own else (),
        paper=True,
        title=own.title if own else None,
        journal=own.journal if own else None,
        year=str(own.year) if own and own.year else None,
        text=article,
        evidence=without_bibliography(article),
    )


def _of_no_form(text: str) -> ArticleRecord:
    return ArticleRecord((), False, None, None, None, text, without_bibliography(text))


def _items(value: Any) -> list[dict[str, Any]]:
    """Return the objects of an answer that are its records; the whole answer if none is a paper."""
    if isinstance(value, list):
        return _objects(value)
    if not isinstance(value, dict):
        return []
    return _listed(value, 0) or [value]


def _listed(value: dict[str, Any], depth: int) -> list[dict[str, Any]]:
    if _is_paper(value):
        return [value]
    for inner in value.values():
        if isinstance(inner, list):
            items = _objects(inner)
            if any(map(_is_paper, items)):
                return items
        if isinstance(inner, dict) and depth < _DEPTH and (found := _listed(inner, depth + 1)):
            return found
    return []


def _objects(items: list[Any]) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict) and item.get("id") != _NO_RECORD]


def _is_paper(item: dict[str, Any]) -> bool:
    found = read_object(item)
    own = _own(found)
    return is_paper(item, found) or (own is not None and own.ids[0].kind == "nct")
