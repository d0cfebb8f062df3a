"""The Responses API as clients meet it, and what it refuses."""

import json
from collections.abc import Iterator
from typing import Any, get_type_hints

import openai.types.chat.completion_create_params as chat_types
import openai.types.responses.response_create_params as responses_types
import pytest
from offline_http import Served, as_responses, error_of, serving
from offline_world import DRIVER, block, markdown, request, task

from intogen_agent.offline import protocol_chat, protocol_responses
from intogen_agent.offline.refused import Refused

USER = {"role": "user", "content": "hi"}
CALL = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "{}"}
TOOL = {"type": "function", "name": "look", "parameters": {"type": "object"}}
CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "name": "Thing", "schema": CLOSED, "strict": True}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def asking(*items: Any, **more: Any) -> dict[str, Any]:
    return {"model": "m", "input": list(items) or [USER], **more}


def parse(value: dict[str, Any]) -> dict[str, Any]:
    return protocol_responses.parse(json.dumps(value).encode()).chat


@pytest.mark.parametrize(
    "value",
    [
        asking(),
        {"model": "m", "input": "hi", "instructions": "be brief"},
        asking(USER, CALL, OUTPUT),
        asking(USER, {**CALL, "id": "fc_1", "status": "completed"}, OUTPUT, tools=[TOOL]),
        asking({**USER, "type": "message", "content": [{"type": "input_text", "text": "hi"}]}),
        asking(USER, {"role": "assistant", "content": [{"type": "output_text", "text": "x"}]}),
        asking({"role": "developer", "content": "x"}, USER),
        asking(tools=[TOOL], tool_choice={"type": "function", "name": "look"}),
        asking(tools=[{**TOOL, "strict": False}], tool_choice="required"),
        asking(tools=[], text={"format": {"type": "text"}, "verbosity": "low"}),
        asking(text={"format": FORMAT}),
        asking({**USER, "content": "json"}, text={"format": {"type": "json_object"}}),
        asking(store=False, service_tier="flex", prompt_cache_key="k", metadata={"a": "b"}),
        asking(max_output_tokens=16, temperature=0, truncation="disabled", include=[]),
    ],
)
def test_a_request_that_openai_takes_is_taken(value: dict[str, Any]) -> None:
    assert parse(value)["model"] == "m"


@pytest.mark.parametrize(
    ("value", "param", "code"),
    [
        ({"model": "m"}, "input", "missing_required_parameter"),
        ({"input": "hi"}, "model", None),
        (asking(seed=1), "seed", "unknown_parameter"),
        (asking(messages=[USER]), "messages", "unsupported_parameter"),
        (asking(max_tokens=20), "max_tokens", "unsupported_parameter"),
        (asking(response_format=FORMAT), "response_format", "unsupported_parameter"),
        (asking(max_output_tokens=15), "max_output_tokens", "integer_below_min_value"),
        (
            asking(previous_response_id="resp_1"),
            "previous_response_id",
            "previous_response_not_found",
        ),
        (asking(conversation="conv_1"), "conversation", "unsupported_parameter"),
        (asking(stream=True), "stream", "unsupported_value"),
        (asking(include=["everything"]), "include[0]", "invalid_value"),
        (asking(include=["reasoning.encrypted_content"]), "include", None),
        (asking(reasoning={"effort": "low"}), "reasoning.effort", "unsupported_parameter"),
        (asking(reasoning={"depth": 1}), "reasoning.depth", "unknown_parameter"),
        (asking({"role": "tool", "content": "x"}), "input[0]", "invalid_value"),
        (asking({"type": "web_search_call", "id": "x"}), "input[0]", "invalid_value"),
        (asking({**USER, "name": "Ann"}), "input[0].name", "unknown_parameter"),
        (asking({"role": "user", "content": None}), "input[0].content", "invalid_type"),
        (
            asking({"role": "user", "content": [{"type": "text", "text": "x"}]}),
            "input[0].content[0]",
            "invalid_value",
        ),
        (
            asking({"role": "assistant", "content": [{"type": "input_text", "text": "x"}]}),
            "input[0].content[0]",
            "invalid_value",
        ),
        (asking({**CALL, "id": "call_1"}, OUTPUT), "input[0].id", "invalid_value"),
        (asking({**CALL, "call_id": ""}, OUTPUT), "input[0].call_id", "invalid_type"),
        (asking({**CALL, "name": "a.b"}, OUTPUT), "input[0].name", "invalid_value"),
        (asking({**CALL, "arguments": {}}, OUTPUT), "input[0].arguments", "invalid_type"),
        (asking(CALL, CALL, OUTPUT), "input[1].call_id", "invalid_value"),
        (asking({**OUTPUT, "output": None}), "input[0].output", "invalid_type"),
        (
            asking(tools=[{"type": "function", "function": TOOL}]),
            "tools[0].name",
            "missing_required_parameter",
        ),
        (asking(tools=[{**TOOL, "name": "a.b"}]), "tools[0].name", "invalid_value"),
        (
            asking(tools=[{**TOOL, "strict": True}]),
            "tools[0].parameters",
            "invalid_function_parameters",
        ),
        (asking(tools=[TOOL] * 129), "tools", "array_above_max_length"),
        (asking(tools=[{"type": "web_search"}]), "tools[0].type", "invalid_value"),
        (asking(tool_choice="required"), "tool_choice", None),
        (asking(tools=[TOOL], tool_choice={"type": "function", "name": "no"}), "tool_choice", None),
        (
            asking(tools=[TOOL], tool_choice={"type": "allowed_tools"}),
            "tool_choice",
            "invalid_value",
        ),
        (asking(text={"format": {"type": "json_object"}}), "input", None),
        (asking(text={"format": {**FORMAT, "name": "a b"}}), "text.format.name", "invalid_value"),
        (
            asking(text={"format": {**FORMAT, "schema": {"type": "object"}}}),
            "text.format.schema",
            "invalid_json_schema",
        ),
        (asking(text={"json_schema": {}}), "text.json_schema", "unknown_parameter"),
    ],
)
def test_a_request_that_openai_refuses_is_refused(
    value: dict[str, Any], param: str, code: str | None
) -> None:
    with pytest.raises(Refused) as caught:
        parse(value)
    error = caught.value.body()["error"]
    assert (caught.value.status, error["param"], error["code"]) == (400, param, code)


