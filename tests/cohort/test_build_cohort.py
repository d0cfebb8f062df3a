import pytest

from intogen_agent.cohort.options import CohortOptions, ExtraCancerType
from intogen_agent.cohort.tasks import Statistics, build_cohort
from intogen_agent.errors import UserError


def test_rows_collapse_to_one_pair_with_its_statistics(build, drivers, row):
    cohort = build(
        drivers(
            row("APC", "COADREAD", "C2", METHODS="dndscv", SAMPLES="126.0", ROLE="LoF"),
            row("APC", "COADREAD", "C1", METHODS="hotmaps,cbase", SAMPLES="4", ROLE="LoF"),
            row("APC", "COADREAD", "C3", QVALUE_COMBINATION="1e-9", ROLE="Act", SAMPLES=""),
        )
    )
    (task,) = cohort.tasks
    assert task.statistics == Statistics(
        cohorts=("C1", "C2", "C3"),
        methods=("cbase", "dndscv", "hotmaps"),
        qvalue_min=1e-9,
        mutated_samples=130,
        role="LoF",
        role_votes=(("Act", 1), ("LoF", 2)),
    )
    assert (task.path, task.gene_path, task.cancer_path) == ("APC/COADREAD", "APC", "COADREAD")
    assert (task.cancer_name, task.scheme, task.origin) == (
        "Colorectal Adenocarcinoma",
        "oncotree",
        "intogen",
    )
    assert "colorectal cancer" in task.search_terms
    assert cohort.dropped == ()


@pytest.mark.parametrize(
    ("votes", "role"),
    [
        (["Act", "LoF"], "ambiguous"),
        (["Act", "Act", "LoF"], "Act"),
        (["Act", "ambiguous"], "ambiguous"),
        (["LoF", "ambiguous", "LoF"], "LoF"),
        (["", ""], ""),
        (["", "Act"], "Act"),
    ],
)
def test_the_role_is_the_majority_of_votes(build, drivers, row, votes, role):
    rows = [row("APC", "COADREAD", f"C{n}", ROLE=vote) for n, vote in enumerate(votes)]
    statistics = build(drivers(*rows)).tasks[0].statistics
    assert statistics.role == role
    assert sum(count for _, count in statistics.role_votes) == len(list(filter(None, votes)))


def test_a_repeated_row_counts_once_and_is_reported(build, drivers, row):
    cohort = build(drivers(row("APC", "COADREAD"), row("APC", "COADREAD")))
    assert cohort.tasks[0].statistics.mutated_samples == 3
    assert cohort.tasks[0].statistics.role_votes == (("Act", 1),)
    (dropped,) = cohort.dropped
    assert dropped.line == 3
    assert "line 2" in dropped.reason


def test_dropped_rows_come_in_the_order_of_the_input(build, drivers, row):
    one = drivers(row("APC", "STAD"), row("APC", "STAD"), row("", "STAD"), name="one.tsv")
    two = drivers(row("KRAS", "STAD"), row("../x", "STAD"), row("KRAS", "STAD"), name="two.tsv")
    dropped = build(two, one).dropped
    assert [(row.file, row.line) for row in dropped] == [
        (str(two), 3),
        (str(two), 4),
        (str(one), 3),
        (str(one), 4),
    ]


def test_the_same_cohort_in_two_tables_is_completed_not_added(build, write, drivers, row):
    bare = write("SYMBOL\tCANCER_TYPE\tCOHORT\nAPC\tCOADREAD\tC1\n", "bare.tsv")
    full = drivers(row("APC", "COADREAD", "C1"), row("APC", "COADREAD", "C2"))
    cohort = build(bare, full)
    assert cohort.tasks[0].statistics.mutated_samples == 6
    assert [row.file for row in cohort.dropped] == [str(full)]


def test_a_repeated_pair_of_a_plain_list_is_one_task(build, write):
    cohort = build(write("APC\tCOADREAD\nAPC\tCOADREAD\n"))
    assert len(cohort.tasks) == 1
    assert cohort.dropped[0].reason.startswith("same row as")


def test_a_plain_list_has_no_statistics(build, write):
    assert build(write("APC\tCOADREAD\n")).tasks[0].statistics is None


def test_every_gene_has_one_pan_cancer_task(build, drivers, row, pairs):
    table = drivers(row("KRAS", "PAAD"), row("APC", "COADREAD"), row("APC", "STAD"))
    cohort = build(table, pan_cancer=True)
    assert pairs(cohort) == [
        ("APC", "COADREAD"),
        ("APC", "STAD"),
        ("APC", "CANCER"),
        ("KRAS", "PAAD"),
        ("KRAS", "CANCER"),
    ]
    task = cohort.tasks[2]
    assert (task.task, task.path, task.statistics) == ("pan-cancer", "APC/CANCER", None)
    assert "cancer" in task.search_terms
    assert task.origin == "intogen"


