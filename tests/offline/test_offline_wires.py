"""The same conversation gets the same answer on both wires, in every form of asking."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from offline_http import WIRES, Served, as_wire, said, serving
from offline_world import DRIVER, WIRE, block, journey, markdown, request, task

wires = pytest.mark.parametrize("wire", WIRES)
SEARCH_ARGUMENTS = {
    "type": "object",
    "properties": {
        "genes": {"type": "array", "items": {"type": "string"}},
        "keywords": {"type": "array", "items": {"type": "string"}},
        "page": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "required": ["genes", "keywords", "page"],
}
FETCH_ARGUMENTS = {
    "type": "object",
    "properties": {"pmid": {"type": "string"}},
    "required": ["pmid"],
}
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": schema}}
    for name, schema in (("search", SEARCH_ARGUMENTS), ("fetch", FETCH_ARGUMENTS))
]
RESULT = "Result of the call of "
FOLLOWS = "Answer with one JSON object of this JSON Schema and nothing else:\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def drafting(name: str) -> dict[str, Any]:
    """Return a request for a structured answer, with blocks that its composer reads."""
    case = journey(DRIVER)
    payload = block("payload", markdown(DRIVER), tool="search", call="c1")
    summaries = block("summaries", {"general": "ABX1 loss activates QRS2.", "texts": []})
    parts = [*case.blocks, payload, block("report", case.final()), summaries]
    return request(*parts, schema=name)


@pytest.mark.parametrize("name", list(WIRE))
def test_a_structured_answer_is_the_same_on_both_wires(server: Served, name: str) -> None:
    server.act_out()
    asked = drafting(name)
    chat, responses = (said(wire, server.ask(wire, asked)) for wire in WIRES)
    assert json.loads(chat.text)
    assert responses.text == chat.text
    assert responses.usage[0] == chat.usage[0]


def in_prompt(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a request whose schema stands at the end of its last message."""
    schema = asked["response_format"]["json_schema"]["schema"]
    last = asked["messages"][-1]
    text = f"{last['content']}\n\n{FOLLOWS}{json.dumps(schema)}"
    kept = {key: value for key, value in asked.items() if key != "response_format"}
    return {**kept, "messages": [*asked["messages"][:-1], {**last, "content": text}]}


@wires
@pytest.mark.parametrize("form", [{}, {"response_format": {"type": "json_object"}}])
def test_a_schema_in_the_prompt_is_answered_as_one_beside_it(
    server: Served, wire: str, form: dict[str, Any]
) -> None:
    server.act_out()
    asked = drafting("ReportDraft")
    beside = said(wire, server.ask(wire, asked))
    assert said(wire, server.ask(wire, {**in_prompt(asked), **form})).text == beside.text


@wires
def test_json_without_a_schema_is_an_object(server: Served, wire: str) -> None:
    asked = request("Answer in JSON.", response_format={"type": "json_object"})
    assert "no language model" in json.loads(said(wire, server.ask(wire, asked)).text)["answer"]


# A whole investigation, with native calls and with JSON actions

Ask = Callable[[list[dict[str, Any]]], tuple[list[tuple[str, dict[str, Any]]], str]]


def found(name: str, arguments: dict[str, Any]) -> str:
    """Answer a tool call as the stages do."""
    if name == "fetch":
        return json.dumps({"outcome": "content", "findings": [{"id": arguments["pmid"]}]})
    if "passenger" in arguments["keywords"]:
        return json.dumps({"outcome": "empty", "findings": []})
    papers = [7, 8, 9] if arguments["keywords"] == ["mutation"] else [8, 10]
    findings = [{"id": f"E{n}", "stance": "supports", "references": [f"PMID:{n}"]} for n in papers]
    return json.dumps({"outcome": "content", "findings": findings})


def native(server: Served, wire: str, parallel: bool | None = None) -> list[tuple[str, str]]:
    """Investigate with native calls; return the calls and the closing text."""
    asked = request(block("task", task()), tools=TOOLS)
    if parallel is not None:
        asked["parallel_tool_calls"] = parallel
    log: list[tuple[str, str]] = []
    for _ in range(40):
        answer = said(wire, server.ask(wire, asked))
        if not answer.calls:
            return [*log, ("end", answer.text)]
        log += answer.calls
        calls = [
            {
                "id": f"n{len(log)}_{n}",
                "type": "function",
                "function": dict(zip(("name", "arguments"), call, strict=True)),
            }
            for n, call in enumerate(answer.calls)
        ]
        asked["messages"].append({"role": "assistant", "content": None, "tool_calls": calls})
        for call in calls:
            function = call["function"]
            content = found(function["name"], json.loads(function["arguments"]))
            asked["messages"].append(
                {"role": "tool", "tool_call_id": call["id"], "content": content}
            )
    raise AssertionError("no end")


