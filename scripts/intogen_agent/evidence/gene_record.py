"""Reading a gene record, whichever server gave it: its shape decides.

Known shapes: the Markdown of BioMCP's Python line and of the local store (`# Record 1` and
`Key: value` lines), the Markdown of biomcp-cli (`# BRAF (name)`), and JSON with the field names of
biomcp-cli, MyGene.info, HGNC or NCBI, alone, in a list, or within the lists that these services
answer with.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.evidence.databases import UNIPROT_ACCESSION
from intogen_agent.evidence.markdown_record import markdown_fields
from intogen_agent.files import parse_json

_ENSEMBL = re.compile(r"\bENSG\d{11}\b")
# Of mouse (ENSMUSG) and others: theirs name the species between ENS and G.
_FOREIGN_GENE = re.compile(r"\bENS[A-Z]{3,4}G\d{11}\b")
_HGNC = re.compile(r"\bHGNC:(\d{1,6})\b")
_UNIPROT = re.compile(rf"\b{UNIPROT_ACCESSION}\b")
_ENTREZ = re.compile(r"\d{1,10}")
_RECORD = re.compile(r"^# Record \d+[ \t]*$", re.MULTILINE)
_MORE = re.compile(r"\(and \d+ more\)")
_CLI_TITLE = re.compile(r"# ([A-Za-z0-9][\w.-]{0,30}) \((.{1,300})\)[ \t]*$", re.MULTILINE)
_CLI_SECTION = re.compile(r"^## +(.*)$", re.MULTILINE)
_CLI_END = re.compile(r"^(?:More|All|See also):", re.MULTILINE)
_HUMAN = "9606"
_LISTS = ("results", "hits", "docs", "genes", "response")
_MAX_DEPTH = 4
_TOLD_CHARACTERS = 60
_KEYS = {
    "name": ("name", "full_name", "description"),
    "hgnc": ("hgnc_id", "hgnc"),
    "entrez": ("entrez_id", "entrezgene", "entrez_gene_id", "ncbi_gene_id", "gene_id", "geneid"),
    "ensembl": ("ensembl_id", "ensembl_gene_id", "ensembl", "ensembl_gene"),
    "uniprot": ("uniprot_id", "uniprot_ids", "uniprot", "uniprot_accession", "swiss-prot"),
    "aliases": ("aliases", "alias", "alias_symbol", "alias_symbols", "synonyms"),
    "previous": ("previous_symbols", "previous", "prev_symbol", "prev_symbols"),
    "taxon": ("taxid", "tax_id", "taxon_id"),
    "summary": ("summary",),
}


@dataclass(frozen=True)
class GeneRecord:
    """What a gene record says, before anything is decided.

    Attributes:
        taxon: The taxonomy number, where the record states one.
        text: The record as a reader sees it: of several records this one, and without the lines
            that a server adds for its own users.
    """

    symbol: str
    name: str | None
    entrez_id: str | None
    hgnc_id: str | None
    ensembl_id: str | None
    uniprot: str | None
    aliases: list[str] = field(default_factory=list)
    previous: list[str] = field(default_factory=list)
    summary: str | None = None
    taxon: str | None = None
    text: str = field(default="", compare=False, repr=False)


def read_gene_record(text: str, symbol: str = "") -> GeneRecord | None:
    """Read the record of a gene; of several the one that has the symbol, else the first.

    Returns:
        The record; None if the answer holds none.
    """
    records = list(_records(text))
    named = (record for record in records if identity_problem(record, symbol) is None)
    return next(named, records[0] if records else None)


def identity_problem(record: GeneRecord, symbol: str) -> str | None:
    """Say why a record is not the human gene that was asked for; None if it is.

    A gene that was renamed is still the gene (TENT5C was FAM46C); a record that carries the
    symbol only as an alias belongs to another one (TYMP has the alias SCO2).
    """
    if record.ensembl_id is None and _FOREIGN_GENE.search(record.text):
        return "the record holds the Ensembl id of another organism's gene, not of human"
    if record.taxon is not None and record.taxon != _HUMAN:
        return f"the record is of the organism {record.taxon[:20]}, not of human"
    if symbol.casefold() in {name.casefold() for name in (record.symbol, *record.previous)}:
        return None
    known = {alias.casefold() for alias in record.aliases}
    # What an answer calls itself is somebody's text: only so much of it is passed on.
    whose = record.symbol[:_TOLD_CHARACTERS]
    if symbol.casefold() in known:
        return f"the record is of {whose}, which has {symbol} only as an alias"
    return f"the record is of {whose}, not of {symbol}"


def _records(text: str) -> Iterator[GeneRecord]:
    starts = [match.start() for match in _RECORD.finditer(text)]
    if starts:
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            yield from _markdown(text[start:end].rstrip())
        return
    try:
        value = parse_json(text)
    except ValueError:
        yield from _cli_markdown(text)
        return
    if isinstance(value, str):
        yield from _markdown(value)
    yield from _json(value, 0)


def _markdown(text: str) -> Iterator[GeneRecord]:
    fields = markdown_fields(text)
    if not fields.get("symbol"):
        return
    ensembl, hgnc = _ENSEMBL.search(text), _HGNC.search(text)
    yield GeneRecord(
        symbol=fields["symbol"],
        name=fields.get("name") or None,
        entrez_id=fields.get("entrezgene") or fields.get("gene id") or None,
        hgnc_id=hgnc.group() if hgnc else None,
        ensembl_id=ensembl.group() if ensembl else None,
        uniprot=fields.get("swiss prot") or fields.get("uniprot") or None,
        aliases=_listed(_MORE.sub("", fields.get("alias", ""))),
        previous=_listed(fields.get("previous symbols", "")),
        summary=fields.get("summary") or None,
        taxon=fields.get("taxid") or fields.get("tax id") or None,
        text=text,
    )


def _cli_markdown(text: str) -> Iterator[GeneRecord]:
    title = _CLI_TITLE.match(text.strip())
    if not title:
        return
    head, *rest = _CLI_SECTION.split(text)
    sections = dict(zip((name.split(" (")[0] for name in rest[::2]), rest[1::2], strict=True))
    fields = markdown_fields(head)
    # The names stand in one line at the end, behind a line of explanation.
    listed = _CLI_END.split(sections.get("Aliases", ""))[0].strip().splitlines()
    value = {
        "symbol": title[1],
        "name": title[2],
        "entrez_id": fields.get("entrez id", ""),
        "uniprot_id": fields.get("uniprot", ""),
        "ensembl_id": text,
        "aliases": _listed(listed[-1]) if listed else [],
        "summary": _CLI_END.split(sections.get("Summary", ""))[0].strip(),
    }
    yield from _json(value, 0)


def _json(value: Any, depth: int) -> Iterator[GeneRecord]:
    """Yield the records within a JSON value, where services put them."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _json(item, depth + 1)
    elif isinstance(value, dict):
        if isinstance(value.get("symbol"), str) and value["symbol"].strip():
            yield _from_fields({str(key).casefold(): item for key, item in value.items()})
            return
        for key in _LISTS:
            yield from _json(value.get(key), depth + 1)
        inner = value.get("result")
        if isinstance(inner, str):
            yield from _records(inner)
        else:
            yield from _json(inner, depth + 1)


