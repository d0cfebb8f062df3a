"""All checks of a run, at the same time, printed in a fixed order."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

from intogen_agent.preflight.finding import Finding, failed, ok
from intogen_agent.preflight.models import check_provider, providers
from intogen_agent.preflight.places import check_results, check_store, temporary
from intogen_agent.preflight.scene import Scene
from intogen_agent.preflight.servers import check_servers
from intogen_agent.preflight.slurm import check_slurm
from intogen_agent.workflow import Plan

Say = Callable[[str], None]


def check(
    plan: Plan,
    say: Say,
    *,
    seconds: float,
    executor: str | None = None,
    resources: Mapping[str, str] | None = None,
) -> int:
    """Check what a run needs, a line for each check.

    Args:
        plan: The run.
        say: Takes the lines.
        seconds: Deadline of all checks, which are made at the same time.
        executor: Snakemake's executor; None: jobs run on this machine.
        resources: The profile's default resources.

    Returns:
        The exit code: 0, or 1 if a check failed.
    """
    return asyncio.run(_check(plan, say, seconds, executor, resources or {}))


async def _check(
    plan: Plan, say: Say, seconds: float, executor: str | None, resources: Mapping[str, str]
) -> int:
    with temporary() as folder:
        results = await check_results(plan)
        run = Path(folder) if results.failed else plan.settings.results / "_run"
        scene = Scene(plan, seconds, run, executor, resources)
        found = [_cohort(plan), results]
        for finding in found:
            say(finding.line())
        async for finding in _all(scene, Path(folder)):
            say(finding.line())
            found.append(finding)
    if scene.asked.questions:
        say(f"Models were asked {scene.asked.text()}.")
    bad = sum(finding.failed for finding in found)
    say(f"{bad} of {len(found)} checks FAILED." if bad else f"All {len(found)} checks are ok.")
    return 1 if bad else 0


def _cohort(plan: Plan) -> Finding:
    cohort, about = plan.cohort, "configuration"
    pan = sum(task.task == "pan-cancer" for task in cohort.tasks)
    genes = len({task.gene for task in cohort.tasks})
    dropped = f", {len(cohort.dropped):,} rows dropped" if cohort.dropped else ""
    pairs = len(cohort.tasks) - pan
    unnamed = sum(not task.cancer_name for task in cohort.tasks)
    if unnamed == len(cohort.tasks):
        remedy = "give their codes in cancer_types.extra"
        return failed(about, "no cancer type of the table is known", remedy)
    note = f"; {unnamed:,} pairs of unknown cancer types would fail" if unnamed else ""
    told = f"{pairs:,} pairs and {pan:,} pan-cancer tasks of {genes:,} genes"
    return ok(about, told + dropped + note)


async def _all(scene: Scene, folder: Path) -> AsyncIterator[Finding]:
    """Make the checks at the same time and yield what they find, each group when it is there."""
    ready: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    used = providers(scene.settings.llm)
    async with asyncio.TaskGroup() as group:
        groups = [
            group.create_task(check_store(scene, ready, folder)),
            *(
                group.create_task(check_provider(scene, name, models))
                for name, models in used.items()
            ),
            group.create_task(check_servers(scene, ready)),
            group.create_task(check_slurm(scene)),
        ]
        for task in groups:
            for finding in await task:
                yield finding
