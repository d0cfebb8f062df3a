"""Settling who a gene is, from its gene record and its protein entry, by rules.

The gene record decides the gene's own identifiers (HGNC, Entrez, Ensembl) and its name; the
reviewed human entry decides the UniProt accession; each fills what the other lacks. Where both
speak and differ, the decision stands and the difference is said. Mouse entries say nothing of a
human gene's identity.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from intogen_agent.evidence.gene_record import GeneRecord
from intogen_agent.evidence.uniprot_values import (
    Entry,
    accession_of,
    is_reviewed,
    is_uniprot,
    items,
    primary_symbol,
    property_of,
    protein_name,
    synonyms,
    text_at,
)
from intogen_agent.models import GeneIdentity

_ENSEMBL = re.compile(r"\bENSG\d{11}\b")


@dataclass(frozen=True)
class ProteinIdentity:
    """What a human protein entry says of its gene.

    Attributes:
        former: Accessions that were merged into this one.
        hgnc: HGNC ids; several where several genes have one protein.
    """

    accession: str | None
    reviewed: bool
    name: str | None
    former: list[str] = field(default_factory=list)
    hgnc: list[str] = field(default_factory=list)
    entrez: list[str] = field(default_factory=list)
    ensembl: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Settled:
    """A gene's identity.

    Attributes:
        sources: By field, where its value is from: `gene record` or `protein record`.
        notes: Where the records contradict each other, and what was kept.
    """

    gene: GeneIdentity
    sources: dict[str, str]
    notes: list[str]


def protein_identity(entry: Entry, symbol: str) -> ProteinIdentity:
    """Read what a human entry says of the gene of that symbol."""
    genes = items(entry, "genes")
    own = [gene for gene in genes if primary_symbol(gene).casefold() == symbol.casefold()]
    former = entry.get("secondaryAccessions")
    accession = accession_of(entry).partition("-")[0]
    return ProteinIdentity(
        accession=accession or None if is_uniprot(entry) else None,
        reviewed=is_reviewed(entry),
        name=protein_name(entry),
        former=[name for name in former if isinstance(name, str)]
        if isinstance(former, list)
        else [],
        hgnc=list(_cross_references(entry, "HGNC", symbol)),
        entrez=list(_cross_references(entry, "GeneID", symbol)),
        ensembl=list(dict.fromkeys(_ensembl(entry))),
        aliases=[name for gene in own for name in synonyms(gene)],
    )


def _cross_references(entry: Entry, database: str, symbol: str) -> Iterator[str]:
    """Yield the ids of a database; those that are said to be of the symbol alone, if any are."""
    references = [
        one for one in items(entry, "uniProtKBCrossReferences") if one.get("database") == database
    ]
    own = [
        one for one in references if property_of(one, "GeneName").casefold() == symbol.casefold()
    ]
    yield from filter(None, (text_at(one, "id") for one in own or references))


def _ensembl(entry: Entry) -> Iterator[str]:
    for reference in items(entry, "uniProtKBCrossReferences"):
        if reference.get("database") == "Ensembl":
            # Versions change with every release of Ensembl.
            yield from _ENSEMBL.findall(property_of(reference, "GeneId"))


def settle_identity(
    symbol: str, record: GeneRecord | None, protein: ProteinIdentity | None
) -> Settled:
    """Return the gene's identity.

    Args:
        symbol: The symbol that was asked for; it is kept.
        record: The gene record that was accepted.
        protein: What the accepted human entry says.
    """
    known = record or GeneRecord(symbol, None, None, None, None, None)
    entry = protein or ProteinIdentity(None, False, None)
    sources: dict[str, str] = {}
    notes: list[str] = []

    def decide(name: str, recorded: str | None, found: list[str]) -> str | None:
        if recorded and found and recorded not in found:
            notes.append(
                f"{name}: the gene record says {recorded}, the protein record "
                f"{', '.join(found)}; {recorded} is kept"
            )
        if not recorded and len(found) > 1:
            # One of several identifiers would be a guess.
            notes.append(f"{name}: the protein record names {', '.join(found)}; none is kept")
        value = recorded or (found[0] if len(found) == 1 else None)
        if value:
            sources[name] = "gene record" if recorded else "protein record"
        return value

    # The two records word a gene's name differently; that is no contradiction.
    name = [entry.name] if entry.name and not known.name else []
    gene = GeneIdentity(
        symbol=symbol,
        name=decide("name", known.name, name),
        hgnc_id=decide("hgnc_id", known.hgnc_id, entry.hgnc),
        entrez_id=decide("entrez_id", known.entrez_id, entry.entrez),
        ensembl_id=decide("ensembl_id", known.ensembl_id, entry.ensembl),
        uniprot=_accession(known.uniprot, entry, sources, notes),
        aliases=_aliases(symbol, [known.symbol, *known.aliases, *entry.aliases]),
    )
    return Settled(gene, sources, notes)


def _accession(
    recorded: str | None, entry: ProteinIdentity, sources: dict[str, str], notes: list[str]
) -> str | None:
    found = entry.accession
    # The entry decides, unless it is unreviewed and the gene record knows one.
    of_entry = bool(found) and (entry.reviewed or not recorded)
    kept = found if of_entry else recorded
    if kept:
        sources["uniprot"] = "protein record" if of_entry else "gene record"
    if recorded and found and recorded not in (found, *entry.former):
        kind = "reviewed" if entry.reviewed else "unreviewed"
        notes.append(
            f"uniprot: the gene record says {recorded}, the {kind} entry is {found}; {kept} is kept"
        )
    return kept


def _aliases(symbol: str, names: list[str]) -> list[str]:
    """Return each name once, without the symbol; the present symbol of a renamed gene is first."""
    unique: dict[str, str] = {}
    for name in names:
        unique.setdefault(name.casefold(), name)
    unique.pop(symbol.casefold(), None)
    return list(unique.values())
