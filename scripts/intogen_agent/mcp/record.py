"""What the stage files keep of a tool call."""

from typing import Literal

from intogen_agent.models import Record


class ToolCallRecord(Record):
    """One tool call as the report's readers need it; the raw payload is in the audit file."""

    id: str
    server: str
    tool: str
    arguments: dict[str, object]
    outcome: Literal["content", "empty", "failed", "refused"]
    error: str | None = None
    started: str
    seconds: float
