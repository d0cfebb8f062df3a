"""The answers of the store's server, in the shapes of the public servers.

Gene records and searches are BioMCP's Markdown (`# Record 1`, `Key: value`, long values indented
on the lines below), an article is BioMCP's JSON list, proteins are UniProt's REST JSON. Two things
differ on purpose: a question that was answered with nothing says so in words, and what is not
UniProtKB's or not an abstract is not dressed up as such.
"""

import json
import textwrap
from collections.abc import Sequence
from typing import Any

from intogen_agent.store.records import ArticleRecord, ProteinRecord, Statement
from intogen_agent.store.search import ArticleHit, GeneMatch

NOT_UNIPROT = "Local note (not UniProtKB)"
GENERAL_KNOWLEDGE = (
    "These texts are general knowledge, written for this store; they are not from UniProtKB and "
    "no database record can be cited for them."
)
_ENTRY_TYPES = {
    True: "UniProtKB reviewed (Swiss-Prot)",
    False: "UniProtKB unreviewed (TrEMBL)",
}
_COMMON_NAMES = {9606: "Human", 10090: "Mouse", 10116: "Rat"}
_WIDTH = 72


def nothing_found(kind: str, asked: str) -> str:
    """Return the answer to a question that was answered with nothing.

    Args:
        kind: `gene record`, `protein record`, `articles` or `article`.
        asked: What was asked for.

    Returns:
        One line, `No <kind> found for '<asked>' in this store.`
    """
    shown = " ".join(asked.split())
    return f"No {kind} found for '{shown[:200]}' in this store."


def gene(match: GeneMatch, asked: str) -> str:
    """Return a gene as Markdown."""
    record = match.record
    lines = ["# Record 1"]
    _add(lines, "Gene Id", record.entrez_id)
    _add(lines, "Symbol", record.symbol)
    _add(lines, "Name", record.name)
    if match.matched != "symbol":
        _add(lines, "Matched", f"{match.matched} {' '.join(asked.split())[:80]}")
        _add(lines, "Also Matched", ", ".join(match.others))
    _add(lines, "Summary", record.summary)
    _add(lines, "Summary Source", record.summary_source)
    _add(lines, "Alias", ", ".join(record.aliases))
    _add(lines, "Previous Symbols", ", ".join(record.previous))
    _add(lines, "Entrezgene", record.entrez_id)
    _add(lines, "Hgnc", record.hgnc_id)
    if record.ensembl_id:
        lines += ["", "## Ensembl", f"Gene: {record.ensembl_id}"]
    if record.uniprot:
        lines += ["", "## Uniprot", f"Swiss-Prot: {record.uniprot}"]
    if record.entrez_id:
        address = f"https://www.ncbi.nlm.nih.gov/gene/{record.entrez_id}"
        lines += ["", "## Links", f"Ncbi Gene: {address}"]
    return "\n".join(lines) + "\n"


def articles(hits: Sequence[ArticleHit]) -> str:
    """Return the hits of a search as Markdown, one record each."""
    blocks = []
    for number, hit in enumerate(hits, start=1):
        record = hit.article
        lines = [f"# Record {number}"]
        _add(lines, "Pmid", record.pmid)
        _add(lines, "Pmcid", record.pmcid)
        _add(lines, "Doi", record.doi)
        _add(lines, "Title", record.title)
        _add(lines, "Journal", record.journal)
        _add(lines, "Date", str(record.year) if record.year else None)
        _add(lines, "Publication Types", ", ".join(record.publication_types))
        _add(lines, record.text_kind.capitalize(), record.text)
        if record.retracted:
            _add(lines, "Retracted", "true")
        _add(lines, "Source", "Local evidence store")
        _add(lines, "Pubmed Url", _pubmed(record))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def article(record: ArticleRecord) -> str:
    """Return an article as a JSON list of one object.

    The text stands under `abstract` or `synopsis`; `authors` holds the first author only.
    """
    value = {
        "pmid": int(record.pmid),
        "pmcid": record.pmcid,
        "doi": record.doi,
        "title": record.title,
        "journal": record.journal,
        "date": str(record.year) if record.year else None,
        "authors": [record.first_author] if record.first_author else [],
        **({"publication_types": types} if (types := record.publication_types) else {}),
        record.text_kind: record.text,
        "pubmed_url": _pubmed(record),
        "retracted": record.retracted,
    }
    return _json([value])


