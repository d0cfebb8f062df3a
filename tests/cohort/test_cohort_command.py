import csv
import io
import shutil

import pytest

from intogen_agent.cli import main
from intogen_agent.cohort.render import DROPPED_COLUMNS, TASK_COLUMNS, dropped_table, task_table


def rows(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_table_has_the_public_columns(build, drivers, row):
    assert task_table(build(drivers(row("APC", "COADREAD")))).splitlines()[0].split("\t") == [
        "gene",
        "cancer_type",
        "cancer_name",
        "scheme",
        "path",
        "task",
        "cohorts",
        "methods",
        "qvalue_min",
        "mutated_samples",
        "role",
        "role_votes",
    ]


def test_a_session(capsys, drivers, row):
    table = drivers(
        row("APC", "COADREAD", "C1", ROLE="LoF", QVALUE_COMBINATION="1e-10"),
        row("APC", "COADREAD", "C2"),
        row("1-Mar", "BRCA"),
        row("APC", "MYTYPE"),
    )
    assert main(["cohort", str(table)]) == 0
    out, err = capsys.readouterr()
    first, unknown, pan_cancer = rows(out)
    assert first == {
        "gene": "APC",
        "cancer_type": "COADREAD",
        "cancer_name": "Colorectal Adenocarcinoma",
        "scheme": "oncotree",
        "path": "APC/COADREAD",
        "task": "pair",
        "cohorts": "C1,C2",
        "methods": "cbase,dndscv",
        "qvalue_min": "1e-10",
        "mutated_samples": "6",
        "role": "ambiguous",
        "role_votes": "Act:1,LoF:1",
    }
    assert (unknown["cancer_name"], unknown["path"]) == ("", "APC/MYTYPE.custom")
    assert (pan_cancer["task"], pan_cancer["cohorts"], pan_cancer["qvalue_min"]) == (
        "pan-cancer",
        "",
        "",
    )
    assert f"dropped: {table}, line 4: 1-Mar BRCA: " in err
    assert "MARCHF1" in err
    assert "note: cancer type MYTYPE is unknown" in err
    assert "2 pairs and 1 pan-cancer tasks, scheme oncotree, 1 rows dropped" in err


def test_options_reach_the_cohort(capsys, write):
    table = write("Gen\tTumour\nAPC\tAN\nKRAS\tAN\nKRAS\tST\n")
    arguments = ["--columns", "gene=Gen", "--scheme", "2020", "--no-pan-cancer"]
    selections = ["--genes", "KRAS", "--codes", "AN"]
    assert main(["cohort", str(table), *arguments, *selections]) == 0
    (task,) = rows(capsys.readouterr().out)
    assert (task["gene"], task["cancer_name"]) == ("KRAS", "Anus cancer")


def test_a_list_and_cohorts_select(capsys, write, drivers, row):
    table = drivers(row("APC", "COADREAD", "C1"), row("KRAS", "PAAD", "C2"), row("KRAS", "CHOL"))
    chosen = write("APC\tCOADREAD\nKRAS\tPAAD\n", "list.tsv")
    assert main(["cohort", str(table), "--list", str(chosen), "--cohorts", "C2"]) == 0
    assert [task["path"] for task in rows(capsys.readouterr().out)] == ["KRAS/PAAD"]


def test_another_table_of_cancer_types(capsys, write, root, tmp_path):
    types = tmp_path / "types.tsv"
    shutil.copy(root / "config" / "cancer_types.tsv", types)
    with types.open("a") as handle:
        handle.write("oncotree\tMYTYPE\tMy Cancer\t\tmy cancer\t\n")
    table = write("APC\tMYTYPE\n")
    assert main(["cohort", str(table), "--cancer-types", str(types), "--no-pan-cancer"]) == 0
    assert rows(capsys.readouterr().out)[0]["cancer_name"] == "My Cancer"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["none.tsv"], "none.tsv: no such file"),
        (["{table}", "--columns", "SYMBOL"], "KEY=HEADER"),
        (["{table}", "--columns", "symbol=X"], "use one of gene"),
        (["{table}", "--cancer-types", "none.tsv"], "--cancer-types"),
        (["{table}", "--genes", "FOO"], "leave no task"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(capsys, drivers, row, arguments, word):
    table = str(drivers(row("APC", "COADREAD")))
    assert main(["cohort", *(text.format(table=table) for text in arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("ERROR: ")
    assert err.count("\n") == 1
    assert word in err


def test_the_output_can_be_the_input(capsys, write, drivers, row):
    main(["cohort", str(drivers(row("APC", "COADREAD"), row("TP53", "BRCA")))])
    first = capsys.readouterr().out
    main(["cohort", str(write(first, "cohort.tsv"))])
    again = capsys.readouterr().out
    assert [task["path"] for task in rows(again)] == [task["path"] for task in rows(first)]


def test_hostile_values_stay_in_their_cells(build, write):
    content = 'gene,cancer_type\nAPC,COADREAD\n"A\tB\nC","X\u2028Y"\n"../../etc","BRCA"\n'
    cohort = build(write(content, "h.csv"))
    table = dropped_table(cohort)
    assert table.splitlines()[0].split("\t") == list(DROPPED_COLUMNS)
    assert [row["gene"] for row in rows(table)] == [r"A\tB\nC", "../../etc"]
    assert [row["line"] for row in rows(table)] == ["3", "5"]
    assert len(rows(task_table(cohort))) == 1
    assert list(rows(task_table(cohort))[0]) == list(TASK_COLUMNS)
