import json
from pathlib import Path

import pytest
from trees import PRESENT, make_cohort, make_report, make_task, rows

from intogen_agent.delivery.cohort_file import write_cohort
from intogen_agent.delivery.collect import collect
from intogen_agent.errors import UserError

WRITTEN = (
    "failures.tsv",
    "retired.tsv",
    "partial/reports.tsv",
    "partial/references.tsv",
    "partial/mechanisms.tsv",
)


def collected(tree, name):
    """Collect and return a table's rows."""
    collect(tree.results, tree.cohort, PRESENT)
    return rows((tree.results / "_run" / name).read_text())


def test_complete_pairs_leave_failures_with_only_its_header(tree):
    tree.add(make_task())
    tree.add(make_task(code="CANCER"))
    assert collected(tree, "failures.tsv") == []
    header = "gene\tcancer_type\tstage\terror\tmessage\tlog\tpath\n"
    assert (tree.results / "_run" / "failures.tsv").read_text() == header


def test_a_failed_pair(tree):
    task = tree.add(make_task())
    tree.remove(task, "summary.json", "report.md", "summary.md", "provenance.json")
    tree.fail(task.path, "summary", "llm_quota", "no credit\tleft")
    assert collected(tree, "failures.tsv") == [
        {
            "gene": "APC",
            "cancer_type": "COADREAD",
            "stage": "summary",
            "error": "llm_quota",
            "message": "no credit left",
            "log": f"{tree.results}/_run/logs/APC/COADREAD/summary.log",
            "path": "APC/COADREAD",
        }
    ]
    (row,) = collected(tree, "partial/reports.tsv")
    assert (row["status"], row["involvement"], row["role_of_action"]) == ("failed", "supported", "")


def test_a_pair_that_failed_before_its_report_has_an_empty_row(tree):
    task = make_task()
    tree.tasks.append(task)
    tree.fail(task.path, "phase2")
    (row,) = collected(tree, "partial/reports.tsv")
    assert (row["status"], row["involvement"], row["references"]) == ("failed", "", "")
    assert (row["cohorts"], row["current"]) == ("C1,C2", "")


def test_a_failed_phase_1_blocks_every_pair_of_its_gene(tree):
    for code in ("COADREAD", "CANCER"):
        tree.tasks.append(make_task(code=code))
    tree.add(make_task("KRAS", "PAAD"))
    tree.fail("APC", "phase1", "evidence_unavailable", "no tool answered")
    gene, *pairs = collected(tree, "failures.tsv")
    assert gene == {
        "gene": "APC",
        "cancer_type": "",
        "stage": "phase1",
        "error": "evidence_unavailable",
        "message": "no tool answered",
        "log": f"{tree.results}/_run/logs/APC/phase1.log",
        "path": "APC",
    }
    assert [(row["cancer_type"], row["stage"], row["error"]) for row in pairs] == [
        ("COADREAD", "phase1", "blocked"),
        ("CANCER", "phase1", "blocked"),
    ]
    assert {row["message"] for row in pairs} == {
        "phase 1 of APC failed: evidence_unavailable: no tool answered"
    }
    assert {row["log"] for row in pairs} == {gene["log"]}


def test_a_blocked_pair_is_not_listed_under_its_older_failure_too(tree):
    task = make_task()
    tree.tasks.append(task)
    tree.fail("APC", "phase1")
    tree.fail(task.path, "report")
    assert [row["error"] for row in collected(tree, "failures.tsv")] == ["llm_quota", "blocked"]


def test_a_pair_that_is_merely_missing_is_no_failure(tree):
    tree.add(make_task())
    tree.tasks.append(make_task("KRAS", "PAAD"))
    assert collected(tree, "failures.tsv") == []


def test_a_failure_that_a_complete_pair_has_left_behind_is_over(tree):
    task = tree.add(make_task())
    tree.fail(task.path, "report")
    tree.fail("APC", "phase1")
    assert collected(tree, "failures.tsv") == []


def test_phase_1_that_failed_anew_blocks_what_looks_complete(tree):
    tree.add(make_task())
    (tree.results / "APC" / "phase1.json").unlink()
    tree.fail("APC", "phase1")
    assert [row["error"] for row in collected(tree, "failures.tsv")] == ["llm_quota", "blocked"]


@pytest.mark.parametrize("path", ["APC", "APC/COADREAD"])
@pytest.mark.parametrize("content", ["", "{", "null", '{"stage": "never"}'])
def test_a_damaged_failure_file_is_a_failure_itself(tree, path, content):
    tree.tasks.append(make_task())
    tree.write(f"{path}/failure.json", content)
    first = collected(tree, "failures.tsv")[0]
    assert (first["error"], first["path"], first["stage"]) == ("internal", path, "")
    assert first["message"].startswith("failure.json cannot be read: ")


def test_a_damaged_failure_file_of_a_gene_still_blocks_its_pairs(tree):
    tree.tasks.append(make_task())
    tree.write("APC/failure.json", "{")
    assert [row["error"] for row in collected(tree, "failures.tsv")] == ["internal", "blocked"]


