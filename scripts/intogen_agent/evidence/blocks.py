"""What of a task and its evidence models see, as the blocks of their prompts hold it."""

from typing import Any

from intogen_agent.evidence.models import EvidenceItem, Hypothesis, Phase1
from intogen_agent.jobs import Job
from intogen_agent.models import GeneIdentity

# The name of the root of the tree ("Any Cancer Type") is no name of a cancer: nothing that is
# searched for or written goes by it.
ANY_CANCER = "cancer of any type"


def task_block(job: Job, gene: GeneIdentity) -> dict[str, Any]:
    """Return the task as models see it; intOGen's statistics are not part of it."""
    pan_cancer = job.cancer.pan_cancer
    return {
        "gene": gene.symbol,
        "name": gene.name,
        "aliases": gene.aliases,
        "cancer": {
            "code": job.task.cancer_type,
            "name": ANY_CANCER if pan_cancer else job.task.cancer_name,
            "terms": list(job.task.search_terms),
            "pan_cancer": pan_cancer,
        },
    }


def function_block(phase1: Phase1) -> list[dict[str, Any]]:
    """Return the functional context of phase 1 as models see it."""
    return [
        {"id": item.id, "statement": item.statement, "references": item.references}
        for item in phase1.ledger
    ]


def hypotheses_block(hypotheses: list[Hypothesis]) -> list[dict[str, Any]]:
    """Return hypotheses as the investigator sees them: nothing of their fate."""
    fields = {"id", "statement", "chain", "alteration", "expected_studies", "keywords"}
    return [hypothesis.model_dump(mode="json", include=fields) for hypothesis in hypotheses]


def ledger_block(ledger: list[EvidenceItem]) -> list[dict[str, Any]]:
    """Return ledger items as models see them."""
    shown = []
    for item in ledger:
        hidden = {"call", "scope_stated"} | ({"cancers"} if not item.cancers else set())
        shown.append(item.model_dump(mode="json", exclude=hidden))
    return shown
