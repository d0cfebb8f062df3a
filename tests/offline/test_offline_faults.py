"""Each fault on request, over real HTTP on both wires."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from offline_http import PATHS, WIRES, Said, Served, as_wire, said, serving
from offline_world import DRIVER, block, markdown, request, task

from intogen_agent.errors import UserError
from intogen_agent.offline import faults

wires = pytest.mark.parametrize("wire", WIRES)
PROPERTIES = {"genes": {"type": "array"}, "keywords": {"type": "array"}}
SEARCH = {
    "type": "function",
    "function": {
        "name": "article_searcher",
        "parameters": {"type": "object", "properties": PROPERTIES},
    },
}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def plain(**more: Any) -> dict[str, Any]:
    return request("hello", **more)


def searching(**more: Any) -> dict[str, Any]:
    return request(block("task", task()), tools=[SEARCH], **more)


def summary() -> dict[str, Any]:
    parts = (block("task", task()), block("payload", markdown(DRIVER), tool="article_searcher"))
    return request(*parts, schema="ToolSummary")


def given(
    server: Served, wire: str, fault: str, asked: dict[str, Any], times: int = 1
) -> list[Said]:
    """Return what is said under a fault, so many times."""
    server.act_out(f"{fault}:{times}")
    return [said(wire, server.ask(wire, asked)) for _ in range(times)]


def whole(server: Served, wire: str, asked: dict[str, Any]) -> Said:
    server.act_out()
    return said(wire, server.ask(wire, asked))


# When a fault is given


def test_every_fault_is_acted_out_somewhere() -> None:
    from intogen_agent.offline import outages, spoiling, traits

    acted = [
        *outages._INSTEAD,
        *spoiling._SPOILERS,
        *traits._TRAITS,
        *traits._PARAMETERS,
        *("no-choices", "stream", "half-body"),
    ]
    assert sorted(acted) == sorted(faults.KINDS)


@wires
def test_a_fault_ends_after_its_count(server: Served, wire: str) -> None:
    server.act_out("429:2")
    statuses = [server.post(wire, as_wire(wire, plain())).status_code for _ in range(4)]
    assert statuses == [429, 429, 200, 200]


def test_a_fault_is_given_to_a_share_of_requests_and_to_the_same_ones_each_time() -> None:
    drawn = []
    for _ in range(2):
        some = faults.parse(["empty:30%", "refusal:0%", "429:100%"])
        drawn.append([some.take("empty") for _ in range(400)])
        assert not any(some.take("refusal") for _ in range(50))
        assert all(some.take("429") for _ in range(50))
    assert drawn[0] == drawn[1]
    assert 90 < sum(drawn[0]) < 150


def test_a_fault_counts_only_requests_that_it_applies_to(server: Served) -> None:
    server.act_out("bad-json:1")
    assert said("chat", server.ask("chat", plain())).text
    assert "Here is the JSON" in said("chat", server.ask("chat", summary())).text


@pytest.mark.parametrize("spec", ["", "tea", "429:x", "429:101%", "429:-1", "429:%", "empty 1"])
def test_a_fault_that_does_not_exist_is_refused(spec: str) -> None:
    with pytest.raises(UserError, match="--fault"):
        faults.parse([spec])


def test_the_nearest_name_is_told() -> None:
    with pytest.raises(UserError, match="did you mean no-tools"):
        faults.parse(["no-tool:1"])


# No answer of a model

ERRORS = {
    "429": (429, "rate_limit_exceeded", "0"),
    "429-date": (429, "rate_limit_exceeded", "Wed, 21 Oct 2015 07:28:00 GMT"),
    "429-long": (429, "rate_limit_exceeded", "100000"),
    "quota": (429, "insufficient_quota", None),
    "401": (401, "invalid_api_key", None),
    "error-500": (500, None, None),
}


@wires
@pytest.mark.parametrize("name", list(ERRORS))
def test_http_errors(server: Served, wire: str, name: str) -> None:
    server.act_out(f"{name}:1")
    answer = server.post(wire, {})
    told = (answer.status_code, answer.json()["error"]["code"], answer.headers.get("retry-after"))
    assert told == ERRORS[name]


def test_server_errors_come_in_turn(server: Served) -> None:
    server.act_out("error-500")
    answers = [server.post("chat", plain()) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [500, 502, 503, 500]
    assert [answer.headers["content-type"].split(";")[0] for answer in answers] == [
        "application/json",
        "text/html",
        "application/json",
        "text/plain",
    ]


@wires
def test_what_is_no_answer_comes_with_status_200(server: Served, wire: str) -> None:
    server.act_out("html:1", "empty-body:1", "error-200:3")
    answers = [server.post(wire, as_wire(wire, plain())) for _ in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert answers[0].text.startswith("<!DOCTYPE html>")
    assert answers[1].content == b""
    errors = [answer.json()["error"] for answer in answers[2:]]
    assert [type(error) for error in errors] == [dict, str, dict]


@wires
def test_a_body_ends_in_the_middle(server: Served, wire: str) -> None:
    server.act_out("half-body:1")
    with pytest.raises(httpx2.RemoteProtocolError):
        server.post(wire, as_wire(wire, plain()))
    assert server.post(wire, as_wire(wire, plain())).status_code == 200


@wires
def test_an_answer_without_content(server: Served, wire: str) -> None:
    server.act_out("no-choices:2")
    key = "choices" if wire == "chat" else "output"
    first, second = (server.post(wire, as_wire(wire, plain())).json() for _ in range(2))
    assert first[key] is None
    assert second.get(key) == ([] if wire == "chat" else None)


@wires
def test_a_stream_that_ends_early(server: Served, wire: str) -> None:
    server.act_out("stream:1")
    answer = server.post(wire, as_wire(wire, plain()))
    assert answer.headers["content-type"] == "text/event-stream"
    data = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    value = json.loads(data[0].removeprefix("data: "))
    assert value.get("response", value)["model"] == "offline-extractive-1"
    assert "[DONE]" not in answer.text and "completed" not in answer.text


@wires
def test_a_held_request_holds_up_no_other(server: Served, wire: str) -> None:
    server.act_out("slow:1")
    address = server.url + PATHS[wire]
    with pytest.raises(httpx2.ReadTimeout):
        httpx2.post(address, json=as_wire(wire, plain()), timeout=0.1)
    assert server.post(wire, as_wire(wire, plain())).status_code == 200


def test_a_held_request_does_not_hold_up_the_end_of_the_server() -> None:
    options = ["--fault", "slow", "--log", "/dev/stdout"]
    command = [sys.executable, "-m", "intogen_agent", "serve-offline-model", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().strip().split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
            head = b"POST /v1/responses HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
            client.sendall(head)
            assert json.loads(process.stdout.readline())["faults"] == ["slow"]
            process.send_signal(signal.SIGTERM)
            # It is told so, and not cut off when the server's patience is over.
            assert client.recv(100).startswith(b"HTTP/1.1 503 ")
        assert process.wait(timeout=10) in (0, -signal.SIGTERM)


# Answers that are of no use


@wires
def test_arguments_that_cannot_be_read(server: Served, wire: str) -> None:
    (cut,) = given(server, wire, "bad-arguments", searching())
    with pytest.raises(json.JSONDecodeError):
        json.loads(cut.calls[0][1])
    (listed,) = given(server, wire, "list-arguments", searching())
    assert isinstance(json.loads(listed.calls[0][1]), list)
    assert json.loads(listed.calls[1][1])["genes"] == ["ABX1"]


@wires
def test_ids_that_do_not_tell_calls_apart(server: Served, wire: str) -> None:
    (same,) = given(server, wire, "same-ids", searching())
    assert len(same.ids) > 1
    assert set(same.ids) == {"call_0"}
    empty, absent = given(server, wire, "no-ids", searching(), 2)
    assert (set(empty.ids), set(absent.ids)) == ({""}, {None})


@wires
def test_a_call_of_a_tool_that_was_not_offered(server: Served, wire: str) -> None:
    (spoiled,) = given(server, wire, "unknown-tool", searching())
    assert spoiled.calls[0][0] == "lookup_everything"
    assert spoiled.calls[1][0] == "article_searcher"


@wires
def test_calls_written_as_text_take_four_forms(server: Served, wire: str) -> None:
    name, arguments = whole(server, wire, searching()).calls[0]
    spoiled = given(server, wire, "call-as-text", searching(), 4)
    assert not any(one.calls for one in spoiled)
    fenced, bare, tagged, wrapped = (one.text for one in spoiled)
    value = {"name": name, "arguments": json.loads(arguments)}
    assert json.loads(bare) == value
    assert json.loads(wrapped) == {"function": value}
    assert "```json\n" in fenced and bare in fenced
    assert tagged == f"<tool_call>\n{bare}\n</tool_call>"
    (prose,) = given(server, wire, "call-as-prose", searching())
    assert '"lookup_everything"' in prose.text and not prose.calls


@wires
def test_a_choice_of_tool_that_is_ignored(server: Served, wire: str) -> None:
    (ignored,) = given(server, wire, "tool-choice-ignored", searching(tool_choice="required"))
    assert ignored.text and not ignored.calls
    server.act_out("tool-choice-ignored")
    assert said(wire, server.ask(wire, searching())).calls


@wires
def test_a_schema_that_is_ignored(server: Served, wire: str) -> None:
    (prose,) = given(server, wire, "json-schema-ignored", summary())
    assert prose.text and "{" not in prose.text


@wires
@pytest.mark.parametrize(
    ("name", "ending", "refusal", "text", "spent"),
    [
        ("empty", "stop", False, False, False),
        ("reasoning-only", "stop", False, False, False),
        ("reasoning-length", "length", False, False, True),
        ("refusal", "stop", True, False, False),
        ("content-filter", "content_filter", False, False, False),
        ("truncated", "length", False, True, False),
    ],
)
def test_answers_that_end_badly(
    server: Served, wire: str, name: str, ending: str, refusal: bool, text: bool, spent: bool
) -> None:
    (one,) = given(server, wire, name, summary())
    told = (one.ending, bool(one.refusal), bool(one.text), one.usage[3] > 0)
    assert told == (ending, refusal, text, spent)
    assert bool(one.thinking) == (name == "reasoning-only")


@wires
def test_a_prompt_that_was_cut_shows_in_the_usage_only(server: Served, wire: str) -> None:
    before = whole(server, wire, summary())
    (cut,) = given(server, wire, "silent-truncation", summary())
    assert cut.text == before.text
    assert cut.usage[0] < before.usage[0] * 0.5


def test_openai_s_client_is_misled_as_by_real_servers(server: Served) -> None:
    client = server.client()
    server.act_out("no-choices:1", "html:1")
    assert "DOCTYPE" in str(client.chat.completions.create(**plain()))
    assert client.chat.completions.create(**plain()).choices is None
    server.act_out("quota:1")
    with pytest.raises(openai.RateLimitError):
        client.chat.completions.create(**plain())


@pytest.mark.parametrize("name", list(faults.KINDS))
def test_a_fault_is_documented_as_it_is(root: Path, name: str) -> None:
    kind = faults.KINDS[name]
    number = f" {kind.number}" if kind.number else ""
    only = "" if kind.wires == "both" else f" ({kind.wires} only)"
    row = f"|{number} | `{name}` | {kind.concerns} | {kind.effect}{only} |"
    assert row in (root / "docs" / "offline-model.md").read_text().splitlines()
