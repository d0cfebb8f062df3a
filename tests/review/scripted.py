"""The critique stage against the offline model's server whose answers a test scripts."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.asgi_thread import served
from tests.review import pair
from tests.samples import apc_task

from intogen_agent.config.settings import Settings
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.models import Models
from intogen_agent.models import Stage
from intogen_agent.offline import composer
from intogen_agent.offline.conversation import Conversation
from intogen_agent.offline.server import Application
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder
from intogen_agent.report.assemble import to_draft
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.review.stage import run_critique

KNOWN = {"tools": "native", "structured": "json_schema"}
Written = str | dict[str, Any] | Callable[[Conversation], dict[str, Any]]
Calls = list[tuple[str, dict[str, Any]]]


@dataclass
class Script:
    """What the server answers, by the name of the schema that is asked for; the last one stays.

    Attributes:
        turns: Tool calls of each turn of a conversation with tools; then a text.
        seen: The requests, in order, with the schema's name (`tools` for a turn with tools).
    """

    answers: dict[str, list[Written]]
    turns: list[Calls] = field(default_factory=list)
    seen: list[tuple[str, Conversation]] = field(default_factory=list)

    def asked(self, name: str) -> list[Conversation]:
        return [talk for schema, talk in self.seen if schema == name]

    def structured(self, talk: Conversation, name: str, schema: Mapping[str, Any]) -> str:
        self.seen.append((name, talk))
        known = self.answers.get(name)
        if not known:
            raise AssertionError(f"nobody scripted an answer for {name}")
        written = known.pop(0) if len(known) > 1 else known[0]
        value = written(talk) if callable(written) else written
        return value if isinstance(value, str) else json.dumps(value)

    def calls(self, talk: Conversation, *_: object) -> Calls:
        self.seen.append(("tools", talk))
        return self.turns.pop(0) if self.turns else []


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """Serve the script until the block ends; give the address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composer, "_structured", script.structured)
        patch.setattr(composer.tools, "next_calls", script.calls)
        patch.setattr(composer.tools, "closing", lambda _: "Done.")
        with served(Application()) as port:
            yield f"http://127.0.0.1:{port}/v1"


@dataclass
class Ran:
    """What a run of the stage left behind."""

    critique: dict[str, Any]
    reviewed: dict[str, Any]
    script: Script
    entries: list[dict[str, Any]]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.critique["iterations"]
        return found

    @property
    def report(self) -> FinalReport:
        return FinalReport.model_validate(self.reviewed)


def review(
    folder: Path,
    script: Script,
    data: dict[str, Any] | None = None,
    evidence: Evidence | None = None,
    store: Path | None = None,
    **options: Any,
) -> Ran:
    """Run the critique stage on the pair's report.

    Args:
        folder: Where the run's files go.
        script: What the models answer.
        data: The report; the pair's valid one where none is given.
        evidence: Its evidence; the pair's where none is given.
        store: The store whose server answers the tools; without one, starting a server fails.
        options: Options of the review.
    """
    with serving(script) as url:
        settings = Settings.model_validate(
            {
                "results": str(folder / "results"),
                "llm": {
                    "providers": {"here": {"base_url": url, "api": "chat", "capabilities": KNOWN}},
                    "default": {"provider": "here", "model": "offline-extractive-1"},
                    "retry": {"attempts": 2, "first_wait": 0.001, "max_wait": 0.002},
                    "min_prompt_share": 0,
                },
                "report": {"repairs": 1, "repair_first_wait": 0, "repair_max_wait": 0},
                "review": options,
                **({} if store else {"mcp": {"servers": {"store": {"command": ["false"]}}}}),
            }
        )
        return asyncio.run(_stage(folder, script, settings, data, evidence, store))


async def _stage(
    folder: Path,
    script: Script,
    settings: Settings,
    data: dict[str, Any] | None,
    evidence: Evidence | None,
    store: Path | None,
) -> Ran:
    task = apc_task(search_terms=pair.TERMS)
    own = folder / "results" / "APC" / "COADREAD"
    job = Job(Stage.CRITIQUE, task, settings, own, "c" * 16, store, "", folder / "logs")
    with Journal(own / ".journal" / "critique.jsonl") as journal:
        recorder = Recorder(journal, Stage.CRITIQUE.value)
        async with Models(settings, recorder, folder / "logs") as models:
            files = await run_critique(
                Run(job, recorder, models),
                evidence or pair.evidence(),
                pair.parsed(data or pair.report()),
            )
    return Ran(
        files[own / "critique.json"], files[own / "reviewed.json"], script, list(recorder.used)
    )


def issue(severity: str = "high", **more: Any) -> dict[str, Any]:
    return {
        "section": "assessment",
        "severity": severity,
        "outside_evidence": False,
        "needs_new_evidence": False,
        "why": "The rationale hides what is contested.",
        "recommended_action": "Say that it is contested.",
        "suggested_identifiers": [],
        **more,
    }


def critique(*issues: dict[str, Any], accept: bool | None = None, **more: Any) -> dict[str, Any]:
    return {
        "overall_accept": not issues if accept is None else accept,
        "overall_score": 0.5,
        "gene_function_score": 0.9,
        "mechanistic_hypothesis_score": None,
        "assessment_alignment_score": 0.4,
        "summary": "Read.",
        "issues": list(issues),
        **more,
    }


def answers(**decisions: str) -> list[dict[str, str]]:
    """Return answers: `answers(I1="accepted: Said so.", I2="rejected: ...")`."""
    found = []
    for name, text in decisions.items():
        decision, _, why = text.partition(":")
        found.append({"issue": name, "decision": decision, "explanation": why.strip()})
    return found


def draft(data: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a report as the refiner writes it."""
    return to_draft(pair.parsed(data or pair.report())).model_dump(mode="json")


def refined(given: list[dict[str, str]], data: dict[str, Any]) -> dict[str, Any]:
    return {"answers": given, "report": data}


def contested() -> dict[str, Any]:
    """Return the pair's report with one statement more."""
    written = draft()
    written["rationale"].append(
        {
            "text": f"It is contested how often: {pair.SELDOM}",
            "citations": ["PMID:12093899"],
            "evidence": ["E4"],
        }
    )
    return written


def scripted(**given: Any) -> Script:
    """Return a script: a list of answers by schema; `turns` for conversations with tools."""
    turns = given.pop("turns", [])
    known: dict[str, list[Any]] = defaultdict(list)
    for name, written in given.items():
        known[name] = list(written)
    return Script(dict(known), turns)
