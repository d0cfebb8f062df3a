"""Options of language models: what is refused, in which words, and what a role takes over."""

from typing import Any

import pytest

from intogen_agent.config.llm_settings import LlmSettings, RoleSettings, role_settings
from intogen_agent.config.load import load_settings
from intogen_agent.config.roles import Role
from intogen_agent.errors import UserError

ADDRESS = "http://gpu01:8000/v1"
PLACE = "llm.providers.mine"


def provider(**options: Any) -> dict[str, Any]:
    offline = {"base_url": "http://127.0.0.1:8000/v1"}
    return {"llm": {"providers": {"offline": offline, "mine": options}}}


def refusal(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        load_settings(config, "my.yaml")
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix("my.yaml: ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"base_url": ADDRESS, "base_url_file": "address"},
            f"{PLACE}: give base_url or base_url_file, and null for the other",
        ),
        ({}, f"{PLACE}: give base_url or base_url_file, and null for the other"),
        (
            {"base_url": ADDRESS, "api_key_env": "KEY", "api_key_file": "key"},
            f"{PLACE}: give api_key_env or api_key_file, and null for the other",
        ),
        (
            {"base_url_file": "address", "launch": {"command": ["llama-server"]}},
            f"{PLACE}: a launched server needs base_url",
        ),
        (
            {"base_url": ADDRESS, "api": "completions"},
            f"{PLACE}.api: input should be 'auto', 'chat'",
        ),
        (
            {"base_url": ADDRESS, "capabilities": {"tools": "yes"}},
            f"{PLACE}.capabilities.tools: input should be 'auto', 'native' or 'json_action'",
        ),
        (
            {"base_url": ADDRESS, "capabilities": {"context_length": 0}},
            f"{PLACE}.capabilities.context_length: input should be greater than or equal to 1",
        ),
        (
            {"base_url": ADDRESS, "capabilities": {"refused": "temperature"}},
            f"{PLACE}.capabilities.refused: input should be a valid list (got 'temperature')",
        ),
    ],
    ids=[
        "both-addresses",
        "no-address",
        "both-keys",
        "launch",
        "api",
        "tools",
        "length",
        "refused",
    ],
)
def test_a_provider_that_cannot_be_is_one_line(options: dict[str, Any], words: str) -> None:
    assert refusal(provider(**options)).startswith(words)


@pytest.mark.parametrize(
    "options",
    [
        {"base_url_file": "address"},
        {"base_url": ADDRESS, "api_key_file": "key"},
        {"base_url": ADDRESS, "api": "responses", "capabilities": {"context_length": 4096}},
        {"base_url": "http://127.0.0.1:{port}/v1", "launch": {"command": ["llama-server"]}},
    ],
    ids=["address-file", "key-file", "responses", "launch"],
)
def test_a_provider_that_can_be(options: dict[str, Any]) -> None:
    found = load_settings(provider(**options)).llm.providers["mine"]
    assert found.model_dump(mode="json", exclude_unset=True) == options


@pytest.mark.parametrize(
    ("config", "wrong", "right"),
    [
        # Where these options stood before.
        (
            provider(base_url=ADDRESS, structured="prompt"),
            f"{PLACE}.structured",
            f"{PLACE}.capabilities.structured",
        ),
        (
            provider(base_url=ADDRESS, max_tokens_field="max_tokens"),
            f"{PLACE}.max_tokens_field",
            f"{PLACE}.capabilities.max_tokens_field",
        ),
        (
            provider(base_url=ADDRESS, capabilities={"tool": "auto"}),
            f"{PLACE}.capabilities.tool",
            f"{PLACE}.capabilities.tools",
        ),
        ({"llm": {"structured": 1}}, "llm.structured", "llm.structured_attempts"),
        (
            {"context_length": 1},
            "context_length",
            "llm.providers.<name>.capabilities.context_length",
        ),
        ({"allow_hosts": []}, "allow_hosts", "network.allow_hosts"),
        ({"network": {"allowed_hosts": []}}, "network.allowed_hosts", "network.allow_hosts"),
        ({"llm": {"price": {}}}, "llm.price", "llm.prices"),
        (
            {"llm": {"prices": {"m": {"input": 1, "output": 1, "cached": 1}}}},
            "llm.prices.m.cached",
            "llm.prices.m.cached_input",
        ),
        (
            {"llm": {"roles": {"refiner": {"reasoning": "low"}}}},
            "llm.roles.refiner.reasoning",
            "llm.roles.refiner.reasoning_effort",
        ),
        (
            {"llm": {"retry": {"stage_dead_line": 1}}},
            "llm.retry.stage_dead_line",
            "llm.retry.stage_deadline",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_option_in_the_wrong_place_names_the_right_one(
    config: dict[str, Any], wrong: str, right: str
) -> None:
    assert refusal(config) == f"unknown option '{wrong}'; did you mean '{right}'?"


@pytest.mark.parametrize(
    ("llm", "words"),
    [
        (
            {"min_prompt_share": 1.5},
            "llm.min_prompt_share: input should be less than or equal to 1",
        ),
        (
            {"prices": {"m": {"input": -1, "output": 1}}},
            "llm.prices.m.input: input should be great",
        ),
        ({"prices": {"m": {"input": 1}}}, "llm.prices.m.output: field required"),
        ({"default": {"call_deadline": 0}}, "llm.default.call_deadline: input should be greater"),
        ({"retry": {"stage_deadline": 0}}, "llm.retry.stage_deadline: input should be greater"),
        ({"roles": {"refiner": {"seed": "x"}}}, "llm.roles.refiner.seed: input should be a valid"),
    ],
    ids=["share", "price", "no-price", "call-deadline", "stage-deadline", "seed"],
)
def test_a_value_out_of_bounds_is_one_line(llm: dict[str, Any], words: str) -> None:
    assert refusal({"llm": llm}).startswith(words)


def test_a_host_list_must_be_a_list() -> None:
    assert refusal({"network": {"allow_hosts": "gpu01"}}).startswith(
        "network.allow_hosts: input should be a valid list (got 'gpu01')"
    )


def test_a_role_takes_the_defaults_parameters_and_limits_where_it_has_none() -> None:
    settings = LlmSettings(
        default=RoleSettings(
            provider="offline", model="m", seed=7, reasoning_effort="low", service_tier="flex"
        ),
        roles={Role.REFINER: RoleSettings(reasoning_effort="high", seed=0, call_deadline=9)},
    )
    found = role_settings(settings, Role.REFINER)
    assert (found.model, found.seed, found.reasoning_effort) == ("m", 0, "high")
    assert (found.service_tier, found.call_deadline) == ("flex", 9)
