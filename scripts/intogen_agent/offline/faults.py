"""Faults on request: which there are, and when one is given.

What they do stands in `outages.py` (no answer of a model at all), `traits.py` (requests that a
server refuses) and `spoiling.py` (answers that are of no use).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from intogen_agent.errors import UserError

_FOREVER = 10**9
_SPEC = re.compile(r"(?P<kind>[a-z0-9-]+)(?::(?P<count>\d+)(?P<share>%?))?")


@dataclass(frozen=True)
class Kind:
    """A kind of fault.

    Attributes:
        number: Its number in the list of failures of docs/llm.md; 0 if it is not in it.
        concerns: The requests that it applies to.
        effect: What comes back.
        wires: The wires on which it can occur.
    """

    number: int
    concerns: str
    effect: str
    wires: str = "both"


_ANY = "any"
_CALLS = "answered with calls"
_STRUCTURED = "answered with JSON"
_TOOLS = "with tools"

KINDS: Mapping[str, Kind] = {
    "bad-arguments": Kind(1, _CALLS, "the first call's arguments are cut off"),
    "list-arguments": Kind(1, _CALLS, "the first call's arguments are an array"),
    "same-ids": Kind(2, _CALLS, "every call, of every turn, has the id `call_0`"),
    "no-ids": Kind(2, _CALLS, "calls have an empty id, or none"),
    "empty": Kind(5, _ANY, "an empty text, or none"),
    "reasoning-only": Kind(5, _ANY, "the text stands in the field for reasoning only"),
    "truncated": Kind(6, _STRUCTURED, "the text is cut in half at the limit on output tokens"),
    "reasoning-length": Kind(6, _ANY, "reasoning has used up the limit; no text"),
    "refusal": Kind(7, _ANY, "the model refuses"),
    "content-filter": Kind(7, _ANY, "a content filter has stopped the answer"),
    "content-filter-400": Kind(7, _ANY, "HTTP 400 of a content filter, in Azure's words"),
    "context": Kind(8, _ANY, "HTTP 400, the prompt is too long, in five servers' words in turn"),
    "silent-truncation": Kind(9, _ANY, "the usage admits to a third of the prompt"),
    "quota": Kind(10, _ANY, "HTTP 429 `insufficient_quota`"),
    "429": Kind(11, _ANY, "HTTP 429 with `Retry-After: 0`"),
    "429-date": Kind(11, _ANY, "HTTP 429 with a date in the past as `Retry-After`"),
    "429-long": Kind(11, _ANY, "HTTP 429 with `Retry-After: 100000`"),
    "slow": Kind(12, _ANY, "no answer until the client goes away"),
    "stream": Kind(13, _ANY, "a stream that nobody asked for, and that ends early"),
    "error-200": Kind(14, _ANY, "HTTP 200 with an error body, in three forms in turn"),
    "no-choices": Kind(14, _ANY, "`choices` (`output`) is null, or empty (absent)"),
    "html": Kind(15, _ANY, "HTTP 200 with an HTML page"),
    "half-body": Kind(15, _ANY, "the connection ends in the middle of the body"),
    "empty-body": Kind(15, _ANY, "HTTP 200 without a body"),
    "no-temperature": Kind(16, "with a temperature other than 1", "HTTP 400"),
    "no-max-completion-tokens": Kind(17, "with `max_completion_tokens`", "HTTP 400", "chat"),
    "no-max-tokens": Kind(17, "with `max_tokens`", "HTTP 400", "chat"),
    "no-tools-with-reasoning": Kind(18, _TOOLS, "HTTP 400, whatever the effort", "chat"),
    "no-json-schema": Kind(20, "with a `json_schema` format", "HTTP 400 in DeepSeek's words"),
    "no-json-object": Kind(20, "with a `json_object` format", "HTTP 400"),
    "json-schema-ignored": Kind(20, "with a `json_schema` format", "prose (21 on Responses)"),
    "no-tool-choice": Kind(22, "with a `tool_choice` other than `auto`", "HTTP 400"),
    "tool-choice-ignored": Kind(22, "with a call required or named", "prose and no call"),
    "call-as-text": Kind(23, _CALLS, "the first call as text, in four forms in turn"),
    "call-as-prose": Kind(23, _CALLS, "text that looks like a call of a tool not offered"),
    "no-null-content": Kind(24, "with a turn whose content is null", "HTTP 400", "chat"),
    "no-empty-content": Kind(24, "with a turn whose content is empty", "HTTP 400", "chat"),
    "unknown-tool": Kind(26, _CALLS, "the first call names a tool that was not offered"),
    "grammar": Kind(28, "with a tool schema of long bounds, patterns or empty objects", "HTTP 400"),
    "one-system-message": Kind(
        29, "with a developer message, or a system message that is not the first", "HTTP 400"
    ),
    "no-system": Kind(29, "with a system message", "HTTP 400"),
    "401": Kind(0, _ANY, "HTTP 401 `invalid_api_key`"),
    "error-500": Kind(0, _ANY, "HTTP 500 to 503, in four forms in turn"),
    "bad-json": Kind(0, _STRUCTURED, "prose and broken JSON"),
    "no-tools": Kind(0, _TOOLS, "HTTP 400 in Ollama's words"),
    "no-seed": Kind(0, "with a seed", "HTTP 400, or 422 in FastAPI's words", "chat"),
    "no-reasoning-effort": Kind(0, "with a reasoning effort", "HTTP 400, or 422"),
    "no-service-tier": Kind(0, "with a service tier", "HTTP 400, or 422"),
    "no-prompt-cache-key": Kind(0, "with a prompt cache key", "HTTP 400, or 422"),
    "no-store": Kind(0, "with `store`", "HTTP 400, or 422"),
    "no-include": Kind(0, "with `include`", "HTTP 400, or 422", "responses"),
}


@dataclass
class Faults:
    """The faults to give.

    Attributes:
        left: How often each kind is still given.
        shares: The share of requests that a kind is given to, in percent.
        given: How often each kind was given.
    """

    left: dict[str, int] = field(default_factory=dict)
    shares: dict[str, int] = field(default_factory=dict)
    given: Counter[str] = field(default_factory=Counter)
    _met: Counter[str] = field(default_factory=Counter)

    def wanted(self, kind: str) -> bool:
        """Say whether a kind may still be given."""
        return kind in self.shares or self.left.get(kind, 0) > 0

    def take(self, kind: str) -> bool:
        """Say whether the request at hand, which a kind applies to, gets the fault."""
        if kind in self.shares:
            self._met[kind] += 1
            # By chance, yet the same chance in every run.
            drawn = hashlib.sha256(f"{kind} {self._met[kind]}".encode()).digest()
            hit = int.from_bytes(drawn[:4], "big") % 100 < self.shares[kind]
        else:
            hit = self.wanted(kind)
            if hit:
                self.left[kind] -= 1
        if hit:
            self.given[kind] += 1
        return hit

    def turn(self, kind: str, forms: int) -> int:
        """Return which of its forms a fault has that was just taken; they come in turn."""
        return (self.given[kind] - 1) % forms


def parse(specs: list[str]) -> Faults:
    """Read `--fault NAME`, `NAME:N` or `NAME:P%`; without N every request has the fault.

    Raises:
        UserError: The name is unknown, or N or P is no number.
    """
    faults = Faults()
    for spec in specs:
        match = _SPEC.fullmatch(spec)
        if match is None or (match["share"] and int(match["count"]) > 100):
            raise UserError(f"--fault '{spec}': write NAME, NAME:N or NAME:P%")
        kind, count = match["kind"], match["count"]
        if kind not in KINDS:
            raise _unknown(spec, kind)
        if match["share"]:
            faults.shares[kind] = int(count)
        else:
            faults.left[kind] = int(count) if count else _FOREVER
    return faults


def _unknown(spec: str, kind: str) -> UserError:
    # Every job starts a server; only a slip pays for this import.
    import difflib

    near = difflib.get_close_matches(kind, KINDS, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return UserError(f"--fault '{spec}': no such fault; {meant}--help lists them")


def table() -> str:
    """Return the faults as lines for people: number, name, requests, effect, wires."""
    lines = []
    for name, kind in KINDS.items():
        number = str(kind.number) if kind.number else "-"
        wires = "" if kind.wires == "both" else f" ({kind.wires} only)"
        lines.append(f"  {number:>2}  {name:<25} {kind.concerns}: {kind.effect}{wires}")
    return "\n".join(lines)
