"""What the stage files keep of a tool call."""

from typing import Literal

from intogen_agent.models import Record


class ToolCallRecord(Record):
    """One tool call as the report's readers need it; the raw payload is in the audit file.

    Attributes:
        tool: The server's own tool; of a refused call, the name that the model wrote.
        arguments: What was sent to it; of a refused call, what the model wrote.
        logical: The logical tool (`mcp.logical`) that it answers for.
    """

    id: str
    server: str
    tool: str
    arguments: dict[str, object]
    outcome: Literal["content", "empty", "failed", "refused"]
    error: str | None = None
    started: str
    seconds: float
    logical: str | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The names under which a citation may name the tool (`TOOL:article_search`)."""
        return (self.tool,) if self.logical is None else (self.logical, self.tool)
