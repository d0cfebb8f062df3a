import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.cohort.rows import read_calls
from intogen_agent.errors import UserError

PIPELINE = (
    "SYMBOL\tTRANSCRIPT\tCOHORT\tCANCER_TYPE\tMETHODS\tMUTATIONS\tSAMPLES\t%_SAMPLES_COHORT\t"
    "QVALUE_COMBINATION\tROLE\tCGC_GENE\tCGC_CANCER_GENE\tDOMAIN\t2D_CLUSTERS\t3D_CLUSTERS\t"
    "EXCESS_MIS\tEXCESS_NON\tEXCESS_SPL\n"
    "APC\tENST1\tC1\tCOADREAD\tcbase,dndscv\t16.0\t14\t0.09\t2e-4\tLoF\tTrue\tTrue\t\t\t\t0.9\t0\t0\n"
)
UNFILTERED_HEADER = (
    "SYMBOL\tTRANSCRIPT\tCOHORT\tCANCER_TYPE\tMUTATIONS\tSAMPLES_COHORT\tALL_METHODS\tSIG_METHODS\t"
    "QVALUE_COMBINATION\tQVALUE_CGC_COMBINATION\tRANKING\tTIER\tROLE\tCGC_GENE\tTIER_CGC\t"
    "CGC_CANCER_GENE\tSIGNATURE9\tSIGNATURE10\tWARNING_EXPRESSION\tWARNING_GERMLINE\tSAMPLES_3MUTS\t"
    "OR_WARNING\tWARNING_ARTIFACT\tKNOWN_ARTIFACT\tNUM_PAPERS\tWARNING_ENSEMBL_TRANSCRIPTS\tDRIVER\t"
    "FILTER\n"
)


def unfiltered(gene: str, driver: str, why: str) -> str:
    return (
        f"{gene}\tENST1\tC1\tCOADREAD\t20\t250\tcbase,dndscv,hotmaps\tcbase\t0.04\t0.01\t1\t1\tLoF\t"
        f"True\t1\tTrue\t0\t0\tFalse\tFalse\t0\tFalse\tFalse\tFalse\t12\tFalse\t{driver}\t{why}\n"
    )


@pytest.fixture
def read(write, types):
    def _read(content, name="drivers.tsv", **columns):
        return read_calls(write(content, name), columns, types.known_in_any)

    return _read


def test_pipeline_drivers(read):
    (call,) = read(PIPELINE).calls
    assert (call.gene, call.cancer_type, call.cohort) == ("APC", "COADREAD", "C1")
    assert call.methods == ("cbase", "dndscv")
    assert (call.qvalue, call.samples, call.role) == (2e-4, 14, "LoF")


def test_unfiltered_rows_are_drivers_only_where_intogen_says_so(read):
    reading = read(
        UNFILTERED_HEADER
        + unfiltered("APC", "True", "PASS")
        + unfiltered("TTN", "False", "No driver")
        + unfiltered("OR1A1", "True", "Olfactory Receptor")
        + unfiltered("XYZ1", "True", "Lack of literature evidence")
        + unfiltered("XYZ2", "True", "")
        + unfiltered("XYZ3", "", "PASS")
    )
    assert [call.gene for call in reading.calls] == ["APC"]
    reasons = {row.gene: row.reason for row in reading.dropped}
    assert "DRIVER is False" in reasons["TTN"]
    assert "Olfactory Receptor" in reasons["OR1A1"]
    assert "Lack of literature evidence" in reasons["XYZ1"]
    assert "empty, not PASS" in reasons["XYZ2"]
    assert "neither True nor False" in reasons["XYZ3"]
    assert [row.line for row in reading.dropped] == [3, 4, 5, 6, 7]


def test_unfiltered_counts_of_the_whole_cohort_are_not_mutated_samples(read):
    (call,) = read(UNFILTERED_HEADER + unfiltered("APC", "True", "PASS")).calls
    assert call.samples is None
    assert call.methods == ("cbase",)


