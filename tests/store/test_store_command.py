"""The commands `store build` and `store search`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from intogen_agent.cli import main
from intogen_agent.cli.store import _CANCER_TYPES


def run(*arguments: object) -> int:
    return main(["store", *map(str, arguments)])


def test_a_store_is_built_and_searched(
    write: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, store = write(), tmp_path / "x.store"
    types = folder / "types.tsv"
    assert run("build", folder, store, "--cancer-types", types, "--as-of", "2026-01-31") == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{store}: built; records " in told.err
    assert run("build", folder, store, "--cancer-types", types, "--as-of", "2026-01-31") == 0
    assert "was there already, with the same content" in capsys.readouterr().err
    assert run("search", store, "--gene", "APC", "--disease", "colorectal cancer") == 0
    assert capsys.readouterr().out == (
        "pmid\tyear\tjournal\ttitle\tscore\n"
        "101\t2001\tJ Test\tAPC in colorectal cancer\t17\n"
        "102\t2010\tJ Test\tA title\t2\n"
    )


def test_options_may_be_repeated_and_limited(
    build: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    store = build()
    options = ("--gene", "APC", "--gene", "TTN", "--keyword", "spindle", "--limit", "1")
    assert run("search", store, *options) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["103\t2001\tJ Test\tA title\t11"]


def test_no_hit_is_a_table_without_rows(
    build: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("search", build(), "--gene", "NOPE") == 0
    assert capsys.readouterr().out == "pmid\tyear\tjournal\ttitle\tscore\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["search", "none.store", "--gene", "APC"], "none.store: cannot be read"),
        (["search", "x.store"], "needs a gene, a disease or a keyword"),
        (["search", "x.store", "--gene", "APC", "--limit", "0"], "--limit 0: must be at least 1"),
        (["build", "none", "y.store"], "genes.jsonl: cannot be read"),
        (["build", "records", "x.store"], "x.store: holds another store"),
        (["build", "records", "y.store", "--as-of", "now"], "--as-of 'now': not a day"),
        (["build", "records", "y.store", "--cancer-types", "none.tsv"], "none.tsv: cannot be read"),
    ],
)
def test_bad_input_is_one_line(
    build: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    build()
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("ERROR: ")
    assert told in error
    assert error.count("\n") == 1
    assert not (tmp_path / "y.store").exists()


def test_the_repositorys_own_table_is_the_default(root: Path) -> None:
    assert root / "config" / "cancer_types.tsv" == _CANCER_TYPES
