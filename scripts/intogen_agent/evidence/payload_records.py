"""Reading the papers and records that a raw payload speaks of.

A payload is JSON, JSON inside text, Markdown, XML or plain text. All become objects and texts:
identifiers of one object are one paper's, identifiers in a text each stand alone. Which belong
together is never guessed.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from intogen_agent.evidence.databases import GENE_AND_PROTEIN
from intogen_agent.evidence.identifier_text import find_identifiers
from intogen_agent.evidence.identifiers import Identifier, database_identifier
from intogen_agent.evidence.payload_markup import markdown_parts
from intogen_agent.evidence.payload_merge import Found, merge
from intogen_agent.evidence.payload_objects import (
    is_paper,
    pair_identifiers,
    plain,
    read_object,
    squeeze,
)
from intogen_agent.evidence.payload_relations import retracted_in_prose
from intogen_agent.evidence.payload_tagged import is_tagged, tagged_records
from intogen_agent.evidence.payload_xml import is_xml, xml_record

# Keys of what a tool repeats from the question (headings do) or says of itself.
_NOT_EVIDENCE = {
    *("heading", "error", "errors", "query", "querystring", "internalquery", "request"),
    *("arguments", "responseheader", "nextcommands", "suggestions", "suggestion", "schema"),
}
# Keys of cross-references: no citations, but each may name the papers it rests on.
_CROSS_REFERENCES = {
    *("uniprotkbcrossreferences", "dbreferences", "featurecrossreferences", "crossreferences"),
    *("interproreferences", "pfamreferences", "smartreferences"),
}
# Failed and empty answers quote what was asked, or examples of good identifiers.
_NO_ANSWER = re.compile(
    r"\s*(?:(?:MCP )?error(?: -?\d+| \w+ing\b[^\n:]{0,200})?:|No [a-z ]{3,40} found\b"
    r"|<!doctype html|<html\b)",
    re.I,
)
_MARKDOWN_RECORD = re.compile(r"^# Record \d+\s*$", re.MULTILINE)
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
    if not holds_answer(payload):
        return []
    reader = _Reader()
    reader.document(payload, 0)
    return [merged.found for merged in merge(reader.found)]


def holds_answer(payload: str) -> bool:
    """Say whether a payload is an answer, not a failure's words."""
    return _NO_ANSWER.match(payload) is None


class _Reader:
    """Collects what is found on a walk through a payload."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._alone: set[tuple[Identifier, bool]] = set()
        # How many papers' own records the walk is in: what they name are other papers.
        self._papers = 0

    def document(self, text: str, depth: int) -> None:
        """Read a text that may be JSON, Markdown or XML."""
        for part in parts(text):
            if isinstance(part, str):
                self.text(part)
            else:
                self.value(part, depth + 1)

    def text(self, text: str) -> None:
        """Read running text."""
        self._add_alone(identifier for _, identifier in find_identifiers(text))

    def _add_alone(self, identifiers: Iterable[Identifier]) -> None:
        for identifier in identifiers:
            named = identifier, self._papers > 0
            if named not in self._alone:
                self._alone.add(named)
                self._add(Found((identifier,)))

    def _add(self, *found: Found) -> None:
        inside = self._papers > 0
        self.found += (one._replace(mentioned=True) if inside else one for one in found)

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
        if "evidenceCode" in record:
            self._add_alone(pair_identifiers(record, GENE_AND_PROTEIN))
            return
        if "primaryAccession" in record:
            self.uniprot_entry(record)
            return
        if (record.get("error") and "results" not in record) or record.get("results") == []:
            return
        own = read_object(record)
        self._add(*own)
        paper = is_paper(record, own)
        self._papers += paper
        self._fields(record, depth)
        self._papers -= paper

    def _fields(self, record: dict[str, Any], depth: int) -> None:
        for key, value in record.items():
            name = squeeze(key)
            if name in _CROSS_REFERENCES:
                self._evidence(value)
            elif name in _NOT_EVIDENCE or (name == "message" and isinstance(value, str)):
                continue  # Crossref's `message` is the answer itself, others' an error's words.
            elif isinstance(value, str | dict | list):
                self.value(value, depth + 1)

    def uniprot_entry(self, entry: dict[str, Any]) -> None:
        """Read a UniProt entry: itself if it says that it is one, and what it cites.

        Its cross-references (PDB, GO...) and its prose are no citations; the papers that they
        rest on stand in the evidence beside them.
        """
        if str(entry.get("entryType")).startswith("UniProtKB"):
            identifier = database_identifier("UniProt", str(entry["primaryAccession"]))
            if identifier:
                self._add(Found((identifier,), title=_protein_name(entry)))
        self._evidence(entry)

    def _evidence(self, value: Any) -> None:
        """Read the evidence and the citations within a value, and nothing else."""
        for part in objects_in(value, 0):
            if "evidenceCode" in part:
                self._add_alone(pair_identifiers(part, GENE_AND_PROTEIN))
            elif part.get("commentType") == "CAUTION":
                self._cautions(part)
            elif "citationCrossReferences" in part:
                self._add(*read_object(part))

    def _cautions(self, comment: dict[str, Any]) -> None:
        """Mark the papers that a caution calls retracted."""
        for text in objects_in(comment.get("texts"), 0):
            if isinstance(text.get("value"), str):
                for identifier in retracted_in_prose(text["value"]):
                    self._add(Found((identifier,), retracted=True))


def parts(text: str) -> Iterator[Any]:
    """Yield the values that a text holds and the texts around them, by its format."""
    if is_xml(text):
        yield xml_record(text)
    elif is_tagged(text):
        yield from tagged_records(text)
    elif _MARKDOWN_RECORD.search(text):
        # What looks like JSON in there is a field's text.
        yield from markdown_parts(text)
    else:
        yield from _json_parts(text)


def _json_parts(text: str) -> Iterator[Any]:
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


def _protein_name(entry: dict[str, Any]) -> str | None:
    value: Any = entry
    for key in ("proteinDescription", "recommendedName", "fullName", "value"):
        value = value.get(key) if isinstance(value, dict) else None
    return plain(value) if isinstance(value, str) else None


def objects_in(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the objects within a value, in order."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list) and depth < _DEPTH:
        for item in value:
            if isinstance(item, dict | list):
                yield from objects_in(item, depth + 1)
