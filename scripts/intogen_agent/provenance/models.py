"""`provenance.json`: the merged record of a pair's whole journey."""

from typing import Any

from pydantic import Field

from intogen_agent.models import Record, StageFile


class CallRecord(Record):
    """One call to a model, a tool or a server's list of tools.

    Attributes:
        id: `m1` (model), `c1` (tool), `l1` (list of tools), numbered within the stage.
        to: The model that was asked, or `server/tool`.
        role: The agent's role, for model calls.
        seconds: Wall-clock duration.
        cached_tokens: The part of the input that came from the provider's cache.
        reasoning_tokens: The part of the output that the model kept to itself.
        price: In the currency of `llm.prices`, at the prices of the time; None if not known.
        replayed_from: `audit` when an unchanged call was answered by an earlier run of the stage.
        attributes: More of a model call, by OpenTelemetry's names; messages as digests only.
    """

    stage: str
    id: str
    kind: str
    to: str
    role: str | None = None
    arguments: dict[str, object] | None = None
    outcome: str
    attempts: int = 1
    started: str
    seconds: float
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    price: float | None = None
    replayed_from: str | None = None
    attributes: dict[str, Any] = Field(default_factory=dict)


class Phase(Record):
    """A stage's boundaries in time, its fingerprint and what it took.

    Attributes:
        cached_tokens: A part of the input; None if no server says.
        reasoning_tokens: A part of the output; None if no server says.
        price: Of the calls whose price is known; None if there is none.
    """

    stage: str
    fingerprint: str
    started: str | None
    ended: str | None
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    price: float | None = None


class RoleRecord(Record):
    """What one agent role used over the journey; sums as in `Phase`."""

    provider: str
    model: str
    answered_by: list[str] = Field(default_factory=list)
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    price: float | None = None


class Provenance(StageFile):
    """`provenance.json`.

    Attributes:
        servers: MCP servers by name, as they called themselves.
        tools: The server's tool behind each logical one, by stage: `server/tool`.
        config: The configuration snapshot of the run (`results/_run/config/...`).
    """

    phases: list[Phase]
    roles: dict[str, RoleRecord]
    servers: dict[str, str]
    tools: dict[str, dict[str, str]] = Field(default_factory=dict)
    critic_iterations: int
    style_iterations: int
    refinement_used_tools: bool
    unresolved: list[str]
    config: str
    calls: list[CallRecord]
