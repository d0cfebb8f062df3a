"""One pair with BioMCP's maintained line as gene, protein and literature server, end to end.

The program is BioMCP's own; the services behind it are on this machine and answer with recordings.
`INTOGEN_AGENT_BIOMCP_CLI` names the program (docs/servers.md says how it is installed).
"""

import os
import shutil
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.workflow.biomcp_upstream import PMID, SERVICES, Upstream, environment, served
from tests.workflow.conftest import Workflow

pytestmark = pytest.mark.workflow
VARIABLE = "INTOGEN_AGENT_BIOMCP_CLI"


@pytest.fixture
def program() -> str:
    """BioMCP's program; skip where it is not installed."""
    found = shutil.which(os.environ.get(VARIABLE, ""))
    if found is None:
        pytest.skip(f"{VARIABLE} names no program; install biomcp-cli==0.9.3 and set it")
    return found


def configuration(program: str, port: int, folder: Path) -> dict[str, Any]:
    pairs = folder / "pairs.tsv"
    pairs.write_text("gene\tcancer_type\nBRAF\tMEL\n")
    server = {
        "command": [program, "serve"],
        "adapter": "biomcp-cli",
        "set_env": {**environment(port), "BIOMCP_CACHE_DIR": str(folder / "cache")},
    }
    return {
        "drivers": str(pairs),
        "cohort": {"pan_cancer": False},
        "mcp": {
            "servers": {"biomcp": server},
            "phase1": ["biomcp"],
            "phase2": ["biomcp"],
        },
    }


def run(workflow: Workflow, program: str, upstream: Upstream) -> Any:
    with served(upstream) as port:
        return workflow.run(configuration(program, port, workflow.directory))


def left(program: str) -> list[int]:
    """Return the processes of the program that came from this test."""
    mine = psutil.Process().children(recursive=True)
    return [process.pid for process in mine if program in process.cmdline()]


def test_a_pair_goes_through_with_biomcp_cli(
    workflow: Workflow, program: str, shared_data: Path
) -> None:
    upstream = Upstream(shared_data)
    done = run(workflow, program, upstream)
    assert done.returncode == 0, done.stderr[-3000:]
    assert left(program) == []
    phase1 = workflow.json("BRAF", "phase1.json")
    assert (phase1["gene"]["entrez_id"], phase1["gene"]["uniprot"]) == ("673", "P15056")
    phase2 = workflow.json("BRAF", "MEL", "phase2.json")
    calls = [call for call in phase2["calls"] if call["outcome"] != "refused"]
    assert {call["tool"] for call in calls} == {"search", "get"}
    assert {call["outcome"] for call in calls} == {"content"}
    # The abstract was fetched, and what it found is in the ledger, quoted and cited.
    cited = [item for item in phase2["ledger"] if f"PMID:{PMID}" in item["references"]]
    assert cited and all(item["quote"] for item in cited)
    report = workflow.json("BRAF", "MEL", "report.json")
    assert PMID in {reference["id"] for reference in report["references"]}
    record = workflow.json("BRAF", "MEL", "provenance.json")
    assert record["tools"]["phase2"] == {
        "article_search": "biomcp/search",
        "article_fetch": "biomcp/get",
        "trial_search": "biomcp/search",
    }
    assert record["servers"]["biomcp"] == "biomcp 0.9.3"


def test_searches_that_find_nothing_are_told_from_searches_that_failed(
    workflow: Workflow, program: str, shared_data: Path
) -> None:
    done = run(workflow, program, Upstream(shared_data, found=False))
    assert done.returncode == 0, done.stderr[-3000:]
    outcomes = {
        query["outcome"] for query in workflow.json("BRAF", "MEL", "phase2.json")["queries"]
    }
    assert outcomes == {"empty"}
    assert workflow.json("BRAF", "MEL", "report.json")["assessment"]["undetermined"] is False


def test_with_every_service_dark_the_pair_fails_for_want_of_evidence(
    workflow: Workflow, program: str, shared_data: Path
) -> None:
    done = run(workflow, program, Upstream(shared_data, dark=SERVICES))
    assert done.returncode == 1
    failures = {row["error"]: row for row in workflow.rows("_run", "failures.tsv")}
    assert set(failures) == {"evidence_unavailable", "blocked"}
    assert "upstream" in failures["evidence_unavailable"]["message"]


def test_a_dark_literature_is_unknown_and_no_absence(
    workflow: Workflow, program: str, shared_data: Path
) -> None:
    dark = ("PUBMED", "EUROPEPMC", "PUBTATOR", "S2", "LITSENSE2")
    done = run(workflow, program, Upstream(shared_data, found=False, dark=dark))
    assert done.returncode == 0, done.stderr[-3000:]
    phase2 = workflow.json("BRAF", "MEL", "phase2.json")
    assert {query["outcome"] for query in phase2["queries"]} == {"failed"}
    report = workflow.json("BRAF", "MEL", "report.json")
    assert report["assessment"]["involvement"] == "not_supported"
    assert report["assessment"]["undetermined"] is True
