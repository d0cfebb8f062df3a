"""Phase 1 against the store's own server: what is kept for audit and debugging."""

import asyncio
from pathlib import Path
from typing import Any

from phase1_world import GENE, PROTEIN, ScriptedModels, ScriptedToolbox

from intogen_agent.cohort.tasks import Task
from intogen_agent.config.settings import Settings
from intogen_agent.evidence.models import Phase1
from intogen_agent.evidence.phase1 import run_phase1
from intogen_agent.jobs import Job, Run
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder
from intogen_agent.store.build import build_store


def nobody(tool: str, arguments: dict[str, Any]) -> ToolAnswer:
    raise AssertionError(tool)


def test_all_raw_payloads_are_persisted_with_timestamps_and_tool_arguments(
    root: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store.sqlite"
    config = root / "config"
    build_store(config / "demo" / "evidence", store, config / "cancer_types.tsv")
    task = Task(
        gene="EGFR",
        cancer_type="LUAD",
        cancer_name="Lung adenocarcinoma",
        scheme="oncotree",
        search_terms=(),
        path="EGFR/LUAD",
        task="pair",
        origin="intogen",
        statistics=None,
    )
    job = Job(Stage.PHASE1, task, Settings(), tmp_path, "f" * 16, store, "demo", tmp_path)
    calls = [(GENE, {"gene": "EGFR"}), (PROTEIN, {"gene": "EGFR", "organism": "human"})]
    models: Any = ScriptedModels([*calls], ScriptedToolbox(nobody))
    with Journal(tmp_path / "journal.jsonl") as journal:
        files = asyncio.run(run_phase1(Run(job, Recorder(journal, "phase1"), models)))
    phase1 = Phase1.model_validate(files[tmp_path / "phase1.json"])
    assert phase1.protein is not None and phase1.protein.accession == "P00533"
    with Journal(tmp_path / "journal.jsonl") as journal:
        kept = {entry["id"]: entry for entry in journal.entries if entry.get("kind") == "tool"}
    assert len(kept) == 2
    for call in phase1.calls:
        entry = kept[call.id]
        assert entry["request"]["arguments"] == call.arguments and entry["started"] == call.started
    assert kept["c1"]["response"]["text"].startswith("# Record 1")
    assert '"primaryAccession": "P00533"' in kept["c2"]["response"]["text"]
    # From a statement a reader gets to its quote, and from there to the raw answer.
    quotes = {item.quote for item in phase1.ledger if item.call == "c2"}
    raw = kept["c2"]["response"]["text"]
    assert quotes and all(quote.split(" (")[0].rstrip(".") in raw for quote in quotes)
