"""A task on its way from the Snakefile to a job: one scalar parameter of a rule.

Parameters decide what is made again, so a task's text holds its identity alone: intOGen's
statistics travel apart, to the rule that renders them.
"""

import json
from dataclasses import replace

from intogen_agent.cohort.tasks import Task
from intogen_agent.files import canonical_json


def scheme_of(task: Task) -> str:
    """Return a task's code scheme; CANCER means the same in every scheme."""
    return "any" if task.task == "pan-cancer" else task.scheme


def task_text(task: Task) -> str:
    """Return a task without its statistics as canonical JSON.

    A gene's pan-cancer task is the same in every code scheme, so a new release does not re-run it.
    """
    return canonical_json(
        {
            "gene": task.gene,
            "cancer_type": task.cancer_type,
            "cancer_name": task.cancer_name,
            "scheme": scheme_of(task),
            "search_terms": list(task.search_terms),
            "path": task.path,
            "task": task.task,
        }
    )


def read_task(text: str) -> Task:
    """Return the task of a `task_text`."""
    value = json.loads(text)
    terms = tuple(value.pop("search_terms"))
    return Task(**value, search_terms=terms, origin="", statistics=None)


def gene_text(task: Task) -> str:
    """Return the text of a gene's phase 1; it is the same for all cancers of the gene."""
    gene = replace(
        task, cancer_type="", cancer_name="", scheme="", search_terms=(), path=task.gene_path
    )
    return task_text(replace(gene, task="pair"))


def statistics_text(task: Task) -> str:
    """Return where a task comes from and intOGen's statistics of it, as canonical JSON."""
    found = task.statistics
    statistics = found and {
        "cohorts": list(found.cohorts),
        "methods": list(found.methods),
        "qvalue_min": found.qvalue_min,
        "mutated_samples": found.mutated_samples,
        "role": found.role or None,
        "role_votes": dict(found.role_votes),
    }
    return canonical_json({"origin": task.origin, "statistics": statistics})
