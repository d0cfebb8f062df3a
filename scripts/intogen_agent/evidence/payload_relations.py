"""What an object of a payload says of other papers: preprints, the articles they became, notices.

A preprint and its article are two references that name each other. A retraction marks the paper
that was retracted, never its notice. Only what a payload says counts, no likeness of titles.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from intogen_agent.evidence.identifiers import Identifier, parse_identifier, pmid_identifier
from intogen_agent.evidence.models import Relation
from intogen_agent.evidence.payload_merge import is_preprint

# bioRxiv's `details` name the article in the preprint's record, its `pubs` name both.
_ARTICLE_KEYS = ("published", "publisheddoi", "publisheddois")
_PREPRINT_KEYS = ("preprintdoi", "biorxivdoi", "medrxivdoi")
_CROSSREF: dict[str, Relation] = {"haspreprint": "preprint", "ispreprintof": "article"}
_SPEAKING = {
    *_ARTICLE_KEYS,
    *_PREPRINT_KEYS,
    *("relation", "commentcorrectionlist", "updateto", "updatedby", "records"),
}
_PREPRINT_SERVER = re.compile(
    r"\s*(?:bioRxiv|medRxiv|arXiv|Res(?:earch)? Sq|ChemRxiv|SSRN)\b", re.I
)
# UniProt's cautions: "... (PubMed:1). This work was later retracted (PubMed:2)".
_SENTENCE_END = re.compile(r"\.\s+(?=[A-Z])")
_TAKEN_BACK = re.compile(
    r"\b(?:(?:paper|article|work|study|publication)s?\b.{0,80}?\b(?:retracted|withdrawn)"
    r"|(?:retracted|withdrawn)\b.{0,40}?\b(?:paper|article|work|study|publication))\b",
    re.I,
)
_CITED = re.compile(r"\bPubMed:([1-9]\d{0,7})(?!\d)")


@dataclass(frozen=True)
class Relations:
    """What an object says.

    Attributes:
        versions: Other versions of the object's paper: (`preprint` or `article`, its identifier).
        retracted: Other papers that were retracted.
        self_retracted: Whether the object's own paper was.
        pairs: Preprint and article of an object that is neither's own record.
    """

    versions: tuple[tuple[Relation, Identifier], ...] = ()
    retracted: tuple[Identifier, ...] = ()
    self_retracted: bool = False
    pairs: tuple[tuple[Identifier, Identifier], ...] = ()


_NOTHING = Relations()


def relations(view: Mapping[str, Any]) -> Relations:
    """Read an object's relations.

    Args:
        view: The object's filled fields by squeezed key.
    """
    if _SPEAKING.isdisjoint(view):
        return _NOTHING
    articles, preprints = _dois(view, _ARTICLE_KEYS), _dois(view, _PREPRINT_KEYS)
    if articles and preprints:
        return Relations(pairs=tuple((one, other) for one in preprints for other in articles))
    versions: list[tuple[Relation, Identifier]] = [("article", one) for one in articles]
    versions += [("preprint", one) for one in preprints]
    versions += _crossref(view.get("relation"))
    retracted: list[Identifier] = []
    self_retracted = False
    for said, identifier in _notices(view):
        if said in ("retractionin", "retraction"):
            self_retracted = True
        elif said in ("retractionof", "retracts") and identifier:
            retracted.append(identifier)
        elif said == "preprintof" and identifier:
            versions.append(("article", identifier))
        elif said == "preprintin" and identifier:
            versions.append(("preprint", identifier))
    versions += _updates(view)
    return Relations(tuple(versions), tuple(retracted), self_retracted)


def retracted_in_prose(text: str) -> Iterator[Identifier]:
    """Yield the papers that a caution of UniProt calls retracted.

    That is the paper cited last before the word, in its sentence or the one before; where several
    are cited together, which of them is meant is not said, and none is marked.
    """
    before: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        word = _TAKEN_BACK.search(sentence)
        cited = _CITED.findall(sentence[: word.end()] if word else sentence)
        if word:
            meant = cited or before
            identifier = pmid_identifier(meant[0]) if len(meant) == 1 else None
            if identifier:
                yield identifier
        before = cited


def _dois(view: Mapping[str, Any], keys: tuple[str, ...]) -> list[Identifier]:
    found = (parse_identifier(view[key]) for key in keys if isinstance(view.get(key), str))
    return [one for one in found if one and one.kind in ("doi", "pmid")]


def _crossref(relation: Any) -> Iterator[tuple[Relation, Identifier]]:
    for name, others in relation.items() if isinstance(relation, dict) else ():
        kind = _CROSSREF.get(str(name).replace("-", "").lower())
        for other in others if kind and isinstance(others, list) else ():
            identifier = _other(other)
            if kind and identifier:
                yield kind, identifier


def _notices(view: Mapping[str, Any]) -> Iterator[tuple[str, Identifier | None]]:
    """Yield (type, identifier) of Europe PMC's corrections and Crossref's updates."""
    listed = view.get("commentcorrectionlist")
    if isinstance(listed, dict):
        listed = listed.get("commentCorrection")
    for one in _dicts(listed):
        yield str(one.get("type")).replace(" ", "").lower(), _other(one)
    for key, said in (("updateto", "retracts"), ("updatedby", "retraction")):
        for one in _dicts(view.get(key)):
            if str(one.get("type")).lower() == "retraction":
                yield said, _other(one)


def _other(one: Any) -> Identifier | None:
    if not isinstance(one, dict):
        return None
    if one.get("source") == "MED":
        return pmid_identifier(str(one.get("id")))
    doi = one.get("DOI") or one.get("doi") or one.get("id")
    found = parse_identifier(doi) if isinstance(doi, str) else None
    return found if found and found.kind == "doi" else None


def _updates(view: Mapping[str, Any]) -> Iterator[tuple[Relation, Identifier]]:
    """Yield the versions that PubMed calls updates; it calls other things so too."""
    types = view.get("publicationtype")
    own_is_preprint = "Preprint" in types if isinstance(types, list) else types == "Preprint"
    for one in _dicts(view.get("records")):
        pmids = one.get("pmid")
        identifier = pmid_identifier(str(pmids[0])) if isinstance(pmids, list) and pmids else None
        if identifier is None:
            continue
        if one.get("reftype") == "UpdateIn" and own_is_preprint:
            yield "article", identifier
        elif one.get("reftype") == "UpdateOf" and _names_preprint(one):
            yield "preprint", identifier


def _names_preprint(record: Mapping[str, Any]) -> bool:
    citation = record.get("citation")
    if not isinstance(citation, str):
        return False
    words = citation.partition("10.")
    found = parse_identifier((words[1] + words[2]).rstrip(". ")) if words[1] else None
    return bool(_PREPRINT_SERVER.match(citation)) or (found is not None and is_preprint(found))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
