"""Many pairs on one canned endpoint: wall time, CPU, failures, and a re-run of only those.

    python benchmarks/orchestration.py --pairs 500 --jobs 64 --failing 5 --folder DIR
    python benchmarks/orchestration.py --pairs 100 --jobs 16 --latency 3 --failing 0

The demo's twelve genes are crossed with cancer types of the shipped table. The endpoint is the
offline model behind a door that waits `--latency` seconds before every answer and refuses to write
the report of `--failing` percent of the pairs. The first run has to fail for those pairs and no
others; the second, without refusals, has to run their remaining stages and nothing else.

The ideal time is what the calls to the endpoint took, shared evenly among the jobs, or that of the
pair that waited longest, whichever is more. Times depend on the machine; compare the ratio.
"""

import argparse
import asyncio
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, product
from pathlib import Path
from typing import Any

import uvicorn
import yaml

from intogen_agent.offline.server import Application

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "config" / "demo" / "evidence"
STAGES = ("report", "critique", "summary", "render")
CANCERS = (
    "LUAD COADREAD BRCA LUSC SKCM GBM PRAD PAAD HCC BLCA AML UCEC STAD HGSOC CCRCC PRCC ESCA HNSC "
    "CESC MEL SCLC CLLSLL DLBCLNOS NBL MBL CHOL GIST OS LGGNOS PCM ACC THPA THYM UCS UM MCL FL BL "
    "ALL CML MDS ES RMS LMS CSCC BCC ANGS GCB ABC MF"
)


@dataclass
class Door:
    """An ASGI application before the offline model's: latency, refusals and a count of requests."""

    latency: float
    refused: set[tuple[str, str]]
    requests: int = 0
    inner: Application = field(default_factory=Application)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = bool(message.get("more_body"))
        self.requests += 1
        await asyncio.sleep(self.latency)
        if self._is_refused(body):
            await _refuse(send)
            return

        async def whole() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        await self.inner(scope, whole, send)

    def _is_refused(self, body: bytes) -> bool:
        if not self.refused or b"ReportDraft" not in body:
            return False
        text = "".join(str(m["content"]) for m in json.loads(body)["messages"])
        return any(
            f'"gene": "{gene}"' in text and f'"code": "{code}"' in text
            for gene, code in self.refused
        )


