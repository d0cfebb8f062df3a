"""Servers that a job starts for itself and ends with itself."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import psutil
import pytest

from intogen_agent.config.llm_settings import Launch
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.llm import launch as launching
from intogen_agent.llm.launch import LaunchedServer, launch

SERVER = str(Path(__file__).with_name("own_server.py"))
URL = "http://127.0.0.1:{port}/v1"


def command(habit: str, *more: str, port: bool = False) -> list[str]:
    told = ["--port", "{port}"] if port else ["--port-file", "{port_file}"]
    return ["{python}", "-S", SERVER, habit, *told, *more]


async def started(
    tmp_path: Path, words: list[str], start_timeout: float = 20, secrets: tuple[str, ...] = ()
) -> LaunchedServer:
    settings = Launch(command=words, start_timeout=start_timeout)
    return await launch("mine", settings, URL, tmp_path / "logs" / "llm.log", secrets)


def told(server: LaunchedServer) -> dict[str, Any]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{server.port}/v1/environment", timeout=5) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


def gone(pid: int, within: float = 5.0) -> bool:
    """Wait until a process is gone (or a zombie that its parent has not fetched)."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("port", [False, True], ids=["port_file", "port"])
def test_a_server_starts_is_healthy_and_ends(tmp_path: Path, port: bool) -> None:
    async def main() -> int:
        server = await started(tmp_path, command("honest", port=port))
        pid: int = told(server)["pid"]
        await server.stop()
        return pid

    assert gone(asyncio.run(main()))


def test_a_server_that_is_not_yet_healthy_is_waited_for(tmp_path: Path) -> None:
    async def main() -> None:
        begun = time.monotonic()
        server = await started(tmp_path, command("slow"))
        assert time.monotonic() - begun >= 0.3
        await server.stop()

    asyncio.run(main())


def test_a_server_that_dies_at_once_is_tried_again(tmp_path: Path) -> None:
    async def main() -> None:
        words = command("dies-once", "--mark", str(tmp_path / "mark"), port=True)
        server = await started(tmp_path, words)
        await server.stop()

    asyncio.run(main())


def test_keys_do_not_reach_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", "sk-secret")
    monkeypatch.setenv("TEST_OTHER", "seen")

    async def main() -> dict[str, str]:
        server = await started(tmp_path, command("honest"), secrets=("TEST_LLM_KEY",))
        environment: dict[str, str] = told(server)["environment"]
        await server.stop()
        return environment

    environment = asyncio.run(main())
    assert environment["TEST_OTHER"] == "seen"
    assert "sk-secret" not in environment.values()


@pytest.mark.parametrize("habit", ["sick", "silent", "garbled"])
@pytest.mark.parametrize("port", [False, True], ids=["port_file", "port"])
def test_a_server_that_is_never_healthy_is_a_failure_in_time(
    tmp_path: Path, habit: str, port: bool
) -> None:
    mark = tmp_path / "mark"

    async def main() -> None:
        await started(tmp_path, command(habit, "--mark", str(mark), port=port), 0.4)

    begun = time.monotonic()
    with pytest.raises(StageFailure) as caught:
        asyncio.run(main())
    assert time.monotonic() - begun < 4
    assert caught.value.error is ErrorClass.LLM_UNREACHABLE
    assert "provider mine: not healthy after 0.4 s; see " in caught.value.message
    assert not mark.exists() or gone(int(mark.read_text()))


def test_a_server_that_dies_is_a_failure_that_names_its_log(tmp_path: Path) -> None:
    with pytest.raises(StageFailure) as caught:
        asyncio.run(started(tmp_path, command("dies")))
    log = tmp_path / "logs" / "llm.log"
    assert caught.value.error is ErrorClass.LLM_UNREACHABLE
    assert caught.value.message == (
        f"provider mine: its server ended before it was healthy; see {log}"
    )
    assert log.read_text().count("no such model") == launching.TRIES


@pytest.mark.parametrize("program", ["no-such-program", "/no/such/program"])
def test_a_missing_program_is_named(tmp_path: Path, program: str) -> None:
    with pytest.raises(StageFailure) as caught:
        asyncio.run(started(tmp_path, [program]))
    assert caught.value.error is ErrorClass.LLM_UNREACHABLE
    assert caught.value.message == (
        f"provider mine: cannot start '{program}': No such file or directory"
    )