def test_a_damaged_phase_1_is_listed_once_for_its_gene(tree):
    for code in ("COADREAD", "PAAD"):
        tree.add(make_task(code=code))
    tree.write("APC/phase1.json", "{")
    (row,) = collected(tree, "failures.tsv")
    assert (row["cancer_type"], row["stage"], row["path"]) == ("", "phase1", "APC")


def test_results_of_tasks_that_left_the_cohort_are_retired(tree):
    tree.add(make_task())
    tree.add(make_task("KRAS", "PAAD"))
    tree.tasks.pop()
    assert collected(tree, "retired.tsv") == [
        {
            "gene": "KRAS",
            "cancer_type": "PAAD",
            "path": "KRAS/PAAD",
            "involvement": "supported",
        }
    ]
    assert [row["gene"] for row in collected(tree, "partial/reports.tsv")] == ["APC"]


def test_a_retired_pair_that_did_not_get_far(tree):
    gone = tree.add(make_task("KRAS", "PAAD"))
    for name in ("report.json", "reviewed.json"):
        tree.remove(gone, name)
    tree.tasks.clear()
    (row,) = collected(tree, "retired.tsv")
    assert (row["cancer_type"], row["involvement"]) == ("PAAD", "")


def test_a_retired_pair_with_damaged_files_goes_by_its_folder(tree):
    for name in ("reviewed.json", "report.json", "phase2.json"):
        tree.write(f"KRAS/MDS+2FMPN/{name}", "[")
    (row,) = collected(tree, "retired.tsv")
    assert (row["gene"], row["cancer_type"]) == ("KRAS", "MDS+2FMPN")


def test_retired_pairs_are_named_by_their_code_not_their_folder(tree):
    task = make_task("KRAS", "MDS/MPN")
    tree.write("KRAS/MDS+2FMPN/reviewed.json", make_report(task))
    (row,) = collected(tree, "retired.tsv")
    assert (row["cancer_type"], row["path"]) == ("MDS/MPN", "KRAS/MDS+2FMPN")


@pytest.mark.parametrize("path", ["_run/config/a.yaml", ".cache/x/report.json", "KRAS/notes/a.md"])
def test_what_is_no_result_is_not_retired(tree, path):
    tree.add(make_task())
    tree.write(path, "{}")
    assert collected(tree, "retired.tsv") == []


def test_collecting_again_changes_nothing(tree):
    task = tree.add(make_task())
    tree.remove(task, "summary.md")
    tree.fail(task.path, "render")
    collect(tree.results, tree.cohort, PRESENT)
    paths = [tree.results / "_run" / name for name in WRITTEN]
    before = [(path.read_bytes(), path.stat().st_ino) for path in paths]
    collect(tree.results, tree.cohort, PRESENT)
    assert [(path.read_bytes(), path.stat().st_ino) for path in paths] == before


def test_a_failure_that_was_mended_leaves_the_table(tree):
    task = tree.add(make_task())
    tree.remove(task, "summary.md")
    tree.fail(task.path, "render")
    assert len(collected(tree, "failures.tsv")) == 1
    tree.write(f"{task.path}/summary.md", "# Summary\n")
    assert collected(tree, "failures.tsv") == []


def test_collecting_writes_into_run_only(tree):
    tree.add(make_task())
    before = {path for path in tree.results.rglob("*") if path.is_file()}
    collect(tree.results, tree.cohort, PRESENT)
    new = {path for path in tree.results.rglob("*") if path.is_file()} - before
    assert new == {tree.results / "_run" / name for name in WRITTEN}


def test_collecting_before_anything_ran(tree):
    tree.tasks.append(make_task())
    assert collected(tree, "failures.tsv") == []
    assert collected(tree, "partial/reports.tsv") == []


def test_without_a_cohort_the_runs_task_table_is_read(tree):
    tree.add(make_task())
    write_cohort(tree.cohort, tree.results)
    tables = collect(tree.results, None, {})
    assert [(row.gene, row.cohorts, row.current) for row in tables.reports] == [
        ("APC", ["C1", "C2"], None)
    ]


def test_both_ways_give_the_same_tables(tree):
    for code in ("COADREAD", "CANCER"):
        tree.add(make_task(code=code))
    tree.add(make_task("TTN", "LUAD", origin="configuration"))
    write_cohort(tree.cohort, tree.results)
    assert collect(tree.results, None, PRESENT) == collect(tree.results, tree.cohort, PRESENT)


def test_neither_cohort_nor_task_table(tmp_path: Path):
    with pytest.raises(UserError, match=r"_run/cohort\.tsv: no such file; .*--configfile"):
        collect(tmp_path, None, {})
    assert list(tmp_path.iterdir()) == []


def test_an_error_class_of_a_later_version_is_shown_as_it_is(tree):
    task = make_task()
    tree.tasks.append(task)
    value = {"stage": "report", "error": "llm_tired", "message": "m", "more": 1}
    tree.write(f"{task.path}/failure.json", json.dumps(value))
    (row,) = collected(tree, "failures.tsv")
    assert row["error"] == "llm_tired"


def test_an_empty_cohort_has_empty_tables(tree):
    collect(tree.results, make_cohort(), PRESENT)
    assert rows((tree.results / "_run/partial/reports.tsv").read_text()) == []
