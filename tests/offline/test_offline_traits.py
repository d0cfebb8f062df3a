"""Traits of servers: requests that they refuse until the client adapts."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from offline_http import WIRES, Served, as_wire, error_of, serving
from offline_world import block, request, task

wires = pytest.mark.parametrize("wire", WIRES)
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "{}"}
SCHEMA = {
    "type": "json_schema",
    "json_schema": {"name": "Thing", "schema": {"type": "object"}, "strict": False},
}
SYSTEM = {"role": "system", "content": "x"}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def tool(**properties: Any) -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": properties or {"a": {"type": "string"}}}
    return [{"type": "function", "function": {"name": "look", "parameters": schema}}]


def called(content: str | None) -> dict[str, Any]:
    return {"messages": [{"role": "assistant", "content": content, "tool_calls": [CALL]}, RESULT]}


def asking(**more: Any) -> dict[str, Any]:
    return request(block("task", task()), **more)


def late_system(role: str) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": "more"}]}


LONG = {"type": "string", "maxLength": 2000}
SHORT = {"type": "string", "maxLength": 1999}
NAMED = {"type": "function", "function": {"name": "look"}}
JSON = {"type": "json_object"}
# Fault, wires, a request that it concerns, one that it does not, and the words of the refusal.
CASES: dict[str, tuple[str, tuple[str, ...], dict[str, Any], dict[str, Any], str]] = {
    "temperature": ("no-temperature", WIRES, {"temperature": 0}, {"temperature": 1}, "default (1)"),
    "new-limit": (
        "no-max-completion-tokens",
        ("chat",),
        {"max_completion_tokens": 99},
        {"max_tokens": 99},
        "Unrecognized request argument supplied: max_completion_tokens",
    ),
    "old-limit": (
        "no-max-tokens",
        ("chat",),
        {"max_tokens": 99},
        {"max_completion_tokens": 99},
        "Use 'max_completion_tokens' instead",
    ),
    "reasoning": ("no-tools-with-reasoning", ("chat",), {"tools": tool()}, {}, "/v1/responses"),
    "tools": ("no-tools", WIRES, {"tools": tool()}, {}, "does not support tools"),
    "schema": (
        "no-json-schema",
        WIRES,
        {"response_format": SCHEMA},
        {"response_format": {"type": "text"}},
        "This response_format type is unavailable now",
    ),
    "object": (
        "no-json-object",
        WIRES,
        {"response_format": JSON, "messages": [{"role": "user", "content": "JSON"}]},
        {"response_format": SCHEMA},
        "must be 'json_schema' or 'text'",
    ),
    "choice": (
        "no-tool-choice",
        WIRES,
        {"tools": tool(), "tool_choice": "required"},
        {"tools": tool(), "tool_choice": "auto"},
        "Invalid tool_choice",
    ),
    "named-choice": (
        "no-tool-choice",
        WIRES,
        {"tools": tool(), "tool_choice": NAMED},
        {"tools": tool()},
        "Invalid tool_choice",
    ),
    "null": ("no-null-content", ("chat",), called(None), called(""), "<nil>"),
    "blank": ("no-empty-content", ("chat",), called(""), called(None), "non-empty"),
    "long": ("grammar", WIRES, {"tools": tool(a=LONG)}, {"tools": tool(a=SHORT)}, "grammar"),
    "pattern": (
        "grammar",
        WIRES,
        {"tools": tool(a={"anyOf": [{"type": "string", "pattern": "x"}]})},
        {"tools": tool(pattern={"type": "string"})},
        "grammar",
    ),
    "empty-object": (
        "grammar",
        WIRES,
        {"tools": tool(a={"type": "array", "items": {"type": "object"}})},
        {"tools": tool()},
        "grammar",
    ),
    "late-system": ("one-system-message", WIRES, late_system("system"), {}, "Jinja"),
    "developer": ("one-system-message", WIRES, late_system("developer"), {}, "'developer'"),
    "service-tier": ("no-service-tier", WIRES, {"service_tier": "flex"}, {}, "service_tier"),
    "cache-key": ("no-prompt-cache-key", WIRES, {"prompt_cache_key": "k"}, {}, "prompt_cache_key"),
    "store": ("no-store", ("chat",), {"store": False}, {}, "store"),
    "seed": ("no-seed", ("chat",), {"seed": 1}, {}, "seed"),
}
CELLS = [(name, wire) for name, case in CASES.items() for wire in case[1]]


@pytest.mark.parametrize(("name", "wire"), CELLS)
def test_a_trait_refuses_what_it_is_about_again_and_again(
    server: Served, name: str, wire: str
) -> None:
    fault, _, concerned, other, words = CASES[name]
    server.act_out(fault)
    for _ in range(2):
        answer = server.post(wire, as_wire(wire, asking(**concerned)))
        assert answer.status_code in (400, 422)
        assert words in answer.text
    assert server.post(wire, as_wire(wire, asking(**other))).status_code == 200


@wires
def test_a_server_without_system_messages(server: Served, wire: str) -> None:
    server.act_out("no-system")
    error = error_of(server.post(wire, as_wire(wire, asking())))
    assert (error["param"], error["code"]) == ("messages[0].role", "unsupported_value")
    user = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    assert server.post(wire, as_wire(wire, user)).status_code == 200


@wires
def test_a_prompt_that_is_too_long_is_told_in_five_servers_words(server: Served, wire: str) -> None:
    server.act_out("context")
    answers = [server.post(wire, as_wire(wire, asking())) for _ in range(5)]
    assert {answer.status_code for answer in answers} == {400}
    first, second, third, fourth, fifth = (answer.json() for answer in answers)
    assert first["error"]["code"] == "context_length_exceeded"
    assert second["error"]["type"] == "exceed_context_size_error"
    assert second["error"]["n_prompt_tokens"] > second["error"]["n_ctx"]
    assert third["error"]["code"] == 400
    assert (fourth["object"], "error" in fourth) == ("error", False)
    assert isinstance(fifth["error"], str)


@wires
def test_a_filter_in_azure_s_words(server: Served, wire: str) -> None:
    server.act_out("content-filter-400")
    assert error_of(server.post(wire, as_wire(wire, asking())))["code"] == "content_filter"


def test_a_refused_parameter_is_told_in_two_servers_words(server: Served) -> None:
    server.act_out("no-seed")
    first, second = (server.post("chat", asking(seed=1)) for _ in range(2))
    assert (first.status_code, error_of(first)["param"]) == (400, "seed")
    assert (second.status_code, second.json()["detail"][0]["loc"]) == (422, ["body", "seed"])


@pytest.mark.parametrize(
    ("fault", "more"),
    [
        ("no-reasoning-effort", {"reasoning": {"effort": "low"}}),
        ("no-include", {"include": ["reasoning.encrypted_content"]}),
    ],
)
def test_a_reasoning_model_s_parameters_are_refused(
    server: Served, fault: str, more: dict[str, Any]
) -> None:
    asked = {"model": "offline-reasoning-1", "input": "hi", **more}
    server.act_out(fault)
    assert error_of(server.post("responses", asked))["param"] == next(iter(more))
    server.act_out()
    assert server.post("responses", asked).status_code == 200


def test_the_log_tells_which_faults_were_given(tmp_path: Any) -> None:
    from io import StringIO

    from intogen_agent.offline.faults import parse
    from intogen_agent.offline.server import Application

    log = StringIO()
    application = Application(parse(["no-tools:1"]), log)
    transport = httpx2.ASGITransport(app=application)

    async def send() -> None:
        async with httpx2.AsyncClient(transport=transport, base_url="http://m") as client:
            for _ in range(2):
                await client.post("/v1/chat/completions", json=asking(tools=tool()))

    import asyncio
    import json

    asyncio.run(send())
    first, second = (json.loads(line) for line in log.getvalue().splitlines())
    assert (first["status"], first["faults"]) == (400, ["no-tools"])
    assert (second["status"], "faults" in second) == (200, False)
