"""What MCP servers do wrong, with real child processes over stdio."""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from intogen_agent.config.mcp_settings import Server
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.session import MAX_PAGES, Session
from intogen_agent.mcp.toolbox import Toolbox

GENE = "# Record 1\nSymbol: APC\n"


async def ask(toolbox: Toolbox) -> ToolAnswer:
    return await toolbox.call("gene_getter", {"gene": "APC"}, None)


async def nothing(_: Toolbox) -> None:
    return None


def stage_failure(bench: Any, habit: str, **settings: Any) -> StageFailure:
    with pytest.raises(StageFailure) as caught:
        bench.run(habit, nothing, **settings)
    assert "\n" not in caught.value.message
    return caught.value


# Starting.


@pytest.mark.parametrize("program", ["no-such-program", "/no/such/program"])
def test_a_missing_program_is_named(bench: Any, program: str) -> None:
    failure = stage_failure(bench, "", command_line=[program, "run"])
    assert failure.error is ErrorClass.SERVER_FAILED
    assert f"MCP server raw ({program})" in failure.message and "No such file" in failure.message


def test_a_server_that_dies_at_start_leaves_its_words_in_the_log(bench: Any) -> None:
    failure = stage_failure(bench, "dies-at-start")
    log = bench.folder / "logs" / "mcp-raw.log"
    assert failure.error is ErrorClass.SERVER_FAILED
    assert failure.message.endswith(f"see {log}")
    assert "cannot read the licence file" in log.read_text()


@pytest.mark.parametrize(
    ("habit", "words"),
    [
        ("dies-in-initialize", "Connection closed"),
        ("refuses-initialize", "no licence"),
        ("nonsense-initialize", "InitializeResult"),
        ("unknown-protocol", "1999-01-01"),
        ("dies-in-list", "Connection closed"),
        ("nonsense-list", "its list of tools"),
    ],
)
def test_a_server_that_cannot_be_talked_to_is_a_failure(bench: Any, habit: str, words: str) -> None:
    failure = stage_failure(bench, habit)
    assert failure.error is ErrorClass.SERVER_FAILED and words in failure.message


@pytest.mark.parametrize("habit", ["hangs-in-initialize", "hangs-in-list"])
@pytest.mark.parametrize("call_timeout", [0.1, 20.0])
def test_a_server_that_hangs_at_start_is_given_up_in_time(
    bench: Any, habit: str, call_timeout: float
) -> None:
    begun = time.monotonic()
    failure = stage_failure(bench, habit, start_timeout=0.3, call_timeout=call_timeout)
    assert failure.error is ErrorClass.SERVER_FAILED
    assert time.monotonic() - begun < 5


def test_a_cancelled_start_leaves_no_process(bench: Any) -> None:
    """As when another part of the stage fails while the server starts."""

    async def main() -> None:
        raw = str(Path(__file__).with_name("servers") / "raw.py")
        settings = Server(command=[sys.executable, "-S", raw, "hangs-in-initialize"])
        session = Session("raw", settings, {}, bench.folder / "log")
        opening = asyncio.create_task(session.open())
        await asyncio.sleep(0.2)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

    begun = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("habit", ["banner", "banner-without-newline", "chatty"])
def test_a_banner_does_no_harm(bench: Any, habit: str) -> None:
    assert bench.run(habit, ask) == ToolAnswer("content", GENE, None, "c1")


def test_a_list_without_end_is_read_only_so_far(bench: Any) -> None:
    assert bench.run("endless-list", ask).kind == "content"
    listed = bench.recorder.used[0]["response"]["tools"]
    # A cursor that was there before leads nowhere new.
    assert len(listed) == 2 < MAX_PAGES


def test_a_phase_without_its_tool_names_the_tool(bench: Any) -> None:
    failure = stage_failure(bench, "other-tool")
    assert failure.error is ErrorClass.TOOL_MISSING
    assert "no server of raw has the tool gene_record (raw has something_else)" in failure.message


# Calling.

ANSWERS = [
    ("error-flag", "failed", "upstream: Request failed with status code 503"),
    ("json-rpc-error", "failed", "bad_arguments: Invalid gene search arguments"),
    ("no-content", "empty", None),
    ("image-block", "failed", "unreadable: the answer holds nothing"),
    ("missing-content", "failed", "unreadable: "),
    ("unknown-block", "content", None),
    ("output-schema", "content", None),
    ("half-character", "content", None),
    ("two-blocks", "content", None),
    ("bad-utf8", "content", None),
    ("large", "content", None),
    ("dies-in-call", "failed", "transport: Connection closed"),
]


@pytest.mark.parametrize(("habit", "kind", "error"), ANSWERS)
def test_an_answer_is_what_it_is_worth(
    bench: Any, habit: str, kind: str, error: str | None
) -> None:
    answer = bench.run(habit, ask)
    assert answer.kind == kind
    assert (answer.error is None) if error is None else answer.error.startswith(error)
    (call,) = bench.calls
    assert (call.outcome, call.error, call.id) == (kind, answer.error, "c1")
    assert "\n" not in (answer.error or "")


