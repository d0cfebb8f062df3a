"""Serve the offline model's OpenAI-compatible endpoint.

The offline model is a deterministic extractive composer, not a language model: it re-arranges what
the evidence in a request says, and names itself `offline-extractive-1` in every answer. Nothing
leaves the machine. The address is printed on standard output; the server runs until it is
terminated.

  intogen-agent serve-offline-model --port 8091 --log requests.jsonl
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the address, the files and the faults."""
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="default: %(default)s"
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="default: a free one, see --port-file"
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a JSON line per request")
    parser.add_argument("--port-file", type=Path, metavar="FILE", help="write the port to FILE")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND[:N]",
        help="for tests: the first N requests get HTTP 429 (429), cut-off answers (truncated) or "
        "broken JSON (bad-json); may be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until terminated."""
    from intogen_agent.offline import faults
    from intogen_agent.offline.server import serve

    wanted = faults.parse(arguments.fault)
    serve(arguments.host, arguments.port, wanted, arguments.log, arguments.port_file)
    return 0
