import pytest
from trees import (
    JSON_FILES,
    PRESENT,
    make_critique,
    make_issue,
    make_mechanism,
    make_report,
    make_summary,
    make_task,
    rows,
)

from intogen_agent.delivery.rows import FailureRow, MechanismRow, ReferenceRow, ReportRow
from intogen_agent.delivery.tables import build_tables, make_tables, write_tables
from intogen_agent.errors import UserError
from intogen_agent.models import Stage, Status
from intogen_agent.report.models import Bullet, MechanisticHypothesis, ReportProvenance, RoleModel
from intogen_agent.workflow import PAIR_FILES

COLUMNS = {
    ReportRow: "gene cancer_type cancer_name scheme task path status involvement undetermined "
    "role_of_action headline references tracked_references untracked_references mechanisms "
    "function_bullets unresolved_high critic_score critic_iterations critic_accepted style_score "
    "style_iterations model origin cohorts methods qvalue_min mutated_samples intogen_role "
    "role_votes role_agreement fingerprint current",
    ReferenceRow: "gene cancer_type index kind id also database record_id url title journal year "
    "tracked retracted first_seen_stage first_seen_tool first_seen_call sections",
    MechanismRow: "gene cancer_type cancer_name number cause mediator outcome text citations "
    "evidence systems scopes role_of_action",
    FailureRow: "gene cancer_type stage error message log path",
}


def one(tree, name="reports", present=PRESENT):
    """Return the only row of a table as its reader sees it."""
    (row,) = rows(build_tables(tree.results, tree.tasks, present).texts()[name])
    return row


@pytest.mark.parametrize("model", COLUMNS, ids=lambda model: model.__name__)
def test_the_columns_are_public(model):
    assert list(model.model_fields) == COLUMNS[model].split()


def test_a_complete_pair(tree):
    tree.add(make_task())
    assert one(tree) == {
        "gene": "APC",
        "cancer_type": "COADREAD",
        "cancer_name": "Colorectal Adenocarcinoma",
        "scheme": "oncotree",
        "task": "pair",
        "path": "APC/COADREAD",
        "status": "ok",
        "involvement": "supported",
        "undetermined": "no",
        "role_of_action": "tumor suppressor",
        "headline": "APC holds back WNT signaling.",
        "references": "3",
        "tracked_references": "2",
        "untracked_references": "1",
        "mechanisms": "1",
        "function_bullets": "2",
        "unresolved_high": "0",
        "critic_score": "0.9",
        "critic_iterations": "2",
        "critic_accepted": "yes",
        "style_score": "0.8",
        "style_iterations": "0",
        "model": "extractive-1,x-2",
        "origin": "intogen",
        "cohorts": "C1,C2",
        "methods": "cbase,dndscv",
        "qvalue_min": "1e-10",
        "mutated_samples": "60",
        "intogen_role": "LoF",
        "role_votes": "LoF:3",
        "role_agreement": "agrees",
        "fingerprint": "phase1:phase1-now,phase2:phase2-now,report:report-now,"
        "critique:critique-now,summary:summary-now",
        "current": "yes",
    }


def test_the_references_of_a_pair(tree):
    tree.add(make_task())
    database, paper, untracked = build_tables(tree.results, tree.tasks, PRESENT).references
    assert (database.id, database.record_id, database.sections) == (
        "UniProt:P25054",
        "P25054",
        ["gene_function"],
    )
    assert (paper.id, paper.also) == ("PMID:9065401", ["DOI:10.1126/science.275.5307.1784"])
    assert paper.url == "https://pubmed.ncbi.nlm.nih.gov/9065401/"
    assert (paper.first_seen_stage, paper.first_seen_tool, paper.first_seen_call) == (
        "phase2",
        "article_getter",
        "c4",
    )
    assert paper.sections == ["assessment", "mechanistic_hypothesis"]
    assert (untracked.tracked, untracked.first_seen_stage) == (False, None)


def test_the_mechanisms_of_a_pair(tree):
    tree.add(make_task())
    assert one(tree, "mechanisms") == {
        "gene": "APC",
        "cancer_type": "COADREAD",
        "cancer_name": "Colorectal Adenocarcinoma",
        "number": "1",
        "cause": "APC loss",
        "mediator": "WNT signaling",
        "outcome": "transformation",
        "text": "Loss of APC drives WNT target genes.",
        "citations": "PMID:9065401,PMID:1338904",
        "evidence": "E1,E2",
        "systems": "cell line,patients",
        "scopes": "target,subtype",
        "role_of_action": "tumor suppressor",
    }


