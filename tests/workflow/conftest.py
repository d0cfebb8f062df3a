"""Running the real workflow, in a directory of its own, on small cohorts."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "config" / "demo" / "evidence"
BIN = Path(sys.executable).parent


@dataclass
class Workflow:
    """A run directory and the means to run Snakemake in it."""

    directory: Path

    def run(self, config: Mapping[str, Any], *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the workflow; standard error holds Snakemake's log."""
        configfile = self.directory / "config.yaml"
        configfile.write_text(yaml.safe_dump(dict(config)))
        command = [
            str(BIN / "snakemake"),
            "--snakefile", str(ROOT / "Snakefile"),
            "--directory", str(self.directory),
            "--workflow-profile", str(ROOT / "profiles" / "default"),
            "--configfile", str(configfile),
            "--cores", "4",
            "--resources", "llm_slots=4",
            *arguments,
        ]  # fmt: skip
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.directory / ".cache")}
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=240, check=False
        )

    def json(self, *parts: str) -> Any:
        """Return a JSON file of the results."""
        return json.loads((self.directory / "results").joinpath(*parts).read_text())

    def rows(self, *parts: str) -> list[dict[str, str]]:
        """Return a table of the results."""
        lines = (self.directory / "results").joinpath(*parts).read_text().splitlines()
        header = lines[0].split("\t")
        return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]


@pytest.fixture
def workflow(tmp_path: Path) -> Workflow:
    """A fresh run directory."""
    return Workflow(tmp_path)


Rename = Callable[[str], str]


def write_records(folder: Path, genes: set[str], rename: Rename = lambda text: text) -> None:
    """Write the demo's records of some genes, with names changed.

    Args:
        folder: Where to.
        genes: Symbols of the demo to keep.
        rename: Changes every text of the records, keys excepted.
    """

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return rename(value)
        if isinstance(value, list):
            return [renamed(item) for item in value]
        if isinstance(value, dict):
            return {key: renamed(item) for key, item in value.items()}
        return value

    folder.mkdir(parents=True)
    for name in ("genes", "proteins", "articles"):
        kept = []
        for line in (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            about = record.get("genes") or [record.get("symbol") or record.get("gene")]
            if name != "articles" and not genes & set(about):
                continue
            kept.append(json.dumps(renamed(record), ensure_ascii=False))
        (folder / f"{name}.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")


def jobs_of(log: str) -> dict[str, int]:
    """Return how many jobs of each rule a run's log announces."""
    counts: dict[str, int] = {}
    reading = False
    for line in log.splitlines():
        if line.startswith("job ") and "count" in line:
            reading = True
        elif reading and line.startswith("total"):
            break
        elif reading and len(line.split()) == 2 and not line.startswith("-"):
            rule, count = line.split()
            counts[rule] = int(count)
    return counts


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The finished run of two pairs (`finished_run.Trial`); tests change copies of it."""
    from tests.workflow.finished_run import finished_run

    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return finished_run(shared / "finished")
