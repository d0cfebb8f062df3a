"""A journey whose models and tools follow a script: every request that the agents send."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.samples import summary_bullet
from tests.scripted_toolbox import ScriptedToolbox

from intogen_agent.cohort.tasks import Task
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.evidence import phase1, phase2
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.outcomes import Answer, Message, Outcome, Structured, ToolCall, ToolCalls
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.models import Stage
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.stage import run_report
from intogen_agent.review.stage import run_critique
from intogen_agent.summary.stage import run_summary

CANCERS = {
    "COADREAD": "Colorectal Adenocarcinoma",
    "BRCA": "Invasive Breast Carcinoma",
    "CANCER": "Pan-cancer",
}
FUNCTIONS = ("binds microtubules in dividing cells", "holds beta-catenin in the cytoplasm")


@dataclass(frozen=True)
class Asked:
    """A request as it was sent.

    Attributes:
        shape: The name of the answer's shape; empty for a turn of a conversation with tools.
    """

    role: Role
    shape: str
    messages: list[Message]


def payload(tool: str, gene: str, cancer: str) -> str:
    """Return what a tool answers."""
    if tool == "gene_record":
        return f"# Record 1\nSymbol: {gene}\nName: gene {gene}\nSummary: {gene} {FUNCTIONS[0]}.\n"
    if tool == "protein_record":
        entry = {
            "entryType": "UniProtKB reviewed (Swiss-Prot)",
            "primaryAccession": "P25054",
            "organism": {"scientificName": "Homo sapiens"},
            "genes": [{"geneName": {"value": gene}}],
            "comments": [
                {"commentType": "FUNCTION", "texts": [{"value": f"{gene} {FUNCTIONS[1]}."}]}
            ],
        }
        return json.dumps({"results": [entry]})
    record = f"Pmid: 9065401\nTitle: {gene} in {cancer}\nJournal: Science\nDate: 1997-03-21\n"
    return f"# Record 1\n{record}Abstract: {gene} is seldom mutated in {cancer}.\n"


class ScriptedModels:
    """Gives each role's answers in turn and keeps every request."""

    def __init__(self, gene: str, cancer: str) -> None:
        self.asked: list[Asked] = []
        self._statements = [f"{gene} {function}." for function in FUNCTIONS]
        self._statements.append(f"{gene} is seldom mutated in {cancer}.")
        self._answers = {role: iter(answers) for role, answers in script(gene, cancer).items()}

    async def chat(self, role: Role, messages: list[Message], *_: Any) -> Outcome:
        self.asked.append(Asked(role, "", deepcopy(messages)))
        answer: Outcome = next(self._answers[role])
        return answer

    async def structured(self, role: Role, messages: list[Message], shape: Any) -> Structured[Any]:
        self.asked.append(Asked(role, shape.__name__, deepcopy(messages)))
        if role is Role.SUMMARIZER:
            value = self._summary(messages[-1]["content"])
        else:
            value = next(self._answers[role])
        return Structured(shape.model_validate(value), json.dumps(value))

    def _summary(self, text: str) -> dict[str, Any]:
        found = [statement for statement in self._statements if statement in text]
        return {"bullets": [bullet(statement) for statement in found]}


def bullet(statement: str) -> dict[str, Any]:
    labels = {"kind": "function", "stance": "neutral", "system": "not stated"}
    return summary_bullet(statement, **labels, alteration="none")


def call(number: int, tool: str, arguments: dict[str, Any] | None) -> ToolCalls:
    """Return a turn with one tool call."""
    function = {"name": tool, "arguments": json.dumps(arguments or {})}
    written = {"id": f"call_{number}", "type": "function", "function": function}
    problem = "the arguments are not valid JSON" if arguments is None else None
    return ToolCalls(
        [ToolCall(f"call_{number}", tool, arguments, problem)],
        {"role": "assistant", "content": None, "tool_calls": [written]},
    )


def draft(gene: str, cancer: str, bullets: int) -> dict[str, Any]:
    """Return a report draft; with fewer than two function bullets it breaks a rule."""
    function = [
        {
            "text": "Binds microtubules in dividing cells. Keeps its partners in the cytoplasm.",
            "citations": ["TOOL:gene_record"],
            "evidence": ["F1"],
        },
        {
            "text": "Holds beta-catenin in the cytoplasm. Binds to it directly.",
            "citations": ["UniProt:P25054"],
            "evidence": ["F2"],
        },
    ]
    rationale = [
        {"text": text, "citations": ["PMID:9065401"], "evidence": ["E1"]}
        for text in (f"{gene} is seldom mutated in {cancer}.", "No study shows a function.")
    ]
    return {
        "gene_function": function[:bullets],
        "involvement": "not_supported",
        "undetermined": False,
        "reason": "Too few references carry an involvement.",
        "rationale": rationale,
        "mechanisms": [],
    }


def critique(accept: bool) -> dict[str, Any]:
    issue = {
        "section": "assessment",
        "severity": "medium",
        "outside_evidence": False,
        "needs_new_evidence": False,
        "why": "It is terse.",
        "recommended_action": "Say more.",
        "suggested_identifiers": [],
    }
    scores = ("gene_function", "mechanistic_hypothesis", "assessment_alignment")
    return {
        "overall_accept": accept,
        "overall_score": 0.5,
        **{f"{name}_score": None for name in scores},
        "summary": "Read.",
        "issues": [] if accept else [issue],
    }


def style(accept: bool) -> dict[str, Any]:
    issue = {"summary": "general", "category": "flow", "severity": "medium", "why": "Stiff."}
    return {
        "overall_accept": accept,
        "overall_score": 0.5,
        "readability": [],
        "overview": "Read.",
        "issues": [] if accept else [{**issue, "suggested_rewrite": None}],
    }


