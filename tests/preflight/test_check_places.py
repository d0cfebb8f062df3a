"""What `intogen-agent check` says of servers, the store and the folder of results."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from preflight_bench import RAW, TOOLS, Bench, tiny

from intogen_agent.preflight.servers import query_arguments

STORE_SERVER = ["{python}", "-m", "intogen_agent", "serve-store", "--store", "{store}"]
SEARCH = ("genes", "gene", "keywords")


def test_the_store_is_read_and_its_server_answers(bench: Bench) -> None:
    bench.servers(store=STORE_SERVER)
    said = bench.check()
    state, told = said.states["store"]
    assert state == "ok" and "232 articles, read through" in told and "digest 2e2c732c0dbd" in told
    state, told = said.states["server store"]
    assert state == "ok" and told.startswith("intogen-evidence-store ")
    assert "gene_record for TP53: " in told and "article_search for TP53: " in told
    tools = "article_search (store), article_fetch (store)"
    assert said.states["tools of phase2"] == ("ok", tools)


def test_a_store_that_is_to_be_built_is_tried(bench: Bench) -> None:
    bench.servers(store=STORE_SERVER)
    del bench.config["store"]
    said = bench.check()
    told = said.states["store"][1]
    assert told.startswith("built when the run starts; tried: 232 articles in ")
    assert said.states["server store"][0] == "ok"
    assert list(Path("results").rglob("*.sqlite")) == []


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def scramble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20000] = b"\xff" * 20000
    path.write_bytes(data)


def foreign(path: Path) -> None:
    path.write_text("not a store")


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (cut, "copy it again"),
        (scramble, "damaged"),
        (foreign, "not a store; build one with `intogen-agent store build`"),
        (Path.unlink, "cannot be read (No such file or directory); build one"),
    ],
    ids=["cut", "scrambled", "foreign", "missing"],
)
def test_a_broken_store_is_named(bench: Bench, demo_store: Path, harm: object, told: str) -> None:
    path = Path("own.sqlite")
    shutil.copy(demo_store, path)
    harm(path)  # type: ignore[operator]
    bench.config["store"] = {"path": str(path)}
    bench.servers(store=STORE_SERVER)
    said = bench.check()
    assert said.code == 1 and said.states["store"][0] == "FAILED"
    assert told in said.states["store"][1]
    assert said.states["server store"] == ("skipped", "not started, its store cannot be used")
    assert said.states["tools of phase1"][0] == "skipped"


def test_records_that_are_missing_or_broken(bench: Bench) -> None:
    bench.servers(store=STORE_SERVER)
    bench.config["store"] = {"records": "nowhere"}
    assert "store.records: cannot read" in bench.check().states["store"][1]
    folder = Path("records")
    folder.mkdir()
    for name in ("genes", "proteins", "articles"):
        (folder / f"{name}.jsonl").write_text("{]\n")
    bench.config["store"] = {"records": "records"}
    state, told = bench.check().states["store"]
    assert state == "FAILED" and "line 1" in told


def test_a_server_that_is_not_installed(bench: Bench) -> None:
    bench.servers(own=["no-such-server", "run"])
    said = bench.check()
    state, told = said.states["server own"]
    assert (said.code, state) == (1, "FAILED")
    assert "no-such-server" in told and "install it, or set mcp.servers.own.command" in told
    assert said.states["tools of phase1"] == (
        "skipped",
        "not known, a server of mcp.phase1 cannot be used",
    )


@pytest.mark.parametrize("habit", ["dies-in-initialize", "refuses-initialize", "nonsense-list"])
def test_a_server_that_does_not_come_up(bench: Bench, habit: str) -> None:
    bench.servers(own=["{python}", "-S", str(RAW), habit])
    state, told = bench.check().states["server own"]
    assert state == "FAILED" and "mcp-own.log" in told


@pytest.mark.parametrize("habit", ["hangs-in-initialize", "hangs-in-list"])
def test_a_server_that_hangs_ends_with_the_deadline(bench: Bench, habit: str) -> None:
    bench.servers(own=["{python}", "-S", str(RAW), habit])
    state, told = bench.check("--seconds", "1").states["server own"]
    assert state == "FAILED" and re.match(r"no answer within 0\.\d+ s; see ", told)


def test_a_tool_that_no_server_has_is_named(bench: Bench) -> None:
    bench.servers(own=tiny("record", *TOOLS[:1], *TOOLS[2:]))
    said = bench.check()
    assert said.states["server own"][0] == "ok"
    assert said.states["tools of phase1"] == (
        "FAILED",
        "no server of own has protein_record; add a server that has it to mcp.phase1, or name a "
        "server's own tool under mcp.servers.<name>.tools",
    )
    assert said.states["tools of phase2"][0] == "ok"


def test_two_servers_share_the_tools(bench: Bench) -> None:
    bench.servers(one=tiny("record", *TOOLS[:1]), two=tiny("record", *TOOLS[1:]))
    said = bench.check()
    assert said.states["tools of phase1"] == ("ok", "gene_record (one), protein_record (two)")
    assert "gene_record for TP53: " in said.states["server one"][1]
    assert "protein_record for TP53: " in said.states["server two"][1]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("empty", "it found nothing"),
        ("outage", "an empty list may hide an outage"),
        ("page", "upstream: <html>Sign in</html>"),
        ("prose", "the answer holds no gene record"),
    ],
)
def test_a_server_whose_answers_hold_nothing(bench: Bench, answer: str, told: str) -> None:
    bench.servers(own=tiny(answer))
    state, said = bench.check().states["server own"]
    assert state == "FAILED" and told in said and "are the variables in env set?" in said


def test_a_server_for_a_few_genes_is_asked_for_one_of_the_run(bench: Bench) -> None:
    bench.servers(own=tiny("only-apc"))
    state, said = bench.check().states["server own"]
    assert state == "ok" and "gene_record for APC: " in said


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"genes": {"type": "array", "items": {"type": "string"}}}, {"genes": ["TP53"]}),
        ({"genes": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, {"genes": "TP53"}),
        ({"keywords": {"type": "string"}, "gene": {"type": "string"}}, {"gene": "TP53"}),
        ({"entity": {"type": "string"}}, None),
        ({"gene": {"type": "integer"}}, None),
        ("nonsense", None),
    ],
    ids=["list", "text", "best-name", "unknown-name", "number", "nonsense"],
)
def test_arguments_for_a_query_come_from_the_schema(properties: object, expected: object) -> None:
    schema = {"type": "object", "properties": properties}
    assert query_arguments(schema, SEARCH, "TP53") == expected


def test_results_are_left_as_they_were(bench: Bench) -> None:
    said = bench.check()
    assert said.states["results results"][0] == "ok"
    assert "locks work" in said.states["results results"][1]
    assert [path.name for path in Path("results").iterdir()] == ["_run"]
    assert list(Path("results/_run").glob(".check*")) == []


def test_results_that_are_a_file(bench: Bench) -> None:
    Path("results").write_text("")
    said = bench.check()
    assert said.states["results results"][0] == "FAILED"
    assert "set results to a folder that you may write" in said.states["results results"][1]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(command).returncode != 0:
        pytest.skip("only root can mount a small file system")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk(bench: Bench, small_disk: Path) -> None:
    with (small_disk / "filler").open("wb") as handle, pytest.raises(OSError, match="space"):
        while handle.write(b"x" * 65536):
            handle.flush()
    bench.config["results"] = str(small_disk / "results")
    said = bench.check()
    state, told = said.states[f"results {small_disk}/results"]
    assert (said.code, state) == (1, "FAILED")
    assert told == (
        "cannot be written (No space left on device); make room or set results to a folder that "
        "you may write"
    )
    assert said.states["server tiny"][0] == "ok"


def test_a_disk_that_is_too_small(bench: Bench, small_disk: Path) -> None:
    bench.config["results"] = str(small_disk / "results")
    state, told = bench.check().states[f"results {small_disk}/results"]
    assert state == "FAILED" and "20 pairs may need 20 MB; make room" in told


def test_a_read_only_file_system(bench: Bench, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    bench.config["results"] = str(small_disk / "results")
    state, told = bench.check().states[f"results {small_disk}/results"]
    assert state == "FAILED" and told.startswith("cannot be written (Read-only file system)")
