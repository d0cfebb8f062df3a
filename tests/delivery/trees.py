"""Small trees of results, written with the models that the stages write them with."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intogen_agent.cohort.rows import Dropped
from intogen_agent.cohort.statistics import Statistics
from intogen_agent.cohort.tasks import Cohort, Task
from intogen_agent.evidence.models import EvidenceItem, FirstSeen, OtherId, Phase1, Phase2
from intogen_agent.models import Cancer, GeneIdentity, Stage, Status
from intogen_agent.provenance.models import CallRecord, Provenance
from intogen_agent.report.models import (
    Assessment,
    Bullet,
    FinalReport,
    GeneFunction,
    MechanismBullet,
    MechanisticHypothesis,
    Reference,
    ReportProvenance,
    RoleModel,
)
from intogen_agent.review.models import CritiqueFile, CritiqueIssue, CritiqueReport, Iteration
from intogen_agent.summary.models import Summaries, SummaryReport
from intogen_agent.workflow import PAIR_FILES

PRESENT = {stage.value: f"{stage.value}-now" for stage in Stage}
NAMES = {"COADREAD": "Colorectal Adenocarcinoma", "PAAD": "Pancreatic Adenocarcinoma"}
JSON_FILES = tuple(name for name in PAIR_FILES if name.endswith(".json"))


def make_task(
    gene: str = "APC",
    code: str = "COADREAD",
    votes: tuple[tuple[str, int], ...] = (("LoF", 3),),
    origin: str = "intogen",
) -> Task:
    found = Statistics(("C1", "C2"), ("cbase", "dndscv"), 1e-10, 60, votes[0][0], votes)
    return Task(
        gene=gene,
        cancer_type=code,
        cancer_name="Cancer" if code == "CANCER" else NAMES.get(code, ""),
        scheme="oncotree",
        search_terms=("cancer",),
        path=f"{gene}/{code}",
        task="pan-cancer" if code == "CANCER" else "pair",
        origin=origin,
        statistics=found if origin == "intogen" and code != "CANCER" else None,
    )


def make_cohort(*tasks: Task, dropped: tuple[Dropped, ...] = ()) -> Cohort:
    return Cohort(tasks, dropped, "oncotree", ())


def _head(task: Task, stage: Stage, **changes: Any) -> dict[str, Any]:
    return {
        "gene": GeneIdentity(symbol=task.gene),
        "cancer": Cancer(
            code=task.cancer_type,
            scheme=task.scheme,
            name=task.cancer_name,
            pan_cancer=task.task == "pan-cancer",
        ),
        "stage": stage,
        "status": Status.OK,
        "fingerprint": PRESENT[stage.value],
        **changes,
    }


def make_phase1(task: Task, **changes: Any) -> Phase1:
    empty: dict[str, Any] = {"ledger": [], "references": [], "calls": [], "failures": []}
    return Phase1(
        **{**_head(task, Stage.PHASE1), "cancer": None, "protein": None, **empty, **changes}
    )


def make_item(name: str, system: str, scope: str = "target", **changes: Any) -> EvidenceItem:
    return EvidenceItem(
        **{
            "id": name,
            "statement": "A statement.",
            "quote": "a quote",
            "references": ["PMID:9065401"],
            "call": "c4",
            "kind": "mechanism",
            "stance": "supports",
            "scope": scope,
            "system": system,
            "basis": "functional",
            "alteration": "mutation",
            **changes,
        }
    )


def make_phase2(task: Task, **changes: Any) -> Phase2:
    ledger = [make_item("E1", "cell line"), make_item("E2", "patients", "subtype")]
    empty: dict[str, Any] = {"hypotheses": [], "references": [], "queries": [], "calls": []}
    return Phase2(
        **{**_head(task, Stage.PHASE2), "ledger": ledger, "failures": [], **empty, **changes}
    )


def make_references() -> list[Reference]:
    seen = FirstSeen(stage="phase2", tool="article_getter", call="c4")
    return [
        Reference(
            index=1,
            kind="database",
            id="UniProt:P25054",
            database="UniProt",
            record_id="P25054",
            tracked=True,
            first_seen=FirstSeen(stage="phase1", tool="search_by_gene", call="c2"),
        ),
        Reference(
            index=2,
            kind="pmid",
            id="9065401",
            also=[OtherId(kind="doi", id="10.1126/science.275.5307.1784")],
            title="Constitutive transcriptional activation",
            journal="Science",
            year=1997,
            tracked=True,
            first_seen=seen,
        ),
        Reference(index=3, kind="pmid", id="1338904", title="Somatic mutations", year=1992),
    ]


def make_mechanism(**changes: Any) -> MechanismBullet:
    chain = {"cause": "APC loss", "mediator": "WNT signaling", "outcome": "transformation"}
    return MechanismBullet.model_validate(
        {
            "text": "Loss of APC drives WNT target genes.",
            "citations": [2, 3],
            "evidence": ["E1", "E2"],
            "chain": chain,
            **changes,
        }
    )


def make_report(task: Task, stage: Stage = Stage.REPORT, **changes: Any) -> FinalReport:
    bullets = [Bullet(text=f"Scaffolds complex {number}.", citations=[1]) for number in (1, 2)]
    rationale = [Bullet(text="APC is lost.", citations=[2]), Bullet(text="Again.", citations=[3])]
    creator = RoleModel(provider="offline", model="asked", answered_by=["extractive-1", "x-2"])
    provenance = ReportProvenance(
        models={"report_creator": creator},
        phase1_fingerprint=PRESENT["phase1"],
        phase2_fingerprint=PRESENT["phase2"],
    )
    return FinalReport(
        **{
            **_head(task, stage),
            "gene_function": GeneFunction(bullets=bullets),
            "assessment": Assessment.model_validate(
                {"involvement": "supported", "rationale": rationale}
            ),
            "mechanistic_hypothesis": MechanisticHypothesis(bullets=[make_mechanism()]),
            "references": make_references(),
            "provenance": provenance,
            **changes,
        }
    )


def make_issue() -> CritiqueIssue:
    return CritiqueIssue.model_validate(
        {
            "id": "I1",
            "section": "assessment",
            "severity": "high",
            "outside_evidence": False,
            "needs_new_evidence": False,
            "why": "A study is missing.",
            "recommended_action": "Look for it.",
        }
    )


def make_critique(task: Task, **changes: Any) -> CritiqueFile:
    rounds = [
        Iteration(
            number=number,
            critique=CritiqueReport(
                overall_accept=score > 0.5, overall_score=score, summary="", issues=[]
            ),
        )
        for number, score in ((1, 0.5), (2, 0.9))
    ]
    return CritiqueFile(
        **{
            **_head(task, Stage.CRITIQUE),
            "accepted": True,
            "iterations": rounds,
            "unresolved": [],
            **changes,
        }
    )


def make_summary(task: Task, **changes: Any) -> SummaryReport:
    texts = Summaries(
        headline="APC holds back WNT signaling.",
        general="General text.",
        gene_function="Function text.",
        assessment="Assessment text.",
        mechanistic_hypothesis="Mechanism text.",
    )
    return SummaryReport.model_validate(
        {
            **_head(task, Stage.SUMMARY),
            "involvement": "supported",
            "undetermined": False,
            "summaries": texts,
            "role_of_action": "tumor suppressor",
            "role_reason": "Its loss drives growth.",
            "style_accepted": True,
            "style_score": 0.8,
            "style_iterations": [],
            **changes,
        }
    )


def make_call(stage: str, kind: str = "llm", tokens: int = 0, **changes: Any) -> CallRecord:
    return CallRecord.model_validate(
        {
            "stage": stage,
            "id": "m1",
            "kind": kind,
            "to": "x",
            "outcome": "answer",
            "started": "",
            "seconds": 0.1,
            "input_tokens": tokens if kind == "llm" else None,
            "output_tokens": tokens // 2 if kind == "llm" else None,
            **changes,
        }
    )


def make_provenance(task: Task, calls: list[CallRecord] | None = None) -> Provenance:
    usual = [make_call("phase1", tokens=100), make_call("phase1", "tool")]
    usual += [make_call("report", tokens=10)]
    return Provenance(
        **_head(task, Stage.RENDER),
        phases=[],
        roles={},
        servers={},
        critic_iterations=2,
        style_iterations=1,
        refinement_used_tools=False,
        unresolved=[],
        config="",
        calls=usual if calls is None else calls,
    )


@dataclass
class Tree:
    """A folder of results that is filled pair by pair."""

    results: Path
    tasks: list[Task] = field(default_factory=list)

    def write(self, path: str, content: Any) -> Path:
        """Write a model, or a text as it is."""
        target = self.results / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else content.model_dump_json()
        target.write_text(text)
        return target

    def add(self, task: Task, *files: Any, phase1: bool = True) -> Task:
        """Add a task and write its complete journey, or these files of it only (models)."""
        self.tasks.append(task)
        if phase1:
            self.write(f"{task.gene_path}/phase1.json", make_phase1(task))
        for name, model in self.journey(task).items() if not files else ():
            self.write(f"{task.path}/{name}", model)
        for model in files:
            self.replace(task, model)
        return task

    @staticmethod
    def journey(task: Task) -> dict[str, Any]:
        return {
            "phase2.json": make_phase2(task),
            "report.json": make_report(task),
            "critique.json": make_critique(task),
            "reviewed.json": make_report(task, Stage.CRITIQUE),
            "summary.json": make_summary(task),
            "report.md": "# Report\n",
            "summary.md": "# Summary\n",
            "provenance.json": make_provenance(task),
        }

    def replace(self, task: Task, model: Any) -> None:
        """Write one of a task's files; the model decides which."""
        name = {
            Phase2: "phase2.json",
            CritiqueFile: "critique.json",
            SummaryReport: "summary.json",
            Provenance: "provenance.json",
        }.get(type(model))
        if isinstance(model, FinalReport):
            name = "report.json" if model.stage is Stage.REPORT else "reviewed.json"
        self.write(f"{task.path}/{name}", model)

    def remove(self, task: Task, *names: str) -> None:
        for name in names:
            (self.results / task.path / name).unlink()

    def fail(self, path: str, stage: str, error: str = "llm_quota", message: str = "no") -> None:
        """Leave a failure.json as a failed stage does."""
        gene, _, cancer = path.partition("/")
        value = {"gene": gene, "cancer_type": cancer or None, "stage": stage, "error": error}
        self.write(
            f"{path}/failure.json", json.dumps({**value, "message": message, "fingerprint": ""})
        )

    @property
    def cohort(self) -> Cohort:
        return make_cohort(*self.tasks)


def rows(text: str) -> list[dict[str, str]]:
    """Read a TSV without any quoting."""
    header, *lines = text.removesuffix("\n").split("\n")
    names = header.split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
