"""Whatever punctuation surrounds a DOI or a PMID, it is found whole; what is none is not found."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.identifier_text import find_identifiers
from intogen_agent.evidence.references import scan


def found(text: str) -> list[str]:
    return [identifier.text for _, identifier in find_identifiers(text)]


_LETTERS = string.ascii_letters + string.digits
_WORDS = st.text(_LETTERS, min_size=1, max_size=8)
# Brackets are closed and punctuation stands between letters, as in registered DOIs.
_PARTS = st.one_of(
    _WORDS,
    _WORDS.map("({})".format),
    _WORDS.map("[{}]".format),
    st.tuples(_WORDS, st.sampled_from(list(".,;:-_/")), _WORDS).map("".join),
    st.tuples(_WORDS, _WORDS).map(lambda pair: f"{pair[0]}<{pair[1]}::AID-{pair[0]}>"),
)
_SUFFIXES = st.tuples(_WORDS, st.lists(_PARTS, max_size=3), _WORDS).map(
    lambda parts: "".join((parts[0], *parts[1], parts[2]))
)
_DOIS = st.tuples(st.integers(1000, 99_999), _SUFFIXES).map(lambda pair: f"10.{pair[0]}/{pair[1]}")
# `<1::AID` is the old DOIs' own; digits behind `<` tell it from markup.
_PLAIN_DOIS = _DOIS.filter(lambda doi: "<" not in doi)
_FRAMES = st.sampled_from(
    [
        "{}",
        "({})",
        "[{}]",
        "{}.",
        "{},",
        "{};",
        "{}:",
        "({}).",
        "[({})];",
        "'{}'",
        '"{}"',
        "“{}”",
        "`{}`",
        "**{}**",
        "{}…",
        "{}?",
        "{}!",
        "|{}|",
        "<b>{}</b>",
        "{}</a>",
        "{{{}}}",
        "<{}>",
        "«{}»",
        "{}—so",
        "(cf.{}),",
        "({}, see above)",
    ]
)
_PREFIXES = st.sampled_from(
    [
        "",
        "doi:",
        "DOI: ",
        "doi ",
        "https://doi.org/",
        "http://dx.doi.org/",
        "doi.org/",
        "HTTPS://DOI.ORG/",
    ]
)


@given(_PLAIN_DOIS, _PREFIXES, _FRAMES)
def test_a_doi_in_any_punctuation_is_found_whole(doi: str, prefix: str, frame: str) -> None:
    assert found(f"see {frame.format(prefix + doi)} there") == [f"DOI:{doi.lower()}"]


@given(_PLAIN_DOIS, st.sampled_from([str.lower, str.upper, str.swapcase]))
def test_a_doi_is_the_same_in_any_case(doi: str, cased: object) -> None:
    assert callable(cased)
    assert found(cased(doi)) == found(doi) == [f"DOI:{doi.lower()}"]


@given(_PLAIN_DOIS, st.integers(1, 2), st.booleans())
def test_a_percent_encoded_doi_is_decoded(doi: str, rounds: int, lower: bool) -> None:
    encoded = doi
    for _ in range(rounds):
        encoded = "".join(
            character if character in _LETTERS + ".-_" else f"%{ord(character):02X}"
            for character in encoded
        )
    encoded = encoded.lower() if lower else encoded
    assert found(f"(https://doi.org/{encoded}).") == [f"DOI:{doi.lower()}"]


@pytest.mark.parametrize("frame", ["{}", "({})", "{}.", '"{}"', "see {};"])
@pytest.mark.parametrize(
    "doi",
    [
        "10.1002/(SICI)1097-0142(19960101)77:1<1::AID-CNCR1>3.0.CO;2-#",
        "10.1016/S0140-6736(97)11096-0",
        "10.1175/1520-0493(2001)129<0001::X>2.0.CO;2",
        "10.3969/j.issn.1000-484X.2010,01,001",
        "10.1130/0091-7613(1990)018[0001:AB]2.3.CO;2",
    ],
)
def test_dois_with_brackets_commas_and_semicolons_are_found_whole(doi: str, frame: str) -> None:
    assert found(frame.format(doi)) == [f"DOI:{doi.lower()}"]


@given(st.lists(_PLAIN_DOIS, min_size=2, max_size=4, unique_by=str.lower))
def test_dois_of_a_list_stay_apart(dois: list[str]) -> None:
    expected = [f"DOI:{doi.lower()}" for doi in dois]
    for separator in ("; ", ", ", " ", "\n", " and ", ",doi:"):
        assert found(f"doi:{separator.join(dois)}") == expected


_PMIDS = st.integers(10_000, 99_999_999)
_LABELS = st.sampled_from(
    [
        "PMID:",
        "PMID: ",
        "PMID ",
        "pmid=",
        "PubMed:",
        "PubMed ID: ",
        "PMID#",
        "Pmid: ",
        "PMID- ",
        "https://pubmed.ncbi.nlm.nih.gov/",
        "https://www.ncbi.nlm.nih.gov/pubmed/",
        "http://www.ncbi.nlm.nih.gov/pubmed/",
        "https://europepmc.org/article/MED/",
    ]
)


@given(_PMIDS, _LABELS, _FRAMES)
def test_a_pmid_in_any_punctuation_is_found_whole(number: int, label: str, frame: str) -> None:
    assert found(f"see {frame.format(label + str(number))} there") == [f"PMID:{number}"]


@given(st.integers(0, 10**12), _FRAMES, st.sampled_from(["", "in ", "n = ", "chr7:", "GRCh", "+"]))
def test_a_number_without_its_source_is_no_identifier(number: int, frame: str, word: str) -> None:
    assert found(f"{word}{frame.format(number)}") == []


@given(st.integers(1900, 2100), st.integers(1, 10**6), st.integers(1, 250_000_000))
def test_years_sample_sizes_and_coordinates_are_no_identifiers(
    year: int, size: int, start: int
) -> None:
    text = (
        f"In {year}, {size} of {size + year} patients (n={size}) had a deletion at "
        f"chr7:{start}-{start + size} or 17:g.{start}C>T (p=0.{year}, {year}-{year + 3})."
    )
    assert found(text) == []
    record = {"year": year, "n": size, "start": start, "end": start + size, "id": str(size)}
    assert scan(str(record).replace("'", '"')) == []


@given(_PMIDS)
def test_the_digits_of_a_pmc_id_are_never_a_pmid(number: int) -> None:
    for text in (f"PMC{number}", f"PMID: PMC{number}", f"pmid:PMC{number}", f"PMCID: PMC{number}"):
        assert found(text) == [f"PMCID:PMC{number}"]


@given(st.from_regex(r"[OPQ][0-9][A-Z0-9]{3}[0-9]", fullmatch=True), _FRAMES)
def test_a_uniprot_accession_counts_only_with_its_source(accession: str, frame: str) -> None:
    assert found(f"the protein {frame.format(accession)} there") == []
    assert found(f"the protein UniProt:{accession} there") == [f"UniProt:{accession}"]
