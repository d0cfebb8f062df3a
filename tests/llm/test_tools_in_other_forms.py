"""Tool names that servers refuse, calls in texts, and JSON actions."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import QUESTION, Ran, message, run, tool_call, tool_calls

from intogen_agent.config.roles import Role
from intogen_agent.llm import actions, conversation, json_text, salvage
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.llm.request import Request
from intogen_agent.llm.tool_names import original_name, wire_name
from intogen_agent.mcp.schema import function_tool

pytestmark = pytest.mark.usefixtures("api")
GENE = {"properties": {"gene": {"type": "string"}}, "required": ["gene"]}
TOOL = function_tool("gene_getter", "Gets a gene.", GENE)
DOTTED = function_tool("biomcp.gene/get" + "x" * 80, "Gets a gene.", GENE)
ARGUMENTS = '{"gene": "APC"}'


async def with_tool(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])


def calls(ran: Ran) -> list[tuple[str, Any]]:
    assert isinstance(ran.value, ToolCalls), ran.value
    return [(call.name, call.arguments) for call in ran.value.calls]


# Names.


@given(st.lists(st.text(max_size=90), unique=True, max_size=6))
def test_any_name_is_sent_in_the_allowed_alphabet_and_found_again(names: list[str]) -> None:
    sent = [wire_name(name) for name in names]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in sent)
    assert [original_name(name, names) for name in sent] == names


def test_a_long_dotted_name_is_offered_called_and_answered(tmp_path: Path) -> None:
    name = DOTTED["function"]["name"]

    async def act(models: Models) -> Any:
        outcome = await models.chat(Role.SUMMARIZER, QUESTION, [DOTTED])
        assert isinstance(outcome, ToolCalls) and outcome.calls[0].name == name
        answer = {"role": "tool", "tool_call_id": outcome.calls[0].id, "content": "{}"}
        return await models.chat(Role.SUMMARIZER, [*QUESTION, outcome.message, answer], [DOTTED])

    ran = run(tmp_path, [tool_calls(tool_call(wire_name(name), ARGUMENTS)), message("Done.")], act)
    assert isinstance(ran.value, Answer), ran.value
    assert ran.requests[0].body["tools"][0]["function"]["name"] == wire_name(name) != name


# Calls in texts.

WRITTEN = [
    '{"name": "gene_getter", "arguments": {"gene": "APC"}}',
    'I will call it:\n```json\n{"name": "gene_getter", "parameters": {"gene": "APC"}}\n```',
    '<tool_call>\n{"name": "gene_getter", "arguments": {"gene": "APC"}}\n</tool_call>',
    '{"function": {"name": "gene_getter", "arguments": "{\\"gene\\": \\"APC\\"}"}}',
    '{"type": "function", "function": {"name": "gene_getter", "arguments": {"gene": "APC"}}}',
    '{"tool": "gene_getter", "args": {"gene": "APC"}}',
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_call_that_was_written_as_text_is_made(tmp_path: Path, text: str) -> None:
    assert calls(run(tmp_path, [message(text)], with_tool)) == [("gene_getter", {"gene": "APC"})]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "shell", "arguments": {"gene": "APC"}}',
        '{"name": "gene_getter", "arguments": {"symbol": "APC"}}',
        '{"name": "gene_getter", "arguments": {"gene": 3}}',
        '{"name": "gene_getter", "arguments": [1]}',
        '{"name": "gene_getter"}',
        '{"gene": "APC"}',
        '{"name": "gene_getter", "arguments": {"gene": "AP',
        "The gene_getter tool takes a gene.",
    ],
)
def test_what_only_looks_like_a_call_stays_text(tmp_path: Path, text: str) -> None:
    ran = run(tmp_path, [message(text)], with_tool)
    assert isinstance(ran.value, Answer) and ran.value.text == text


def test_several_written_calls_are_several_calls(tmp_path: Path) -> None:
    two = f"{WRITTEN[0]}\n{WRITTEN[0].replace('APC', 'TP53')}"
    ran = run(tmp_path, [message(two)], with_tool)
    assert [arguments["gene"] for _, arguments in calls(ran)] == ["APC", "TP53"]
    assert len({call.id for call in ran.value.calls}) == 2


def test_a_written_call_is_answered_like_any_other(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        outcome = await with_tool(models)
        answer = {"role": "tool", "tool_call_id": outcome.calls[0].id, "content": "{}"}
        return await models.chat(Role.SUMMARIZER, [*QUESTION, outcome.message, answer], [TOOL])

    ran = run(tmp_path, [message(WRITTEN[1]), message("Done.")], act)
    assert isinstance(ran.value, Answer), ran.value


@given(st.text(max_size=200) | st.sampled_from(WRITTEN).map(lambda text: text[:-3]))
def test_looking_for_calls_never_fails(text: str) -> None:
    for call in salvage.calls(text, [TOOL]):
        assert call.name == "gene_getter"
    actions.read(text)


@given(st.dictionaries(st.text(max_size=5), st.integers(), max_size=3), st.text(max_size=20))
def test_objects_of_a_text_are_the_outermost_ones(value: dict[str, int], between: str) -> None:
    between = between.replace("{", "(")
    text = json.dumps({"a": value}) + between + json.dumps(value)
    assert list(json_text.objects(text)) == [{"a": value}, value]


# JSON actions.

ACTION = '{"action": {"tool": "gene_getter", "arguments": {"gene": "APC"}}}'


def act_with(tool_choice: str | None = None) -> Any:
    async def act(models: Models) -> Any:
        return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL], tool_choice)

    return act


def action_run(folder: Path, *texts: str, choice: str | None = None) -> Ran:
    replies = [message(text) for text in texts]
    return run(folder, replies, act_with(choice), capabilities={"tools": "json_action"})


def test_a_json_action_is_a_call(tmp_path: Path) -> None:
    ran = action_run(tmp_path, ACTION)
    assert calls(ran) == [("gene_getter", {"gene": "APC"})]
    body = ran.requests[0].body
    assert "tools" not in body
    described = body["response_format"]["json_schema"]
    assert described["name"] == "action" and described["strict"] is False
    system, user = body["messages"]
    assert "gene_getter: Gets a gene." in system["content"] and user == QUESTION[1]
    # What is the same for every conversation comes first.
    assert system["content"].endswith(QUESTION[0]["content"])


def test_a_json_action_may_be_an_answer(tmp_path: Path) -> None:
    ran = action_run(tmp_path, '{"action": {"answer": "It is enough."}}')
    assert isinstance(ran.value, Answer) and ran.value.text == "It is enough."


def test_prose_instead_of_an_action_is_an_answer(tmp_path: Path) -> None:
    ran = action_run(tmp_path, "It is enough.")
    assert isinstance(ran.value, Answer)


def test_an_action_without_arguments_is_never_called_with_none(tmp_path: Path) -> None:
    ran = action_run(tmp_path, '{"action": {"tool": "gene_getter"}}')
    assert isinstance(ran.value, ToolCalls)
    assert ran.value.calls[0].arguments is None and ran.value.calls[0].problem


def test_where_a_call_is_required_no_answer_is_offered(tmp_path: Path) -> None:
    ran = action_run(tmp_path, ACTION, choice="required")
    schema = ran.requests[0].body["response_format"]["json_schema"]["schema"]
    assert len(schema["properties"]["action"]["anyOf"]) == 1


def test_the_conversation_of_actions_has_no_tool_messages(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        talk = list(QUESTION)
        for gene in ("APC", "TP53"):
            outcome = await models.chat(Role.SUMMARIZER, talk, [TOOL])
            assert isinstance(outcome, ToolCalls)
            result = json.dumps({"found": gene})
            answer = {"role": "tool", "tool_call_id": outcome.calls[0].id, "content": result}
            talk += [outcome.message, answer]
        return await models.chat(Role.SUMMARIZER, [*talk, QUESTION[1]], [TOOL])

    replies = [message(ACTION), message(ACTION.replace("APC", "TP53")), message("Done.")]
    ran = run(tmp_path, replies, act, capabilities={"tools": "json_action"})
    assert isinstance(ran.value, Answer), ran.value
    sent = ran.requests[-1].body["messages"]
    assert [item["role"] for item in sent] == ["system", "user"] + ["assistant", "user"] * 2
    assert json.loads(sent[2]["content"])["action"]["arguments"] == {"gene": "APC"}
    assert sent[3]["content"] == 'Result of the call of gene_getter:\n{"found": "APC"}'
    assert sent[5]["content"].endswith("Well?")


def test_several_native_calls_become_one_action_a_turn() -> None:
    message_ = {
        "role": "assistant",
        "content": None,
        "tool_calls": [tool_call("gene_getter", ARGUMENTS, id) for id in ("a", "b")],
    }
    results = [{"role": "tool", "tool_call_id": id, "content": id} for id in ("b", "a")]
    shaped = actions.translate(Request("m", [*QUESTION, message_, *results], [TOOL]))
    assert [m["role"] for m in shaped.messages][2:] == ["assistant", "user"] * 2
    assert shaped.messages[3]["content"].endswith("\na")


# Calls and their answers.


def test_a_call_without_an_answer_gets_one_before_it_is_sent(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        outcome = await with_tool(models)
        answer = {"role": "tool", "tool_call_id": outcome.calls[1].id, "content": "{}"}
        return await models.chat(Role.SUMMARIZER, [*QUESTION, outcome.message, answer], [TOOL])

    two = tool_calls(*(tool_call("gene_getter", ARGUMENTS, id) for id in ("a", "b")))
    ran = run(tmp_path, [two, message("Done.")], act)
    assert isinstance(ran.value, Answer), ran.value
    answers = [m for m in ran.requests[1].body["messages"] if m["role"] == "tool"]
    assert [m["tool_call_id"] for m in answers] == ["a", "b"]
    assert "not made" in answers[0]["content"]


def test_ids_are_not_used_twice_in_a_conversation(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        first = await with_tool(models)
        answer = {"role": "tool", "tool_call_id": first.calls[0].id, "content": "{}"}
        second = await models.chat(Role.SUMMARIZER, [*QUESTION, first.message, answer], [TOOL])
        return {first.calls[0].id, second.calls[0].id}

    ran = run(tmp_path, [tool_calls(tool_call("gene_getter", ARGUMENTS))], act)
    assert len(ran.value) == 2


def test_a_text_where_a_call_is_required_gets_one_reminder(tmp_path: Path) -> None:
    replies = [message("I would call it."), tool_calls(tool_call("gene_getter", ARGUMENTS))]
    ran = run(tmp_path, replies, act_with("required"))
    assert calls(ran) == [("gene_getter", {"gene": "APC"})] and len(ran.requests) == 2


def test_system_messages_are_one_and_first() -> None:
    talk = [QUESTION[1], {"role": "system", "content": "b"}, *QUESTION]
    merged = conversation.merged(talk)
    assert [m["role"] for m in merged] == ["system", "user"]
    assert conversation.without_system_role(merged)[0]["role"] == "user"


def test_a_server_that_reads_half_of_a_prompt_is_found_out(tmp_path: Path) -> None:
    async def act(models: Models) -> Any:
        long = [QUESTION[0], {"role": "user", "content": "A word. " * 2000}]
        return await models.chat(Role.SUMMARIZER, long)

    ran = run(tmp_path, [message("Yes.")], act)
    assert isinstance(ran.value, Failed) and ran.value.kind is FailureKind.CONTEXT_OVERFLOW
    assert "read 11 of about 4576 tokens" in ran.value.message
    assert not ran.entries[0]["replayable"]
    kept = run(tmp_path / "b", [message("Yes.")], act, min_prompt_share=0)
    assert isinstance(kept.value, Answer)
