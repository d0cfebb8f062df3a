"""`failure.json`: what a failed stage leaves beside the results until it starts anew."""

import json
from pathlib import Path

from intogen_agent.cohort.tasks import Task
from intogen_agent.errors import ErrorClass
from intogen_agent.files import write_json
from intogen_agent.models import Stage

FAILURE = "failure.json"


def write_failure(
    folder: Path, task: Task, stage: Stage, error: ErrorClass, message: str, fingerprint: str
) -> None:
    """Write a stage's failure into the folder of its outputs.

    Args:
        folder: The folder.
        task: The task; of a gene in phase 1.
        stage: The stage.
        error: Why it failed.
        message: One line for people.
        fingerprint: The stage's fingerprint.
    """
    record = {
        "gene": task.gene,
        "cancer_type": None if stage is Stage.PHASE1 else task.cancer_type,
        "stage": stage.value,
        "error": error.value,
        "message": message,
        "fingerprint": fingerprint,
    }
    write_json(folder / FAILURE, record)


def clear_failure(folder: Path, stage: Stage) -> None:
    """Remove the record of a failure that a stage's new start or success has overtaken.

    A later stage's failure is overtaken too: it will be made again on new input.
    """
    path = folder / FAILURE
    try:
        failed = json.loads(path.read_text(encoding="utf-8"))["stage"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError):
        failed = stage.value
    order = [each.value for each in Stage]
    if failed not in order or order.index(failed) >= order.index(stage.value):
        path.unlink(missing_ok=True)
