"""Reading a protein answer (UniProt REST JSON) and condensing it by the configured caps.

Source: the seed's section "Phase 1": configurable caps per category, a cap of zero disables it,
`include_sub_refs` governs inline references.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from intogen_agent.config.settings import UniprotSettings
from intogen_agent.evidence.models import Protein
from intogen_agent.files import parse_json

SCIENTIFIC_NAMES = {"human": "homo sapiens", "mouse": "mus musculus"}
FUNCTION_STATEMENTS = 12
_INLINE = re.compile(r"\s*\((?:PubMed:\d+(?:,\s*)?)+\)")


def select_entry(text: str, symbol: str, organism: str) -> tuple[dict[str, Any] | None, str]:
    """Choose the entry of a gene in a protein answer.

    The reviewed entry of the organism whose primary symbol matches wins; then an unreviewed or
    local one. Inactive entries, other organisms and alias hits are rejected.

    Returns:
        The entry and an empty text, or None and the reason.
    """
    try:
        results = _at(parse_json(text), "results")
    except ValueError:
        return None, "the answer is not a UniProt result"
    if not isinstance(results, list):
        return None, "the answer holds no results"
    wanted = SCIENTIFIC_NAMES.get(organism, organism).casefold()
    fitting = [
        entry
        for entry in results
        if isinstance(entry, dict)
        and entry.get("entryType") != "Inactive"
        and _organism(entry).casefold() == wanted
        and symbol.casefold() in _primary_symbols(entry)
    ]
    if not fitting:
        return None, f"no {organism} entry with the primary symbol {symbol} among {len(results)}"
    return max(fitting, key=_reviewed), ""


def _at(value: Any, *path: str) -> Any:
    """Return what lies at a path of keys; None where an answer has another shape."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _items(value: Any, *path: str) -> list[dict[str, Any]]:
    """Return the objects of a list at a path."""
    found = _at(value, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _organism(entry: dict[str, Any]) -> str:
    return str(_at(entry, "organism", "scientificName") or "")


def _primary_symbols(entry: dict[str, Any]) -> set[str]:
    """Return the symbols of an entry's genes: several genes can have one protein (H3C1, H3C2)."""
    names = (_at(gene, "geneName", "value") for gene in _items(entry, "genes"))
    return {str(name).casefold() for name in names if name}


def _is_uniprot(entry: dict[str, Any]) -> bool:
    return str(entry.get("entryType") or "").startswith("UniProtKB")


def _reviewed(entry: dict[str, Any]) -> bool:
    return _is_uniprot(entry) and "Swiss-Prot" in str(entry["entryType"])


def condense(entry: dict[str, Any], caps: UniprotSettings) -> Protein:
    """Return a readable record of an entry, within the caps.

    Text that is not from UniProtKB comes out without an accession, so nothing can cite UniProt
    for it.
    """
    refs = caps.include_sub_refs
    accession = str(entry.get("primaryAccession") or "") or None
    return Protein(
        accession=accession if _is_uniprot(entry) else None,
        reviewed=_reviewed(entry),
        organism=_organism(entry),
        name=_protein_name(entry),
        function=_take(_texts(entry, "FUNCTION", refs), FUNCTION_STATEMENTS),
        isoforms=_take(_isoforms(entry), caps.isoforms),
        domains=_take(_features(entry, {"Domain", "Zinc finger", "Repeat"}, refs), caps.domains)
        or _take(_texts(entry, "DOMAIN", refs), caps.domains),
        motifs=_take(_features(entry, {"Motif"}, refs), caps.motifs),
        subcellular_locations=_take(_locations(entry, refs), caps.subcellular_locations),
        interactions=_take(_interactions(entry, refs), caps.interactions),
        modifications=_take(_texts(entry, "PTM", refs), caps.modifications),
    )


def _take(items: Iterable[str], cap: int) -> list[str]:
    return list(dict.fromkeys(items))[:cap]


def _protein_name(entry: dict[str, Any]) -> str | None:
    value = _at(entry, "proteinDescription", "recommendedName", "fullName", "value")
    return str(value) if value else None


def _comments(entry: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    for comment in _items(entry, "comments"):
        if comment.get("commentType") == kind:
            yield comment


def _texts(entry: dict[str, Any], kind: str, refs: bool) -> Iterator[str]:
    for comment in _comments(entry, kind):
        for text in _items(comment, "texts"):
            value = _INLINE.sub("", str(text.get("value") or "")).strip()
            if value:
                yield value + _references(text, refs)


def _references(item: dict[str, Any], refs: bool) -> str:
    if not refs:
        return ""
    pmids = [
        f"PMID:{evidence['id']}"
        for evidence in _items(item, "evidences")
        if evidence.get("source") == "PubMed" and str(evidence.get("id") or "").isdigit()
    ]
    return f" ({', '.join(dict.fromkeys(pmids))})" if pmids else ""


def _isoforms(entry: dict[str, Any]) -> Iterator[str]:
    for comment in _comments(entry, "ALTERNATIVE PRODUCTS"):
        for isoform in _items(comment, "isoforms"):
            name, ids = _at(isoform, "name", "value"), isoform.get("isoformIds")
            known = ", ".join(map(str, ids)) if isinstance(ids, list) else ""
            if name:
                yield f"{name} ({known})" if known else str(name)


def _features(entry: dict[str, Any], kinds: set[str], refs: bool) -> Iterator[str]:
    for feature in _items(entry, "features"):
        if str(feature.get("type")) in kinds and feature.get("description"):
            yield f"{feature['description']}{_place(feature)}{_references(feature, refs)}"


def _place(feature: dict[str, Any]) -> str:
    start = _at(feature, "location", "start", "value")
    end = _at(feature, "location", "end", "value")
    return f" ({start}-{end})" if start and end else ""


def _locations(entry: dict[str, Any], refs: bool) -> Iterator[str]:
    for comment in _comments(entry, "SUBCELLULAR LOCATION"):
        for place in _items(comment, "subcellularLocations"):
            value = _at(place, "location", "value")
            if value:
                yield f"{value}{_references(place['location'], refs)}"


def _interactions(entry: dict[str, Any], refs: bool) -> Iterator[str]:
    yield from _texts(entry, "SUBUNIT", refs)
    for comment in _comments(entry, "INTERACTION"):
        for pair in _items(comment, "interactions"):
            partner = _at(pair, "interactantTwo", "geneName")
            if partner:
                yield str(partner)