@pytest.mark.parametrize(
    ("items", "status", "message"),
    [
        ([USER, CALL], 400, "No tool output found for function call call_1."),
        ([OUTPUT], 400, "No tool call found for function call output with call_id call_1."),
        ([CALL, OUTPUT, OUTPUT], 400, "No tool call found for function call output"),
        ([{"type": "item_reference", "id": "msg_1"}], 404, "Item with id 'msg_1' not found. Items"),
        ([{"id": "rs_1"}], 404, "Item with id 'rs_1' not found. Items are not persisted"),
        (
            [{"type": "reasoning", "id": "rs_1", "summary": []}, CALL, OUTPUT],
            400,
            "Reasoning input items can only be provided to a reasoning",
        ),
        (
            [{"role": "assistant", "id": "msg_1", "content": "x"}] * 2,
            400,
            "Duplicate item found with id msg_1",
        ),
    ],
)
def test_a_conversation_that_openai_refuses_is_refused(
    items: list[Any], status: int, message: str
) -> None:
    with pytest.raises(Refused) as caught:
        parse(asking(*items, store=False))
    assert caught.value.status == status
    assert caught.value.message.startswith(message)
    assert caught.value.param == "input"


def test_the_known_parameters_are_those_of_openai_s_client() -> None:
    chat = set(get_type_hints(chat_types.CompletionCreateParamsBase)) | {"stream"}
    responses = set(get_type_hints(responses_types.ResponseCreateParamsBase)) | {"stream"}
    assert chat == protocol_chat.PARAMETERS
    assert responses == protocol_responses.PARAMETERS


def test_items_read_as_messages() -> None:
    second = {**CALL, "call_id": "call_2", "arguments": '{"a": 1}'}
    items = [USER, CALL, second, OUTPUT, {**OUTPUT, "call_id": "call_2"}]
    calls = [
        {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"id": "call_2", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}},
    ]
    assert parse(asking(*items, instructions="be brief"))["messages"] == [
        {"role": "system", "content": "be brief"},
        USER,
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "call_1", "content": "{}"},
        {"role": "tool", "tool_call_id": "call_2", "content": "{}"},
    ]


def test_openai_s_client_gets_a_structured_answer(server: Served) -> None:
    parts = (block("task", task()), block("payload", markdown(DRIVER), tool="article_searcher"))
    answer = server.client().responses.create(**as_responses(request(*parts, schema="ToolSummary")))
    assert (answer.status, answer.model) == ("completed", "offline-extractive-1")
    assert answer.id.startswith("resp_")
    assert [item.type for item in answer.output] == ["message"]
    assert json.loads(answer.output_text)["bullets"]
    assert answer.usage is not None
    assert answer.usage.input_tokens > answer.usage.output_tokens > 0
    assert answer.usage.output_tokens_details.reasoning_tokens == 0


def test_openai_s_client_gets_calls_and_can_give_their_items_back(server: Served) -> None:
    properties = {"gene_id_or_symbol": {"type": "string"}}
    tool = {"name": "gene_getter", "parameters": {"type": "object", "properties": properties}}
    asked = as_responses(
        request(block("task", task(cancer=None)), tools=[{"type": "function", "function": tool}])
    )
    first = server.client().responses.create(**asked)
    (call,) = first.output
    assert call.type == "function_call"
    assert call.id is not None and call.id.startswith("fc_")
    assert json.loads(call.arguments) == {"gene_id_or_symbol": "ABX1"}
    done = {"type": "function_call_output", "call_id": call.call_id, "output": '{"findings": []}'}
    asked["input"] += [call.model_dump(exclude_none=True), done]
    second = server.client().responses.create(**asked)
    assert second.output_text.startswith("The search is closed: 1 calls")


def test_a_refusal_over_http_has_openai_s_body(server: Served) -> None:
    answer = server.post("responses", asking(seed=1))
    assert (answer.status_code, error_of(answer)) == (
        400,
        {
            "message": "Unknown parameter: 'seed'.",
            "type": "invalid_request_error",
            "param": "seed",
            "code": "unknown_parameter",
        },
    )
