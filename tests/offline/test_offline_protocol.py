"""What the offline model's endpoint takes, refuses and answers."""

import json
from typing import Any

import pytest
from offline_world import WIRE, request

from intogen_agent.offline import composer, protocol, protocol_chat, shape
from intogen_agent.offline.composer import Reply
from intogen_agent.offline.refused import Refused

USER = {"role": "user", "content": "hi"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "{}"}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


def body(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages) or [USER], **more}


def parse(value: Any) -> dict[str, Any]:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return protocol_chat.parse(raw).raw


def completion(asked: dict[str, Any], reply: Reply | None = None) -> dict[str, Any]:
    known = protocol.Asked(protocol.CHAT, asked, asked)
    return protocol_chat.body(known, protocol.written(known, reply or composer.reply(asked)))


def schema_format(schema: Any, name: Any = "Thing", strict: bool = True) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": strict},
    }


CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "value",
    [
        body(),
        body(USER, CALLING, RESULT),
        body(USER, CALLING, RESULT, tools=[TOOL], tool_choice="auto"),
        body(tools=[TOOL], tool_choice="required"),
        body(tools=[TOOL], tool_choice="none"),
        body(tools=[TOOL], tool_choice={"type": "function", "function": {"name": "look"}}),
        body(response_format={"type": "text"}),
        body({"role": "user", "content": "in JSON"}, response_format={"type": "json_object"}),
        body(tools=[TOOL], parallel_tool_calls=False, temperature=1.5, seed=1, service_tier="flex"),
        body(max_completion_tokens=100, prompt_cache_key="k", metadata={"a": "b"}, user="u"),
        body(response_format=schema_format(CLOSED)),
        body(response_format=schema_format({"type": "object"}, strict=False)),
        body(tools=[TOOL] * 128),
        body({"role": "developer", "content": "x"}, USER),
        body({"role": "user", "content": [{"type": "text", "text": "hi"}]}),
        body(USER, {"role": "assistant", "content": "earlier"}, USER, temperature=0, n=1),
    ],
)
def test_a_request_that_openai_takes_is_taken(value: dict[str, Any]) -> None:
    assert parse(value)["model"] == "m"


BAD_NAMES = ["", "a b", "a.b", "a/b", "x" * 65, None, "ä"]


@pytest.mark.parametrize(
    ("value", "param"),
    [
        (b"not json", None),
        (b"[1]", None),
        ({"messages": [USER]}, "model"),
        ({"model": "m", "messages": []}, "messages"),
        ({"model": "m"}, "messages"),
        (body({"role": "king", "content": "x"}), "messages.[0].role"),
        (body({"role": "user", "content": None}), "messages.[0].content"),
        (body({"role": "user"}), "messages.[0].content"),
        (body({"role": "assistant", "content": None}), "messages.[0].content"),
        (body(USER, RESULT), "messages.[1].role"),
        (body(USER, CALLING), "messages.role"),
        (body(USER, CALLING, USER), "messages.[2].role"),
        (body(USER, CALLING, RESULT, RESULT), "messages.[3].role"),
        (body(USER, CALLING, {**RESULT, "tool_call_id": "other"}), "messages.[2].role"),
        (body(USER, CALLING, {**RESULT, "content": None}), "messages.[2].content"),
        (body(USER, {**CALLING, "tool_calls": [{"id": "x"}]}), "messages.[1].tool_calls"),
        (body(USER, {**CALLING, "tool_calls": [CALL, CALL]}), "messages.[1].tool_calls"),
        (body(tools=[]), "tools"),
        (body(tools=[TOOL] * 129), "tools"),
        (body(tools=[{"type": "function"}]), "tools[0].function"),
        (body(tools=[{"type": "web", "function": {"name": "a"}}]), "tools[0].function"),
        (body(tool_choice="auto"), "tool_choice"),
        (body(tools=[TOOL], tool_choice="always"), "tool_choice"),
        (body(tools=[TOOL], tool_choice={"type": "function"}), "tool_choice"),
        (
            body(tools=[TOOL], tool_choice={"type": "function", "function": {"name": "no"}}),
            "tool_choice",
        ),
        (body(response_format={"type": "json_object"}), "messages"),
        (body(response_format="json"), "response_format.type"),
        (body(response_format={"type": "json_schema"}), "response_format.json_schema.name"),
        (body(response_format=schema_format("x")), "response_format.json_schema.schema"),
        (body({"role": "user", "content": [{"type": "image_url"}]}), "messages.[0].content"),
        (body({**USER, "reasoning_content": "x"}), "messages[0].reasoning_content"),
        (body(tools=[{**TOOL, "function": {"name": "a", "x": 1}}]), "tools[0].function.x"),
        (body(parallel_tool_calls=False), "parallel_tool_calls"),
        (body(USER, {**CALLING, "tool_calls": [{**CALL, "id": ""}]}), "messages.[1].tool_calls"),
        (body(temperature=3), "temperature"),
        (body(temperature="hot"), "temperature"),
        (body(top_p=-1), "top_p"),
        (body(max_completion_tokens=0), "max_completion_tokens"),
        (body(max_tokens=1, max_completion_tokens=1), "max_tokens"),
        (body(service_tier="slow"), "service_tier"),
        (body(metadata={"a": 1}), "metadata"),
        (body(functions=[{"name": "a"}]), "functions"),
        (body(verbose=True), None),
        (body(reasoning_effort="low"), None),
        (body(stream=True), "stream"),
        (body(n=2), "n"),
        *[
            (
                body(tools=[{"type": "function", "function": {"name": name}}]),
                "tools[0].function.name",
            )
            for name in BAD_NAMES
        ],
        *[
            (body(response_format=schema_format(CLOSED, name)), "response_format.json_schema.name")
            for name in BAD_NAMES
        ],
    ],
)
def test_a_request_that_openai_refuses_is_refused(value: Any, param: str | None) -> None:
    with pytest.raises(Refused) as caught:
        parse(value)
    error = caught.value.body()["error"]
    assert (caught.value.status, error["param"], error["type"]) == (
        400,
        param,
        "invalid_request_error",
    )
    assert error["message"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {**CLOSED, "additionalProperties": True},
        {key: value for key, value in CLOSED.items() if key != "additionalProperties"},
        {**CLOSED, "required": []},
        {**CLOSED, "properties": {"a": {"type": "object", "properties": {}}}},
        {**CLOSED, "properties": {"a": {"type": "string", "default": "x"}}},
        {**CLOSED, "properties": {"a": {"oneOf": [{"type": "string"}]}}},
        {**CLOSED, "properties": {"a": {"type": "array", "items": {"type": "object"}}}},
        {**CLOSED, "$defs": {"D": {"type": "object", "properties": {"b": {"type": "null"}}}}},
        {**CLOSED, "properties": {"a": {"anyOf": [{"type": "object"}, {"type": "null"}]}}},
    ],
)
def test_a_schema_that_is_not_strict_is_refused_in_strict_mode_only(schema: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="Invalid schema"):
        parse(body(response_format=schema_format(schema)))
    assert parse(body(response_format=schema_format(schema, strict=False)))


