"""What servers did in the wild or may do: found by attacking the client, kept as tests."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offline_server import ask, serving
from pydantic import BaseModel, ConfigDict
from scripted_server import QUESTION, USAGE, Reply, error, message, run

from intogen_agent.config.llm_settings import Provider
from intogen_agent.config.roles import Role
from intogen_agent.errors import UserError
from intogen_agent.llm import address, json_text
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, Structured, ToolCalls
from intogen_agent.llm.profile import Profile
from intogen_agent.llm.reply import Reply as Reply_
from intogen_agent.llm.reply import outcome
from intogen_agent.llm.request import Request
from intogen_agent.llm.wires import WIRES
from intogen_agent.mcp.schema import function_tool

TOOL = function_tool(
    "lookup", "Looks up.", {"properties": {"x": {"type": "string"}}, "required": ["x"]}
)
pytestmark = pytest.mark.usefixtures("api")


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")
    answer: str


async def chat(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])


async def structured(models: Models) -> Any:
    return await models.structured(Role.SUMMARIZER, QUESTION, Shape)


def failed(value: Any) -> FailureKind:
    assert isinstance(value, Failed), value
    return value.kind


@pytest.mark.parametrize("key", ["test", "token", "EMPTY"])
def test_a_key_that_is_a_word_does_not_change_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", key)
    ran = run(tmp_path, [message(f"{key}ed")], chat, provider={"api_key_env": "TEST_LLM_KEY"})
    assert ran.value.text == f"{key}ed"
    assert ran.entries[0]["meta"]["gen_ai.usage.input_tokens"] == 11


@pytest.mark.parametrize("key", ["\ufeffsk-x", "a b", "a\nb", "clé"])
def test_a_key_that_cannot_be_sent_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", key)
    provider = Provider(base_url="https://x.test/v1", api_key_env="TEST_LLM_KEY")
    with pytest.raises(UserError, match="characters that no key has"):
        address.api_key("mine", provider)


def test_thoughts_are_no_answer_and_no_call(tmp_path: Path) -> None:
    draft = '<think>maybe {"answer": "draft"}</think>{"answer": "final"}'
    assert run(tmp_path / "a", [message(draft)], structured).value.value.answer == "final"
    thought = '<think>I could call {"name": "lookup", "arguments": {"x": "a"}}</think>\nDone.'
    ran = run(tmp_path / "b", [message(thought)], chat)
    assert isinstance(ran.value, Answer) and ran.value.text.strip() == "Done."
    told = 'I looked it up with {"name": "lookup", "arguments": {"x": "a"}}. Done.'
    assert isinstance(run(tmp_path / "c", [message(told)], chat).value, Answer)


def test_the_last_object_of_the_shape_is_the_answer(tmp_path: Path) -> None:
    text = 'Like {"answer": "this"}? No: {"answer": "that"} (not {"x": 1}).'
    assert run(tmp_path, [message(text)], structured).value.value.answer == "that"


@pytest.mark.parametrize("api", ["chat"], indirect=True)
@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("error", FailureKind.TRANSPORT),
        ("abort", FailureKind.TRANSPORT),
        ("insufficient_system_resource", FailureKind.TRANSPORT),
        ([], FailureKind.TRANSPORT),
        ({}, FailureKind.TRANSPORT),
        ("model_length", FailureKind.CUT_OFF),
        ("MAX_TOKENS", FailureKind.CUT_OFF),
        ("SAFETY", FailureKind.REFUSAL),
    ],
)
def test_only_known_endings_are_complete(tmp_path: Path, reason: Any, kind: FailureKind) -> None:
    assert failed(run(tmp_path, [message("half an ans", reason)], chat).value) is kind


@pytest.mark.parametrize("api", ["chat"], indirect=True)
def test_an_error_in_a_choice_is_an_error(tmp_path: Path) -> None:
    reply = message("half", "error")
    reply.body["choices"][0]["error"] = {"code": 502, "message": "upstream"}
    assert failed(run(tmp_path, [reply], chat).value) is FailureKind.TRANSPORT


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(429, message="You exceeded your current quota... Please retry in 22.3s."),
         FailureKind.THROTTLED),
        (error(429, code="billing_not_active", message="x"), FailureKind.QUOTA),
        (Reply([{"error": {"message": "maximum context length is 3"}}], 400),
         FailureKind.CONTEXT_OVERFLOW),
        (error(400, message="This model's maximum prompt length is 131072"),
         FailureKind.CONTEXT_OVERFLOW),
        (error(400, message="Input is too long for requested model."),
         FailureKind.CONTEXT_OVERFLOW),
        (error(400, message="max_tokens must be at least 1, got -4096."),
         FailureKind.CONTEXT_OVERFLOW),
        (error(400, message="x" * 300 + " maximum context length"), FailureKind.CONTEXT_OVERFLOW),
        (error(400, message="Provider returned error", metadata={"raw": "context length is 3"}),
         FailureKind.CONTEXT_OVERFLOW),
        (error(403, message="Your input was flagged by moderation"), FailureKind.REFUSAL),
        (error(400, code="tool_use_failed", message="Failed to call a function."),
         FailureKind.TRANSPORT),
    ],
)  # fmt: skip
def test_errors_are_known_in_more_words(tmp_path: Path, reply: Reply, kind: FailureKind) -> None:
    assert failed(run(tmp_path, [reply], chat).value) is kind


@pytest.mark.parametrize("api", ["chat"], indirect=True)
def test_a_step_down_says_nothing_about_the_model(tmp_path: Path) -> None:
    refused = error(400, message="'response_format.type' must be 'json_schema' or 'text'")
    ran = run(tmp_path, [message("prose"), refused, message('{"answer": "a"}')], structured)
    assert isinstance(ran.value, Structured)
    formats = [seen.body.get("response_format", {}).get("type") for seen in ran.requests]
    assert formats == ["json_schema", "json_object", None]
    assert not list((tmp_path / "results").rglob("*.json"))


def test_what_led_to_no_answer_is_not_remembered(tmp_path: Path) -> None:
    refusal = error(400, message="temperature is not supported")
    ran = run(tmp_path, [refusal, error(400, message="no")], chat, role={"temperature": 0.2})
    assert failed(ran.value) is FailureKind.REJECTED
    assert not list((tmp_path / "results").rglob("*.json"))


def test_the_environment_for_openai_reaches_no_other_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-other\nX-Corp: secret")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    ran = run(tmp_path, [message("x")], chat)
    assert "secret" not in str(ran.requests[0].headers)
    assert "sk-other" not in str(ran.requests[0].headers)
    assert os.environ["OPENAI_ORG_ID"] == "org-secret"


@pytest.mark.parametrize("url", ["https://me:word@gpu01.test/v1", "http://me@gpu01/v1"])
def test_an_address_with_a_password_is_refused_and_not_repeated(url: str) -> None:
    told = address.refusal("mine", url, None)
    assert told is not None and "gpu01" not in told and "word" not in told.replace("password", "")
    with pytest.raises(ValueError, match="password"):
        Provider(base_url=url)


@pytest.mark.parametrize("tokens", [10**400, -5, 2.5, True, "many"])
def test_counts_that_are_none_are_left_out(tmp_path: Path, tokens: Any) -> None:
    reply = message("x")
    reply.body["usage"] = {**USAGE, "prompt_tokens": tokens}
    ran = run(tmp_path, [reply], chat, prices={"asked-1": {"input": 1, "output": 1}})
    assert isinstance(ran.value, Answer)
    meta = ran.entries[0]["meta"]
    assert "gen_ai.usage.input_tokens" not in meta and "intogen_agent.price" not in meta


def test_an_empty_action_is_an_empty_answer(tmp_path: Path) -> None:
    empty = message('{"action": {"answer": ""}}')
    ran = run(tmp_path, [empty], chat, capabilities={"tools": "json_action"})
    assert failed(ran.value) is FailureKind.EMPTY and len(ran.requests) == 2


def test_one_call_a_turn_is_said(tmp_path: Path) -> None:
    action = message('{"action": {"tool": "lookup", "arguments": {"x": "a"}}}')
    ran = run(tmp_path, [action], chat, capabilities={"tools": "json_action"})
    assert isinstance(ran.value, ToolCalls) and ran.value.one_a_turn


@pytest.mark.parametrize("api", ["responses"], indirect=True)
def test_reasoning_that_is_not_encrypted_is_not_given_back(tmp_path: Path, api: str) -> None:
    async def converse(models: Models) -> Any:
        talk = [QUESTION[0], {"role": "user", "content": "Call the tool."}]
        first = await models.chat(Role.SUMMARIZER, talk, [TOOL])
        assert isinstance(first, ToolCalls), first
        results = [{"role": "tool", "tool_call_id": c.id, "content": "{}"} for c in first.calls]
        return await models.chat(Role.SUMMARIZER, [*talk, first.message, *results], [TOOL])

    with serving() as server:
        server.act_out("no-include")
        role = {"model": "offline-reasoning-1"}
        asked = ask(tmp_path, server, api, converse, role=role)
    assert isinstance(asked.value, Answer), asked.value


def test_a_launched_server_that_dies_is_started_anew(tmp_path: Path) -> None:
    import signal

    import psutil

    from intogen_agent.config.settings import Settings
    from intogen_agent.provenance.journal import Journal
    from intogen_agent.provenance.recorder import Recorder

    configured = Settings.model_validate({"results": str(tmp_path / "results")})

    async def main() -> list[Any]:
        with Journal(tmp_path / "journal.jsonl") as journal:
            recorder = Recorder(journal, "phase1")
            async with Models(configured, recorder, tmp_path / "logs") as models:
                first = await models.chat(Role.SUMMARIZER, [*QUESTION])
                (server,) = [
                    child
                    for child in psutil.Process().children(recursive=True)
                    if "serve-offline-model" in " ".join(child.cmdline())
                ]
                server.send_signal(signal.SIGKILL)
                server.wait(5)
                talk = [QUESTION[0], {"role": "user", "content": "And then?"}]
                return [first, await models.chat(Role.SUMMARIZER, talk)]

    assert all(isinstance(outcome, Answer) for outcome in asyncio.run(main()))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from(["stop", "length", "message", "function_call", "reasoning", "output_text"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "tool_calls", "function", "name", "arguments",
                 "finish_reason", "usage", "output", "type", "text", "status", "error", "refusal",
                 "incomplete_details", "reason", "id", "call_id", "prompt_tokens"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)  # fmt: skip


@given(JSON, st.booleans())
@settings(max_examples=300)
def test_no_body_raises_and_every_conversation_goes_on(body: Any, as_actions: bool) -> None:
    request = Request("m", QUESTION, [TOOL])
    for wire in WIRES.values():
        shaped = [{"choices": [body]}, {"choices": [{"message": body}]}, {"output": [body]}, body]
        for whole in shaped:
            wire.usage(whole)
            result = outcome(wire.read(whole), request, as_actions=as_actions)
            if isinstance(result, Failed):
                continue
            more = Request("m", [*QUESTION, result.message, QUESTION[1]], [TOOL])
            json.dumps(wire.parameters(more, Profile()))


def test_deep_texts_are_read_or_left() -> None:
    deep = '{"a":' * 600 + '"\ud800"' + "}" * 600
    assert len(list(json_text.objects(deep))) <= 1
    nested: Any = "e"
    for _ in range(350):
        nested = [{"text": nested}]
    reply = WIRES["chat"].read({"choices": [{"message": {"content": nested}}]})
    assert isinstance(reply, Reply_) and reply.text == ""
