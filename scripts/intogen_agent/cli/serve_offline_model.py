"""Serve the offline model's OpenAI-compatible endpoint.

The offline model is a deterministic extractive composer, not a language model: it re-arranges what
the evidence in a request says, and names itself `offline-extractive-1` in every answer. A request
for `offline-reasoning-1` is answered by the same rules under the constraints of a reasoning model.
Nothing leaves the machine. The address is printed on standard output; the server runs until it is
terminated.

  intogen-agent serve-offline-model --port 8091 --log requests.jsonl
  intogen-agent serve-offline-model --fault 429:2 --fault no-tools --fault empty:10%
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the address, the files and the faults."""
    from intogen_agent.offline import faults

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
        metavar="NAME[:N|:P%]",
        help="for tests of clients: spoil all requests that the fault applies to, the first N of "
        "them, or P percent; may be repeated",
    )
    parser.epilog = (
        "faults (number in the list of failures of docs/llm.md, name, requests: effect):\n"
        f"{faults.table()}"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until terminated."""
    from intogen_agent.offline import faults
    from intogen_agent.offline.server import serve

    wanted = faults.parse(arguments.fault)
    serve(arguments.host, arguments.port, wanted, arguments.log, arguments.port_file)
    return 0
