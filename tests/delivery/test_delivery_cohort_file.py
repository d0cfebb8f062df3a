import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import make_cohort, make_task, rows

from intogen_agent.cohort.render import TASK_COLUMNS
from intogen_agent.cohort.rows import Dropped
from intogen_agent.delivery.cohort_file import COLUMNS, read_cohort, write_cohort
from intogen_agent.errors import UserError

DROPPED = Dropped("in/drivers.tsv", 7, "1-Mar", "BRCA", "a date, not a gene")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "_run" / "cohort.tsv"


def test_tasks_come_first_then_what_was_dropped(tmp_path, path):
    write_cohort(make_cohort(make_task(), make_task(code="CANCER"), dropped=(DROPPED,)), tmp_path)
    pair, pan_cancer, dropped = rows(path.read_text())
    assert (pair["gene"], pair["cohorts"], pair["origin"]) == ("APC", "C1,C2", "intogen")
    assert [row["status"] for row in (pair, pan_cancer, dropped)] == ["task", "task", "dropped"]
    assert (pair["reason"], pair["source"]) == ("", "")
    assert {name: value for name, value in dropped.items() if value} == {
        "gene": "1-Mar",
        "cancer_type": "BRCA",
        "status": "dropped",
        "reason": "a date, not a gene",
        "source": "in/drivers.tsv:7",
    }


def test_the_columns_begin_with_those_of_the_cohort_command(tmp_path, path):
    write_cohort(make_cohort(make_task()), tmp_path)
    header = path.read_text().splitlines()[0].split("\t")
    assert tuple(header) == COLUMNS
    assert header[: len(TASK_COLUMNS)] == list(TASK_COLUMNS)
    assert header[len(TASK_COLUMNS) :] == ["origin", "status", "reason", "source"]


def test_the_same_cohort_is_not_written_again(tmp_path, path):
    write_cohort(make_cohort(make_task()), tmp_path)
    before = path.stat().st_ino
    write_cohort(make_cohort(make_task()), tmp_path)
    assert path.stat().st_ino == before


def test_another_cohort_replaces_the_file(tmp_path, path):
    write_cohort(make_cohort(make_task()), tmp_path)
    write_cohort(make_cohort(make_task("KRAS", "PAAD")), tmp_path)
    assert [row["gene"] for row in rows(path.read_text())] == ["KRAS"]


@pytest.mark.parametrize(
    "task",
    [
        make_task(),
        make_task(code="CANCER"),
        make_task(votes=(("Act", 2), ("LoF", 1), ("ambiguous", 1))),
        make_task("TTN", "LUAD", origin="configuration"),
    ],
    ids=lambda task: task.path,
)
def test_tasks_are_read_back_without_their_search_terms(tmp_path, task):
    write_cohort(make_cohort(task, dropped=(DROPPED,)), tmp_path)
    (read,) = read_cohort(tmp_path)
    assert read.search_terms == ()
    for name in ("gene", "cancer_type", "cancer_name", "scheme", "path", "task", "origin"):
        assert getattr(read, name) == getattr(task, name)
    assert read.statistics == task.statistics


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gene=st.text(max_size=20), reason=st.text(max_size=20))
def test_whatever_was_dropped_stays_on_its_line(tmp_path, gene, reason):
    dropped = Dropped("a.tsv", 2, gene, "BRCA", reason)
    write_cohort(make_cohort(make_task(), dropped=(dropped,)), tmp_path)
    assert [task.gene for task in read_cohort(tmp_path)] == ["APC"]
    assert len(rows((tmp_path / "_run" / "cohort.tsv").read_text())) == 2


def changed(path, old, new):
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cancer_name\t", "", "line 1: not the header of a task table"),
        ("APC\tCOADREAD\t", "APC\t", "line 2: 15 columns where 16 are expected"),
        ("1e-10", "small", "line 2: could not convert string to float: 'small'"),
        ("LoF:3", "LoF", "line 2: invalid literal for int"),
        ("APC/COADREAD", "../COADREAD", "line 2, column path: '../COADREAD' is no GENE/CANCER"),
        ("APC/COADREAD", "APC", "line 2, column path: 'APC' is no GENE/CANCER folder"),
    ],
)
def test_a_task_table_that_was_edited(tmp_path, path, old, new, message):
    write_cohort(make_cohort(make_task()), tmp_path)
    changed(path, old, new)
    with pytest.raises(UserError) as error:
        read_cohort(tmp_path)
    assert str(error.value).startswith(f"{path}, {message}")
    assert "\n" not in str(error.value)
