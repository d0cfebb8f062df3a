"""The endpoint over real HTTP within the test's process, and requests for both wires."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from tests.asgi_thread import served

from intogen_agent.offline.faults import Faults, parse
from intogen_agent.offline.server import Application

WIRES = ("chat", "responses")
PATHS = {"chat": "/chat/completions", "responses": "/responses"}


@dataclass
class Served:
    """A server whose faults tests change as they need them."""

    url: str
    faults: Faults
    http: httpx2.Client

    def act_out(self, *specs: str) -> None:
        """Give these faults and no others."""
        fresh = parse(list(specs))
        self.faults.left, self.faults.shares = fresh.left, fresh.shares
        self.faults.given.clear()

    def client(self) -> openai.OpenAI:
        return openai.OpenAI(base_url=self.url, api_key="none", max_retries=0, timeout=5)

    def post(self, wire: str, value: Any) -> httpx2.Response:
        return self.http.post(self.url + PATHS[wire], json=value)

    def ask(self, wire: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Send a request in the form of Chat Completions over a wire; return the body."""
        answer = self.post(wire, as_wire(wire, asked))
        assert answer.status_code == 200, answer.text
        value: dict[str, Any] = answer.json()
        return value


@contextmanager
def serving(faults: Faults | None = None) -> Iterator[Served]:
    """Serve in a thread of this process."""
    faults = faults or Faults()
    with served(Application(faults)) as port, httpx2.Client(timeout=5, trust_env=False) as http:
        yield Served(f"http://127.0.0.1:{port}/v1", faults, http)


def as_wire(wire: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a Chat Completions request as one of a wire."""
    return asked if wire == "chat" else as_responses(asked)


def as_responses(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a Chat Completions request in the form of the Responses API."""
    kept = {
        key: value
        for key, value in asked.items()
        if key not in ("messages", "tools", "tool_choice", "response_format")
    }
    value: dict[str, Any] = {**kept, "store": False, "input": list(_items(asked["messages"]))}
    if asked["messages"][0]["role"] == "system":
        value["instructions"] = asked["messages"][0]["content"]
        value["input"] = value["input"][1:]
    if "tools" in asked:
        value["tools"] = [{"type": "function", **tool["function"]} for tool in asked["tools"]]
    choice = asked.get("tool_choice")
    if choice is not None:
        named = isinstance(choice, dict)
        value["tool_choice"] = {"type": "function", **choice["function"]} if named else choice
    wanted = asked.get("response_format")
    if wanted is not None:
        value["text"] = {"format": {"type": wanted["type"], **wanted.get("json_schema", {})}}
    return value


def _items(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for message in messages:
        if message["role"] == "tool":
            yield {
                "type": "function_call_output",
                "call_id": message["tool_call_id"],
                "output": message["content"],
            }
            continue
        if message["content"] is not None:
            yield {"role": message["role"], "content": message["content"]}
        for call in message.get("tool_calls", ()):
            yield {"type": "function_call", "call_id": call["id"], **call["function"]}


@dataclass(frozen=True)
class Said:
    """What an answer says, whichever wire it came over."""

    text: str
    calls: list[tuple[str, Any]]
    ids: list[Any]
    ending: str
    refusal: str
    thinking: str
    usage: tuple[int, int, int, int]


_ENDINGS = {
    "tool_calls": "stop",
    "max_output_tokens": "length",
}


def said(wire: str, body: dict[str, Any]) -> Said:
    """Read a body."""
    return _said_chat(body) if wire == "chat" else _said_responses(body)


def _said_chat(body: dict[str, Any]) -> Said:
    (choice,) = body["choices"]
    message = choice["message"]
    calls = message.get("tool_calls") or []
    usage = body["usage"]
    return Said(
        message["content"] or "",
        [(call["function"]["name"], call["function"]["arguments"]) for call in calls],
        [call.get("id") for call in calls],
        _ENDINGS.get(choice["finish_reason"], choice["finish_reason"]),
        message["refusal"] or "",
        message.get("reasoning_content") or "",
        (
            usage["prompt_tokens"],
            usage["prompt_tokens_details"]["cached_tokens"],
            usage["completion_tokens"],
            usage["completion_tokens_details"]["reasoning_tokens"],
        ),
    )


def _said_responses(body: dict[str, Any]) -> Said:
    items = body["output"]
    parts = [part for item in items if item["type"] == "message" for part in item["content"]]
    calls = [item for item in items if item["type"] == "function_call"]
    thoughts = [
        part for item in items if item["type"] == "reasoning" for part in item.get("content", ())
    ]
    reason = (body["incomplete_details"] or {"reason": "stop"})["reason"]
    usage = body["usage"]
    return Said(
        "".join(part.get("text", "") for part in parts),
        [(call["name"], call["arguments"]) for call in calls],
        [call.get("call_id") for call in calls],
        _ENDINGS.get(reason, reason),
        "".join(part.get("refusal", "") for part in parts),
        "".join(part["text"] for part in thoughts),
        (
            usage["input_tokens"],
            usage["input_tokens_details"]["cached_tokens"],
            usage["output_tokens"],
            usage["output_tokens_details"]["reasoning_tokens"],
        ),
    )


def error_of(answer: httpx2.Response) -> dict[str, Any]:
    """Return the error of an answer in OpenAI's form."""
    error: dict[str, Any] = answer.json()["error"]
    return error
