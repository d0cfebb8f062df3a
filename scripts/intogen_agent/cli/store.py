"""Fetch, build or search a local evidence store.

A store is one SQLite file with genes, proteins and articles. It is built once, from record files
or from what was fetched for a cohort, and never changed; `serve-store` serves it to the workflow.

  intogen-agent store fetch --cohort drivers.tsv --email you@example.org
  intogen-agent store build records/ store.sqlite --as-of 2026-01-31
  intogen-agent store search store.sqlite --gene APC --disease "colorectal cancer"
"""

import argparse
import sys
from pathlib import Path

import intogen_agent
from intogen_agent.errors import UserError

_CANCER_TYPES = Path(intogen_agent.__file__).resolve().parents[2] / "config" / "cancer_types.tsv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    from intogen_agent.cli import store_fetch

    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    fetch = commands.add_parser(
        "fetch",
        help="fetch what a cohort needs from PubMed, UniProt and HGNC, and build its store",
        description=store_fetch.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    store_fetch.add_arguments(fetch)
    build = commands.add_parser("build", help="build a store from record files")
    build.add_argument(
        "records",
        type=Path,
        metavar="RECORDS_DIR",
        help="the folder of genes.jsonl, proteins.jsonl and articles.jsonl",
    )
    build.add_argument("output", type=Path, metavar="OUTPUT", help="the new file")
    build.add_argument(
        "--cancer-types",
        type=Path,
        metavar="FILE",
        default=_CANCER_TYPES,
        help="the table of search terms (default: config/cancer_types.tsv)",
    )
    build.add_argument(
        "--as-of", metavar="DATE", help="the day (YYYY-MM-DD) that the records stand for"
    )
    search = commands.add_parser("search", help="search a store's articles; prints TSV")
    search.add_argument("store", type=Path, metavar="STORE")
    for option in ("gene", "disease", "keyword"):
        search.add_argument(
            f"--{option}", action="append", default=[], metavar="TEXT", help="may be repeated"
        )
    search.add_argument("--limit", type=int, default=10, metavar="N", help="default: 10")


def run(arguments: argparse.Namespace) -> int:
    """Fetch, build or search."""
    if arguments.action == "fetch":
        from intogen_agent.cli import store_fetch

        return store_fetch.run(arguments)
    return _build(arguments) if arguments.action == "build" else _search(arguments)


def _build(arguments: argparse.Namespace) -> int:
    from intogen_agent.store.build import build_store

    result = build_store(
        arguments.records, arguments.output, arguments.cancer_types, as_of=arguments.as_of
    )
    counts = ", ".join(f"{key} {value}" for key, value in result.counts.items())
    verb = "built" if result.created else "was there already, with the same content"
    print(f"{result.path}: {verb}; records {result.digest}; {counts}", file=sys.stderr)
    return 0


def _search(arguments: argparse.Namespace) -> int:
    from intogen_agent.store.search import Store

    if arguments.limit < 1:
        raise UserError(f"--limit {arguments.limit}: must be at least 1")
    with Store(arguments.store) as store:
        if store.gaps:
            print(
                f"note: {store.gaps:,} questions were not answered when this store was made; what "
                "is not found may be unknown",
                file=sys.stderr,
            )
        hits = store.articles(arguments.gene, arguments.disease, arguments.keyword, arguments.limit)
    print("pmid", "year", "journal", "title", "score", sep="\t")
    for hit in hits:
        article = hit.article
        cells = (article.pmid, article.year or "", article.journal or "", article.title or "")
        print(*cells, f"{hit.score:g}", sep="\t")
    return 0
