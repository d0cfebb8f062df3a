"""Preprints and their articles name each other and stay two; retractions are carried."""

import json
from typing import Any

import pytest

from intogen_agent.evidence.models import Version
from intogen_agent.evidence.references import ReferenceManager, scan

PREPRINT = "10.1101/2020.01.02.123456"
ARTICLE = "10.1038/x"


def observed(*payloads: Any) -> ReferenceManager:
    manager = ReferenceManager()
    for number, payload in enumerate(payloads, start=1):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        manager.observe(text, "phase2", "t", f"c{number}")
    return manager


UPDATE = (
    "<PubmedArticle><MedlineCitation><PMID>{own}</PMID><Article><ArticleTitle>T</ArticleTitle>"
    "<PublicationTypeList>{types}</PublicationTypeList></Article><CommentsCorrectionsList>"
    '<CommentsCorrections RefType="{relation}"><RefSource>{source}</RefSource><PMID>{other}</PMID>'
    "</CommentsCorrections></CommentsCorrectionsList></MedlineCitation></PubmedArticle>"
)
PREPRINT_TYPE = '<PublicationType UI="D000076942">Preprint</PublicationType>'
MEDLINE = """PMID- 11
TI  - A title that
      goes on.
PT  - Journal Article
DP  - 2021 Mar 21
TA  - Nature
AID - 10.1038/x [doi]
AID - S0140-6736(97)11096-0 [pii]
PMC - PMC77777
AB  - As before (NCT01245062).
UOF - bioRxiv. 2020 Jan 2:. doi: 10.1101/2020.01.02.123456. PMID: 22
"""


@pytest.mark.parametrize(
    ("payload", "preprint", "article"),
    [
        ({"doi": PREPRINT, "published": ARTICLE}, f"DOI:{PREPRINT}", f"DOI:{ARTICLE}"),
        ({"doi": PREPRINT, "published_doi": ARTICLE}, f"DOI:{PREPRINT}", f"DOI:{ARTICLE}"),
        ({"biorxiv_doi": PREPRINT, "published_doi": ARTICLE}, f"DOI:{PREPRINT}", f"DOI:{ARTICLE}"),
        (
            {"DOI": ARTICLE, "relation": {"has-preprint": [{"id": PREPRINT, "id-type": "doi"}]}},
            f"DOI:{PREPRINT}",
            f"DOI:{ARTICLE}",
        ),
        (
            {"DOI": PREPRINT, "relation": {"is-preprint-of": [{"id": ARTICLE, "id-type": "doi"}]}},
            f"DOI:{PREPRINT}",
            f"DOI:{ARTICLE}",
        ),
        (
            {
                "doi": PREPRINT,
                "commentCorrectionList": {
                    "commentCorrection": [{"id": "11", "source": "MED", "type": "Preprint of"}]
                },
            },
            f"DOI:{PREPRINT}",
            "PMID:11",
        ),
        (
            UPDATE.format(
                own=22, other=11, relation="UpdateIn", types=PREPRINT_TYPE, source="Nature"
            ),
            "PMID:22",
            "PMID:11",
        ),
        (
            UPDATE.format(
                own=11, other=22, relation="UpdateOf", types="", source="bioRxiv. 2020 Jan 2"
            ),
            "PMID:22",
            "PMID:11",
        ),
        (MEDLINE, "PMID:22", "PMID:11"),
    ],
)
def test_a_preprint_and_its_article_name_each_other(
    payload: Any, preprint: str, article: str
) -> None:
    manager = observed(payload)
    one, other = manager.resolve(preprint), manager.resolve(article)
    assert one is not None
    assert other is not None
    assert one is not other
    assert one.versions == [Version(relation="article", kind=other.kind, id=other.id)]
    assert other.versions == [Version(relation="preprint", kind=one.kind, id=one.id)]
    assert ReferenceManager(manager.tracked()).tracked() == manager.tracked()


def test_a_record_that_gives_an_article_its_preprints_doi_links_them() -> None:
    manager = observed({"pmid": 1, "doi": PREPRINT}, {"pmid": 1, "doi": ARTICLE})
    article, preprint = manager.tracked()
    assert article.versions == [Version(relation="preprint", kind="doi", id=PREPRINT)]
    assert preprint.versions == [Version(relation="article", kind="pmid", id="1")]


def test_one_title_makes_no_version() -> None:
    manager = observed({"doi": PREPRINT, "title": "Same"}, {"doi": ARTICLE, "title": "Same"})
    assert [reference.versions for reference in manager.tracked()] == [[], []]


@pytest.mark.parametrize(
    ("relation", "source"), [("UpdateOf", "Cochrane Database Syst Rev"), ("CommentIn", "bioRxiv")]
)
def test_other_updates_and_comments_are_no_versions(relation: str, source: str) -> None:
    text = UPDATE.format(own=11, other=22, relation=relation, types="", source=source)
    assert [reference.versions for reference in observed(text).tracked()] == [[], []]