def test_a_table_without_any_driver_says_so(read):
    with pytest.raises(UserError, match=r"no valid row among 1.*DRIVER is False"):
        read(UNFILTERED_HEADER + unfiltered("TTN", "False", "No driver"))


def test_2024_layout_keeps_flagged_drivers(read):
    reading = read(
        "SYMBOL\tCOHORT\tCANCER_TYPE\tMETHODS\tMUTATIONS\tSAMPLES\t%_SAMPLES_COHORT\tTOTAL_SAMPLES\t"
        "QVALUE_COMBINATION\tROLE\tIS_DRIVER\n"
        "APC\tC1\tCOADREAD\tcbase\t3\t2.0\t0.01\t200\t0.2\tLoF\tTrue\n"
        "TTN\tC1\tCOADREAD\tcbase\t3\t2.0\t0.01\t200\t0.2\tLoF\tFalse\n"
    )
    assert [(call.gene, call.samples) for call in reading.calls] == [("APC", 2)]
    assert "IS_DRIVER is False" in reading.dropped[0].reason


def test_no_row_is_lost_for_its_qvalue(read):
    text = PIPELINE.replace("2e-4", "0.36")
    assert read(text).calls[0].qvalue == 0.36


def test_renamed_columns_of_nf_core(read):
    reading = read("TUMOUR_TYPE\tTUMOUR_GENE\nCOADREAD\tAPC\n")
    assert [(call.gene, call.cancer_type) for call in reading.calls] == [("APC", "COADREAD")]


@pytest.mark.parametrize(
    ("gene", "cancer"),
    [
        ("gene", "cancer_type"),
        ("Gene", "Cancer"),
        ("GENE", "CANCER"),
        ("symbol", "tumor type"),
        ("Hugo_Symbol", "CANCER TYPE"),
        ("Gene.Symbol", "Tumour-Type"),
        ("#SYMBOL", "CANCER_TYPE"),
    ],
)
@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_two_columns_with_a_usual_header(read, gene, cancer, delimiter):
    reading = read(f"{gene}{delimiter}{cancer}\nAPC{delimiter}COADREAD\n", "list.csv")
    assert [(call.gene, call.cancer_type, call.line) for call in reading.calls] == [
        ("APC", "COADREAD", 2)
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("APC\tCOADREAD\nKRAS\tPAAD\n", "APC"),
        ("APC,COADREAD\nKRAS,PAAD", "APC"),
        ("apc\tCOADREAD\n", "apc"),  # the code is known
        ("APC\tMYTYPE\n", "APC"),  # the symbol is plain
        ("C9orf72\tMYTYPE\n", "C9orf72"),
        ("APC\tCANCER\n", "APC"),
        ("APC\tCOADREAD\t\n", "APC"),
        ("\n\nAPC\tCOADREAD\n", "APC"),
    ],
)
def test_two_columns_without_a_header(read, text, first):
    assert read(text, "list.tsv").calls[0].gene == first


def test_a_spreadsheet_date_in_the_first_row_is_a_row(read):
    reading = read("1-Mar\tBRCA\nAPC\tCOADREAD\n")
    assert reading.dropped[0].line == 1
    assert "MARCHF1" in reading.dropped[0].reason


@pytest.mark.parametrize(
    "header",
    ["GENE\tTYPE", "foo\tbar", "ID\tTUMOR_TYPE", "Gene ID\tWhat", "SYMBOL", "A\tB\tC"],
)
def test_an_unknown_header_never_becomes_a_gene(read, header):
    with pytest.raises(UserError, match=r"line 1: no column of .* columns: \{gene: HEADER"):
        read(f"{header}\nAPC\tCOADREAD\n")


def test_unique_drivers_cannot_yield_pairs(read):
    text = "ENSEMBL_GENE\tSYMBOL\tENSEMBL_PROTEIN\tENSEMBL_TRANSCRIPT\nENSG1\tAPC\tENSP1\tENST1\n"
    with pytest.raises(UserError, match=r"unique_drivers\.tsv.*no cancer type.*drivers\.tsv"):
        read(text, "unique_drivers.tsv")


