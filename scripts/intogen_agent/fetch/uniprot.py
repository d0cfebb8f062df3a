"""Reviewed human proteins from UniProt's REST service, as records of a store.

Source: UniProtKB (CC BY 4.0). Texts are UniProt's own.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from intogen_agent.fetch.fitting import fitting, line
from intogen_agent.fetch.service import Answer, Passing, Service, Unanswered
from intogen_agent.store.records import ProteinRecord

BATCH = 25
"""Genes of one request."""

HUMAN = 9606
MAX_PARTNERS = 50
_PAGE = 100
_FIELDS = (
    "accession,id,protein_name,gene_names,organism_name,length,cc_function,cc_subunit,"
    "cc_interaction,cc_ptm,cc_domain,cc_subcellular_location,cc_alternative_products,ft_domain,"
    "ft_motif,ft_repeat,ft_zn_fing"
)

_NUMBER = re.compile(r"[0-9]{1,9}")
_PMID = re.compile(r"[1-9][0-9]{0,8}")

Entry = dict[str, Any]


class UniProt:
    """UniProt behind its service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._url = f"{service.url.rstrip('/')}/uniprotkb/search"

    async def proteins(self, genes: Mapping[str, Sequence[str]]) -> dict[str, list[ProteinRecord]]:
        """Return the proteins of genes.

        Args:
            genes: The accessions that HGNC gives for each gene, by its symbol.

        Returns:
            The records by symbol: an entry belongs to a gene whose symbol is its primary one, or
            for which HGNC names it. Without any, an empty list; a gene with an entry that cannot
            be read is left out.

        Raises:
            Unanswered: There was no answer, or not all of it.
        """
        entries = await self._entries(_query(genes))
        found: dict[str, list[ProteinRecord]] = {}
        for symbol, accessions in genes.items():
            own = [entry for entry in entries if _belongs(entry, symbol, accessions)]
            records = [_record(entry, symbol) for entry in own]
            if None not in records:
                found[symbol] = [record for record in records if record]
        return found

    async def _entries(self, query: str) -> list[Entry]:
        entries: list[Entry] = []
        params = {"query": query, "fields": _FIELDS, "format": "json", "size": str(_PAGE)}
        url, seen = self._url, set[str]()
        page, following, total = await self._service.ask(url, _read_page, params=params)
        entries += page
        while following:
            # A service must not lead elsewhere, or round in circles.
            if _origin(following) != _origin(self._url) or following in seen:
                raise Unanswered(f"{self._service.name}: its next page is not its own")
            seen.add(following)
            page, following, _ = await self._service.ask(following, _read_page)
            entries += page
        if total is not None and total != len(entries):
            raise Unanswered(f"{self._service.name}: gave {len(entries)} of {total} entries")
        return entries


