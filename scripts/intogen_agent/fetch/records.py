"""Turning answers into the record files of a store, with everything that is unknown put down."""

import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.fetch.collect import Collected
from intogen_agent.fetch.shelf import Shelf, saving, write_lines
from intogen_agent.store.records import ArticleRecord, GapRecord
from intogen_agent.store.schema import GAP_FILE


@dataclass
class Tally:
    """What the records hold.

    Attributes:
        articles: Papers with an abstract.
        retracted: Those of them that are retracted.
        bare: Papers without an abstract, or with a record that cannot be read.
        absent: Papers that a search listed and PubMed has no record of.
        unfetched: Papers that were listed and could not be fetched.
        genes: Gene records.
        proteins: Protein records.
        no_gene_record: Genes that HGNC does not know.
        no_protein_record: Genes for which UniProt has no reviewed human entry.
        gaps: What is unknown.
        days: The days of the answers that the records rest on.
    """

    articles: int = 0
    retracted: int = 0
    bare: int = 0
    absent: int = 0
    unfetched: int = 0
    genes: int = 0
    proteins: int = 0
    no_gene_record: list[str] = field(default_factory=list)
    no_protein_record: list[str] = field(default_factory=list)
    gaps: list[GapRecord] = field(default_factory=list)
    days: set[date] = field(default_factory=set)


def write_records(shelf: Shelf, collected: Collected, tasks: Sequence[Task], folder: Path) -> Tally:
    """Write genes.jsonl, proteins.jsonl, articles.jsonl and, if anything is unknown, gaps.jsonl.

    Only what the cohort wants is written, whatever else the shelf holds. Each file is replaced in
    one step.

    Raises:
        UserError: A file cannot be written, or an answer is damaged.
    """
    tally = Tally()
    if collected.named_on:
        tally.days.add(collected.named_on)
    with saving(folder):
        folder.mkdir(parents=True, exist_ok=True)
    _write_genes(collected, folder, tally)
    _write_proteins(collected, folder, tally)
    wanted = set(collected.wanted())
    tally.days |= {search.day for search in collected.searches.values() if search}
    _stream(folder / "articles.jsonl", _articles(shelf, wanted, tally))
    # What is still wanted was in no answer.
    tally.unfetched = len(wanted)
    tally.gaps += _search_gaps(collected, tasks, wanted)
    _write_gaps(folder / GAP_FILE, tally.gaps)
    return tally


def _write_genes(collected: Collected, folder: Path, tally: Tally) -> None:
    texts = {}
    for symbol in collected.genes:
        gene = collected.nomenclature.find(symbol)
        record = gene.record() if gene else None
        if record:
            texts[record.symbol] = record.model_dump_json()
        elif collected.nomenclature.known:
            tally.no_gene_record.append(symbol)
        else:
            why = collected.unanswered.get("HGNC", "HGNC: no answer")
            tally.gaps.append(GapRecord(kind="gene", gene=symbol, reason=why))
    tally.genes = len(texts)
    write_lines(folder / "genes.jsonl", [texts[symbol] for symbol in sorted(texts)])


def _write_proteins(collected: Collected, folder: Path, tally: Tally) -> None:
    texts = []
    for gene in sorted(set(collected.genes.values())):
        kept = collected.proteins.get(gene)
        if kept is None:
            why = collected.unanswered.get(f"protein of {gene}", "UniProt: no answer")
            tally.gaps.append(GapRecord(kind="protein", gene=gene, reason=why))
            continue
        tally.days.add(kept.day)
        texts += [record.model_dump_json() for record in kept.records]
        if not kept.records:
            tally.no_protein_record.append(gene)
    tally.proteins = len(texts)
    write_lines(folder / "proteins.jsonl", texts)


def _articles(shelf: Shelf, wanted: set[str], tally: Tally) -> Iterator[str]:
    """Yield the wanted papers from their latest answers and take them off the wanted ones."""
    batches = shelf.batches()
    retracted = {pmid for _, batch in batches for pmid in batch.retracts}
    for path, batch in batches:
        due = wanted.intersection(batch.asked)
        if not due:
            continue
        wanted -= due
        tally.days.add(batch.day)
        tally.absent += len(due.intersection(batch.absent))
        tally.bare += len(due.intersection(batch.bare))
        for record in shelf.articles(path):
            if record.pmid in due:
                yield _counted(record, record.pmid in retracted, tally).model_dump_json()


def _counted(record: ArticleRecord, retracted: bool, tally: Tally) -> ArticleRecord:
    if retracted and not record.retracted:
        record = record.model_copy(update={"retracted": True})
    tally.articles += 1
    tally.retracted += record.retracted
    return record


def _search_gaps(
    collected: Collected, tasks: Sequence[Task], unfetched: set[str]
) -> Iterator[GapRecord]:
    for task in tasks:
        search = collected.searches[task.path]
        cancer = None if task.task == "pan-cancer" else task.cancer_name or task.cancer_type
        if search is None:
            why = collected.unanswered[task.path]
            yield GapRecord(kind="articles", gene=task.gene, cancer=cancer, reason=why)
            continue
        missing = [pmid for pmid in search.pmids if pmid in unfetched]
        if missing:
            why = collected.batches_failed or "NCBI: no answer"
            yield GapRecord(
                kind="articles", gene=task.gene, cancer=cancer, pmids=missing, reason=why
            )


def _write_gaps(path: Path, gaps: Sequence[GapRecord]) -> None:
    if gaps:
        write_lines(path, [gap.model_dump_json() for gap in gaps])
    else:
        with saving(path):
            path.unlink(missing_ok=True)


def _stream(path: Path, texts: Iterator[str]) -> None:
    """Write a file of lines without holding it in memory, and replace the old one in one step."""
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
    try:
        with saving(path), temporary.open("x", encoding="utf-8") as handle:
            handle.writelines(f"{text}\n" for text in texts)
            handle.flush()
            os.fsync(handle.fileno())
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
