"""Which module answers a request: by the response schema's name, else by the offered tools.

The composer is deterministic and extractive: it answers from the blocks of the conversation
alone. It knows no gene, no cancer and no paper.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import (
    actions,
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
    """Answer a chat completion request that was checked before.

    A wanted form of the answer goes before tools, as on servers that constrain what is written.
    """
    talk = conversation.read(actions.native(request["messages"]))
    wanted = request.get("response_format") or {"type": "text"}
    schema = _schema(wanted, talk)
    form = actions.form(*schema) if schema is not None else None
    if form is not None:
        return Reply(text=_action(talk, form))
    if schema is not None:
        return Reply(text=_structured(talk, *schema))
    if wanted["type"] == "json_object":
        return Reply(text=json.dumps({"answer": _ABOUT}))
    offered: Sequence[Mapping[str, Any]] = request.get("tools") or ()
    choice = request.get("tool_choice")
    if offered and choice != "none":
        ask = tools.next_call if request.get("parallel_tool_calls") is False else tools.next_calls
        calls = ask(talk, tools.offered(offered), _forced(choice))
        return Reply(calls=calls) if calls else Reply(text=tools.closing(talk))
    return Reply(text=_ABOUT)


def _schema(wanted: Mapping[str, Any], talk: Conversation) -> tuple[str, Mapping[str, Any]] | None:
    """Return name and schema of the wanted answer, which may stand in the prompt only."""
    if wanted["type"] == "json_schema":
        described = wanted["json_schema"]
        return str(described["name"]), described["schema"]
    schema = talk.schema
    return (str(schema.get("title") or ""), schema) if schema is not None else None


def _action(talk: Conversation, form: actions.Form) -> str:
    """Answer with one tool call, or with a text, as a JSON action."""
    forced = None if form.may_answer else "required"
    calls = tools.next_call(talk, tools.offered(form.tools), forced)
    return actions.call(*calls[0]) if calls else actions.answer(tools.closing(talk))


def _structured(talk: Conversation, name: str, schema: Mapping[str, Any]) -> str:
    """Compose a structured answer; a schema of an unknown name gets its smallest instance."""
    compose = COMPOSERS.get(name)
    value = compose(talk) if compose else shape.minimal(schema, schema)
    return json.dumps(shape.conform(value, schema, schema), ensure_ascii=False)


def _forced(choice: Any) -> str | None:
    if isinstance(choice, Mapping):
        return str(choice["function"]["name"])
    return "required" if choice == "required" else None
