"""What a model can do: probed once, learned from refusals, kept in one file."""

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_server import QUESTION, Ran, Reply, error, message, tool_call, tool_calls
from scripted_server import run as run_anywhere

from intogen_agent.config.roles import Role
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.mcp.schema import function_tool

pytestmark = pytest.mark.usefixtures("api")
TOOL = function_tool(
    "gene_getter",
    "Gets a gene.",
    {"properties": {"gene": {"type": "string"}}, "required": ["gene"]},
)
UNKNOWN = {"tools": "auto", "structured": "auto"}
FITS = message('{"colour": "blue", "sure": true}')
PROSE = message("The sky is blue.")
NATIVE = tool_calls(tool_call("note_number", '{"number": 7}'))
WRITTEN = message('{"name": "note_number", "arguments": {"number": 7}}')
MODELS = Reply({"data": [{"id": "asked-1", "max_model_len": 4096}]})
ANSWER = message("Because.")


def run(*arguments: Any, **options: Any) -> Ran:
    """Run against a server that is the same one in every run of a test."""
    return run_anywhere(*arguments, same_place=True, **options)


async def ask(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


async def ask_with_tool(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])


def kept(folder: Path) -> dict[str, Any]:
    (path,) = (folder / "results" / "_run" / "models").glob("*.json")
    value: dict[str, Any] = json.loads(path.read_text())
    return value


@pytest.mark.parametrize(
    ("script", "structured", "tools"),
    [
        ([FITS, NATIVE], "json_schema", "native"),
        ([PROSE, FITS, NATIVE], "json_schema", "native"),
        ([message(""), FITS, NATIVE], "json_schema", "native"),
        ([PROSE, PROSE, FITS, NATIVE], "json_object", "native"),
        ([PROSE, PROSE, PROSE, PROSE, NATIVE], "prompt", "native"),
        ([message('<think>{"colour": 1}</think>{"colour": "blue", "sure": true}'), NATIVE],
         "json_schema", "native"),
        ([message(None, "length", reasoning_content="hm"), FITS, NATIVE], "json_schema", "native"),
        ([FITS, WRITTEN, WRITTEN], "json_schema", "json_action"),
        ([FITS, PROSE, NATIVE], "json_schema", "native"),
        ([FITS, error(400, message="m does not support tools")], "json_schema", "json_action"),
        ([error(400, message="response_format is not supported"), FITS, NATIVE], "json_object",
         "native"),
        ([FITS, message("", "length"), message("", "length")], "json_schema", "native"),
        ([FITS, message("x", "length", reasoning_content="hm"), NATIVE], "json_schema", "native"),
    ],
)  # fmt: skip
def test_a_model_is_asked_once_what_it_can_do(
    tmp_path: Path, script: list[Reply], structured: str, tools: str
) -> None:
    last = [ANSWER, ANSWER]
    # After a refused tool call the same question is asked as a JSON action.
    if any(reply.status == 400 and "tools" in str(reply.body) for reply in script):
        last = [PROSE, *last]
    first = run(tmp_path, [*script, *last], ask, capabilities=UNKNOWN)
    assert isinstance(first.value, Answer), first.value
    profile = kept(tmp_path)["profile"]
    assert (profile["structured"], profile["tools"]) == (structured, tools)
    (tmp_path / "journal.jsonl").unlink()
    again = run(tmp_path, [ANSWER], ask, capabilities=UNKNOWN)
    assert isinstance(again.value, Answer) and len(again.requests) == 1


def test_the_context_length_is_read_from_the_list_of_models(tmp_path: Path) -> None:
    ran = run(tmp_path, [FITS, NATIVE, MODELS, ANSWER], ask, capabilities=UNKNOWN)
    assert isinstance(ran.value, Answer)
    assert [seen.path.rsplit("/", 1)[-1] for seen in ran.requests][2] == "models"
    assert kept(tmp_path)["profile"]["context_length"] == 4096


def test_what_surely_does_not_fit_the_context_is_not_sent(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        long = [QUESTION[0], {"role": "user", "content": "word " * 2000}]
        return await models.chat(Role.SUMMARIZER, long)

    ran = run(tmp_path, [ANSWER], act, capabilities={"context_length": 1000})
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.CONTEXT_OVERFLOW
    assert "1000" in ran.value.message and ran.requests == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(401, message="no"), FailureKind.AUTHENTICATION),
        (error(429, code="insufficient_quota", message="x"), FailureKind.QUOTA),
        (error(503, message="down"), FailureKind.TRANSPORT),
        (error(404, message="model 'asked-1' not found"), FailureKind.REJECTED),
        (error(400, message="no"), FailureKind.REJECTED),
        (message(None, refusal="no"), FailureKind.REFUSAL),
    ],
)
def test_a_probe_that_meets_an_outage_finds_nothing_out(
    tmp_path: Path, reply: Reply, kind: FailureKind
) -> None:
    ran = run(tmp_path, [reply], ask, capabilities=UNKNOWN)
    assert isinstance(ran.value, Failed) and ran.value.kind is kind
    assert not list((tmp_path / "results").rglob("*.json"))
    again = run(tmp_path, [FITS, NATIVE, MODELS, ANSWER], ask, capabilities=UNKNOWN)
    assert isinstance(again.value, Answer)


