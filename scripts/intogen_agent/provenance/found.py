"""What a run finds out about its surroundings: servers, tools, models, the store."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from intogen_agent.provenance.journal import Entry
from intogen_agent.provenance.record import tools


def surroundings(entries: Sequence[Entry], models: Path) -> dict[str, Any]:
    """Return who answered a journey's calls.

    Args:
        entries: The calls of the journey.
        models: The folder in which the run keeps what its models can do.

    Returns:
        `store`: digests of the store's records; `servers`: by name, as they call themselves, and
        their tools; `tools`: by name, the servers that were asked; `routing`: the servers' tools
        behind the logical ones, by stage; `models`: by `provider/model`, the file and the profile.
    """
    listed = [entry for entry in entries if entry.get("kind") == "list"]
    asked = {
        (entry["request"]["tool"], entry["request"]["server"])
        for entry in entries
        if entry.get("kind") == "tool"
    }
    return {
        "store": sorted({word for entry in listed for word in _stores(entry["request"])}),
        "servers": {
            name: _server([entry for entry in listed if entry["request"]["server"] == name])
            for name in sorted({entry["request"]["server"] for entry in listed})
        },
        "tools": {
            tool: sorted(server for name, server in asked if name == tool)
            for tool in sorted({tool for tool, _ in asked})
        },
        "routing": {
            stage: {logical: [behind] for logical, behind in routes.items()}
            for stage, routes in tools(entries).items()
        },
        "models": _profiles(entries, models),
    }


def _stores(request: dict[str, Any]) -> list[str]:
    """Return the store's identity, which stands in a server's command for the store's path."""
    words = [word for word in request["command"] if word.startswith("store=")]
    return [word.removeprefix("store=") for word in words]


def _server(listed: Sequence[Entry]) -> dict[str, Any]:
    answers = [entry["response"] for entry in listed]
    return {
        "calls_itself": sorted({answer["server"] for answer in answers}),
        "tools": sorted({tool["name"] for answer in answers for tool in answer["tools"]}),
    }


def _profiles(entries: Sequence[Entry], folder: Path) -> dict[str, Any]:
    used = {
        (entry["request"]["provider"], entry["request"]["model"])
        for entry in entries
        if entry.get("kind") == "llm"
    }
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            kept = json.loads(path.read_bytes())
            if (kept["provider"], kept["model"]) in used:
                found[f"{kept['provider']}/{kept['model']}"] = {
                    "file": f"_run/models/{path.name}",
                    "profile": kept["profile"],
                }
        except (ValueError, KeyError, TypeError):
            continue
    return found