def test_a_row_coded_cancer_is_the_pan_cancer_task_with_its_statistics(build, drivers, row, pairs):
    table = drivers(row("APC", "CANCER", SAMPLES="50"), row("APC", "COADREAD", SAMPLES="7"))
    cohort = build(table, pan_cancer=True)
    assert pairs(cohort) == [("APC", "COADREAD"), ("APC", "CANCER")]
    assert cohort.tasks[1].statistics.mutated_samples == 50


def test_without_pan_cancer_a_row_coded_cancer_is_dropped_with_the_reason(build, drivers, row):
    cohort = build(drivers(row("APC", "CANCER"), row("APC", "COADREAD")))
    assert [task.task for task in cohort.tasks] == ["pair"]
    assert "switched off" in cohort.dropped[0].reason


def test_2020_tables_have_paths_of_their_own(build, drivers, row):
    cohort = build(drivers(row("APC", "COREAD"), row("APC", "BRCA")), pan_cancer=True)
    assert cohort.scheme == "2020"
    assert [task.path for task in cohort.tasks] == [
        "APC/BRCA.2020",
        "APC/COREAD.2020",
        "APC/CANCER",
    ]


def test_the_scheme_can_be_forced(build, drivers, row):
    table = drivers(row("APC", "AN"))
    assert build(table, scheme="2020").tasks[0].cancer_name == "Anus cancer"
    assert build(table, scheme="oncotree").tasks[0].cancer_name == "Atypical Nevus"
    assert build(table).tasks[0].scheme == "oncotree"


def test_an_unknown_scheme_is_refused(build, drivers, row):
    with pytest.raises(UserError, match=r"'icd'.*auto, oncotree"):
        build(drivers(row("APC", "AN")), scheme="icd")


def test_tables_of_two_schemes_keep_their_meanings(build, drivers, row):
    old = drivers(row("APC", "COREAD"), row("APC", "AN"), row("APC", "RCCC"), name="old.tsv")
    new = drivers(row("APC", "COADREAD"), row("APC", "CCRCC"), name="new.tsv")
    cohort = build(old, new)
    assert {(task.cancer_type, task.scheme) for task in cohort.tasks} == {
        ("COREAD", "2020"),
        ("AN", "2020"),
        ("RCCC", "2020"),
        ("COADREAD", "oncotree"),
        ("CCRCC", "oncotree"),
    }
    assert "different code schemes" in cohort.notes[0]


def test_a_list_whose_codes_fit_both_follows_the_other_table(build, write, drivers, row):
    old = drivers(row("APC", "COREAD"), row("APC", "RCCC"))
    more = write("KRAS\tAML\n", "more.tsv")
    assert {task.scheme for task in build(old, more).tasks} == {"2020"}


def test_unknown_codes_are_kept_and_reported(build, drivers, row):
    cohort = build(drivers(row("APC", "COADREAD"), row("APC", "MYTYPE"), row("TP53", "MYTYPE")))
    task = next(task for task in cohort.tasks if task.cancer_type == "MYTYPE")
    assert (task.cancer_name, task.search_terms) == ("", ())
    assert (task.scheme, task.path) == ("custom", "APC/MYTYPE.custom")
    (note,) = cohort.notes
    assert "MYTYPE is unknown" in note
    assert "2 rows" in note
    assert "line 3" in note
    assert "cancer_types.extra" in note


def test_a_code_of_the_other_scheme_is_not_guessed(build, drivers, row):
    cohort = build(drivers(row("APC", "COADREAD"), row("APC", "CCRCC"), row("APC", "RCCC")))
    task = next(task for task in cohort.tasks if task.cancer_type == "RCCC")
    assert (task.scheme, task.cancer_name) == ("custom", "")
    assert "RCCC is a code of scheme 2020" in cohort.notes[0]


def test_users_own_codes(build, drivers, row):
    cohort = build(
        drivers(row("APC", "COADREAD"), row("APC", "MYTYPE"), row("APC", "MDS/X")),
        extra_cancer_types=(
            ExtraCancerType("MYTYPE", "My cancer", ("my cancer", "my tumor")),
            ExtraCancerType("MDS/X", search_terms=("odd syndrome",)),
        ),
    )
    found = {task.cancer_type: task for task in cohort.tasks}
    assert found["MYTYPE"].cancer_name == "My cancer"
    assert found["MYTYPE"].search_terms == ("my cancer", "my tumor")
    assert found["MDS/X"].path == "APC/MDS+2FX.custom"
    assert cohort.notes == ()


