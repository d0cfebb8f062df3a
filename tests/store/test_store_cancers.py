"""Which cancer types a text names, and what a disease name asks for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_records import CANCER_TYPES, HEADER

from intogen_agent.errors import UserError
from intogen_agent.store.cancers import CancerNames, CancerQuery, CancerType, read_cancer_types

TYPES = [
    CancerType(scheme, code, name, parent, (name, *terms.split("|")))
    for scheme, code, name, parent, terms, _ in (row.split("\t") for row in CANCER_TYPES)
]
NAMES = CancerNames(TYPES)


def terms(keys: object) -> set[str]:
    by_key = {key: term for term, key in NAMES.keys.items()}
    return {by_key[key] for key in keys}  # type: ignore[attr-defined]


def resolve(disease: str) -> CancerQuery:
    query = NAMES.resolve(disease)
    assert query is not None
    return query


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Colorectal cancers", {"colorectal cancer"}),
        ("colorectal carcinoma", {"colorectal cancer"}),
        ("colorectal tumours", {"colorectal cancer"}),
        ("adenocarcinoma of the lung", {"lung adenocarcinoma"}),
        ("cancer of the lung", {"lung cancer"}),
        ("non-small-cell lung cancer", {"non small cell lung cancer"}),
        ("non small cell lung carcinomas", {"non small cell lung cancer"}),
        ("small cell lung cancer", {"small cell lung cancer"}),
        ("acute myeloid leukaemia", {"acute myeloid leukemia"}),
        ("AML and NSCLC", {"aml", "nsclc"}),
        ("aml", set()),
        ("cancer, tumours and malignancies", set()),
        ("melanomas", {"melanoma"}),
        ("non-melanoma skin tumours", set()),
        ("", set()),
    ],
)
def test_terms_are_found_in_unified_spelling(text: str, named: set[str]) -> None:
    assert terms(NAMES.find(text)) == named


@pytest.mark.parametrize(
    "disease",
    [
        *("cancer", "Cancers", "tumor", "tumour", "neoplasms", "malignancy", "carcinoma", "CANCER"),
        *("any cancer", "pan-cancer", "solid tumors", "Human cancer", "malignant neoplasm"),
        "Any Cancer Type",
    ],
)
def test_general_words_ask_for_any_cancer(disease: str) -> None:
    assert resolve(disease).general


@pytest.mark.parametrize(
    "disease",
    [
        *(
            "colorectal cancer",
            "Colorectal Adenocarcinoma",
            "COADREAD",
            "COREAD",
            "colon carcinoma",
        ),
        *("Colorectal Neoplasms", "metastatic colorectal cancer", "cancer of the colon"),
    ],
)
def test_a_name_term_or_code_asks_for_all_terms_of_the_type(disease: str) -> None:
    assert {"colorectal cancer", "colorectal adenocarcinoma"} <= terms(resolve(disease).own)


def test_subtypes_are_included_and_relatives_are_not() -> None:
    query = resolve("lung cancer")
    assert {"lung adenocarcinoma", "small cell lung cancer"} <= terms(query.narrower)
    assert "lung cancer" not in terms(resolve("lung adenocarcinoma").own)
    assert not resolve("lung adenocarcinoma").narrower


def test_inverted_names_are_read() -> None:
    assert terms(resolve("Leukemia, Myeloid, Acute").exact) == {"acute myeloid leukemia"}


@pytest.mark.parametrize("disease", ["gout", "uveal disease", "", "unknown primary"])
def test_an_unknown_disease_is_not_guessed(disease: str) -> None:
    assert NAMES.resolve(disease) is None


def test_a_cycle_of_parents_ends() -> None:
    names = CancerNames(
        [
            CancerType("s", "A", "alpha sarcoma", "B", ()),
            CancerType("s", "B", "beta", "A", ("b b",)),
        ]
    )
    query = names.resolve("B")
    assert query is not None
    assert query.own == {names.keys["b b"]}


def test_a_type_that_is_its_own_parent_ends() -> None:
    names = CancerNames([CancerType("s", "A", "alpha", "A", ("alpha",))])
    assert names.resolve("A") is not None


@given(st.text())
def test_any_disease_name_can_be_asked(disease: str) -> None:
    query = NAMES.resolve(disease)
    assert query is None or query.general or query.own


@given(st.text(max_size=60), st.sampled_from(["melanoma", "lung adenocarcinoma"]))
def test_a_term_is_found_wherever_it_stands(text: str, term: str) -> None:
    assert NAMES.keys[term] in NAMES.find(f"{text}. {term}.") or text.lower().rstrip().endswith(
        "non"
    )


def write(path: Path, *lines: str) -> Path:
    file = path / "types.tsv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_columns_are_found_by_their_names(tmp_path: Path) -> None:
    file = write(tmp_path, "code\tname\tscheme\tsearch_terms\tparent", "X\tEx\ts\ta b| c \tP")
    assert read_cancer_types(file) == [CancerType("s", "X", "Ex", "P", ("Ex", "a b", "c"))]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["scheme\tcode\tname\tparent"], "line 1: column search_terms"),
        ([""], "line 1: column scheme"),
        ([HEADER, "s\tX\tEx"], "line 2: 3 columns where the header has 6"),
        ([HEADER, "s\t\tEx\t\t\t"], "line 2: column code is empty"),
        ([HEADER, "s\tX\t \t\t\t"], "line 2: column name is empty"),
        ([HEADER, "s\tX\tEx\t\t\t", "", "s\tX\tEx\t\t\t"], "line 4: code X of s again"),
    ],
)
def test_a_bad_table_is_refused_in_one_line(tmp_path: Path, lines: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told) as error:
        read_cancer_types(write(tmp_path, *lines))
    assert "\n" not in str(error.value)


def test_a_table_that_is_missing_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--cancer-types"):
        read_cancer_types(tmp_path / "none.tsv")
    (tmp_path / "bad.tsv").write_bytes(b"scheme\xff")
    with pytest.raises(UserError, match="UTF-8"):
        read_cancer_types(tmp_path / "bad.tsv")
