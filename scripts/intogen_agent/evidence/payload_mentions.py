"""Reading the database records that a payload names beside its references.

A protein's entry names its structures, its ontology terms, its partners; an annotated abstract the
genes and diseases in it. Nothing that an answer says rests on these records, so the reference
manager does not offer them for citation; whoever asks what a payload holds gets them as mentions.
"""

from collections.abc import Iterator
from typing import Any

from intogen_agent.evidence.databases import find_database
from intogen_agent.evidence.identifiers import Identifier, database_identifier, parse_url
from intogen_agent.evidence.payload_records import holds_answer, objects_in, parts

# Names beside an id that are no databases: programs, places in the same entry, notations.
_NO_DATABASES = {"SAM", "Reference", "HGVS"}
_PAPERS = {"PubMed", "DOI", "MED", "PMC"}
_NAMES = ("database", "source", "namespace")
_ACCESSIONS = ("id", "identifier")
# Keys whose own name says the database.
_KEYS = {"uniProtKBAccession": "UniProt", "intActId": "IntAct", "uniParcId": "UniParc"}


def mentions(payload: str) -> list[Identifier]:
    """Return the records and addresses that the JSON of a payload names, each once, in order."""
    if not holds_answer(payload):
        return []
    found = (
        identifier
        for part in parts(payload)
        if not isinstance(part, str)
        for record in objects_in(part, 0)
        for identifier in _named(record)
    )
    return list(dict.fromkeys(found))


def _named(record: dict[str, Any]) -> Iterator[Identifier]:
    name = next((record[key] for key in _NAMES if isinstance(record.get(key), str)), None)
    accession = next((record[key] for key in _ACCESSIONS if isinstance(record.get(key), str)), None)
    if name and accession and name not in _NO_DATABASES and name not in _PAPERS:
        yield _record(name, accession)
    for key, value in record.items():
        if key in _KEYS and isinstance(value, str):
            yield _record(_KEYS[key], value)
        elif isinstance(value, str) and value.startswith("http"):
            address = parse_url(value)
            if address and address.kind == "url":
                yield address
    if str(record.get("entryType")).startswith("UniProtKB"):
        others = record.get("secondaryAccessions")
        for other in others if isinstance(others, list) else ():
            yield _record("UniProt", str(other))


def _record(name: str, accession: str) -> Identifier:
    known = database_identifier(name, accession)
    if known:
        return known
    database = find_database(name)
    name = database.name if database else name
    # `ChEBI` and `CHEBI:28304` say the source twice.
    prefix, _, rest = accession.partition(":")
    record_id = rest if rest and prefix.lower() == name.lower() else accession
    return Identifier("database", f"{name}:{record_id}", name, record_id)
