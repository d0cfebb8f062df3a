"""The effective values of each documented command."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.workflow.conftest import ROOT

TRIGGERS = {"mtime", "params", "input"}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Snakemake's own reading of a command line, in the repository."""
    from snakemake.cli import parse_args

    monkeypatch.chdir(ROOT)
    return lambda *words: parse_args(list(words))[1]


@pytest.mark.parametrize("profile", [None, "local", "demo", "serial", "slurm", "slurm-allocation"])
def test_what_is_true_everywhere_holds_under_every_profile(
    parsed: Any, profile: str | None
) -> None:
    args = parsed(*(["--profile", f"profiles/{profile}"] if profile else []))
    assert {str(trigger).lower().split(".")[-1] for trigger in args.rerun_triggers} == TRIGGERS
    assert args.keep_going is True
    assert args.rerun_incomplete is True


def slots(args: Any) -> dict[str, int]:
    return {name: int(resource.value) for name, resource in args.resources.items()}


def all_slots(number: int) -> dict[str, int]:
    return dict.fromkeys(["llm_slots", "gene_slots", "protein_slots", "literature_slots"], number)


def test_local(parsed: Any) -> None:
    args = parsed("--profile", "profiles/local")
    assert (args.cores, args.executor, args.retries) == (8, None, 0)
    assert slots(args) == all_slots(8)


def test_demo(parsed: Any) -> None:
    args = parsed("--profile", "profiles/demo")
    assert (args.cores, slots(args), args.executor) == (4, {"llm_slots": 4}, None)
    [configfile] = args.configfile
    assert Path(os.path.normpath(configfile)) == Path("config/demo/config.yaml")


def test_serial(parsed: Any) -> None:
    args = parsed("--profile", "profiles/serial")
    assert (args.cores, args.executor, args.retries) == (1, None, 0)
    assert slots(args) == all_slots(1)
    assert (args.printshellcmds, args.show_failed_logs) == (True, True)


def test_slurm(parsed: Any) -> None:
    args = parsed("--profile", "profiles/slurm")
    assert (args.executor, args.jobs) == ("slurm", 100)
    assert slots(args) == all_slots(50)
    assert (args.retries, args.latency_wait) == (1, 60)
    assert args.slurm_status_command == "squeue"
    assert args.slurm_requeue is True
    assert {"mem_mb=1000 * attempt", "runtime=60 * attempt"} <= set(args.default_resources.args)


def test_slurm_allocation(parsed: Any) -> None:
    args = parsed("--profile", "profiles/slurm-allocation")
    assert (args.executor, args.cores, args.retries) == (None, 64, 1)
    assert slots(args) == all_slots(64)


def test_slots_of_the_command_line_replace_all_of_a_profile(parsed: Any) -> None:
    args = parsed("--profile", "profiles/slurm", "--resources", "llm_slots=3")
    assert slots(args) == {"llm_slots": 3}


def lines_of(path: Path) -> set[str]:
    """Return the keys of a profile, those of its parts with the part's name before them."""
    keys: set[str] = set()
    for key, value in yaml.safe_load(path.read_text()).items():
        keys |= {f"{key}: {inner}" for inner in value} if isinstance(value, dict) else {key}
    return keys


@pytest.mark.parametrize("profile", ["slurm", "slurm-allocation"])
def test_every_line_of_a_cluster_profile_is_explained(profile: str) -> None:
    page = (ROOT / "docs" / "cluster.md").read_text()
    lines = lines_of(ROOT / "profiles" / profile / "profile.yaml")
    assert [line for line in sorted(lines) if f"`{line}" not in page] == []


def test_every_line_for_slurm_is_explained() -> None:
    page = (ROOT / "docs" / "cluster.md").read_text()
    text = (ROOT / "profiles/slurm-allocation/run.sbatch").read_text()
    options = re.findall(r"^#+SBATCH (--[a-z-]+)", text, flags=re.MULTILINE)
    assert len(options) > 8
    assert [option for option in options if f"`{option}" not in page] == []


def test_values_of_the_command_line_win_over_a_profile(parsed: Any) -> None:
    assert parsed("--profile", "profiles/local", "--cores", "2").cores == 2