def test_mechanisms_are_numbered_within_their_pair(tree):
    for code in ("COADREAD", "PAAD"):
        task = tree.add(make_task(code=code))
        both = MechanisticHypothesis(bullets=[make_mechanism(), make_mechanism(text="Second.")])
        tree.replace(task, make_report(task, Stage.CRITIQUE, mechanistic_hypothesis=both))
    found = build_tables(tree.results, tree.tasks, PRESENT).mechanisms
    assert [(row.cancer_type, row.number) for row in found] == [
        ("COADREAD", 1),
        ("COADREAD", 2),
        ("PAAD", 1),
        ("PAAD", 2),
    ]


def test_a_mechanism_on_unknown_evidence_has_no_system(tree):
    task = tree.add(make_task())
    unknown = MechanisticHypothesis(bullets=[make_mechanism(evidence=["F1"], citations=[9])])
    tree.replace(task, make_report(task, Stage.CRITIQUE, mechanistic_hypothesis=unknown))
    row = one(tree, "mechanisms")
    assert (row["evidence"], row["systems"], row["scopes"], row["citations"]) == ("F1", "", "", "")


def test_a_pair_without_a_mechanism(tree):
    task = tree.add(make_task())
    tree.replace(task, make_report(task, Stage.CRITIQUE, mechanistic_hypothesis=None))
    assert one(tree)["mechanisms"] == "0"
    assert build_tables(tree.results, tree.tasks, PRESENT).mechanisms == []


def test_tabs_and_line_ends_of_a_model_stay_in_their_cell(tree):
    task = tree.add(make_task())
    texts = make_summary(task).summaries.model_copy(update={"headline": "One\ttwo\nthree\r\n"})
    tree.replace(task, make_summary(task, summaries=texts))
    assert one(tree)["headline"] == "One two three"


@pytest.mark.parametrize(
    ("role", "votes", "agreement"),
    [
        ("tumor suppressor", (("LoF", 1),), "agrees"),
        ("tumor suppressor", (("Act", 1),), "disagrees"),
        ("unclear", (("Act", 1),), "unclear"),
    ],
)
def test_the_role_is_compared_with_intogens(tree, role, votes, agreement):
    task = tree.add(make_task(votes=votes))
    tree.replace(task, make_summary(task, role_of_action=role))
    assert one(tree)["role_agreement"] == agreement


def test_a_pair_of_the_configuration_has_no_statistics(tree):
    tree.add(make_task("TTN", "LUAD", origin="configuration"))
    row = one(tree)
    assert (row["origin"], row["cohorts"], row["intogen_role"]) == ("configuration", "", "")
    assert row["role_agreement"] == "no vote"


def test_the_reviewed_report_is_the_one_that_counts(tree):
    task = tree.add(make_task())
    more = [Bullet(text="Binds.", citations=[1])] * 3
    function = make_report(task).gene_function.model_copy(update={"bullets": more})
    tree.replace(task, make_report(task, Stage.CRITIQUE, gene_function=function))
    assert one(tree)["function_bullets"] == "3"


def test_a_report_that_nobody_reviewed(tree):
    task = tree.add(make_task())
    status = {"status": Status.NOT_REVIEWED}
    tree.replace(task, make_report(task, Stage.CRITIQUE, **status))
    tree.replace(task, make_critique(task, accepted=False, iterations=[], **status))
    row = one(tree)
    assert (row["status"], row["critic_score"], row["critic_accepted"]) == ("not_reviewed", "", "")
    assert row["critic_iterations"] == "0"


def test_a_copied_report(tree):
    task = tree.add(make_task())
    tree.replace(task, make_report(task, Stage.CRITIQUE, status=Status.COPIED))
    assert one(tree)["status"] == "copied"


def test_high_issues_that_stayed_open_are_counted(tree):
    task = tree.add(make_task())
    tree.replace(task, make_critique(task, accepted=False, unresolved=[make_issue()] * 2))
    row = one(tree)
    assert (row["unresolved_high"], row["critic_accepted"]) == ("2", "no")


def test_a_model_that_did_not_name_itself_is_named_as_it_was_asked_for(tree):
    task = tree.add(make_task())
    models = {"report_creator": RoleModel(provider="p", model="asked")}
    tree.replace(
        task, make_report(task, Stage.CRITIQUE, provenance=ReportProvenance(models=models))
    )
    assert one(tree)["model"] == "asked"


@pytest.mark.parametrize("stage", ["phase1", "phase2", "report", "critique", "summary"])
def test_another_configuration_of_any_stage_makes_a_pair_not_current(tree, stage):
    tree.add(make_task())
    assert one(tree, present={**PRESENT, stage: "other"})["current"] == "no"


