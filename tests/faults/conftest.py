"""A store for all fault tests, and runs of one pair."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.store.build import build_store
from tests.faults.journey import Journey, config
from tests.workflow.conftest import ROOT, write_records

MakeJourney = Callable[..., Journey]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built store with the records of one gene."""
    folder = tmp_path_factory.mktemp("store")
    write_records(folder / "records", {"APC"})
    path = folder / "store.sqlite"
    build_store(folder / "records", path, ROOT / "config" / "cancer_types.tsv")
    return path


@pytest.fixture
def make_journey(tmp_path: Path, store: Path) -> MakeJourney:
    """Make run directories; each holds one pair."""

    def make(llm: Mapping[str, Any], name: str = "run", **options: Any) -> Journey:
        directory = tmp_path / name
        directory.mkdir()
        return Journey(directory, {**config(store, directory / "drivers.tsv", llm), **options})

    return make
