"""Reading a gene record: BioMCP's Markdown, as the local store's server writes it too."""

import re
from dataclasses import dataclass, field

from intogen_agent.evidence.markdown_record import markdown_fields
from intogen_agent.models import GeneIdentity

_ENSEMBL = re.compile(r"\bENSG\d{11}\b")
_HGNC = re.compile(r"\bHGNC:\d+\b")
_MORE = re.compile(r"\(and \d+ more\)")


@dataclass(frozen=True)
class GeneRecord:
    """What a gene record says, before anything is decided."""

    symbol: str
    name: str | None
    entrez_id: str | None
    hgnc_id: str | None
    ensembl_id: str | None
    uniprot: str | None
    aliases: list[str] = field(default_factory=list)
    summary: str | None = None


def read_gene_record(text: str) -> GeneRecord | None:
    """Read the first record of a gene answer; None if it is not one."""
    fields = markdown_fields(text)
    symbol = fields.get("symbol")
    if not symbol:
        return None
    aliases = _MORE.sub("", fields.get("alias", ""))
    ensembl, hgnc = _ENSEMBL.search(text), _HGNC.search(text)
    return GeneRecord(
        symbol=symbol,
        name=fields.get("name") or None,
        entrez_id=fields.get("entrezgene") or fields.get("gene id") or None,
        hgnc_id=hgnc.group() if hgnc else None,
        ensembl_id=ensembl.group() if ensembl else None,
        uniprot=fields.get("swiss prot") or fields.get("uniprot") or None,
        aliases=[alias for part in aliases.split(",") if (alias := part.strip())],
        summary=fields.get("summary") or None,
    )


def identity_problem(record: GeneRecord, symbol: str) -> str | None:
    """Say why a record is not the gene that was asked for; None if it is.

    A record that carries the symbol only as an alias belongs to another gene.
    """
    if record.symbol.casefold() == symbol.casefold():
        return None
    known = {alias.casefold() for alias in record.aliases}
    if symbol.casefold() in known:
        return f"the record is of {record.symbol}, which has {symbol} only as an alias"
    return f"the record is of {record.symbol}, not of {symbol}"


def settle_identity(symbol: str, record: GeneRecord | None, uniprot: str | None) -> GeneIdentity:
    """Return the gene's identity from its record and the accession of its protein record."""
    if record is None:
        return GeneIdentity(symbol=symbol, uniprot=uniprot)
    return GeneIdentity(
        symbol=symbol,
        name=record.name,
        hgnc_id=record.hgnc_id,
        entrez_id=record.entrez_id,
        ensembl_id=record.ensembl_id,
        uniprot=uniprot or record.uniprot,
        aliases=record.aliases,
    )
