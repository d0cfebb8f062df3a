"""Fetch what a cohort needs from PubMed, UniProt and HGNC, and build its store.

For a machine with internet access, such as a login node. The output folder keeps every answer: a
fetch that was stopped goes on where it was, and a longer cohort fetches only what is new. The
store, in the same folder, then serves all jobs without the internet.

  intogen-agent store fetch --cohort drivers.tsv --email you@example.org
  NCBI_API_KEY=... intogen-agent store fetch --cohort drivers.tsv --refresh

NCBI is asked 3 times a second, or 10 times with a key in NCBI_API_KEY; it counts by address, so
run one fetch at a time. A table of what was fetched goes to standard output, everything else to
standard error. Exit code: 0 all was answered; 1 something was not: the store is there, says what it
does not know, and the same command goes on; 2 bad input.
"""

import argparse
import os
import sys
from datetime import UTC, date, datetime
from pathlib import Path

from intogen_agent.cli.cohort import add_selection, selected_cohort
from intogen_agent.cohort.cancer_types import default_path
from intogen_agent.cohort.render import dropped_lines
from intogen_agent.errors import UserError
from intogen_agent.fetch.options import (
    EMAIL_VARIABLE,
    HGNC,
    KEY_VARIABLE,
    NCBI,
    UNIPROT,
    FetchOptions,
)
from intogen_agent.fetch.service import Patience

PATIENCE = Patience()
TODAY = "today"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument(
        "--cohort", nargs="+", required=True, type=Path, metavar="TABLE", help="driver tables"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("fetched"),
        metavar="DIR",
        help="where answers and the store go (default: fetched)",
    )
    parser.add_argument(
        "--email",
        metavar="ADDRESS",
        help=f"whom NCBI writes to if something is wrong (default: ${EMAIL_VARIABLE})",
    )
    parser.add_argument(
        "--max-articles",
        type=int,
        default=100,
        metavar="N",
        help="articles of a task, the most relevant ones (default: 100)",
    )
    for option, which in (("--since", "first"), ("--until", "last")):
        parser.add_argument(
            option, metavar="DATE", help=f"{which} date of publication: YYYY, YYYY-MM, YYYY-MM-DD"
        )
    parser.add_argument(
        "--refresh",
        nargs="?",
        const=TODAY,
        metavar="DATE",
        help="ask anew for what was answered before this day (default: today)",
    )
    parser.add_argument(
        "--rate",
        type=float,
        metavar="N",
        help="requests per second to NCBI (default: 3, with a key 10; less on shared addresses)",
    )
    for option, url in (("--ncbi-url", NCBI), ("--uniprot-url", UNIPROT), ("--hgnc-url", HGNC)):
        parser.add_argument(option, default=url, metavar="URL", help=f"default: {url}")
    add_selection(parser)


def run(arguments: argparse.Namespace) -> int:
    """Fetch, build, and say what became of it."""
    from intogen_agent.fetch.run import fetch
    from intogen_agent.fetch.summary import summary, unknown_lines

    options = _options(arguments)
    cohort = selected_cohort(arguments.cohort, arguments)
    for told in dropped_lines(cohort):
        _tell(f"dropped: {told}")
    for told in cohort.notes:
        _tell(f"note: {told}")
    try:
        fetched = fetch(options, cohort.tasks, _tell)
    except KeyboardInterrupt:
        _tell("stopped; the same command goes on from here")
        return 130
    for told in unknown_lines(fetched, cohort.tasks):
        _tell(told)
    for what, much in summary(fetched, cohort.tasks):
        print(what, much, sep="\t")
    if not fetched.complete:
        _tell("not all was answered; the same command asks again for what is missing")
    return 0 if fetched.complete else 1


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _options(arguments: argparse.Namespace) -> FetchOptions:
    return FetchOptions(
        folder=arguments.output,
        cancer_types=arguments.cancer_types or default_path(),
        email=arguments.email or os.environ.get(EMAIL_VARIABLE, ""),
        api_key=os.environ.get(KEY_VARIABLE, "").strip() or None,
        rate=arguments.rate,
        max_articles=arguments.max_articles,
        since=arguments.since,
        until=arguments.until,
        refresh=_day(arguments.refresh),
        ncbi_url=arguments.ncbi_url,
        uniprot_url=arguments.uniprot_url,
        hgnc_url=arguments.hgnc_url,
        patience=PATIENCE,
    )


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    if text == TODAY:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UserError(f"--refresh {text!r}: not a day; write YYYY-MM-DD") from None
