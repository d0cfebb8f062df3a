"""Print the tasks that driver tables make, as TSV.

TABLE is any of intOGen's driver tables (the pipeline's drivers.tsv or unfiltered_drivers.tsv,
Compendium_Cancer_Genes.tsv of the releases), a copy with other headers, or a two-column list of
genes and cancer types; TSV or CSV, plain or gzip. Dropped rows with reasons, unknown cancer type
codes and a summary go to standard error.

  intogen-agent cohort drivers.tsv
  intogen-agent cohort Compendium_Cancer_Genes.tsv --genes APC KRAS --no-pan-cancer
  intogen-agent cohort mine.csv --columns gene=Gene cancer_type=Tumour
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from intogen_agent.cohort.cancer_types import default_path, load_cancer_types
from intogen_agent.cohort.options import COLUMN_KEYS, CohortOptions
from intogen_agent.cohort.render import dropped_lines, task_table
from intogen_agent.cohort.tasks import Cohort, build_cohort
from intogen_agent.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("tables", nargs="+", type=Path, metavar="TABLE", help="a driver table")
    add_selection(parser)


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say which tasks tables make."""
    parser.add_argument(
        "--scheme",
        choices=("auto", "2020", "oncotree", "custom"),
        default="auto",
        help="the code scheme (default: auto, from the codes)",
    )
    parser.add_argument(
        "--no-pan-cancer",
        dest="pan_cancer",
        action="store_false",
        help="no pan-cancer task per gene",
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        default=[],
        metavar="KEY=HEADER",
        help=f"headers in your file; keys: {', '.join(COLUMN_KEYS)}",
    )
    parser.add_argument(
        "--cancer-types",
        type=Path,
        metavar="FILE",
        help="the known codes (default: config/cancer_types.tsv)",
    )
    parser.add_argument("--genes", nargs="+", default=[], metavar="GENE", help="only these genes")
    parser.add_argument(
        "--codes",
        nargs="+",
        default=[],
        metavar="CODE",
        help="only these cancer type codes (CANCER: the pan-cancer tasks)",
    )
    parser.add_argument(
        "--cohorts", nargs="+", default=[], metavar="COHORT", help="only rows of these cohorts"
    )
    parser.add_argument(
        "--list", type=Path, metavar="FILE", help="only the pairs of this two-column file"
    )


def run(args: argparse.Namespace) -> int:
    """Print the task table; everything about the input goes to standard error."""
    cohort = selected_cohort(args.tables, args)
    sys.stdout.write(task_table(cohort))
    for line in dropped_lines(cohort):
        print(f"dropped: {line}", file=sys.stderr)
    for note in cohort.notes:
        print(f"note: {note}", file=sys.stderr)
    print(_summary(cohort), file=sys.stderr)
    return 0


def selected_cohort(tables: Sequence[Path], args: argparse.Namespace) -> Cohort:
    """Return the cohort that tables and the options of `add_selection` make."""
    options = CohortOptions(
        scheme=args.scheme,
        pan_cancer=args.pan_cancer,
        select_genes=tuple(args.genes),
        select_cancer_types=tuple(args.codes),
        select_cohorts=tuple(args.cohorts),
        select_list=args.list,
        columns=dict(map(_column, args.columns)),
    )
    types = load_cancer_types(args.cancer_types or default_path())
    return build_cohort(tables, options, types)


def _column(text: str) -> tuple[str, str]:
    key, separator, header = text.partition("=")
    if not separator or not header:
        raise UserError(f"--columns {text!r}: write KEY=HEADER, for example gene=SYMBOL")
    return key, header


def _summary(cohort: Cohort) -> str:
    pan_cancer = sum(task.task == "pan-cancer" for task in cohort.tasks)
    return (
        f"{len(cohort.tasks) - pan_cancer} pairs and {pan_cancer} pan-cancer tasks, scheme"
        f" {cohort.scheme}, {len(cohort.dropped)} rows dropped"
    )
