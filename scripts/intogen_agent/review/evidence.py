"""The evidence that a reviewed report rests on: that of both phases and what refinement added."""

from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from intogen_agent.errors import UserError
from intogen_agent.report.rules import Evidence, read_evidence
from intogen_agent.review.models import CritiqueFile


def reviewed_evidence(folder: Path) -> Evidence:
    """Read a pair's evidence, with what refinement added if `critique.json` has it.

    Raises:
        UserError: A file cannot be read or is no evidence file.
    """
    evidence = read_evidence(folder)
    path = folder / "critique.json"
    try:
        added = CritiqueFile.model_validate_json(path.read_bytes()).added
    except FileNotFoundError:
        return evidence
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise UserError(f"{path}: {place}: {first['msg']}; not a critique.json") from error
    return replace(evidence, phase2=added.to(evidence.phase2)) if added else evidence
