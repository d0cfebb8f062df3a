"""The command line `intogen-agent`: one module per command.

A command module has a docstring (its help), `add_arguments(parser)` and `run(arguments) -> int`.
Modules are imported only when their command is asked for, so that none pays for another.
"""

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from intogen_agent import __version__
from intogen_agent.errors import UserError

COMMANDS = {
    "cohort": "print the task table of driver tables",
    "references": "print the references found in raw tool payloads",
    "validate": "check a report against every rule",
    "render": "print a report as Markdown",
    "check": "check before a run that everything it needs is there",
    "collect": "(re)build the tables from whatever results exist",
    "status": "say what is done, failed and why, and what it cost so far",
    "store": "fetch, build or search a local evidence store",
    "serve-store": "serve a local evidence store over MCP (stdio)",
    "serve-offline-model": "serve the offline model's OpenAI-compatible endpoint",
}


def _module_name(command: str) -> str:
    return f"{__name__}.{command.replace('-', '_')}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit code: 0 fine, 1 the command's own negative answer, 2 bad input (one line on
        standard error).
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _Parser(prog="intogen-agent", description="")
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    for name, line in COMMANDS.items():
        command = commands.add_parser(name, help=line, formatter_class=_HelpFormatter)
        if name == wanted:
            module = importlib.import_module(_module_name(name))
            command.description = module.__doc__
            module.add_arguments(command)
    options = parser.parse_args(arguments)
    try:
        module = importlib.import_module(_module_name(options.command))
        code: int = module.run(options)
        sys.stdout.flush()
    except UserError as error:
        if options.debug:
            traceback.print_exc()
        print(f"ERROR: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line; sub-commands inherit it."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with 2."""
        print(f"ERROR: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Keep the paragraphs of a command's docstring."""
