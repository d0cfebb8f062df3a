"""Print a report as Markdown.

The file alone is rendered: intOGen's statistics and conflicting evidence, which report.md of a run
also shows, are in other files.

    intogen-agent render results/APC/COADREAD/report.json | less
"""

import argparse
import sys
from pathlib import Path

from pydantic import ValidationError

from intogen_agent.errors import UserError
from intogen_agent.report.markdown import report_markdown
from intogen_agent.report.models import FinalReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="a FinalReport")


def run(arguments: argparse.Namespace) -> int:
    """Print the Markdown.

    Raises:
        UserError: The file cannot be read or is no report.
    """
    path: Path = arguments.report
    try:
        report = FinalReport.model_validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); name a report.json or reviewed.json"
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise UserError(
            f"{path}: {place}: {first['msg']}; `intogen-agent validate {path}` lists every problem"
        ) from error
    sys.stdout.write(report_markdown(report))
    return 0
