"""The 24 things that MCP servers were seen to do: each ends in an answer or in a typed failure."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import hazards
import pytest
from hazards import RECORD, gene, gone, meet, processes
from servers.hazard import LONG_NAME

from intogen_agent.llm.tool_names import original_name, wire_name
from intogen_agent.mcp import session, stdio
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.session import Session
from intogen_agent.mcp.toolbox import Toolbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's process table")
QUICK: dict[str, Any] = {"start_timeout": 0.7, "call_timeout": 0.7}
AUTO: dict[str, Any] = {"mode": "auto"}
# Number of the hazard, habit of the server, how it must end, settings.
TABLE: list[tuple[int, str, str, dict[str, Any]]] = [
    (1, "dies-at-start", "server_failed", {}),
    (1, "dies-in-call", "transport", {}),
    (2, "hangs-in-initialize", "server_failed", QUICK),
    (3, "silent-on-discover", "answers", AUTO),
    (3, "silent-on-discover", "answers", {}),
    (4, "dies-on-discover", "answers", AUTO),
    (4, "dies-on-discover", "answers", {}),
    (5, "banner", "answers", {}),
    (5, "banner-without-newline", "answers", {}),
    (5, "noise-around-replies", "answers", {}),
    (6, "half-a-reply", "unreadable", {}),
    (7, "bad-utf8", "answers", {}),
    (8, "megabytes-5", "answers", {}),
    (8, "megabytes-5", "oversized", {"max_answer_bytes": 1_000_000}),
    (10, "ignores-eof", "answers", {}),
    (10, "ignores-term", "answers", {}),
    (11, "has-children", "answers", {}),
    (11, "ignores-all", "answers", {}),
    (13, "schema-without-type", "answers", {}),
    (13, "schema-that-is-none", "answers", {}),
    (14, "output-schema", "answers", {}),
    (15, "empty-content", "answers", {}),
    (15, "missing-content", "unreadable", {}),
    (15, "unknown-block", "answers", {}),
    (15, "mixed-blocks", "answers", {}),
    (15, "structured-alone", "answers", {}),
    (16, "cursor-loop", "answers", {}),
    (18, "megabytes-1", "answers", {}),
    (19, "refuses-nulls", "answers", {}),
    (20, "strange-schema", "answers", {}),
    (21, "schema-without-properties", "answers", {}),
    (22, "long-name", "answers", {"tool": LONG_NAME}),
    (22, "many-tools", "answers", {}),
    (23, "old-protocol", "answers", {}),
    (24, "error-as-success", "upstream", {}),
    (24, "throttled-as-success", "throttled", {}),
]
# These need more than one call of one server; they have tests of their own below.
APART = {9, 12, 17}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the patience with servers that do not want to end."""
    monkeypatch.setattr(stdio, "EOF_GRACE", 0.3)
    monkeypatch.setattr(stdio, "TERM_GRACE", 0.3)
    # Of a start that may take long on a busy machine, so that a silent server is not waited for.
    monkeypatch.setattr(session, "DISCOVER_PART", 0.03)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Open what this process opens once for good before open files are counted."""
    asyncio.run(asyncio.sleep(0))


def test_the_table_has_every_hazard() -> None:
    assert {number for number, *_ in TABLE} | APART == set(range(1, 25))


@pytest.mark.parametrize(
    ("habit", "verdict", "options"),
    [pytest.param(*row, id=f"{n}-{row[0]}-{row[1]}-{k}") for k, (n, *row) in enumerate(TABLE)],
)
def test_a_hazard_ends_as_the_table_says(
    tmp_path: Path, habit: str, verdict: str, options: dict[str, Any]
) -> None:
    outcome = meet(habit, tmp_path, **options)
    assert outcome.verdict == verdict, outcome
    assert outcome.honest == ToolAnswer("content", RECORD, None, "c1")
    if outcome.answer is not None and outcome.answer.kind == "content":
        assert outcome.answer.text.startswith(RECORD)
    assert outcome.seconds < 60


def test_an_answer_that_was_broken_on_its_way_is_not_waited_for(tmp_path: Path) -> None:
    assert meet("half-a-reply", tmp_path, call_timeout=600.0).seconds < 300


def test_the_time_for_an_answer_grows_with_its_size_and_no_faster(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.mkdir()
    large.mkdir()
    quick = meet("megabytes-5", small).work
    slow = meet("megabytes-40", large).work
    # Eight times the size; with mcp's own reader it took more than fifty times as long.
    assert slow < 16 * quick


def test_9_a_session_may_be_closed_from_any_task_and_in_any_order(tmp_path: Path) -> None:
    async def main() -> list[Any]:
        options = hazards.settings("honest", tmp_path).servers["one"]
        sessions = [Session(f"s{n}", options, {}, tmp_path / f"log{n}") for n in range(3)]
        await asyncio.gather(*(session.open() for session in sessions))
        answers = [await s.call("gene_getter", {"gene": "APC"}) for s in sessions]
        for opened in sessions:
            await asyncio.create_task(opened.close())
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return answers

    answers = asyncio.run(main())
    assert [answer["text"] for answer in answers] == [RECORD] * 3
    assert processes(tmp_path) == []


JOB = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import hazards
from intogen_agent.provenance.journal import Journal

async def main(folder):
    with Journal(folder / "journal.jsonl") as journal:
        async with hazards.toolbox(sys.argv[3], folder, journal) as tools:
            print((await hazards.gene(tools)).kind, flush=True)
            await asyncio.sleep(600)

asyncio.run(main(Path(sys.argv[2])))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["term", "kill"])
@pytest.mark.parametrize("habit", ["honest", "has-children", "ignores-all"])
def test_12_a_killed_job_leaves_no_server_behind(
    tmp_path: Path, habit: str, number: signal.Signals
) -> None:
    here = str(Path(__file__).parent)
    job = subprocess.Popen(
        [sys.executable, "-c", JOB, here, str(tmp_path), habit], stdout=subprocess.PIPE, text=True
    )
    assert job.stdout is not None
    assert job.stdout.readline() == "content\n"
    count = len(processes(tmp_path))
    assert count >= (3 if habit == "honest" else 5)  # the job, the supervisor, the server, ...
    job.send_signal(number)
    job.wait(60)
    job.stdout.close()
    assert gone(tmp_path) == []


def test_12_a_job_that_is_killed_while_its_server_starts_leaves_none_behind(
    tmp_path: Path,
) -> None:
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", JOB, here, str(tmp_path), "hangs-in-initialize"]
    job = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not (tmp_path / "started").exists() and time.monotonic() < end:
        assert job.poll() is None
        gone(tmp_path, 0)
    job.kill()
    job.wait(60)
    assert gone(tmp_path) == []


def test_17_proxies_and_certificates_reach_a_server_and_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = {
        "HTTPS_PROXY": "http://proxy.test:3128",
        "https_proxy": "http://proxy.test:3128",
        "NO_PROXY": "localhost",
        "SSL_CERT_FILE": "/etc/ca.pem",
        "NODE_EXTRA_CA_CERTS": "/etc/ca.pem",
        "NCBI_API_KEY": "0123456789",
    }
    for name, value in {**passed, "OPENAI_API_KEY": "sk-other"}.items():
        monkeypatch.setenv(name, value)
    options = {"env": ["NCBI_API_KEY"], "set_env": {"BASE": "http://here"}}
    answer = meet("tells-environment", tmp_path, **options).answer
    assert answer is not None
    found = json.loads(answer.text.removeprefix(RECORD))
    assert {name: found.get(name) for name in passed} == {**passed, "NCBI_API_KEY": "[key]"}
    assert found["BASE"] == "http://here" and "OPENAI_API_KEY" not in found


@pytest.mark.parametrize("habit", ["strange-schema", "schema-without-properties", "many-tools"])
def test_20_to_22_what_a_model_is_offered_is_what_its_server_takes(
    tmp_path: Path, habit: str
) -> None:
    offers: list[dict[str, Any]] = []

    async def look(tools: Toolbox) -> ToolAnswer:
        offers.extend(tools.offer(LogicalTool.GENE_RECORD))
        return await gene(tools)

    meet(habit, tmp_path, look)
    [offer] = offers
    parameters = offer["function"]["parameters"]
    assert parameters["type"] == "object" and isinstance(parameters["properties"], dict)
    told = json.dumps(parameters)
    assert not any(word in told for word in ("$ref", "format", "minLength", "pattern"))


def test_22_a_long_name_comes_back_from_the_form_that_models_get(tmp_path: Path) -> None:
    async def as_a_model(tools: Toolbox) -> ToolAnswer:
        [offer] = tools.offer(LogicalTool.GENE_RECORD)
        sent = wire_name(offer["function"]["name"])
        assert len(sent) <= 64 < len(LONG_NAME) == len(offer["function"]["name"])
        return await tools.call(original_name(sent, [LONG_NAME]), {"gene": "APC"}, None)

    assert meet("long-name", tmp_path, as_a_model, tool=LONG_NAME).verdict == "answers"