@pytest.mark.parametrize(
    "header",
    [
        "COHORT\tCANCER_TYPE\tPLATFORM\tMUTATIONS\tSAMPLES",
        "COHORT\tCANCER\tCANCER_NAME\tSOURCE\tPLATFORM\tPROJECT\tSAMPLES",
    ],
)
def test_cohorts_cannot_yield_pairs(read, header):
    with pytest.raises(UserError, match=r"cohorts\.tsv.*no gene.*drivers\.tsv"):
        read(f"{header}\nC1\tBRCA\tWXS\t1\t2\n", "cohorts.tsv")


def test_users_columns_go_first(read):
    reading = read("SYMBOL\tGen\tTumour\tp\nX\tAPC\tCOADREAD\t0.5\n", gene="Gen", qvalue="p")
    assert (reading.calls[0].gene, reading.calls[0].qvalue) == ("APC", 0.5)


def test_a_column_that_the_file_lacks_is_named(read):
    with pytest.raises(UserError, match="line 1: no column of 'Gen'"):
        read("X\tCANCER_TYPE\nAPC\tCOADREAD\n", gene="Gen")


def test_an_unknown_column_key_names_the_valid_ones(read):
    with pytest.raises(UserError, match=r"'genes'.*gene, cancer_type, cohort"):
        read(PIPELINE, genes="SYMBOL")


def test_a_repeated_header_is_refused(read):
    with pytest.raises(UserError, match="'SYMBOL' occurs twice"):
        read("SYMBOL\tSYMBOL\tCANCER_TYPE\nAPC\tAPC\tCOADREAD\n")


@pytest.mark.parametrize(
    "content",
    [
        PIPELINE.encode(),
        b"\xef\xbb\xbf" + PIPELINE.encode(),
        PIPELINE.replace("\n", "\r\n").encode(),
        PIPELINE.replace("\n", "\r").encode(),
        PIPELINE.rstrip("\n").encode(),
        PIPELINE.replace("\t", ",").replace("cbase,dndscv", '"cbase,dndscv"').encode(),
        gzip.compress(PIPELINE.encode()),
        gzip.compress(b"\xef\xbb\xbf" + PIPELINE.encode()),
    ],
    ids=["plain", "bom", "crlf", "cr", "no-end", "csv", "gzip", "gzip-bom"],
)
def test_one_table_in_many_wrappings(read, content):
    (call,) = read(content).calls
    assert (call.gene, call.cancer_type, call.methods) == ("APC", "COADREAD", ("cbase", "dndscv"))
    assert call.line == 2


def test_gzip_is_known_by_its_content_not_its_name(read):
    assert read(PIPELINE, "drivers.tsv.gz").calls


def test_quoted_fields_may_hold_delimiters_quotes_and_line_ends(read):
    reading = read('gene,cancer_type,cohort\n"APC","COADREAD","a,""b""\nc"\nKRAS,PAAD,d\n')
    assert [(call.cohort, call.line) for call in reading.calls] == [('a,"b" c', 2), ("d", 4)]


