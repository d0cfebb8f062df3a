"""Finding the entries in a protein answer, whichever server gave it: its shape decides.

Known shapes: UniProt's REST JSON (search results, a list, one entry), UniProtKB flat text, the
JSON of biomcp-cli's `get protein`, and any of these inside an envelope (`result`, `data`). The
local store writes REST JSON. All come out in the shape of REST JSON.
"""

import re
from typing import Any

from intogen_agent.evidence.databases import UNIPROT_ACCESSION
from intogen_agent.evidence.uniprot_flat import flat_entries, is_flat
from intogen_agent.evidence.uniprot_values import Entry, at, items, text_at
from intogen_agent.files import parse_json

_ENVELOPES = ("result", "data", "entry")
_LISTS = ("results", "entries", "proteins")
_TAXA = {"homo sapiens": 9606, "mus musculus": 10090}
_REVIEWED = "UniProtKB reviewed (Swiss-Prot)"
_UNREVIEWED = "UniProtKB unreviewed (TrEMBL)"
_ACCESSION = re.compile(rf"{UNIPROT_ACCESSION}(?:-\d{{1,3}})?")
_MAX_DEPTH = 3


def protein_entries(text: str) -> list[Entry] | None:
    """Return the entries of a protein answer; None if it is in no known shape."""
    return _entries(text, 0)


def _entries(value: Any, depth: int) -> list[Entry] | None:
    if isinstance(value, str):
        if is_flat(value):
            return flat_entries(value)
        try:
            value = parse_json(value)
        except ValueError:
            return None
        if isinstance(value, str):
            return None
    if isinstance(value, list):
        return [_as_rest(item) for item in value if isinstance(item, dict)]
    if not isinstance(value, dict):
        return None
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return [_as_rest(item) for item in items(value, key)]
    if _is_entry(value):
        return [_as_rest(value)]
    for key in _ENVELOPES:
        inner = value.get(key)
        if isinstance(inner, str | list | dict) and depth < _MAX_DEPTH:
            return _entries(inner, depth + 1)
    return None


def _is_entry(value: Entry) -> bool:
    return "primaryAccession" in value or "entryType" in value or _is_biomcp(value)


def _is_biomcp(value: Entry) -> bool:
    return "accession" in value and "primaryAccession" not in value


def _as_rest(value: Entry) -> Entry:
    """Return an entry in the shape of REST JSON; biomcp-cli's is written anew."""
    if not _is_biomcp(value) or "entryType" in value:
        return value
    accession, organism = text_at(value, "accession"), text_at(value, "organism")
    if not _ACCESSION.fullmatch(accession):
        return value
    name, symbol = text_at(value, "name"), text_at(value, "gene_symbol")
    mnemonic = text_at(value, "entry_id").partition("_")[0]
    function = text_at(value, "function")
    return {
        # UniProt names an unreviewed entry by its accession, a reviewed one by its protein.
        "entryType": _UNREVIEWED if mnemonic in ("", accession) else _REVIEWED,
        "primaryAccession": accession,
        "uniProtkbId": text_at(value, "entry_id"),
        "organism": {"scientificName": organism, "taxonId": _TAXA.get(organism.casefold())},
        "proteinDescription": {"recommendedName": {"fullName": {"value": name}}},
        "genes": [{"geneName": {"value": symbol}}] if symbol else [],
        "comments": [{"commentType": "FUNCTION", "texts": [{"value": function}]}],
        "foreign": _foreign(value),
    }


def _foreign(value: Entry) -> dict[str, list[str]]:
    """Return what biomcp-cli adds from other databases, each text naming its own."""
    domains = [
        f"{name} (InterPro {accession})"
        for domain in items(value, "domains")
        if (accession := text_at(domain, "accession"))
        and (name := text_at(domain, "name") or accession)
    ]
    partners = [
        f"{partner} (STRING, score {score})"
        if (score := at(pair, "score"))
        else f"{partner} (STRING)"
        for pair in items(value, "interactions")
        if (partner := text_at(pair, "partner"))
    ]
    return {"domains": domains, "interactions": partners}
