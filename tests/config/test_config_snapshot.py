"""The snapshot of a run's configuration."""

from pathlib import Path

import pytest
import yaml

from intogen_agent.config.load import load_settings
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.config.snapshot import snapshot, snapshot_path, write_snapshot


def test_the_snapshot_holds_what_a_run_was_made_under(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123456")
    found = snapshot(Settings())
    assert set(found["roles"]) == set(found["prompts"]) == {role.value for role in Role}
    assert found["roles"]["summarizer"]["model"] == "offline-extractive-1"
    assert found["options"]["evidence"]["uniprot"]["isoforms"] == 5
    assert found["options"]["mcp"]["phase1"] == ["store"]
    assert found["options"]["llm"]["retry"]["attempts"] == 6
    assert all(found["packages"][name] for name in ("openai", "mcp", "pydantic"))
    assert "sk-secret" not in yaml.safe_dump(found)


def test_the_written_snapshot_reads_back_as_the_same_settings(tmp_path: Path) -> None:
    settings = load_settings({"results": str(tmp_path), "review": {"max_iterations": 2}})
    write_snapshot(settings)
    path = snapshot_path(settings)
    assert path.parent == tmp_path / "_run" / "config"
    assert load_settings(yaml.safe_load(path.read_text(encoding="utf-8"))["options"]) == settings


def test_each_configuration_has_its_file_and_an_existing_one_is_left_alone(tmp_path: Path) -> None:
    one = load_settings({"results": str(tmp_path)})
    two = load_settings({"results": str(tmp_path), "review": {"enabled": False}})
    assert snapshot_path(one) == snapshot_path(one.model_copy()) != snapshot_path(two)
    write_snapshot(one)
    snapshot_path(one).write_text("kept", encoding="utf-8")
    write_snapshot(one)
    write_snapshot(two)
    assert snapshot_path(one).read_text(encoding="utf-8") == "kept"
    assert len(list((tmp_path / "_run" / "config").iterdir())) == 2
