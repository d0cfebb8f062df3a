"""Reading a tool's answer: records of papers, genes and proteins, whatever server gave them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import values
from intogen_agent.offline.sentences import collapse

_RECORD = re.compile(r"^#+ Record \d+.*$", re.MULTILINE)
_FIELD = re.compile(r"^([A-Z][A-Za-z ]{1,30}):[ \t]*(.*)$")
_TEXT_FIELDS = (
    "abstract",
    "abstract_text",
    "synopsis",
    "text",
    "full_text",
    "summary",
    "conclusions",
)
_PMID = re.compile(r"PMIDs?:?\s*((?:\d{1,8}(?:,\s*)?)+)", re.IGNORECASE)
_PROTEIN_LISTS = (
    "function",
    "interactions",
    "domains",
    "motifs",
    "subcellular_locations",
    "modifications",
)
_COMMENTS = {
    "FUNCTION": "function",
    "SUBUNIT": "interactions",
    "SUBCELLULAR LOCATION": "subcellular_locations",
    "DOMAIN": "domains",
    "PTM": "modifications",
}


@dataclass(frozen=True)
class Record:
    """One record of a literature answer.

    Attributes:
        ids: Identifiers, the preferred one first.
        texts: Running texts, as the payload holds them.
    """

    ids: tuple[str, ...]
    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Fact:
    """One string of a gene or protein record and the papers named on it."""

    section: str
    text: str
    pmids: tuple[str, ...] = ()


@dataclass
class ProteinRecord:
    """What a protein record says."""

    accession: str | None
    reviewed: bool
    facts: list[Fact] = field(default_factory=list)


@dataclass(frozen=True)
class GeneRecord:
    """What a gene record says."""

    name: str
    ids: tuple[str, ...]
    summary: str


def articles(payload: str) -> list[Record]:
    """Return the papers of a payload: JSON, Markdown records, or plain text as one record."""
    value = _json(payload)
    if value is not None:
        return [_article(item) for item in _objects(value) if _is_article(item)]
    blocks = _markdown(payload)
    if blocks:
        return [_article(block) for block in blocks if _is_article(block)]
    named = pmids(payload)
    # Of several papers named in running text nobody knows which one a sentence is from.
    return [Record((f"PMID:{named[0]}",) if len(named) == 1 else (), "", (payload,))]


def protein(payload: str) -> ProteinRecord | None:
    """Return the protein record of a payload, or None."""
    value = _json(payload)
    record: ProteinRecord | None = None
    for item in _objects(value) if value is not None else ():
        if "comments" in item and "primaryAccession" in item:
            return _uniprot_entry(item)
        if "reviewed" in item or any(isinstance(item.get(name), list) for name in _PROTEIN_LISTS):
            # A record may come whole, or with its head and each statement apart.
            part = _condensed(item)
            record = record or part
            record.facts += part.facts if part is not record else []
    return record if record and record.facts else None


def gene(payload: str) -> GeneRecord | None:
    """Return the gene record of a payload, or None."""
    value = _json(payload)
    items = list(_objects(value)) if value is not None else _markdown(payload)
    for item in items:
        fields = {key.lower().replace(" ", "_"): entry for key, entry in item.items()}
        if "symbol" in fields and fields.get("name"):
            return GeneRecord(
                str(fields["name"]), _gene_ids(fields), str(fields.get("summary") or "")
            )
    return None


def pmids(text: str) -> list[str]:
    """Return the PMIDs named in a text, in order."""
    found = [one for match in _PMID.finditer(text) for one in re.findall(r"\d+", match[1])]
    return list(dict.fromkeys(found))


def _json(payload: str) -> Any:
    text = payload.strip()
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return list(_whole_objects(text))


def _whole_objects(text: str) -> Iterator[Any]:
    """Yield the complete objects of JSON that was cut off."""
    decoder = json.JSONDecoder()
    position = text.find("{")
    while position >= 0:
        try:
            value, end = decoder.raw_decode(text, position)
        except ValueError:
            end = position + 1
        else:
            yield value
        position = text.find("{", end)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every JSON object, outer ones first."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner)


def _markdown(payload: str) -> list[dict[str, Any]]:
    """Return the fields of every `# Record N` of a BioMCP answer; indented lines continue one."""
    blocks = []
    for part in _RECORD.split(payload)[1:]:
        block: dict[str, Any] = {}
        name = ""
        for line in part.splitlines():
            match = _FIELD.match(line)
            if match:
                name = match[1].lower()
                block.setdefault(name, match[2])
            elif name and line.startswith((" ", "\t")):
                block[name] = f"{block[name]}\n{line.strip()}".strip()
        blocks.append(block)
    return blocks


def _is_article(item: dict[str, Any]) -> bool:
    return any(
        isinstance(item.get(name), str) and item[name].strip() for name in _TEXT_FIELDS
    ) and (any(item.get(name) for name in ("pmid", "doi", "pmcid", "title", "nct_id")))


def _article(item: dict[str, Any]) -> Record:
    ids = []
    if str(item.get("pmid") or "").strip().isdigit():
        ids.append(f"PMID:{str(item['pmid']).strip()}")
    if item.get("doi"):
        ids.append(f"DOI:{str(item['doi']).strip().lower()}")
    pmcid = str(item.get("pmcid") or "").strip()
    if pmcid.upper().startswith("PMC"):
        ids.append(f"PMCID:{pmcid.upper()}")
    if item.get("nct_id"):
        ids.append(str(item["nct_id"]).strip())
    texts = [item[name] for name in _TEXT_FIELDS if isinstance(item.get(name), str) and item[name]]
    return Record(tuple(ids), collapse(str(item.get("title") or "")), tuple(texts))


def _condensed(item: dict[str, Any]) -> ProteinRecord:
    accession = values.text(item.get("accession")) or None
    record = ProteinRecord(accession, bool(item.get("reviewed")))
    for section in _PROTEIN_LISTS:
        entries = item.get(section)
        for entry in entries if isinstance(entries, list) else ():
            text = values.text(values.mapping(entry).get("text")) or values.text(entry)
            named = pmids(text) + values.texts(values.mapping(entry).get("pmids"))
            if text:
                record.facts.append(Fact(section, text, tuple(dict.fromkeys(named))))
    return record


def _uniprot_entry(item: dict[str, Any]) -> ProteinRecord:
    reviewed = str(item.get("entryType", "")).startswith("UniProtKB reviewed")
    record = ProteinRecord(str(item["primaryAccession"]), reviewed)
    for comment in values.objects(item.get("comments")):
        section = _COMMENTS.get(str(comment.get("commentType")))
        if section is None:
            continue
        for told in values.objects(comment.get("texts")):
            text = values.text(told.get("value"))
            papers = [
                values.text(one.get("id"))
                for one in values.objects(told.get("evidences"))
                if one.get("source") == "PubMed"
            ]
            record.facts.append(Fact(section, text, (*filter(None, papers), *pmids(text))))
        for place in values.objects(comment.get("subcellularLocations")):
            name = values.text(values.mapping(place.get("location")).get("value"))
            record.facts.append(Fact(section, name))
    return record


def _gene_ids(fields: dict[str, Any]) -> tuple[str, ...]:
    ids = []
    hgnc = re.search(r"\d+", str(fields.get("hgnc_id") or fields.get("hgnc") or ""))
    if hgnc:
        ids.append(f"HGNC:{hgnc.group()}")
    for name in ("entrez_id", "entrezgene", "gene_id", "ncbi_gene_id"):
        if str(fields.get(name) or "").isdigit():
            ids.append(f"NCBI Gene:{fields[name]}")
            break
    return tuple(ids)
