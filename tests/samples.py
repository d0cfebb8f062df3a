"""Samples that many tests need: the task of APC, a summarizer's bullet, an item of the ledger."""

from typing import Any

from intogen_agent.cohort.tasks import Task

# A mechanism seen in patients of the task's cancer.
LABELS = {
    "kind": "mechanism",
    "stance": "supports",
    "scope": "target",
    "system": "patients",
    "basis": "functional",
    "alteration": "mutation",
}


def apc_task(**fields: Any) -> Task:
    """Return the task of APC in colorectal adenocarcinoma."""
    known: dict[str, Any] = {
        "gene": "APC",
        "cancer_type": "COADREAD",
        "cancer_name": "Colorectal Adenocarcinoma",
        "scheme": "oncotree",
        "search_terms": ("colorectal cancer",),
        "path": "APC/COADREAD",
        "task": "pair",
        "origin": "intogen",
        "statistics": None,
    }
    return Task(**{**known, **fields})


def summary_bullet(quote: str, *citations: str, **more: Any) -> dict[str, Any]:
    """Return a summarizer's bullet that says what it quotes."""
    return {"text": quote, "citations": [*citations], "quote": quote, **LABELS, **more}


def ledger_item(name: str, statement: str, *references: str, **more: Any) -> dict[str, Any]:
    """Return an item of the ledger; its quote is its statement."""
    own = {"id": name, "statement": statement, "quote": statement, "references": [*references]}
    return {**own, "call": "c1", **LABELS, **more}
