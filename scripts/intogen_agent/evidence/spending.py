"""What a conversation has used so far."""

from collections.abc import Iterable

from intogen_agent.config.roles import Role
from intogen_agent.llm import tokens
from intogen_agent.provenance.attributes import read_usage
from intogen_agent.provenance.journal import Entry


def spent(entries: Iterable[Entry], role: Role) -> int:
    """Return the tokens of a role's turns with tools, input and output together.

    Args:
        entries: The calls of the stage that are on record.
        role: Whose turns.

    Returns:
        What the servers report; where one says nothing, an estimate of what was sent.
    """
    total = 0
    for entry in entries:
        request = entry.get("request") or {}
        if entry.get("kind") != "llm" or request.get("role") != role.value:
            continue
        if not request.get("tools"):
            continue
        used = read_usage(entry.get("meta") or {})
        sent = used.input_tokens or tokens.estimate(request["messages"])
        total += sent + (used.output_tokens or 0)
    return total
