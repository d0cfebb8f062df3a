"""What servers get wrong, over a real socket and with the real OpenAI client."""

import json
from pathlib import Path
from typing import Any

import pytest
from acts import TOOL, ask, ask_with_tool, failed
from scripted_server import (
    QUESTION,
    Reply,
    error,
    message,
    run,
    tool_call,
    tool_calls,
)

from intogen_agent.config.roles import Role
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, FailureKind, ToolCalls
from intogen_agent.provenance.attributes import Usage, read_usage

pytestmark = pytest.mark.usefixtures("api")


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
