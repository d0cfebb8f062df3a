"""What is made again after each kind of change: the table of docs/reruns.md holds."""

import json
import re
from pathlib import Path

import pytest

from tests.workflow.conftest import ROOT, jobs_of
from tests.workflow.finished_run import Trial, copy_of, requests
from tests.workflow.rerun_changes import CHANGES, instruction

STAGES = ("store", "phase1", "phase2", "report", "critique", "summary", "render", "tables")
PAIR = {"phase2": 1, "report": 1, "critique": 1, "summary": 1, "render": 1}
# Rows that need their heading to be understood.
HEADED = ("instructions", "models", "stage versions")


def documented() -> dict[str, dict[str, int]]:
    """Return the jobs of each rule by change, as the page says."""
    page = (ROOT / "docs" / "reruns.md").read_text(encoding="utf-8")
    table: dict[str, dict[str, int]] = {}
    heading = ""
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != len(STAGES) + 1 or set(cells) <= {"---", "change"}:
            continue
        name, *counts = cells
        if bold := re.fullmatch(r"\*\*(.+)\*\*", name):
            heading = bold[1]
        elif name != "change":
            name = f"{heading} {name}" if heading in HEADED else name
            table[name] = {
                rule: int(n) for rule, n in zip(STAGES, counts, strict=True) if n.isdigit()
            }
    return table


def test_every_documented_change_is_tried_and_every_tried_one_documented() -> None:
    assert list(documented()) == list(CHANGES)


@pytest.mark.workflow
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_again_what_the_page_says(
    finished: Trial, tmp_path: Path, change: str
) -> None:
    trial = copy_of(finished, tmp_path)
    CHANGES[change](trial)
    assert trial.planned() == documented()[change]


@pytest.mark.workflow
def test_a_fresh_clone_over_existing_results_runs_nothing(finished: Trial, tmp_path: Path) -> None:
    trial = copy_of(finished, tmp_path)
    CHANGES["a fresh clone over existing results, without Snakemake's metadata"](trial)
    before = {path: path.stat().st_mtime_ns for path in trial.results.glob("*/**/*.json")}
    done = trial.run()
    assert done.returncode == 0, done.stderr[-3000:]
    assert jobs_of(done.stderr) == {}
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert trial.planned() == {}


@pytest.mark.workflow
def test_stages_made_again_ask_only_what_has_changed(finished: Trial, tmp_path: Path) -> None:
    trial = copy_of(finished, tmp_path)
    before = requests(trial, "APC")
    assert len(before) > 20
    summary = (trial.results / "APC/COADREAD/summary.json").read_text()
    trial.configure({"evidence.max_turns": 7})
    instruction("style_critic")(trial)

    done = trial.run("--", "results/APC/COADREAD/provenance.json")
    assert done.returncode == 0, done.stderr[-3000:]
    assert jobs_of(done.stderr) == PAIR
    new = [line for line in requests(trial, "APC") if line not in before]
    assert len(new) == 1 and '"schema": "WireStyleCritique"' in new[0]

    calls = json.loads((trial.results / "APC/COADREAD/provenance.json").read_text())["calls"]
    asked = [call["role"] for call in calls if call["stage"] != "phase1" and not replayed(call)]
    assert asked == ["style_critic"]
    again = json.loads((trial.results / "APC/COADREAD/summary.json").read_text())
    assert again["fingerprint"] != json.loads(summary)["fingerprint"]
    assert again["summaries"] == json.loads(summary)["summaries"]
    # The other pair is still to be made.
    assert trial.planned() == {**PAIR, "tables": 1}


def replayed(call: dict[str, object]) -> bool:
    return call["replayed_from"] == "audit"
