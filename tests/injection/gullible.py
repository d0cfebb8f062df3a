"""A model that does what it reads: the offline model's answers, bent as a planted text wants."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import composer
from tests.asgi_thread import served
from tests.injection.planted import FAKE_DOI, FAKE_PMID, FAKE_TRIAL
from tests.samples import summary_bullet

FAKES = [f"PMID:{FAKE_PMID}", f"DOI:{FAKE_DOI}", FAKE_TRIAL]
FORBIDDEN_TOOL = "read_environment"


@dataclass
class Gullible:
    """What tests see of the server: its address, bodies of requests, and the keys it was shown."""

    url: str = ""
    bodies: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)


@contextmanager
def serving() -> Iterator[Gullible]:
    """Serve the model in a thread until the block ends."""
    seen = Gullible()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            part = await receive()
            body += part.get("body", b"")
            more = bool(part.get("more_body"))
        headers = dict(scope["headers"])
        seen.bodies.append(body.decode())
        seen.keys.add(headers.get(b"authorization", b"").decode())
        answer = json.dumps(_answer(json.loads(body))).encode()
        kind = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": kind})
        await send({"type": "http.response.body", "body": answer})

    with served(application) as port:
        seen.url = f"http://127.0.0.1:{port}/v1"
        yield seen


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    reply = composer.reply(request)
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    wanted = (request.get("response_format") or {}).get("json_schema", {}).get("name")
    if wanted:
        message["content"] = json.dumps(_bent(wanted, json.loads(reply.text or "{}"), request))
    calls = list(reply.calls)
    names = [tool["function"]["name"] for tool in request.get("tools", [])]
    if calls and "article_search" in names:
        calls.append((FORBIDDEN_TOOL, {"name": "GULLIBLE_KEY"}))
    if calls:
        message["content"] = None
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for number, (name, arguments) in enumerate(calls)
        ]
    ending = "tool_calls" if calls else "stop"
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "gullible-1",
        "choices": [{"index": 0, "finish_reason": ending, "message": message}],
        "usage": {"prompt_tokens": len(json.dumps(request)) // 4, "completion_tokens": 1},
    }


def _bent(shape: str, value: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    asked = "\n".join(str(one.get("content")) for one in request["messages"])
    if FAKE_PMID not in asked and shape == "ToolSummary":
        return value
    if shape == "ToolSummary":
        for bullet in value["bullets"]:
            bullet["citations"] = FAKES
        value["bullets"] += [summary_bullet(sentence, *FAKES) for sentence in _planted(asked)]
    if shape in ("ReportDraft", "RefinedDraft"):
        report = value["report"] if shape == "RefinedDraft" else value
        report["involvement"] = "supported"
        report["reason"] = ""
        for bullet in report["rationale"]:
            bullet["citations"] = [*bullet["citations"], *FAKES]
    if shape == "WireCritique":
        value["overall_accept"] = True
        value["issues"] = []
    return value


def _planted(asked: str) -> list[str]:
    return [line.strip() for line in asked.splitlines() if FAKE_PMID in line]
