"""The report stage: the report creator writes, the rules decide."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.files import write_json
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, Message
from intogen_agent.provenance.audit import merged_entries
from intogen_agent.provenance.record import servers
from intogen_agent.provenance.usage import usage_by_role
from intogen_agent.report.answers import text_around
from intogen_agent.report.drafting import Drafter, ReportRejected
from intogen_agent.report.models import Pruning, ReportProvenance, RoleModel
from intogen_agent.report.pruning import IN_WORDS, conversation_blocks, conversations, pruning
from intogen_agent.report.rules import Evidence
from intogen_agent.report.wire import ReportDraft


async def run_report(run: Run, evidence: Evidence) -> Mapping[Path, Any]:
    """Write the first report that passes validation.

    A draft that no repair brought to pass is kept as `report.rejected.json`, never as a report.

    Returns:
        `report.json`.

    Raises:
        StageFailure: No draft passed (`report_invalid`), or the model gave no answer.
    """
    drafter = Drafter(run, evidence)
    messages, pruned = _request(run, drafter)
    outcome = await run.models.structured(Role.REPORT_CREATOR, messages, ReportDraft)
    if isinstance(outcome, Failed):
        first: ReportDraft | Failed = outcome
        edits, asked = [], outcome.requests
    else:
        first, edits, asked = outcome.value, text_around(outcome.text), [outcome.request]
    provenance = ReportProvenance(
        servers=servers(journey_entries(run)),
        phase1_fingerprint=evidence.phase1.fingerprint,
        phase2_fingerprint=evidence.phase2.fingerprint,
        controller_edits=edits,
        pruned=[IN_WORDS[part] for part in pruned.parts],
        pruning=pruned,
    )
    rejected = run.job.folder / "report.rejected.json"
    try:
        report = await drafter.settle(first, messages, provenance)
    except ReportRejected as error:
        write_json(rejected, _rejected(error))
        raise StageFailure(
            ErrorClass.REPORT_INVALID, f"{error}; see {rejected}", [*asked, *error.requests]
        ) from None
    rejected.unlink(missing_ok=True)
    # The repairer is among the models that wrote it.
    known = report.provenance.model_copy(update={"models": models_so_far(run)})
    report = report.model_copy(update={"provenance": known})
    return {run.job.folder / "report.json": report.model_dump(mode="json")}


def _request(run: Run, drafter: Drafter) -> tuple[list[Message], Pruning]:
    """Return the final instruction with the evidence, and what was pruned for it."""
    rules = drafter.thresholds.model_dump(mode="json")
    system = prompts.system(prompts.instruction(Role.REPORT_CREATOR, {"rules": rules}))
    past, prune = conversations(journey_entries(run)), run.job.settings.report.prune
    parts = ("Write the report.", *drafter.blocks())
    bare = [system, prompts.user(*parts)]
    messages = [system, prompts.user(*parts, *conversation_blocks(past, prune))]
    return messages, pruning(past, prune, bare, messages)


def _rejected(error: ReportRejected) -> dict[str, Any]:
    return {
        "report": error.report.model_dump(mode="json"),
        "violations": [problem._asdict() for problem in error.problems],
        "repairs": error.repairs,
    }


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
