"""Turning XML (PubMed, JATS, BioC, UniProt) into the records and texts that it holds.

A tolerant reader rather than a parser: payloads are cut at limits, and nothing in them may make it
load or expand anything.
"""

import html
import re
from dataclasses import dataclass, field
from typing import Any

# Elements that are a paper or record; identifiers belong to the innermost.
_RECORDS = {
    "PubmedArticle",
    "PubmedBookArticle",
    "CommentsCorrections",
    "Reference",
    "article",
    "sub-article",
    "ref",
    "document",
    "entry",
    "citation",
    "source",
    "DataBank",
}
_ID_TYPES = {"pubmed": "pmid", "pmid": "pmid", "doi": "doi", "pmc": "pmcid", "pmcid": "pmcid"}
# (element, attribute) -> the field that each value of the attribute means.
_TYPED = {
    ("ArticleId", "IdType"): _ID_TYPES,
    ("ELocationID", "EIdType"): _ID_TYPES,
    ("article-id", "pub-id-type"): _ID_TYPES,
    ("pub-id", "pub-id-type"): _ID_TYPES,
    ("infon", "key"): {
        "pmid": "pmid",
        "doi": "doi",
        "article-id_pmid": "pmid",
        "article-id_doi": "doi",
        "article-id_pmc": "pmcid",
        "title": "title",
        "journal": "journal",
        "year": "year",
    },
}
_TYPE_OF = dict(_TYPED.keys())
_FIELDS = {
    "PMID": "pmid",
    "ArticleTitle": "title",
    "article-title": "title",
    "ISOAbbreviation": "journal",
    "journal-title": "journal",
    "PublicationType": "publicationtype",
    "Citation": "citation",
    "RefSource": "citation",
    "DataBankName": "database",
}
_FIELDS_WITHIN = {
    ("PubDate", "Year"): "year",
    ("PubDate", "MedlineDate"): "year",
    ("pub-date", "year"): "year",
    ("citation", "title"): "title",
    ("Swiss-Prot", "accession"): "uniprot",
    ("TrEMBL", "accession"): "uniprot",
    ("AccessionNumberList", "AccessionNumber"): "accession",
}
_ONCE = {"title", "journal", "year", "citation", "uniprot", "database"}
_INLINE = {"i", "b", "u", "sub", "sup", "em", "strong", "italic", "bold", "sc", "xref"}
_SILENT = {"copyright", "license", "permissions"}

_XML = re.compile(
    r"\s*<(?:\?xml|!--|!DOCTYPE (?!html)|Pubmed|article[\s>]|uniprot|collection>|pmc-articleset)",
    re.I,
)
_HIDDEN = re.compile(r"<\?[^<>]*\?>|<!DOCTYPE[^<>]*>|<!\[CDATA\[|\]\]>")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,80})([^<>]*)>")
_ATTRIBUTE = re.compile(r"([\w:.-]{1,80})=[\"']([^\"'<>]*)[\"']")


@dataclass(slots=True)
class _Element:
    """An open element: its name, the record around it, the field that its text fills if any."""

    name: str
    record: dict[str, Any]
    fills: str | None = None
    text: list[str] = field(default_factory=list)


def is_xml(text: str) -> bool:
    """Say whether a payload is XML (HTML is not)."""
    return _XML.match(text) is not None


def xml_record(text: str) -> dict[str, Any]:
    """Return an XML text as nested objects; those of papers within papers are under `records`."""
    top: dict[str, Any] = {}
    elements = [_Element("", top)]
    position = 0
    text = _HIDDEN.sub("", _without_comments(text))
    for tag in _TAG.finditer(text):
        start, end = tag.span()
        if start > position:
            elements[-1].text.append(text[position:start])
        position = end
        closing, name, attributes = tag.groups()
        if name in _INLINE:
            continue
        if not closing:
            _open(elements, name, dict(_ATTRIBUTE.findall(attributes)) if attributes else {})
        if closing or attributes.endswith("/"):
            _close(elements, name)
    # What is cut in the middle is no value: a part of a PMID is another PMID.
    while elements:
        element = elements.pop()
        if element.fills is None:
            _fill(element)
    return top


def _without_comments(text: str) -> str:
    kept, position = [], 0
    while (start := text.find("<!--", position)) >= 0:
        kept.append(text[position:start])
        end = text.find("-->", start)
        position = end + 3 if end >= 0 else len(text)
    return "".join((*kept, text[position:]))


def _open(elements: list[_Element], name: str, attributes: dict[str, str]) -> None:
    parent = elements[-1]
    record = parent.record
    if name in _RECORDS:
        record = _new_record(parent.record, attributes)
    typed_by = _TYPE_OF.get(name)
    meant = _TYPED[name, typed_by].get(attributes.get(typed_by, "")) if typed_by else None
    key = meant or _FIELDS_WITHIN.get((parent.name, name)) or _FIELDS.get(name)
    if name == "dbReference" and parent.name in ("citation", "source"):
        kind = {"PubMed": "pmid", "DOI": "doi"}.get(attributes.get("type", ""))
        if kind:
            record.setdefault(kind, []).append(attributes.get("id", ""))
    # A UniProt entry is known by its dataset.
    elements.append(_Element(attributes.get("dataset", name), record, key))


def _new_record(outer: dict[str, Any], attributes: dict[str, str]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    outer.setdefault("records", []).append(record)
    # UniProt writes the journal and the date of a citation as attributes.
    for key, attribute in (("journal", "name"), ("year", "date")):
        if attribute in attributes:
            record[key] = attributes[attribute]
    if "RefType" in attributes:
        record["reftype"] = attributes["RefType"]
    # An erratum is no retraction.
    if attributes.get("RefType") == "RetractionOf":
        record["retracted"] = True
    elif attributes.get("RefType") == "RetractionIn":
        outer["retracted"] = True
    return record


def _close(elements: list[_Element], name: str) -> None:
    """Close an element and those left open in it; a stray end tag closes nothing."""
    if elements[-1].name == name and len(elements) > 1:
        _fill(elements.pop())
        elements[-1].text.append(" ")
        return
    # Bounded, so that broken XML costs no more than sound XML.
    for depth in range(1, min(len(elements), 50)):
        if elements[-depth].name == name or (name == "entry" and elements[-depth].name in _ENTRY):
            for _ in range(depth):
                _fill(elements.pop())
            elements[-1].text.append(" ")
            return


_ENTRY = ("Swiss-Prot", "TrEMBL")


def _fill(element: _Element) -> None:
    text = "".join(element.text).strip()
    text = html.unescape(text) if "&" in text else text
    if not text or element.name in _SILENT:
        return
    if element.fills in _ONCE:
        element.record.setdefault(element.fills, text)
    else:
        element.record.setdefault(element.fills or "text", []).append(text)
