"""Every failure provoked with a marked key: it is found in no file, log, message or argument."""

import logging
from pathlib import Path
from typing import Any

import psutil
import pytest
from offline_server import Server, ask, serving
from scripted_server import QUESTION, Reply, error, message, run

from intogen_agent.config.roles import Role
from intogen_agent.evidence.wire import ToolSummary
from intogen_agent.llm.models import Models
from intogen_agent.mcp.schema import function_tool
from intogen_agent.offline.faults import KINDS

KEY = "sk-marked-0123456789"
TOOL = function_tool("gene_getter", "Gets a gene.", {"properties": {"gene": {"type": "string"}}})


@pytest.fixture
def log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Path:
    """Everything that any library logs, as with OPENAI_LOG=debug."""
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "intogen_agent"):
        caplog.set_level(logging.DEBUG, name)
    path = tmp_path / "everything.log"
    handler = logging.FileHandler(path)
    logging.getLogger().addHandler(handler)
    yield path  # type: ignore[misc]
    logging.getLogger().removeHandler(handler)
    handler.close()


def hits(folder: Path) -> list[Path]:
    return [
        path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    ]


def in_arguments() -> list[int]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(KEY in word for word in process.info["cmdline"] or []):
            found.append(process.pid)
    return found


async def everything(models: Models) -> list[Any]:
    return [
        await models.chat(Role.SUMMARIZER, QUESTION),
        await models.chat(Role.SUMMARIZER, QUESTION, [TOOL], "required"),
        await models.structured(Role.SUMMARIZER, QUESTION, ToolSummary),
    ]


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_no_failure_gives_the_key_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Path, wire: str
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", KEY)
    told: list[Any] = []
    role = {"temperature": 0.0, "seed": 1, "max_output_tokens": 50, "service_tier": "flex"}
    with serving() as server:
        for fault in KINDS:
            (tmp_path / fault).mkdir()
            told.append(provoke(tmp_path / fault, server, wire, fault, role))
    assert log.stat().st_size > 10_000
    assert len(told) == len(KINDS) and KEY not in str(told)
    assert hits(tmp_path) == [] and in_arguments() == []


def provoke(folder: Path, server: Server, wire: str, fault: str, role: dict[str, Any]) -> Any:
    server.act_out(fault)
    provider = {"api_key_env": "TEST_LLM_KEY"}
    asked = ask(folder, server, wire, everything, role=role, provider=provider)
    return asked.value, asked.entries


QUOTING = [
    error(401, message=f"Incorrect API key provided: {KEY}"),
    error(400, message=f"bad request: Authorization: Bearer {KEY}"),
    error(500, message=f"upstream said {KEY}"),
    message(f"Your key is {KEY}."),
    message(None, refusal=f"I do not talk to {KEY}"),
    Reply(f"<html>{KEY}</html>".encode(), headers={"Content-Type": "text/html"}),
    Reply(f'"{KEY}"'.encode()),
    Reply({KEY: {"error": KEY}}),
    Reply({}, 302, {"Location": f"http://127.0.0.1:1/{KEY}"}),
]


@pytest.mark.parametrize("reply", QUOTING)
@pytest.mark.usefixtures("api")
def test_a_server_that_quotes_the_key_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", KEY)
    unknown = {"tools": "auto", "structured": "auto"}
    for number, capabilities in enumerate(({}, unknown)):
        folder = tmp_path / str(number)
        ran = run(
            folder,
            [reply],
            everything,
            provider={"api_key_env": "TEST_LLM_KEY"},
            capabilities=capabilities,
        )
        assert KEY in ran.requests[0].headers["authorization"]
        assert KEY not in str(ran.value) and KEY not in str(ran.entries)
    assert hits(tmp_path) == []
