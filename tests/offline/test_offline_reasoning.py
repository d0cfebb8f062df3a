"""`offline-reasoning-1` takes and refuses what OpenAI's reasoning models do."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from offline_http import Served, as_responses, error_of, said, serving
from offline_world import block, request, task

MODEL = "offline-reasoning-1"
ENCRYPTED = "reasoning.encrypted_content"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "article_searcher",
            "parameters": {
                "type": "object",
                "properties": {"genes": {"type": "array"}, "keywords": {"type": "array"}},
            },
        },
    }
]


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def asking(**more: Any) -> dict[str, Any]:
    return {**request(block("task", task()), **more), "model": MODEL}


@pytest.mark.parametrize(
    ("more", "param", "code", "said"),
    [
        ({"tools": TOOLS}, "reasoning_effort", None, "use /v1/responses or set reasoning_effort"),
        ({"tools": TOOLS, "reasoning_effort": "low"}, "reasoning_effort", None, "/v1/responses"),
        ({"reasoning_effort": "huge"}, "reasoning_effort", "invalid_value", "Supported values"),
        ({"temperature": 0}, "temperature", "unsupported_value", "Only the default (1) value"),
        ({"max_tokens": 9}, "max_tokens", "unsupported_parameter", "max_completion_tokens"),
        ({"top_p": 0.5}, "top_p", "unsupported_parameter", "'top_p'"),
    ],
)
def test_chat_completions_refuse_what_a_reasoning_model_does_not_take(
    server: Served, more: dict[str, Any], param: str, code: str | None, said: str
) -> None:
    answer = server.post("chat", asking(**more))
    error = error_of(answer)
    assert (answer.status_code, error["param"], error["code"]) == (400, param, code)
    assert said in error["message"]


@pytest.mark.parametrize(
    "more",
    [
        {"tools": TOOLS, "reasoning_effort": "none"},
        {"temperature": 1, "max_completion_tokens": 100, "reasoning_effort": "high"},
    ],
)
def test_chat_completions_take_what_a_reasoning_model_takes(
    server: Served, more: dict[str, Any]
) -> None:
    assert server.ask("chat", asking(**more))["model"] == MODEL


def turn(server: Served, **more: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Make a turn with calls; return the request and the conversation that goes on with it."""
    asked = as_responses(asking(tools=TOOLS)) | {"include": [ENCRYPTED], **more}
    body = server.post("responses", asked).json()
    outputs = [
        {"type": "function_call_output", "call_id": item["call_id"], "output": "{}"}
        for item in body["output"]
        if item["type"] == "function_call"
    ]
    return asked, [*asked["input"], *body["output"], *outputs]


def test_a_reasoning_item_comes_before_each_call(server: Served) -> None:
    asked, items = turn(server)
    kinds = [item.get("type") for item in items]
    calls = kinds.count("function_call")
    assert calls > 1
    assert kinds[1 : 1 + 2 * calls] == ["reasoning", "function_call"] * calls
    assert all(item["encrypted_content"] for item in items if item.get("type") == "reasoning")
    body = server.post("responses", asked).json()
    assert body["model"] == MODEL
    assert said("responses", body).usage[3] == 64 * calls


def test_reasoning_is_encrypted_only_if_that_is_asked_for(server: Served) -> None:
    _, items = turn(server, include=[])
    thoughts = [item for item in items if item.get("type") == "reasoning"]
    assert thoughts
    assert all("encrypted_content" not in item for item in thoughts)


def test_there_is_no_reasoning_without_effort(server: Served) -> None:
    _, items = turn(server, reasoning={"effort": "none"})
    assert "reasoning" not in [item.get("type") for item in items]
    assert "function_call" in [item.get("type") for item in items]


def test_a_conversation_with_all_its_items_goes_on(server: Served) -> None:
    asked, items = turn(server)
    answer = server.post("responses", {**asked, "input": items})
    assert answer.status_code == 200, answer.text


def without(kind: str, key: str | None, value: Any = None) -> Any:
    """Return a change to a conversation's items."""

    def change(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if key is None:
            return [item for item in items if item.get("type") != kind]
        changed = []
        for item in items:
            if item.get("type") == kind:
                item = {**item, key: value}
            changed.append({name: part for name, part in item.items() if part is not None})
        return changed

    return change


@pytest.mark.parametrize(
    ("change", "stored", "status", "code", "message"),
    [
        (
            without("reasoning", None),
            False,
            400,
            None,
            "of type 'function_call' was provided without its required 'reasoning' item: 'rs_",
        ),
        (
            without("reasoning", "encrypted_content"),
            False,
            404,
            None,
            "not found. Items are not persisted when `store` is set to false.",
        ),
        (without("reasoning", "encrypted_content"), True, 404, None, "not found."),
        (
            without("reasoning", "encrypted_content", "gAAAAforged"),
            False,
            400,
            "invalid_encrypted_content",
            "could not be verified",
        ),
        (
            lambda items: items[:2],
            False,
            400,
            None,
            "of type 'reasoning' was provided without its required following item.",
        ),
    ],
    ids=["dropped", "not-encrypted", "not-stored", "forged", "loose"],
)
def test_a_conversation_that_lost_its_reasoning_is_refused(
    server: Served, change: Any, stored: bool, status: int, code: str | None, message: str
) -> None:
    asked, items = turn(server)
    answer = server.post("responses", {**asked, "input": change(items), "store": stored})
    error = error_of(answer)
    assert (answer.status_code, error["param"], error["code"]) == (status, "input", code)
    assert message in error["message"]


def test_calls_of_another_model_need_no_reasoning(server: Served) -> None:
    asked, items = turn(server)
    foreign = without("function_call", "id")(without("reasoning", None)(items))
    answer = server.post("responses", {**asked, "input": foreign})
    assert answer.status_code == 200, answer.text


def test_a_reasoning_model_composes_the_same_answers(server: Served) -> None:
    asked = asking(tools=TOOLS)
    plain = said("chat", server.ask("chat", {**asked, "model": "offline-extractive-1"}))
    reasoned = said("responses", server.ask("responses", asked))
    assert reasoned.calls == plain.calls
    assert json.loads(reasoned.calls[0][1])["genes"] == ["ABX1"]


@pytest.mark.parametrize(
    ("more", "param"),
    [({"temperature": 0.5}, "temperature"), ({"top_p": 0.5}, "top_p")],
)
def test_responses_refuse_sampling(server: Served, more: dict[str, Any], param: str) -> None:
    assert error_of(server.post("responses", as_responses(asking(**more))))["param"] == param
