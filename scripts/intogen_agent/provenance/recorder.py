"""The recorder: every call to a model or a tool goes through it and is on record.

A call's key covers everything that decides its answer: the model and its parameters or the
server and its arguments, the occurrence number of the same request within the stage, and the
request's `try`. A stage that starts again is answered from its journal until it comes to a call
that was never answered. A kill leaves every `try` as it is; a structured failure raises it for the
requests whose answers led to it, so that the next start asks these anew and pays for nothing else
twice. Refusals, errors and cut-off answers are recorded but never replayed.

With a `fresh` text only answers that were recorded under the same text count: everything is asked
anew once, and a killed stage still goes on where it was.
"""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from intogen_agent.files import digest
from intogen_agent.provenance.journal import Entry, Journal

CallKind = Literal["llm", "tool", "list"]
PREFIXES = {"llm": "m", "tool": "c", "list": "l"}
Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Performed:
    """What a call brought.

    Attributes:
        response: The raw response as JSON.
        replayable: Whether a restart may take it for the answer.
        meta: Facts beside the response: server or endpoint, outcome, attempts, usage.
    """

    response: Any
    replayable: bool
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recorded:
    """A call that is on record; `request` is the digest of what was asked."""

    id: str
    request: str
    response: Any
    meta: dict[str, Any]
    started: str
    seconds: float
    replayed: bool


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


class Recorder:
    """Wraps every call of one stage.

    Args:
        journal: The stage's open journal.
        stage: The stage's name.
        earlier: Entries of the stage's finished audit, used as a cache for unchanged calls.
        clock: The time of day for the record; it never enters a request.
        fresh: Only answers recorded under this text are used; empty: all are.
    """

    def __init__(
        self,
        journal: Journal,
        stage: str,
        earlier: Iterable[Entry] = (),
        clock: Clock = utc_now,
        fresh: str = "",
    ) -> None:
        self._journal = journal
        self._stage = stage
        self._clock = clock
        self._occurrences: Counter[str] = Counter()
        self._numbers: Counter[str] = Counter()
        self._fresh = fresh
        answered = [entry for entry in earlier if entry.get("replayable")]
        self._journalled = {e["key"]: e for e in journal.entries if self._counts(e)}
        self._earlier = {e["key"]: e for e in answered if self._counts(e)}
        self._tries: Counter[str] = Counter()
        for entry in answered:
            self._tries[entry["base"]] = max(self._tries[entry["base"]], entry["try"])
        for entry in journal.entries:
            if entry.get("event") == "failure":
                self._tries.update(set(entry["requests"]))
        self.used: list[Entry] = []

    def _counts(self, entry: Entry) -> bool:
        """Tell whether an entry may answer a call of this start."""
        if not entry.get("replayable"):
            return False
        return not self._fresh or entry.get("fresh", "") == self._fresh

    async def call(
        self,
        kind: CallKind,
        request: dict[str, Any],
        perform: Callable[[str], Awaitable[Performed]],
    ) -> Recorded:
        """Answer a request from the record, or perform it and record it.

        Args:
            kind: Whether a model, a tool, or a server's list of tools is asked for.
            request: Everything that decides the answer, as JSON; no clock, port or key.
            perform: Makes the call; it gets a client request id that is the same after a kill.
        """
        base = digest({"kind": kind, "request": request})
        self._occurrences[base] += 1
        self._numbers[kind] += 1
        name = f"{PREFIXES[kind]}{self._numbers[kind]}"
        key = digest([base, self._occurrences[base], self._tries[base]])
        entry = self._journalled.get(key)
        if entry is None and key in self._earlier:
            entry = {**self._earlier[key], "id": name, "replayed_from": "audit"}
            self._journal.append(entry)
        if entry is not None:
            entry = {**entry, "id": name}
            self.used.append(entry)
            return _recorded(entry, replayed=True)
        started, clock = self._clock(), time.monotonic()
        performed = await perform(digest([key, self._fresh]) if self._fresh else key)
        entry = {
            "key": key,
            "base": base,
            "id": name,
            "kind": kind,
            "stage": self._stage,
            "try": self._tries[base],
            "request": request,
            "response": performed.response,
            "replayable": performed.replayable,
            "meta": performed.meta,
            "started": started.isoformat(timespec="milliseconds"),
            "seconds": round(time.monotonic() - clock, 3),
        }
        if self._fresh:
            entry["fresh"] = self._fresh
        self._journal.append(entry)
        self.used.append(entry)
        return _recorded(entry, replayed=False)

    def failed(self, error: str, message: str, requests: Sequence[str] = ()) -> None:
        """Note a structured failure; the next start asks the requests that led to it anew."""
        self._journal.append(
            {
                "event": "failure",
                "stage": self._stage,
                "error": error,
                "message": message,
                "requests": sorted(set(requests)),
            }
        )


def _recorded(entry: Entry, *, replayed: bool) -> Recorded:
    return Recorded(
        id=entry["id"],
        request=entry["base"],
        response=entry["response"],
        meta=entry["meta"],
        started=entry["started"],
        seconds=entry["seconds"],
        replayed=replayed,
    )
