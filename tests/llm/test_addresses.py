"""Where a provider is, with which key, and which hosts may be asked."""

from pathlib import Path
from typing import Any

import pytest
from scripted_server import QUESTION, Reply, ScriptedServer, message, run

from intogen_agent.config.llm_settings import Provider
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure, UserError
from intogen_agent.llm import address
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind

KEY = "sk-1234567890"


async def ask(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


def test_an_address_in_a_file_is_read_when_the_call_is_made(tmp_path: Path) -> None:
    place = tmp_path / "address"

    def written(server: ScriptedServer) -> None:
        place.write_text(f"{server.url}\n")

    ran = run(tmp_path, [message("x")], ask, provider={"base_url_file": place}, before=written)
    assert isinstance(ran.value, Answer)


def test_a_file_that_is_not_written_yet_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "address"
    urls: list[str] = []

    def held_back(server: ScriptedServer) -> None:
        urls.append(server.url)

    class Late(list[float]):
        """Writes the file when the third wait is over."""

        def append(self, seconds: float) -> None:
            super().append(seconds)
            if len(self) == 3:
                place.write_text(urls[0])

    ran = run(
        tmp_path,
        [message("x")],
        ask,
        provider={"base_url_file": place},
        before=held_back,
        waits=Late(),
    )
    assert isinstance(ran.value, Answer) and len(ran.waits) == 3


def test_a_file_that_never_comes_ends_with_the_deadline(tmp_path: Path) -> None:
    provider = {"base_url_file": tmp_path / "never"}
    ran = run(tmp_path, [message("x")], ask, provider=provider, retry={"call_deadline": 0.2})
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.TIMEOUT
    assert "holds no address yet" in ran.value.message


def test_a_host_that_is_not_allowed_is_never_asked(tmp_path: Path) -> None:
    with pytest.raises(StageFailure, match=r"api\.elsewhere\.test is not in network") as caught:
        run(
            tmp_path,
            [message("x")],
            ask,
            provider={"base_url": "https://api.elsewhere.test/v1"},
            allow_hosts=["*.institute.test"],
        )
    assert caught.value.error is ErrorClass.HOST_NOT_ALLOWED


def test_a_file_cannot_lead_to_a_host_that_is_not_allowed(tmp_path: Path) -> None:
    place = tmp_path / "address"
    place.write_text("https://api.elsewhere.test/v1")
    with pytest.raises(StageFailure, match="elsewhere"):
        run(tmp_path, [message("x")], ask, provider={"base_url_file": place}, allow_hosts=[])


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    moved = Reply({}, 307, {"Location": "http://127.0.0.1:9/v1/chat/completions"})
    ran = run(tmp_path, [moved], ask)
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.REJECTED
    assert "redirects" in ran.value.message and len(ran.requests) == 1


@pytest.mark.parametrize(
    ("url", "allowed", "fits"),
    [
        ("https://api.openai.com/v1", None, True),
        ("https://api.openai.com/v1", ["api.openai.com"], True),
        ("https://API.openai.com/v1", ["api.OpenAI.com"], True),
        ("https://a.b.example.org:8000/v1", ["*.example.org"], True),
        ("http://127.0.0.1:{port}/v1", [], True),
        ("http://localhost:11434/v1", [], True),
        ("http://[::1]:8000/v1", [], True),
        ("https://api.openai.com/v1", [], False),
        ("https://example.org.evil.test/v1", ["*.example.org", "example.org"], False),
        ("https://127.0.0.1.evil.test/v1", [], False),
        ("https://example.org@evil.test/v1", ["example.org"], False),
        ("ftp://example.org/v1", None, False),
        ("gpu01:8000", None, False),
        ("http://gpu01:abc/v1", None, False),
        ("http://gpu01:99999/v1", None, False),
        ("http://gpu 01/v1", None, False),
        ("https://[::1/v1", None, False),
        ("", None, False),
    ],
)
def test_hosts_are_compared_as_a_whole(url: str, allowed: list[str] | None, fits: bool) -> None:
    assert (address.refusal("mine", url, allowed) is None) == fits


@pytest.mark.parametrize(
    ("url", "api"),
    [
        ("https://api.openai.com/v1", "responses"),
        ("https://mine.openai.azure.com/openai/v1", "responses"),
        ("https://api.openai.com.evil.test/v1", "chat"),
        ("http://gpu01:8000/v1", "chat"),
    ],
)
def test_the_wire_is_chosen_by_the_provider(url: str, api: str) -> None:
    assert address.api_of(Provider(base_url=url), url) == api
    assert address.api_of(Provider(base_url=url, api="chat"), url) == "chat"


def test_a_key_is_read_from_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    path.chmod(0o600)
    ran = run(tmp_path, [message("x")], ask, provider={"api_key_file": path})
    assert ran.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in ran.journal


@pytest.mark.parametrize(
    ("mode", "text", "told"),
    [(0o640, KEY, "chmod 600"), (0o604, KEY, "chmod"), (0o600, "\n", "empty")],
)
def test_a_key_file_that_is_no_secret_is_refused(
    tmp_path: Path, mode: int, text: str, told: str
) -> None:
    path = tmp_path / "key"
    path.write_text(text)
    path.chmod(mode)
    provider = Provider(base_url="https://x.test/v1", api_key_file=path)
    with pytest.raises(UserError, match=told) as caught:
        address.api_key("mine", provider)
    assert KEY not in str(caught.value) and "llm.providers.mine.api_key_file" in str(caught.value)


def test_a_missing_key_file_is_named(tmp_path: Path) -> None:
    provider = Provider(base_url="https://x.test/v1", api_key_file=tmp_path / "none")
    with pytest.raises(UserError, match="cannot be read"):
        address.api_key("mine", provider)
