"""What servers get wrong, over a real socket and with the real OpenAI client."""

import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_server import (
    QUESTION,
    SYSTEM,
    Ran,
    Reply,
    error,
    message,
    run,
    tool_call,
    tool_calls,
)

from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.llm.attributes import read_usage
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls, Usage
from intogen_agent.mcp.schema import function_tool

TOOL = function_tool("gene_getter", "Gets a gene.", {"properties": {"gene": {"type": "string"}}})
Act = Callable[[Models], Awaitable[Any]]

pytestmark = pytest.mark.usefixtures("api")


async def ask(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


async def ask_with_tool(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])


def failed(ran: Ran) -> Failed:
    assert isinstance(ran.value, Failed)
    return ran.value


def attempts(ran: Ran) -> list[str]:
    found: list[str] = ran.entries[-1]["meta"]["attempts"]
    return found


# What goes right.


def test_an_answer_is_an_answer_and_on_record(tmp_path: Path) -> None:
    ran = run(tmp_path, [message("Because.")], ask)
    request_digest = ran.entries[0]["base"]
    assert isinstance(ran.value, Answer)
    assert (ran.value.text, ran.value.request) == ("Because.", request_digest)
    meta = ran.entries[0]["meta"]
    assert meta["gen_ai.response.model"] == "served-1"
    assert meta["outcome"] == "answer" and meta["attempts"] == ["answer"]
    assert read_usage(meta) == Usage(11, 5, 3, 2)
    (request,) = ran.requests
    assert request.body == {"model": "asked-1", "messages": QUESTION}
    assert request.headers["x-client-request-id"] == ran.entries[0]["key"]


@pytest.mark.parametrize("api", ["chat"], indirect=True)
def test_parameters_go_out_under_the_names_of_the_server(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        [message("x")],
        ask_with_tool,
        capabilities={"max_tokens_field": "max_tokens"},
        roles={"summarizer": {"model": "small", "temperature": 0, "max_output_tokens": 7}},
    )
    body = ran.requests[0].body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0, 7)
    assert body["tools"] == [TOOL] and "tool_choice" not in body and "stream" not in body


def test_more_tools_than_servers_take_are_not_sent(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL] * 129)

    ran = run(tmp_path, [message("x")], act)
    assert failed(ran).kind is FailureKind.REJECTED and "129 tools" in failed(ran).message
    assert ran.requests == []


# Malformed arguments.


@pytest.mark.parametrize(
    "raw",
    ['{"gene": "AP', "{gene: APC}", '["APC"]', '"APC"', "3", "null", "{}{}", "<x>", "[" * 9999],
)
def test_arguments_that_are_no_object_are_never_taken_for_empty_ones(
    tmp_path: Path, raw: str
) -> None:
    ran = run(tmp_path, [tool_calls(tool_call("gene_getter", raw))], ask_with_tool)
    assert isinstance(ran.value, ToolCalls)
    (call,) = ran.value.calls
    assert call.arguments is None
    assert call.problem is not None and "JSON" in call.problem and "\n" not in call.problem


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ('{"gene": "APC"}', {"gene": "APC"}),
        ({"gene": "APC"}, {"gene": "APC"}),
        ("", {}),
        (None, {}),
        ("{}", {}),
        ('{"size": NaN, "gene": "x\\ud83d"}', {"size": None, "gene": "x\ufffd"}),
    ],
)
def test_sound_arguments_are_read_whatever_form_they_come_in(
    tmp_path: Path, raw: Any, arguments: dict[str, Any]
) -> None:
    ran = run(tmp_path, [tool_calls(tool_call("gene_getter", raw))], ask_with_tool)
    assert ran.value.calls[0].arguments == arguments and ran.value.calls[0].problem is None


# The conversation goes on in a form that servers take.


async def ask_and_answer_all(models: Models) -> Any:
    """Let the model call, answer every call, and ask again."""
    turn = await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])
    assert isinstance(turn, ToolCalls)
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": call.problem or "fine"}
        for call in turn.calls
    ]
    last = await models.chat(Role.SUMMARIZER, [*QUESTION, turn.message, *answers], [TOOL])
    return turn, last


@pytest.mark.parametrize(
    "ids",
    [("a", "b"), ("a", "a"), ("", "b"), ("", ""), (None, None), (0, 0), ("a", None), (1, 2)],
)
def test_missing_and_repeated_ids_are_minted_anew(tmp_path: Path, ids: tuple[Any, Any]) -> None:
    calls = [
        tool_call("gene_getter", json.dumps({"gene": str(number)}), id=identifier)
        for number, identifier in enumerate(ids)
    ]
    ran = run(tmp_path, [tool_calls(*calls), message("done")], ask_and_answer_all)
    turn, last = ran.value
    assert isinstance(last, Answer), last
    found = [call.id for call in turn.calls]
    assert found == (["a", "b"] if ids == ("a", "b") else ["call_1", "call_2"])
    assert [call.arguments["gene"] for call in turn.calls] == ["0", "1"]


@pytest.mark.parametrize(
    "call",
    [
        tool_call("gene_getter", '{"gene": '),
        tool_call("gene.getter/v2", "{}"),
        tool_call("x" * 80, "{}"),
        tool_call("", "{}"),
        tool_call(None, None),
        {"id": "a"},
        {"id": "a", "function": "gene_getter"},
        "gene_getter",
        None,
    ],
)
def test_a_malformed_call_can_be_answered_and_the_conversation_goes_on(
    tmp_path: Path, call: Any
) -> None:
    ran = run(tmp_path, [tool_calls(call), message("done")], ask_and_answer_all)
    assert isinstance(ran.value[1], Answer), ran.value[1]


