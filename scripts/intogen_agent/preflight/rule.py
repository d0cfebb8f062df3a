"""The checks as a rule of the workflow: with the configuration and resources of the run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent.files import write_text
from intogen_agent.preflight.job_size import RESOURCES
from intogen_agent.preflight.run import check
from intogen_agent.preflight.scene import SECONDS
from intogen_agent.workflow import plan


def check_rule(
    config: Mapping[str, Any],
    root: Path,
    executor: str,
    resources: Mapping[str, Any],
    qos: str | None,
    log: Path,
) -> int:
    """Check what a run needs; the lines go to the terminal and to the rule's log.

    Args:
        config: Snakemake's configuration.
        root: The repository.
        executor: Snakemake's executor.
        resources: The rule's resources: the run's default ones.
        qos: The executor's QOS.
        log: The rule's log file.

    Returns:
        The exit code: 0, or 1 if a check failed.
    """
    given = {name: str(resources[name]) for name in RESOURCES if resources.get(name)}
    if qos:
        given["qos"] = qos
    lines: list[str] = []

    def say(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    planned = plan(config, root, surroundings=False)
    code = check(planned, say, seconds=SECONDS, executor=executor, resources=given)
    try:
        write_text(log, "\n".join(lines) + "\n")
    except OSError:
        # Said above: the results cannot be written.
        return 1
    return code