def test_a_strict_tool_needs_a_strict_schema() -> None:
    tool = {"name": "look", "parameters": {"type": "object", "properties": {}}, "strict": True}
    with pytest.raises(Refused, match="Invalid schema for function 'look'"):
        parse(body(tools=[{"type": "function", "function": tool}]))


def test_a_schema_that_is_nested_too_deeply_is_refused() -> None:
    schema: dict[str, Any] = dict(CLOSED)
    for _ in range(shape.MAX_DEPTH + 1):
        schema = {**CLOSED, "properties": {"a": schema}}
    with pytest.raises(Refused, match="levels"):
        parse(body(response_format=schema_format(schema)))


@pytest.mark.parametrize("name", list(WIRE))
def test_every_wire_model_has_a_strict_schema(name: str) -> None:
    assert shape.strict_problem(WIRE[name].model_json_schema()) is None


def test_a_completion_looks_like_openai_s() -> None:
    asked = request("hello")
    value = completion(asked)
    choice = value["choices"][0]
    assert value["id"].startswith("chatcmpl-")
    assert value["object"] == "chat.completion"
    assert value["model"] == "offline-extractive-1"
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["role"] == "assistant"
    assert choice["message"]["refusal"] is None
    assert "tool_calls" not in choice["message"]
    usage = value["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


def test_the_model_says_what_it_is_whatever_model_was_asked_for() -> None:
    asked = {**request("hello"), "model": "some-other-model"}
    value = completion(asked)
    assert value["model"] == "offline-extractive-1"
    assert "no language model" in value["choices"][0]["message"]["content"]


def test_tokens_are_estimated_at_three_and_a_half_characters() -> None:
    assert [protocol.tokens("x" * length) for length in (0, 1, 7, 35)] == [0, 1, 2, 10]


def test_tool_calls_carry_ids_and_arguments_as_json_text() -> None:
    reply = composer.Reply(calls=[("look", {"a": [1]}), ("look", {})])
    value = completion(request("x"), reply)
    choice = value["choices"][0]
    calls = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert [json.loads(call["function"]["arguments"]) for call in calls] == [{"a": [1]}, {}]
    assert len({call["id"] for call in calls}) == 2


def test_the_same_request_gives_the_same_completion_and_another_one_other_ids() -> None:
    reply = composer.Reply(calls=[("look", {})])
    one, two = request("x"), request("y")
    assert completion(one, reply) == completion(one, reply)
    assert completion(one, reply)["id"] != completion(two, reply)["id"]


def test_an_unknown_schema_gets_its_smallest_instance() -> None:
    schema = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}, "kind": {"enum": ["x", "y"]}},
        "required": ["ok", "kind"],
        "additionalProperties": False,
    }
    reply = composer.reply(body(response_format=schema_format(schema, "Probe")))
    assert json.loads(reply.text or "") == {"ok": True, "kind": "x"}
