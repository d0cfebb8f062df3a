"""Which models answered for which role, and what it took."""

from collections import defaultdict
from typing import Any


def usage_by_role(entries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Sum up the model calls of journal entries by role: models, calls, tokens."""
    roles: dict[str, dict[str, Any]] = defaultdict(
        lambda: {"answered_by": [], "calls": 0, "input_tokens": 0, "output_tokens": 0}
    )
    for entry in entries:
        if entry.get("kind") != "llm":
            continue
        request, meta = entry["request"], entry["meta"]
        role = roles[request["role"]]
        role["provider"], role["model"] = request["provider"], request["model"]
        role["calls"] += 1
        usage = meta.get("usage") or {}
        role["input_tokens"] += usage.get("input_tokens") or 0
        role["output_tokens"] += usage.get("output_tokens") or 0
        answered = meta.get("answered_by")
        if answered and answered not in role["answered_by"]:
            role["answered_by"].append(answered)
    return dict(roles)
