"""Options that several commands share."""

import argparse
from pathlib import Path


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which run a command is about."""
    parser.add_argument(
        "results", nargs="?", type=Path, metavar="RESULTS", help="a run's results (results)"
    )
    add_configfile(parser)


def add_configfile(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the configuration of a run."""
    parser.add_argument(
        "--configfile",
        nargs="+",
        action="extend",
        default=[],
        type=Path,
        metavar="FILE",
        help="the run's configuration, merged over config/config.yaml",
    )
