"""Phase 2 with models and tools that follow a script."""

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tasks import terms
from tests.scripted_toolbox import Arguments, ScriptedToolbox

from intogen_agent.cohort.tasks import Task
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.evidence import phase2
from intogen_agent.evidence.models import EvidenceItem, Phase1, Phase2
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.outcomes import Answer, Outcome, Structured, ToolCall, ToolCalls
from intogen_agent.mcp.answers import FailureKind, ToolAnswer, failure
from intogen_agent.models import GeneIdentity, Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Performed, Recorder

EMPTY = ToolAnswer("empty", "No articles found for this.")
DOWN = failure(FailureKind.UPSTREAM, "HTTP 503")
CLOSE = Answer("Done.", {"role": "assistant", "content": "Done."})
NAMES = {
    "LUAD": "Lung Adenocarcinoma", "COADREAD": "Colorectal Adenocarcinoma",
    "CANCER": "Any Cancer Type",
}  # fmt: skip


def article(pmid: int, sentence: str) -> ToolAnswer:
    """Return an answer with one article whose abstract is one sentence."""
    text = f"# Record 1\nPmid: {pmid}\nTitle: A study\nAbstract:\n  {sentence}\n"
    return ToolAnswer("content", text)


def search(*keywords: str, **more: Any) -> tuple[str, Arguments]:
    """Return a search for KEAP1 in lung adenocarcinoma."""
    arguments = {"genes": ["KEAP1"], "diseases": ["lung adenocarcinoma"], "keywords": [*keywords]}
    return "article_search", {**arguments, **more}


def fetch(pmid: str) -> tuple[str, Arguments]:
    return "article_fetch", {"pmid": pmid}


def turn(*calls: tuple[str, Arguments | None]) -> ToolCalls:
    """Return a turn of a model with some calls."""
    made = [
        ToolCall(f"t{id(calls)}-{number}", name, arguments, None if arguments else "no JSON")
        for number, (name, arguments) in enumerate(calls)
    ]
    written = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": "{}"}}
        for c in made
    ]
    return ToolCalls(made, {"role": "assistant", "content": None, "tool_calls": written})


def planned(number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": f"H{number}",
        "statement": f"Loss of KEAP1 acts in way {number}.",
        "cause": "loss of KEAP1",
        "mediator": f"NRF2 {number}",
        "outcome": "proliferation",
        "alteration": "mutation",
        "expected_studies": ["a survey of truncating mutations in patients"],
        "keywords": ["loss of function", "NRF2"],
        **more,
    }


def verdict(fate: str, *evidence: str, number: int = 1) -> dict[str, Any]:
    links = {"cause": "KEAP1 loss", "mediator": "NFE2L2", "outcome": "growth"}
    return {"id": f"H{number}", "fate": fate, **links, "evidence": [*evidence], "note": "So it is."}


class Models:
    """Follows a script; every request is kept."""

    def __init__(
        self, recorder: Recorder, plans: Iterable[list[dict[str, Any]]], turns: Iterable[Outcome],
        verdicts: list[dict[str, Any]], bullets: list[dict[str, Any]], usage: int,
    ) -> None:  # fmt: skip
        self.recorder = recorder
        self.asked: list[tuple[Role, list[dict[str, Any]]]] = []
        self.offers: list[Any] = []
        self._plans, self._turns = iter(plans), iter(turns)
        self._verdicts, self._bullets, self._usage = verdicts, bullets, usage

    async def chat(self, role: Role, messages: list[Any], tools: Any = None) -> Outcome:
        self.asked.append((role, list(messages)))
        self.offers = tools
        request = {"role": role.value, "messages": list(messages), "tools": tools}
        meta = {"gen_ai.usage.input_tokens": self._usage, "gen_ai.usage.output_tokens": 0}

        async def answer(_: str) -> Performed:
            return Performed({}, True, meta if self._usage else {})

        await self.recorder.call("llm", request, answer)
        return next(self._turns, CLOSE)

    async def structured(self, role: Role, messages: list[Any], shape: Any) -> Structured[Any]:
        self.asked.append((role, list(messages)))
        value: dict[str, Any]
        if role is Role.SUMMARIZER:
            text = messages[-1]["content"]
            value = {"bullets": [one for one in self._bullets if one["quote"] in text]}
        elif role is Role.HYPOTHESIS_PLANNER:
            value = {"hypotheses": next(self._plans, [])}
        else:
            value = {"verdicts": self._verdicts}
        return Structured(shape.model_validate(value), json.dumps(value), "request")

    def told(self) -> list[dict[str, Any]]:
        """Return what the investigator was told of its calls, in order."""
        talks = [m for role, m in self.asked if role is Role.MECHANISM_INVESTIGATOR]
        longest = max(talks, key=len)
        return [json.loads(m["content"]) for m in longest if m["role"] == "tool"]


