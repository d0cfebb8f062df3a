"""What a fetch says at its end: a table, and a line for everything that is unknown."""

from collections.abc import Iterator, Sequence

from intogen_agent.cohort.tasks import Task
from intogen_agent.fetch.run import Fetched

SHOWN = 20


def summary(fetched: Fetched, tasks: Sequence[Task]) -> list[tuple[str, str]]:
    """Return the rows of the table: what, how much."""
    made, tally = fetched.collected, fetched.tally
    searches = [search for search in made.searches.values() if search]
    rows: list[tuple[str, object]] = [
        ("tasks", len(tasks)),
        ("tasks with an answered search", len(searches)),
        ("tasks without a hit", sum(not search.hits for search in searches)),
        (
            "tasks with more hits than were taken",
            sum(search.hits > len(search.pmids) for search in searches),
        ),
        ("articles", tally.articles),
        ("articles retracted", tally.retracted),
        ("listed without a usable abstract", tally.bare),
        ("listed but unknown to PubMed", tally.absent),
        ("listed but not fetched", tally.unfetched),
        ("genes", len(made.genes)),
        ("gene records", tally.genes),
        ("genes without a gene record", len(tally.no_gene_record)),
        ("protein records", tally.proteins),
        ("genes without a protein record", len(tally.no_protein_record)),
        ("questions not answered", len(made.unanswered) + bool(made.not_fetched)),
    ]
    for name, cost in made.traffic.items():
        waits = f", {cost.waited:,.0f} s of waits asked for or after failures"
        told = f"{cost.requests:,} requests, {cost.received / 2**20:,.1f} MB"
        rows.append((f"asked of {name}", told + (waits if cost.waited else "")))
    rows += [("oldest answer", fetched.as_of), ("latest answer", max(tally.days))]
    rows += [("store", fetched.store.path)]
    return [(what, f"{much:,}" if isinstance(much, int) else str(much)) for what, much in rows]


def unknown_lines(fetched: Fetched, tasks: Sequence[Task]) -> Iterator[str]:
    """Yield a line for everything that no service answered, the first of each kind of question."""
    made, tally = fetched.collected, fetched.tally
    by_path = {task.path: task for task in tasks}
    lines = []
    for what, why in made.unanswered.items():
        task = by_path.get(what)
        about = f"search for {task.gene} {task.cancer_type}" if task else what
        search = made.searches.get(what) if task else None
        old = f"; the answer of {search.day} stays" if search else ""
        lines.append(f"not answered: {about}: {why}{old}")
    if made.not_fetched:
        earlier = made.not_fetched - tally.unfetched
        old = f"; earlier answers for {earlier:,} of them stay" if earlier else ""
        lines.append(f"not answered: {made.not_fetched:,} articles: {made.batches_failed}{old}")
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"and {len(lines) - SHOWN:,} more (searches.tsv has them by task)"
    for path in fetched.damaged:
        yield f"{path}: was damaged and asked for anew"
    for text, genes in (
        ("HGNC knows no gene", tally.no_gene_record),
        ("UniProt has no reviewed human entry for", tally.no_protein_record),
    ):
        if genes:
            more = f" and {len(genes) - SHOWN:,} more" if len(genes) > SHOWN else ""
            yield f"note: {text} {', '.join(genes[:SHOWN])}{more}"
