"""Reading a gene record: BioMCP's Markdown, as the local store's server writes it too."""

import re
from dataclasses import dataclass, field

from intogen_agent.evidence.markdown_record import markdown_fields
from intogen_agent.models import GeneIdentity

_ENSEMBL = re.compile(r"\bENSG\d{11}\b")
_HGNC = re.compile(r"\bHGNC:\d+\b")
_NEXT_RECORD = re.compile(r"(?<=\n)# Record (?!1\b)\d+")
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
    previous: list[str] = field(default_factory=list)
    summary: str | None = None


def read_gene_record(text: str) -> GeneRecord | None:
    """Read the first record of a gene answer; None if it is not one."""
    text = _NEXT_RECORD.split(text, maxsplit=1)[0]
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
        aliases=_listed(aliases),
        previous=_listed(fields.get("previous symbols", "")),
        summary=fields.get("summary") or None,
    )


def _listed(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())]


def identity_problem(record: GeneRecord, symbol: str) -> str | None:
    """Say why a record is not the gene that was asked for; None if it is.

    A gene that was renamed is still the gene (TENT5C was FAM46C); a record that carries the
    symbol only as an alias belongs to another one.
    """
    if symbol.casefold() in {name.casefold() for name in (record.symbol, *record.previous)}:
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
        aliases=[name for name in _names(record) if name.casefold() != symbol.casefold()],
    )


def _names(record: GeneRecord) -> list[str]:
    """Return the present symbol, then the aliases."""
    return [record.symbol, *record.aliases]