def script(gene: str, cancer: str) -> dict[Role, list[Any]]:
    """Return what each role answers: every agent is asked, and every loop goes round."""
    hypothesis = {
        "id": "H1",
        "statement": f"{gene} acts.",
        "cause": f"Loss of {gene}",
        "mediator": "Wnt",
        "outcome": "growth",
        "alteration": "mutation",
        "expected_studies": ["A screen."],
        "keywords": ["loss"],
    }
    fate = {"id": "H1", "fate": "refuted", "evidence": ["E1"], "note": "Seldom mutated."}
    chain = {"cause": "", "mediator": "", "outcome": ""}
    whole, short = draft(gene, cancer, 2), draft(gene, cancer, 1)
    refined = {"answers": [{"issue": "I1", "decision": "accepted", "explanation": "Done."}]}
    summary = {
        "headline": f"{gene} is seldom mutated in {cancer}; a role is not supported.",
        "general": f"{gene} is seldom mutated.",
        "gene_function": "It binds microtubules.",
        "assessment": "It is not supported.",
        "mechanistic_hypothesis": None,
        "role_of_action": "unclear",
        "role_reason": "No mechanism.",
    }
    closing = {"role": "assistant", "content": "Done."}
    return {
        Role.GENE_INVESTIGATOR: [
            call(1, "gene_record", None),
            call(2, "gene_record", {"gene": gene}),
            call(3, "protein_record", {"gene": gene}),
        ],
        Role.HYPOTHESIS_PLANNER: [{"hypotheses": [hypothesis]}],
        Role.MECHANISM_INVESTIGATOR: [
            call(1, "article_search", None),
            call(2, "article_search", {"genes": [gene], "keywords": ["loss of function"]}),
            Answer("Done.", closing),
            {"verdicts": [{**fate, **chain}]},
        ],
        Role.REPORT_CREATOR: [short],
        Role.REPAIRER: [short, whole, whole],
        Role.SCIENTIFIC_REVIEWER: [critique(False), critique(True)],
        Role.REFINER: [{**refined, "report": short}],
        Role.SUMMARY_HELPER: [{**summary, "headline": "Of 17 genes one."}, summary],
        Role.STYLE_CRITIC: [style(False), style(True)],
        Role.STYLE_REFINER: [
            {"rewrites": [{"summary": "general", "text": f"{gene} is mutated seldom."}]}
        ],
    }


class Journey:
    """One pair's way through all stages."""

    def __init__(self, folder: Path, gene: str, code: str) -> None:
        self._cancer = CANCERS[code]
        self._folder = folder / gene / code
        self._task = Task(
            gene=gene,
            cancer_type=code,
            cancer_name=self._cancer,
            scheme="oncotree",
            search_terms=(self._cancer.lower(),),
            path=f"{gene}/{code}",
            task="pan-cancer" if code == "CANCER" else "pair",
            origin="intogen",
            statistics=None,
        )
        self._settings = Settings.model_validate(
            {"results": folder, "report": {"repair_first_wait": 0}}
        )
        self.models = ScriptedModels(gene, self._cancer)

    def travel(self, patch: pytest.MonkeyPatch) -> list[Asked]:
        """Go through all stages and return every request on the way."""
        for module in (phase1, phase2):
            patch.setattr(module, "Toolbox", lambda *_, **__: ScriptedToolbox(self._answer))
        asyncio.run(self._stages())
        return self.models.asked

    def _answer(self, tool: str, _: dict[str, Any]) -> ToolAnswer:
        return ToolAnswer("content", payload(tool, self._task.gene, self._cancer))

    async def _stages(self) -> None:
        with Journal(self._folder / "journal.jsonl") as journal:
            first = Phase1.model_validate(
                _only(await phase1.run_phase1(self._run(Stage.PHASE1, journal)))
            )
            second = Phase2.model_validate(
                _only(await phase2.run_phase2(self._run(Stage.PHASE2, journal), first))
            )
            evidence = Evidence(first, second)
            report = FinalReport.model_validate(
                _only(await run_report(self._run(Stage.REPORT, journal), evidence))
            )
            files = await run_critique(self._run(Stage.CRITIQUE, journal), evidence, report)
            reviewed = FinalReport.model_validate(files[self._folder / "reviewed.json"])
            await run_summary(self._run(Stage.SUMMARY, journal), reviewed)

    def _run(self, stage: Stage, journal: Journal) -> Run:
        job = Job(
            stage=stage,
            task=self._task,
            settings=self._settings,
            folder=self._folder,
            fingerprint="f" * 16,
            store=None,
            store_identity="",
            logs=self._folder / "logs",
        )
        models: Any = self.models
        return Run(job, Recorder(journal, stage.value), models)


def _only(files: Mapping[Path, Any]) -> Any:
    (value,) = files.values()
    return value


def conversations(asked: list[Asked]) -> Iterator[list[Asked]]:
    """Yield the requests that belong together: later turns, repairs and mended summaries."""
    going: list[Asked] = []
    turns = (Role.GENE_INVESTIGATOR, Role.MECHANISM_INVESTIGATOR, Role.SUMMARY_HELPER)
    for request in (item for item in asked if item.role is not Role.SUMMARIZER):
        last = going[-1] if going else None
        same = last and (request.role, request.shape) == (last.role, last.shape)
        goes_on = request.role is Role.REPAIRER or (same and request.role in turns)
        if not goes_on and going:
            yield going
            going = []
        going.append(request)
    yield going