def test_a_server_that_ignores_term_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "STOP_SECONDS", 0.2)

    async def main() -> int:
        server = await started(tmp_path, command("ignores-term"))
        pid: int = told(server)["pid"]
        await server.stop()
        return pid

    assert gone(asyncio.run(main()), 1)


def test_stopping_twice_does_no_harm(tmp_path: Path) -> None:
    async def main() -> None:
        server = await started(tmp_path, command("honest"))
        await server.stop()
        await server.stop()

    asyncio.run(main())


PARENT = """
import asyncio, sys
from pathlib import Path
from intogen_agent.config.llm_settings import Launch
from intogen_agent.llm.launch import launch

async def main():
    settings = Launch(command=sys.argv[3:])
    await launch("mine", settings, "http://127.0.0.1:{port}/v1", Path(sys.argv[1]), ())
    Path(sys.argv[2]).touch()
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="PR_SET_PDEATHSIG is Linux's")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_ends_with_its_job_however_that_ends(tmp_path: Path, number: int) -> None:
    ready, mark = tmp_path / "ready", tmp_path / "mark"
    words = command("honest", "--mark", str(mark))
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "log"), str(ready), *words]
    )
    try:
        deadline = time.monotonic() + 20
        while not ready.exists():
            assert parent.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        pid = int(mark.read_text())
        assert psutil.pid_exists(pid)
        os.kill(parent.pid, number)
        parent.wait(5)
        assert gone(pid)
    finally:
        if parent.poll() is None:
            parent.kill()


def test_the_endpoint_starts_its_server_with_the_first_call_and_ends_it(tmp_path: Path) -> None:
    from intogen_agent.config.llm_settings import LlmSettings
    from intogen_agent.llm.endpoint import Endpoint
    from intogen_agent.llm.profile import ProfileStore
    from intogen_agent.llm.request import Request

    mark = tmp_path / "mark"
    settings = LlmSettings.model_validate(
        {
            "providers": {
                "mine": {
                    "base_url": URL,
                    "capabilities": {"tools": "native", "structured": "json_schema"},
                    "launch": {"command": command("honest", "--mark", str(mark))},
                }
            },
            "default": {"provider": "mine", "model": "m"},
            "retry": {"attempts": 1},
        }
    )

    async def main() -> None:
        profiles = ProfileStore(tmp_path / "models")
        endpoint = Endpoint("mine", settings, None, profiles, tmp_path / "log")
        assert not mark.exists()
        asked = Request("m", [{"role": "user", "content": "x"}])
        both = await asyncio.gather(endpoint.send(asked, "1", 60), endpoint.send(asked, "2", 60))
        # http.server answers POST with 501: what counts is that one server was asked twice.
        assert [performed.meta["outcome"] for performed in both] == ["transport"] * 2
        pid = int(mark.read_text())
        assert psutil.pid_exists(pid)
        await endpoint.close()
        assert gone(pid)

    asyncio.run(main())


def test_no_providers_key_reaches_a_launched_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from intogen_agent.config.roles import Role
    from intogen_agent.config.settings import Settings
    from intogen_agent.llm.models import Models
    from intogen_agent.provenance.journal import Journal
    from intogen_agent.provenance.recorder import Recorder

    monkeypatch.setenv("TEST_LLM_KEY", "sk-secret")
    mark = tmp_path / "mark"
    own = {"base_url": URL, "launch": {"command": command("honest", "--mark", str(mark))}}
    other = {"base_url": "https://api.test/v1", "api_key_env": "TEST_LLM_KEY"}
    llm = {
        "providers": {"own": own, "other": other},
        "default": {"provider": "own", "model": "m"},
        "retry": {"attempts": 1},
    }
    settings = Settings.model_validate({"llm": llm, "results": str(tmp_path / "results")})

    async def main() -> dict[str, str]:
        with Journal(tmp_path / "journal.jsonl") as journal:
            recorder = Recorder(journal, "phase1")
            async with Models(settings, recorder, tmp_path / "logs") as models:
                await models.chat(Role.SUMMARIZER, [{"role": "user", "content": "x"}])
                return psutil.Process(int(mark.read_text())).environ()

    environment = asyncio.run(main())
    assert "PATH" in environment and "sk-secret" not in environment.values()
    assert gone(int(mark.read_text()))
