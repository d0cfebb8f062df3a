"""A finished run of two pairs, made once for all tests, and copies of it to change."""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.workflow.conftest import BIN, ROOT, jobs_of

PARTS = ("Snakefile", "rules", "config", "envs", "profiles", "schemas", "scripts")
HEADER = ("SYMBOL", "CANCER_TYPE", "COHORT", "METHODS", "SAMPLES", "QVALUE_COMBINATION", "ROLE")
ROWS = [
    ("APC", "COADREAD", "COHORT_1", "dndscv,cbase", "415", "1e-48", "LoF"),
    ("APC", "COADREAD", "COHORT_2", "dndscv", "9", "1e-32", "LoF"),
    ("TTN", "LUAD", "COHORT_3", "cbase", "12", "0.04", "ambiguous"),
]


@dataclass
class Trial:
    """A clone and a run's directory of one's own.

    Attributes:
        clone: The code with its instructions and records.
        directory: The run's directory; its results are in `results`.
        config: What config.yaml in it says.
        arguments: Further words for Snakemake.
    """

    clone: Path
    directory: Path
    config: dict[str, Any]
    arguments: list[str] = field(default_factory=list)

    @property
    def results(self) -> Path:
        return self.directory / "results"

    def configure(self, changes: Mapping[str, Any]) -> None:
        """Set options by their dotted names."""
        for name, value in changes.items():
            *parents, last = name.split(".")
            place = self.config
            for parent in parents:
                place = place.setdefault(parent, {})
            place[last] = value

    def write_drivers(self, rows: list[tuple[str, ...]], header: tuple[str, ...] = HEADER) -> None:
        lines = ["\t".join(row) for row in (header, *rows)]
        (self.directory / "drivers.tsv").write_text("\n".join(lines) + "\n")

    def run(
        self, *words: str, before: Callable[[], None] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run Snakemake with this clone's rules and library; `before` is called in its process."""
        path = self.directory / "config.yaml"
        text = yaml.safe_dump(self.config)
        if not path.exists() or yaml.safe_load(path.read_text()) != self.config:
            path.write_text(text)
        command = [
            str(BIN / "snakemake"),
            "--snakefile", str(self.clone / "Snakefile"),
            "--directory", str(self.directory),
            "--workflow-profile", str(self.clone / "profiles" / "default"),
            "--configfile", str(path),
            *(["--cores", "4", "--resources", "llm_slots=4"] if not self.arguments else []),
            *self.arguments,
            *words,
        ]  # fmt: skip
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.clone / "scripts"),
            "XDG_CACHE_HOME": str(self.directory / ".cache"),
        }
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=240, check=False,
            preexec_fn=before,
        )  # fmt: skip

    def planned(self, *words: str) -> dict[str, int]:
        """Return how many jobs of each rule a run would have."""
        done = self.run("--dry-run", *words)
        assert done.returncode == 0, done.stderr[-3000:]
        jobs = jobs_of(done.stdout)
        assert jobs or "Nothing to be done" in done.stdout
        return {rule: count for rule, count in jobs.items() if rule != "all"}

    def edit(self, path: str, pattern: str, replacement: str) -> None:
        """Change a file of the clone."""
        file = self.clone / path
        text, changes = re.subn(pattern, replacement, file.read_text(encoding="utf-8"))
        assert changes, f"{pattern} is not in {path}"
        file.write_text(text, encoding="utf-8")


def finished_run(folder: Path) -> Trial:
    """Return the finished run in a folder that all workers share; the first one makes it."""
    folder.mkdir(parents=True, exist_ok=True)
    trial = Trial(folder / "clone", folder / "run", _config())
    with (folder / "lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            shutil.rmtree(trial.clone, ignore_errors=True)
            shutil.rmtree(trial.directory, ignore_errors=True)
            trial.clone.mkdir()
            trial.directory.mkdir()
            for part in PARTS:
                source = ROOT / part
                copy = shutil.copytree if source.is_dir() else shutil.copy2
                copy(source, trial.clone / part)
            trial.write_drivers(ROWS)
            done = trial.run()
            assert done.returncode == 0, done.stderr[-3000:]
            (folder / "done").touch()
    return trial


def _config() -> dict[str, Any]:
    return {"drivers": "drivers.tsv", "cohort": {"pan_cancer": False}}


def copy_of(finished: Trial, folder: Path) -> Trial:
    """Return a copy to change, times of files included."""
    trial = Trial(folder / "clone", folder / "run", _config())
    shutil.copytree(finished.clone, trial.clone)
    shutil.copytree(finished.directory, trial.directory)
    return trial


def requests(trial: Trial, path: str) -> list[str]:
    """Return what the embedded servers were asked in a folder of results, a line per request."""
    found: list[str] = []
    for log in sorted((trial.results / "_run" / "logs" / path).rglob("*.requests")):
        lines = log.read_text(encoding="utf-8").splitlines()
        found += [f"{log.parent.name} {line}" for line in lines if '"/health"' not in line]
    return found
