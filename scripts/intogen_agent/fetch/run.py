"""A fetch from beginning to end: ask, write records, build the store, say what became of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.errors import UserError
from intogen_agent.fetch.collect import Collected, Collector
from intogen_agent.fetch.options import FetchOptions
from intogen_agent.fetch.records import Tally, write_records
from intogen_agent.fetch.shelf import Shelf, write_lines
from intogen_agent.fetch.work import Tell
from intogen_agent.store.build import BuildResult, build_store
from intogen_agent.store.schema import records_digest

SEARCH_COLUMNS = ("gene", "cancer_type", "scheme", "day", "hits", "taken", "unanswered", "query")


@dataclass(frozen=True)
class Fetched:
    """What a fetch made.

    Attributes:
        store: The store.
        collected: What was asked and not answered.
        tally: What the records hold.
        damaged: Files of earlier answers that could not be read and were asked for anew.
    """

    store: BuildResult
    collected: Collected
    tally: Tally
    damaged: Sequence[Path]

    @property
    def complete(self) -> bool:
        """Whether everything that was asked was answered."""
        made = self.collected
        return not (made.unanswered or made.not_fetched or self.tally.gaps)

    @property
    def as_of(self) -> date | None:
        """The day of the oldest answer that the store rests on."""
        return min(self.tally.days, default=None)


def fetch(options: FetchOptions, tasks: Sequence[Task], tell: Tell) -> Fetched:
    """Fetch what is missing for tasks and build a store of everything.

    Args:
        options: What to do.
        tasks: The cohort's tasks.
        tell: Says one line to the user.

    Raises:
        UserError: A file cannot be written or read, a key is refused, or a name is too long.
    """
    options = replace(options, folder=options.folder.expanduser())
    shelf = Shelf(options.folder, options.refresh)
    with shelf.taken():
        collected = asyncio.run(Collector(shelf, options, tasks, tell).collect())
        records = options.folder / "records"
        tally = write_records(shelf, collected, tasks, records)
        _write_searches(options.folder / "searches.tsv", collected, tasks)
        if not tally.days:
            raise UserError(
                "no service answered, so there is nothing to build a store of "
                f"({next(iter(collected.unanswered.values()), 'no tasks')}); look at the "
                "network (HTTPS_PROXY, SSL_CERT_FILE) and run again"
            )
        tell(f"the store: {tally.articles:,} articles")
        store = _build(options, records, min(tally.days))
    return Fetched(store, collected, tally, tuple(dict.fromkeys(shelf.damaged)))


def _build(options: FetchOptions, records: Path, as_of: date) -> BuildResult:
    """Build the store under a name of its own; what is there already is never replaced."""
    name = f"evidence-{as_of}-{records_digest(records, options.cancer_types)[:12]}.sqlite"
    return build_store(records, options.folder / name, options.cancer_types, as_of=str(as_of))


def _write_searches(path: Path, collected: Collected, tasks: Sequence[Task]) -> None:
    """Write what was asked for each task, and how much was found and taken."""
    rows = ["\t".join(SEARCH_COLUMNS)]
    for task in tasks:
        search, query = collected.searches[task.path], collected.queries[task.path]
        found = (search.day, search.hits, len(search.pmids)) if search else ("", "", "")
        why = collected.unanswered.get(task.path, "")
        head = (task.gene, task.cancer_type, task.scheme)
        rows.append("\t".join(map(str, (*head, *found, why, query.text if query else ""))))
    write_lines(path, rows)
