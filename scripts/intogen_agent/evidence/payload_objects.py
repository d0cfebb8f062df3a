"""Reading one object of a payload: its own identifiers and what it says of its paper or record."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from intogen_agent.evidence.databases import DATABASES, Database, find_database
from intogen_agent.evidence.identifier_text import find_identifiers
from intogen_agent.evidence.identifiers import (
    Identifier,
    database_identifier,
    parse_identifier,
    pmid_identifier,
)
from intogen_agent.evidence.payload_merge import PAPER_KINDS, Found
from intogen_agent.evidence.payload_relations import Relations, relations

_KEYS = {
    "pmid": "pmid pmids pubmed pubmedid pubmedids articleidpmid",
    "pmcid": "pmcid pmcids pmc pubmedcentral articleidpmc",
    "doi": "doi dois articleiddoi",
    "nct": "nctid nct nctnumber",
    "HGNC": "hgnc hgncid",
    "NCBI Gene": "entrezgene entrezgeneid entrezid entrez ncbigene ncbigeneid",
    "Ensembl": "ensembl ensemblid ensemblgeneid ensemblgene",
    "UniProt": "uniprot uniprotid uniprotids uniprotkb uniprotaccession swissprot",
    "EudraCT": "eudract eudractnumber eudractid",
    "CTIS": "ctis euctnumber",
    "ISRCTN": "isrctn isrctnid",
    "url": "url link pubmedurl pmcurl doiurl fulltexturl",
}
_SOURCES = {key: source for source, keys in _KEYS.items() for key in keys.split()}
# Objects that only hold fields of the object around them.
_INLINE = ("metadata", "externalids")
_PAIR_LISTS = ("articleids", "citationcrossreferences")
_NESTING = {*_INLINE, *_PAIR_LISTS, "passages"}
# Keys that elsewhere count hits per source: `{"pubmed": 120}`; there, only text is an identifier.
_MAYBE_COUNTS = ("pubmed", "pmc", "pubmedcentral")
_TITLES = ("title", "articletitle", "brieftitle", "studytitle")
_JOURNALS = (
    *("journal", "journaltitle", "fulljournalname", "journalname", "publicationname"),
    "containertitle",
)
_DATES = (
    "year",
    "pubyear",
    "publicationyear",
    "date",
    "publicationdate",
    "pubdate",
    "firstpublicationdate",
    "issued",
)
_TYPES = ("publicationtype", "publicationtypes", "pubtype", "pubtypelist", "pubtypes")
_MARKS = ("retracted", "isretracted")
_PAPER_TEXTS = {"abstract", "abstracttext", "fulltext", "passages"}
_DESCRIBING = {*_TITLES, *_JOURNALS, *_DATES, *_TYPES, *_MARKS, "heading"}
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_MARKUP = re.compile(r"</?(?:i|b|u|em|strong|sub|sup|scp|italic|bold|sc)\b[^<>]{0,40}>", re.I)
_RETRACTED_TITLE = re.compile(r"\W{0,2}(?:RETRACTED|Retracted)(?: ARTICLE| Article)?\s?[:\]]")


_SPEAKING = {
    *_SOURCES,
    *("geneid", "heading", "database", "source", "passages", "type", "publisheddoi"),
    *_INLINE,
    *_PAIR_LISTS,
}


@lru_cache(maxsize=4096)
def squeeze(key: str) -> str:
    """Return a key without case and punctuation: `Pub Med`, `pub_med` and `pubMed` are one."""
    return re.sub(r"[^a-z0-9]", "", key.lower())


def is_identifier_key(key: str) -> bool:
    """Say whether a squeezed key holds an identifier."""
    return key in _SOURCES


def is_paper(record: Mapping[str, Any], found: Sequence[Found]) -> bool:
    """Say whether an object is a paper's own record: it has a paper's identifier, or an abstract.

    Args:
        record: The object.
        found: What `read_object` found in it.
    """
    own = found[0].ids[0].kind in PAPER_KINDS if found and not found[0].mentioned else False
    return own or not _PAPER_TEXTS.isdisjoint(map(squeeze, record))


def is_identifier_of(key: str, value: str) -> bool:
    """Say whether a value, as a whole, is an identifier of the kind that its key names."""
    return _interpret(_SOURCES[key], value) is not None


def read_object(record: Mapping[str, Any]) -> list[Found]:
    """Return what an object's own keys identify: at most one paper, and records beside it.

    Identifiers of one object are one paper's. A list of several identifiers names several papers,
    each on its own; so does an address of another paper.
    """
    filled = _filled(record)
    if _SPEAKING.isdisjoint(filled):
        return []
    view = _view(filled)
    own: dict[str, Identifier] = {}
    beside: list[Identifier] = []
    for identifiers in _own_identifiers(view):
        several = len(identifiers) > 1
        for identifier in identifiers:
            paper = identifier.kind in PAPER_KINDS and not several
            if not paper or own.setdefault(identifier.kind, identifier) != identifier:
                beside.append(identifier)
    urls = [identifier for identifier in beside if identifier.kind == "url"]
    found = []
    said = relations(view)
    if own:
        papers = [own[kind] for kind in PAPER_KINDS if kind in own]
        found.append(_described(view, (*papers, *urls), said))
        beside = [identifier for identifier in beside if identifier.kind != "url"]
    for identifier in beside:
        if identifier.kind in ("nct", "url") and not own:
            found.append(Found((identifier,), title=_text_of(view, _TITLES)))
        elif identifier.kind == "database" and "symbol" in view:
            found.append(Found((identifier,), title=_text_of(view, ("name",))))
        else:
            found.append(Found((identifier,)))
    found += [Found((other,), mentioned=True) for _, other in said.versions]
    found += [Found((other,), retracted=True, mentioned=True) for other in said.retracted]
    found += [Found((one,), versions=(("article", other),)) for one, other in said.pairs]
    found += [Found((other,)) for _, other in said.pairs]
    return found


def _described(view: dict[str, Any], ids: tuple[Identifier, ...], said: Relations) -> Found:
    if _DESCRIBING.isdisjoint(view):  # Most entries of a reference list say nothing more.
        return Found(ids, retracted=said.self_retracted, versions=said.versions)
    return Found(
        ids,
        title=_text_of(view, _TITLES),
        journal=_text_of(view, _JOURNALS),
        year=_year(view),
        retracted=_retracted(view) or said.self_retracted,
        versions=said.versions,
    )


def _view(view: dict[str, Any]) -> dict[str, Any]:
    """Return an object's filled fields by squeezed key, with those of its inline objects."""
    if _NESTING.isdisjoint(view):
        return view
    for key in _INLINE:
        if isinstance(view.get(key), dict):
            view = {**_filled(view[key]), **view}
    for key in _PAIR_LISTS:
        for pair in map(_filled, _dicts(view.get(key))):
            name = pair.get("database") or pair.get("idtype")
            value = pair.get("id") or pair.get("value")
            if isinstance(name, str) and isinstance(value, str):
                view.setdefault(squeeze(name), value)
    passages = _dicts(view.get("passages"))
    infons = passages[0].get("infons") if passages else None
    if isinstance(infons, dict):  # BioC: the title is the first passage.
        head = _filled(infons)
        head["citation"] = head.pop("journal", None)
        if head.get("type") == "title":
            head["title"] = passages[0].get("text")
        view = {**head, **view}
    return view


