"""A second opinion: llmock, a test server that this project did not write."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_server import KNOWN, QUESTION

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, FailureKind, ToolCalls
from intogen_agent.mcp.schema import function_tool
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

pytest.importorskip("llmock")
pytestmark = pytest.mark.parametrize("wire", ["chat", "responses"])
TOOL = function_tool(
    "gene_getter",
    "Gets a gene.",
    {"properties": {"gene": {"type": "string"}}, "required": ["gene"]},
)
Act = Callable[[Models], Awaitable[Any]]


@pytest.fixture
def ask(llmock: Any, wire: str, tmp_path: Path) -> Callable[[Act], tuple[Any, list[float]]]:
    """Run an act against llmock; its waits are not real."""
    provider = {"base_url": llmock.base_url(), "api": wire, "capabilities": KNOWN}
    settings = Settings.model_validate(
        {
            "results": str(tmp_path / "results"),
            "llm": {
                "providers": {"mock": provider},
                "default": {"provider": "mock", "model": "gpt-4o"},
                "retry": {"first_wait": 0.01, "max_wait": 0.01},
            },
        }
    )

    def run(act: Act) -> tuple[Any, list[float]]:
        waits: list[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        async def main() -> Any:
            with Journal(tmp_path / "journal.jsonl") as journal:
                recorder = Recorder(journal, "phase1")
                async with Models(settings, recorder, tmp_path / "logs", sleep) as models:
                    return await act(models)

        return asyncio.run(main()), waits

    return run


async def chat(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


async def chat_with_tool(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])


def test_scripted_calls_are_made_and_answered(ask: Any, llmock: Any) -> None:
    llmock.call_tool("gene_getter", {"gene": "APC"}).reply("It is a tumour suppressor.")

    async def converse(models: Models) -> Any:
        outcome = await chat_with_tool(models)
        assert isinstance(outcome, ToolCalls) and outcome.calls[0].arguments == {"gene": "APC"}
        answer = {"role": "tool", "tool_call_id": outcome.calls[0].id, "content": '{"found": 1}'}
        return await models.chat(Role.SUMMARIZER, [*QUESTION, outcome.message, answer], [TOOL])

    outcome, _ = ask(converse)
    assert isinstance(outcome, Answer) and outcome.text == "It is a tumour suppressor."


def test_retry_after_is_obeyed(ask: Any, llmock: Any) -> None:
    llmock.rate_limit(times=2, retry_after=7).reply("Here.")
    outcome, waits = ask(chat)
    assert isinstance(outcome, Answer) and outcome.text == "Here."
    assert waits == [7, 7]


def test_an_outage_is_over_after_a_while(ask: Any, llmock: Any) -> None:
    llmock.fail(503, times=3).reply("Here.")
    outcome, waits = ask(chat)
    assert isinstance(outcome, Answer) and len(waits) == 3


def test_an_overflow_is_final(ask: Any, llmock: Any) -> None:
    llmock.context_overflow(times=None)
    outcome, waits = ask(chat)
    assert isinstance(outcome, Failed) and outcome.kind is FailureKind.CONTEXT_OVERFLOW
    assert waits == []


@pytest.mark.parametrize("fault", ["disconnect", "truncate", "corrupt", "stall"])
def test_faults_of_streams_touch_no_client_that_does_not_stream(
    ask: Any, llmock: Any, fault: str
) -> None:
    getattr(llmock, fault)(times=None)
    outcome, waits = ask(chat)
    assert isinstance(outcome, Answer) and outcome.text and waits == []


def test_a_broken_call_is_never_dispatched_with_other_arguments(ask: Any, llmock: Any) -> None:
    llmock.break_tool_call("malformed_arguments")
    outcome, _ = ask(chat_with_tool)
    assert isinstance(outcome, ToolCalls)
    assert outcome.calls[0].arguments is None and outcome.calls[0].problem


def test_an_unknown_tool_keeps_its_name(ask: Any, llmock: Any) -> None:
    llmock.break_tool_call("unknown_tool")
    outcome, _ = ask(chat_with_tool)
    assert isinstance(outcome, ToolCalls) and outcome.calls[0].name != "gene_getter"


def test_llmock_finds_nothing_to_object_to(ask: Any, llmock: Any) -> None:
    llmock.rate_limit(times=1, retry_after=0).fail(500, times=1)
    ask(chat)
    llmock.assert_resilient()