def test_the_link_keeps_to_the_preferred_identifier_that_a_later_answer_brings() -> None:
    manager = observed({"doi": PREPRINT, "published": ARTICLE}, {"pmid": 5, "doi": ARTICLE})
    preprint = manager.resolve(PREPRINT)
    assert preprint is not None
    assert preprint.versions == [Version(relation="article", kind="pmid", id="5")]


def updated(key: str, kind: str) -> dict[str, Any]:
    return {"DOI": "10.1038/own", key: [{"DOI": "10.1038/other", "type": kind}]}


def correction(kind: str) -> dict[str, Any]:
    listed = {"commentCorrection": [{"id": "2", "source": "MED", "type": kind}]}
    return {"pmid": "1", "source": "MED", "id": "1", "commentCorrectionList": listed}


@pytest.mark.parametrize(
    ("payload", "retracted"),
    [
        (correction("Retraction in"), ["1"]),
        (correction("Retraction of"), ["2"]),
        (correction("Erratum in"), []),
        (updated("update-to", "retraction"), ["10.1038/other"]),
        (updated("updated-by", "retraction"), ["10.1038/own"]),
        (updated("update-to", "correction"), []),
        ("PMID- 1\nTI  - T\nPT  - Retracted Publication\n", ["1"]),
        ("PMID- 1\nTI  - T\nRIN - Lancet. 2010. PMID: 2\n", ["1"]),
        ("PMID- 1\nTI  - T\nROF - Lancet. 2010. PMID: 2\n", ["2"]),
        ("PMID- 1\nTI  - T\nEIN - Lancet. 2010. PMID: 2\n", []),
    ],
)
def test_the_retracted_paper_is_marked_and_its_notice_is_not(
    payload: Any, retracted: list[str]
) -> None:
    assert [one.id for one in observed(payload).tracked() if one.retracted] == retracted


@pytest.mark.parametrize(
    ("caution", "retracted"),
    [
        ("Was said to bind X (PubMed:1). This work was later retracted (PubMed:2)", ["1"]),
        ("The article that said so (PubMed:1) has been retracted (PubMed:2)", ["1"]),
        ("Said so (PubMed:1). However, this paper was withdrawn by its authors (PubMed:2).", ["1"]),
        ("Said so (PubMed:1, PubMed:2). This study was retracted (PubMed:3)", []),
        ("Said so (PubMed:1). Others disagree (PubMed:2)", []),
        ("The retracted N-terminus is hidden (PubMed:1)", []),
    ],
)
def test_a_caution_of_uniprot_marks_the_one_paper_that_it_calls_retracted(
    caution: str, retracted: list[str]
) -> None:
    entry = {
        "entryType": "UniProtKB reviewed (Swiss-Prot)",
        "primaryAccession": "P05067",
        "comments": [{"commentType": "CAUTION", "texts": [{"value": caution}]}],
    }
    flat = f"ID   A4_HUMAN   Reviewed;  770 AA.\nAC   P05067;\nCC   -!- CAUTION: {caution}\n//\n"
    for payload in (json.dumps(entry), flat):
        assert [one.ids[0].id for one in scan(payload) if one.retracted] == retracted


def test_medline_text_keeps_a_papers_identifiers_together() -> None:
    paper, cited, trial = scan(MEDLINE)
    assert [one.text for one in paper.ids] == ["PMID:11", "DOI:10.1038/x", "PMCID:PMC77777"]
    assert (paper.title, paper.journal, paper.year) == ("A title that goes on.", "Nature", 2021)
    assert cited.ids[0].text == "PMID:22"
    assert trial.ids[0].text == "NCT01245062"


def test_a_flat_uniprot_entry_names_itself_and_the_papers_it_cites() -> None:
    found = scan(
        "ID   APC_HUMAN   Reviewed;  2843 AA.\nAC   P25054; D3DT03;\n"
        "DE   RecName: Full=Adenomatous polyposis coli protein {ECO:0000305};\n"
        "RN   [1]\nRX   PubMed=1651562; DOI=10.1016/0092-8674(81)90021-0;\n"
        'RT   "Identification of a gene at 5q21-\nRT   q22.";\nRL   Cell 66:589-600(1991).\n'
        "CC   -!- FUNCTION: Suppressor (PubMed:10947987).\n"
        "CC       {ECO:0000250|UniProtKB:Q61315}.\nDR   PDB; 1DEB; X-ray; 2.40 A.\n//\n"
    )
    assert [[one.text for one in each.ids] for each in found] == [
        ["UniProt:P25054"],
        ["PMID:1651562", "DOI:10.1016/0092-8674(81)90021-0"],
        ["PMID:10947987"],
        ["UniProt:Q61315"],
    ]
    assert found[0].title == "Adenomatous polyposis coli protein"
    cited = found[1]
    assert (cited.title, cited.journal, cited.year) == (
        "Identification of a gene at 5q21-q22.",
        "Cell",
        1991,
    )
