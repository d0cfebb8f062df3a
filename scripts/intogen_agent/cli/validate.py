"""Check a report against every rule.

Prints one JSON line per violation: rule, path, message. The file alone is enough; with --evidence
the ledger is asked too: do the items exist, do citations and numbers come from them, and does a
supported verdict rest on functional or clinical findings.

Exit code: 0 the report is valid, 1 it is not, 2 a file cannot be read.

Thresholds are the defaults, or those of --configfile.

    intogen-agent validate results/APC/COADREAD/report.json --evidence results/APC/COADREAD
"""

import argparse
import json
from pathlib import Path

from intogen_agent.config.load import load_settings, read_config
from intogen_agent.errors import UserError
from intogen_agent.report.rules import check_text
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.review.evidence import reviewed_evidence

# JSON leaves these as they are, but readers of lines end a line there.
_LINE_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="a FinalReport")
    parser.add_argument(
        "--evidence",
        type=Path,
        metavar="DIR",
        help="folder of the pair, with phase2.json in it and phase1.json beside it",
    )
    parser.add_argument(
        "--configfile", type=Path, metavar="FILE", help="configuration with other thresholds"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the violations.

    Raises:
        UserError: A file cannot be read.
    """
    try:
        raw = arguments.report.read_bytes()
    except OSError as error:
        raise UserError(
            f"{arguments.report}: cannot be read ({error.strerror}); name a report.json or "
            "reviewed.json"
        ) from error
    evidence = reviewed_evidence(arguments.evidence) if arguments.evidence else None
    limits = None
    if arguments.configfile:
        settings = load_settings(read_config(arguments.configfile), str(arguments.configfile))
        limits = Thresholds.from_settings(settings.report)
    found = check_text(raw, limits, evidence)
    for violation in found:
        print(json.dumps(violation._asdict(), ensure_ascii=False).translate(_LINE_ENDS))
    return 1 if found else 0
