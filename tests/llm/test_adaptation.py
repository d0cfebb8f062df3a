"""What is changed after a refusal, in the words of many servers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.llm.adaptation import adapted
from intogen_agent.llm.profile import Profile

CALLS = [{"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}]
SENT: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "s"}, *CALLS],
    "temperature": 0.0,
    "seed": 1,
    "reasoning_effort": "low",
    "max_completion_tokens": 9,
    "service_tier": "flex",
    "tool_choice": "required",
    "tools": [{"type": "function"}],
}
STRUCTURED: dict[str, Any] = {"model": "m", "messages": [], "response_format": {}}
RESPONSES: dict[str, Any] = {
    "model": "m",
    "input": [],
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "k",
    "reasoning": {"effort": "low"},
    "temperature": 0.0,
    "text": {"format": {}},
}


def error(message: str, param: str | None = None, code: Any = None) -> dict[str, Any]:
    return {"error": {"message": message, "param": param, "code": code, "type": "x"}}


def extra(name: str) -> dict[str, Any]:
    """FastAPI's words, as of vLLM and others."""
    return {"detail": [{"loc": ["body", name], "msg": "Extra inputs are not permitted"}]}


REFUSALS = {
    "temperature, openai": (
        SENT,
        error(
            "Unsupported value: 'temperature' does not support 0.0 with this model. Only the "
            "default (1) value is supported.",
            "temperature",
            "unsupported_value",
        ),
        {"refused": ("temperature",)},
    ),
    "temperature, unnamed": (
        SENT,
        error("`temperature` is deprecated for this model"),
        {"refused": ("temperature",)},
    ),
    "seed, vllm": (SENT, extra("seed"), {"refused": ("seed",)}),
    "seed, old openai": (
        SENT,
        error("Unrecognized request argument supplied: seed"),
        {"refused": ("seed",)},
    ),
    "effort": (
        SENT,
        error("Unrecognized request argument supplied: reasoning_effort"),
        {"refused": ("reasoning_effort",)},
    ),
    "effort, responses": (
        RESPONSES,
        error(
            "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
            "reasoning.effort",
            "unsupported_parameter",
        ),
        {"refused": ("reasoning_effort",)},
    ),
    "limit under the other name": (
        SENT,
        error("Unrecognized request argument supplied: max_completion_tokens"),
        {"max_tokens_field": "max_tokens", "refused": ("max_completion_tokens",)},
    ),
    "tier": (
        SENT,
        error("Unknown parameter: 'service_tier'.", "service_tier", "unknown_parameter"),
        {"refused": ("service_tier",)},
    ),
    "tool choice, lm studio": (
        SENT,
        error("Invalid tool_choice type: 'string'. Supported values: none, auto"),
        {"refused": ("tool_choice",)},
    ),
    "include": (
        RESPONSES,
        error("Encrypted content is not supported with this model.", "include"),
        {"refused": ("include",)},
    ),
    "cache key": (RESPONSES, extra("prompt_cache_key"), {"refused": ("prompt_cache_key",)}),
    "tools, ollama": (
        SENT,
        error("registry.ollama.ai/library/gemma3:1b does not support tools"),
        {"tools": "json_action"},
    ),
    "tools, of a model that reasons": (
        SENT,
        error("registry.ollama.ai/library/phi4-mini-reasoning:latest does not support tools"),
        {"tools": "json_action"},
    ),
    "store, quoted": (
        {**RESPONSES, "store": False},
        error("Unknown parameter: 'store'."),
        {"refused": ("store",)},
    ),
    "tools, vllm": (
        SENT,
        error(
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be '
            "set",
            code=400,
        ),
        {"tools": "json_action"},
    ),
    "schema, deepseek": (
        STRUCTURED,
        error("This response_format type is unavailable now"),
        {"structured": "json_object"},
    ),
    "schema, openai": (
        STRUCTURED,
        error(
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with "
            "this model.",
            "response_format",
        ),
        {"structured": "json_object"},
    ),
    "schema, llama.cpp": (
        STRUCTURED,
        error("Failed to initialize samplers: failed to parse grammar"),
        {"structured": "json_object"},
    ),
    "text.format": (
        RESPONSES,
        error("Unknown parameter: 'text.format'.", "text.format"),
        {"structured": "json_object"},
    ),
    "null, ollama": (
        SENT,
        error("invalid message content type: <nil>"),
        {"empty_content": "text"},
    ),
    "null, lm studio": (
        SENT,
        error(
            "Invalid 'content': 'content' field must be a string or an array of objects. Got 'null'"
        ),
        {"empty_content": "text"},
    ),
    "system, o1": (
        SENT,
        error(
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            "messages[0].role",
            "unsupported_value",
        ),
        {"system_role": False},
    ),
    "system, template": (
        SENT,
        error("System role not supported (jinja template, messages)"),
        {"system_role": False},
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_changes_what_it_is_about(name: str) -> None:
    sent, body, change = REFUSALS[name]
    found = adapted(Profile(), sent, body)
    assert found is not None
    assert found[0] == Profile().model_copy(update=change)


LASTING = {
    "a broken schema": (
        STRUCTURED,
        error("Invalid schema for response_format 'X': ...", "response_format", "invalid_schema"),
    ),
    "a broken tool schema": (
        SENT,
        error("Invalid schema for function 'x'", "tools[0]", "invalid_function_parameters"),
    ),
    "a model that is not there": (SENT, error("The model 'm' does not exist", code=404)),
    "a typing error of the user": (
        SENT,
        error("Invalid value: 'hgih'. Supported values are: 'low', 'high'.", "reasoning_effort"),
    ),
    "tools with reasoning": (
        SENT,
        error(
            "Function tools with reasoning are not supported for gpt-x in /v1/chat/completions. "
            "Please use /v1/responses instead.",
        ),
    ),
    "a parameter that was not sent": (
        STRUCTURED,
        error("Unsupported parameter: 'temperature' is not supported.", "temperature"),
    ),
    "words that are no parameters": (
        {**RESPONSES, "store": False},
        error("The vector store is unavailable. Please include a valid user turn."),
    ),
    "what the model wrote": (
        SENT,
        {
            "error": {
                "message": "Failed to call a function.",
                "failed_generation": "temperature is not supported, seed is unknown",
            }
        },
    ),
    "an answer to no call": (
        SENT,
        error(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding "
            "message with 'tool_calls'.",
            "messages.[3].role",
        ),
    ),
    "no words": (SENT, None),
    "a list": (SENT, []),
}


@pytest.mark.parametrize("name", LASTING)
def test_what_a_request_cannot_do_without_is_not_changed(name: str) -> None:
    sent, body = LASTING[name]
    assert adapted(Profile(), sent, body) is None


def test_a_limit_is_never_given_up() -> None:
    first = adapted(Profile(), SENT, extra("max_completion_tokens"))
    assert first is not None
    assert adapted(first[0], {**SENT, "max_tokens": 9}, extra("max_tokens")) is None
    assert (
        adapted(Profile(), {**RESPONSES, "max_output_tokens": 9}, extra("max_output_tokens"))
        is None
    )


def test_the_ladder_of_schemas_ends_at_the_prompt() -> None:
    levels, profile = [], Profile()
    while (found := adapted(profile, STRUCTURED, error("response_format is not supported"))) and (
        found[0].structured not in levels
    ):
        profile = found[0]
        levels.append(profile.structured)
    assert levels == ["json_object", "prompt"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=30),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["error", "message", "param", "detail", "code"]), inner, max_size=3
            )
        ),
        max_leaves=8,
    )
)
def test_any_body_can_be_read(body: Any) -> None:
    found = adapted(Profile(), SENT, body)
    assert found is None or found[0] != Profile()
