"""Which models answered for which role, and what it took."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from intogen_agent.provenance.attributes import Usage, read_usage, total_price
from intogen_agent.provenance.journal import Entry
from intogen_agent.provenance.models import RoleRecord


def recorded_price(meta: Mapping[str, Any]) -> float | None:
    """Return what a recorded call cost, in the currency of `llm.prices`; None if not known."""
    found = meta.get("intogen_agent.price")
    return None if found is None else float(found)


def sums(usages: Iterable[Usage], prices: Sequence[float | None]) -> dict[str, Any]:
    """Return the tokens and the price of several calls together, by their names in the record.

    Parts of the tokens and the price are None if they are known of no call.
    """
    total = Usage(0, 0)
    for usage in usages:
        total = total.plus(usage)
    return {**vars(total), "price": total_price(prices)}


def usage_by_role(entries: Iterable[Entry]) -> dict[str, RoleRecord]:
    """Sum up the model calls of journal entries by role: models, calls, tokens, price."""
    roles: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.get("kind") == "llm":
            roles.setdefault(entry["request"]["role"], []).append(entry)
    return {role: _role_record(own) for role, own in roles.items()}


def _role_record(entries: Sequence[Entry]) -> RoleRecord:
    last = entries[-1]["request"]
    metas = [entry["meta"] for entry in entries]
    answered = (meta.get("gen_ai.response.model") for meta in metas)
    return RoleRecord(
        provider=last["provider"],
        model=last["model"],
        answered_by=list(dict.fromkeys(name for name in answered if name)),
        calls=len(entries),
        **sums(map(read_usage, metas), list(map(recorded_price, metas))),
    )
