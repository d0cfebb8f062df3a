"""What the failures of a pair's evidence are about, and whether they leave its question open.

Source: design ("an outage is never an absence") and seed, "Structured report generation": a report
is not supported unless evidence is found; where nobody answered, nothing was found and nothing is
known.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from intogen_agent.evidence.models import EvidenceItem, Failure, Kind, Phase1, Phase2
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.record import ToolCallRecord

About = Literal["gene function", "literature", "trials"]


def about(failure: Failure, calls: Iterable[ToolCallRecord]) -> About:
    """Say what a failure of phase 2 is about: trials, if all its calls asked for them.

    A failure without calls (a search that was never made) is one of the literature.

    Args:
        failure: The failure.
        calls: The phase's calls.
    """
    logical = {call.id: call.logical for call in calls}
    asked = {logical.get(call) for call in failure.calls}
    return "trials" if asked == {LogicalTool.TRIAL_SEARCH.value} else "literature"


def failures_block(phase1: Phase1, phase2: Phase2) -> list[dict[str, Any]]:
    """Return the failures of both phases as a model is shown them, each with what it is about."""
    told: list[tuple[Failure, About]] = [(one, "gene function") for one in phase1.failures]
    told += [(one, about(one, phase2.calls)) for one in phase2.failures]
    return [{**failure.model_dump(mode="json"), "about": subject} for failure, subject in told]


def literature_unanswered(phase2: Phase2) -> list[Failure]:
    """Return the questions to the literature that nobody answered."""
    return of_literature(phase2.failures, phase2.calls)


def of_literature(failures: Iterable[Failure], calls: Sequence[ToolCallRecord]) -> list[Failure]:
    """Return the failures that leave the literature unknown; a register of trials does not."""
    return [one for one in failures if about(one, calls) == "literature"]


def nothing_known(phase2: Phase2) -> bool:
    """Say whether questions to the literature failed and those that were answered found nothing."""
    found = any(not _is_empty_search(item) for item in phase2.ledger)
    return bool(literature_unanswered(phase2)) and not found


def _is_empty_search(item: EvidenceItem) -> bool:
    by_tools = all(reference.startswith("TOOL:") for reference in item.references)
    return item.kind is Kind.NULL_RESULT and by_tools
