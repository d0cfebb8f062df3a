"""Every call is on record, and what was answered is not asked again."""

import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import CallKind, Performed, Recorded, Recorder

REQUESTS = st.lists(st.sampled_from("abc"), max_size=7)


class World:
    """What is outside: it counts what it is asked, and no two of its answers are the same."""

    def __init__(self, outages: Iterable[int] = ()) -> None:
        self.asked: list[tuple[str, Any]] = []
        self._outages = set(outages)

    async def answer(self, request: Any, key: str) -> Performed:
        self.asked.append((key, request))
        number = len(self.asked)
        if number in self._outages:
            return Performed({"down": number}, False, {"outcome": "failed"})
        return Performed({"number": number, "to": request}, True, {"outcome": "content"})


@contextmanager
def start(
    folder: Path, earlier: Iterable[dict[str, Any]] = (), stage: str = "phase1"
) -> Iterator[Recorder]:
    """Start a stage: open its journal."""
    with Journal(folder / "journal.jsonl") as journal:
        yield Recorder(journal, stage, earlier)


def ask(recorder: Recorder, world: World, request: Any, kind: CallKind = "tool") -> Recorded:
    return asyncio.run(recorder.call(kind, {"q": request}, lambda key: world.answer(request, key)))


def ask_all(recorder: Recorder, world: World, requests: Iterable[str]) -> list[Recorded]:
    return [ask(recorder, world, request) for request in requests]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@settings(max_examples=40, deadline=None)
@given(requests=REQUESTS, data=st.data())
def test_a_stage_killed_at_any_byte_asks_only_what_was_not_answered(
    requests: list[str], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, world = Path(place), World()
        with start(folder) as recorder:
            first = ask_all(recorder, world, requests)
        path = folder / "journal.jsonl"
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)), label="bytes that reached the disk")
        path.write_bytes(whole[:cut])
        answered = whole[:cut].count(b"\n")
        with start(folder) as recorder:
            second = ask_all(recorder, world, requests)
        assert [c.response for c in second[:answered]] == [c.response for c in first[:answered]]
        assert [c.replayed for c in second] == [n < answered for n in range(len(requests))]
        assert len(world.asked) == len(requests) + len(requests) - answered
        assert [c.id for c in second] == [c.id for c in first]
        # The request id of a call is the same after a kill.
        keys = [key for key, _ in world.asked]
        assert keys[len(requests) :] == keys[answered : len(requests)]


@settings(max_examples=30, deadline=None)
@given(requests=REQUESTS, other=REQUESTS)
def test_the_same_requests_are_answered_in_order_by_occurrence(
    requests: list[str], other: list[str]
) -> None:
    """In whatever order a restarted stage asks, its n-th `a` gets the n-th answer to `a`."""
    with tempfile.TemporaryDirectory() as place:
        folder, world = Path(place), World()
        with start(folder) as recorder:
            first = ask_all(recorder, world, requests)
        with start(folder) as recorder:
            second = ask_all(recorder, world, other)
    for letter in "abc":
        before = [c.response for c, r in zip(first, requests, strict=True) if r == letter]
        after = [c.response for c, r in zip(second, other, strict=True) if r == letter]
        shared = min(len(before), len(after))
        assert after[:shared] == before[:shared]
        assert not any(response in before for response in after[shared:])


@settings(max_examples=30, deadline=None)
@given(requests=REQUESTS, outages=st.sets(st.integers(1, 7)))
def test_failures_are_recorded_and_asked_again(requests: list[str], outages: set[int]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, world = Path(place), World(outages)
        with start(folder) as recorder:
            first = ask_all(recorder, world, requests)
        failed = [call.meta["outcome"] == "failed" for call in first]
        with start(folder) as recorder:
            second = ask_all(recorder, World(), requests)
            journalled = len(recorder._journal.entries)
    assert [call.replayed for call in second] == [not down for down in failed]
    assert all(call.meta["outcome"] == "content" for call in second)
    assert journalled == len(requests) + sum(failed)


def test_a_structured_failure_asks_anew_what_led_to_it_and_nothing_else(folder: Path) -> None:
    world = World()
    with start(folder) as recorder:
        other, bad = ask_all(recorder, world, "ab")
        recorder.failed("llm_invalid", "no draft passed", [bad.request])
    with start(folder) as recorder:
        again_other, again_bad = ask_all(recorder, world, "ab")
        assert [entry["try"] for entry in recorder.used] == [0, 1]
    assert again_other.replayed and again_other.response == other.response
    assert not again_bad.replayed and again_bad.response != bad.response
    with start(folder) as recorder:
        third = ask_all(recorder, world, "ab")
    assert [call.response for call in third] == [other.response, again_bad.response]
    assert len(world.asked) == 3 == len({key for key, _ in world.asked})


def test_a_failure_that_no_answer_led_to_asks_nothing_anew(folder: Path) -> None:
    world = World()
    with start(folder) as recorder:
        ask(recorder, world, "a")
        recorder.failed("server_failed", "it was down")
    with start(folder) as recorder:
        assert ask(recorder, world, "a").replayed
    assert len(world.asked) == 1


def test_every_failure_raises_the_try(folder: Path) -> None:
    world = World()
    for expected in range(3):
        with start(folder) as recorder:
            first, second = ask_all(recorder, world, "aa")
            assert first.request == second.request
            assert [entry["try"] for entry in recorder.used] == [expected] * 2
            recorder.failed("llm_invalid", "x", [first.request, second.request])
    assert len(world.asked) == 6


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"model": "a"}, {"model": "b"}),
        ({"temperature": None}, {"temperature": 0}),
        ({"messages": ["x"]}, {"messages": ["x", "y"]}),
        ({"arguments": {"gene": "APC"}}, {"arguments": {"gene": "apc"}}),
    ],
)
def test_another_request_is_asked(folder: Path, one: Any, two: Any) -> None:
    world = World()
    with start(folder) as recorder:
        ask(recorder, world, one)
    with start(folder) as recorder:
        assert not ask(recorder, world, two).replayed
        assert ask(recorder, world, dict(reversed(one.items()))).replayed


