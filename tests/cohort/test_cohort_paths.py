import re
import string

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from intogen_agent.cohort.paths import SUFFIXES, cancer_path, code_problem, gene_path
from intogen_agent.cohort.symbols import symbol_problem
from intogen_agent.errors import UserError

SAFE = re.compile(r"[A-Za-z0-9+][A-Za-z0-9+._@-]*")

letters = st.sampled_from("ABCabcCorfORF0129-._@")
symbols = st.one_of(
    st.text(letters, min_size=1, max_size=12),
    st.from_regex(r"C[0-9]{1,2}(orf|ORF|Orf)[0-9]{1,2}", fullmatch=True),
).filter(lambda text: symbol_problem(text) is None)
codes = st.one_of(
    st.text(string.ascii_uppercase + "_-/+.", min_size=1, max_size=12),
    st.text(st.sampled_from("Aa+/2Ff01.-"), min_size=1, max_size=10),
    st.text(min_size=1, max_size=100),
).filter(lambda text: code_problem(text) is None)
schemes = st.sampled_from(sorted(SUFFIXES))


@pytest.mark.parametrize(
    "symbol", ["APC", "H3-3A", "NKX2-1", "LY75-CD302", "C9orf72", "CXorf38", "HOXA@"]
)
def test_usual_symbols_are_their_own_folders(symbol):
    assert gene_path(symbol) == symbol


@pytest.mark.parametrize("symbol", ["apc", "C9ORF72", "C9Orf72", "CXORF38", "HSPB2-C11orf52"])
def test_symbols_that_could_meet_another_on_a_blind_disk_get_a_hash(symbol):
    assert re.fullmatch(re.escape(symbol) + r"\+[0-9a-f]{6}", gene_path(symbol))


@pytest.mark.parametrize("symbol", ["../x", "", "A" * 300, "A B", "1-Mar", "_run", "A/B", "A\n"])
def test_no_hostile_symbol_becomes_a_path(symbol):
    with pytest.raises(UserError):
        gene_path(symbol)


@pytest.mark.parametrize(
    ("scheme", "code", "path"),
    [
        ("oncotree", "COADREAD", "COADREAD"),
        ("oncotree", "MDS/MPN", "MDS+2FMPN"),
        ("oncotree", "HCL-V", "HCL-V"),
        ("oncotree", "SOFT_TISSUE", "SOFT_TISSUE"),
        ("2020", "COREAD", "COREAD.2020"),
        ("custom", "XYZ", "XYZ.custom"),
        ("custom", "MY TYPE", "MY+20TYPE.custom"),
        ("custom", "../X", "+2E+2E+2FX.custom"),
        ("custom", "_RUN", "+5FRUN.custom"),
        ("custom", "-X", "+2DX.custom"),
        ("custom", "A+B", "A+2BB.custom"),
        *((scheme, "CANCER", "CANCER") for scheme in SUFFIXES),
    ],
)
def test_cancer_folders(scheme, code, path):
    assert cancer_path(scheme, code) == path


def test_codes_of_the_2020_scheme_in_mixed_case_do_not_meet_the_upper_case_code():
    assert cancer_path("2020", "Stomach").startswith("Stomach+")
    assert cancer_path("custom", "cancer").startswith("cancer+")


@pytest.mark.parametrize("code", ["", "nan", "A\tB", "A\nB", "X" * 81])
def test_impossible_codes_are_refused(code):
    with pytest.raises(UserError):
        cancer_path("oncotree", code)


def test_an_unknown_scheme_is_refused():
    with pytest.raises(UserError, match="icd"):
        cancer_path("icd", "C18")


@given(symbols)
def test_gene_folders_are_safe(symbol):
    path = gene_path(symbol)
    assert SAFE.fullmatch(path)
    assert len(path) <= 100
    assert path.startswith(symbol)


@given(schemes, codes)
def test_cancer_folders_are_safe(scheme, code):
    path = cancer_path(scheme, code)
    assert SAFE.fullmatch(path)
    assert path[0] not in "_.-"
    assert len(path) <= 100
    assert path.endswith(SUFFIXES[scheme]) or path == "CANCER"


@given(symbols, symbols)
@example("C9orf72", "C9ORF72")
@example("apc", "APC")
def test_gene_folders_differ_on_a_disk_that_ignores_case(one, other):
    assume(one != other)
    assert gene_path(one).casefold() != gene_path(other).casefold()


@given(st.data())
def test_case_variants_of_a_symbol_have_folders_of_their_own(data):
    symbol = data.draw(symbols)
    swaps = data.draw(st.lists(st.booleans(), min_size=len(symbol), max_size=len(symbol)))
    twin = "".join(c.swapcase() if swap else c for c, swap in zip(symbol, swaps, strict=True))
    assume(twin != symbol and symbol_problem(twin) is None)
    assert gene_path(twin).casefold() != gene_path(symbol).casefold()


@given(schemes, codes, schemes, codes)
@example("oncotree", "A.2020", "2020", "A")
@example("oncotree", "MDS/MPN", "oncotree", "MDS+2FMPN")
@example("oncotree", "S/1234", "oncotree", "s")
@example("2020", "Stomach", "2020", "STOMACH")
def test_cancer_folders_differ_on_a_disk_that_ignores_case(scheme, code, scheme2, code2):
    assume((scheme, code) != (scheme2, code2))
    assume({code, code2} != {"CANCER"})
    assert cancer_path(scheme, code).casefold() != cancer_path(scheme2, code2).casefold()


def test_a_code_that_ends_like_a_hash_gets_one_itself():
    assert re.fullmatch(r"S\+2F1234\+[0-9a-f]{6}", cancer_path("oncotree", "S/1234"))
