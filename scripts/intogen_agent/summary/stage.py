"""The summary stage: summaries without citations, a role of action, and the style editor.

Source: the seed's section "Summary generation and style refinement".
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent.evidence.cancer_tree import known_types
from intogen_agent.jobs import Run
from intogen_agent.report.models import FinalReport
from intogen_agent.review.naming import CancerTerms
from intogen_agent.summary.drafting import draft
from intogen_agent.summary.models import SummaryReport
from intogen_agent.summary.source import Source
from intogen_agent.summary.style import StyleEditor, readability


async def run_summary(run: Run, report: FinalReport) -> Mapping[Path, Any]:
    """Summarise a reviewed report and edit its style.

    Returns:
        `summary.json`.

    Raises:
        StageFailure: A model gave no answer, or nothing of a draft kept to the report.
    """
    job = run.job
    terms = CancerTerms(job.cancer, job.task.search_terms, known_types(job.settings))
    source = Source(report, terms, tuple(job.task.search_terms))
    drafted = await draft(run, source)
    summaries, iterations = await StyleEditor(run, source).edit(drafted.summaries)
    last = iterations[-1].critique if iterations else None
    summary = SummaryReport(
        **run.job.head(report.gene, report.cancer),
        involvement=report.assessment.involvement,
        undetermined=report.assessment.undetermined,
        summaries=summaries,
        role_of_action=drafted.role,
        role_reason=drafted.role_reason,
        controller_edits=drafted.edits,
        why_not_supported=report.assessment.reason,
        style_accepted=last is not None and last.overall_accept,
        style_score=last.overall_score if last else None,
        style_iterations=iterations,
        measured=readability(summaries),
    )
    return {run.job.folder / "summary.json": summary.model_dump(mode="json")}
