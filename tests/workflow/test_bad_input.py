"""Bad input: one line that names the place and the remedy, exit code 2, nothing written."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from intogen_agent.errors import UserError
from intogen_agent.workflow import plan
from tests.workflow.conftest import ROOT, Workflow

DRIVERS = str(ROOT / "config" / "demo" / "drivers.tsv")


def message(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        planned = plan(config, ROOT)
        planned.table_settings()
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_no_drivers_table() -> None:
    assert "--config drivers=FILE" in message({})


def test_a_missing_drivers_table(tmp_path: Path) -> None:
    assert "nofile.tsv" in message({"drivers": str(tmp_path / "nofile.tsv")})


def test_a_table_without_a_known_layout(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("a\tb\tc\n1\t2\t3\n")
    assert "table.tsv" in message({"drivers": str(path)})


def test_a_table_without_any_valid_pair(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("gene\tcancer_type\n../x\tLUAD\n")
    assert "table.tsv" in message({"drivers": str(path)})


def test_a_wrong_key_names_the_nearest() -> None:
    assert "did you mean 'cohort.pan_cancer'" in message(
        {"drivers": DRIVERS, "cohort": {"pan_cancr": True}}
    )


def test_a_server_command_that_does_not_exist() -> None:
    servers = {"store": {"command": ["/no/such/server", "{store}"]}}
    text = message({"drivers": DRIVERS, "mcp": {"servers": servers}})
    assert "mcp.servers.store.command" in text
    assert "/no/such/server" in text


def test_a_launch_command_that_does_not_exist() -> None:
    offline = {"base_url": "http://127.0.0.1:{port}/v1", "launch": {"command": ["no-such-model"]}}
    text = message({"drivers": DRIVERS, "llm": {"providers": {"offline": offline}}})
    assert "llm.providers.offline.launch.command" in text


def test_a_missing_key_for_a_provider_that_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    llm = {"default": {"provider": "openai", "model": "some-model"}}
    text = message({"drivers": DRIVERS, "llm": llm})
    assert "OPENAI_API_KEY is not set" in text


def test_a_key_never_stands_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-marked-key")
    llm = {"default": {"provider": "openai", "model": "m"}, "rols": {}}
    assert "sk-marked-key" not in message({"drivers": DRIVERS, "llm": llm})


def test_a_missing_store(tmp_path: Path) -> None:
    store = {"path": str(tmp_path / "none.sqlite")}
    assert "none.sqlite" in message({"drivers": DRIVERS, "store": store})


def test_missing_record_files(tmp_path: Path) -> None:
    assert "store.records" in message({"drivers": DRIVERS, "store": {"records": str(tmp_path)}})


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({}, "drivers: no table given"),
        ({"drivers": DRIVERS, "reprt": {}}, "did you mean 'report'"),
    ],
)
def test_snakemake_says_it_in_one_line_and_exits_with_2(
    workflow: Workflow, config: dict[str, Any], words: str
) -> None:
    done = workflow.run(config)
    assert done.returncode == 2
    [line] = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    assert words in line
    assert "Traceback" not in done.stderr
    assert not (workflow.directory / "results").exists()


@pytest.mark.workflow
def test_code_as_a_rerun_trigger_is_refused(workflow: Workflow) -> None:
    done = workflow.run({"drivers": DRIVERS}, "--rerun-triggers", "code", "mtime")
    assert done.returncode != 0
    assert "rerun-triggers hold 'code'" in done.stderr
    assert not (workflow.directory / "results").exists()


def test_the_demo_configuration_is_valid() -> None:
    demo = yaml.safe_load((ROOT / "config" / "demo" / "config.yaml").read_text())
    planned = plan(demo, ROOT)
    assert len(planned.cohort.tasks) == 24
