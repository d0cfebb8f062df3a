"""Check before a run that everything it needs is there, and say what to do where it is not.

Looks at the configuration and the cohort, keys, hosts, the models' servers, every model (it must
answer in an asked-for shape and call a tool), the MCP servers, the evidence store, the folder of
results and Slurm. One line each: ok, or FAILED and what to do. It takes less than 30 s and a few
hundred tokens for each model. What is found of models is kept for the run.

Give it the options that you will give to Snakemake.

Exit code: 0 all is well, 1 something failed, 2 the configuration cannot be used.

    intogen-agent check --profile profiles/slurm --configfile my.yaml
    intogen-agent check --profile profiles/slurm --configfile my.yaml --on-cluster
"""

import argparse
import os
from pathlib import Path

from intogen_agent.cli.options import add_configfile
from intogen_agent.config.places import checkout
from intogen_agent.delivery.scope import default_config, merged_config
from intogen_agent.errors import UserError
from intogen_agent.preflight.profiles import Started, started_with
from intogen_agent.preflight.scene import SECONDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_configfile(parser)
    parser.add_argument(
        "--config",
        nargs="+",
        action="extend",
        default=[],
        metavar="KEY=VALUE",
        help="single options, merged over the files",
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="DIR",
        help="the run's Snakemake profile: its configuration, executor, account and partition",
    )
    parser.add_argument(
        "--directory", type=Path, metavar="DIR", help="the run's working directory (the present)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        metavar="N",
        help="deadline of the checks, which are made at the same time (%(default)g)",
    )
    parser.add_argument(
        "--on-cluster", action="store_true", help="check from inside one Slurm job (srun)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check and print.

    Raises:
        UserError: The options or the configuration cannot be used.
    """
    if not 0 < arguments.seconds < float("inf"):
        raise UserError(f"--seconds {arguments.seconds:g}: give a number of seconds above 0")
    profiles = arguments.profile or os.environ.get("SNAKEMAKE_PROFILE", "").split(",")
    profiles = [str(_absolute(name)) for name in profiles if name]
    root = checkout()
    started = started_with(profiles, arguments.configfile, arguments.config, root)
    if arguments.on_cluster:
        from intogen_agent.preflight.slurm import in_a_job

        return in_a_job(_again(arguments, profiles, started), started.resources)
    config = merged_config([default_config(), *started.configfiles], started.over())
    _enter(arguments.directory)
    from intogen_agent.preflight.run import check
    from intogen_agent.workflow import plan

    planned = plan(config, root, surroundings=False)
    return check(
        planned,
        lambda line: print(line, flush=True),
        seconds=arguments.seconds,
        executor=started.executor,
        resources=started.resources,
    )


def _absolute(profile: str) -> Path | str:
    """Return a profile that is found here so that it is found elsewhere; a name stays a name."""
    return Path(profile).absolute() if Path(profile).exists() else profile


def _again(arguments: argparse.Namespace, profiles: list[str], started: Started) -> list[str]:
    """Return the arguments of the same check, whatever the working directory is."""
    words = [f"--seconds={arguments.seconds:g}"]
    words += [f"--profile={name}" for name in profiles]
    if arguments.configfile:
        words += ["--configfile", *map(str, started.configfiles)]
    if arguments.config:
        words += ["--config", *arguments.config]
    return [*words, f"--directory={(arguments.directory or Path()).absolute()}"]


def _enter(directory: Path | None) -> None:
    """Change to the run's working directory, which Snakemake would make."""
    if directory is None:
        return
    try:
        directory.mkdir(parents=True, exist_ok=True)
        os.chdir(directory)
    except OSError as error:
        raise UserError(
            f"--directory {directory}: cannot be used ({error.strerror}); name another one"
        ) from None
