"""The grammar of identifiers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.databases import DATABASES
from intogen_agent.evidence.references import (
    Identifier,
    canonical_url,
    format_problem,
    make_identifier,
    parse_identifier,
)

SICI = "10.1002/(sici)1097-0142(19960101)77:1<1::aid-cncr1>3.0.co;2-#"


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("PMID:9065401", "PMID:9065401"),
        ("PMID: 9065401", "PMID:9065401"),
        ("PMID 9065401", "PMID:9065401"),
        (" pmid:9065401\n", "PMID:9065401"),
        ("PubMed:9065401", "PMID:9065401"),
        ("PubMed ID: 9065401", "PMID:9065401"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/9065401", "PMID:9065401"),
        ("http://ncbi.nlm.nih.gov/pubmed/9065401?dopt=Abstract", "PMID:9065401"),
        ("https://www.ncbi.nlm.nih.gov/m/pubmed/9065401/", "PMID:9065401"),
        ("https://pubmed.ncbi.nlm.nih.gov/9065401/", "PMID:9065401"),
        ("https://pubmed.ncbi.nlm.nih.gov/9065401#affiliation-1", "PMID:9065401"),
        ("HTTPS://PubMed.ncbi.nlm.nih.gov/9065401/", "PMID:9065401"),
        ("pubmed.ncbi.nlm.nih.gov/9065401/", "PMID:9065401"),
        ("www.ncbi.nlm.nih.gov/pubmed/9065401", "PMID:9065401"),
        ("https://europepmc.org/article/MED/9065401", "PMID:9065401"),
        ("https://europepmc.org/abstract/med/9065401", "PMID:9065401"),
        ("https://identifiers.org/pubmed:9065401", "PMID:9065401"),
        ("PMC128915", "PMCID:PMC128915"),
        ("PMID:PMC128915", None),
        ("PMCID:PMC128915", "PMCID:PMC128915"),
        ("PMCID: 128915", "PMCID:PMC128915"),
        ("PMC128915.2", "PMCID:PMC128915"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC128915/", "PMCID:PMC128915"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC128915/pdf/x.pdf", "PMCID:PMC128915"),
        ("https://europepmc.org/articles/PMC128915?pdf=render", "PMCID:PMC128915"),
        ("10.1038/NATURE12213", "DOI:10.1038/nature12213"),
        ("doi:10.1038/nature12213", "DOI:10.1038/nature12213"),
        ("DOI: 10.1038/nature12213.", "DOI:10.1038/nature12213"),
        ("https://doi.org/10.1038/nature12213", "DOI:10.1038/nature12213"),
        ("http://dx.doi.org/10.1038/nature12213", "DOI:10.1038/nature12213"),
        ("doi.org/10.1038/nature12213", "DOI:10.1038/nature12213"),
        ("doi:https://doi.org/10.1038/nature12213", "DOI:10.1038/nature12213"),
        ("https://doi.org/10.1038%2Fnature12213", "DOI:10.1038/nature12213"),
        ("https://doi.org/10.1038%252Fnature12213", "DOI:10.1038/nature12213"),
        ("https://doi.org/10.1038/nature12213?nosfx=y", "DOI:10.1038/nature12213"),
        ("https://doi.org/10.1038/nature12213#sec1", "DOI:10.1038/nature12213"),
        ("10.1016/S0140-6736(97)11096-0", "DOI:10.1016/s0140-6736(97)11096-0"),
        ("10.1158/0008\u20105472.CAN\u201009\u20104563", "DOI:10.1158/0008-5472.can-09-4563"),
        ("10.3969/j.issn.1000-484X.2010,01,001", "DOI:10.3969/j.issn.1000-484x.2010,01,001"),
        ("10.1002/(SICI)1097-0142(19960101)77:1<1::AID-CNCR1>3.0.CO;2-#", f"DOI:{SICI}"),
        (
            "https://doi.org/10.1002/(SICI)1097-0142(19960101)77:1%3C1::AID-CNCR1%3E3.0.CO;2-%23",
            f"DOI:{SICI}",
        ),
        (
            "10.1002/(SICI)1097-0142(19960101)77:1&lt;1::AID-CNCR1&gt;3.0.CO;2-#",
            f"DOI:{SICI}",
        ),
        ("https://www.nejm.org/doi/full/10.1056/NEJMoa1203421", "DOI:10.1056/nejmoa1203421"),
        ("https://europepmc.org/article/PPR/10.1101/123456", "DOI:10.1101/123456"),
        ("10.1101/2020.01.02.123456v2.full.pdf", "DOI:10.1101/2020.01.02.123456"),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.02.123456v2.full",
            "DOI:10.1101/2020.01.02.123456",
        ),
        (
            "http://biorxiv.org/content/early/2016/04/15/048991",
            "http://biorxiv.org/content/early/2016/04/15/048991",
        ),
        ("https://www.medrxiv.org/content/10.1101/19012345v1", "DOI:10.1101/19012345"),
        (
            "https://www.ncbi.nlm.nih.gov/entrez/query.fcgi?cmd=Retrieve&db=PubMed"
            "&list_uids=9065401&dopt=Abstract",
            "PMID:9065401",
        ),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/128915/", "PMCID:PMC128915"),
        (
            "http://www.pubmedcentral.nih.gov/articlerender.fcgi?tool=pubmed&artid=128915",
            "PMCID:PMC128915",
        ),
        ("NCT01245062", "NCT01245062"),
        ("nct01245062", "NCT01245062"),
        ("ClinicalTrials.gov: NCT01245062", "NCT01245062"),
        ("https://clinicaltrials.gov/ct2/show/NCT01245062", "NCT01245062"),
        ("https://clinicaltrials.gov/study/NCT01245062?tab=results", "NCT01245062"),
        ("UniProt:P25054", "UniProt:P25054"),
        ("UniProtKB: p25054", "UniProt:P25054"),
        ("UniProt:P05067-4", "UniProt:P05067"),
        ("UniProt accession P25054", "UniProt:P25054"),
        ("https://www.uniprot.org/uniprot/P25054", "UniProt:P25054"),
        ("https://rest.uniprot.org/uniprotkb/P25054.json", "UniProt:P25054"),
        ("HGNC:583", "HGNC:583"),
        ("HGNC:HGNC:583", "HGNC:583"),
        ("NCBI Gene:324", "NCBI Gene:324"),
        ("Entrez Gene: 324", "NCBI Gene:324"),
        ("GeneID:324", "NCBI Gene:324"),
        ("https://www.ncbi.nlm.nih.gov/gene/324", "NCBI Gene:324"),
        ("Ensembl:ENSG00000134982", "Ensembl:ENSG00000134982"),
        ("ENSG00000134982.17", "Ensembl:ENSG00000134982"),
        (
            "https://www.ensembl.org/Homo_sapiens/Gene/Summary?g=ENSG00000157764;r=7:1-2",
            "Ensembl:ENSG00000157764",
        ),
        ("OMIM:164757", "OMIM:164757"),
        ("https://www.omim.org/entry/164757", "OMIM:164757"),
        ("TOOL:article_searcher", "TOOL:article_searcher"),
        (
            "https://www.genenames.org/data/gene-symbol-report/#!/symbol/BRAF",
            "https://www.genenames.org/data/gene-symbol-report/#!/symbol/BRAF",
        ),
        ("https://www.cbioportal.org/", "https://www.cbioportal.org/"),
        # The DOI's end is unknown here, so the address stays an address.
        (
            "https://academic.oup.com/nar/article/doi/10.1093/nar/gkx123/3003267",
            "https://academic.oup.com/nar/article/doi/10.1093/nar/gkx123/3003267",
        ),
    ],
)
def test_written_forms_have_one_canonical_form(written: str, canonical: str | None) -> None:
    identifier = parse_identifier(written)
    assert (identifier.text if identifier else None) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9065401",
        "PMID:",
        "PMID:0123",
        "PMID:123456789",
        "PMID:12a",
        "PMID: 12 13",
        "PMC",
        "10.12/x",
        "10.1038/",
        "doi:10.1038/na ture",
        "doi:n/a",
        "NCT0124506",
        "NCT012450621",
        "2010-019348-37",
        "P25054",
        "UniProt:",
        "UniProt:TP53",
        "Figure:2",
        "COSMIC:unknown",
        "HGNC:APC",
        "TOOL:",
        "TOOL:a b",
        "ftp://example.org/x",
        "https://",
        "https://localhost/x",
        "https://nohost",
        "https://10.0.0.1/x",
        "https://user:secret@example.org/",
        "https://exa mple.org/",
        "https://[broken/",
        "https://eutils.ncbi.nlm.nih.gov/efetch.fcgi?db=pubmed&api_key=abc",
        "https://pubmed.ncbi.nlm.nih.gov/?term=BRAF",
        "https://pubmed.ncbi.nlm.nih.gov/",
        "https://www.ncbi.nlm.nih.gov/pubmed/?term=123",
        "https://www.ncbi.nlm.nih.gov/gene/?term=BRAF",
        "https://www.google.com/search?q=BRAF",
        "https://europepmc.org/search?query=BRAF",
    ],
)
def test_what_is_no_identifier(text: str) -> None:
    assert parse_identifier(text) is None


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("PMID:9065401", "https://pubmed.ncbi.nlm.nih.gov/9065401/"),
        ("DOI:10.1038/nature12213", "https://doi.org/10.1038/nature12213"),
        (
            f"DOI:{SICI}",
            "https://doi.org/10.1002/(sici)1097-0142(19960101)77:1%3C1::aid-cncr1%3E3.0.co;2-%23",
        ),
        ("PMC3919509", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC3919509/"),
        ("NCT01234567", "https://clinicaltrials.gov/study/NCT01234567"),
        ("UniProt:P25054", "https://www.uniprot.org/uniprotkb/P25054/entry"),
        (
            "HGNC:583",
            "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:583",
        ),
        ("NCBI Gene:324", "https://www.ncbi.nlm.nih.gov/gene/324"),
        ("Ensembl:ENSG00000134982", "https://www.ensembl.org/id/ENSG00000134982"),
        ("https://example.org/a", "https://example.org/a"),
        ("TOOL:gene_getter", None),
    ],
)
def test_canonical_addresses(text: str, url: str | None) -> None:
    identifier = parse_identifier(text)
    assert identifier is not None
    assert canonical_url(identifier) == url
    if url:
        assert parse_identifier(url) == identifier


def test_every_page_of_a_database_leads_back_to_its_record() -> None:
    accessions = {
        "UniProt": "P25054",
        "HGNC": "583",
        "NCBI Gene": "324",
        "Ensembl": "ENSG00000134982",
        "OMIM": "164757",
        "ClinVar": "VCV000013961",
        "PDB": "1UWH",
        "Reactome": "R-HSA-195721",
        "InterPro": "IPR000225",
        "Pfam": "PF00514",
        "GEO": "GSE39582",
        "COSMIC": "COSM476",
        "CIViC": "EID1409",
        "ISRCTN": "12345678",
        "dbSNP": "rs45588932",
        "ArrayExpress": "E-MTAB-62",
        "EGA": "EGAS00001000123",
        "dbGaP": "phs000178",
        "BioProject": "PRJNA123456",
        "EudraCT": "2010-019348-37",
        "CTIS": "2022-500234-12-00",
        "ANZCTR": "12605000001628",
        "ChiCTR": "1900023456",
        "DRKS": "00000001",
        "UMIN": "000001234",
    }
    for database in DATABASES:
        identifier = parse_identifier(f"{database.name}:{accessions[database.name]}")
        assert identifier is not None, database.name
        assert identifier.record_id == accessions[database.name]
        url = canonical_url(identifier)
        assert (url is None) == (database.page is None)
        if url:
            assert parse_identifier(url) == identifier


@pytest.mark.parametrize(
    "fields",
    [
        ("pmid", "9065401", None, None, None),
        ("pmid", "PMID:9065401", None, None, "https://pubmed.ncbi.nlm.nih.gov/9065401/"),
        ("pmid", "9065401", None, None, "https://doi.org/10.1126/science.275.5307.1784"),
        ("doi", "10.1126/science.275.5307.1784", None, None, None),
        ("doi", "DOI:10.1126/Science.275.5307.1784", None, None, "https://doi.org/10.1126/SCIENCE.275.5307.1784"),
        ("pmcid", "PMC3919509", None, None, None),
        ("nct", "NCT01234567", None, None, "https://clinicaltrials.gov/ct2/show/NCT01234567"),
        ("database", "UniProt:P25054", "UniProt", "P25054", None),
        ("database", "whatever", "My Database", "X1", None),
        ("url", "https://example.org/a", None, None, "https://example.org/a"),
        ("tool", "article_searcher", None, None, None),
        ("tool", "TOOL:article_searcher", None, None, None),
    ],
)  # fmt: skip
def test_well_formed_references_have_no_problem(fields: tuple[str, ...]) -> None:
    assert format_problem(*fields) is None


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        (("pmid", "PMC128915", None, None, None), "PMID"),
        (("pmid", "0123", None, None, None), "PMID"),
        (("pmid", "123456789", None, None, None), "PMID"),
        (("pmid", "DOI:123", None, None, None), "PMID"),
        (("pmid", "", None, None, None), "PMID"),
        (("doi", "nature12213", None, None, None), "DOI"),
        (("doi", "10.1038", None, None, None), "DOI"),
        (("pmcid", "3919509", None, None, None), "PMC"),
        (("nct", "NCT1234567", None, None, None), "NCT"),
        (("nct", "2010-019348-37", None, None, None), "NCT"),
        (("database", "UniProt:P25054", "UniProt", None, None), "accession"),
        (("database", "P25054", None, "P25054", None), "name"),
        (("database", "x", "UniProt", "TP53", None), "UniProt"),
        (("url", "ftp://example.org/a", None, None, None), "http"),
        (("url", "https://", None, None, None), "host"),
        (("url", "https://pubmed.ncbi.nlm.nih.gov/?term=APC", None, None, None), "search"),
        (("pmid", "1", None, None, "nonsense"), "http"),
        (("pmid", "1", None, None, "https://pubmed.ncbi.nlm.nih.gov/2/"), "PMID:2"),
        (("pmid", "1", None, None, "https://www.ncbi.nlm.nih.gov/pubmed/12"), "PMID:12"),
        (("doi", "10.1038/a", None, None, "https://doi.org/10.1038/b"), "10.1038/b"),
        (("paper", "1", None, None, None), "kind"),
    ],
)
def test_malformed_references_are_named(fields: tuple[str, ...], word: str) -> None:
    problem = format_problem(*fields)
    assert problem is not None
    assert word in problem


def test_an_id_may_carry_its_own_prefix_but_no_other() -> None:
    assert make_identifier("pmid", "PMID:1") == Identifier("pmid", "1")
    assert make_identifier("pmcid", "PMID:1") is None
    assert make_identifier("database", "UniProt:P25054") is None


_WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)
_TEXTS = st.one_of(
    st.integers(1, 99_999_999).map("PMID:{}".format),
    st.integers(1, 99_999_999).map("PMC{}".format),
    st.integers(0, 99_999_999).map("NCT{:08d}".format),
    st.tuples(st.integers(1000, 999_999_999), _WORDS).map(lambda p: f"doi:10.{p[0]}/{p[1]}"),
    _WORDS.map(lambda word: f"https://doi.org/10.1038/{word}"),
    _WORDS.map(lambda word: f"https://example.org/{word}"),
    st.from_regex(r"[OPQ][0-9][A-Z0-9]{3}[0-9]", fullmatch=True).map("UniProt:{}".format),
    st.integers(1, 99_999).map("HGNC:{}".format),
    st.integers(1, 99_999).map("NCBI Gene:{}".format),
    st.text(max_size=60),
)


@given(_TEXTS)
def test_a_canonical_form_parses_back_to_itself(text: str) -> None:
    identifier = parse_identifier(text)
    if identifier is not None:
        assert parse_identifier(identifier.text) == identifier
        assert (
            make_identifier(
                identifier.kind, identifier.id, identifier.database, identifier.record_id
            )
            == identifier
        )
        assert (
            format_problem(
                identifier.kind,
                identifier.id,
                identifier.database,
                identifier.record_id,
                canonical_url(identifier),
            )
            is None
        )


@given(_TEXTS)
def test_a_canonical_address_leads_back(text: str) -> None:
    identifier = parse_identifier(text)
    url = canonical_url(identifier) if identifier else None
    if url is not None:
        assert parse_identifier(url) == identifier
