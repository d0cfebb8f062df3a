"""Which module answers a request: by the response schema's name, else by the offered tools.

The composer is deterministic and extractive: it answers from the blocks of the conversation
alone. It knows no gene, no cancer and no paper.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import (
    conversation,
    hypotheses,
    refine,
    report,
    review,
    shape,
    style,
    summaries,
    summarize,
    tools,
)
from intogen_agent.offline.conversation import Conversation

MODEL = "offline-extractive-1"

COMPOSERS: Mapping[str, Callable[[Conversation], dict[str, Any]]] = {
    "ToolSummary": summarize.compose,
    "HypothesisPlan": hypotheses.plan,
    "HypothesisVerdicts": hypotheses.verdicts,
    "ReportDraft": report.compose,
    "WireCritique": review.compose,
    "RefinedDraft": refine.compose,
    "SummaryDraft": summaries.compose,
    "WireStyleCritique": style.critique,
    "StyleRevision": style.revision,
}
_ABOUT = (
    "This is offline-extractive-1, a deterministic extractive composer and no language model. It "
    "answers requests that carry the evidence they are about."
)


@dataclass(frozen=True)
class Reply:
    """What the composer answers: text, or tool calls as (name, arguments)."""

    text: str | None = None
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def reply(request: Mapping[str, Any]) -> Reply:
    """Answer a chat completion request that was checked before."""
    talk = conversation.read(request["messages"])
    schema = _schema(request)
    if schema is not None:
        return Reply(text=_structured(talk, *schema))
    offered: Sequence[Mapping[str, Any]] = request.get("tools") or ()
    choice = request.get("tool_choice")
    if offered and choice != "none":
        calls = tools.next_calls(talk, tools.offered(offered), _forced(choice))
        return Reply(calls=calls) if calls else Reply(text=tools.closing(talk))
    return Reply(text=_ABOUT)


def _schema(request: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    wanted = request.get("response_format")
    if not isinstance(wanted, Mapping) or wanted.get("type") != "json_schema":
        return None
    described = wanted["json_schema"]
    return str(described["name"]), described["schema"]


def _structured(talk: Conversation, name: str, schema: Mapping[str, Any]) -> str:
    """Compose a structured answer; a schema of an unknown name gets its smallest instance."""
    compose = COMPOSERS.get(name)
    value = compose(talk) if compose else shape.minimal(schema, schema)
    return json.dumps(shape.conform(value, schema, schema), ensure_ascii=False)


def _forced(choice: Any) -> str | None:
    if isinstance(choice, Mapping):
        return str(choice["function"]["name"])
    return "required" if choice == "required" else None
