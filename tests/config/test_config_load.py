"""From dictionaries to checked settings: unknown keys name the nearest, errors are one line."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from intogen_agent.config.load import load_settings, read_config
from intogen_agent.config.settings import Settings
from intogen_agent.errors import UserError


def nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a configuration with one value at a path."""
    for key in reversed(path):
        value = {key: value}
    return value


def defaults() -> list[tuple[str, ...]]:
    """Return the path of every option of the default configuration."""

    def walk(value: Any, above: tuple[str, ...]) -> list[tuple[str, ...]]:
        if not isinstance(value, dict):
            return [above]
        return [above, *(leaf for key, item in value.items() for leaf in walk(item, (*above, key)))]

    named = {("llm", "providers"), ("mcp", "servers")}
    paths = walk(Settings().model_dump(mode="json"), ())
    return [path for path in paths if path and path[:-1] not in named]


@pytest.mark.parametrize("path", defaults(), ids=".".join)
def test_a_misspelt_option_names_the_right_one(path: tuple[str, ...]) -> None:
    *parents, name = path
    wrong = f"{name[:-1]}{name[-1]}x"
    with pytest.raises(UserError) as caught:
        load_settings(nested((*parents, wrong), 1))
    message = str(caught.value)
    assert f"unknown option '{'.'.join((*parents, wrong))}'" in message
    assert message.endswith(f"did you mean '{'.'.join(path)}'?")


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"evidense": {}}, ["'evidense'", "'evidence'"]),
        ({"uniprot": {"isoforms": 1}}, ["'uniprot'", "'evidence.uniprot'"]),
        ({"llm": {"roles": {"sumarizer": {}}}}, ["role 'llm.roles.sumarizer'", "'summarizer'"]),
        ({"llm": {"roles": {"judge": {}}}}, ["role 'llm.roles.judge'", "summarizer, report_cr"]),
        (
            {"llm": {"roles": {"summarizer": {"modl": "m"}}}},
            ["'llm.roles.summarizer.modl'", "'llm.roles.summarizer.model'"],
        ),
        (
            {"llm": {"providers": {"mine": {"base_ulr": "x"}}}},
            ["'llm.providers.mine.base_ulr'", "'llm.providers.mine.base_url'"],
        ),
        (
            {"mcp": {"servers": {"mine": {"comand": ["x"]}}}},
            ["'mcp.servers.mine.comand'", "'mcp.servers.mine.command'"],
        ),
        (
            {"cohort": {"extra_pairs": [{"gene": "APC", "cancer": "COADREAD"}]}},
            ["'cohort.extra_pairs.0.cancer'", "cancer_type"],
        ),
        ({"zzz": 1}, ["unknown option 'zzz'", "see config/config.yaml"]),
        ({"review": {"max_iterations": 0}}, ["review.max_iterations", "greater", "got 0"]),
        ({"report": {"repairs": "many"}}, ["report.repairs", "integer", "got 'many'"]),
        ({"llm": {"default": {"provider": "nope"}}}, ["no provider 'nope'", "offline, openai"]),
        ({"llm": {"default": {"model": "m"}}}, ["default", "provider"]),
        ({"llm": {"roles": {"refiner": {"provider": "nope"}}}}, ["role refiner", "nope"]),
        ({"mcp": {"phase2": ["nope"]}}, ["phase2: no server 'nope'", "there are: store"]),
        ({"mcp": {"servers": {"store": {"command": []}}}}, ["mcp.servers.store"]),
        ({"cancer_types": {"extra": [{"code": "X"}]}}, ["cancer_types.extra.0.name", "required"]),
        ({"drivers": 5}, ["drivers", "got 5"]),
        ({"evidence": None}, ["evidence", "got None"]),
        ({1: 2}, ["1: keys should be strings"]),
    ],
)
def test_a_bad_option_is_one_line_with_place_value_and_remedy(
    config: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(UserError) as caught:
        load_settings(config, "my.yaml")
    message = str(caught.value)
    assert message.startswith("my.yaml: ") and "\n" not in message
    for word in words:
        assert word in message


def test_a_key_written_into_the_configuration_is_not_repeated_in_the_error() -> None:
    provider = {"base_url": "https://api.test/v1", "api_key": "sk-secret-123456"}
    with pytest.raises(UserError) as caught:
        load_settings({"llm": {"providers": {"mine": provider}}})
    assert "llm.providers.mine.api_key_env" in str(caught.value)
    assert "sk-secret" not in str(caught.value)


def test_the_shipped_configuration_is_the_defaults(root: Path) -> None:
    shipped = read_config(root / "config" / "config.yaml")
    assert load_settings(shipped) == Settings()


def test_the_shipped_configuration_shows_every_option(root: Path) -> None:
    shipped = read_config(root / "config" / "config.yaml")
    assert shipped == Settings().model_dump(mode="json")


def test_every_option_of_the_shipped_configuration_is_in_the_order_of_the_models(
    root: Path,
) -> None:
    def check(model: type[BaseModel], value: dict[str, Any]) -> None:
        assert list(value) == list(model.model_fields)
        for name, field in model.model_fields.items():
            inner = field.annotation
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                check(inner, value[name])

    check(Settings, read_config(root / "config" / "config.yaml"))


@pytest.mark.parametrize("name", ["config", "demo/config"])
def test_the_shipped_configurations_load(root: Path, name: str) -> None:
    base = read_config(root / "config" / "config.yaml")
    load_settings({**base, **read_config(root / "config" / f"{name}.yaml")})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1,", "bad.yaml:1:7: not valid YAML"),
        ("a: 1\n b: 2\n", "bad.yaml:2:3: not valid YAML"),
        ("- a\n- b\n", "not a mapping"),
        ("", "not a mapping"),
        ("text", "not a mapping"),
    ],
)
def test_a_file_that_is_no_mapping_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        read_config(path)
    assert words in str(caught.value) and str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.yaml: no such file"):
        read_config(tmp_path / "none.yaml")


def test_several_tables_of_drivers_are_several_paths() -> None:
    settings = load_settings({"drivers": ["a.tsv", "b.tsv"]})
    assert settings.drivers == [Path("a.tsv"), Path("b.tsv")]


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(Exception, match="frozen"):
        Settings().results = Path("elsewhere")


def test_the_settings_survive_yaml() -> None:
    written = yaml.safe_dump(Settings().model_dump(mode="json"))
    assert load_settings(yaml.safe_load(written)) == Settings()
