"""A run is made again from its configuration snapshot alone."""

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.workflow.finished_run import Trial

pytestmark = pytest.mark.workflow
PAIR = "results/APC/COADREAD"


def snapshot_of(trial: Trial) -> Path:
    """Return the snapshot that a pair's provenance names."""
    text = (trial.directory / PAIR / "provenance.json").read_text()
    return trial.results / str(json.loads(text)["config"])


def again(finished: Trial, folder: Path) -> tuple[Trial, subprocess.CompletedProcess[str]]:
    """Make a pair's report in an empty directory, from nothing but the snapshot."""
    folder.mkdir()
    trial = Trial(finished.clone, folder, yaml.safe_load(snapshot_of(finished).read_text()))
    return trial, trial.run("--", f"{PAIR}/report.json")


def test_a_run_is_made_again_from_its_snapshot_alone(finished: Trial, tmp_path: Path) -> None:
    trial, done = again(finished, tmp_path / "again")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "NOTE" not in done.stderr
    name = f"{PAIR}/report.json"
    assert (trial.directory / name).read_bytes() == (finished.directory / name).read_bytes()
    # The fingerprints of the evidence, and so all that it was made under, are in the report.
    assert [path.name for path in (trial.results / "_run/config").iterdir()] == [
        snapshot_of(finished).name
    ]


def test_the_snapshot_says_what_the_run_found(finished: Trial) -> None:
    found = yaml.safe_load(snapshot_of(finished).read_text())["made_under"]["found"]
    [store] = (finished.results / "_run" / "store").glob("*.sqlite")
    [digest] = found["store"]
    assert store.stem.removeprefix("evidence-") == digest[:12]
    [server] = found["servers"]["store"]["calls_itself"]
    assert server.startswith("intogen-evidence-store ")
    assert found["tools"] == {
        name: ["store"]
        for name in ("article_getter", "article_searcher", "gene_getter", "search_by_gene")
    }
    assert found["routing"]["phase1"] == {
        "gene_record": ["store/gene_getter"],
        "protein_record": ["store/search_by_gene"],
    }
    [(model, kept)] = found["models"].items()
    assert model == "offline/offline-extractive-1"
    profile = json.loads((finished.results / kept["file"]).read_text())["profile"]
    assert kept["profile"] == profile
    assert "raw tool results" in found["pruned"]


def test_the_record_of_a_journey_names_every_call_and_loop(finished: Trial) -> None:
    record = json.loads((finished.directory / PAIR / "provenance.json").read_text())
    assert [phase["stage"] for phase in record["phases"]] == [
        "phase1", "phase2", "report", "critique", "summary"
    ]  # fmt: skip
    assert all(phase["started"] < phase["ended"] for phase in record["phases"])
    assert record["critic_iterations"] >= 1 and record["style_iterations"] >= 1
    assert record["refinement_used_tools"] is False
    kinds = {call["kind"] for call in record["calls"]}
    assert kinds == {"llm", "tool", "list"}
    for call in record["calls"]:
        assert call["started"] and call["seconds"] >= 0 and call["to"]
        assert (call["arguments"] is not None) == (call["kind"] == "tool")
        assert (call["input_tokens"] is not None) == (call["kind"] == "llm")
        assert call["replayed_from"] is None
