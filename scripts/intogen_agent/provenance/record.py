"""Building `provenance.json` from the calls on record."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from intogen_agent.provenance.attributes import Usage, read_usage
from intogen_agent.provenance.journal import Entry
from intogen_agent.provenance.models import CallRecord, Phase
from intogen_agent.provenance.usage import recorded_price, sums

# Names of what is recorded of a model call besides its messages.
ATTRIBUTES = ("gen_ai.", "openai.", "server.", "error.type", "intogen_agent.")


def call_records(entries: Iterable[Entry]) -> list[CallRecord]:
    """Return the calls of journal entries without their payloads."""
    return [_call(entry) for entry in entries if "kind" in entry]


def _call(entry: Entry) -> CallRecord:
    request, meta = entry["request"], entry["meta"]
    asked: dict[str, Any]
    if entry["kind"] == "llm":
        asked = {"to": f"{request['provider']}/{request['model']}", "role": request["role"]}
    else:
        tool = request.get("tool", "tools/list")
        asked = {"to": f"{request['server']}/{tool}", "arguments": request.get("arguments")}
    return CallRecord(
        stage=entry["stage"],
        id=entry["id"],
        kind=entry["kind"],
        outcome=str(meta.get("outcome") or "content"),
        attempts=len(meta["attempts"]) if "attempts" in meta else 1,
        started=entry["started"],
        seconds=entry["seconds"],
        **vars(read_usage(meta)),
        price=recorded_price(meta),
        replayed_from=entry.get("replayed_from"),
        attributes={key: value for key, value in meta.items() if key.startswith(ATTRIBUTES)},
        **asked,
    )


def phases(calls: Sequence[CallRecord], fingerprints: dict[str, str]) -> list[Phase]:
    """Return each stage's boundaries in time, calls and tokens.

    Args:
        calls: The calls of the journey.
        fingerprints: Fingerprints by stage, in the order of the journey.
    """
    found = []
    for stage, fingerprint in fingerprints.items():
        own = [call for call in calls if call.stage == stage]
        started = [call.started for call in own]
        ended = [_end(call) for call in own]
        found.append(
            Phase(
                stage=stage,
                fingerprint=fingerprint,
                started=min(started, default=None),
                ended=max(ended, default=None),
                calls=len(own),
                **sums(map(_usage, own), [call.price for call in own]),
            )
        )
    return found


def _usage(call: CallRecord) -> Usage:
    return Usage(call.input_tokens, call.output_tokens, call.cached_tokens, call.reasoning_tokens)


def _end(call: CallRecord) -> str:
    end = datetime.fromisoformat(call.started) + timedelta(seconds=call.seconds)
    return end.isoformat(timespec="milliseconds")


def tools(entries: Iterable[Entry]) -> dict[str, dict[str, str]]:
    """Return which server's tool stood behind each logical tool, by stage: `server/tool`.

    Of the servers of a stage, the first that has a tool answers it.
    """
    found: dict[str, dict[str, str]] = {}
    for entry in entries:
        if entry.get("kind") == "list":
            stage = found.setdefault(entry["stage"], {})
            for logical, native in entry["meta"].get("serves", {}).items():
                stage.setdefault(logical, f"{entry['request']['server']}/{native}")
    return found


def servers(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the MCP servers of a journey, as they called themselves."""
    return {
        entry["request"]["server"]: entry["response"]["server"]
        for entry in entries
        if entry.get("kind") == "list"
    }
