"""Faults on request: what clients must survive, for tests."""

import re
from dataclasses import dataclass, field, replace

from intogen_agent.errors import UserError
from intogen_agent.offline.composer import Reply

KINDS = ("429", "truncated", "bad-json")
_FOREVER = 10**9
_SPEC = re.compile(r"(?P<kind>[a-z0-9-]+)(?::(?P<count>\d+))?")


@dataclass
class Faults:
    """The faults that are left to give, by kind."""

    left: dict[str, int] = field(default_factory=dict)

    def take(self, kind: str) -> bool:
        """Use up one fault of a kind; False when none is left."""
        if self.left.get(kind, 0) <= 0:
            return False
        self.left[kind] -= 1
        return True


def parse(specs: list[str]) -> Faults:
    """Read `--fault KIND[:N]`; without N every request has the fault.

    Raises:
        UserError: The kind is unknown or N is no number.
    """
    faults = Faults()
    for spec in specs:
        match = _SPEC.fullmatch(spec)
        if match is None or match["kind"] not in KINDS:
            raise UserError(
                f"--fault '{spec}': write KIND or KIND:N, KIND one of {', '.join(KINDS)}"
            )
        faults.left[match["kind"]] = int(match["count"]) if match["count"] else _FOREVER
    return faults


def spoil(reply: Reply, faults: Faults) -> tuple[Reply, bool]:
    """Cut off or break a structured answer if a fault is left; say whether it was cut off."""
    if reply.text is None or not reply.text.startswith("{"):
        return reply, False
    if faults.take("truncated"):
        return replace(reply, text=reply.text[: max(1, len(reply.text) // 2)]), True
    if faults.take("bad-json"):
        return replace(reply, text=f"Here is the JSON: {reply.text[:-1]},"), False
    return reply, False