class World:
    """One run of phase 2."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self._patch = folder, patch
        self.toolbox = ScriptedToolbox(lambda *_: EMPTY)
        self.models: Models | None = None

    def run(
        self,
        *turns: Outcome,
        answer: Callable[[str, Arguments], ToolAnswer] | ToolAnswer = EMPTY,
        plans: Iterable[list[dict[str, Any]]] = (),
        verdicts: list[dict[str, Any]] | None = None,
        bullets: list[dict[str, Any]] | None = None,
        gene: GeneIdentity | None = None,
        code: str = "LUAD",
        usage: int = 0,
        trials: bool = False,
        **limits: Any,
    ) -> Phase2:
        """Run phase 2; the model closes the search after the scripted turns."""
        fixed = answer if isinstance(answer, ToolAnswer) else None
        self.toolbox = ScriptedToolbox(answer if fixed is None else lambda *_: fixed, trials)
        self._patch.setattr(phase2, "Toolbox", lambda *_, **__: self.toolbox)
        settings = Settings.model_validate({"results": self.folder, "evidence": limits})
        gene = gene or GeneIdentity(symbol="KEAP1", aliases=["INrf2", "KLHL19"])
        job = Job(
            stage=Stage.PHASE2,
            task=_task(gene.symbol, code),
            settings=settings,
            folder=self.folder,
            fingerprint="f" * 16,
            store=None,
            store_identity="",
            logs=self.folder / "logs",
        )
        with Journal(self.folder / f"journal-{len(list(self.folder.iterdir()))}.jsonl") as journal:
            recorder = Recorder(journal, "phase2")
            plans = [*plans] or [[planned()]]
            self.models = Models(recorder, plans, turns, verdicts or [], bullets or [], usage)
            models: Any = self.models
            made = phase2.run_phase2(Run(job, recorder, models), _phase1(job, gene))
            [file] = asyncio.run(_awaited(made)).values()
        return Phase2.model_validate(file)


async def _awaited(made: Any) -> Any:
    return await made


def _task(gene: str, code: str) -> Task:
    pan_cancer = code == "CANCER"
    return Task(
        gene=gene,
        cancer_type=code,
        cancer_name=NAMES[code],
        scheme="any" if pan_cancer else "oncotree",
        search_terms=terms(code),
        path=f"{gene}/{code}",
        task="pan-cancer" if pan_cancer else "pair",
        origin="intogen",
        statistics=None,
    )


def _phase1(job: Job, gene: GeneIdentity) -> Phase1:
    item = EvidenceItem(
        id="F1", statement="KEAP1 holds NRF2.", quote="holds NRF2", references=["UniProt:Q14145"],
        call="c1", kind="function", stance="neutral", scope="other", system="not stated",
        basis="functional", alteration="none",
    )  # fmt: skip
    head = {**job.head(gene, None), "stage": Stage.PHASE1}
    rest: dict[str, Any] = {"protein": None, "references": [], "calls": [], "failures": []}
    return Phase1(**head, ledger=[item], **rest)
