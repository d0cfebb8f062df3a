"""Quota, patience, deadlines, broken bodies, keys and the record, over a real socket."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from acts import ask, ask_with_tool, failed
from scripted_server import (
    SYSTEM,
    Ran,
    Reply,
    error,
    message,
    run,
    tool_call,
    tool_calls,
)

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind

pytestmark = pytest.mark.usefixtures("api")


def attempts(ran: Ran) -> list[str]:
    found: list[str] = ran.entries[-1]["meta"]["attempts"]
    return found


@pytest.mark.parametrize(
    "reply",
    [
        error(429, code="insufficient_quota", message="You exceeded your current quota"),
        error(429, type="insufficient_quota", message="no"),
        error(429, code="billing_hard_limit_reached", message="no"),
        error(403, message="You exceeded your current quota, please check your plan"),
    ],
)
def test_an_empty_purse_is_asked_only_once(tmp_path: Path, reply: Reply) -> None:
    ran = run(tmp_path, [reply], ask)
    assert failed(ran).kind is FailureKind.QUOTA
    assert len(ran.requests) == 1 and ran.waits == []


def test_a_refused_key_is_asked_only_once(tmp_path: Path) -> None:
    ran = run(tmp_path, [error(401, message="Incorrect API key provided: sk-12")], ask)
    assert failed(ran).kind is FailureKind.AUTHENTICATION
    assert "HTTP 401" in failed(ran).message and "sk-12" not in failed(ran).message
    assert len(ran.requests) == 1


def test_a_key_without_access_is_told_what_to(tmp_path: Path) -> None:
    ran = run(tmp_path, [error(403, message="Project has no access to model m")], ask)
    assert failed(ran).kind is FailureKind.AUTHENTICATION
    assert "no access to model m" in failed(ran).message and len(ran.requests) == 1


@pytest.mark.parametrize(("asked", "waited"), [("17", 17), ("9.5", 9.5)])
def test_retry_after_is_obeyed(tmp_path: Path, asked: str, waited: float) -> None:
    busy = error(429, {"Retry-After": asked}, message="slow down")
    ran = run(tmp_path, [busy, busy, message("now")], ask)
    assert isinstance(ran.value, Answer)
    assert ran.waits == [waited, waited]
    assert attempts(ran) == ["throttled", "throttled", "answer"]


@pytest.mark.parametrize("asked", ["0", "-3", "nan", "Mon, 01 Jan 99999999999 00:00:00 GMT"])
def test_a_server_that_asks_for_no_wait_gets_one(tmp_path: Path, asked: str) -> None:
    busy = error(429, {"Retry-After": asked}, message="slow down")
    ran = run(tmp_path, [busy, busy, message("now")], ask)
    assert isinstance(ran.value, Answer)
    assert all(0 < wait <= 8 for wait in ran.waits)


@pytest.mark.parametrize("header", [{}, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}])
def test_without_seconds_the_waits_are_capped_exponential(
    tmp_path: Path, header: dict[str, str]
) -> None:
    ran = run(tmp_path, [error(429, header, message="slow down")], ask)
    assert failed(ran).kind is FailureKind.THROTTLED
    assert len(ran.requests) == 4 and len(ran.waits) == 3
    assert all(0 <= wait <= cap for wait, cap in zip(ran.waits, [1, 2, 4], strict=True))


def test_a_server_that_asks_for_more_than_the_deadline_is_not_waited_for(
    tmp_path: Path,
) -> None:
    ran = run(tmp_path, [error(503, {"Retry-After": "3600"}, message="maintenance")], ask)
    assert failed(ran).kind is FailureKind.TRANSPORT and "maintenance" in failed(ran).message
    assert len(ran.requests) == 1 and ran.waits == []


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_passing_errors_are_tried_again(tmp_path: Path, status: int) -> None:
    ran = run(tmp_path, [error(status, message="later"), message("now")], ask)
    assert isinstance(ran.value, Answer) and len(ran.requests) == 2
    ids = {request.headers["x-client-request-id"] for request in ran.requests}
    assert len(ids) == 1


@pytest.mark.parametrize("status", [400, 404, 405, 422])
def test_lasting_errors_are_not_tried_again(tmp_path: Path, status: int) -> None:
    ran = run(tmp_path, [error(status, message="no such model")], ask)
    assert failed(ran).kind is FailureKind.REJECTED
    assert failed(ran).message == f"HTTP {status}: no such model"
    assert len(ran.requests) == 1


def test_a_slow_server_costs_its_attempts_and_no_more(tmp_path: Path) -> None:
    slow = message("late")
    slow.delay = 5
    begun = time.monotonic()
    ran = run(tmp_path, [slow], ask, retry={"request_timeout": 0.3, "attempts": 2})
    assert failed(ran).kind is FailureKind.TIMEOUT and attempts(ran) == ["timeout", "timeout"]
    assert len(ran.requests) == 2
    assert time.monotonic() - begun < 4


def test_one_deadline_over_all_attempts(tmp_path: Path) -> None:
    slow = message("late")
    slow.delay = 5
    begun = time.monotonic()
    ran = run(
        tmp_path,
        [error(500, message="x"), slow],
        ask,
        retry={"request_timeout": 9, "call_deadline": 0.6, "first_wait": 0.01},
    )
    assert failed(ran).kind is FailureKind.TIMEOUT
    assert failed(ran).message == "no answer within 0.6 s (attempts before: transport)"
    assert time.monotonic() - begun < 4


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "upstream is down"}},
        {"error": "upstream is down"},
        {"id": "x", "choices": None},
        {"id": "x", "choices": []},
        {"id": "x"},
        {"choices": [None]},
        {"choices": {}},
        b"<!DOCTYPE html><html>504 Gateway</html>",
        b"",
        b"null",
        b'{"id": "x", "choi',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_body_without_an_answer_is_a_passing_fault(tmp_path: Path, body: Any) -> None:
    ran = run(tmp_path, [Reply(body)], ask)
    assert failed(ran).kind is FailureKind.TRANSPORT
    assert len(ran.requests) == 4
    assert isinstance(run(tmp_path, [Reply(body), message("now")], ask).value, Answer)


@pytest.mark.parametrize("body", [{"choices": [{"message": None}]}, {"choices": [{}]}, b"[]", b"3"])
def test_an_answer_of_another_shape_is_invalid(tmp_path: Path, body: Any) -> None:
    ran = run(tmp_path, [Reply(body)], ask)
    assert failed(ran).kind is FailureKind.INVALID


@pytest.mark.parametrize("body", [b"<html>Bad Gateway</html>", b"", b"null", {"detail": "gone"}])
def test_an_error_page_is_an_error(tmp_path: Path, body: Any) -> None:
    ran = run(tmp_path, [Reply(body, 502), message("now")], ask)
    assert isinstance(ran.value, Answer) and attempts(ran) == ["transport", "answer"]


@pytest.mark.parametrize("cut", [0, 20])
def test_a_connection_that_breaks_is_tried_again(tmp_path: Path, cut: int) -> None:
    broken = message("never whole")
    broken.cut = cut
    ran = run(tmp_path, [broken, message("now")], ask)
    assert isinstance(ran.value, Answer) and attempts(ran) == ["transport", "answer"]


def test_a_server_that_is_not_there_is_unreachable(tmp_path: Path) -> None:
    ran = run(tmp_path, [message("x")], ask, provider={"base_url": "http://127.0.0.1:9/v1"})
    assert failed(ran).kind is FailureKind.TRANSPORT
    assert failed(ran).message.startswith("no connection")
    assert attempts(ran) == ["transport"] * 4


def test_text_that_cannot_be_written_is_mended_on_the_way_in(tmp_path: Path) -> None:
    ran = run(tmp_path, [message("half \ud83d and more")], ask)
    assert ran.value.text == "half \ufffd and more"
    assert "half \ufffd and more" in ran.journal


KEY = "sk-test-0123456789"


def test_a_key_goes_to_the_server_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", KEY)
    echo = error(400, message=f"Received API Key = {KEY} in request")
    provider = {"api_key_env": "TEST_LLM_KEY"}
    ran = run(tmp_path, [echo], ask, provider=provider)
    assert ran.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert failed(ran).message == "HTTP 400: Received API Key = [key] in request"
    assert KEY not in ran.journal
    answered = run(tmp_path, [message(f"Your key is {KEY}")], ask, provider=provider)
    assert KEY not in answered.journal


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_fails_the_stage_and_names_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    if value is None:
        monkeypatch.delenv("TEST_LLM_KEY", raising=False)
    else:
        monkeypatch.setenv("TEST_LLM_KEY", value)
    with pytest.raises(
        StageFailure, match=r"llm\.providers\.test: .*export TEST_LLM_KEY="
    ) as failure:
        run(tmp_path, [message("x")], ask, provider={"api_key_env": "TEST_LLM_KEY"})
    assert failure.value.error is ErrorClass.LLM_AUTHENTICATION


def test_a_server_of_this_machine_is_not_asked_through_a_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert isinstance(run(tmp_path, [message("direct")], ask).value, Answer)


@pytest.mark.parametrize("api", ["chat"], indirect=True)
def test_other_servers_are_asked_through_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    ran = run(
        tmp_path,
        [message("through the proxy")],
        ask,
        provider={"base_url": "http://gpu01.test/v1"},
        before=lambda server: monkeypatch.setenv("HTTP_PROXY", server.url.removesuffix("/v1")),
    )
    assert isinstance(ran.value, Answer)
    assert ran.requests[0].path == "http://gpu01.test/v1/chat/completions"


def test_failures_are_on_record_but_asked_again_after_a_restart(tmp_path: Path) -> None:
    first = run(tmp_path, [error(429, code="insufficient_quota", message="no")], ask)
    assert failed(first).kind is FailureKind.QUOTA and first.entries[0]["replayable"] is False
    second = run(tmp_path, [message("paid")], ask)
    assert isinstance(second.value, Answer) and len(second.requests) == 1
    third = run(tmp_path, [message("never asked")], ask)
    assert third.value == second.value and third.requests == []


def test_tool_calls_are_replayed_as_they_were(tmp_path: Path) -> None:
    calls = tool_calls(tool_call("gene_getter", '{"gene": "APC"}', id=""), content="Hm.")
    first = run(tmp_path, [calls], ask_with_tool)
    again = run(tmp_path, [message("never asked")], ask_with_tool)
    assert again.value == first.value and again.requests == []


@pytest.mark.parametrize(
    "reply", [message(None, refusal="no"), message("cut", "length"), message(""), Reply(b"")]
)
def test_refusals_and_cut_off_answers_are_not_replayed(tmp_path: Path, reply: Reply) -> None:
    first = run(tmp_path, [reply], ask, nudges=0)
    assert isinstance(first.value, Failed)
    assert isinstance(run(tmp_path, [message("better")], ask, nudges=0).value, Answer)


def test_requests_are_recorded_without_clock_port_or_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", KEY)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = run(tmp_path / "a", [message("x")], ask)
    two = run(tmp_path / "b", [message("y")], ask, provider={"api_key_env": "TEST_LLM_KEY"})
    assert one.entries[0]["request"] == two.entries[0]["request"]
    assert one.entries[0]["key"] == two.entries[0]["key"]
    assert "127.0.0.1" not in json.dumps(one.entries[0]["request"])
    assert one.entries[0]["request"]["messages"][0] == SYSTEM