def test_a_users_code_without_name_and_terms_has_no_name(build, drivers, row):
    cohort = build(drivers(row("APC", "MYTYPE")), extra_cancer_types=(ExtraCancerType("MYTYPE"),))
    assert cohort.tasks[0].cancer_name == ""
    assert "MYTYPE" in cohort.notes[0]


def test_extra_pairs_are_kept_without_statistics(build, drivers, row):
    cohort = build(
        drivers(row("APC", "COADREAD")),
        extra_pairs=(("KRAS", "PAAD"), (" APC ", "COADREAD")),
        pan_cancer=True,
    )
    found = {(task.gene, task.cancer_type): task for task in cohort.tasks}
    assert len(found) == 4
    assert found["KRAS", "PAAD"].origin == "configuration"
    assert found["KRAS", "PAAD"].statistics is None
    assert found["KRAS", "CANCER"].origin == "configuration"
    assert found["APC", "COADREAD"].origin == "intogen"
    assert found["APC", "COADREAD"].statistics is not None


def test_extra_pairs_alone_make_a_cohort(build, pairs):
    cohort = build(extra_pairs=(("APC", "COREAD"),))
    assert pairs(cohort) == [("APC", "COREAD")]
    assert cohort.scheme == "2020"


def test_extra_pairs_survive_selections(build, drivers, row, pairs):
    table = drivers(row("APC", "COADREAD"), row("TP53", "BRCA"))
    cohort = build(table, select_genes=("TP53",), extra_pairs=(("APC", "COADREAD"),))
    assert pairs(cohort) == [("APC", "COADREAD"), ("TP53", "BRCA")]


@pytest.mark.parametrize("pair", [("../x", "BRCA"), ("APC", ""), ("1-Mar", "BRCA")])
def test_impossible_extra_pairs_are_refused(build, pair):
    with pytest.raises(UserError, match="extra pairs, number 2"):
        build(extra_pairs=(("APC", "BRCA"), pair))


def test_nothing_to_do_is_an_error(build):
    with pytest.raises(UserError, match="no driver table"):
        build()


@pytest.fixture
def table(drivers, row):
    return drivers(
        row("APC", "COADREAD", "C1"),
        row("APC", "COADREAD", "C2"),
        row("APC", "STAD", "C2"),
        row("TP53", "BRCA", "C3"),
        row("TP53", "COADREAD", "C1"),
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"select_genes": ("APC",)}, "APC/COADREAD APC/STAD APC/CANCER"),
        ({"select_cancer_types": ("COADREAD",)}, "APC/COADREAD TP53/COADREAD"),
        ({"select_cancer_types": ("STAD", "CANCER")}, "APC/STAD APC/CANCER"),
        ({"select_cancer_types": ("CANCER",)}, "APC/CANCER TP53/CANCER"),
        ({"select_cohorts": ("C2",)}, "APC/COADREAD APC/STAD APC/CANCER"),
        ({"select_cohorts": ("C2", "C3"), "pan_cancer": False}, "APC/COADREAD APC/STAD TP53/BRCA"),
        ({"select_genes": ("APC",), "select_cancer_types": ("STAD",)}, "APC/STAD"),
    ],
)
def test_selections(build, table, options, expected):
    cohort = build(table, **{"pan_cancer": True} | options)
    assert [task.path for task in cohort.tasks] == expected.split()


def test_a_selected_cohort_brings_only_its_own_statistics(build, table):
    task = build(table, select_cohorts=("C2",)).tasks[0]
    assert task.statistics.cohorts == ("C2",)
    assert task.statistics.mutated_samples == 3


@pytest.mark.parametrize(
    "content", ["APC\tSTAD\nTP53\tCANCER\n", "gene,cancer\nAPC,STAD\nTP53,CANCER"]
)
def test_selection_by_a_list(build, table, write, content):
    cohort = build(table, select_list=write(content, "list.txt"), pan_cancer=True)
    assert [task.path for task in cohort.tasks] == ["APC/STAD", "TP53/CANCER"]


