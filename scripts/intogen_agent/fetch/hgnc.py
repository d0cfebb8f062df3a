"""Genes as HGNC names them: the complete set, reduced to names and identifiers.

Source: HGNC's complete set in JSON (`response.docs`), CC0.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field

from intogen_agent.fetch.fitting import fitting, line, lines
from intogen_agent.fetch.queries import Names
from intogen_agent.fetch.service import Answer, Passing, Service
from intogen_agent.models import Record
from intogen_agent.store.records import GeneRecord

FEWEST = 20
"""A complete set has some 45,000 genes; fewer than this is another file."""


class HgncGene(Record):
    """An approved gene."""

    hgnc_id: str | None = None
    symbol: str
    name: str | None = None
    entrez_id: str | None = None
    ensembl_id: str | None = None
    uniprot: list[str] = Field(default_factory=list)
    aliases: list[str] = Field(default_factory=list)
    previous: list[str] = Field(default_factory=list)

    def names(self) -> Iterator[str]:
        """Yield all its names."""
        yield from (self.symbol, *self.aliases, *self.previous)

    def record(self) -> GeneRecord | None:
        """Return the store's record of it."""
        return fitting(
            GeneRecord,
            {
                **self.model_dump(exclude={"uniprot"}),
                "uniprot": next(iter(self.uniprot), None),
            },
        )


async def complete_set(service: Service) -> list[HgncGene]:
    """Fetch all approved genes.

    Raises:
        Unanswered: There was no answer.
    """

    def read(answer: Answer) -> list[HgncGene]:
        try:
            genes = list(read_complete_set(answer.body.decode("utf-8-sig")))
        except (ValueError, RecursionError) as error:
            raise Passing(f"not HGNC's complete set ({error})") from None
        if len(genes) < FEWEST:
            raise Passing(f"not HGNC's complete set ({len(genes)} genes)")
        return genes

    return await service.ask(service.url, read)


def read_complete_set(text: str) -> Iterator[HgncGene]:
    """Yield the approved genes of a complete set, one object of the text at a time.

    Raises:
        ValueError: It is no complete set, or is cut off.
    """
    start = text.find('"docs"')
    place = text.find("[", start) + 1 if start >= 0 else 0
    if not place:
        raise ValueError("no list of genes in it")
    decoder = json.JSONDecoder()
    while True:
        while text[place : place + 1] in (" ", "\n", "\r", "\t", ","):
            place += 1
        if text[place : place + 1] == "]":
            return
        doc, place = decoder.raw_decode(text, place)
        if isinstance(doc, dict) and doc.get("status") == "Approved" and line(doc.get("symbol")):
            yield _gene(doc)


def _gene(doc: dict[str, Any]) -> HgncGene:
    return HgncGene(
        hgnc_id=line(doc.get("hgnc_id")),
        symbol=str(line(doc["symbol"])),
        name=line(doc.get("name")),
        entrez_id=line(str(doc.get("entrez_id") or "")),
        ensembl_id=line(doc.get("ensembl_gene_id")),
        uniprot=lines(doc.get("uniprot_ids") or []),
        aliases=lines(doc.get("alias_symbol") or []),
        previous=lines(doc.get("prev_symbol") or []),
    )


class Nomenclature:
    """The genes of a cohort among all genes, and which names several genes have."""

    def __init__(self, genes: Iterable[HgncGene], symbols: Iterable[str]) -> None:
        """Read all genes, keep those of some symbols.

        Args:
            genes: All genes; none if HGNC did not answer.
            symbols: The cohort's symbols, also old ones.
        """
        wanted = {symbol.casefold() for symbol in symbols}
        self._owners: Counter[str] = Counter()
        self._by_name: tuple[dict[str, list[HgncGene]], ...] = ({}, {})
        self.known = False
        for gene in genes:
            self.known = True
            self._owners.update({name.casefold() for name in gene.names()})
            kinds = ([gene.symbol], gene.previous)
            for names, found in zip(kinds, self._by_name, strict=True):
                for name in {name.casefold() for name in names} & wanted:
                    found.setdefault(name, []).append(gene)

    def find(self, symbol: str) -> HgncGene | None:
        """Return the gene with this symbol, else the only one that had it before.

        A gene that has it as an alias is another gene.
        """
        current, earlier = (found.get(symbol.casefold(), []) for found in self._by_name)
        if current:
            return current[0]
        return earlier[0] if len(earlier) == 1 else None

    def is_shared(self, name: str) -> bool:
        """Tell whether several genes have a name."""
        return self._owners[name.casefold()] > 1

    def names(self, symbol: str) -> Names:
        """Return a gene's names for a search; an old symbol of the cohort's stays among them."""
        gene = self.find(symbol)
        if gene is None:
            return Names(symbol)
        return Names(gene.symbol, gene.name, tuple(gene.previous), tuple(gene.aliases))
