"""From tool answers to ledger items, with a model that answers as it is told."""

import asyncio
from typing import Any

from intogen_agent.config.roles import Role
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.evidence.wire import ToolSummary
from intogen_agent.llm.outcomes import Structured

PAYLOAD = "PMID:15355978 APC degrades beta-catenin in normal cells."


class Scripted:
    """Models that give the next summary."""

    def __init__(self, *quotes: str) -> None:
        self._quotes = list(quotes)
        self._asked = 0

    async def structured(self, role: Role, messages: Any, shape: Any) -> Structured[ToolSummary]:
        assert role is Role.SUMMARIZER and shape is ToolSummary
        self._asked += 1
        bullet = {
            "text": "APC degrades beta-catenin.",
            "citations": ["PMID:15355978"],
            "quote": self._quotes.pop(0),
            "kind": "function",
            "stance": "supports",
            "scope": "pan-cancer",
            "system": "cell line",
            "basis": "functional",
            "alteration": "none",
        }
        value = ToolSummary.model_validate({"bullets": [bullet]})
        return Structured(value, "", f"request {self._asked}")


def test_a_request_that_brought_nothing_is_remembered() -> None:
    models: Any = Scripted("APC degrades beta-catenin in normal cells.", "It is a great gene.")
    ledger = Ledger("F")
    task = {"gene": "APC", "cancer": None}
    summarizer = Summarizer(models, ReferenceManager(), ledger, "phase1", task, 1000)
    material = Material("gene_getter", "c1", PAYLOAD, PAYLOAD)
    first, second = asyncio.run(summarizer.summarize([material, material]))
    assert len(first) == 1 and second == []
    assert summarizer.fruitless == ["request 2"]