def test_selections_without_effect_are_reported(build, table, write):
    chosen = write("APC\tSTAD\nAPC\tBRCA\n../x\tSTAD\n", "list.tsv")
    cohort = build(
        table, select_list=chosen, select_genes=("APC", "FOO"), select_cohorts=("C2", "C9")
    )
    text = "\n".join(cohort.notes)
    assert "gene 'FOO'" in text
    assert "cohort 'C9'" in text
    assert "APC BRCA is in no table" in text
    assert [(row.file, row.line) for row in cohort.dropped] == [(str(chosen), 3)]


def test_a_selection_of_nothing_is_an_error(build, table):
    with pytest.raises(UserError, match=r"leave no task.*'FOO'"):
        build(table, select_genes=("FOO",))


def test_a_column_in_no_table_is_an_error(build, table):
    with pytest.raises(UserError, match=r"line 1: no column 'FDR' \(columns: qvalue\)"):
        build(table, columns={"qvalue": "FDR"})


def test_a_column_may_be_in_one_of_the_tables(build, table, write):
    other = write("Gen\tCANCER_TYPE\nKRAS\tPAAD\n", "other.tsv")
    assert len(build(table, other, columns={"gene": "Gen"}).tasks) == 5


def test_genes_that_differ_in_case_are_kept_apart(build, write):
    cohort = build(write("C9orf72\tAML\nC9ORF72\tAML\napc\tAML\nAPC\tAML\n"))
    assert len({task.path.casefold() for task in cohort.tasks}) == 4


def test_the_order_of_rows_does_not_matter(drivers, row, types):
    lines = [row("TP53", "BRCA"), row("APC", "STAD", "C2"), row("APC", "COADREAD", "C1")]
    one = build_cohort([drivers(*lines)], CohortOptions(), types)
    other = build_cohort([drivers(*reversed(lines))], CohortOptions(), types)
    assert one.tasks == other.tasks


@pytest.mark.parametrize(
    ("release", "scheme", "pairs", "genes", "cohorts"),
    [("2023-05-31", "oncotree", 2630, 619, 254), ("2020-02-02", "2020", 2080, 568, 214)],
)
def test_the_real_releases(types, shared_data, release, scheme, pairs, genes, cohorts):
    path = shared_data / "intogen" / f"intogen_{release}_Compendium_Cancer_Genes.tsv"
    cohort = build_cohort([path], CohortOptions(), types)
    assert cohort.scheme == scheme
    assert sum(task.task == "pair" for task in cohort.tasks) == pairs
    assert sum(task.task == "pan-cancer" for task in cohort.tasks) == genes
    assert len(
        {c for task in cohort.tasks if task.statistics for c in task.statistics.cohorts}
    ) == (cohorts)
    assert cohort.dropped == ()
    assert cohort.notes == ()
    assert all(task.cancer_name and task.search_terms for task in cohort.tasks)
    assert len({task.path.casefold() for task in cohort.tasks}) == pairs + genes


def test_conflicting_roles_of_2023_are_shown_as_votes(types, shared_data):
    path = shared_data / "intogen" / "intogen_2023-05-31_Compendium_Cancer_Genes.tsv"
    cohort = build_cohort([path], CohortOptions(pan_cancer=False), types)
    conflicts = [t for t in cohort.tasks if len(t.statistics.role_votes) > 1]
    assert len(conflicts) == 239
    tp53 = next(t for t in cohort.tasks if (t.gene, t.cancer_type) == ("TP53", "BRCA"))
    assert len(tp53.statistics.cohorts) == 14
    assert tp53.statistics.role == "LoF"


def test_the_demo_cohort_is_ten_pairs_of_the_release(types, root, shared_data):
    demo = root / "config" / "demo" / "drivers.tsv"
    release = shared_data / "intogen" / "intogen_2023-05-31_Compendium_Cancer_Genes.tsv"
    assert set(demo.read_text().splitlines()) <= set(release.read_text().splitlines())
    options = CohortOptions(pan_cancer=False)
    whole = {t.path: t for t in build_cohort([release], options, types).tasks}
    cohort = build_cohort([demo], options, types)
    assert [whole[t.path] for t in cohort.tasks] == list(cohort.tasks)


def test_the_demo_pairs(types, root, pairs):
    cohort = build_cohort(
        [root / "config/demo/drivers.tsv"], CohortOptions(pan_cancer=False), types
    )
    assert pairs(cohort) == [
        ("APC", "COADREAD"),
        ("EGFR", "LUAD"),
        ("FBXW7", "COADREAD"),
        ("FLT3", "AML"),
        ("GATA3", "BRCA"),
        ("KEAP1", "LUAD"),
        ("KRAS", "COADREAD"),
        ("PIK3CA", "BRCA"),
        ("TP53", "COADREAD"),
        ("VHL", "CCRCC"),
    ]
