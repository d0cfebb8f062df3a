"""Files that are edited while a run goes on: what a stage was planned from, the clone's commit."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.workflow.finished_run import Trial, copy_of, requests
from tests.workflow.test_same_run_again import snapshot_of

pytestmark = pytest.mark.workflow

PAIR = "APC/COADREAD"
TARGET = f"results/{PAIR}/provenance.json"
MODULE = """
configfile: "config.yaml"

module agent:
    snakefile: "{clone}/Snakefile"
    config: config

use rule * from agent as agent_*
"""


def when_phase2_ends(trial: Trial, code: str) -> None:
    """Let the job of phase 2 do something at its end, once."""
    path = trial.clone / "scripts" / "phase2.py"
    text = path.read_text()
    (trial.clone / "scripts" / "phase2.saved").write_text(text)
    once = f"""
if __name__ == "__main__":
    from pathlib import Path
    clone = Path({str(trial.clone)!r})
    code = main()
    (clone / "scripts" / "phase2.saved").replace(clone / "scripts" / "phase2.py")
    {code}
    sys.exit(code)
"""
    path.write_text(text[: text.index("\nif __name__")] + once)


def edited(trial: Trial) -> None:
    path = "clone / 'config' / 'prompts' / 'report_creator.md'"
    when_phase2_ends(trial, f"({path}).write_text(({path}).read_text() + '\\nBe brief.\\n')")


def to_be_made(finished: Trial, folder: Path) -> Trial:
    """Return a copy in which one pair is to be made from phase 2 on."""
    trial = copy_of(finished, folder)
    shutil.rmtree(trial.results / PAIR)
    shutil.rmtree(trial.results / "_run" / "logs" / PAIR)
    return trial


def directly(trial: Trial) -> list[str]:
    return []


def as_a_module(trial: Trial) -> list[str]:
    path = trial.directory / "Snakefile"
    path.write_text(MODULE.format(clone=trial.clone))
    return ["--snakefile", str(path)]


def from_its_snapshot(trial: Trial) -> list[str]:
    [snapshot] = (trial.results / "_run" / "config").glob("*.yaml")
    trial.config = yaml.safe_load(snapshot.read_text())
    # The snapshot names the clone it was made with.
    text = json.dumps(trial.config).replace(str(Path(trial.config["store"]["records"]).parents[2]),
                                            str(trial.clone))  # fmt: skip
    trial.config = json.loads(text)
    return []


@pytest.mark.parametrize(
    "way",
    [
        directly,
        pytest.param(as_a_module, marks=pytest.mark.long),
        pytest.param(from_its_snapshot, marks=pytest.mark.long),
    ],
)
def test_an_instruction_edited_meanwhile_ends_the_stage_that_uses_it(
    finished: Trial, tmp_path: Path, way: Callable[[Trial], list[str]]
) -> None:
    trial = to_be_made(finished, tmp_path)
    edited(trial)
    words = way(trial)
    done = trial.run(*words, "--", TARGET)
    assert done.returncode == 1
    failure = json.loads((trial.results / PAIR / "failure.json").read_text())
    assert (failure["stage"], failure["error"]) == ("report", "changed")
    instruction = trial.clone / "config" / "prompts" / "report_creator.md"
    assert failure["message"].startswith(f"{instruction} was edited since this run was planned")
    assert f"{instruction} was edited" in done.stderr
    asked = {line.split()[0] for line in requests(trial, PAIR)}
    assert "phase2" in asked and "report" not in asked

    again = trial.run(*words, "--", TARGET)
    assert again.returncode == 0, again.stderr[-3000:]
    assert not (trial.results / PAIR / "failure.json").exists()


@pytest.mark.long
def test_a_commit_in_the_middle_does_not_split_a_run_and_makes_nothing_anew(
    finished: Trial, tmp_path: Path
) -> None:
    trial = to_be_made(finished, tmp_path)
    head = trial.clone / ".git" / "HEAD"
    head.parent.mkdir()
    head.write_text("a" * 40 + "\n")
    when_phase2_ends(trial, f"(clone / '.git' / 'HEAD').write_text({'b' * 40!r})")
    done = trial.run()
    assert done.returncode == 0, done.stderr[-3000:]
    assert head.read_text() == "b" * 40
    named = yaml.safe_load(snapshot_of(trial).read_text())
    assert named["made_under"]["commit"] == "a" * 40
    assert snapshot_of(trial) != snapshot_of(finished)
    known = {path.name for path in (finished.results / "_run/config").iterdir()}
    new = [path for path in (trial.results / "_run/config").iterdir() if path.name not in known]
    assert new == [snapshot_of(trial)]
    assert trial.planned() == {}


@pytest.mark.long
def test_a_drivers_table_edited_meanwhile_makes_no_table_of_other_rows(
    finished: Trial, tmp_path: Path
) -> None:
    trial = to_be_made(finished, tmp_path)
    drivers = trial.directory / "drivers.tsv"
    when_phase2_ends(
        trial, f"Path({str(drivers)!r}).write_text(Path({str(drivers)!r}).read_text()"
        ".replace('\\t12\\t', '\\t13\\t'))",
    )  # fmt: skip
    reports = (trial.results / "reports.tsv").read_bytes()
    done = trial.run()
    assert done.returncode == 1
    assert "was edited since this run was planned: start the run again" in done.stderr
    again = trial.run()
    assert again.returncode == 0, again.stderr[-3000:]
    assert (trial.results / "reports.tsv").read_bytes() != reports