def test_the_configuration_has_the_last_word(tmp_path: Path) -> None:
    run(tmp_path, [FITS, NATIVE, MODELS, ANSWER], ask, capabilities=UNKNOWN)
    (tmp_path / "journal.jsonl").unlink()
    action = message('{"action": {"tool": "gene_getter", "arguments": {"gene": "APC"}}}')
    ran = run(tmp_path, [action], ask_with_tool, capabilities={"tools": "json_action"})
    assert isinstance(ran.value, ToolCalls)
    assert "tools" not in ran.requests[0].body
    assert ran.requests[0].body["response_format"]["json_schema"]["name"] == "action"


def test_a_profile_that_cannot_be_read_is_found_anew(tmp_path: Path) -> None:
    run(tmp_path, [FITS, NATIVE, MODELS, ANSWER], ask, capabilities=UNKNOWN)
    (tmp_path / "journal.jsonl").unlink()
    (path,) = (tmp_path / "results" / "_run" / "models").glob("*.json")
    path.write_text("{")
    ran = run(tmp_path, [FITS, NATIVE, MODELS, ANSWER], ask, capabilities=UNKNOWN)
    assert len(ran.requests) == 4 and kept(tmp_path)["profile"]["tools"] == "native"


def test_a_refused_parameter_is_left_out_and_not_sent_again(tmp_path: Path) -> None:
    refused = error(
        400,
        message="Unsupported value: 'temperature' does not support 0.5 with this model.",
        param="temperature",
        code="unsupported_value",
    )
    role = {"temperature": 0.5}
    first = run(tmp_path, [refused, ANSWER], ask, role=role)
    assert isinstance(first.value, Answer)
    assert ["temperature" in seen.body for seen in first.requests] == [True, False]
    assert first.waits == []
    (note,) = kept(tmp_path)["learned"]
    assert note["change"] == "without temperature" and "0.5" in note["words"]
    meta = first.entries[0]["meta"]
    assert meta["attempts"] == ["rejected", "answer"] and "gen_ai.request.temperature" not in meta
    (tmp_path / "journal.jsonl").unlink()
    again = run(tmp_path, [ANSWER], ask, role=role)
    assert ["temperature" in seen.body for seen in again.requests] == [False]


def test_a_server_that_refuses_everything_is_not_asked_for_ever(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        [error(400, message="unsupported: content null, temperature, tools, seed, system role")],
        ask_with_tool,
        role={"temperature": 0.5, "seed": 3},
    )
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.REJECTED
    assert len(ran.requests) < 8


def test_a_higher_limit_is_tried_once_after_an_answer_that_was_cut_off(tmp_path: Path) -> None:
    cut_off = message("Becau", "length")
    ran = run(tmp_path, [cut_off, ANSWER], ask, role={"max_output_tokens": 100})
    assert isinstance(ran.value, Answer)
    assert [seen.body["max_completion_tokens"] for seen in ran.requests] == [100, 200]
    meta = ran.entries[0]["meta"]
    assert meta["attempts"] == ["cut off", "answer"]
    # Both answers are paid for.
    assert meta["gen_ai.usage.input_tokens"] == 22
    never = run(tmp_path, [message("never asked")], ask, role={"max_output_tokens": 100})
    assert never.value == ran.value and never.requests == []


@pytest.mark.parametrize(
    "second", [message("Becau", "length"), error(400, message="max_completion_tokens too large")]
)
def test_an_answer_that_stays_cut_off_names_the_reasoning(tmp_path: Path, second: Reply) -> None:
    cut_off = message("Becau", "length")
    ran = run(tmp_path, [cut_off, second, ANSWER], ask, role={"max_output_tokens": 100})
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.CUT_OFF
    assert "2 tokens went into reasoning" in ran.value.message and len(ran.requests) == 2


def test_the_deadline_of_the_stage_ends_its_calls(tmp_path: Path) -> None:
    ran = run(tmp_path, [ANSWER], ask, retry={"stage_deadline": 1e-9})
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.TIMEOUT
    assert "stage" in ran.value.message and ran.requests == []


def test_a_role_has_its_own_deadline(tmp_path: Path) -> None:
    ran = run(tmp_path, [Reply({}, delay=30)], ask, role={"call_deadline": 0.05})
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.TIMEOUT
    assert "0.05 s" in ran.value.message
