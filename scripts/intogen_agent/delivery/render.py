"""The rule `render`: pages for people, the provenance record, the audit file; no model call."""

import json
from pathlib import Path

from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import add_found, snapshot_path
from intogen_agent.evidence.models import Phase1, Phase2
from intogen_agent.files import write_json, write_text
from intogen_agent.jobs import Job
from intogen_agent.provenance import record
from intogen_agent.provenance.audit import close_journals, merged_entries
from intogen_agent.provenance.found import surroundings
from intogen_agent.provenance.models import Provenance
from intogen_agent.provenance.usage import usage_by_role
from intogen_agent.report.markdown import report_markdown
from intogen_agent.report.models import FinalReport, RoleModel
from intogen_agent.report.statistics import IntogenStatistics
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.review.models import CritiqueFile
from intogen_agent.summary.markdown import summary_markdown
from intogen_agent.summary.models import SummaryReport

OWN_STAGES = ("phase2", "report", "critique", "summary")


def read_statistics(text: str) -> IntogenStatistics:
    """Return the statistics of a `cohort.handover.statistics_text`."""
    value = json.loads(text)
    return IntogenStatistics(origin=value["origin"], **(value["statistics"] or {}))


def render_pair(job: Job, statistics: str) -> None:
    """Write `report.md`, `summary.md`, `provenance.json` and the audit file of a pair.

    Args:
        job: The job.
        statistics: Where the pair comes from and intOGen's statistics of it, as JSON.
    """
    folder = job.folder
    phase1 = Phase1.model_validate_json((folder.parent / "phase1.json").read_bytes())
    phase2 = Phase2.model_validate_json((folder / "phase2.json").read_bytes())
    report = FinalReport.model_validate_json((folder / "reviewed.json").read_bytes())
    critique = CritiqueFile.model_validate_json((folder / "critique.json").read_bytes())
    summary = SummaryReport.model_validate_json((folder / "summary.json").read_bytes())
    if critique.added is not None:
        phase2 = critique.added.to(phase2)
    known = read_statistics(statistics)
    before = merged_entries(folder.parent, ["phase1"])
    entries = [*before, *merged_entries(folder, OWN_STAGES)]
    calls = record.call_records(entries)
    used = usage_by_role(entries)
    fingerprints = {
        "phase1": phase1.fingerprint,
        "phase2": phase2.fingerprint,
        "report": _first_fingerprint(folder),
        "critique": critique.fingerprint,
        "summary": summary.fingerprint,
    }
    provenance = Provenance(
        **job.head(report.gene, report.cancer),
        phases=record.phases(calls, fingerprints),
        roles=used,
        servers=record.servers(entries),
        tools=record.tools(entries),
        critic_iterations=len(critique.iterations),
        style_iterations=len(summary.style_iterations),
        refinement_used_tools=critique.refinement_used_tools,
        unresolved=report.provenance.unresolved,
        config=_snapshot(job.settings),
        calls=calls,
    )
    results = job.settings.results
    known_now = surroundings(entries, results / "_run" / "models")
    add_found(job.settings, {**known_now, "pruned": report.provenance.pruned})
    # The pages name every model of the journey, also those that spoke after the report.
    models = {role: RoleModel.of(item) for role, item in used.items()}
    shown = report.model_copy(
        update={
            "provenance": report.provenance.model_copy(
                update={"models": models or report.provenance.models}
            )
        }
    )
    limits = Thresholds.from_settings(job.settings.report)
    write_text(folder / "report.md", report_markdown(shown, known, phase2, limits))
    answered = {role: item.answered_by for role, item in used.items()}
    write_text(folder / "summary.md", summary_markdown(summary, shown, known, answered, phase2))
    write_json(folder / "provenance.json", provenance.model_dump(mode="json"))
    close_journals(folder, OWN_STAGES)


def _first_fingerprint(folder: Path) -> str:
    report = FinalReport.model_validate_json((folder / "report.json").read_bytes())
    return report.fingerprint


def _snapshot(settings: Settings) -> str:
    return snapshot_path(settings).relative_to(settings.results).as_posix()
