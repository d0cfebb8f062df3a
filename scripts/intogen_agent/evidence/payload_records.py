"""Reading the papers and records that a raw payload speaks of.

A payload is JSON, JSON inside text, Markdown, XML or plain text. All become objects and texts:
identifiers of one object are one paper's, identifiers in a text each stand alone. Which belong
together is never guessed.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from intogen_agent.evidence.identifier_text import find_identifiers
from intogen_agent.evidence.identifiers import database_identifier
from intogen_agent.evidence.payload_markup import markdown_parts
from intogen_agent.evidence.payload_merge import Found, merge
from intogen_agent.evidence.payload_objects import (
    is_identifier_key,
    pair_identifiers,
    plain,
    read_object,
    squeeze,
)
from intogen_agent.evidence.payload_xml import is_xml, xml_record

# Keys of what a tool repeats from the question or says of itself, and of cross-references.
_NOT_EVIDENCE = {
    *("error", "errors", "message", "query", "querystring", "internalquery", "request"),
    *("arguments", "responseheader", "nextcommands", "suggestions", "suggestion", "schema"),
    *("uniprotkbcrossreferences", "dbreferences", "featurecrossreferences", "crossreferences"),
    *("interproreferences", "pfamreferences", "smartreferences"),
}
# Error texts quote the refused identifier, or examples of good ones.
_ERROR = re.compile(
    r"\s*(?:(?:MCP )?error(?: -?\d+| \w+ing\b[^\n:]{0,200})?:|<!doctype html|<html\b)", re.I
)
_JSON_START = re.compile(r"^[ \t]*(?=\{\s*[\"}]|\[\s*[\[{\"\d\]])", re.MULTILINE)
# Text that only looks like JSON is given up after a few tries, to keep the time linear.
_JSON_TRIES = 8
_DEPTH = 60


def scan(payload: str) -> list[Found]:
    """Return the papers and records of a raw payload, in order of appearance.

    One entry per paper or record, with all its identifiers (the preferred first), and its title,
    journal, year and retraction where the payload says them. Failed answers hold none: they quote
    the question.
    """
    reader = _Reader()
    reader.document(payload, 0)
    return [merged.found for merged in merge(reader.found)]


class _Reader:
    """Collects what is found on a walk through a payload."""

    def __init__(self) -> None:
        self.found: list[Found] = []

    def document(self, text: str, depth: int) -> None:
        """Read a text that may be JSON, Markdown or XML."""
        if _ERROR.match(text):
            return
        parts = [xml_record(text)] if is_xml(text) else _parts(text)
        for part in parts:
            if isinstance(part, str):
                self.text(part)
            else:
                self.value(part, depth + 1)

    def text(self, text: str) -> None:
        """Read running text."""
        self.found += [Found((identifier,)) for _, identifier in find_identifiers(text)]

    def value(self, value: Any, depth: int) -> None:
        """Read a JSON value; nothing that tools return is nested as deep as the limit."""
        if depth > _DEPTH:
            return
        if isinstance(value, str):
            if "\n" in value or value.lstrip()[:1] in ("{", "["):
                self.document(value, depth)
            else:
                self.text(value)
        elif isinstance(value, list):
            for item in value:
                self.value(item, depth + 1)
        elif isinstance(value, dict):
            self.object(value, depth)

    def object(self, record: dict[str, Any], depth: int) -> None:
        """Read an object and what is in it."""
        if "primaryAccession" in record:
            self.found += _uniprot_entry(record)
            return
        if record.get("error") and "results" not in record:
            return
        self.found += read_object(record)
        for key, value in record.items():
            name = squeeze(key)
            own = is_identifier_key(name) and not isinstance(value, dict | list)
            if name not in _NOT_EVIDENCE and not own:
                self.value(value, depth + 1)


def _parts(text: str) -> Iterator[Any]:
    """Yield the JSON values in a text as such, and the text around them as Markdown's parts."""
    decoder = json.JSONDecoder()
    position = failures = 0
    for start in _JSON_START.finditer(text):
        if start.start() < position:
            continue
        try:
            value, end = decoder.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            failures += 1
            if failures == _JSON_TRIES:
                break
            continue
        yield from markdown_parts(text[position : start.start()])
        yield value
        position = end
    yield from markdown_parts(text[position:])


def _uniprot_entry(entry: dict[str, Any]) -> list[Found]:
    """Read a UniProt entry: itself if it says that it is one, and what it cites.

    Its cross-references (PDB, GO...) and its prose are no citations; what the prose cites stands
    in the evidence beside it.
    """
    found = []
    if str(entry.get("entryType")).startswith("UniProtKB"):
        identifier = database_identifier("UniProt", str(entry["primaryAccession"]))
        if identifier:
            found.append(Found((identifier,), title=_protein_name(entry)))
    for part in _objects_in(entry, 0):
        if "evidenceCode" in part:
            found += [Found((identifier,)) for identifier in pair_identifiers(part)]
        elif "citationCrossReferences" in part:
            found += read_object(part)
    return found


def _protein_name(entry: dict[str, Any]) -> str | None:
    value: Any = entry
    for key in ("proteinDescription", "recommendedName", "fullName", "value"):
        value = value.get(key) if isinstance(value, dict) else None
    return plain(value) if isinstance(value, str) else None


def _objects_in(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the objects within a value, in order, cross-references left out."""
    if isinstance(value, dict):
        yield value
        value = [item for key, item in value.items() if squeeze(key) not in _NOT_EVIDENCE]
    if isinstance(value, list) and depth < _DEPTH:
        for item in value:
            if isinstance(item, dict | list):
                yield from _objects_in(item, depth + 1)