def _query(genes: Mapping[str, Sequence[str]]) -> str:
    names = [f'gene_exact:"{symbol}"' for symbol in genes]
    names += [f"accession:{one}" for accessions in genes.values() for one in accessions]
    return f"({' OR '.join(names)}) AND (organism_id:{HUMAN}) AND (reviewed:true)"


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _read_page(answer: Answer) -> tuple[list[Entry], str | None, int | None]:
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        raise Passing("the answer is no JSON") from None
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        said = value.get("messages") if isinstance(value, dict) else None
        raise Passing(f"no list of entries ({line(str(said or 'another kind of answer'))})")
    total = str(answer.headers.get("x-total-results") or "")
    entries = [entry for entry in results if isinstance(entry, dict)]
    return entries, answer.next_url, int(total) if _NUMBER.fullmatch(total) else None


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _items(value: Any, *path: str) -> list[Entry]:
    found = _at(value, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _belongs(entry: Entry, symbol: str, accessions: Sequence[str]) -> bool:
    kind = str(entry.get("entryType"))
    if "Swiss-Prot" not in kind or _at(entry, "organism", "taxonId") != HUMAN:
        return False
    primary = {str(_at(gene, "geneName", "value")).casefold() for gene in _items(entry, "genes")}
    return symbol.casefold() in primary or entry.get("primaryAccession") in accessions


def _record(entry: Entry, symbol: str) -> ProteinRecord | None:
    return fitting(
        ProteinRecord,
        {
            "gene": symbol,
            "accession": entry.get("primaryAccession"),
            "entry_name": line(entry.get("uniProtkbId")),
            "name": line(_at(entry, "proteinDescription", "recommendedName", "fullName", "value")),
            "organism": _at(entry, "organism", "scientificName"),
            "taxon_id": HUMAN,
            "reviewed": True,
            "length": _at(entry, "sequence", "length"),
            "text_kind": "uniprot",
            "function": _texts(entry, "FUNCTION"),
            "isoforms": _isoforms(entry),
            "domains": [
                *_features(entry, {"Domain", "Zinc finger", "Repeat"}),
                *_texts(entry, "DOMAIN"),
            ],
            "motifs": _features(entry, {"Motif"}),
            "subcellular_locations": _locations(entry),
            "interactions": [*_texts(entry, "SUBUNIT"), *_partners(entry)],
            "modifications": _texts(entry, "PTM"),
        },
    )


def _comments(entry: Entry, kind: str) -> Iterator[Entry]:
    return (one for one in _items(entry, "comments") if one.get("commentType") == kind)


def _pmids(item: Any) -> list[str]:
    found = (
        str(evidence.get("id"))
        for evidence in _items(item, "evidences")
        if evidence.get("source") == "PubMed"
    )
    return list(dict.fromkeys(pmid for pmid in found if _PMID.fullmatch(pmid)))


def _statement(text: object, source: Any, of: object = None) -> Iterator[Entry]:
    """Yield a statement; what is said of a part of the protein says so."""
    value, part = line(text), line(of)
    if value:
        yield {"text": f"{part}: {value}" if part else value, "pmids": _pmids(source)}


def _texts(entry: Entry, kind: str) -> list[Entry]:
    return [
        statement
        for comment in _comments(entry, kind)
        for text in _items(comment, "texts")
        for statement in _statement(text.get("value"), text, comment.get("molecule"))
    ]


def _features(entry: Entry, kinds: set[str]) -> list[Entry]:
    found: list[Entry] = []
    for feature in _items(entry, "features"):
        description = line(feature.get("description"))
        if feature.get("type") in kinds and description:
            start, end = (_at(feature, "location", side, "value") for side in ("start", "end"))
            place = f" (residues {start} to {end})" if start and end else ""
            found += _statement(f"{description}{place}", feature)
    return found


def _locations(entry: Entry) -> list[Entry]:
    found = [
        statement
        for comment in _comments(entry, "SUBCELLULAR LOCATION")
        for place in _items(comment, "subcellularLocations")
        for statement in _statement(
            _at(place, "location", "value"), place.get("location"), comment.get("molecule")
        )
    ]
    return list({statement["text"]: statement for statement in reversed(found)}.values())[::-1]


def _partners(entry: Entry) -> Iterator[Entry]:
    """Yield the partners of IntAct's experiments, those with the most experiments first."""
    pairs = [
        (int(number), name)
        for comment in _comments(entry, "INTERACTION")
        for pair in _items(comment, "interactions")
        if (name := line(_at(pair, "interactantTwo", "geneName")))
        and _NUMBER.fullmatch(str(number := pair.get("numberOfExperiments") or 1))
    ]
    for number, name in sorted(set(pairs), key=lambda pair: (-pair[0], pair[1]))[:MAX_PARTNERS]:
        yield {"text": f"Interacts with {name} ({number} experiments in IntAct)", "pmids": []}


def _isoforms(entry: Entry) -> list[Entry]:
    return [
        {"id": str(ids[0]), "name": name}
        for comment in _comments(entry, "ALTERNATIVE PRODUCTS")
        for isoform in _items(comment, "isoforms")
        if (name := line(_at(isoform, "name", "value")))
        and isinstance(ids := isoform.get("isoformIds"), list)
        and ids
    ]
