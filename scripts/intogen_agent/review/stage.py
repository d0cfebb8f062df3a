"""The critique stage: the critic loop over a report, and what it leaves behind.

Source: the seed's section "Critic-driven scientific refinement".
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent.jobs import Run
from intogen_agent.models import Stage, Status
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.stage import models_so_far
from intogen_agent.review.checks import Checker
from intogen_agent.review.loop import Loop
from intogen_agent.review.models import CritiqueFile, CritiqueIssue
from intogen_agent.review.search import Search


async def run_critique(run: Run, evidence: Evidence, report: FinalReport) -> Mapping[Path, Any]:
    """Review a report until it is accepted or the bound is reached.

    Returns:
        `critique.json` and `reviewed.json`.

    Raises:
        StageFailure: A model or a server could not be used.
    """
    job = run.job
    head = job.head(report.gene, report.cancer)
    if not job.settings.review.enabled:
        head["status"] = Status.NOT_REVIEWED
        record = CritiqueFile(**head, accepted=False, iterations=[], unresolved=[])
        return _outputs(run, record, _restaged(run, report, {}, status=Status.NOT_REVIEWED))
    async with Search(run, evidence) as search:
        loop = Loop(run, evidence, report, Checker.of(run), search)
        await loop.conduct()
    used_tools = search.added is not None and bool(search.added.calls)
    unresolved = loop.critique.high
    record = CritiqueFile(
        **head,
        accepted=loop.critique.overall_accept,
        iterations=loop.iterations,
        unresolved=unresolved,
        refinement_used_tools=used_tools,
        kept_round=loop.kept_round,
        added=search.added,
    )
    provenance = {
        "critic_iterations": len(loop.iterations),
        "refinement_used_tools": used_tools,
        "unresolved": [_in_words(issue) for issue in unresolved],
    }
    return _outputs(run, record, _restaged(run, loop.report, provenance))


def _in_words(issue: CritiqueIssue) -> str:
    found = f" (found by the check {issue.check})" if issue.check else ""
    return f"{issue.section.value}: {issue.why}{found}"


def _outputs(run: Run, record: CritiqueFile, reviewed: FinalReport) -> Mapping[Path, Any]:
    folder = run.job.folder
    return {
        folder / "critique.json": record.model_dump(mode="json"),
        folder / "reviewed.json": reviewed.model_dump(mode="json"),
    }


def _restaged(
    run: Run, report: FinalReport, provenance: Mapping[str, Any], status: Status = Status.OK
) -> FinalReport:
    """Return a report as the review stage leaves it: its head and provenance."""
    models = {**report.provenance.models, **models_so_far(run)}
    return report.model_copy(
        update={
            "stage": Stage.CRITIQUE,
            "status": status,
            "fingerprint": run.job.fingerprint,
            "provenance": report.provenance.model_copy(update={"models": models, **provenance}),
        }
    )
