import csv
import re

import pytest

from intogen_agent.cohort.cancer_types import CancerTypes, default_path, load_cancer_types
from intogen_agent.cohort.options import ExtraCancerType
from intogen_agent.cohort.paths import cancer_path
from intogen_agent.errors import UserError

TISSUES = {"pancreas", "vulva/vagina", "soft tissue", "skin", "bowel", "breast", "other", "eye"}
HEADER = "scheme\tcode\tname\tparent\tsearch_terms\tefo_id\n"


def test_both_schemes_are_complete(types):
    count = {s: sum(scheme == s for scheme, _ in types.entries) for s in ("2020", "oncotree")}
    assert count == {"2020": 95, "oncotree": 888}


def test_every_source_code_is_there_with_its_parent(types, shared_data):
    path = shared_data / "intogen" / "cancer_types.tsv"
    with path.open(newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle, delimiter="\t"):
            scheme = "2020" if row["scheme"] == "intogen_2020" else "oncotree"
            found = types.get(scheme, row["code"])
            assert found is not None
            assert found.parent == row["parent"]


@pytest.mark.parametrize("release", ["2020-02-02", "2023-05-31"])
def test_every_code_of_a_release_has_search_terms(types, shared_data, release):
    path = shared_data / "intogen" / f"intogen_{release}_Compendium_Cancer_Genes.tsv"
    scheme = "2020" if release.startswith("2020") else "oncotree"
    with path.open(newline="") as handle:
        codes = {row["CANCER_TYPE"] for row in csv.DictReader(handle, delimiter="\t")}
    assert all(types.entries[scheme, code].search_terms for code in codes)


def test_terms_are_lower_case_words_and_never_a_tissue_or_a_bare_acronym(types):
    for item in types.entries.values():
        assert item.search_terms, item.code
        assert len(set(item.search_terms)) == len(item.search_terms)
        for term in item.search_terms:
            assert term == term.lower().strip()
            assert "any cancer type" not in term
            assert term not in TISSUES
            assert term != item.code.lower() or item.code == "CANCER"
            assert len(term) >= 6 or term in ("tumor", "myxoma", "glioma")


def test_names_that_are_no_tissue_are_among_the_terms(types):
    item = types.entries["oncotree", "LUAD"]
    assert item.search_terms[0] == item.name.lower()


@pytest.mark.parametrize(
    ("scheme", "code", "terms"),
    [
        (
            "oncotree",
            "COADREAD",
            {"colorectal adenocarcinoma", "colorectal cancer", "colon cancer"},
        ),
        ("2020", "COREAD", {"colorectal cancer", "rectal cancer"}),
        ("oncotree", "AML", {"acute myeloid leukemia", "acute myeloid leukaemia"}),
        ("oncotree", "PANCREAS", {"pancreatic cancer"}),
        ("oncotree", "VULVA", {"vulvar cancer", "vaginal cancer"}),
        ("oncotree", "ESCA", {"esophageal cancer", "oesophageal cancer"}),
        (
            "oncotree",
            "PANET",
            {"pancreatic neuroendocrine tumor", "pancreatic neuroendocrine tumour"},
        ),
        ("oncotree", "PGNG", {"pheochromocytoma", "phaeochromocytoma"}),
        ("2020", "NHLY", {"non-hodgkin lymphoma"}),
        ("2020", "CLL", {"chronic lymphocytic leukemia"}),
        (
            "oncotree",
            "CANCER",
            {"cancer", "tumor", "tumour", "neoplasm", "carcinoma", "malignancy"},
        ),
        ("oncotree", "BOWEL", {"bowel cancer"}),
    ],
)
def test_terms_that_a_search_needs(types, scheme, code, terms):
    assert terms <= set(types.entries[scheme, code].search_terms)


def test_american_tumors_are_british_tumours_too(types):
    for item in types.entries.values():
        for american, british in (("tumor", "tumour"), ("leukemia", "leukaemia")):
            terms = item.search_terms
            count = sum(american in term for term in terms)
            assert count == sum(british in term for term in terms), item.code


def test_the_same_code_keeps_two_meanings(types):
    assert types.entries["2020", "AN"].name == "Anus cancer"
    assert types.entries["oncotree", "AN"].name == "Atypical Nevus"
    assert types.entries["2020", "AN"].efo_id == "MONDO_0001879"
    assert types.entries["oncotree", "AN"].efo_id == ""  # anus cancer's id is not a nevus's