@pytest.mark.parametrize("habit", ["hangs-in-call", "not-json"])
def test_a_call_without_an_answer_ends_with_the_timeout(bench: Any, habit: str) -> None:
    begun = time.monotonic()
    answer = bench.run(habit, ask, call_timeout=0.3)
    assert answer.kind == "failed" and answer.error.startswith("timeout: ")
    assert time.monotonic() - begun < 4


def test_after_a_timeout_the_server_is_asked_on(bench: Any) -> None:
    async def twice(toolbox: Toolbox) -> list[str]:
        return [(await ask(toolbox)).kind for _ in range(2)]

    assert bench.run("hangs-once-in-call", twice, call_timeout=0.5) == ["failed", "content"]


def test_a_server_that_died_is_started_anew_for_the_next_call(bench: Any) -> None:
    async def twice(toolbox: Toolbox) -> list[str]:
        return [(await ask(toolbox)).kind for _ in range(2)]

    assert bench.run("dies-once-in-call", twice) == ["failed", "content"]


def test_calls_at_once_survive_a_dying_server(bench: Any) -> None:
    async def at_once(toolbox: Toolbox) -> list[str]:
        genes = [toolbox.call("gene_getter", {"gene": f"G{n}"}, None) for n in range(5)]
        return [answer.kind for answer in await asyncio.gather(*genes)]

    assert bench.run("dies-in-call", at_once) == ["failed"] * 5
    assert {call.id for call in bench.calls} == {"c1", "c2", "c3", "c4", "c5"}


def test_a_server_that_cannot_be_started_anew_is_a_failed_call(bench: Any) -> None:
    async def twice(toolbox: Toolbox) -> list[ToolAnswer]:
        first = await ask(toolbox)
        toolbox._settings = toolbox._settings.model_copy(
            update={
                "servers": {
                    "raw": toolbox._settings.servers["raw"].model_copy(
                        update={"command": ["/no/such/program"]}
                    )
                }
            }
        )
        return [first, await ask(toolbox)]

    first, second = bench.run("dies-in-call", twice)
    assert first.kind == second.kind == "failed"
    assert "/no/such/program" in second.error


def test_many_calls_at_once_get_each_its_own_answer(bench: Any) -> None:
    async def at_once(toolbox: Toolbox) -> list[str]:
        genes = [toolbox.call("gene_getter", {"gene": f"G{n}"}, None) for n in range(20)]
        return [answer.text for answer in await asyncio.gather(*genes)]

    texts = bench.run("honest", at_once)
    assert texts == [f"# Record 1\nSymbol: G{n}\n" for n in range(20)]


# Closing.


@pytest.mark.parametrize("habit", ["ignores-eof", "ignores-term"])
def test_a_server_that_does_not_want_to_end_is_ended(bench: Any, habit: str) -> None:
    assert bench.run(habit, ask).kind == "content"
    assert not psutil.pid_exists(int(bench.mark.read_text()))


def test_a_failing_stage_ends_its_server(bench: Any) -> None:
    async def fail(toolbox: Toolbox) -> None:
        await ask(toolbox)
        raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        bench.run("ignores-eof", fail)
    assert not psutil.pid_exists(int(bench.mark.read_text()))


# What reaches the server, and what does not come back.


def environment(bench: Any, **settings: Any) -> dict[str, str]:
    found: dict[str, str] = json.loads(bench.run("environment", ask, **settings).text)
    return found


