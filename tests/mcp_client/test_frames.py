"""Messages are found in whatever a server prints, and every byte is looked at once."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.mcp.exchange import OVERSIZED, UNREADABLE, Exchange
from intogen_agent.mcp.frames import Frames, Lost, messages

REPLY = {"jsonrpc": "2.0", "id": 3, "result": {"content": []}}
LINE = json.dumps(REPLY)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def read(data: bytes, limit: int = 1_000_000, step: int = 7) -> list[Any]:
    """Feed data in small pieces."""
    frames, found = Frames(limit), []
    for start in range(0, len(data), step):
        for line in frames.feed(data[start : start + step]):
            found += [line] if isinstance(line, Lost) else list(messages(line))
    return found


@given(value=VALUES, step=st.integers(1, 50), before=st.text(alphabet='{}[]": ,ab\\'))
def test_a_reply_is_found_behind_any_banner(value: Any, step: int, before: str) -> None:
    reply = {**REPLY, "result": {"value": value}}
    line = before.replace("\n", " ") + json.dumps(reply)
    found = [item for item in read(line.encode() + b"\n", step=step) if isinstance(item, dict)]
    sound = json.loads(json.dumps(reply).encode("utf-8", "replace"))
    if any(item == sound for item in found):
        return
    # A banner that opens a string or an object makes the whole line one text.
    assert "{" in before or '"' in before


@given(data=st.binary(max_size=300), step=st.integers(1, 40))
def test_no_bytes_break_the_reader(data: bytes, step: int) -> None:
    for item in read(data, limit=50, step=step):
        assert isinstance(item, dict | str | Lost)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (LINE, [REPLY]),
        (f"Welcome! {LINE}", [REPLY, "Welcome!"]),
        (f"{LINE}{LINE} bye", [REPLY, REPLY, "bye"]),
        (f"[{LINE}]", [REPLY]),
        ("Listening {on stdio}", ["Listening {on stdio}"]),
        ('{"level": "info"}', ['{"level": "info"}']),
        ("[1, 2]", ["[1, 2]"]),
        ("3", ["3"]),
        ("", []),
        ('got {"jsonrpc": "2.0", "id": 3, "method": "tools/call"} now', ["got  now"]),
        ('got {"jsonrpc": "2.0", "id": 3, "method": "tools/c', None),
    ],
)
def test_a_line_is_read_for_what_it_holds(line: str, found: list[Any] | None) -> None:
    got = read(line.encode() + b"\n")
    if found is None:
        assert all(isinstance(item, str) for item in got)
    else:
        assert got == found


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ('{"jsonrpc": "2.0", "id": 3, "result": {"con', 3),
        ('{"jsonrpc": "2.0", "id": "a-b", "error"', "a-b"),
        ('{"jsonrpc": "2.0", "result": {"id": 9, "x": [}, "id": 4}', 4),
    ],
)
def test_half_a_reply_is_one_that_is_lost(line: str, answers: int | str) -> None:
    assert read(line.encode() + b"\n") == [Lost(len(line), False, answers)]


@pytest.mark.parametrize("first", [True, False], ids=["id first", "id last"])
def test_a_reply_over_the_limit_is_lost_with_the_call_it_answers(first: bool) -> None:
    result = {"result": {"records": [{"id": n, "text": "x" * 40} for n in range(900)]}}
    reply = {"jsonrpc": "2.0", "id": 3, **result} if first else {**result, "id": 3, "jsonrpc": "2"}
    line = json.dumps(reply)
    assert read(line.encode() + b"\n" + LINE.encode() + b"\n", limit=10_000, step=999) == [
        Lost(len(line), True, 3),
        REPLY,
    ]


# The bookkeeping.


def exchange(*pending: int) -> Exchange:
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCRequest

    made = Exchange()
    for name in pending:
        request = JSONRPCRequest(jsonrpc="2.0", id=name, method="tools/call")
        made.sent(SessionMessage(request))
    return made


def outcomes(made: Exchange, message: Any) -> list[tuple[Any, Any]]:
    return [
        (reply.message.id, getattr(getattr(reply.message, "error", None), "code", None))
        for reply in made.received(message)
    ]


@pytest.mark.parametrize(
    ("lost", "pending", "found"),
    [
        (Lost(9, False, 2), (1, 2), [(2, UNREADABLE)]),
        (Lost(9, True, 2), (1, 2), [(2, OVERSIZED)]),
        (Lost(9, True, None), (1,), [(1, OVERSIZED)]),
        (Lost(9, True, 7), (1, 2), []),
        (Lost(9, False, 7), (1,), []),
        (Lost(9, True, None), (), []),
    ],
)
def test_a_lost_reply_ends_the_call_that_waits_for_it(
    lost: Lost, pending: tuple[int, ...], found: list[Any]
) -> None:
    assert outcomes(exchange(*pending), lost) == found


def test_a_server_that_answers_7_with_text_is_understood() -> None:
    reply = {"jsonrpc": "2.0", "id": "7", "result": {"content": []}}
    assert outcomes(exchange(7), reply) == [(7, None)]


def test_a_server_that_prints_what_it_reads_asks_nothing() -> None:
    echo = {"jsonrpc": "2.0", "id": 7, "method": "tools/call"}
    made = exchange(7)
    assert outcomes(made, echo) == []
    assert outcomes(made, {**REPLY, "id": 7}) == [(7, None)]


def test_a_reply_that_is_no_reply_is_an_error_of_its_call() -> None:
    nonsense = {"jsonrpc": "2.0", "id": 7, "result": 3, "error": 4}
    assert outcomes(exchange(7), nonsense) == [(7, UNREADABLE)]
    assert outcomes(exchange(), {"jsonrpc": "2.0", "nothing": 1}) == []
