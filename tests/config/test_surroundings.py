"""Before any job: may the models' hosts be asked, and are the keys there."""

from pathlib import Path
from typing import Any

import pytest

from intogen_agent.errors import UserError
from intogen_agent.workflow import plan, plan_or_exit

KEY = "sk-marked-key"


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def config(root: Path, allow: list[str] | None = None, **provider: Any) -> dict[str, Any]:
    """Return a configuration in which a provider of one's own plays every role."""
    return {
        "drivers": str(root / "config" / "demo" / "drivers.tsv"),
        "llm": {
            "providers": {"mine": provider},
            "default": {"provider": "mine", "model": "m"},
        },
        "network": {"allow_hosts": allow},
    }


def refusal(config: dict[str, Any], root: Path) -> str:
    with pytest.raises(UserError) as caught:
        plan(config, root)
    message = str(caught.value)
    assert "\n" not in message and KEY not in message
    return message


@pytest.mark.parametrize(
    ("url", "allow"),
    [
        ("http://gpu01:8000/v1", None),
        ("http://gpu01:8000/v1", ["gpu01"]),
        ("http://GPU01:8000/v1", ["gpu01"]),
        ("https://a.example.org/v1", ["gpu01", "*.example.org"]),
        ("http://127.0.0.1:8000/v1", []),
        ("http://localhost:8000/v1", []),
        ("http://[::1]:8000/v1", []),
    ],
)
def test_a_host_that_may_be_asked(root: Path, url: str, allow: list[str] | None) -> None:
    assert plan(config(root, allow, base_url=url), root).cohort.tasks


@pytest.mark.parametrize(
    ("url", "allow", "host"),
    [
        ("https://api.openai.com/v1", ["gpu01"], "api.openai.com"),
        ("https://api.openai.com/v1", [], "api.openai.com"),
        ("http://gpu01.example.com/v1", ["gpu01"], "gpu01.example.com"),
        ("https://example.org/v1", ["*.example.org"], "example.org"),
        ("https://elsewhere.net/127.0.0.1", [], "elsewhere.net"),
    ],
)
def test_a_host_that_must_not_be_asked_is_named(
    root: Path, url: str, allow: list[str], host: str
) -> None:
    message = refusal(config(root, allow, base_url=url), root)
    assert message.startswith(f"llm.providers.mine: the host {host} is not in network.allow_hosts")
    assert "add it there" in message


def test_an_address_with_a_password_is_refused_and_not_shown(root: Path) -> None:
    message = refusal(config(root, base_url="https://gpu01:word1@elsewhere.net/v1"), root)
    assert "password" in message and "word1" not in message and "elsewhere" not in message


@pytest.mark.parametrize("url", ["gpu01:8000", "ftp://gpu01/v1", "http://", "http://[::1/v1", ""])
def test_what_is_no_address_is_named(root: Path, url: str) -> None:
    message = refusal(config(root, base_url=url), root)
    assert message == f"llm.providers.mine: '{url}' is no address; write http://HOST:PORT/v1"


def test_a_host_that_must_not_be_asked_ends_the_run_with_2_and_one_line(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        plan_or_exit(config(root, ["gpu01"], base_url="https://elsewhere.net/v1"), root)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ERROR: llm.providers.mine: ") and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_provider_that_plays_no_role_is_not_checked(root: Path) -> None:
    settings = config(root, ["gpu01"], base_url="https://elsewhere.net/v1", api_key_file="none")
    own = {"base_url": "http://gpu01:8000/v1"}
    settings["llm"]["providers"]["own"] = own
    settings["llm"]["default"]["provider"] = "own"
    assert plan(settings, root).cohort.tasks


def test_one_role_with_another_host_is_enough_to_refuse(root: Path) -> None:
    settings = config(root, ["gpu01"], base_url="http://gpu01:8000/v1")
    settings["llm"]["providers"]["other"] = {"base_url": "https://elsewhere.net/v1"}
    settings["llm"]["roles"] = {"style_critic": {"provider": "other"}}
    assert "elsewhere.net" in refusal(settings, root)


def test_an_address_that_another_job_will_write_need_not_be_there_yet(root: Path) -> None:
    assert plan(config(root, [], base_url_file="address"), root).cohort.tasks


def key_file(content: bytes = KEY.encode(), mode: int = 0o600) -> Path:
    path = Path("key")
    path.write_bytes(content)
    path.chmod(mode)
    return path


def with_key_file(root: Path) -> dict[str, Any]:
    return config(root, base_url="http://gpu01:8000/v1", api_key_file="key")


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_key_file_of_the_working_directory_is_found(root: Path, mode: int) -> None:
    key_file(mode=mode)
    assert plan(with_key_file(root), root).cohort.tasks


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o660, 0o644])
def test_a_key_file_that_others_can_read_or_write_is_refused(root: Path, mode: int) -> None:
    key_file(mode=mode)
    message = refusal(with_key_file(root), root)
    assert message == "llm.providers.mine.api_key_file: key can be read by others; chmod 600 it"


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_key_file_is_refused(root: Path, content: bytes) -> None:
    key_file(content)
    assert "llm.providers.mine.api_key_file: key is empty" in refusal(with_key_file(root), root)


def test_a_missing_key_file_is_refused(root: Path) -> None:
    message = refusal(with_key_file(root), root)
    assert message.startswith("llm.providers.mine.api_key_file: key cannot be read (No such file")


def test_a_key_file_that_is_no_text_or_no_file_is_refused(root: Path) -> None:
    key_file(b"\xff\xfe")
    assert "cannot be read (not text)" in refusal(with_key_file(root), root)
    Path("key").unlink()
    Path("key").mkdir()
    assert "cannot be read (Is a directory)" in refusal(with_key_file(root), root)


def test_a_missing_environment_variable_is_named(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    settings = config(root, base_url="http://gpu01:8000/v1", api_key_env="MY_KEY")
    assert "the environment variable MY_KEY is not set" in refusal(settings, root)
    monkeypatch.setenv("MY_KEY", KEY)
    assert plan(settings, root).cohort.tasks
