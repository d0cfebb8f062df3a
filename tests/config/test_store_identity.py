"""A store is known by its records, not by its place."""

from pathlib import Path
from typing import Any

import pytest

from intogen_agent import stages
from intogen_agent.errors import UserError
from intogen_agent.models import Stage
from intogen_agent.store.build import build_store
from intogen_agent.workflow import Plan, plan

EVIDENCE = (Stage.PHASE1, Stage.PHASE2)


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def planned(root: Path, **store: Any) -> Plan:
    drivers = root / "config" / "demo" / "drivers.tsv"
    return plan({"drivers": str(drivers), "store": store}, root)


def built(root: Path, output: Path) -> Path:
    records = root / "config" / "demo" / "evidence"
    return build_store(records, output, root / "config" / "cancer_types.tsv").path


def test_a_built_store_counts_as_its_records_wherever_it_lies(root: Path, tmp_path: Path) -> None:
    one = built(root, tmp_path / "one.sqlite")
    two = tmp_path / "two.sqlite"
    two.write_bytes(one.read_bytes())
    plans = [planned(root), planned(root, path="one.sqlite"), planned(root, path=str(two))]
    for stage in EVIDENCE:
        first, *others = [made.stage_settings(stage) for made in plans]
        assert others == [first, first]


def test_only_a_store_that_the_workflow_builds_is_a_file_that_jobs_wait_for(
    root: Path, tmp_path: Path
) -> None:
    assert planned(root, path=str(built(root, tmp_path / "my.sqlite"))).store_dependency() == []
    [path] = planned(root).store_dependency()
    assert path.startswith("results/_run/store/evidence-")


def test_records_that_changed_since_the_plan_make_no_store(root: Path, tmp_path: Path) -> None:
    drivers = root / "config" / "demo" / "drivers.tsv"
    output, log = tmp_path / "evidence-000000000000.sqlite", tmp_path / "store.log"
    assert stages.store({"drivers": str(drivers)}, root, str(output), str(log)) == 1
    assert "store.records: changed since this run began" in log.read_text()
    assert not output.exists()


def test_a_configured_store_that_is_missing_is_named(root: Path) -> None:
    with pytest.raises(UserError, match=r"none\.sqlite"):
        _ = planned(root, path="none.sqlite").store_identity
