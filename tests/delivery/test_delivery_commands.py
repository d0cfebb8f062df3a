import pytest
from trees import make_task, rows

from intogen_agent.cli import main
from intogen_agent.delivery.cohort_file import write_cohort
from intogen_agent.delivery.scope import default_config, merged_config

CONFIG = """\
drivers: drivers.tsv
cohort: {pan_cancer: false}
"""


@pytest.fixture
def run(tree, monkeypatch):
    """A finished run of APC in the working directory, with its configuration."""
    folder = tree.results.parent
    monkeypatch.chdir(folder)
    (folder / "drivers.tsv").write_text("SYMBOL\tCANCER_TYPE\nAPC\tCOADREAD\n")
    (folder / "my.yaml").write_text(CONFIG)
    tree.add(make_task())
    return tree


def partial(tree):
    return rows((tree.results / "_run" / "partial" / "reports.tsv").read_text())


def test_collect_needs_only_the_runs_task_table(run, capsys):
    write_cohort(run.cohort, run.results)
    assert main(["collect"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "results/_run/partial/reports.tsv: 1 of 1 pairs (1 ok)",
        "results/_run/partial/references.tsv: 3 references",
        "results/_run/partial/mechanisms.tsv: 1 mechanisms",
        "results/_run/failures.tsv: 0 failures",
        "results/_run/retired.tsv: 0 results of tasks that are no longer in the cohort",
    ]
    assert [(row["gene"], row["current"]) for row in partial(run)] == [("APC", "")]


def test_collect_with_a_configuration_knows_what_is_current(run):
    assert main(["collect", "--configfile", "my.yaml"]) == 0
    assert [(row["gene"], row["current"]) for row in partial(run)] == [("APC", "no")]


def test_the_configuration_wins_over_the_runs_task_table(run):
    run.add(make_task("KRAS", "PAAD"))
    write_cohort(run.cohort, run.results)
    assert main(["collect", "--configfile", "my.yaml"]) == 0
    assert [row["gene"] for row in partial(run)] == ["APC"]


def test_collect_elsewhere(run, tmp_path_factory, monkeypatch):
    write_cohort(run.cohort, run.results)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert main(["collect", str(run.results)]) == 0
    assert len(partial(run)) == 1


def test_the_configuration_names_the_results(run):
    (run.results.parent / "more.yaml").write_text("results: other\n")
    run.results.rename("other")
    assert main(["collect", "--configfile", "my.yaml", "more.yaml"]) == 0
    assert not run.results.exists()


def test_collect_overview_writes_nothing(run, capsys):
    write_cohort(run.cohort, run.results)
    before = sorted(run.results.rglob("*"))
    assert main(["collect", "--overview", "results"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("gene  cancer    involvement  role")
    assert "results/APC/COADREAD/report.md" in out
    assert sorted(run.results.rglob("*")) == before


def test_status(run, capsys):
    write_cohort(run.cohort, run.results)
    assert main(["status"]) == 0
    assert capsys.readouterr().out.startswith("results: 1 of 1 pairs complete, 1 gene\n")


def test_status_stale(run, capsys):
    assert main(["status", "--stale", "--configfile", "my.yaml"]) == 0
    assert capsys.readouterr().out.endswith("snakemake --forcerun results/APC/phase1.json\n")


def test_the_command_names_files_as_the_rules_do(run, capsys):
    assert main(["status", str(run.results), "--stale", "--configfile", "my.yaml"]) == 0
    assert capsys.readouterr().out.endswith("snakemake --forcerun results/APC/phase1.json\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["status", "--stale"], "--stale: name the run's configuration with --configfile"),
        (["collect", "none"], "none/_run/cohort.tsv: no such file; name a run's folder"),
        (["status", "none"], "none/_run/cohort.tsv: no such file; name a run's folder"),
        (["collect", "--configfile", "no.yaml"], "no.yaml: no such file"),
        (["collect", "none", "--configfile", "my.yaml"], "none: no such folder"),
        (["collect", "my.yaml"], "my.yaml/_run/cohort.tsv: no such file"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(run, capsys, arguments, message):
    write_cohort(run.cohort, run.results)
    before = sorted(run.results.parent.rglob("*"))
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"ERROR: {message}")
    assert err.count("\n") == 1
    assert sorted(run.results.parent.rglob("*")) == before


def test_configurations_are_merged_option_by_option(tmp_path):
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text("cohort: {scheme: oncotree, select: {genes: [APC]}}\nresults: one\n")
    second.write_text("cohort: {select: {genes: [KRAS]}, pan_cancer: false}\nreview: {}\n")
    assert merged_config([first, second]) == {
        "cohort": {"scheme": "oncotree", "select": {"genes": ["KRAS"]}, "pan_cancer": False},
        "results": "one",
        "review": {},
    }


def test_the_shipped_configuration_is_found():
    assert merged_config([default_config()])["drivers"] is None
