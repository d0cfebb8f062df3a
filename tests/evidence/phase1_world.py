"""Phase 1 with a model that follows a script and tools that answer what a test says."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.samples import summary_bullet
from tests.scripted_toolbox import ScriptedToolbox
from uniprot_shapes import MOUSE, Made, search

from intogen_agent.cohort.tasks import Task
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.evidence import phase1
from intogen_agent.evidence.models import Phase1
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.outcomes import Answer, Message, Outcome, Structured, ToolCall, ToolCalls
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

GENE, PROTEIN = LogicalTool.GENE_RECORD.value, LogicalTool.PROTEIN_RECORD.value
Step = tuple[str, dict[str, Any] | None] | list[tuple[str, dict[str, Any]]] | str
Answers = Callable[[str, dict[str, Any]], ToolAnswer]


def content(text: str) -> ToolAnswer:
    return ToolAnswer("content", text)


def empty() -> ToolAnswer:
    return ToolAnswer("empty", "No protein record found")


def down() -> ToolAnswer:
    return ToolAnswer("failed", "", "timeout: no answer within 60 s")


def gene_record(symbol: str = "APC", **fields: Any) -> str:
    """Return a gene record in biomcp-cli's JSON."""
    known = {"symbol": symbol, "name": f"the gene {symbol}", "summary": f"{symbol} restrains WNT."}
    return json.dumps({**known, **fields})


class ScriptedModels:
    """Makes the calls of a script; its summaries quote every statement whole."""

    def __init__(self, script: list[Step], tools: ScriptedToolbox) -> None:
        self._script = iter(script)
        self._tools = tools
        self.messages: list[Message] = []
        self.offers: list[list[str]] = []

    async def chat(
        self, role: Role, messages: list[Message], tools: list[dict[str, Any]]
    ) -> Outcome:
        assert role is Role.GENE_INVESTIGATOR
        self.messages = messages
        self.offers.append([tool["function"]["name"] for tool in tools])
        step = next(self._script)
        if isinstance(step, str):
            return Answer(step, {"role": "assistant", "content": step}, f"request{len(messages)}")
        steps = step if isinstance(step, list) else [step]
        calls = [
            ToolCall(f"t{len(messages)}_{number}", name, arguments, None if arguments else "broken")
            for number, (name, arguments) in enumerate(steps)
        ]
        return ToolCalls(calls, {"role": "assistant", "content": None})

    async def structured(self, role: Role, messages: list[Message], shape: Any) -> Structured[Any]:
        text = next(m["content"] for m in reversed(messages) if "<payload" in m["content"])
        payload = text[text.index("<payload") : text.index("</payload>")].partition("\n")[2]
        value = {"bullets": [bullet(quote) for quote in _quotes(payload)]}
        return Structured(shape.model_validate(value), json.dumps(value))

    def answers(self) -> list[dict[str, Any]]:
        """Return what the model was told of its calls."""
        told = (message for message in self.messages if message["role"] == "tool")
        return [json.loads(message["content"]) for message in told]


def _quotes(payload: str) -> list[str]:
    if payload.startswith("# Record"):
        return [line[6:] for line in payload.splitlines() if line.startswith("Name: ")]
    records = json.loads(payload)
    if isinstance(records, dict):
        return [records["summary"]]
    lists = (value for record in records[1:] for value in record.values())
    return [text for value in lists if isinstance(value, list) for text in value]


def bullet(quote: str) -> dict[str, Any]:
    labels = {"kind": "function", "stance": "neutral", "scope": "other", "system": "not stated"}
    return summary_bullet(quote, **labels, basis="review", alteration="none")


class World:
    """One run of phase 1."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._monkeypatch = monkeypatch
        self._folder = folder
        self.tools: ScriptedToolbox
        self.models: ScriptedModels

    def run(
        self,
        script: list[Step],
        answers: Answers,
        symbol: str = "APC",
        evidence: Mapping[str, Any] | None = None,
    ) -> Phase1:
        self.tools = ScriptedToolbox(answers)
        self.models = ScriptedModels(script, self.tools)
        self._monkeypatch.setattr(phase1, "Toolbox", lambda *_, **__: self.tools)
        task = Task(
            symbol,
            "COADREAD",
            "Colorectal",
            "oncotree",
            (),
            f"{symbol}/COADREAD",
            "pair",
            "intogen",
            None,
        )
        job = Job(
            stage=Stage.PHASE1,
            task=task,
            settings=Settings.model_validate({"evidence": evidence or {}}),
            folder=self._folder,
            fingerprint="f" * 16,
            store=None,
            store_identity="",
            logs=self._folder,
        )
        models: Any = self.models
        with Journal(self._folder / "journal.jsonl") as journal:
            files = asyncio.run(phase1.run_phase1(Run(job, Recorder(journal, "phase1"), models)))
        return Phase1.model_validate(files[self._folder / "phase1.json"])


APC = Made(
    synonyms=["DP3"],
    texts=[
        ("FUNCTION", "", "Degrades CTNNB1 (PubMed:9065401)", ["9065401"]),
        ("PTM", "", "Phosphorylated by GSK3B", ["11"]),
    ],
    isoforms=["Long", "1A"],
    hgnc="HGNC:583",
    entrez="324",
    ensembl=["ENSG00000134982"],
)
MICE = Made(
    "Apc",
    organism=MOUSE,
    accession="Q61315",
    texts=[("FUNCTION", "", "Degrades Ctnnb1", ["22"]), ("PTM", "", "Cleaved", [])],
)
HUMAN_CALL: Step = (PROTEIN, {"gene": "APC", "organism": "human"})
MOUSE_CALL: Step = (PROTEIN, {"gene": "APC", "organism": "mouse"})
GENE_CALL: Step = (GENE, {"gene": "APC"})


def answering(protein: Any = None, gene: Any = None) -> Any:
    """Answer each tool: with a text, an answer, or the answers in turn."""
    turns = {
        GENE: iter(gene) if isinstance(gene, list) else None,
        PROTEIN: iter(protein) if isinstance(protein, list) else None,
    }
    fixed = {GENE: gene or gene_record(), PROTEIN: protein or search(APC)}

    def answer(tool: str, arguments: dict[str, Any]) -> ToolAnswer:
        turn = turns[tool]
        value = next(turn) if turn else fixed[tool]
        return content(value) if isinstance(value, str) else value

    return answer
