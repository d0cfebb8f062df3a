"""What `intogen-agent check` says of keys, hosts, endpoints and models."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from preflight_bench import KEY, Bench, Serve

from intogen_agent.config.load import load_settings
from intogen_agent.llm.endpoint import Endpoint
from intogen_agent.llm.profile import ProfileStore

MODEL = "model mine/offline-extractive-1"


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


@pytest.fixture
def refusing() -> Iterator[str]:
    """A server that refuses every request with 401 and repeats the key, as proxies do."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f'{{"error": {{"message": "no: {self.headers["Authorization"]}"}}}}'.encode()
            self.send_response(401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_all_is_well_and_the_run_does_not_ask_what_is_known(bench: Bench, serve: Serve) -> None:
    url = serve()
    bench.provider(url)
    said = bench.check()
    assert (said.code, said.err, said.failed(), said.skipped()) == (0, "", [], [])
    assert said.states["configuration"][1] == "10 pairs and 10 pan-cancer tasks of 10 genes"
    told = said.states[MODEL][1]
    assert told == "tools native, json_schema, context not told (all roles)"
    assert "Models were asked 2 questions, " in said.out
    assert said.out.endswith("All 9 checks are ok.\n")

    settings = load_settings(bench.config)
    profiles = ProfileStore(bench.folder / "results" / "_run" / "models")
    endpoint = Endpoint("mine", settings.llm, None, profiles, bench.folder / "log")
    found = asyncio.run(endpoint.profile("offline-extractive-1"))
    assert (
        endpoint.transcript == []
        and found == profiles.read(endpoint.profile_path("offline-extractive-1")).profile
    )  # type: ignore[union-attr]

    again = bench.check()
    assert "context not told, as known before (all roles)" in again.states[MODEL][1]
    assert again.code == 0


def test_a_missing_key_is_named_and_its_models_are_not_asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    bench.provider(free_address(), api_key_env="MY_KEY")
    said = bench.check()
    assert (said.code, said.failed()) == (1, ["key of mine"])
    assert "export MY_KEY=..." in said.states["key of mine"][1]
    assert said.skipped() == ["endpoint mine", MODEL]
    assert said.out.endswith("1 of 9 checks FAILED.\n")


def test_a_key_that_the_server_refuses(
    bench: Bench, refusing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    bench.provider(refusing, api_key_env="MY_KEY")
    said = bench.check()
    assert (said.code, said.failed()) == (1, ["endpoint mine"])
    assert said.states["key of mine"] == ("ok", "in MY_KEY")
    told = said.states["endpoint mine"][1]
    assert "refused the key (HTTP 401); check the key in MY_KEY" in told


def test_a_key_that_only_the_models_refuse(
    bench: Bench, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    bench.provider(serve("401"), api_key_env="MY_KEY")
    said = bench.check()
    assert (said.code, said.failed()) == (1, [MODEL])
    assert "check the key in MY_KEY" in said.states[MODEL][1]
    kept = list(Path("results/_run/models").glob("*.json"))
    assert kept == []


def test_a_key_file_that_others_can_read(bench: Bench) -> None:
    Path("key").write_text(KEY)
    Path("key").chmod(0o644)
    bench.provider(free_address(), api_key_file="key")
    said = bench.check()
    assert said.failed() == ["key of mine"]
    assert said.states["key of mine"][1].endswith("chmod 600 it")


def test_an_endpoint_that_is_down(bench: Bench) -> None:
    url = free_address()
    bench.provider(url)
    said = bench.check()
    assert (said.code, said.failed(), said.skipped()) == (1, ["endpoint mine"], [MODEL])
    told = said.states["endpoint mine"][1]
    assert told.startswith(f"{url}: no connection (ConnectError); start the server, and check ")


def test_a_host_that_may_not_be_asked(bench: Bench) -> None:
    bench.provider("https://elsewhere.example/v1")
    bench.config["network"] = {"allow_hosts": ["gpu01"]}
    said = bench.check()
    assert (said.code, said.failed()) == (1, ["host of mine"])
    assert "add it there" in said.states["host of mine"][1]


def test_an_address_that_was_not_written_yet(bench: Bench) -> None:
    bench.provider(None, base_url_file="address")
    said = bench.check()
    assert (said.code, said.failed()) == (1, ["host of mine"])
    assert "start the job that serves the model" in said.states["host of mine"][1]


def test_an_address_from_a_file(bench: Bench, serve: Serve) -> None:
    Path("address").write_text(serve() + "\n")
    bench.provider(None, base_url_file="address")
    assert bench.check().code == 0


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        (
            ["no-tools"],
            "tools json_action (it writes its calls as JSON, having no tools of its own)",
        ),
        (["no-json-schema"], "tools native, json_object,"),
        (["no-json-schema", "no-json-object"], "tools native, prompt,"),
    ],
    ids=["no-tools", "no-json-schema", "no-format"],
)
def test_a_model_that_can_do_less_is_of_use(
    bench: Bench, serve: Serve, faults: list[str], told: str
) -> None:
    bench.provider(serve(*faults))
    said = bench.check()
    assert said.code == 0
    assert told in said.states[MODEL][1]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("quota", "quota: "),
        ("refusal", "refusal: "),
        ("empty", "empty: "),
        ("error-500", "transport: HTTP 50"),
    ],
)
def test_a_model_that_does_not_answer_is_named(
    bench: Bench, serve: Serve, fault: str, told: str
) -> None:
    bench.provider(serve(fault))
    said = bench.check()
    assert (said.code, said.failed()) == (1, [MODEL])
    assert said.states[MODEL][1].startswith(told)
    assert "; " in said.states[MODEL][1]


def test_a_model_that_never_answers_ends_with_the_deadline(bench: Bench, serve: Serve) -> None:
    bench.provider(serve("slow"))
    said = bench.check("--seconds", "3")
    assert (said.code, said.failed()) == (1, [MODEL])
    assert "no answer" in said.states[MODEL][1]


def test_every_model_of_every_role_is_asked_once(bench: Bench, serve: Serve) -> None:
    url = serve()
    bench.provider(url)
    llm = bench.config["llm"]
    llm["providers"]["other"] = {"base_url": free_address(), "api": "chat"}
    llm["providers"]["unused"] = {"base_url": free_address(), "api_key_env": "NO_SUCH_KEY"}
    llm["roles"] = {
        "summarizer": {"model": "offline-small"},
        "style_critic": {"provider": "other", "model": "critic"},
    }
    said = bench.check()
    assert said.failed() == ["endpoint other"]
    assert said.skipped() == ["model other/critic"]
    assert "model mine/offline-small" in said.states
    assert [about for about in said.states if "unused" in about] == []
    assert said.states[MODEL][1].endswith(" (all roles but summarizer, style_critic)")
    assert said.states["model mine/offline-small"][1].endswith(" (summarizer)")


def test_a_provider_that_cannot_be_launched(bench: Bench) -> None:
    bench.provider("http://127.0.0.1:{port}/v1", launch={"command": ["no-such-program"]})
    said = bench.check()
    assert (said.code, said.failed()) == (1, ["endpoint mine"])
    assert "cannot start 'no-such-program'" in said.states["endpoint mine"][1]
