"""(Re)build the tables and failures.tsv from whatever results exist.

Writes RESULTS/_run/partial/{reports,references,mechanisms}.tsv, _run/failures.tsv and
_run/retired.tsv (results of tasks that are no longer in the cohort). The tables of a finished run,
RESULTS/*.tsv, belong to the workflow and are left alone.

Without --configfile the run's own task table (_run/cohort.tsv) is enough; the column `current`
needs the configuration.

    intogen-agent collect
    intogen-agent collect RUN/results --configfile my.yaml
    intogen-agent collect --overview results
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from intogen_agent.cli.options import add_run_arguments
from intogen_agent.delivery.collect import collect, failures_path, partial_folder, retired_path
from intogen_agent.delivery.overview import overview
from intogen_agent.delivery.scope import find_scope
from intogen_agent.delivery.tables import Tables
from intogen_agent.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_run_arguments(parser)
    parser.add_argument(
        "--overview",
        action="store_true",
        help="write nothing; print what came out and which pages to open",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the tables and say where they are.

    Raises:
        UserError: The run cannot be found, or its folder of results cannot be written.
    """
    scope = find_scope(arguments.results, arguments.configfile)
    if arguments.overview:
        sys.stdout.write(overview(scope.results, scope.tasks))
        return 0
    try:
        tables = collect(scope.results, scope.cohort, scope.fingerprints)
    except OSError as error:
        raise UserError(
            f"{scope.results / '_run'}: cannot be written ({error.strerror}); --overview and "
            "`intogen-agent status` write nothing"
        ) from error
    for line in _report(scope.results, tables, len(scope.tasks)):
        print(line)
    return 0


def _report(results: Path, tables: Tables, tasks: int) -> Iterator[str]:
    states = Counter(row.status for row in tables.reports)
    counts = ", ".join(f"{count} {status}" for status, count in sorted(states.items()))
    folder = partial_folder(results)
    yield f"{folder / 'reports.tsv'}: {len(tables.reports)} of {tasks} pairs" + (
        f" ({counts})" if counts else ""
    )
    yield f"{folder / 'references.tsv'}: {len(tables.references)} references"
    yield f"{folder / 'mechanisms.tsv'}: {len(tables.mechanisms)} mechanisms"
    yield f"{failures_path(results)}: {len(tables.failures)} failures"
    gone = len(tables.retired)
    yield f"{retired_path(results)}: {gone} results of tasks that are no longer in the cohort"
