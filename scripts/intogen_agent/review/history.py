"""The tool history that reviewer and refiner get.

Seed: "The refinement assistant received the previous FinalReport, the full tool history, and the
CritiqueReport". Every call is there with its arguments and outcome and with the ledger items that
its summary became; raw payloads follow up to a budget of tokens, those that became evidence first,
and the rest is named by its call.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from intogen_agent import prompts
from intogen_agent.evidence.models import AddedEvidence, EvidenceItem
from intogen_agent.jobs import Run
from intogen_agent.llm.tokens import CHARACTERS_PER_TOKEN
from intogen_agent.mcp.record import ToolCallRecord
from intogen_agent.models import Stage
from intogen_agent.provenance.audit import merged_entries
from intogen_agent.provenance.journal import Entry
from intogen_agent.report.rules import Evidence

LEFT_OUT = "left out; what was found in it is in the ledger"


class Made(NamedTuple):
    """A tool call of a stage and the ids of the ledger items that came of it."""

    stage: str
    call: ToolCallRecord
    items: list[str]

    def shown(self) -> dict[str, Any]:
        """Return the call as models see it."""
        return {
            "stage": self.stage,
            **self.call.model_dump(
                mode="json",
                include={"id", "tool", "arguments", "outcome", "error"},
                exclude_none=True,
            ),
            "summary": self.items,
        }


def short_history(evidence: Evidence, added: AddedEvidence | None = None) -> str:
    """Return every call with its arguments, its outcome and what the ledger has of it."""
    return prompts.block("tool_history", [made.shown() for made in _calls(evidence, added)])


def whole_history(
    run: Run, evidence: Evidence, added: AddedEvidence | None, entries: Sequence[Entry]
) -> str:
    """Return the history with raw payloads, up to `review.history_tokens`.

    Args:
        run: The stage's run.
        evidence: The evidence of both phases.
        added: What refinement added to it.
        entries: The recorded calls of this stage.
    """
    folder = run.job.folder
    recorded = {
        **_payloads(merged_entries(folder.parent, [Stage.PHASE1.value])),
        **_payloads(merged_entries(folder, [Stage.PHASE2.value])),
        **_payloads(entries),
    }
    calls = list(_calls(evidence, added))
    room = run.job.settings.review.history_tokens * CHARACTERS_PER_TOKEN
    chosen = set[tuple[str, str]]()
    # What became evidence is worth more than what did not; the order of the calls within both.
    for made in sorted(calls, key=lambda made: not made.items):
        key = made.stage, made.call.id
        if 0 < len(recorded.get(key, "")) <= room:
            chosen.add(key)
            room -= len(recorded[key])
    shown = []
    for made in calls:
        key = made.stage, made.call.id
        entry = made.shown()
        if made.call.outcome == "content":
            entry["payload"] = recorded[key] if key in chosen else LEFT_OUT
        shown.append(entry)
    return prompts.block("tool_history", shown)


def _calls(evidence: Evidence, added: AddedEvidence | None) -> Iterator[Made]:
    phase1, phase2 = evidence.phase1, evidence.phase2
    for stage, calls, ledger in (
        (Stage.PHASE1, phase1.calls, phase1.ledger),
        (Stage.PHASE2, phase2.calls, phase2.ledger),
        (Stage.CRITIQUE, added.calls if added else [], added.ledger if added else []),
    ):
        for call in calls:
            yield Made(stage.value, call, _items(ledger, call.id))


def _items(ledger: Iterable[EvidenceItem], call: str) -> list[str]:
    return [item.id for item in ledger if item.call == call]


def _payloads(entries: Iterable[Entry]) -> dict[tuple[str, str], str]:
    """Return the raw text of every tool's answer by stage and call."""
    return {
        (entry["stage"], entry["id"]): str(entry["response"].get("text") or "")
        for entry in entries
        if entry.get("kind") == "tool"
    }