async def _refuse(send: Any) -> None:
    message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    value = {"id": "x", "object": "chat.completion", "created": 0, "model": "offline-extractive-1"}
    body = json.dumps({**value, "choices": [choice]}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def serving(door: Door) -> Iterator[str]:
    """Serve in a thread until the block ends; yield the address."""
    config = uvicorn.Config(
        door, port=0, http="h11", ws="none", lifespan="off", log_config=None, backlog=512
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=asyncio.run, args=(server.serve(),), daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join(5)


def pairs_of(number: int) -> list[tuple[str, str]]:
    """Return the first pairs of the demo's genes crossed with cancer types."""
    lines = (RECORDS / "genes.jsonl").read_text(encoding="utf-8").splitlines()
    genes = sorted(json.loads(line)["symbol"] for line in lines)
    pairs = [(gene, code) for code, gene in islice(product(CANCERS.split(), genes), number)]
    if len(pairs) < number:
        sys.exit(f"there are {len(pairs)} pairs")
    return pairs


def refused_of(pairs: list[tuple[str, str]], percent: float) -> set[tuple[str, str]]:
    """Choose a share of the pairs, the same ones every time."""
    ranked = sorted(pairs, key=lambda pair: hashlib.sha256("/".join(pair).encode()).digest())
    return set(ranked[: round(len(pairs) * percent / 100)])


def configuration(folder: Path, pairs: list[tuple[str, str]], url: str) -> Path:
    """Write the drivers table and the configuration; return the latter."""
    table = "".join(f"{gene}\t{code}\n" for gene, code in pairs)
    (folder / "drivers.tsv").write_text(f"gene\tcancer_type\n{table}")
    provider = {
        "base_url": url,
        "capabilities": {"tools": "native", "structured": "json_schema"},
    }
    config = {
        "drivers": str(folder / "drivers.tsv"),
        "cohort": {"pan_cancer": False, "scheme": "oncotree"},
        "store": {"records": str(RECORDS)},
        "evidence": {"max_turns": 3, "max_calls": 5},
        # On a machine whose CPUs are all taken a server starts slowly; that is not measured here.
        "mcp": {"servers": {"store": {"start_timeout": 600, "call_timeout": 600}}},
        "llm": {
            "providers": {"here": provider},
            "default": {"provider": "here", "model": "offline-extractive-1"},
        },
    }
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


@dataclass
class Ran:
    """What one start of Snakemake took."""

    code: int
    seconds: float
    cpu: float
    jobs: dict[str, int]


def run(folder: Path, config: Path, jobs: int) -> Ran:
    """Run the workflow once."""
    log = folder / "snakemake.log"
    command = [
        str(Path(sys.executable).parent / "snakemake"),
        "--snakefile", str(ROOT / "Snakefile"),
        "--directory", str(folder),
        "--workflow-profile", str(ROOT / "profiles" / "default"),
        "--configfile", str(config),
        "--cores", str(jobs),
        "--scheduler", "greedy",
    ]  # fmt: skip
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with log.open("w") as sink:
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / ".cache")}
        code = subprocess.run(command, stderr=sink, env=environment, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(code, time.monotonic() - start, cpu, announced(log.read_text()))


def announced(log: str) -> dict[str, int]:
    """Return how many jobs of each rule a run announces."""
    table = log.split("Job stats:", 1)[-1].split("total", 1)[0]
    rows = [line.split() for line in table.splitlines()]
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


def failures(folder: Path) -> list[list[str]]:
    """Return the rows of failures.tsv: gene, cancer type, stage, error, ..."""
    lines = (folder / "results" / "_run" / "failures.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines[1:]]


def waited(folder: Path) -> list[float]:
    """Return for every pair the seconds in which its jobs had a call to the endpoint open."""
    found = []
    for path in sorted((folder / "results").glob("*/*/provenance.json")):
        calls = json.loads(path.read_text())["calls"]
        spans = sorted(
            (datetime.fromisoformat(call["started"]).timestamp(), call["seconds"])
            for call in calls
            if call["kind"] == "llm" and call["stage"] != "phase1"
        )
        total, reached = 0.0, 0.0
        for start, seconds in spans:
            end = start + seconds
            total += max(0.0, end - max(start, reached))
            reached = max(reached, end)
        found.append(total)
    return found


def check_first(ran: Ran, folder: Path, refused: set[tuple[str, str]]) -> None:
    """Check that the run failed for the refused pairs and no others."""
    rows = failures(folder)
    assert ran.code == (1 if refused else 0), f"exit code {ran.code}"
    assert {(row[0], row[1]) for row in rows} == refused, rows[:5]
    assert {(row[2], row[3]) for row in rows} <= {("report", "llm_refused")}, rows[:5]


def check_second(ran: Ran, folder: Path, refused: set[tuple[str, str]]) -> None:
    """Check that only what was missing ran."""
    assert ran.code == 0, f"exit code {ran.code}"
    wanted = {stage: len(refused) for stage in STAGES}
    assert {rule: n for rule, n in ran.jobs.items() if rule not in ("all", "tables")} == wanted
    assert failures(folder) == []


def show(name: str, ran: Ran, pairs: int, requests: int) -> None:
    """Print a line on a run."""
    total = sum(ran.jobs.values())
    print(
        f"{name}: exit code {ran.code}, {ran.seconds:.0f} s, {total} jobs, "
        f"{ran.cpu:.0f} CPU-s ({ran.cpu / pairs:.1f} a pair), {requests} requests",
        flush=True,
    )


def main() -> None:
    """Run twice and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=16, help="jobs at a time")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--failing", type=float, default=5.0, help="percent of the pairs")
    parser.add_argument("--folder", type=Path, help="an empty folder; default: a temporary one")
    wanted = parser.parse_args()
    pairs = pairs_of(wanted.pairs)
    door = Door(wanted.latency, refused_of(pairs, wanted.failing))
    refused = set(door.refused)
    with tempfile.TemporaryDirectory() as temporary, serving(door) as url:
        folder = (wanted.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        config = configuration(folder, pairs, url)
        first = run(folder, config, wanted.jobs)
        show("first run", first, len(pairs), door.requests)
        check_first(first, folder, refused)
        print(f"failures: {len(refused)} of {len(pairs)} pairs, all as llm_refused in report")
        calls = waited(folder)
        ideal = max(sum(calls) / wanted.jobs, max(calls, default=0.0))
        print(f"ideal for the calls alone: {ideal:.0f} s, ratio {first.seconds / ideal:.2f}")
        if refused:
            door.refused, before = set(), door.requests
            second = run(folder, config, wanted.jobs)
            show("second run", second, len(refused), door.requests - before)
            check_second(second, folder, refused)
        third = run(folder, config, wanted.jobs)
        print(f"nothing to do: exit code {third.code}, {third.seconds:.0f} s, jobs {third.jobs}")


if __name__ == "__main__":
    main()