def test_only_named_variables_reach_a_server(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TEST_API_KEY", "TEST_PROXY", "TEST_OTHER"):
        monkeypatch.setenv(name, f"value-of-{name}")
    found = environment(bench, env=["TEST_PROXY", "TEST_UNSET"])
    assert found["TEST_PROXY"] == "value-of-TEST_PROXY"
    assert {"TEST_API_KEY", "TEST_OTHER", "TEST_UNSET"}.isdisjoint(found)


@pytest.mark.parametrize("kind", ["error", "answer"])
def test_a_key_that_a_server_quotes_goes_no_further(
    bench: Any, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("TEST_API_KEY", "0123456789abcdef")
    habit = "key-in-error" if kind == "error" else "environment"
    answer = bench.run(habit, ask, env=["TEST_API_KEY"])
    assert "[key]" in answer.text and "0123456789abcdef" not in answer.text
    assert "0123456789abcdef" not in (bench.folder / "journal.jsonl").read_text()


def test_nulls_of_optional_arguments_are_not_sent(bench: Any) -> None:
    async def with_null(toolbox: Toolbox) -> ToolAnswer:
        return await toolbox.call("gene_getter", {"gene": "APC", "organism": None}, None)

    assert bench.run("refuses-nulls", with_null).kind == "content"
    assert bench.calls[0].arguments == {"gene": "APC"}


# Refused before they are sent.


@pytest.mark.parametrize(
    ("name", "arguments", "problem", "error"),
    [
        ("gene_getter", None, "the arguments are not valid JSON: ...", "not valid JSON"),
        ("gene_getter", None, None, "cannot be read"),
        ("gene_getter", {}, None, "bad arguments: 'gene' is a required property"),
        ("gene_getter", {"gene": None}, None, "bad arguments: gene: None is not of type"),
        ("gene_getter", {"gene": 7}, None, "bad arguments: gene: 7 is not of type 'string'"),
        ("delete_all", {"gene": "APC"}, None, "there is no tool 'delete_all'; call one of: gene"),
        ("", {}, None, "there is no tool ''"),
        ("x" * 900, {}, None, "there is no tool"),
    ],
)
def test_a_call_that_cannot_be_right_never_reaches_the_server(
    bench: Any, name: str, arguments: Any, problem: str | None, error: str
) -> None:
    async def act(toolbox: Toolbox) -> ToolAnswer:
        return await toolbox.call(name, arguments, problem)

    answer = bench.run("honest", act)
    assert answer.kind == "refused" and error in answer.error and answer.call == "r1"
    # The model is told how a call of the tool has to look; the record has the error alone.
    assert (answer.schema or {}).get("required") == (["gene"] if name == "gene_getter" else None)
    assert [(call.outcome, call.error) for call in bench.calls] == [("refused", answer.error)]
    assert "properties" not in answer.error and len(answer.error) < 300
    assert [entry["kind"] for entry in bench.recorder.used] == ["list"]


def test_tools_outside_the_allow_list_are_not_offered_and_not_called(
    bench: Any, honest: list[str]
) -> None:
    async def act(toolbox: Toolbox) -> tuple[Any, ToolAnswer]:
        return toolbox.offer(LogicalTool.ARTICLE_FETCH), await toolbox.call("gene_getter", {}, None)

    offer, answer = bench.run("", act, allowed=(LogicalTool.ARTICLE_FETCH,), command_line=honest)
    assert [tool["function"]["name"] for tool in offer] == ["article_getter"]
    assert answer.kind == "refused" and "call one of: article_getter" in answer.error


@pytest.mark.parametrize("habit", ["unusable-schema", "remote-schema"])
def test_a_schema_that_cannot_be_used_leaves_the_check_to_the_server(
    bench: Any, habit: str
) -> None:
    assert bench.run(habit, ask).kind == "content"


# Honest servers.


def test_an_honest_server_is_understood(bench: Any, honest: list[str]) -> None:
    async def act(toolbox: Toolbox) -> list[ToolAnswer]:
        return [
            await toolbox.call("gene_getter", {"gene": "APC", "organism": "human"}, None),
            await toolbox.call("article_getter", {"pmid": "9065401"}, None),
            await toolbox.call("article_getter", {"pmid": "0"}, None),
        ]

    allowed = (LogicalTool.GENE_RECORD, LogicalTool.ARTICLE_FETCH)
    gene, article, missing = bench.run("", act, allowed=allowed, command_line=honest)
    assert gene == ToolAnswer("content", "# Record 1\nSymbol: APC\nName: human\n", None, "c1")
    assert article == ToolAnswer("content", '[{"pmid": 9065401}]', None, "c2")
    assert missing.kind == "failed" and "article_getter" in missing.error
    assert bench.recorder.used[0]["response"]["server"] == "honest 2.0"


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_the_first_server_that_has_a_tool_is_asked(bench: Any, order: tuple[str, str]) -> None:
    raw = ["{python}", "-S", str(Path(__file__).with_name("servers") / "raw.py"), "honest"]
    bench.run("", ask, servers=dict.fromkeys(order, raw))
    assert bench.calls[0].server == order[0]


def test_a_later_server_may_have_what_the_first_has_not(bench: Any) -> None:
    raw = ["{python}", "-S", str(Path(__file__).with_name("servers") / "raw.py")]
    bench.run("", ask, servers={"one": [*raw, "other-tool"], "two": [*raw, "honest"]})
    assert bench.calls[0].server == "two"


# The journal.


def test_what_is_on_record_needs_no_server(bench: Any) -> None:
    first = bench.run("counts-starts", ask)
    again = bench.run("counts-starts", ask)
    assert again == first and bench.mark.read_text() == "started\n"


def test_a_failed_call_is_made_again_and_an_answered_one_is_not(bench: Any) -> None:
    async def both(toolbox: Toolbox) -> list[str]:
        other = await toolbox.call("gene_getter", {"gene": "TP53"}, None)
        return [(await ask(toolbox)).kind, other.kind]

    assert bench.run("dies-once-in-call", both) == ["content", "failed"]
    assert bench.run("dies-once-in-call", both) == ["content", "content"]
    made = [entry["request"].get("arguments") for entry in bench.recorder.used]
    assert made == [None, {"gene": "TP53"}, {"gene": "APC"}]


def test_requests_are_recorded_without_places_of_this_job(bench: Any) -> None:
    bench.run("honest", ask)
    for entry in bench.recorder.used:
        request = json.dumps(entry["request"])
        assert "{python}" in request or "gene_getter" in request
        assert str(bench.folder / "logs") not in request