def _filled(record: Mapping[str, Any]) -> dict[str, Any]:
    view: dict[str, Any] = {}
    for key, value in record.items():
        if value not in (None, "", [], {}):
            view.setdefault(squeeze(key), value)
    return view


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _own_identifiers(view: dict[str, Any]) -> Iterator[list[Identifier]]:
    """Yield the identifiers of each key, addresses last."""
    addresses = []
    for key, value in view.items():
        source = _SOURCES.get(key)
        if key == "geneid" and "symbol" in view:
            source = "NCBI Gene"
        if source is None:
            continue
        scalars = [
            scalar
            for scalar in _scalars(value)
            if isinstance(scalar, str) or key not in _MAYBE_COUNTS
        ]
        made = (_interpret(source, scalar) for scalar in scalars)
        identifiers = list(dict.fromkeys(identifier for identifier in made if identifier))
        if source == "url":
            addresses.append(identifiers)
        else:
            yield identifiers
    yield from _in_citation(view)
    yield list(pair_identifiers(view))
    heading = view.get("heading")
    if isinstance(heading, str) and (identifier := parse_identifier(heading)):
        yield [identifier]
    yield from addresses


def pair_identifiers(
    view: Mapping[str, Any], databases: tuple[Database, ...] = DATABASES
) -> Iterator[Identifier]:
    """Yield the identifier of a pair of source and accession, if both are known.

    Cross-references of a database entry, which have properties, are no such pair.
    """
    name = view.get("database") or view.get("source") or view.get("type")
    accession = view.get("id") or view.get("accession") or view.get("recordid")
    if not isinstance(name, str) or "properties" in view:
        return
    for one in accession if isinstance(accession, list) else [accession]:
        if isinstance(one, str) and (identifier := _of_source(name, one, databases)):
            yield identifier


