"""Thirty failures on two wires: each ends in the outcome that docs/llm.md promises.

The offline model's server acts them out over HTTP, for ever and once. The numbers and the sources
of the failures stand in docs/llm.md.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from offline_server import DEADLINE, Act, Asked, Server, ask, serving
from pydantic import BaseModel, ConfigDict

from intogen_agent.config.roles import Role
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Failed, Structured, ToolCalls
from intogen_agent.mcp.schema import function_tool

WIRES = ("chat", "responses")
NEVER = "cannot occur"
REFUSED = "refused call"
GENES = {"gene": {"type": "string", "enum": ["APC"]}}
TOOL = function_tool("gene_getter", "Gets a gene.", {"properties": GENES, "required": ["gene"]})
# As MCP servers write them: a long dotted name, optional arguments, bounds, formats, a pattern.
WILD_SCHEMA = {
    "properties": {
        **GENES,
        "note": {"type": "string", "maxLength": 5000, "pattern": "a(b|c)", "format": "uri"},
        "more": {"type": "object", "properties": {"page": {"type": "integer", "minimum": 1}}},
    },
    "required": ["gene"],
}
WILD = function_tool("biomcp.gene/getter." + "x" * 60, "Gets a gene.", WILD_SCHEMA)
TALK = [
    {"role": "system", "content": "You are a test."},
    {"role": "user", "content": "Call the tool for APC. " + "It is a gene. " * 400},
]


class Verdict(BaseModel):
    """A structured answer."""

    model_config = ConfigDict(extra="forbid")
    involved: bool
    reasons: list[str]


async def answer(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, TALK)


async def structured(models: Models) -> Any:
    return await models.structured(Role.SUMMARIZER, TALK, Verdict)


def calling(tool: dict[str, Any] = TOOL, choice: str | None = None, times: int = 1) -> Act:
    """Return an act that asks for a turn with a tool."""

    async def act(models: Models) -> Any:
        return await models.chat(Role.SUMMARIZER, TALK, [tool] * times, choice)

    return act


def conversation(tool: dict[str, Any] = TOOL, *, forget: bool = False) -> Act:
    """Return an act that calls a tool until the model closes the conversation.

    Args:
        tool: The tool.
        forget: Leave the calls without answers.
    """

    async def act(models: Models) -> Any:
        talk = list(TALK)
        for _ in range(4):
            outcome = await models.chat(Role.SUMMARIZER, talk, [tool])
            if not isinstance(outcome, ToolCalls):
                return outcome
            if any(bad(call, tool) for call in outcome.calls):
                return outcome
            talk.append(outcome.message)
            for call in outcome.calls:
                content = '{"outcome": "content"}'
                if not forget:
                    talk.append({"role": "tool", "tool_call_id": call.id, "content": content})
        return None

    return act


async def two_instructions(models: Models) -> Any:
    """Go on with a conversation that has a second system message in its middle."""
    more = {"role": "system", "content": "Be brief."}
    return await models.chat(Role.SUMMARIZER, [*TALK, more, TALK[1]])


async def structured_after_calls(models: Models) -> Any:
    """Ask for a structured answer in a conversation that has called tools."""
    outcome = await calling()(models)
    results = [{"role": "tool", "tool_call_id": c.id, "content": "{}"} for c in outcome.calls]
    talk = [*TALK, outcome.message, *results, TALK[1]]
    return await models.structured(Role.SUMMARIZER, talk, Verdict)


def bad(call: Any, tool: dict[str, Any]) -> bool:
    """Tell whether a call may not be dispatched."""
    return call.name != tool["function"]["name"] or call.arguments is None


@dataclass(frozen=True)
class Case:
    """A failure as the server acts it out.

    Attributes:
        lasting: The outcome while the server behaves like this, by wire.
        passing: The outcome when it does so once; empty: it is a trait and does not pass.
        avoided: Whether no request of this client ever provokes it.
    """

    number: int
    fault: str
    act: Act
    lasting: tuple[str, str]
    passing: str = "answer"
    role: dict[str, Any] = field(default_factory=dict)
    avoided: bool = False


def both(outcome: str) -> tuple[str, str]:
    return outcome, outcome


# What the offline model says when it is asked nothing it knows, and when it closes a search.
SAID = ("This is offline-", "The search is closed")
REASONING = {"model": "offline-reasoning-1", "reasoning_effort": "low"}
LIMIT = {"max_output_tokens": 500}
CASES = [
    Case(1, "bad-arguments", calling(), both(REFUSED), REFUSED),
    Case(1, "list-arguments", calling(), both(REFUSED), REFUSED),
    Case(2, "same-ids", conversation(), both("answer")),
    Case(2, "no-ids", conversation(), both("answer")),
    Case(3, "", conversation(WILD), both("answer")),
    Case(4, "", calling(times=129), both("rejected"), ""),
    Case(5, "empty", answer, both("empty")),
    Case(5, "reasoning-only", answer, both("empty")),
    Case(6, "truncated", structured, both("cut off"), role=LIMIT),
    Case(6, "reasoning-length", answer, both("cut off"), role=LIMIT),
    Case(7, "refusal", answer, both("refusal"), "refusal"),
    Case(7, "content-filter", answer, both("refusal"), "refusal"),
    Case(7, "content-filter-400", answer, both("refusal"), "refusal"),
    Case(8, "context", answer, both("context overflow"), "context overflow"),
    Case(9, "silent-truncation", answer, both("context overflow"), "context overflow"),
    Case(10, "quota", answer, both("quota"), "quota"),
    Case(11, "429", answer, both("throttled")),
    Case(11, "429-date", answer, both("throttled")),
    Case(11, "429-long", answer, both("throttled"), "throttled"),
    Case(12, "slow", answer, both("timeout")),
    Case(13, "stream", answer, both("transport")),
    Case(14, "error-200", answer, both("transport")),
    Case(14, "no-choices", answer, both("transport")),
    Case(15, "html", answer, both("transport")),
    Case(15, "half-body", answer, both("transport")),
    Case(15, "empty-body", answer, both("transport")),
    Case(16, "no-temperature", answer, both("answer"), role={"temperature": 0.0}),
    Case(17, "no-max-completion-tokens", answer, ("answer", NEVER), role=LIMIT),
    Case(18, "", calling(), ("rejected", NEVER), "", REASONING),
    Case(18, "no-tools-with-reasoning", calling(), ("rejected", NEVER), "rejected"),
    Case(19, "", conversation(), (NEVER, "answer"), "", REASONING),
    Case(20, "no-json-schema", structured, both("answer")),
    Case(20, "json-schema-ignored", structured, ("answer", NEVER)),
    Case(21, "json-schema-ignored", structured, (NEVER, "answer")),
    Case(22, "no-tool-choice", calling(choice="required"), both("call")),
    Case(22, "tool-choice-ignored", calling(choice="required"), both("text")),
    Case(23, "call-as-text", conversation(), both("answer")),
    Case(23, "call-as-prose", calling(), both("text"), "text"),
    Case(24, "no-null-content", conversation(), ("answer", NEVER)),
    Case(25, "", conversation(forget=True), both("answer")),
    Case(26, "unknown-tool", calling(), both(REFUSED), REFUSED),
    Case(27, "", conversation(WILD), both("answer")),
    Case(28, "grammar", conversation(WILD), both("answer"), avoided=True),
    Case(29, "one-system-message", two_instructions, both("answer"), avoided=True),
    Case(29, "no-system", conversation(), both("answer")),
    Case(30, "", structured_after_calls, both("answer")),
]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def word(asked: Asked) -> str:
    """Return how an act ended, in the words of the table."""
    value = asked.value
    if isinstance(value, Failed):
        return value.kind.value
    if isinstance(value, ToolCalls):
        return REFUSED if any(bad(call, TOOL) for call in value.calls) else "call"
    if isinstance(value, Structured):
        return "answer"
    assert isinstance(value, Answer), value
    return "answer" if value.text.startswith(SAID) else "text"


def name(case: Case) -> str:
    return f"{case.number}-{case.fault or 'always'}"


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("case", CASES, ids=name)
def test_a_failure_ends_in_its_documented_outcome(
    tmp_path: Path, server: Server, case: Case, wire: str
) -> None:
    expected = case.lasting[WIRES.index(wire)]
    if expected == NEVER:
        pytest.skip("cannot occur on this wire")
    server.act_out(*([case.fault] if case.fault else []))
    asked = ask(tmp_path, server, wire, case.act, role=case.role)
    assert word(asked) == expected, asked.value
    assert asked.seconds < DEADLINE + 1
    if case.fault:
        assert bool(server.faults.given[case.fault]) is not case.avoided


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("case", [c for c in CASES if c.fault and c.passing], ids=name)
def test_a_failure_that_happens_once(tmp_path: Path, server: Server, case: Case, wire: str) -> None:
    if case.lasting[WIRES.index(wire)] == NEVER:
        pytest.skip("cannot occur on this wire")
    server.act_out(f"{case.fault}:1")
    asked = ask(tmp_path, server, wire, case.act, role=case.role)
    expected = case.passing
    if expected == "answer" and case.act.__qualname__.startswith("calling"):
        expected = "call"
    assert word(asked) == expected, asked.value


def test_each_of_the_thirty_is_acted_out_on_each_wire_where_it_can_occur() -> None:
    for place, wire in enumerate(WIRES):
        numbers = {case.number for case in CASES if case.lasting[place] != NEVER}
        missing = set(range(1, 31)) - numbers
        assert missing == ({19, 21} if wire == "chat" else {17, 18, 24})


def test_those_that_must_end_in_a_correct_answer_do() -> None:
    for number in (2, 3, 16, 17, 20, 22, 23, 24, 27, 28, 29):
        outcomes = {outcome for case in CASES if case.number == number for outcome in case.lasting}
        assert outcomes & {"answer", "call"}
        # Prose instead of a call is an answer; a call of another tool in prose is none.
        assert outcomes <= {"answer", "call", "text", NEVER}


def test_the_documentation_promises_what_is_tested() -> None:
    text = (Path(__file__).parents[2] / "docs" / "llm.md").read_text(encoding="utf-8")
    _, table = text.split("## Thirty failures")
    rows = [line.strip("|").split("|") for line in table.splitlines() if re.match(r"\| \d", line)]
    promised = {(int(row[0]), row[2].strip(), row[3].strip()) for row in rows}
    tested: dict[int, list[set[str]]] = {}
    for case in CASES:
        cells = tested.setdefault(case.number, [set(), set()])
        for cell, outcome in zip(cells, case.lasting, strict=True):
            cell.add(outcome)
    for number, *outcomes in promised:
        for cell, outcome in zip(tested[number], outcomes, strict=True):
            assert outcome in cell, (number, outcome)
    assert {number for number, *_ in promised} == set(range(1, 31))
