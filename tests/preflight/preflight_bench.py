"""Checking runs against real servers: processes and sockets of this machine."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from intogen_agent.cli import main
from intogen_agent.mcp import stdio
from intogen_agent.store.build import build_store

ROOT = Path(__file__).resolve().parents[2]
RAW = ROOT / "tests" / "mcp_client" / "servers" / "raw.py"
TINY = Path(__file__).with_name("tiny_server.py")
TOOLS = ("gene_getter", "search_by_gene", "article_searcher", "article_getter")
KEY = "sk-a-marked-key-of-this-test"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the patience of mcp's shutdown; no profile of the user's is read."""
    monkeypatch.setattr(stdio, "EOF_GRACE", 0.1)
    monkeypatch.setattr(stdio, "TERM_GRACE", 0.1)
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)


Serve = Callable[..., str]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start the offline model's server with faults; returns its address."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*faults: str) -> str:
        port = tmp_path / f"port{len(started)}"
        command = [sys.executable, "-m", "intogen_agent", "serve-offline-model"]
        command += ["--port-file", str(port), *(word for f in faults for word in ("--fault", f))]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        started.append(process)
        end = time.monotonic() + 30
        while not (port.exists() and port.read_text().strip()):
            assert time.monotonic() < end and process.poll() is None
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
        return f"http://127.0.0.1:{port.read_text().strip()}/v1"

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "demo.sqlite"
    types = ROOT / "config" / "cancer_types.tsv"
    build_store(ROOT / "config" / "demo" / "evidence", path, types)
    return path


@dataclass
class Said:
    """What a check printed.

    Attributes:
        states: State and text by what was looked at.
    """

    code: int
    out: str
    err: str
    states: dict[str, tuple[str, str]] = field(default_factory=dict)

    def failed(self) -> list[str]:
        return [about for about, (state, _) in self.states.items() if state == "FAILED"]

    def skipped(self) -> list[str]:
        return [about for about, (state, _) in self.states.items() if state == "skipped"]


@dataclass
class Bench:
    """A run directory with a configuration."""

    folder: Path
    capfd: pytest.CaptureFixture[str]
    config: dict[str, Any]

    def provider(self, url: str | None = None, **settings: Any) -> None:
        """Let a provider of one's own play every role."""
        values = {"base_url": url, "api": "chat", **settings}
        self.config["llm"] = {
            "providers": {"mine": values},
            "default": {"provider": "mine", "model": "offline-extractive-1"},
        }

    def servers(self, **commands: list[str]) -> None:
        """Let servers of one's own serve both phases."""
        named = {name: {"command": command} for name, command in commands.items()}
        self.config["mcp"] = {"servers": named, "phase1": [*named], "phase2": [*named]}

    def check(self, *arguments: str) -> Said:
        path = self.folder / "my.yaml"
        path.write_text(yaml.safe_dump(self.config))
        command = ["check", "--configfile", str(path), "--directory", str(self.folder)]
        code = main([*command, *arguments])
        out, err = self.capfd.readouterr()
        assert KEY not in out + err
        said = Said(code, out, err)
        for line in out.splitlines():
            if line.startswith(("ok ", "FAILED ", "skipped ")):
                about, _, text = line[8:].partition(": ")
                said.states[about] = (line[:8].strip(), text)
        return said


@pytest.fixture
def bench(
    tmp_path: Path,
    demo_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Bench:
    """A run whose servers are there and whose model is not."""
    monkeypatch.chdir(tmp_path)
    config = {
        "drivers": str(ROOT / "config" / "demo" / "drivers.tsv"),
        "store": {"path": str(demo_store)},
    }
    made = Bench(tmp_path, capfd, config)
    made.servers(tiny=tiny("record"))
    made.provider("http://127.0.0.1:{port}/v1", launch={"command": ["no-such-program"]})
    return made


def tiny(answer: str, *tools: str) -> list[str]:
    """Return the command of a server that starts at once."""
    return ["{python}", "-S", str(TINY), answer, *(tools or TOOLS)]
