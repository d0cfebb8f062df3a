"""One of three pairs fails: the others finish, the failure is on record, only it runs again."""

from typing import Any

import pytest

from tests.workflow.conftest import Workflow, jobs_of, write_records

pytestmark = pytest.mark.workflow


def config(workflow: Workflow, **cancer_types: Any) -> dict[str, Any]:
    drivers = workflow.directory / "drivers.tsv"
    drivers.write_text("gene\tcancer_type\nAPC\tCOADREAD\nTTN\tLUAD\nAPC\tMYSTERY\n")
    return {
        "drivers": str(drivers),
        "cohort": {"pan_cancer": False},
        "store": {"records": str(workflow.directory / "records")},
        "cancer_types": cancer_types,
    }


def test_a_failing_pair_does_not_stop_the_others_and_runs_again_alone(workflow: Workflow) -> None:
    write_records(workflow.directory / "records", {"APC", "TTN"})
    results = workflow.directory / "results"

    first = workflow.run(config(workflow))
    assert first.returncode == 1
    assert (results / "APC/COADREAD/report.md").exists()
    assert (results / "TTN/LUAD/summary.md").exists()
    assert not (results / "reports.tsv").exists()
    assert {row["gene"] for row in workflow.rows("_run/partial/reports.tsv")} == {"APC", "TTN"}
    [failure] = workflow.rows("_run/failures.tsv")
    assert (failure["gene"], failure["cancer_type"]) == ("APC", "MYSTERY")
    assert (failure["stage"], failure["error"]) == ("phase2", "cancer_unnamed")
    assert "cancer_types.extra" in failure["message"]

    again = workflow.run(config(workflow), "--dry-run")
    chain = {"phase2": 1, "report": 1, "critique": 1, "summary": 1, "render": 1}
    assert jobs_of(again.stdout) == {**chain, "tables": 1, "all": 1}

    named = {
        "code": "MYSTERY",
        "name": "Colorectal cancer of our own",
        "search_terms": ["colorectal cancer", "colorectal adenocarcinoma"],
    }
    second = workflow.run(config(workflow, extra=[named]))
    assert second.returncode == 0, second.stderr[-3000:]
    assert jobs_of(second.stderr)["phase2"] == 1
    assert len(workflow.rows("reports.tsv")) == 3
    assert workflow.rows("_run/failures.tsv") == []
    assert not (results / "APC/MYSTERY.custom/failure.json").exists()

    third = workflow.run(config(workflow, extra=[named]))
    assert third.returncode == 0
    assert jobs_of(third.stderr) == {}
