"""A stage does not begin, and writes nothing, under other instructions or options than planned."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.samples import apc_task

from intogen_agent import prompts
from intogen_agent.cohort.handover import task_text
from intogen_agent.config import planned, stages
from intogen_agent.config.load import load_settings
from intogen_agent.config.roles import Role
from intogen_agent.errors import UserError
from intogen_agent.failure import FAILURE
from intogen_agent.jobs import Job, Run, make_job, run_stage
from intogen_agent.models import Stage
from intogen_agent.provenance.recorder import Performed
from intogen_agent.store.build import build_store

TASK = apc_task(origin="user")


@pytest.fixture(autouse=True)
def instructions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the instructions, to edit; and no plan of another test's."""
    monkeypatch.setenv(planned.VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    folder = shutil.copytree(prompts.prompt_folder(), tmp_path / "prompts")
    for module in (prompts, planned):
        monkeypatch.setattr(module, "prompt_folder", lambda: folder)
    return folder


def edit(folder: Path, role: Role) -> None:
    path = folder / f"{role.value}.md"
    path.write_text(path.read_text() + "\nBe brief.\n")


def job(
    stage: Stage, lines: list[str], store: Path | None = None, config: Mapping[str, Any] = {}
) -> Job:
    folder = Path("results/APC/COADREAD")
    return make_job(stage, config, task_text(TASK), lines, folder, store, Path("logs/stage.log"))


def settings_of(stage: Stage, store: str | None = None, **config: Any) -> list[str]:
    return stages.stage_settings(load_settings(config), stage, store)


def run(job: Job, act: Callable[[], None] = lambda: None) -> tuple[int, list[str]]:
    """Run a stage that asks one question; return the exit code and what was asked."""
    asked: list[str] = []

    async def answer(_: str) -> Performed:
        asked.append("q")
        return Performed("yes", True)

    async def function(run: Run) -> Mapping[Path, Any]:
        await run.recorder.call("tool", {"q": 1}, answer)
        act()
        return {job.folder / "out.json": {}}

    return run_stage(job, function, Path("logs/stage.log")), asked


def failure() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("results/APC/COADREAD", FAILURE).read_text())
    return found


def test_an_edited_instruction_ends_the_stage_before_anything_is_asked(instructions: Path) -> None:
    lines = settings_of(Stage.CRITIQUE)
    edit(instructions, Role.REFINER)
    assert run(job(Stage.CRITIQUE, lines)) == (1, [])
    assert failure()["error"] == "changed"
    path = instructions / "refiner.md"
    assert failure()["message"] == (
        f"{path} was edited since this run was planned: start the run again"
    )
    assert not Path("results/APC/COADREAD/out.json").exists()
    assert run(job(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))) == (0, ["q"])
    assert not Path("results/APC/COADREAD", FAILURE).exists()


def test_an_instruction_of_another_stage_does_not_matter(instructions: Path) -> None:
    lines = settings_of(Stage.REPORT)
    edit(instructions, Role.REFINER)
    assert run(job(Stage.REPORT, lines)) == (0, ["q"])


def test_an_instruction_edited_while_the_stage_runs_leaves_no_result(instructions: Path) -> None:
    made = job(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))
    assert run(made, lambda: edit(instructions, Role.REPAIRER)) == (1, ["q"])
    assert "repairer.md was edited" in failure()["message"]
    assert not Path("results/APC/COADREAD/out.json").exists()
    # What was answered is on record.
    assert run(job(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))) == (0, [])


def plan_of(stage: Stage, lines: list[str]) -> None:
    every = {each: settings_of(each) for each in Stage} | {stage: lines}
    plan = planned.Planned(stages=every, made_under={"commit": None})
    planned.hand_over(Path("results"), plan)


def test_a_job_that_read_everything_anew_is_held_to_the_plan(instructions: Path) -> None:
    # On another node Snakemake reads files when the job starts: its parameter is the new one.
    plan_of(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))
    edit(instructions, Role.REFINER)
    assert run(job(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))) == (1, [])
    assert "refiner.md was edited" in failure()["message"]


def test_an_option_edited_in_the_configuration_file_is_named() -> None:
    plan_of(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))
    changed: dict[str, Any] = {"review": {"max_iterations": 2}}
    made = job(Stage.CRITIQUE, settings_of(Stage.CRITIQUE, **changed), config=changed)
    assert run(made) == (1, [])
    assert "the option review.max_iterations was 3 and is 2" in failure()["message"]


def test_a_file_restored_between_two_looks_does_not_pass(instructions: Path) -> None:
    lines = settings_of(Stage.CRITIQUE)
    plan_of(Stage.CRITIQUE, lines)
    path = instructions / "refiner.md"
    text = path.read_text()
    edit(instructions, Role.REFINER)
    made = job(Stage.CRITIQUE, settings_of(Stage.CRITIQUE))
    path.write_text(text)
    assert run(made) == (1, [])
    assert failure()["message"].startswith("a file or an option was edited")


def test_a_store_that_was_exchanged_is_found(root: Path, tmp_path: Path) -> None:
    records = shutil.copytree(root / "config" / "demo" / "evidence", tmp_path / "records")
    types = root / "config" / "cancer_types.tsv"
    store = tmp_path / "my.sqlite"
    known = build_store(records, store, types).digest[:16]
    lines = settings_of(Stage.PHASE2, known)
    assert run(job(Stage.PHASE2, lines, store)) == (0, ["q"])
    store.unlink()
    with (records / "articles.jsonl").open("a") as handle:
        handle.write("\n")
    build_store(records, store, types)
    assert run(job(Stage.PHASE2, lines, store))[0] == 1
    assert "the evidence store" in failure()["message"]


def test_a_lost_plan_leaves_what_snakemake_hands_over(
    instructions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(planned.VARIABLE)
    lines = settings_of(Stage.CRITIQUE)
    assert job(Stage.CRITIQUE, lines).planned == tuple(lines)


def test_an_instruction_that_was_removed_is_named(instructions: Path) -> None:
    lines = settings_of(Stage.CRITIQUE)
    (instructions / "refiner.md").unlink()
    with pytest.raises(UserError, match="restore it"):
        settings_of(Stage.CRITIQUE)
    assert run(job(Stage.CRITIQUE, lines)) == (1, [])
    assert "no such prompt file" in failure()["message"]