def proteins(records: Sequence[ProteinRecord], asked: str) -> str:
    """Return proteins as UniProt's REST JSON; without any, `results` is empty, with a note."""
    if not records:
        return _json({"results": [], "note": nothing_found("protein record", asked)})
    return _json({"results": [_protein(record) for record in records]})


def _protein(record: ProteinRecord) -> dict[str, Any]:
    from_uniprot = record.text_kind == "uniprot"
    entry: dict[str, Any] = {}
    if from_uniprot:
        entry["entryType"] = _ENTRY_TYPES[record.reviewed]
        entry["primaryAccession"] = record.accession
        if record.entry_name:
            entry["uniProtkbId"] = record.entry_name
    else:
        entry["entryType"] = NOT_UNIPROT
        entry["note"] = GENERAL_KNOWLEDGE
    if record.name:
        entry["proteinDescription"] = {"recommendedName": {"fullName": {"value": record.name}}}
    entry["genes"] = [{"geneName": {"value": record.gene}}]
    entry["organism"] = {"scientificName": record.organism, "taxonId": record.taxon_id}
    if record.taxon_id in _COMMON_NAMES:
        entry["organism"]["commonName"] = _COMMON_NAMES[record.taxon_id]
    if record.length:
        entry["sequence"] = {"length": record.length}
    entry["comments"] = _comments(record, from_uniprot)
    entry["features"] = [
        {"type": kind, "description": statement.text, **_evidences(statement)}
        for kind, statements in (("Domain", record.domains), ("Motif", record.motifs))
        for statement in statements
    ]
    return entry


def _comments(record: ProteinRecord, from_uniprot: bool) -> list[dict[str, Any]]:
    comments: list[dict[str, Any]] = [
        {
            "commentType": kind,
            "texts": [{"value": statement.text, **_evidences(statement)}],
        }
        for kind, statements in (
            ("FUNCTION", record.function),
            ("SUBUNIT", record.interactions),
            ("PTM", record.modifications),
        )
        for statement in statements
    ]
    if record.subcellular_locations:
        locations = [
            {"location": {"value": statement.text, **_evidences(statement)}}
            for statement in record.subcellular_locations
        ]
        comments.append({"commentType": "SUBCELLULAR LOCATION", "subcellularLocations": locations})
    if record.isoforms:
        # An isoform's id is the accession and a number, so it would name a UniProt entry.
        isoforms = [
            _isoform(isoform.name, isoform.id if from_uniprot else None)
            for isoform in record.isoforms
        ]
        comments.append({"commentType": "ALTERNATIVE PRODUCTS", "isoforms": isoforms})
    return comments


def _isoform(name: str, identifier: str | None) -> dict[str, Any]:
    return {"name": {"value": name}, **({"isoformIds": [identifier]} if identifier else {})}


def _evidences(statement: Statement) -> dict[str, Any]:
    # The records do not say which kind of evidence a paper is: ECO's root, "evidence".
    evidences = [
        {"evidenceCode": "ECO:0000000", "source": "PubMed", "id": pmid} for pmid in statement.pmids
    ]
    return {"evidences": evidences} if evidences else {}


def _pubmed(record: ArticleRecord) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{record.pmid}/"


def _add(lines: list[str], key: str, value: str | None) -> None:
    """Add a value, on the key's line or, if it is long, indented below.

    Words are never broken and every line of the value is indented, so the text can be restored by
    joining its lines with spaces, and nothing in it can pass for another key or record.
    """
    if not value:
        return
    value = " ".join(value.split())
    if len(key) + 2 + len(value) <= _WIDTH:
        lines.append(f"{key}: {value}")
        return
    lines.append(f"{key}:")
    lines += textwrap.wrap(
        value,
        width=_WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