def test_evidence_made_anew_after_the_report_makes_it_not_current(tree):
    task = tree.add(make_task())
    provenance = ReportProvenance(phase1_fingerprint="old", phase2_fingerprint="phase2-now")
    tree.replace(task, make_report(task, Stage.CRITIQUE, provenance=provenance))
    row = one(tree)
    assert row["fingerprint"].startswith("phase1:old,")
    assert row["current"] == "no"


def test_without_a_configuration_nothing_is_said_of_being_current(tree):
    tree.add(make_task())
    assert one(tree, present={})["current"] == ""


def test_a_journey_under_way_is_incomplete_and_not_current(tree):
    task = tree.add(make_task())
    tree.remove(task, "reviewed.json", "critique.json", "summary.json")
    row = one(tree)
    assert (row["status"], row["involvement"], row["current"]) == ("incomplete", "supported", "no")
    assert (row["headline"], row["critic_score"], row["role_agreement"]) == ("", "", "")


@pytest.mark.parametrize("name", PAIR_FILES)
def test_a_pair_that_lacks_a_file_is_never_ok(tree, name):
    task = tree.add(make_task())
    tree.remove(task, name)
    tables = build_tables(tree.results, tree.tasks, PRESENT)
    assert [row.status for row in tables.reports] == ["incomplete"]
    assert tables.failures == []


def test_pairs_without_a_report_have_no_row(tree):
    tree.add(make_task())
    tree.tasks.append(make_task("KRAS", "PAAD"))
    tables = build_tables(tree.results, tree.tasks, PRESENT)
    assert [row.gene for row in tables.reports] == ["APC"]


def test_results_that_do_not_exist_give_empty_tables(tmp_path):
    tables = build_tables(tmp_path / "none", [make_task()], {})
    assert (tables.reports, tables.failures) == ([], [])


def test_the_rows_follow_the_tasks(tree):
    for gene, code in (("KRAS", "PAAD"), ("APC", "COADREAD"), ("APC", "CANCER")):
        tree.add(make_task(gene, code))
    found = build_tables(tree.results, tree.tasks, PRESENT).reports
    assert [(row.gene, row.task) for row in found] == [
        ("KRAS", "pair"),
        ("APC", "pair"),
        ("APC", "pan-cancer"),
    ]


@pytest.mark.parametrize("name", [n for n in JSON_FILES if n != "provenance.json"])
@pytest.mark.parametrize("content", ["", "{", "[]", '{"gene": 1}', "\x00"])
def test_a_damaged_file_is_a_failure_and_no_crash(tree, name, content):
    task = tree.add(make_task())
    tree.add(make_task("KRAS", "PAAD"))
    tree.write(f"{task.path}/{name}", content)
    tables = build_tables(tree.results, tree.tasks, PRESENT)
    assert [(row.gene, row.status) for row in tables.reports] == [
        ("APC", "failed"),
        ("KRAS", "ok"),
    ]
    (failure,) = tables.failures
    assert (failure.error, failure.path) == ("internal", "APC/COADREAD")
    assert failure.message.startswith(f"{name} cannot be read: ")


def test_a_folder_in_the_place_of_a_file_is_a_failure(tree):
    task = tree.add(make_task())
    tree.remove(task, "summary.json")
    (tree.results / task.path / "summary.json").mkdir()
    (failure,) = build_tables(tree.results, tree.tasks, PRESENT).failures
    assert (failure.stage, failure.error) == ("summary", "internal")


def test_writing_the_tables(tree, tmp_path):
    tree.add(make_task())
    tables = build_tables(tree.results, tree.tasks, PRESENT)
    write_tables(tables, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "reports.tsv",
        "references.tsv",
        "mechanisms.tsv",
    }
    for name, text in tables.texts().items():
        assert (tmp_path / "out" / f"{name}.tsv").read_text() == text


def outputs(tree):
    return {n: str(tree.results / f"{n}.tsv") for n in ("reports", "references", "mechanisms")}


def test_the_rule_writes_its_declared_outputs(tree):
    tree.add(make_task())
    make_tables(tree.results, tree.cohort, PRESENT, outputs(tree))
    (row,) = rows((tree.results / "reports.tsv").read_text())
    assert (row["gene"], row["current"]) == ("APC", "yes")
    assert (tree.results / "references.tsv").read_text().count("\n") == 4
    assert (tree.results / "mechanisms.tsv").read_text().count("\n") == 2


def test_the_rule_refuses_a_damaged_pair_and_writes_nothing(tree):
    task = tree.add(make_task())
    tree.write(f"{task.path}/summary.json", "{")
    with pytest.raises(UserError, match=r"APC/COADREAD: summary.json cannot be read: .*delete it"):
        make_tables(tree.results, tree.cohort, PRESENT, outputs(tree))
    assert not (tree.results / "reports.tsv").exists()
