"""The JSON Schemas in schemas/, made from the models: `python -m intogen_agent.schemas DIR`."""

import json
import sys
from pathlib import Path

from pydantic import BaseModel

from intogen_agent.config.settings import Settings
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.files import write_text
from intogen_agent.provenance.models import Provenance
from intogen_agent.report.models import FinalReport
from intogen_agent.review.models import CritiqueFile
from intogen_agent.summary.models import SummaryReport

MODELS: dict[str, type[BaseModel]] = {
    "config": Settings,
    "phase1": Phase1,
    "phase2": Phase2,
    "report": FinalReport,
    "critique": CritiqueFile,
    "summary": SummaryReport,
    "provenance": Provenance,
}


def schema_text(name: str) -> str:
    """Return the text of `schemas/<name>.schema.json`."""
    schema = MODELS[name].model_json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps({**head, **schema}, indent=1, ensure_ascii=False) + "\n"


def main(folder: Path) -> None:
    """Write all schemas."""
    for name in MODELS:
        write_text(folder / f"{name}.schema.json", schema_text(name))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
