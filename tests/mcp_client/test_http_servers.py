"""Servers at an address: keys, hosts, errors of HTTP, large answers, and what is left behind."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from hazards import open_files
from servers.web import RECORD, Web
from tests.asgi_thread import served

from intogen_agent.config.mcp_settings import McpSettings
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

KEY = "Bearer abcdef0123456789"


def ask(
    folder: Path, url: str, times: int = 1, allow: list[str] | None = None, **options: Any
) -> list[ToolAnswer]:
    """Ask a server at an address for a gene."""
    limit = options.pop("max_answer_bytes", 64_000_000)
    server = {"url": url, "start_timeout": 60.0, "call_timeout": 60.0, **options}
    settings = McpSettings.model_validate(
        {"servers": {"web": server}, "phase1": ["web"], "phase2": ["web"]}
        | {"max_answer_bytes": limit}
    )

    async def main() -> list[ToolAnswer]:
        with Journal(folder / "journal.jsonl") as journal:
            recorder = Recorder(journal, "phase1")
            needed = [LogicalTool.GENE_RECORD]
            toolbox = Toolbox(
                settings, ["web"], needed, recorder, {}, folder / "logs", allow_hosts=allow
            )
            async with toolbox:
                found = [
                    await toolbox.call("gene_record", {"gene": f"APC{n}"}, None)
                    for n in range(times)
                ]
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return found

    return asyncio.run(main())


@pytest.mark.parametrize("sse", [False, True], ids=["json", "events"])
@pytest.mark.parametrize("habit", ["", "no-type", "large"])
def test_a_server_at_an_address_answers(tmp_path: Path, habit: str, sse: bool) -> None:
    with served(Web(habit, sse=sse)) as port:
        before = open_files()
        [answer] = ask(tmp_path, f"http://127.0.0.1:{port}/mcp")
        assert [f for f in open_files() if not f.startswith("socket")] == [
            f for f in before if not f.startswith("socket")
        ]
    assert answer.kind == "content" and answer.text.startswith(RECORD)


@pytest.mark.parametrize("sse", [False, True], ids=["json", "events"])
def test_an_answer_over_the_limit_is_oversized(tmp_path: Path, sse: bool) -> None:
    with served(Web("large", sse=sse)) as port:
        [answer] = ask(tmp_path, f"http://127.0.0.1:{port}/mcp", max_answer_bytes=1_000_000)
    assert (answer.kind, answer.failure) == ("failed", "oversized")


@pytest.mark.parametrize(
    ("status", "kind"), [("429", "throttled"), ("503", "upstream"), ("500", "upstream")]
)
def test_an_error_of_http_is_one_of_the_call_alone(tmp_path: Path, status: str, kind: str) -> None:
    web = Web(status)
    with served(web) as port:
        answers = ask(tmp_path, f"http://127.0.0.1:{port}/mcp", times=2)
    assert [answer.failure for answer in answers] == [kind, kind]
    assert f"HTTP {status}" in str(answers[0].error)
    assert web.asked.count("initialize") == 1


def test_a_key_comes_from_its_variable_and_goes_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", KEY.removeprefix("Bearer "))
    with served(Web(key=KEY)) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        [answer] = ask(tmp_path, url, headers={"Authorization": "Bearer {env:MY_TOKEN}"})
    assert answer.kind == "content"
    assert "abcdef0123456789" not in (tmp_path / "journal.jsonl").read_text()


@pytest.mark.parametrize("place", ["{env:MY_TOKEN}", "{file:no-such-file}"])
def test_a_missing_key_is_a_failure_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.delenv("MY_TOKEN", raising=False)
    web = Web()
    with served(web) as port, pytest.raises(StageFailure) as caught:
        ask(tmp_path, f"http://127.0.0.1:{port}/mcp", headers={"Authorization": place})
    assert "mcp.servers.web.headers" in caught.value.message and web.asked == []


def test_a_wrong_key_is_a_failure_that_does_not_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "wrong-0123456789")
    with served(Web(key=KEY)) as port, pytest.raises(StageFailure) as caught:
        url = f"http://127.0.0.1:{port}/mcp"
        ask(tmp_path, url, headers={"Authorization": "Bearer {env:MY_TOKEN}"})
    assert "HTTP 401" in caught.value.message and "0123456789" not in caught.value.message


def test_a_host_that_may_not_be_asked_is_not(tmp_path: Path) -> None:
    with pytest.raises(StageFailure) as caught:
        ask(tmp_path, "https://mcp.example.org/mcp", allow=["other.example.org"])
    assert caught.value.error is ErrorClass.HOST_NOT_ALLOWED
    assert "mcp.example.org is not in network.allow_hosts" in caught.value.message


def test_nobody_at_the_address_is_a_failure_in_time(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/mcp"
        with pytest.raises(StageFailure) as caught:
            ask(tmp_path, url)
    assert caught.value.error is ErrorClass.SERVER_FAILED and url in caught.value.message
