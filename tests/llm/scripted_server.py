"""A small OpenAI-compatible server on a real socket that answers what a test scripts.

It is strict: a conversation that OpenAI would refuse is refused here too.
"""

import asyncio
import json
import re
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import responses_form

from intogen_agent.config.llm_settings import LlmSettings, Provider, RetrySettings, RoleSettings
from intogen_agent.config.settings import NetworkSettings, Settings
from intogen_agent.llm.models import Models
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

T = TypeVar("T")
# Which wire the tests of this run speak; the fixture `api` sets it.
API = "chat"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
USAGE = {
    "prompt_tokens": 11,
    "completion_tokens": 5,
    "prompt_tokens_details": {"cached_tokens": 3},
    "completion_tokens_details": {"reasoning_tokens": 2},
}


@dataclass
class Reply:
    """One HTTP answer.

    Attributes:
        cut: Send so many bytes of the body, then break the connection.
        delay: Seconds before the answer.
    """

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    delay: float = 0.0


def message(content: str | None = None, finish: str | None = "stop", **more: Any) -> Reply:
    """Return a chat completion with one choice."""
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": content, **more},
    }
    return Reply({"id": "x", "model": "served-1", "choices": [choice], "usage": USAGE})


def tool_call(name: Any, arguments: Any, id: Any = "call_a") -> dict[str, Any]:
    """Return a raw tool call."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def tool_calls(*calls: Any, content: str | None = None) -> Reply:
    """Return a turn that calls tools."""
    return message(content, "tool_calls", tool_calls=list(calls))


def error(status: int, headers: dict[str, str] | None = None, **fields: Any) -> Reply:
    """Return an error in OpenAI's form."""
    return Reply({"error": {"type": None, "code": None, **fields}}, status, headers or {})


@dataclass
class Seen:
    """A request as it came in; `body` has the form of Chat Completions on both wires."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: dict[str, Any]


class ScriptedServer:
    """Answers requests with its replies in turn; the last one is given again and again."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = deque(replies)
        self.requests: list[Seen] = []
        self.url = ""

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop listening."""
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                await self._answer(head, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        first, *rest = head.strip().split("\r\n")
        headers = {key.lower(): value for key, value in (line.split(": ", 1) for line in rest)}
        length = int(headers.get("content-length", "0"))
        sent = json.loads(await reader.readexactly(length) or "{}")
        path = first.split()[1]
        other_wire = path.endswith("/responses")
        body = responses_form.request(sent) if other_wire else sent
        self.requests.append(Seen(path, headers, body, sent))
        reply = self._replies.popleft() if len(self._replies) > 1 else self._replies[0]
        problem = refusal(body) if sent else None
        if problem is not None:
            reply = error(400, message=problem, type="invalid_request_error")
        await asyncio.sleep(reply.delay)
        raw = responses_form.answer(reply.body) if other_wire else reply.body
        data = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
        lines = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {len(data)}"]
        told = {"Content-Type": "application/json", **reply.headers}
        lines += [f"{key}: {value}" for key, value in told.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + data[: reply.cut])
        await writer.drain()
        if reply.cut is not None:
            raise ConnectionResetError


def refusal(body: dict[str, Any]) -> str | None:
    """Say what OpenAI would refuse about a request."""
    for tool in body.get("tools", []):
        function = tool["function"]
        if not NAME.fullmatch(function["name"]):
            return f"tool name {function['name']!r}"
        if function["parameters"].get("type") != "object" or function.get("strict"):
            return "tool parameters"
    if body.get("stream"):
        return "streaming is not part of this test"
    if "tools" in body and "response_format" in body:
        return "tools and a response format in one request"
    return _conversation_refusal(body["messages"])


def _conversation_refusal(messages: Iterable[dict[str, Any]]) -> str | None:
    waiting: Counter[str] = Counter()
    for position, item in enumerate(messages):
        role = item["role"]
        if (role == "system") != (position == 0):
            return "one leading system message"
        if role != "tool" and waiting:
            return f"tool calls without an answer: {sorted(waiting)}"
        if "content" not in item:
            return "the key content is missing"
        if role == "assistant":
            for call in item.get("tool_calls", []):
                if not call["id"] or waiting[call["id"]]:
                    return f"tool call id {call['id']!r}"
                if not NAME.fullmatch(call["function"]["name"]):
                    return f"tool call name {call['function']['name']!r}"
                if not isinstance(json.loads(call["function"]["arguments"]), dict):
                    return "tool call arguments"
                waiting[call["id"]] += 1
            if item["content"] is None and not item.get("tool_calls"):
                return "an assistant message without content"
        elif role == "tool":
            if not waiting[item["tool_call_id"]]:
                return f"an answer to no call: {item['tool_call_id']!r}"
            del waiting[item["tool_call_id"]]
        elif not isinstance(item["content"], str):
            return "content must be text"
    return f"tool calls without an answer: {sorted(waiting)}" if waiting else None


@dataclass
class Ran:
    """What a run against a scripted server brought."""

    value: Any
    requests: list[Seen]
    waits: list[float]
    entries: list[dict[str, Any]]
    journal: str


# A model that needs no probe: a test of one call sees one request.
KNOWN = {"tools": "native", "structured": "json_schema"}
RETRY = {"attempts": 4, "first_wait": 1, "max_wait": 8, "request_timeout": 5, "call_deadline": 600}
SYSTEM = {"role": "system", "content": "You are a test."}
QUESTION = [SYSTEM, {"role": "user", "content": "Well?"}]


def run(
    folder: Path,
    replies: Iterable[Reply],
    act: Callable[[Models], Awaitable[T]],
    *,
    provider: dict[str, Any] | None = None,
    capabilities: dict[str, Any] | None = None,
    role: dict[str, Any] | None = None,
    allow_hosts: list[str] | None = None,
    same_place: bool = False,
    waits: list[float] | None = None,
    retry: dict[str, Any] | None = None,
    before: Callable[[ScriptedServer], None] = lambda _: None,
    **settings: Any,
) -> Ran:
    """Let something happen between the models and a scripted server; no wait is real."""
    waits = [] if waits is None else waits

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    async def main() -> Ran:
        async with ScriptedServer(*replies) as server:
            before(server)
            given = {
                "api": API,
                "capabilities": {**KNOWN, **(capabilities or {})},
                **(provider or {}),
            }
            address: dict[str, Any] = {"base_url": server.url}
            if same_place:
                # Its port differs from run to run, its place in the configuration does not.
                (folder / "address").write_text(server.url)
                address = {"base_url_file": folder / "address"}
            if "base_url_file" in given:
                address = {}
            llm = LlmSettings(
                providers={"test": Provider.model_validate({**address, **given})},
                default=RoleSettings(**{"provider": "test", "model": "asked-1", **(role or {})}),
                retry=RetrySettings(**{**RETRY, **(retry or {})}),
                **settings,
            )
            configured = Settings(
                llm=llm,
                results=folder / "results",
                network=NetworkSettings(allow_hosts=allow_hosts),
            )
            with Journal(folder / "journal.jsonl") as journal:
                recorder = Recorder(journal, "phase1")
                async with Models(configured, recorder, folder / "logs", sleep) as models:
                    value = await act(models)
            text = (folder / "journal.jsonl").read_text(encoding="utf-8")
            return Ran(value, server.requests, waits, recorder.used, text)

    return asyncio.run(main())