@pytest.mark.parametrize("api", ["chat"], indirect=True)
@pytest.mark.parametrize("content", [None, "", "I will look it up."])
def test_the_key_content_is_always_there(tmp_path: Path, content: str | None) -> None:
    replies = [tool_calls(tool_call("gene_getter", "{}"), content=content), message("done")]
    ran = run(tmp_path, replies, ask_and_answer_all)
    assert ran.requests[1].body["messages"][2]["content"] == (content or None)


def test_an_unknown_name_is_kept_as_the_model_wrote_it(tmp_path: Path) -> None:
    ran = run(tmp_path, [tool_calls(tool_call("gene.getter", "{}"))], ask_with_tool)
    assert ran.value.calls[0].name == "gene.getter"
    assert ran.value.message["tool_calls"][0]["function"]["name"] == "gene.getter"


# Answers that are none.

EMPTY = [
    message(None),
    message(""),
    message(" \n"),
    message(None, reasoning_content="I think that"),
    message(None, tool_calls=[]),
    message(None, None),
]


@pytest.mark.parametrize("reply", EMPTY)
def test_an_empty_answer_gets_one_reminder_then_fails(tmp_path: Path, reply: Reply) -> None:
    ran = run(tmp_path, [reply], ask_with_tool)
    assert failed(ran).kind is FailureKind.EMPTY
    assert len(ran.requests) == 2
    # Two user turns in a row are one: templates of open models refuse them.
    reminded = ran.requests[1].body["messages"][-1]["content"]
    assert reminded.startswith("Well?") and "empty" in reminded


def test_a_reminder_that_helps_does_not_stay_in_the_conversation(tmp_path: Path) -> None:
    ran = run(tmp_path, [message(""), message("Here.")], ask)
    assert isinstance(ran.value, Answer) and len(ran.requests) == 2


def test_without_nudges_there_is_no_reminder(tmp_path: Path) -> None:
    ran = run(tmp_path, [message("")], ask, nudges=0)
    assert failed(ran).kind is FailureKind.EMPTY and len(ran.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        message("half an ans", "length"),
        message(None, "length"),
        message(None, "length", tool_calls=[tool_call("gene_getter", '{"gene": "AP')]),
        message(None, "length", tool_calls=[tool_call("gene_getter", '{"gene": "APC"}')]),
    ],
)
def test_a_cut_off_answer_is_no_answer_and_no_call(tmp_path: Path, reply: Reply) -> None:
    ran = run(tmp_path, [reply], ask_with_tool)
    assert failed(ran).kind is FailureKind.CUT_OFF
    assert "2 tokens went into reasoning" in failed(ran).message
    assert len(ran.requests) == 1


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (message(None, refusal="I cannot help with that."), "I cannot help"),
        (message("Sorry", "content_filter"), "content filter"),
        (message(None, "content_filter"), "content filter"),
        (message('{"bullets": []}', refusal="no"), "no"),
    ],
)
def test_a_refusal_is_a_refusal(tmp_path: Path, reply: Reply, words: str) -> None:
    ran = run(tmp_path, [reply], ask)
    assert failed(ran).kind is FailureKind.REFUSAL and words in failed(ran).message
    assert len(ran.requests) == 1


CONTEXT = {
    "openai": error(
        400,
        code="context_length_exceeded",
        message="This model's maximum context length is 128000 tokens. However, your messages ...",
    ),
    "openai-responses": error(
        400, message="Your input exceeds the context window of this model. Please adjust it."
    ),
    "llama.cpp": error(
        400,
        code=400,
        type="exceed_context_size_error",
        message="the request exceeds the available context size",
    ),
    "vllm": error(
        400,
        code=400,
        type="BadRequestError",
        message="This model's maximum context length is 4096 tokens. However, you requested 5000",
    ),
    "vllm-v1": error(
        400,
        message="The decoder prompt (length 5000) is longer than the maximum model length of 4096",
    ),
    "vllm-old": Reply(
        {"object": "error", "message": "This model's maximum context length is 4096", "code": 400},
        400,
    ),
    "sglang": error(
        400,
        message="The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    ),
    "ollama": Reply({"error": "the input length exceeds the context length"}, 400),
    "tgi": Reply({"error": "`inputs` tokens + `max_new_tokens` must be <= 4096"}, 422),
    "gemini": error(
        400, message="The input token count (12) exceeds the maximum number of tokens allowed (9)."
    ),
    "anthropic": error(400, message="prompt is too long: 215000 tokens > 200000 maximum"),
    "groq": error(400, message="Please reduce the length of the messages or completion."),
    "fastapi": Reply({"detail": "maximum context exceeded"}, 400),
    "with 500": error(500, message="context size exceeded: context length is 512"),
    "with 200": Reply({"error": {"message": "maximum context length is 512"}}, 200),
    "too large": Reply(b"<html>Request Entity Too Large</html>", 413),
}


@pytest.mark.parametrize("server", CONTEXT)
def test_context_overflow_is_known_in_every_servers_words(tmp_path: Path, server: str) -> None:
    ran = run(tmp_path, [CONTEXT[server]], ask)
    assert failed(ran).kind is FailureKind.CONTEXT_OVERFLOW
    assert len(ran.requests) == 1


@pytest.mark.parametrize(
    "text", ["the model does not support images", "unknown parameter 'top_k'", "bad context"]
)
def test_other_refused_requests_are_no_overflow(tmp_path: Path, text: str) -> None:
    ran = run(tmp_path, [error(400, message=text)], ask)
    assert failed(ran).kind is FailureKind.REJECTED and text in failed(ran).message
    assert len(ran.requests) == 1


# Quota, patience, deadline.


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


# Bodies that are none.


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


# Keys and proxies.

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


# The record.


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
