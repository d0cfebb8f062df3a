"""The snapshot of a run's configuration."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from intogen_agent.config import snapshot as snapshots
from intogen_agent.config.load import load_settings
from intogen_agent.config.places import absolute
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import (
    add_found,
    differences,
    snapshot,
    snapshot_path,
    write_snapshot,
)
from intogen_agent.config.stages import VERSIONS
from intogen_agent.errors import UserError
from intogen_agent.models import Stage


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(snapshot_path(settings).read_text(encoding="utf-8"))
    return found


def test_the_snapshot_holds_what_a_run_was_made_under(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123456")
    found = snapshot(Settings())
    under = found["made_under"]
    assert set(under["roles"]) == set(under["prompts"]) == {role.value for role in Role}
    assert under["roles"]["summarizer"]["model"] == "offline-extractive-1"
    assert under["tools"]["phase1"] == {
        "servers": ["store"],
        "tools": ["gene_record", "protein_record"],
    }
    assert under["tools"]["phase2"]["tools"] == ["article_search", "article_fetch"]
    assert all(under["packages"][name] for name in ("python", "openai", "mcp", "pydantic"))
    assert set(under["stages"]) == {"phase1", "phase2", "report", "critique", "summary", "render"}
    assert found["evidence"]["uniprot"]["isoforms"] == 5
    assert found["llm"]["retry"]["attempts"] == 6
    assert "sk-secret" not in yaml.safe_dump(found)


def test_the_snapshot_is_a_configuration_with_the_same_options(root: Path) -> None:
    settings = load_settings({"review": {"max_iterations": 2}, "llm": {"nudges": 0}})
    write_snapshot(settings)
    assert snapshot_path(settings).parent == Path("results/_run/config")
    again = load_settings(written(settings))
    assert again == absolute(settings, root)
    assert snapshot_path(again) == snapshot_path(settings)


def test_files_are_named_by_full_paths_and_results_stay_where_they_are(
    tmp_path: Path, root: Path
) -> None:
    for name in ("drivers.tsv", "list.tsv", "types.tsv"):
        (tmp_path / name).touch()
    offline = {"base_url_file": "address", "api_key_file": "key", "base_url": None}
    found = snapshot(
        load_settings(
            {
                "drivers": ["drivers.tsv", "config/demo/drivers.tsv"],
                "cohort": {"select": {"list": "list.tsv"}},
                "cancer_types": {"table": "types.tsv"},
                "store": {"path": "my.sqlite"},
                "llm": {"providers": {"offline": offline}},
            }
        )
    )
    demo = root / "config" / "demo"
    assert found["drivers"] == [str(tmp_path / "drivers.tsv"), str(demo / "drivers.tsv")]
    assert found["cohort"]["select"]["list"] == str(tmp_path / "list.tsv")
    assert found["cancer_types"]["table"] == str(tmp_path / "types.tsv")
    assert found["store"] == {
        "path": str(tmp_path / "my.sqlite"),
        "records": str(demo / "evidence"),
    }
    provider = found["llm"]["providers"]["offline"]
    assert provider["base_url_file"] == str(tmp_path / "address")
    assert provider["api_key_file"] == str(tmp_path / "key")
    assert found["results"] == "results"


def test_each_configuration_has_its_file_and_an_existing_one_is_left_alone() -> None:
    one = load_settings({})
    two = load_settings({"review": {"enabled": False}})
    assert snapshot_path(one) == snapshot_path(one.model_copy()) != snapshot_path(two)
    write_snapshot(one)
    snapshot_path(one).write_text("kept", encoding="utf-8")
    write_snapshot(one)
    write_snapshot(two)
    assert snapshot_path(one).read_text(encoding="utf-8") == "kept"
    assert len(list(snapshot_path(one).parent.iterdir())) == 2


def test_what_a_run_finds_out_is_added_and_joined() -> None:
    settings = load_settings({})
    path = snapshot_path(settings)
    add_found(settings, {"servers": {"store": {"tools": ["b"]}}, "store": ["1"]})
    add_found(settings, {"servers": {"store": {"tools": ["a"]}, "other": {}}, "store": ["1"]})
    assert written(settings)["made_under"]["found"] == {
        "servers": {"store": {"tools": ["a", "b"]}, "other": {}},
        "store": ["1"],
    }
    assert snapshot_path(settings) == path
    before = path.stat()
    add_found(settings, {"store": ["1"]})
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino


ADDING = """
import sys
from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import add_found
add_found(Settings(), {"tools": {sys.argv[1]: "store"}})
"""


def test_what_several_jobs_find_at_once_is_all_kept() -> None:
    names = ["a", "b", "c", "d"]
    jobs = [subprocess.Popen([sys.executable, "-c", ADDING, name]) for name in names]
    assert [job.wait(60) for job in jobs] == [0] * 4
    assert sorted(written(Settings())["made_under"]["found"]["tools"]) == names


def test_a_profile_is_never_a_mixture_of_two() -> None:
    for refused in (["seed"], []):
        add_found(Settings(), {"models": {"m": {"profile": {"refused": refused}}}})
    assert written(Settings())["made_under"]["found"]["models"]["m"]["profile"]["refused"] == []


def test_a_run_from_a_snapshot_is_told_what_is_not_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = load_settings({})
    write_snapshot(settings)
    then = written(settings)
    assert list(differences(then)) == []
    assert list(differences({})) == []
    then["made_under"]["prompts"]["refiner"] = "0" * 64
    then["made_under"]["stages"]["report"] = 7
    monkeypatch.setattr(snapshots, "commit", lambda _: "f" * 40)
    then["made_under"]["commit"] = "e" * 40
    commit, stage, prompt = differences(then)
    assert commit == f"commit was {'e' * 40} and is {'f' * 40}"
    assert stage == f"stages.report was 7 and is {VERSIONS[Stage.REPORT]}"
    assert prompt.startswith(f"prompts.refiner was {'0' * 64} and is ")


def test_only_the_top_of_a_configuration_may_hold_what_is_no_option() -> None:
    assert load_settings({"made_under": {"anything": [1]}}) == load_settings({})
    with pytest.raises(UserError, match=r"unknown option 'review\.made_under'"):
        load_settings({"review": {"made_under": {}}})
