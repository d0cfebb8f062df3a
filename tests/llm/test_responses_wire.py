"""What is special to the Responses API."""

from pathlib import Path
from typing import Any

import pytest
from scripted_server import QUESTION, Reply, error, run

from intogen_agent.config.roles import Role
from intogen_agent.evidence.wire import ToolSummary
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, Structured, ToolCalls
from intogen_agent.mcp.schema import function_tool

pytestmark = [
    pytest.mark.usefixtures("api"),
    pytest.mark.parametrize("api", ["responses"], indirect=True),
]
TOOL = function_tool("gene_getter", "Gets a gene.", {"properties": {"gene": {"type": "string"}}})
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_a",
    "name": "gene_getter",
    "arguments": '{"gene":  "APC"}',
    "status": "completed",
}
TEXT = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Done.", "annotations": []}],
}


def response(*output: Any, **more: Any) -> Reply:
    return Reply(
        {"id": "resp_1", "object": "response", "status": "completed", "output": [*output], **more}
    )


async def ask(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


async def converse(models: Models) -> Any:
    outcome = await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])
    assert isinstance(outcome, ToolCalls), outcome
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": f"answer {place}"}
        for place, call in enumerate(outcome.calls)
    ]
    return await models.chat(Role.SUMMARIZER, [*QUESTION, outcome.message, *answers], [TOOL])


def test_reasoning_goes_back_with_the_calls_that_it_led_to(tmp_path: Path) -> None:
    ran = run(tmp_path, [response(REASONING, CALL), response(REASONING, TEXT)], converse)
    assert isinstance(ran.value, Answer) and ran.value.text == "Done."
    assert ran.requests[1].raw["input"] == [
        {"role": "user", "content": "Well?"},
        REASONING,
        CALL,
        {"type": "function_call_output", "call_id": "call_a", "output": "answer 0"},
    ]
    assert ran.value.message["output_items"] == [REASONING, TEXT]


def test_nothing_is_stored_and_reasoning_comes_encrypted(tmp_path: Path) -> None:
    ran = run(tmp_path, [response(TEXT)], ask)
    raw = ran.requests[0].raw
    assert raw["store"] is False and raw["include"] == ["reasoning.encrypted_content"]
    assert "previous_response_id" not in raw and raw["instructions"] == "You are a test."


def test_the_turns_of_a_conversation_share_a_cache_key(tmp_path: Path) -> None:
    ran = run(tmp_path, [response(REASONING, CALL), response(TEXT)], converse)
    first, second = (seen.raw["prompt_cache_key"] for seen in ran.requests)
    assert first == second and len(first) <= 64


def test_parameters_have_this_wires_names(tmp_path: Path) -> None:
    role = {
        "temperature": 0.5,
        "seed": 3,
        "reasoning_effort": "low",
        "max_output_tokens": 9,
        "service_tier": "flex",
    }
    ran = run(tmp_path, [response(TEXT, service_tier="default")], ask, role=role)
    raw = ran.requests[0].raw
    assert raw["reasoning"] == {"effort": "low"} and raw["max_output_tokens"] == 9
    assert (raw["temperature"], raw["service_tier"]) == (0.5, "flex")
    assert "seed" not in raw
    meta = ran.entries[0]["meta"]
    assert meta["openai.api.type"] == "responses"
    assert meta["gen_ai.request.max_tokens"] == 9
    assert meta["intogen_agent.request.reasoning_effort"] == "low"
    assert meta["openai.response.service_tier"] == "default"


def test_tools_are_never_strict(tmp_path: Path) -> None:
    ran = run(tmp_path, [response(REASONING, CALL), response(TEXT)], converse)
    (tool,) = ran.requests[0].raw["tools"]
    assert tool["strict"] is False and tool["name"] == "gene_getter"


def test_a_structured_answer_is_asked_for_by_text_format(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        return await models.structured(Role.SUMMARIZER, QUESTION, ToolSummary)

    good = {**TEXT, "content": [{"type": "output_text", "text": '{"bullets": []}'}]}
    prose = {**TEXT, "content": [{"type": "output_text", "text": "There is nothing."}]}
    ran = run(tmp_path, [response(prose), response(good)], act)
    assert isinstance(ran.value, Structured)
    assert ran.requests[1].raw["text"]["format"] == {"type": "json_object"}
    form = ran.requests[0].raw["text"]["format"]
    assert form["type"] == "json_schema" and form["strict"] is True
    # A server that ignores the format gets the schema in the words of the second request.
    assert '"bullets"' not in str(ran.requests[0].raw["input"])
    assert '"bullets"' in ran.requests[1].raw["input"][-1]["content"]


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
         FailureKind.CUT_OFF),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
         FailureKind.REFUSAL),
        ({"status": "incomplete", "incomplete_details": None}, FailureKind.TRANSPORT),
        ({"status": "failed", "error": {"code": "server_error", "message": "x"}},
         FailureKind.TRANSPORT),
        ({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "x"}},
         FailureKind.TRANSPORT),
        ({"status": "in_progress"}, FailureKind.TRANSPORT),
    ],
)  # fmt: skip
def test_an_unfinished_response_is_no_answer(
    tmp_path: Path, more: dict[str, Any], kind: FailureKind
) -> None:
    ran = run(tmp_path, [response(TEXT, **more)], ask)
    assert isinstance(ran.value, Failed) and ran.value.kind is kind


def test_reasoning_alone_is_an_empty_answer(tmp_path: Path) -> None:
    ran = run(tmp_path, [response(REASONING)], ask)
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.EMPTY
    assert "reasoning" in ran.value.message


def test_a_model_without_reasoning_is_not_asked_to_encrypt_it(tmp_path: Path) -> None:
    refused = error(
        400, message="Encrypted content is not supported with this model.", param="include"
    )
    ran = run(tmp_path, [refused, response(TEXT)], ask)
    assert isinstance(ran.value, Answer)
    assert ["include" in seen.raw for seen in ran.requests] == [True, False]


@pytest.mark.parametrize(
    "bad",
    [
        {**CALL, "arguments": '{"gene": "AP'},
        {**CALL, "arguments": None},
        {**CALL, "call_id": None},
        {**CALL, "call_id": ""},
        {**CALL, "name": "gene.getter"},
    ],
)
def test_a_malformed_call_goes_back_in_a_sound_form(tmp_path: Path, bad: dict[str, Any]) -> None:
    ran = run(tmp_path, [response(REASONING, bad), response(TEXT)], converse)
    assert isinstance(ran.value, Answer), ran.value
    assert ran.requests[1].raw["input"][1] == REASONING
