"""A pair's journey as a real run that can be killed, and what must hold at its end."""

import gzip
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from tests.workflow.conftest import BIN, ROOT

SCHEMAS = {
    "phase1.json": "phase1",
    "phase2.json": "phase2",
    "report.json": "report",
    "critique.json": "critique",
    "reviewed.json": "report",
    "summary.json": "summary",
    "provenance.json": "provenance",
}
PAIR = "APC/COADREAD"
TICK = 0.005


@dataclass
class Journey:
    """A run directory with one pair.

    Attributes:
        directory: Where the run is.
        config: Its configuration.
    """

    directory: Path
    config: dict[str, Any]

    @property
    def results(self) -> Path:
        """The folder of results."""
        return self.directory / "results"

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start Snakemake in a process group of its own."""
        self.directory.mkdir(parents=True, exist_ok=True)
        configfile = self.directory / "config.yaml"
        configfile.write_text(yaml.safe_dump(self.config))
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
        return subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run Snakemake to its end; return its exit code and log."""
        process = self.start(*arguments)
        _, log = process.communicate(timeout=240)
        return process.returncode, log

    def finish(self, *arguments: str) -> str:
        """Run Snakemake, which must succeed; return its log."""
        code, log = self.run(*arguments)
        assert code == 0, log[-4000:]
        return log

    def jobs(self) -> Iterator[tuple[int, str]]:
        """Yield process id and stage of every running job of this directory."""
        place = f"{self.directory}/.snakemake/scripts/"
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
                script = next((w for w in words[1:3] if w.startswith(place)), None)
                if script is not None and "python" in words[0]:
                    yield int(process.name), script.removesuffix(".py").rsplit(".", 1)[-1]

    def await_job(self, process: subprocess.Popen[str]) -> tuple[int, str] | None:
        """Wait for a job to run; None if the run ends without one."""
        while process.poll() is None:
            job = next(self.jobs(), None)
            if job is not None:
                return job
            pause()
        return None

    def entries(self) -> list[dict[str, Any]]:
        """Return everything on record: of the journals, and of the audit files."""
        found = []
        for path in self.results.glob("**/.journal/*.jsonl"):
            lines = path.read_bytes().split(b"\n")[:-1]
            found += [json.loads(line) for line in lines if line.strip()]
        for path in self.results.glob("**/audit.jsonl.gz"):
            with gzip.open(path, "rt", encoding="utf-8") as handle:
                found += [json.loads(line) for line in handle]
        return found

    def answered(self) -> set[str]:
        """Return the client request ids of model calls whose answers are on record."""
        return {e["key"] for e in self.entries() if e.get("kind") == "llm" and e["replayable"]}

    def attempts(self) -> list[list[str]]:
        """Return how the attempts of every model call on record ended."""
        calls = [entry for entry in self.entries() if entry.get("kind") == "llm"]
        return [call["meta"]["attempts"] for call in calls]

    def failures(self) -> list[dict[str, str]]:
        """Return the rows of failures.tsv."""
        lines = (self.results / "_run" / "failures.tsv").read_text().splitlines()
        header = lines[0].split("\t")
        return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]

    def check_valid(self, *names: str) -> None:
        """Check that outputs are there and valid, and that nothing half-written is left."""
        for name in names:
            path = self.results / PAIR / name
            if name == "phase1.json":
                path = self.results / "APC" / name
            schema = json.loads((ROOT / "schemas" / f"{SCHEMAS[name]}.schema.json").read_text())
            jsonschema.validate(json.loads(path.read_text()), schema)
        left = [p for p in self.results.rglob(".*") if p.is_file() and p.suffix != ".lock"]
        assert left == []
        assert list(self.results.rglob("failure.json")) == []
        assert self.failures() == []

    def check_whole(self) -> None:
        """Check that the whole journey is there and valid, and that no journal is left."""
        self.check_valid(*SCHEMAS)
        for name in ("report.md", "summary.md"):
            assert (self.results / PAIR / name).read_text().endswith("\n")
        assert list(self.results.rglob(".journal")) == []


def pause() -> None:
    """Wait a moment for a process that nothing else tells of."""
    time.sleep(TICK)


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        pause()


def kill(pid: int) -> None:
    """Kill a process and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    stat = Path(f"/proc/{pid}/stat")

    def gone() -> bool:
        try:
            return stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"
        except (OSError, IndexError):
            return True

    wait_until(gone, 10)


@dataclass
class Killer:
    """Kills the first job of a run, after a time or when a request comes in or was answered.

    Attributes:
        stage: The stage that was killed; None as long as none was.
    """

    journey: Journey
    stage: str | None = None

    def job(self, *_: object) -> None:
        """Kill the running job, once."""
        found = next(self.journey.jobs(), None)
        if self.stage is None and found is not None:
            pid, self.stage = found
            kill(pid)

    def later(self, seconds: float, run: subprocess.Popen[str]) -> None:
        """Kill the job that runs after a while, or the next; none if the run ends before."""
        with suppress(subprocess.TimeoutExpired):
            run.wait(seconds)
        while self.stage is None and run.poll() is None:
            self.job()
            pause()


def config(store: Path, drivers: Path, llm: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration of a run of one pair."""
    drivers.write_text("gene\tcancer_type\nAPC\tCOADREAD\n")
    return {
        "drivers": str(drivers),
        "cohort": {"pan_cancer": False},
        "store": {"path": str(store)},
        "llm": dict(llm),
        "evidence": {"max_turns": 3, "max_calls": 5},
        "report": {"repair_first_wait": 0, "repair_max_wait": 0},
    }