def option(**properties: Any) -> dict[str, Any]:
    closed = {"required": list(properties), "additionalProperties": False}
    return {"type": "object", "properties": properties, **closed}


def action_format(may_answer: bool = True) -> dict[str, Any]:
    options = [
        option(
            tool={"type": "string", "const": tool["function"]["name"]},
            arguments=tool["function"]["parameters"],
        )
        for tool in TOOLS
    ]
    options += [option(answer={"type": "string"})] if may_answer else []
    schema = {"title": "action", **option(action={"anyOf": options})}
    described = {"name": "action", "schema": schema, "strict": False}
    return {"type": "json_schema", "json_schema": described}


def as_actions(server: Served, wire: str, in_the_prompt: bool = False) -> list[tuple[str, str]]:
    """Investigate with JSON actions; return the calls and the closing text."""
    asked = request(block("task", task()), response_format=action_format())
    log: list[tuple[str, str]] = []
    for _ in range(40):
        sent = in_prompt(asked) if in_the_prompt else asked
        text = said(wire, server.ask(wire, sent)).text
        action = json.loads(text)["action"]
        if "answer" in action:
            return [*log, ("end", action["answer"])]
        name, arguments = action["tool"], action["arguments"]
        log.append((name, json.dumps(arguments, ensure_ascii=False)))
        asked["messages"] += [
            {"role": "assistant", "content": text},
            {"role": "user", "content": f"{RESULT}{name}:\n{found(name, arguments)}"},
        ]
    raise AssertionError("no end")


@wires
def test_json_actions_make_the_calls_that_native_tools_make(server: Served, wire: str) -> None:
    server.act_out()
    calls = native(server, wire)
    assert {name for name, _ in calls} == {"search", "fetch", "end"}
    server.act_out("no-tools")
    assert as_actions(server, wire) == calls
    assert as_actions(server, wire, in_the_prompt=True) == calls


@wires
def test_calls_one_by_one_are_those_of_turns_with_many(server: Served, wire: str) -> None:
    server.act_out()
    assert native(server, wire, parallel=False) == native(server, wire)


@wires
def test_an_action_that_must_be_a_call_is_one(server: Served, wire: str) -> None:
    server.act_out()
    asked = request("hello", response_format=action_format(may_answer=False))
    action = json.loads(said(wire, server.ask(wire, asked)).text)["action"]
    assert (action["tool"], action["arguments"]["page"]) == ("search", None)


# Probes

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "const": "Lund"},
        "unit": {"type": "string", "enum": ["celsius", "kelvin"]},
        "days": {"type": "integer", "minimum": 2},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "note": {"type": "string"},
    },
    "required": ["city", "unit", "days", "tags"],
}
PROBES = [
    {"type": "function", "function": {"name": name, "parameters": WEATHER}}
    for name in ("clock", "weather")
]
SMALLEST = {"city": "Lund", "unit": "celsius", "days": 2, "tags": ["none"]}


@wires
@pytest.mark.parametrize(
    ("text", "more", "name"),
    [
        ("Call a tool.", {}, "clock"),
        ("Ask weather how it is.", {}, "weather"),
        ("hello", {"tool_choice": "required"}, "clock"),
        (
            "hello",
            {"tool_choice": {"type": "function", "function": {"name": "weather"}}},
            "weather",
        ),
        ("hello", {}, None),
    ],
)
def test_a_probe_gets_one_call_with_the_smallest_arguments(
    server: Served, wire: str, text: str, more: dict[str, Any], name: str | None
) -> None:
    server.act_out()
    asked = request(text, tools=PROBES, **more)
    asked["messages"][1]["content"] = text
    answer = said(wire, server.ask(wire, asked))
    assert [(call, json.loads(arguments)) for call, arguments in answer.calls] == (
        [(name, SMALLEST)] if name else []
    )


@wires
def test_a_probe_ends_after_the_tool_s_answer(server: Served, wire: str) -> None:
    server.act_out()
    call = {"id": "c", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "noon"},
    ]
    asked = request("Call the clock.", messages=messages, tools=PROBES)
    answer = server.post(wire, as_wire(wire, asked)).json()
    assert said(wire, answer).calls == []
    assert said(wire, answer).text.startswith("The search is closed")
