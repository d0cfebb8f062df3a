"""What of the evidence phases' conversations reaches the report creator.

Seed: "early system prompts and planning chatter were pruned from the conversation". What stays
always are the ledger (the summaries of the tools' answers), the hypotheses and the failures;
`report.prune` names what goes.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.llm.outcomes import Message
from intogen_agent.llm.tokens import estimate
from intogen_agent.provenance.journal import Entry
from intogen_agent.report.models import Pruning

IN_WORDS = {
    "system_prompts": "system prompts of both phases",
    "planning_turns": "planning turns",
    "tool_results": "raw tool results",
}
_PARTS = {"system": "system_prompts", "tool": "tool_results"}
_SPEAKERS = {
    role.value
    for role in (Role.GENE_INVESTIGATOR, Role.HYPOTHESIS_PLANNER, Role.MECHANISM_INVESTIGATOR)
}


def conversations(entries: Iterable[Entry]) -> list[list[Message]]:
    """Return the conversations of both phases, each as its last request held it."""
    found: list[list[Message]] = []
    for entry in entries:
        request = entry.get("request") or {}
        if entry.get("kind") != "llm" or request.get("role") not in _SPEAKERS:
            continue
        messages = request["messages"]
        # A later request of a conversation begins with the earlier one.
        found = [each for each in found if messages[: len(each)] != each]
        found.append(messages)
    return found


def kept(past: Iterable[Sequence[Message]], prune: Sequence[str]) -> list[dict[str, str]]:
    """Return the turns that stay, in order."""
    return [
        {"role": message["role"], "content": _content(message)}
        for conversation in past
        for message in conversation
        if _PARTS.get(message["role"], "planning_turns") not in prune
    ]


def _content(message: Message) -> str:
    calls: list[Any] = [call["function"] for call in message.get("tool_calls") or ()]
    texts = [message.get("content") or "", json.dumps(calls, ensure_ascii=False) if calls else ""]
    return "\n".join(text for text in texts if text)


def conversation_blocks(past: Sequence[Sequence[Message]], prune: Sequence[str]) -> list[str]:
    """Return what stays as a block of the final request; none when nothing does."""
    turns = kept(past, prune)
    return [prompts.block("conversation", turns)] if turns else []


def pruning(
    past: Sequence[Sequence[Message]],
    prune: Sequence[str],
    bare: Sequence[Message],
    sent: Sequence[Message],
) -> Pruning:
    """Return the record of what was pruned.

    Args:
        past: The conversations of both phases; empty when they are no longer on record.
        prune: The configured parts.
        bare: The final request without anything of these conversations.
        sent: The final request as it is sent.
    """
    whole = estimate([*bare, *(message for each in past for message in each)])
    return Pruning(
        parts=list(prune),
        tokens_before=whole if past else None,
        tokens_after=estimate(sent),
    )
