"""Running the report stage in this process: with models that follow a script, or over HTTP."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.samples import apc_task

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.errors import StageFailure
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Failed, Message, Structured
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.stage import run_report
from intogen_agent.report.wire import ReportDraft

TASK = apc_task(search_terms=("colorectal cancer", "colorectal adenocarcinoma"))


FUNCTIONS = (
    "Binds microtubules and actin filaments.",
    "Activates the guanine nucleotide exchange factors SPATA13 and ARHGEF4.",
    "Localises to the adherens junction.",
    "Is phosphorylated, among others by GSK3B.",
)


def gathered(phase1: dict[str, Any], phase2: dict[str, Any]) -> Evidence:
    """Return evidence as a run leaves it: phase 2 knows phase 1's references, too."""
    first, *_ = phase1["ledger"]
    more = [
        {**first, "id": f"F{number}", "statement": text, "quote": text}
        for number, text in enumerate(FUNCTIONS, start=3)
    ]
    both = [*phase1["references"], *phase2["references"]]
    return Evidence(
        Phase1.model_validate({**phase1, "ledger": [*phase1["ledger"], *more]}),
        Phase2.model_validate({**phase2, "references": both}),
    )


@dataclass
class Ended:
    """How the stage ended.

    Attributes:
        report: The report; None when the stage failed.
        failure: Why it failed.
        rejected: What lies in report.rejected.json.
        asked: Roles and conversations, of scripted models only.
        entries: What is on record.
    """

    report: FinalReport | None
    failure: StageFailure | None
    rejected: dict[str, Any] | None
    asked: list[tuple[Role, list[Message]]]
    entries: list[dict[str, Any]]


class ScriptedModels:
    """Gives answers in turn and keeps what it was asked; the last answer is given for ever."""

    def __init__(self, answers: Iterable[ReportDraft | Failed | Structured[ReportDraft]]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[Role, list[Message]]] = []

    async def structured(
        self, role: Role, messages: list[Message], shape: type[ReportDraft]
    ) -> Structured[ReportDraft] | Failed:
        assert shape is ReportDraft, "every attempt is asked for under the same schema"
        self.asked.append((role, deepcopy(messages)))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, ReportDraft):
            return Structured(answer, answer.model_dump_json(), f"request {len(self.asked)}")
        return answer


def settings_of(folder: Path, **options: Any) -> Settings:
    report = {"repair_first_wait": 0, **options.pop("report", {})}
    return Settings.model_validate({"results": str(folder), "report": report, **options})


def follow(
    folder: Path,
    evidence: Evidence,
    answers: Iterable[ReportDraft | Failed | Structured[ReportDraft]],
    **options: Any,
) -> Ended:
    """Run the stage with models that follow a script."""
    models = ScriptedModels(answers)
    ended = _run(folder, evidence, settings_of(folder, **options), models)
    ended.asked = models.asked
    return ended


def ask(folder: Path, evidence: Evidence, url: str, wire: str = "chat", **options: Any) -> Ended:
    """Run the stage with the models of a server."""
    capabilities = {"tools": "native", "structured": "json_schema"}
    provider = {"base_url": url, "api": wire, "capabilities": capabilities}
    llm = {
        "providers": {"offline": provider},
        "default": {"provider": "offline", "model": "offline-extractive-1"},
        "retry": {
            "attempts": 3,
            "first_wait": 0.001,
            "max_wait": 0.002,
            "request_timeout": 2.0,
            "call_deadline": 10.0,
        },
    }
    return _run(folder, evidence, settings_of(folder, llm=llm, **options), None)


def _run(folder: Path, evidence: Evidence, settings: Settings, models: Any) -> Ended:
    pair = folder / "APC" / "COADREAD"
    pair.mkdir(parents=True, exist_ok=True)
    job = Job(
        stage=Stage.REPORT,
        task=TASK,
        settings=settings,
        folder=pair,
        fingerprint="f" * 16,
        store=None,
        store_identity="",
        logs=folder / "logs",
    )

    async def main() -> Ended:
        with Journal(pair / "journal.jsonl") as journal:
            recorder = Recorder(journal, "report")
            asked = Models(settings, recorder, job.logs) if models is None else nullcontext(models)
            report, failure = None, None
            async with asked as speaking:
                try:
                    files = await run_report(Run(job, recorder, speaking), evidence)
                    report = FinalReport.model_validate(files[pair / "report.json"])
                except StageFailure as error:
                    failure = error
            return Ended(report, failure, None, [], recorder.used)

    ended = asyncio.run(main())
    rejected = pair / "report.rejected.json"
    if rejected.exists():
        ended.rejected = json.loads(rejected.read_text())
    assert not (pair / "report.json").exists(), "the stage writes nothing but the rejected draft"
    return ended