def _from_fields(fields: dict[str, Any]) -> GeneRecord:
    def found(key: str) -> list[str]:
        values = (_texts(fields.get(name)) for name in _KEYS[key])
        return next((texts for texts in values if texts), [])

    def first(key: str, pattern: re.Pattern[str]) -> str | None:
        matches = (pattern.search(text) for text in found(key))
        return next((match[match.lastindex or 0] for match in matches if match), None)

    hgnc = first("hgnc", re.compile(r"^(?:HGNC:)?(\d{1,6})$"))
    record = GeneRecord(
        symbol=_line(fields["symbol"]),
        name=next(iter(found("name")), None),
        entrez_id=first("entrez", _ENTREZ),
        hgnc_id=f"HGNC:{hgnc}" if hgnc else None,
        ensembl_id=first("ensembl", _ENSEMBL),
        uniprot=first("uniprot", _UNIPROT),
        aliases=found("aliases"),
        previous=found("previous"),
        summary=next(iter(found("summary")), None),
        taxon=next(iter(found("taxon")), None),
    )
    shown = {key: value for key, value in vars(record).items() if value}
    text = json.dumps(shown, ensure_ascii=False, indent=1)
    return GeneRecord(**{**vars(record), "text": text})


def _texts(value: Any) -> list[str]:
    """Return the texts of a value: services write one or many, and nest them by source."""
    if isinstance(value, dict):
        # MyGene.info: {"gene": "ENSG..."} and {"Swiss-Prot": "P15056", "TrEMBL": [...]}.
        inner = (value.get(key) for key in ("gene", "Swiss-Prot"))
        return [text for one in inner for text in _texts(one)]
    if isinstance(value, list):
        return [text for one in value if not isinstance(one, list) for text in _texts(one)]
    if isinstance(value, bool) or not isinstance(value, str | int):
        return []
    line = _line(str(value))
    return [line] if line else []


def _line(text: str) -> str:
    return " ".join(text.split())


def _listed(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())]
