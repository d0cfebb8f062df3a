"""The endpoint over real HTTP, as clients meet it."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from offline_world import DRIVER, block, markdown, request, task

COMMAND = [sys.executable, "-m", "intogen_agent", "serve-offline-model"]


@contextmanager
def served(*options: str) -> Iterator[str]:
    """Start the server, give its address, end it."""
    with subprocess.Popen([*COMMAND, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=10)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def url(files: Path) -> Iterator[str]:
    options = ("--log", str(files / "log.jsonl"), "--port-file", str(files / "port"))
    with served(*options) as address:
        yield address


def client(url: str, retries: int = 0) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=retries)


def summary_request() -> dict[str, Any]:
    parts = (block("task", task()), block("payload", markdown(DRIVER), tool="article_searcher"))
    return request(*parts, schema="ToolSummary")


def test_the_port_file_holds_the_port(url: str, files: Path) -> None:
    assert url == f"http://127.0.0.1:{(files / 'port').read_text().strip()}/v1"


def test_health_and_models_are_answered(url: str) -> None:
    assert httpx2.get(url.removesuffix("/v1") + "/health").json()["status"] == "ok"
    assert [model.id for model in client(url).models.list()] == [
        "offline-extractive-1",
        "offline-reasoning-1",
    ]


def test_openai_s_client_gets_a_structured_answer(url: str) -> None:
    answer = client(url).chat.completions.create(**summary_request())
    assert answer.model == "offline-extractive-1"
    assert answer.choices[0].finish_reason == "stop"
    assert json.loads(answer.choices[0].message.content or "")["bullets"]
    assert answer.usage is not None
    assert answer.usage.prompt_tokens > answer.usage.completion_tokens > 0


def test_openai_s_client_gets_tool_calls(url: str) -> None:
    tool = {
        "type": "function",
        "function": {
            "name": "gene_getter",
            "parameters": {
                "type": "object",
                "properties": {"gene_id_or_symbol": {"type": "string"}},
                "required": ["gene_id_or_symbol"],
            },
        },
    }
    asked = request(block("task", task(cancer=None)), tools=[tool])
    choice = client(url).chat.completions.create(**asked).choices[0]
    assert choice.finish_reason == "tool_calls"
    (call,) = choice.message.tool_calls or ()
    assert json.loads(call.function.arguments) == {"gene_id_or_symbol": "ABX1"}


def test_the_same_request_gives_the_same_bytes_but_for_the_cached_share(url: str) -> None:
    address = f"{url}/chat/completions"
    first, second = (httpx2.post(address, json=summary_request()).text for _ in range(2))
    cached = re.compile(r'"cached_tokens": \d+')
    assert cached.sub("", first) == cached.sub("", second)
    assert len(cached.findall(first)) == 1


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("POST", "/v1/chat/completions", b"{", 400),
        ("POST", "/v1/chat/completions", b'{"model": "m", "messages": []}', 400),
        ("GET", "/v1/chat/completions", b"", 405),
        ("POST", "/v1/models", b"", 405),
        ("POST", "/v1/embeddings", b"{}", 404),
    ],
)
def test_errors_have_openai_s_body(
    url: str, method: str, path: str, content: bytes, status: int
) -> None:
    answer = httpx2.request(method, url.removesuffix("/v1") + path, content=content)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


def test_openai_s_client_sees_a_bad_request(url: str) -> None:
    with pytest.raises(openai.BadRequestError, match="tool_choice"):
        client(url).chat.completions.create(**request("x", tool_choice="sometimes"))


def test_each_request_is_logged_without_its_content(url: str, files: Path) -> None:
    client(url).chat.completions.create(**summary_request())
    lines = [json.loads(line) for line in (files / "log.jsonl").read_text().splitlines()]
    last = lines[-1]
    assert (last["path"], last["status"]) == ("/v1/chat/completions", 200)
    assert (last["schema"], last["tools"]) == ("ToolSummary", [])
    assert last["prompt_characters"] > last["completion_characters"] > 0
    assert "ABX1" not in (files / "log.jsonl").read_text()


def test_throttling_on_request_ends_after_its_count() -> None:
    with served("--fault", "429:2") as url:
        answer = httpx2.post(f"{url}/chat/completions", json=request("x"))
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "0")
        assert answer.json()["error"]["code"] == "rate_limit_exceeded"
        assert client(url, retries=1).chat.completions.create(**request("x")).choices


def test_broken_answers_on_request_end_after_their_count() -> None:
    with served("--fault", "truncated:1", "--fault", "bad-json:1") as url:
        cut, broken, whole = (
            client(url).chat.completions.create(**summary_request()).choices[0] for _ in range(3)
        )
    assert (cut.finish_reason, broken.finish_reason, whole.finish_reason) == (
        "length",
        "stop",
        "stop",
    )
    for choice in (cut, broken):
        with pytest.raises(json.JSONDecodeError):
            json.loads(choice.message.content or "")
    assert json.loads(whole.message.content or "")


def refused(*options: str) -> tuple[int, str]:
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=30)
    return done.returncode, done.stderr


@pytest.mark.parametrize("fault", ["teapot", "429:x", "", "truncated:-1"])
def test_an_unknown_fault_is_one_line_and_exit_2(fault: str) -> None:
    code, said = refused("--fault", fault)
    assert code == 2
    assert said.startswith(f"ERROR: --fault '{fault}'")
    assert said.count("\n") == 1


def test_a_port_that_is_taken_is_one_line_and_exit_2(url: str) -> None:
    port = url.split(":")[2].split("/")[0]
    code, said = refused("--port", port)
    assert code == 2
    assert said.startswith("ERROR: --host 127.0.0.1 --port")


def test_a_log_that_cannot_be_written_is_one_line_and_exit_2(tmp_path: Path) -> None:
    code, said = refused("--log", str(tmp_path))
    assert code == 2
    assert said.startswith("ERROR: --log")


def test_starting_up_loads_no_framework() -> None:
    code = (
        "import sys, intogen_agent.offline.server, uvicorn; "
        "print({'starlette', 'pydantic', 'openai', 'mcp', 'pandas'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == "set()"
