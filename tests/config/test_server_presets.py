"""The ready-made configurations of MCP servers are valid, and serve the phases they name."""

from pathlib import Path

import pytest
import yaml

from intogen_agent.config.load import load_settings
from intogen_agent.delivery.scope import default_config, merged_config
from intogen_agent.mcp import surroundings
from intogen_agent.mcp.lines import BY_NAME
from intogen_agent.mcp.logical import PHASE1, PHASE2

ROOT = Path(__file__).resolve().parents[2]
PRESETS = sorted((ROOT / "config" / "servers").glob("*.yaml"))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda path: path.stem)
def test_a_preset_serves_what_its_phases_need(preset: Path) -> None:
    given = yaml.safe_load(preset.read_text(encoding="utf-8"))
    mcp = load_settings(merged_config([default_config()], given), preset.name).mcp
    for names, needed in ((mcp.phase1, PHASE1), (mcp.phase2, PHASE2)):
        lines = [BY_NAME[mcp.servers[name].adapter or "store"] for name in names]
        assert all(any(tool in line.ways for line in lines) for tool in needed)
    for server in mcp.servers.values():
        assert not any("{prefix}" in word for word in surroundings.command(server, {}))


def test_there_is_a_preset_for_every_line_that_a_configuration_can_name() -> None:
    assert {name for name in BY_NAME if name != "uniprot-by-gene"} <= {p.stem for p in PRESETS}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda path: path.stem)
def test_a_preset_is_in_the_documents(preset: Path) -> None:
    assert f"config/servers/{preset.name}" in (ROOT / "docs" / "servers.md").read_text()
