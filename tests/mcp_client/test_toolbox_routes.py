"""The toolbox: which server is asked as what, what models are offered, what is put on record."""

import sys
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.errors import StageFailure
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.provenance.record import tools

LINE = [sys.executable, "-S", str(Path(__file__).with_name("servers") / "line.py")]
GENE, PROTEIN, SEARCH, FETCH, TRIALS = LogicalTool


async def names(toolbox: Toolbox) -> list[str]:
    offers = toolbox.offer(*LogicalTool)
    return [offer["function"]["name"] for offer in offers]


def run(bench: Any, act: Any, *lines: str, allowed: Any = (GENE,), **settings: Any) -> Any:
    servers = {f"s{n}": [*LINE, line] for n, line in enumerate(lines)}
    return bench.run("", act, servers=servers, allowed=allowed, tools={}, **settings)


def test_a_model_gets_the_logical_tools_of_whatever_server_answers(bench: Any) -> None:
    found = run(bench, names, "biomcp-cli", allowed=(GENE, PROTEIN))
    assert found == ["gene_record", "protein_record"]


def test_a_call_is_sent_in_the_servers_own_words_and_recorded_as_both(bench: Any) -> None:
    async def act(toolbox: Toolbox) -> ToolAnswer:
        assert toolbox.named("protein_record") is PROTEIN and toolbox.named("get") is None
        assert toolbox.has(PROTEIN) and not toolbox.has(SEARCH)
        return await toolbox.call("protein_record", {"gene": "APC", "organism": "9606"}, None)

    answer = run(bench, act, "biomcp-cli", allowed=(PROTEIN,))
    assert answer.kind == "content" and answer.asked is None
    [call] = bench.calls
    assert (call.server, call.tool, call.logical) == ("s0", "get", "protein_record")
    assert call.arguments["id"] == "APC" and call.labels == ("protein_record", "get")


def test_what_a_server_cannot_take_is_not_said_to_have_been_asked(bench: Any) -> None:
    async def act(toolbox: Toolbox) -> ToolAnswer:
        asked = {"genes": ["APC", "DP2"], "diseases": ["colon cancer"], "keywords": []}
        return await toolbox.call("article_search", asked, None)

    answer = run(bench, act, "biomcp-cli", allowed=(SEARCH,))
    assert answer.asked == {"genes": ["APC"], "diseases": ["colon cancer"]}
    assert bench.calls[0].arguments["gene"] == "APC"


def test_servers_of_a_phase_stand_in_for_each_other_in_their_order(bench: Any) -> None:
    async def act(toolbox: Toolbox) -> list[str]:
        for name in ("gene_record", "protein_record"):
            assert (await toolbox.call(name, {"gene": "APC"}, None)).kind == "content"
        return await names(toolbox)

    both = (GENE, PROTEIN)
    offered = run(bench, act, "uniprot-mcp-server", "biomcp-python", "store", allowed=both)
    assert offered == ["gene_record", "protein_record"]
    assert [(call.server, call.tool) for call in bench.calls] == [
        ("s1", "gene_getter"),
        ("s0", "uniprot_search"),
    ]
    assert tools(bench.recorder.used) == {
        "phase1": {"gene_record": "s1/gene_getter", "protein_record": "s0/uniprot_search"}
    }


def test_a_refused_call_is_on_record_and_answered_with_what_may_be_called(bench: Any) -> None:
    async def act(toolbox: Toolbox) -> list[ToolAnswer]:
        return [
            await toolbox.call("get", {"entity": "gene", "id": "APC"}, None),
            await toolbox.call("gene_record", {"symbol": "APC"}, None),
        ]

    unknown, bad = run(bench, act, "biomcp-cli")
    assert unknown.error == "there is no tool 'get'; call one of: gene_record"
    assert isinstance(bad.schema, dict) and list(bad.schema["properties"]) == ["gene"]
    assert [(call.outcome, call.logical) for call in bench.calls] == [
        ("refused", None),
        ("refused", "gene_record"),
    ]
    assert [entry["kind"] for entry in bench.recorder.used] == ["list"]


def test_a_resumed_stage_asks_no_server_for_what_it_has(bench: Any) -> None:
    async def act(toolbox: Toolbox) -> str:
        return (await toolbox.call("gene_record", {"gene": "APC"}, None)).text

    first = run(bench, act, "biomcp-cli")
    entries = len((bench.folder / "journal.jsonl").read_text().splitlines())
    assert run(bench, act, "biomcp-cli") == first
    assert len((bench.folder / "journal.jsonl").read_text().splitlines()) == entries


def test_a_server_that_only_optional_tools_want_need_not_start(bench: Any) -> None:
    dead = {"s0": [*LINE, "biomcp-python"], "s1": [sys.executable, "-c", "raise SystemExit(1)"]}
    found = bench.run("", names, servers=dead, allowed=(SEARCH,), optional=(PROTEIN,), tools={})
    assert found == ["article_search"]
    with pytest.raises(StageFailure, match="s1"):
        bench.run("", names, servers=dead, allowed=(SEARCH, PROTEIN), tools={})


def test_an_optional_tool_of_a_server_that_is_gone_is_a_failed_call(bench: Any) -> None:
    mark = bench.folder / "gone"
    program = bench.folder / "server.py"
    program.write_text(
        f"import pathlib, runpy, sys\nif pathlib.Path({str(mark)!r}).exists():\n    sys.exit(1)\n"
        "sys.argv = ['line.py', 'biomcp-python']\n"
        f"runpy.run_path({LINE[2]!r}, run_name='__main__')\n"
    )
    servers = {"s0": [sys.executable, "-S", str(program)]}

    async def act(toolbox: Toolbox) -> ToolAnswer:
        return await toolbox.call("trial_search", {"genes": ["APC"]}, None)

    found = {"servers": servers, "allowed": (SEARCH,), "optional": (TRIALS,), "tools": {}}
    assert bench.run("", names, **found) == ["article_search", "trial_search"]
    # The list is on record; the server does not start any more.
    mark.touch()
    answer = bench.run("", act, **found)
    assert answer.kind == "failed" and answer.error.startswith("transport")
