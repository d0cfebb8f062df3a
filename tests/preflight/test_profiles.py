"""A run's configuration is read as Snakemake reads it."""

from pathlib import Path
from typing import Any

import pytest
from preflight_bench import ROOT
from snakemake.cli import parse_args
from snakemake.cli import parse_config as snakemake_config
from snakemake.settings.types import ConfigSettings

from intogen_agent.cli import main
from intogen_agent.delivery.scope import merged_config
from intogen_agent.errors import UserError
from intogen_agent.preflight.profiles import Started, started_with


def written(folder: Path, text: str, name: str = "profile.yaml") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return str(folder)


def snakemakes(*arguments: str) -> tuple[dict[str, Any], str | None]:
    """Return what Snakemake makes of a command line: what it merges over, and the executor."""
    default = str(ROOT / "profiles" / "default")
    _, args = parse_args([*arguments, "--workflow-profile", default])
    settings = ConfigSettings(
        config=snakemake_config(args.config) if args.config else {},
        configfiles=args.configfile,
    )
    return dict(settings.overwrite_config), args.executor


def ours(started: Started) -> tuple[dict[str, Any], str | None]:
    return merged_config(started.configfiles, started.over()), started.executor


@pytest.mark.parametrize("name", ["demo", "local", "slurm", "serial", "slurm-allocation"])
def test_the_shipped_profiles(name: str) -> None:
    profile = str(ROOT / "profiles" / name)
    assert ours(started_with([profile], [], [], ROOT)) == snakemakes("--profile", profile)


PROFILES = {
    "file": "configfile: a.yaml\n",
    "files": "configfile: [a.yaml, b.yaml]\n",
    "values": "config: {results: there, cohort: {pan_cancer: false}}\n",
    "texts": "config:\n  - results=there\n  - drivers=7\n",
    "numbers": 'config: {drivers: "12", results: 3.5, store: {path: null}}\n',
    "beside": "configfile: beside.yaml\nexecutor: slurm\n",
}


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("more", ["", "file", "value"])
def test_profiles_files_and_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, more: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text("results: a\nllm: {default: {model: one}}\n")
    Path("b.yaml").write_text("llm: {default: {seed: 3}}\n")
    profile = written(tmp_path / "p", PROFILES[name])
    (tmp_path / "p" / "beside.yaml").write_text("results: beside\n")
    arguments = {"file": ["--configfile", "b.yaml"], "value": ["--config", "results=x"]}
    files = [Path("b.yaml")] if more == "file" else []
    values = ["results=x"] if more == "value" else []
    started = started_with([profile], files, values, ROOT)
    assert ours(started) == snakemakes("--profile", profile, *arguments.get(more, []))


@pytest.mark.parametrize(
    "value",
    ["results=x", "a_b=1", "a_b=1.5", "a_b=True", "a_b=False", "a_b=true", "a_b=", "a_b=null",
     "a_b={c: 1, d: [x, y]}", "a_b={'c': {'d': 'e'}}", "a_b=x=y", "a_b=[1, 2]", "a_b=: :",
     "a_b='1'", "a_b='x y'"],
)  # fmt: skip
def test_single_values(value: str) -> None:
    assert Started((), (value,), None, {}).over() == snakemake_config([value])


@pytest.mark.parametrize("value", ["results", "a=1", "llm.default.model=x", "=x"])
def test_what_is_no_value_is_refused(value: str) -> None:
    with pytest.raises(UserError, match="not KEY=VALUE"):
        Started((), (value,), None, {}).over()


def test_the_newest_fitting_file_of_a_profile_counts(tmp_path: Path) -> None:
    profile = written(tmp_path / "p", "executor: one\n", "config.yaml")
    written(tmp_path / "p", "executor: slurm\n", "config.v9+.yaml")
    written(tmp_path / "p", "executor: three\n", "profile.v99+.yaml")
    assert started_with([profile], [], [], ROOT).executor == "slurm"
    assert snakemakes("--profile", profile)[1] == "slurm"


def test_a_profile_of_the_user_is_found_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    written(tmp_path / "snakemake" / "mine", "executor: slurm\n")
    assert started_with(["mine"], [], [], ROOT).executor == "slurm"


def test_account_and_partition_are_read(tmp_path: Path) -> None:
    text = (
        "slurm-qos: quick\ndefault-resources:\n"
        "  - slurm_account='lab'\n  - slurm_partition=long\n  - mem_mb=1000\n"
    )
    started = started_with([written(tmp_path / "p", text)], [], [], ROOT)
    expected = {"slurm_account": "lab", "slurm_partition": "long", "mem_mb": "1000", "qos": "quick"}
    assert started.resources == expected


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--profile", "nowhere"], "--profile nowhere: no profile.yaml or config.yaml there"),
        (["--profile", "templates"], "its templates (yte) cannot be read here"),
        (["--configfile", "nowhere.yaml"], "nowhere.yaml: no such file"),
        (["--config", "drivers"], "--config drivers: not KEY=VALUE"),
        (["--config", "drivers=nowhere.tsv"], "nowhere.tsv"),
        (["--config", "dirvers=x"], "unknown option 'dirvers'; did you mean 'drivers'?"),
        ([], "drivers: no table given"),
        (["--seconds", "0"], "--seconds 0: give a number of seconds above 0"),
        (["--directory", "file"], "--directory file: cannot be used"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_code_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "templates", "__use_yte__: true\n")
    Path("file").write_text("")
    before = sorted(Path().iterdir())
    assert main(["check", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ERROR: ") and err.count("\n") == 1 and told in err
    assert sorted(Path().iterdir()) == before
