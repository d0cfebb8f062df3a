"""The effective values of each documented command."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.conftest import ROOT

TRIGGERS = {"mtime", "params", "input"}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Snakemake's own reading of a command line, in the repository."""
    from snakemake.cli import parse_args

    monkeypatch.chdir(ROOT)
    return lambda *words: parse_args(list(words))[1]


@pytest.mark.parametrize("profile", [None, "local", "demo", "slurm"])
def test_what_is_true_everywhere_holds_under_every_profile(
    parsed: Any, profile: str | None
) -> None:
    args = parsed(*(["--profile", f"profiles/{profile}"] if profile else []))
    assert {str(trigger).lower().split(".")[-1] for trigger in args.rerun_triggers} == TRIGGERS
    assert args.keep_going is True
    assert args.rerun_incomplete is True


def slots(args: Any) -> int:
    return int(args.resources["llm_slots"].value)


def test_local(parsed: Any) -> None:
    args = parsed("--profile", "profiles/local")
    assert (args.cores, slots(args), args.executor, args.retries) == (8, 8, None, 0)


def test_demo(parsed: Any) -> None:
    args = parsed("--profile", "profiles/demo")
    assert (args.cores, slots(args), args.executor) == (4, 4, None)
    [configfile] = args.configfile
    assert Path(os.path.normpath(configfile)) == Path("config/demo/config.yaml")


def test_slurm(parsed: Any) -> None:
    args = parsed("--profile", "profiles/slurm")
    assert (args.executor, args.jobs, slots(args)) == ("slurm", 100, 50)
    assert (args.retries, args.latency_wait) == (1, 60)
    assert args.slurm_status_command == "squeue"
    assert {"mem_mb=1000", "runtime=60"} <= set(args.default_resources.args)


def test_values_of_the_command_line_win_over_a_profile(parsed: Any) -> None:
    assert parsed("--profile", "profiles/local", "--cores", "2").cores == 2
