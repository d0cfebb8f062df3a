"""Finding identifiers in running text."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.identifier_text import find_identifiers
from intogen_agent.evidence.references import canonical_url, parse_identifier, scan


def found(text: str) -> list[str]:
    return [identifier.text for _, identifier in find_identifiers(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # PMIDs
        ("shown before (PMID: 9065401).", ["PMID:9065401"]),
        ("PMID 9065401, PMID:1338904", ["PMID:9065401", "PMID:1338904"]),
        ("(PubMed:10656250, PubMed:10677483)", ["PMID:10656250", "PMID:10677483"]),
        ("PMIDs: 12345678, 23456789 and 34 patients", ["PMID:12345678", "PMID:23456789"]),
        ("PMIDs: 9065401, 1338904, and 2266301", ["PMID:9065401", "PMID:1338904", "PMID:2266301"]),
        ("pmid = {20516115}, year = {2010}", ["PMID:20516115"]),
        ("PMIDs 12345678;23456789", ["PMID:12345678", "PMID:23456789"]),
        ("PMID: 12345678, 34 of 56 tumours", ["PMID:12345678"]),
        ("PMID- 9065401", ["PMID:9065401"]),
        ('"pmid": 20516115, "year": 2010', ["PMID:20516115"]),
        ("PMID: 12345678.", ["PMID:12345678"]),
        ("PMID: 1234567890", []),
        ("PMID: 0123456", []),
        ("PMID: 12345678abc", []),
        ("a pyramid 123456", []),
        ("We searched PubMed 1990-2015", []),
        ("We searched PubMed: 1990-2015", []),
        ("PubMed 12 hits", []),
        ("https://pubmed.ncbi.nlm.nih.gov/22663011/", ["PMID:22663011"]),
        ("see https://www.ncbi.nlm.nih.gov/pubmed/22663011.", ["PMID:22663011"]),
        ("see pubmed.ncbi.nlm.nih.gov/22663011)", ["PMID:22663011"]),
        ("[PubMed](https://pubmed.ncbi.nlm.nih.gov/22663011/)", ["PMID:22663011"]),
        ("https://pubmed.ncbi.nlm.nih.gov/?term=12345678", []),
        ("https://pubmed.ncbi.nlm.nih.gov/?linkname=pubmed_pubmed&from_uid=22663011", []),
        # PMC ids
        ("PMC128915", ["PMCID:PMC128915"]),
        ("PMID:PMC128915", ["PMCID:PMC128915"]),
        ("PMCID: PMC77; next", ["PMCID:PMC77"]),
        ("PMC42 breast cancer cells", []),
        ("xPMC128915 PMC128915x", []),
        # DOIs
        ("doi:10.1038/nature12213.", ["DOI:10.1038/nature12213"]),
        ("(doi: 10.1038/nature12213)", ["DOI:10.1038/nature12213"]),
        ("10.1016/S0140-6736(97)11096-0, and", ["DOI:10.1016/s0140-6736(97)11096-0"]),
        ("(10.1016/S0140-6736(97)11096-0)", ["DOI:10.1016/s0140-6736(97)11096-0"]),
        ("10.1038/a1,10.1038/b2;10.1038/c3", [f"DOI:10.1038/{x}" for x in ("a1", "b2", "c3")]),
        ("doi:10.1038/a1,doi:10.1038/b2", ["DOI:10.1038/a1", "DOI:10.1038/b2"]),
        ("10.3969/j.issn.1000-484X.2010,01,001", ["DOI:10.3969/j.issn.1000-484x.2010,01,001"]),
        ("10.1038/x;PMID:123456", ["DOI:10.1038/x", "PMID:123456"]),
        ("10.1038/x[PMID:123456]", ["DOI:10.1038/x", "PMID:123456"]),
        ("10.1038/x.PMID:123456", ["DOI:10.1038/x", "PMID:123456"]),
        ("10.1016/j.pmcj.2010.1", ["DOI:10.1016/j.pmcj.2010.1"]),
        ("**10.1038/x**", ["DOI:10.1038/x"]),
        ("“10.1038/x”", ["DOI:10.1038/x"]),
        ("10.1158/0008\u20105472.CAN\u201109", ["DOI:10.1158/0008-5472.can-09"]),
        ("10.1038/x\u2014a study", ["DOI:10.1038/x"]),
        ("https://doi.org/10.1038/x,https://doi.org/10.1038/y", ["DOI:10.1038/x", "DOI:10.1038/y"]),
        ('<a href="https://dx.doi.org/10.1038/NATURE12213">', ["DOI:10.1038/nature12213"]),
        ("10.1038/nature12213</a>", ["DOI:10.1038/nature12213"]),
        ("10.1038/nature12213&quot;", ["DOI:10.1038/nature12213"]),
        ("https://doi.org/10.1038%2Fx?a=b", ["DOI:10.1038/x"]),
        (
            "https://doi.org/10.1002/(SICI)1097-0142(19960101)77:1<1::AID-CNCR1>3.0.CO;2-#",
            ["DOI:10.1002/(sici)1097-0142(19960101)77:1<1::aid-cncr1>3.0.co;2-#"],
        ),
        ("a ratio of 10.5/3 and 10.2020/", []),
        ("on 10.10.2020/11", []),
        ("https://doi.org/ is down", []),
        # Trials
        ("(METRIC ClinicalTrials.gov number, NCT01245062.).", ["NCT01245062"]),
        ("nct01245062", ["NCT01245062"]),
        ("NCT0124506 NCT012450621", []),
        ("EudraCT 2010-019348-37", ["EudraCT:2010-019348-37"]),
        ("(EudraCT number, 2010-019348-37.)", ["EudraCT:2010-019348-37"]),
        ("EudraCT number: 2010-019348-37.", ["EudraCT:2010-019348-37"]),
        ("a phone number 2010-019348-37", []),
        ("EU CT number 2022-500234-12-00", ["CTIS:2022-500234-12-00"]),
        ("ISRCTN12345678", ["ISRCTN:12345678"]),
        ("ISRCTN 12345678;", ["ISRCTN:12345678"]),
        ("ISRCTN1234567 xISRCTN12345678", []),
        ("ACTRN12605000001628", ["ANZCTR:12605000001628"]),
        ("ChiCTR1900023456, DRKS00000001", ["ChiCTR:1900023456", "DRKS:00000001"]),
        ("JPRN-UMIN000001234", ["UMIN:000001234"]),
        # Database records: only with their source
        ("P15056 and Q9Y6K9", []),
        ("UniProt P15056, Q9Y6K9", ["UniProt:P15056"]),
        ("UniProtKB/Swiss-Prot: P05067-4", ["UniProt:P05067"]),
        ("UniProt accession number P15056", ["UniProt:P15056"]),
        ("UniProt (P15056)", ["UniProt:P15056"]),
        ("by UniProt P53 is", []),
        ("HGNC:583", ["HGNC:583"]),
        ("HGNC ID: HGNC:583", ["HGNC:583"]),
        ("Entrez ID: 673", ["NCBI Gene:673"]),
        ("Entrezgene: 673", ["NCBI Gene:673"]),
        ("NCBI Gene ID: 673", ["NCBI Gene:673"]),
        ("gene 673", []),
        ("ENSG00000157764 and ENST00000646891", ["Ensembl:ENSG00000157764"]),
        ("OMIM:164757", ["OMIM:164757"]),
        ("dbSNP:rs45588932", ["dbSNP:rs45588932"]),
        ("the variant rs45588932", []),
        ("sp|P15056|BRAF_HUMAN", ["UniProt:P15056"]),
        ("UniProtKB - P15056", ["UniProt:P15056"]),
        ("UniProt accessions P15056 and", ["UniProt:P15056"]),
        ("PDB ID 1UWH and PDB code: 4E26", ["PDB:1UWH", "PDB:4E26"]),
        ("a PDB 20nm away, in PDB 2010", []),
        ("GSE39582 is on GEO", ["GEO:GSE39582"]),
        ("GSE1 and EGAS and COSMIC are words", []),
        ("phs000178.v1.p1, EGAS00001000123.", ["dbGaP:phs000178", "EGA:EGAS00001000123"]),
        ("ClinVar VCV000013961.3", ["ClinVar:VCV000013961"]),
        ("R-HSA-5673001 (COSM476)", ["Reactome:R-HSA-5673001", "COSMIC:COSM476"]),
        # Addresses
        ("see https://www.omim.org/entry/164757)", ["OMIM:164757"]),
        ("https://example.org/a_(b)_c).", ["https://example.org/a_(b)_c"]),
        ("https://a.org/x,https://b.org/y", ["https://a.org/x", "https://b.org/y"]),
        ("https://a.org/x?id=PMID:123456", ["https://a.org/x?id=PMID:123456"]),
        ("https://a.org/search?q=PMID:123456", []),
        ("http://localhost:8080/10.1038/nature12213", []),
        # Not identifiers
        ("in 2010, 322 patients, 7:140719327-140925199, +49 30 1234567", []),
        ("", []),
    ],
)  # fmt: skip
def test_identifiers_of_a_text(text: str, expected: list[str]) -> None:
    assert found(text) == expected


_WORD = st.text(string.ascii_letters, min_size=1, max_size=8).filter(
    lambda word: not word.lower().startswith(("pm", "doi", "nct", "http"))
)
_IDENTIFIERS = st.one_of(
    st.integers(10_000, 99_999_999).map("PMID:{}".format),
    st.integers(10_000, 99_999_999).map("PMCID:PMC{}".format),
    st.integers(0, 99_999_999).map("NCT{:08d}".format),
    st.from_regex(r"DOI:10\.[1-9][0-9]{3}/[a-z0-9][a-z0-9.()-]{0,20}[a-z0-9]", fullmatch=True),
    st.from_regex(r"UniProt:[OPQ][0-9][A-Z0-9]{3}[0-9]", fullmatch=True),
    st.integers(1, 99_999).map("HGNC:{}".format),
    st.integers(1, 99_999).map("NCBI Gene:{}".format),
    st.from_regex(r"https://[a-z]{2,9}\.org/[a-z0-9]{1,9}", fullmatch=True),
).filter(lambda text: (found := parse_identifier(text)) is not None and found.text == text)


@given(_IDENTIFIERS, _WORD, _WORD, st.sampled_from(["{}", "({})", "[{}].", "{},", '"{}"', "{};"]))
def test_an_identifier_in_a_sentence_is_found(
    text: str, before: str, after: str, frame: str
) -> None:
    assert found(f"{before} {frame.format(text)} {after}") == [text]


@given(_IDENTIFIERS, _WORD)
def test_the_address_of_an_identifier_is_found_as_it(text: str, word: str) -> None:
    identifier = parse_identifier(text)
    assert identifier is not None
    assert found(f"{word} ({canonical_url(identifier)}).") == [text]


@given(st.text())
def test_places_ascend_and_lie_in_the_text(text: str) -> None:
    places = [place for place, _ in find_identifiers(text)]
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)


@pytest.mark.parametrize(
    "text",
    [
        "PubMed: 120 hits",
        "PubMed: 15430 results",
        "PubMed: 12,345 records",
        "Records identified from PubMed: 24513; Embase: 120",
        "PubMed 24513, Web of Science 3012",
    ],
)
def test_the_hits_of_a_search_are_no_pubmed_ids(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PMIDs: 123456, 234567", ["PMID:123456", "PMID:234567"]),
        ("PMIDs 8259511, 9065401 and 1234 others", ["PMID:8259511", "PMID:9065401"]),
        ("PubMed: 9065401. Results were", ["PMID:9065401"]),
        ("(PMC: 3919509)", ["PMCID:PMC3919509"]),
        ("EUCTR2010-024004-98-GB", ["EudraCT:2010-024004-98"]),
    ],
)
def test_lists_and_registers_are_read(text: str, expected: list[str]) -> None:
    assert [one.ids[0].text for one in scan(text)] == expected
