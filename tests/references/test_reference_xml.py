"""Papers and records of XML: PubMed, JATS, BioC, UniProt."""

import pytest

from intogen_agent.evidence.references import Found, scan


def ids(found: list[Found]) -> list[list[str]]:
    return [[identifier.text for identifier in one.ids] for one in found]


PUBMED = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "https://dtd.nlm.nih.gov/pubmed_250101.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">9500320</PMID>
<DateCompleted><Year>1999</Year></DateCompleted>
<Article><Journal><JournalIssue><PubDate><Year>1998</Year></PubDate></JournalIssue>
<Title>Lancet (London, England)</Title><ISOAbbreviation>Lancet</ISOAbbreviation></Journal>
<ArticleTitle>A <i>claim</i> &amp; more.</ArticleTitle>
<ELocationID EIdType="doi" ValidYN="Y">10.1016/S0140-6736(97)11096-0</ELocationID>
<Abstract><AbstractText>See NCT01245062, n=1234567.</AbstractText></Abstract>
{types}</Article>
<CommentsCorrectionsList>{corrections}</CommentsCorrectionsList></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">9500320</ArticleId>
<ArticleId IdType="pii">S0140-6736(97)11096-0</ArticleId><ArticleId IdType="pmc">PMC77</ArticleId>
</ArticleIdList><ReferenceList><Reference><Citation>Cited. doi: 10.1038/cited.</Citation>
<ArticleIdList><ArticleId IdType="pubmed">123</ArticleId></ArticleIdList></Reference>
</ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>"""
RETRACTED = '<PublicationType UI="D016441">Retracted Publication</PublicationType>'
CORRECTION = '<CommentsCorrections RefType="{}"><PMID Version="1">{}</PMID></CommentsCorrections>'


def pubmed(types: str = "", corrections: str = "") -> list[Found]:
    return scan(PUBMED.replace("{types}", types).replace("{corrections}", corrections))


def test_pubmed_xml() -> None:
    paper, trial, cited = pubmed()
    assert ids([paper]) == [["PMID:9500320", "DOI:10.1016/s0140-6736(97)11096-0", "PMCID:PMC77"]]
    assert (paper.title, paper.journal, paper.year) == ("A claim & more.", "Lancet", 1998)
    assert ids([trial, cited]) == [["NCT01245062"], ["PMID:123", "DOI:10.1038/cited"]]


@pytest.mark.parametrize(
    ("types", "corrections", "retracted"),
    [
        (RETRACTED, "", {"9500320"}),
        ("", CORRECTION.format("RetractionIn", 20137807), {"9500320"}),
        ("", CORRECTION.format("RetractionOf", 111), {"111"}),
        ("", CORRECTION.format("ErratumIn", 111), set()),
        ("", CORRECTION.format("ExpressionOfConcernIn", 111), set()),
        ("", CORRECTION.format("CommentIn", 111), set()),
    ],
)
def test_retractions_in_pubmed_xml(types: str, corrections: str, retracted: set[str]) -> None:
    found = pubmed(types, corrections)
    assert {paper.ids[0].id for paper in found if paper.retracted} == retracted
    assert len(found) == (4 if corrections else 3)


@pytest.mark.parametrize("cut", range(100, len(PUBMED), 23))
def test_cut_xml_is_read_as_far_as_it_goes(cut: int) -> None:
    texts = {identifier.text for one in scan(PUBMED[:cut]) for identifier in one.ids}
    assert texts <= {
        "PMID:9500320",
        "DOI:10.1016/s0140-6736(97)11096-0",
        "NCT01245062",
        "PMCID:PMC77",
        "PMID:123",
        "DOI:10.1038/cited",
    }


def test_jats_bioc_and_uniprot_xml() -> None:
    jats = (
        '<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>'
        '<article-id pub-id-type="pmid">11</article-id><article-id pub-id-type="doi">10.1038/a'
        "</article-id><title-group><article-title>Own</article-title></title-group>"
        "<pub-date><year>2020</year></pub-date></article-meta></front><back><ref-list><ref>"
        '<article-title>Cited</article-title><pub-id pub-id-type="pmid">12</pub-id></ref>'
        "</ref-list></back></article>"
    )
    own, cited = scan(jats)
    assert ids([own, cited]) == [["PMID:11", "DOI:10.1038/a"], ["PMID:12"]]
    assert (own.title, own.year, cited.title) == ("Own", 2020, "Cited")
    bioc = '<?xml version="1.0"?><collection><document><id>5</id><infon key="pmid">5</infon>\
<infon key="title">T</infon><infon key="year">2017</infon></document></collection>'
    [paper] = scan(bioc)
    assert (ids([paper]), paper.title, paper.year) == ([["PMID:5"]], "T", 2017)
    uniprot = (
        '<?xml version="1.0"?><uniprot xmlns="http://uniprot.org/uniprot"><entry '
        'dataset="Swiss-Prot"><accession>P25054</accession><accession>D3DT03</accession>'
        '<reference><citation type="journal article" date="1991" name="Cell"><title>T</title>'
        '<dbReference type="MEDLINE" id="91330307"/><dbReference type="PubMed" id="1651562"/>'
        '</citation></reference><dbReference type="PDB" id="1DEB"/></entry></uniprot>'
    )
    entry, paper = scan(uniprot)
    assert ids([entry, paper]) == [["UniProt:P25054"], ["PMID:1651562"]]
    assert (paper.title, paper.journal, paper.year) == ("T", "Cell", 1991)


def test_the_accessions_of_a_data_bank_carry_its_name() -> None:
    bank = (
        "<DataBank><DataBankName>{}</DataBankName><AccessionNumberList>"
        "<AccessionNumber>{}</AccessionNumber></AccessionNumberList></DataBank>"
    )
    text = (
        "<PubmedArticle><PMID>1</PMID>"
        + bank.format("EudraCT", "2010-019348-37")
        + bank.format("ClinicalTrials.gov", "NCT01245062")
        + bank.format("GEO", "GSE39582")
        + bank.format("Unheard of", "123456")
        + "</PubmedArticle>"
    )
    assert sorted(ids(scan(text))) == [
        ["EudraCT:2010-019348-37"],
        ["GEO:GSE39582"],
        ["NCT01245062"],
        ["PMID:1"],
    ]
