"""CPU seconds and memory of a job until its first request to a model, per stage.

    python benchmarks/first_request.py RESULTS [PAIR]

RESULTS is a finished run of the demo (`make demo`); PAIR defaults to APC/COADREAD. Each stage is
started in a copy of the pair's folder as its rule's script starts it, with a model server that
notes the job's CPU time and memory when the first request comes in and then refuses the key.
Server processes (MCP) are counted apart. Budgets: 1.0 s for stages without MCP, 1.6 s for evidence
stages, 150 MB.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
STAGES = {"phase1": 1.6, "phase2": 1.6, "report": 1.0, "critique": 1.0, "summary": 1.0}
OUTPUTS = {"phase1": "../phase1.json", "critique": "critique.json"}
JOB = """
import json, sys
from intogen_agent import stages
handed = json.loads(sys.argv[2])
sys.exit(getattr(stages, sys.argv[1])(stages.Handed(**handed)))
"""


class Notes(http.server.BaseHTTPRequestHandler):
    """Notes what the job has used so far, then refuses the key."""

    job = 0
    seen: tuple[float, float] | None = None

    def do_POST(self) -> None:
        """Answer 401 after a look at the job."""
        if Notes.seen is None:
            fields = Path(f"/proc/{Notes.job}/stat").read_text().rsplit(")", 1)[1].split()
            ticks = int(fields[11]) + int(fields[12])
            status = Path(f"/proc/{Notes.job}/status").read_text()
            peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
            Notes.seen = (ticks / os.sysconf("SC_CLK_TCK"), int(peak.split()[1]) / 1024)
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b'{"error": {"message": "no"}}'
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def run(stage: str, results: Path, pair: str, port: int) -> tuple[float, float]:
    """Start one stage and return CPU seconds and peak MB at its first request."""
    from intogen_agent.models import Stage
    from intogen_agent.workflow import plan

    config = yaml.safe_load((ROOT / "config/demo/config.yaml").read_text())
    provider = {"base_url": f"http://127.0.0.1:{port}/v1"}
    config["llm"] = {
        "providers": {"bench": provider},
        "default": {"provider": "bench", "model": "m"},
    }
    planned = plan(config, ROOT)
    task = next(task for task in planned.cohort.tasks if task.path == pair)
    folders = type("Wildcards", (), {"gene": task.gene_path, "cancer": task.cancer_path})
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "results" / pair
        shutil.copytree(results / pair, folder)
        shutil.copy(results / task.gene_path / "phase1.json", folder.parent)
        (folder / "audit.jsonl.gz").unlink(missing_ok=True)
        handed = {
            "config": {**config, "drivers": str(ROOT / config["drivers"])},
            "task": planned.gene_task(folders) if stage == "phase1" else planned.pair_task(folders),
            "settings": planned.stage_settings(Stage(stage)),
            "output": str(folder / OUTPUTS.get(stage, f"{stage}.json")),
            "log": str(Path(work) / f"{stage}.log"),
            "store": [str(next((results / "_run/store").glob("*.sqlite")).resolve())],
        }
        Notes.seen = None
        command = [sys.executable, "-c", JOB, stage, json.dumps(handed)]
        job = subprocess.Popen(command, cwd=work, stderr=subprocess.DEVNULL)
        Notes.job = job.pid
        job.wait()
    if Notes.seen is None:
        raise SystemExit(f"{stage}: no request came in")
    return Notes.seen


def main() -> None:
    """Print one line per stage."""
    results = Path(sys.argv[1])
    pair = sys.argv[2] if len(sys.argv) > 2 else "APC/COADREAD"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Notes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("stage     CPU s  budget  ratio   MB")
    for stage, budget in STAGES.items():
        seconds, peak = min(run(stage, results, pair, server.server_port) for _ in range(3))
        print(f"{stage:9} {seconds:5.2f}  {budget:6.1f}  {seconds / budget:5.2f}  {peak:4.0f}")


if __name__ == "__main__":
    main()