def test_disease_identifiers_are_well_formed(types):
    ids = [item.efo_id for item in types.entries.values() if item.efo_id]
    assert len(ids) > 100
    assert all(re.fullmatch(r"(MONDO|EFO|Orphanet)_\d+", efo_id) for efo_id in ids)


def test_all_known_types_have_folders_of_their_own(types):
    paths = {
        cancer_path(scheme, code).casefold() for scheme, code in types.entries if code != "CANCER"
    }
    assert len(paths) == len(types.entries) - 2


@pytest.mark.parametrize(
    ("codes", "scheme"),
    [
        ({"COADREAD", "CCRCC"}, "oncotree"),
        ({"COREAD", "RCCC"}, "2020"),
        ({"BRCA", "AML"}, "oncotree"),  # both know them
        ({"COREAD", "BRCA", "LUAD"}, "2020"),
        (set(), "oncotree"),
        ({"FOO"}, "oncotree"),
    ],
)
def test_the_scheme_is_the_one_that_knows_most_codes(types, codes, scheme):
    assert types.detect(codes) == scheme


def test_codes_of_both_schemes_follow_the_preferred_one(types):
    assert types.detect({"BRCA"}, "2020") == "2020"


def test_users_codes_complete_themselves(types):
    more = types.with_extra(
        [
            ExtraCancerType("MINE", name="My  Cancer"),
            ExtraCancerType("TERM", search_terms=("some tumor", "some tumour")),
            ExtraCancerType("BARE"),
        ]
    )
    assert more.entries["custom", "MINE"].name == "My Cancer"
    assert more.entries["custom", "MINE"].search_terms == ("my cancer",)
    assert more.entries["custom", "TERM"].name == "some tumor"
    assert more.entries["custom", "BARE"].name == ""


def test_users_codes_go_before_known_ones(types):
    more = types.with_extra([ExtraCancerType("ACC", name="Adenoid cystic carcinoma")])
    found = more.resolve("oncotree", "ACC")
    assert found is not None
    assert (found.scheme, found.name) == ("custom", "Adenoid cystic carcinoma")


def test_extra_types_can_replace_an_entry_of_a_scheme(types):
    more = types.with_extra([ExtraCancerType("LUAD", name="Lung AC", scheme="oncotree")])
    assert more.entries["oncotree", "LUAD"].name == "Lung AC"


@pytest.mark.parametrize(
    ("extra", "word"),
    [
        ([ExtraCancerType("")], "empty"),
        ([ExtraCancerType("A", scheme="icd")], "icd"),
        ([ExtraCancerType("A", name="x"), ExtraCancerType("A", name="y")], "twice"),
    ],
)
def test_impossible_extra_types_are_refused(types, extra, word):
    with pytest.raises(UserError, match=word):
        types.with_extra(extra)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "line 1"),
        ("code\tname\n", "line 1"),
        (HEADER + "oncotree\tX\tX\n", "line 2"),
        (HEADER + "icd\tX\tX\t\tx\t\n", "column scheme"),
        (HEADER + "oncotree\t\tX\t\tx\t\n", "column code"),
        (HEADER + 2 * "oncotree\tX\tX\t\tx\t\n", "line 3.*twice"),
    ],
)
def test_a_malformed_table_is_refused_with_its_line(tmp_path, text, word):
    path = tmp_path / "types.tsv"
    path.write_text(text)
    with pytest.raises(UserError, match=word):
        load_cancer_types(path)


def test_a_missing_table_says_how_to_name_one(tmp_path):
    with pytest.raises(UserError, match="--cancer-types"):
        load_cancer_types(tmp_path / "none.tsv")


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "types.tsv"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="UTF-8"):
        load_cancer_types(path)


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("COREAD", "scheme 2020"),
        ("coadread", "did you mean COADREAD"),
        ("Lung Adenocarcinoma", "did you mean LUAD"),
    ],
)
def test_hints_for_unknown_codes(types, code, word):
    assert word in types.hint(code)


def test_no_hint_is_made_up(types):
    assert types.hint("QQQQ") == ""


def test_the_default_table_is_the_checkouts(root):
    assert default_path() == root / "config" / "cancer_types.tsv"
    assert isinstance(load_cancer_types(default_path()), CancerTypes)