def _of_source(name: str, accession: str, databases: tuple[Database, ...]) -> Identifier | None:
    source = "pmid" if name == "MED" else _SOURCES.get(squeeze(name))  # Europe PMC
    if source in PAPER_KINDS:
        return _interpret(source, accession)
    database = find_database(name.replace("_", " "))
    return database_identifier(database.name, accession) if database in databases else None


def _in_citation(view: dict[str, Any]) -> Iterator[list[Identifier]]:
    """Yield the DOI of a reference's own wording (`citation: Smith J... doi: 10...`)."""
    for key in ("citation", "journal"):
        text = view.get(key)
        if isinstance(text, str) and "10." in text:
            dois = {found for _, found in find_identifiers(text) if found.kind == "doi"}
            if len(dois) == 1:
                yield list(dois)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _scalars(value: Any) -> Iterator[Any]:
    """Yield a value, or those of a list; of MyGene.info's objects, the accession."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            item = item.get("gene") or item.get("Swiss-Prot")
        for scalar in item if isinstance(item, list) else [item]:
            if _is_scalar(scalar):
                yield scalar


def _interpret(source: str, value: Any) -> Identifier | None:
    text = str(value).strip()
    if source == "pmid" and text.isascii() and text.isdigit():
        return pmid_identifier(text)
    if source == "pmcid" and text.isascii() and text.isdigit():
        return parse_identifier(f"PMC{text}")
    if find_database(source):
        return database_identifier(source, text) or parse_identifier(text)
    if source == "url" and not text.lower().startswith("http"):
        return None
    return parse_identifier(text)


def plain(text: str) -> str:
    """Return a title or journal without markup, entities and line breaks."""
    text = _MARKUP.sub("", html.unescape(_MARKUP.sub("", text)))
    return " ".join(text.encode("utf-8", "replace").decode().split())


def _text_of(view: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        if key not in view:
            continue
        value = view[key]
        if isinstance(value, dict):
            value = value.get("title")
        if isinstance(value, list) and len(value) == 1:  # Crossref's
            value = value[0]
        if isinstance(value, str):
            text = plain(value)
            # A cut title is not the paper's title.
            if text and not text.endswith(("...", "…")):
                return text
    heading = view.get("heading")
    if keys == _TITLES and isinstance(heading, str) and not parse_identifier(heading):
        return plain(heading) or None
    return None


def _year(view: dict[str, Any]) -> int | None:
    for key in _DATES:
        if key not in view:
            continue
        value = view[key]
        if isinstance(value, dict):  # Crossref's `{"date-parts": [[2012, 7]]}`
            value = str(value.get("date-parts"))
        match = _YEAR.search(str(value)) if _is_scalar(value) else None
        if match:
            return int(match.group())
    return None


def _retracted(view: dict[str, Any]) -> bool:
    if any(str(view.get(key)).lower() in ("true", "yes") for key in _MARKS):
        return True
    title = next((view[key] for key in _TITLES if isinstance(view.get(key), str)), "")
    if _RETRACTED_TITLE.match(title):
        return True
    types = (text for key in _TYPES if key in view for text in _texts(view[key], 0))
    return any("retracted publication" in text.lower() for text in types)


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict) and depth < 4:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item, depth + 1)
