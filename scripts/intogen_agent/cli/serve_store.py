"""Serve a local evidence store over MCP.

The server speaks over standard input and output, as an MCP client expects of the command it
starts; it ends when its standard input is closed. Its tools are gene_getter, search_by_gene,
article_searcher and article_getter.
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--store", type=Path, required=True, metavar="FILE", help="the store")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="append one JSON line per request to this file"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until standard input is closed."""
    from intogen_agent.store.reader import Reader

    # Before the slow import of mcp: a wrong path is told at once.
    Reader(arguments.store).close()
    from intogen_agent.store.server import serve

    serve(arguments.store, arguments.log)
    return 0
