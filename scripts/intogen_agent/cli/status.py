"""Say how far a run is, what failed and why, what it used so far, how fast it is and what is left.

Works while the run goes on, from any terminal or machine that sees its results. Nothing is
written. --stale lists the pairs that were made under another configuration (other models, prompts
or options) and prints the command that makes them anew; it needs the run's configuration.

    intogen-agent status
    intogen-agent status RUN/results
    intogen-agent status --stale --configfile my.yaml
"""

import argparse
import sys
from pathlib import Path

from intogen_agent.cli.options import add_run_arguments
from intogen_agent.delivery.scope import find_scope
from intogen_agent.delivery.status import stale, status
from intogen_agent.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_run_arguments(parser)
    parser.add_argument(
        "--stale", action="store_true", help="list results of another configuration"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the status.

    Raises:
        UserError: The run cannot be found, or --stale lacks the configuration.
    """
    folder = arguments.results or Path("results")
    if not arguments.configfile and not arguments.stale and _empty(folder):
        print(f"{folder}: empty, no run has begun here")
        return 0
    scope = find_scope(arguments.results, arguments.configfile)
    if arguments.stale:
        if not scope.fingerprints:
            raise UserError("--stale: name the run's configuration with --configfile")
        sys.stdout.write(stale(scope.results, scope.tasks, scope.fingerprints, scope.declared))
        return 0
    try:
        sys.stdout.write(status(scope.results, scope.tasks, wanted=scope.fingerprints))
    except PermissionError as error:
        raise UserError(
            f"{error.filename}: may not be read; ask its owner for leave, or name other results"
        ) from None
    return 0


def _empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())