def test_values_are_trimmed(read):
    reading = read('gene, cancer_type\n  APC ,\u00a0COADREAD \nKRAS, "PAAD"\n')
    assert [(call.gene, call.cancer_type) for call in reading.calls] == [
        ("APC", "COADREAD"),
        ("KRAS", "PAAD"),
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"SYMBOL\tCANCER_TYPE\n", "line 1: a header and no rows"),
        (b"SYMBOL\tCANCER_TYPE\nAPC\tCO\xe9AD\n", "line 2, character 7: byte 0xe9.*UTF-8"),
        (b"\xff\xfeS\x00", "UTF-16"),
        (b"PK\x03\x04xl", "Excel workbook"),
        (gzip.compress(PIPELINE.encode(), mtime=0)[:40], "damaged gzip"),
        (b'SYMBOL,CANCER_TYPE\nAPC,COADREAD\n"KRAS,PAAD\n', "line 3: the row cannot be read"),
        (b"SYMBOL\tCANCER_TYPE\n../x\tCOADREAD\n", "line 2: no valid row among 1.*'/'"),
    ],
)
def test_bad_files_are_refused_with_place_and_remedy(read, content, words):
    with pytest.raises(UserError, match=words) as caught:
        read(content)
    assert "drivers.tsv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_are_refused(tmp_path, types):
    with pytest.raises(UserError, match="no such file"):
        read_calls(tmp_path / "none.tsv", {}, types.known_in_any)
    with pytest.raises(UserError, match="is a folder"):
        read_calls(tmp_path, {}, types.known_in_any)


def test_dropped_rows_have_line_and_reason(read):
    reading = read(
        "SYMBOL\tCANCER_TYPE\n"
        "APC\tCOADREAD\n"
        "\tCOADREAD\n"
        "APC\t\n"
        "2-Sep\tBRCA\n"
        "APC\tBRCA\textra\n"
        "\n"
        "KRAS\n"
        "\t\n"
        f"{'A' * 300}\tBRCA\n"
    )
    assert [(row.line, row.reason.split(":")[0]) for row in reading.dropped] == [
        (3, "gene symbol is empty"),
        (4, "cancer type is empty"),
        (5, "gene symbol '2-Sep' is a date made by a spreadsheet"),
        (6, "row has 3 fields where 2 are expected; quote the delimiter"),
        (8, "cancer type is empty"),
        (9, "row is empty"),
        (10, f"gene symbol '{'A' * 40}...' has 300 characters (at most 40)"),
    ]
    assert len(reading.calls) == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("QVALUE_COMBINATION", "abc"),
        ("QVALUE_COMBINATION", "1.5"),
        ("QVALUE_COMBINATION", "inf"),
        ("SAMPLES", "-3"),
        ("SAMPLES", "2.5"),
        ("SAMPLES", "inf"),
        ("ROLE", "oncogene"),
    ],
)
def test_odd_statistics_are_left_out_and_reported(drivers, row, types, column, value):
    path = drivers(row("APC", "COADREAD", **{column: value}), row("KRAS", "PAAD"))
    reading = read_calls(path, {}, types.known_in_any)
    assert len(reading.calls) == 2
    (note,) = reading.notes
    assert f"line 2, column {column}: '{value}'" in note


@pytest.mark.parametrize(
    ("value", "role"),
    [("Act", "Act"), ("act", "Act"), ("LOF", "LoF"), ("amb", "ambiguous"), ("", ""), ("nan", "")],
)
def test_roles(drivers, row, types, value, role):
    reading = read_calls(drivers(row("APC", "COADREAD", ROLE=value)), {}, types.known_in_any)
    assert reading.calls[0].role == role
    assert reading.notes == []


@given(st.binary(max_size=200))
def test_any_bytes_give_rows_or_one_clear_line(tmp_path_factory, types, content):
    path = tmp_path_factory.getbasetemp() / "any.tsv"
    path.write_bytes(content)
    try:
        read_calls(path, {}, types.known_in_any)
    except UserError as error:
        assert str(error).startswith(str(path))
        assert "\n" not in str(error)


@given(
    st.lists(
        st.tuples(st.text(max_size=20), st.text(max_size=20)),
        max_size=10,
    )
)
def test_every_row_is_a_call_or_dropped(tmp_path_factory, types, rows):
    import csv

    path = tmp_path_factory.getbasetemp() / "rows.csv"
    with path.open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL)
        writer.writerows([("gene", "cancer_type"), ("APC", "COADREAD"), *rows])
    reading = read_calls(path, {}, types.known_in_any)
    assert len(reading.calls) + len(reading.dropped) == len(rows) + 1