def test_a_model_and_a_tool_asked_the_same_are_two_requests(folder: Path) -> None:
    world = World()
    with start(folder) as recorder:
        calls = [ask(recorder, world, "a", kind) for kind in ("llm", "tool", "list", "tool")]
    assert [call.id for call in calls] == ["m1", "c1", "l1", "c2"]
    assert len(world.asked) == 4


def test_keys_hold_no_clock(tmp_path: Path) -> None:
    def keys(day: int) -> list[str]:
        world = World()
        moment = datetime(2026, 11, day, tzinfo=UTC)
        with Journal(tmp_path / f"{day}.jsonl") as journal:
            recorder = Recorder(journal, "phase1", clock=lambda: moment + timedelta(hours=1))
            ask_all(recorder, world, "aba")
            started = recorder.used[0]["started"]
            assert started == f"2026-11-{day:02}T01:00:00.000+00:00"
        return [key for key, _ in world.asked]

    assert keys(1) == keys(2)


def test_calls_at_once_are_numbered_as_they_were_asked(folder: Path) -> None:
    async def perform(key: str, delay: float) -> Performed:
        await asyncio.sleep(delay)
        return Performed(delay, True)

    async def at_once(recorder: Recorder) -> list[Recorded]:
        delays = [0.03, 0.02, 0.01, 0.0]
        calls = [
            recorder.call("tool", {"q": "same"}, lambda key, d=delay: perform(key, d))  # type: ignore[misc]
            for delay in delays
        ]
        return list(await asyncio.gather(*calls))

    with start(folder) as recorder:
        first = asyncio.run(at_once(recorder))
    with start(folder) as recorder:
        second = asyncio.run(at_once(recorder))
    assert [call.id for call in first] == ["c1", "c2", "c3", "c4"]
    assert [call.response for call in first] == [0.03, 0.02, 0.01, 0.0]
    assert [call.response for call in second] == [0.03, 0.02, 0.01, 0.0]
    assert all(call.replayed for call in second)


def test_a_call_that_raises_leaves_nothing_on_record(folder: Path) -> None:
    async def broken(_: str) -> Performed:
        raise RuntimeError("a bug")

    with start(folder) as recorder:
        with pytest.raises(RuntimeError, match="a bug"):
            asyncio.run(recorder.call("tool", {"q": 1}, broken))
        assert recorder.used == []
    world = World()
    with start(folder) as recorder:
        assert not ask(recorder, world, "a").replayed


def test_what_is_used_has_the_ids_that_the_stage_was_told(folder: Path) -> None:
    world = World()
    with start(folder) as recorder:
        ask_all(recorder, world, "ab")
    with start(folder) as recorder:
        told = ask_all(recorder, world, "ba")
        assert [call.id for call in told] == ["c1", "c2"] == [e["id"] for e in recorder.used]


# The audit of a finished stage as a cache.


def audit(tmp_path: Path, requests: str, fail_first: bool = False) -> list[dict[str, Any]]:
    """Return the entries of a finished stage, which may have failed once over its first call."""
    place = tmp_path / "earlier"
    place.mkdir()
    if fail_first:
        with start(place) as recorder:
            call = ask(recorder, World(), "a")
            recorder.failed("llm_invalid", "x", [call.request])
    with start(place) as recorder:
        ask_all(recorder, World(), requests)
    with Journal(place / "journal.jsonl") as journal:
        return journal.entries


@pytest.mark.parametrize("fail_first", [False, True])
def test_unchanged_calls_of_a_finished_stage_are_not_made_again(
    tmp_path: Path, fail_first: bool
) -> None:
    earlier, world = audit(tmp_path, "aab", fail_first), World()
    with start(tmp_path, earlier) as recorder:
        calls = ask_all(recorder, world, "abac")
    assert [call.replayed for call in calls] == [True, True, True, False]
    assert [request for _, request in world.asked] == ["c"]
    # They are in the new journal too: the audit is replaced at the end.
    with start(tmp_path, earlier) as recorder:
        again = ask_all(recorder, world, "aba")
        assert all(call.replayed for call in again)
        assert [entry["replayed_from"] for entry in recorder.used] == ["audit"] * 3
    assert len(world.asked) == 1


def test_a_failure_after_a_finished_run_asks_anew(tmp_path: Path) -> None:
    earlier, world = audit(tmp_path, "ab", fail_first=True), World()
    with start(tmp_path, earlier) as recorder:
        first, other = ask_all(recorder, world, "ab")
        assert first.replayed and other.replayed
        recorder.failed("llm_invalid", "x", [first.request])
    with start(tmp_path, earlier) as recorder:
        again = ask_all(recorder, world, "ab")
        assert [call.replayed for call in again] == [False, True]
        assert [entry["try"] for entry in recorder.used] == [2, 0]


def test_failures_in_the_audit_are_not_replayed(tmp_path: Path) -> None:
    with start(tmp_path) as recorder:
        ask(recorder, World([1]), "a")
        earlier = list(recorder.used)
    (tmp_path / "journal.jsonl").unlink()
    with start(tmp_path, earlier) as recorder:
        assert not ask(recorder, World(), "a").replayed
