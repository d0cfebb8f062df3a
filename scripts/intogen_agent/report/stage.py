"""The report stage: the report creator writes, the rules decide."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.files import write_json
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed
from intogen_agent.provenance.audit import merged_entries
from intogen_agent.provenance.record import servers
from intogen_agent.provenance.usage import usage_by_role
from intogen_agent.report.drafting import Drafter, ReportRejected
from intogen_agent.report.models import ReportProvenance, RoleModel
from intogen_agent.report.rules import Evidence
from intogen_agent.report.wire import ReportDraft

PRUNED = ["system prompts of both phases", "planning turns", "raw tool results"]


async def run_report(run: Run, evidence: Evidence) -> Mapping[Path, Any]:
    """Write the first report that passes validation.

    A draft that no repair brought to pass is kept as `report.rejected.json`, never as a report.

    Returns:
        `report.json`.

    Raises:
        StageFailure: No draft passed (`report_invalid`), or the model gave no answer.
    """
    job = run.job
    drafter = Drafter(run, evidence)
    rules = drafter.thresholds.model_dump(mode="json")
    messages = [
        prompts.system(prompts.instruction(Role.REPORT_CREATOR, {"rules": rules})),
        prompts.user("Write the report.", *drafter.blocks()),
    ]
    outcome = await run.models.structured(Role.REPORT_CREATOR, messages, ReportDraft)
    if isinstance(outcome, Failed):
        outcome.stop(Role.REPORT_CREATOR.value)
    provenance = ReportProvenance(
        models=models_so_far(run),
        servers=servers(journey_entries(run)),
        phase1_fingerprint=evidence.phase1.fingerprint,
        phase2_fingerprint=evidence.phase2.fingerprint,
        pruned=PRUNED,
    )
    rejected = job.folder / "report.rejected.json"
    try:
        report = await drafter.settle(outcome.value, messages, provenance)
    except ReportRejected as error:
        write_json(
            rejected,
            {
                "report": error.report.model_dump(mode="json"),
                "violations": [problem._asdict() for problem in error.problems],
                "repairs": error.repairs,
            },
        )
        raise StageFailure(
            ErrorClass.REPORT_INVALID, f"{error}; see {rejected}", [outcome.request]
        ) from None
    rejected.unlink(missing_ok=True)
    return {job.folder / "report.json": report.model_dump(mode="json")}


def journey_entries(run: Run) -> list[dict[str, Any]]:
    """Return the calls of the journey so far that are still on record."""
    folder = run.job.folder
    return [
        *merged_entries(folder.parent, ["phase1"]),
        *merged_entries(folder, ["phase2"]),
        *run.recorder.used,
    ]


def models_so_far(run: Run) -> dict[str, RoleModel]:
    """Return which model answered for each role so far, and the tokens it used."""
    used = usage_by_role(journey_entries(run))
    return {role: RoleModel.of(record) for role, record in used.items()}
