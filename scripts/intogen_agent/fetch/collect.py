"""Asking the services for everything that a cohort needs and that has not been answered yet."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import TypeVar

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.cohort.tasks import Task
from intogen_agent.config import places
from intogen_agent.fetch import hgnc, pubmed, uniprot
from intogen_agent.fetch.options import FetchOptions
from intogen_agent.fetch.pace import Pace
from intogen_agent.fetch.queries import Query, task_query
from intogen_agent.fetch.service import Service, Traffic, Unanswered
from intogen_agent.fetch.shelf import Batch, Proteins, Search, Shelf
from intogen_agent.fetch.work import Progress, Tell, spread
from intogen_agent.store.records import ACCESSION

T = TypeVar("T")

POLITE_RATE = 5.0
"""Requests per second to UniProt and HGNC, which name no limit; a fetch makes few."""

UNNAMED = "the cancer type has no name or search term but an acronym; give --cancer-types a table"


@dataclass
class Collected:
    """What was asked for and what was not answered.

    Attributes:
        genes: The approved symbol of each of the cohort's; the same where HGNC knows none.
        nomenclature: The genes' names.
        named_on: The day of these names; None if HGNC never answered.
        queries: The query of each task by its path; None where nothing names its cancer.
        searches: The answer for each task by its path; None where there is none.
        proteins: The proteins of each gene by its approved symbol, as far as they are known.
        unanswered: What is unknown or as old as before, by what was asked: a task's path,
            `protein of <gene>`, `HGNC`.
        batches_failed: Why papers were not fetched, if any were not.
        not_fetched: How many; of some there may be an earlier answer.
        traffic: What each service cost.
    """

    genes: dict[str, str] = field(default_factory=dict)
    nomenclature: hgnc.Nomenclature = field(default_factory=lambda: hgnc.Nomenclature((), ()))
    named_on: date | None = None
    queries: dict[str, Query | None] = field(default_factory=dict)
    searches: dict[str, Search | None] = field(default_factory=dict)
    proteins: dict[str, Proteins] = field(default_factory=dict)
    unanswered: dict[str, str] = field(default_factory=dict)
    batches_failed: str | None = None
    not_fetched: int = 0
    traffic: dict[str, Traffic] = field(default_factory=dict)

    def wanted(self) -> list[str]:
        """Return the papers of all searches, each once, in a lasting order."""
        found = {pmid for search in self.searches.values() if search for pmid in search.pmids}
        return sorted(found, key=int)


class Collector:
    """Fetches what is missing on a shelf."""

    def __init__(
        self, shelf: Shelf, options: FetchOptions, tasks: Sequence[Task], tell: Tell
    ) -> None:
        self._shelf = shelf
        self._options = options
        self._tasks = tasks
        self._tell = tell
        self._bounds = [options.max_articles, options.since, options.until]
        # As many requests under way as keep the pace when each takes two seconds.
        self._width = max(1, min(16, round(2 * options.ncbi_rate)))
        self._made = Collected()

    async def collect(self) -> Collected:
        """Ask for everything; what is not answered is put down.

        Raises:
            UserError: A key is refused, or a file cannot be written or read.
        """
        await self._genes()
        await self._proteins()
        ncbi = self._service(
            "NCBI", self._options.ncbi_url, self._options.ncbi_rate, self._options.api_key
        )
        async with ncbi:
            source = pubmed.PubMed(ncbi, self._options)
            await self._search(source)
            await self._fetch(source)
        return self._made

    def _service(self, name: str, url: str, rate: float, key: str | None = None) -> Service:
        service = Service(
            name, url, Pace(rate), self._tell, self._options.patience, key, "NCBI_API_KEY"
        )
        self._made.traffic[name] = service.traffic
        return service

    async def _genes(self) -> None:
        kept = self._shelf.genes()
        if kept is None or not self._shelf.fresh(kept[0]):
            self._tell("HGNC: the complete set of genes")
            async with self._service("HGNC", self._options.hgnc_url, POLITE_RATE) as service:
                try:
                    genes = await hgnc.complete_set(service)
                    self._shelf.keep_genes(self._options.today, genes)
                except Unanswered as failure:
                    self._made.unanswered["HGNC"] = str(failure)
            kept = self._shelf.genes()
        symbols = list(dict.fromkeys(task.gene for task in self._tasks))
        names = hgnc.Nomenclature(kept[1] if kept else (), symbols)
        self._made.named_on = kept[0] if kept else None
        self._made.nomenclature = names
        for symbol in symbols:
            gene = names.find(symbol)
            self._made.genes[symbol] = gene.symbol if gene else symbol

    async def _proteins(self) -> None:
        accessions = {
            approved: _accessions(self._made.nomenclature.find(symbol))
            for symbol, approved in self._made.genes.items()
        }
        missing: dict[str, list[str]] = {}
        for gene, known in accessions.items():
            kept = self._shelf.proteins(gene)
            if kept is None or kept.accessions != known or not self._shelf.fresh(kept.day):
                missing[gene] = known
            if kept is not None:
                self._made.proteins[gene] = kept
        if not missing:
            return
        self._tell(f"UniProt: proteins of {len(missing):,} genes")
        async with self._service("UniProt", self._options.uniprot_url, POLITE_RATE) as service:
            source = uniprot.UniProt(service)
            for genes in _in_batches(missing, uniprot.BATCH):
                await self._proteins_of(source, {gene: missing[gene] for gene in genes})

    async def _proteins_of(self, source: uniprot.UniProt, genes: dict[str, list[str]]) -> None:
        why = "UniProt: its entry cannot be read"
        try:
            found = await source.proteins(genes)
        except Unanswered as failure:
            found, why = {}, str(failure)
        for gene, known in genes.items():
            if gene not in found:
                self._made.unanswered[f"protein of {gene}"] = why
                continue
            kept = Proteins(
                day=self._options.today, gene=gene, accessions=known, records=found[gene]
            )
            self._shelf.keep_proteins(kept)
            self._made.proteins[gene] = kept

    async def _search(self, source: pubmed.PubMed) -> None:
        names = self._made.nomenclature
        ambiguous = AmbiguousNames(places.ambiguous_symbols())
        waiting: dict[str, Query] = {}
        tasks_of: dict[str, list[str]] = {}
        for task in self._tasks:
            query = task_query(task, names.names(task.gene), names.is_shared, ambiguous)
            self._made.queries[task.path] = query
            if query is None:
                self._made.searches[task.path] = None
                self._made.unanswered[task.path] = UNNAMED
                continue
            tasks_of.setdefault(query.text, []).append(task.path)
            kept = self._shelf.search(query.text, self._bounds)
            self._made.searches[task.path] = kept
            if kept is None or not self._shelf.fresh(kept.day):
                waiting[query.text] = query
        if waiting:
            self._tell(f"NCBI: {len(waiting):,} searches of PubMed")
        progress = Progress("searches", len(waiting), self._tell)

        async def ask(query: Query) -> None:
            try:
                listing = await source.search(query)
            except Unanswered as failure:
                for path in tasks_of[query.text]:
                    self._made.unanswered[path] = str(failure)
            else:
                search = Search(
                    day=self._options.today,
                    term=query.text,
                    hits=listing.hits,
                    pmids=listing.pmids,
                )
                self._shelf.keep_search(search, self._bounds)
                self._made.searches.update(dict.fromkeys(tasks_of[query.text], search))
            progress.step()

        await spread(waiting.values(), ask, self._width)

    async def _fetch(self, source: pubmed.PubMed) -> None:
        fresh = {
            pmid
            for _, batch in self._shelf.batches()
            if self._shelf.fresh(batch.day)
            for pmid in batch.asked
        }
        missing = [pmid for pmid in self._made.wanted() if pmid not in fresh]
        if missing:
            self._tell(f"NCBI: {len(missing):,} articles of PubMed")
        progress = Progress("articles", len(missing), self._tell)

        async def ask(pmids: tuple[str, ...]) -> None:
            try:
                papers, absent = await source.articles(pmids)
            except Unanswered as failure:
                self._made.batches_failed = str(failure)
                self._made.not_fetched += len(pmids)
                return
            answered = [*(paper.pmid for paper in papers), *absent]
            if len(answered) < len(pmids):
                self._made.batches_failed = "NCBI: left out papers and did not answer for them"
                self._made.not_fetched += len(pmids) - len(answered)
            batch = Batch(
                day=self._options.today,
                asked=answered,
                absent=absent,
                bare=[paper.pmid for paper in papers if paper.record is None],
                retracts=[pmid for paper in papers for pmid in paper.retracts],
            )
            self._shelf.keep_batch(batch, (paper.record for paper in papers if paper.record))
            for _ in pmids:
                progress.step()

        await spread(_in_batches(missing, pubmed.BATCH), ask, self._width)


def _accessions(gene: hgnc.HgncGene | None) -> list[str]:
    found = gene.uniprot if gene else []
    # UniProt refuses a whole query for one that is none.
    return [one for one in found if re.fullmatch(ACCESSION, one)]


def _in_batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    waiting = iter(items)
    while batch := tuple(islice(waiting, size)):
        yield batch
