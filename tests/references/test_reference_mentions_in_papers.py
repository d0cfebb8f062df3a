"""A paper's own record is told from the papers that it names: nothing was read of those."""

import json
from typing import Any

import pytest

from intogen_agent.evidence.models import FirstSeen, TrackedReference
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.report.models import Bullet, FinalReport, Reference
from intogen_agent.report.sources import distinct, support

OWN = "PMID:9065401"
NAMED = "PMID:7777777"
TEXT = "As shown before (PMID: 7777777), APC binds beta-catenin."

NAMING: dict[str, Any] = {
    "in the abstract": {"pmid": "9065401", "abstract": TEXT},
    "in the abstract's own lines": {"pmid": "9065401", "abstract": f"A.\n\nPMID: 7777777\n{TEXT}"},
    "as JSON in the abstract": {"pmid": "9065401", "abstract": '\n{"pmid": "7777777"}'},
    "in the reference list": {"pmid": "9065401", "references": [{"pmid": "7777777"}]},
    "among papers that cite it": {
        "pmid": "9065401",
        "citedBy": [{"pmid": "7777777", "title": "T"}],
    },
    "in the text of a paper without identifier": [
        {"pmid": "9065401", "title": "Own"},
        {"title": "X", "abstract": TEXT},
    ],
    "in a Markdown record": f"# Record 1\nPmid: 9065401\nAbstract:\n  {TEXT}\n",
    "as JSON in a Markdown record": '# Record 1\nPmid: 9065401\nAbstract:\n  {"pmid": "7777777"}\n',
    "in PubMed's XML": "<PubmedArticle><MedlineCitation><PMID>9065401</PMID><Article><Abstract>"
    f"<AbstractText>{TEXT}</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>",
    "in a JATS reference list": "<article><article-meta><article-id pub-id-type='pmid'>9065401"
    "</article-id></article-meta><ref-list><ref><pub-id pub-id-type='pmid'>7777777</pub-id></ref>"
    "</ref-list></article>",
    "in a BioC passage": {
        "pmid": "9065401",
        "passages": [{"infons": {"section_type": "REF", "pmid": "7777777"}, "text": "T"}],
    },
}


def observed(payload: Any) -> ReferenceManager:
    manager = ReferenceManager()
    text = payload if isinstance(payload, str) else json.dumps(payload)
    manager.observe(text, "phase2", "t", "c1")
    return manager


@pytest.mark.parametrize("payload", NAMING.values(), ids=NAMING)
def test_a_paper_that_another_one_names_is_tracked_as_named_and_not_allowed(payload: Any) -> None:
    manager = observed(payload)
    assert manager.allowed() == [OWN]
    own, named = manager.resolve(OWN), manager.resolve(NAMED)
    assert own is not None
    assert named is not None
    assert (own.mentioned, named.mentioned) == (False, True)
    again = ReferenceManager(manager.tracked())
    assert again.tracked() == manager.tracked()


@pytest.mark.parametrize(
    "payload",
    [
        "APC binds beta-catenin (PMID: 7777777).",
        {"symbol": "APC", "summary": "It binds beta-catenin [PMID 7777777]."},
        {"results": [{"pmid": "9065401"}, {"pmid": "7777777"}]},
        {"pmids": ["9065401", "7777777"]},
        f"# Record 1\nPmid: 9065401\nAbstract:\n  {TEXT}\n\n# Record 2\nPmid: 7777777\n",
        {
            "entryType": "UniProtKB reviewed (Swiss-Prot)",
            "primaryAccession": "P25054",
            "comments": [
                {
                    "commentType": "FUNCTION",
                    "texts": [
                        {
                            "value": "Binds beta-catenin.",
                            "evidences": [
                                {
                                    "evidenceCode": "ECO:0000269",
                                    "source": "PubMed",
                                    "id": "7777777",
                                }
                            ],
                        }
                    ],
                }
            ],
        },
    ],
    ids=["plain text", "a gene's record", "results", "a list", "records", "a UniProt entry"],
)
def test_what_an_answer_lists_or_a_database_rests_on_is_no_mere_mention(payload: Any) -> None:
    manager = observed(payload)
    assert NAMED in manager.allowed()


def test_the_other_version_of_a_work_was_not_read_with_it() -> None:
    manager = observed({"doi": "10.1101/2020.01.02.123456", "published": "10.1038/x1"})
    assert manager.allowed() == ["DOI:10.1101/2020.01.02.123456"]
    both = [{"doi": "10.1101/2020.01.02.123456", "published": "10.1038/x1"}, {"doi": "10.1038/x1"}]
    assert len(observed(both).allowed()) == 2


# Preprint and article are one work.


def cited(*payloads: Any) -> list[Reference]:
    tracked: list[TrackedReference] = observed(list(payloads)).tracked()
    return [
        Reference(index=number, tracked=True, **one.model_dump(exclude={"mentioned"}))
        for number, one in enumerate(tracked, start=1)
    ]


PREPRINT = {"doi": "10.1101/2020.01.02.123456", "published": "10.1038/x1", "journal": "bioRxiv"}
ARTICLE = {"pmid": 1, "doi": "10.1038/x1", "journal": "Nature"}
OTHER = {"pmid": 2, "journal": "Cell"}


@pytest.mark.parametrize("payloads", [(PREPRINT, ARTICLE, OTHER), (ARTICLE, OTHER, PREPRINT)])
def test_a_preprint_and_its_article_count_once_for_supported(
    payloads: tuple[Any, ...],
) -> None:
    references = cited(*payloads)
    assert len(references) == 3
    assert len(distinct(references)) == 2
    found = support(report_with(references))
    assert (found.references, len(found.sources)) == (2, 2)


def test_papers_without_a_link_between_them_count_each() -> None:
    assert len(distinct(cited({**PREPRINT, "published": None}, ARTICLE, OTHER))) == 3


def report_with(references: list[Reference]) -> FinalReport:
    bullet = Bullet(text="APC is lost.", citations=[one.index for one in references])
    return FinalReport.model_validate(
        {
            "schema_version": "1.0",
            "gene": {"symbol": "APC"},
            "cancer": {"code": "COADREAD", "scheme": "oncotree", "name": "Colorectal"},
            "stage": "report",
            "status": "ok",
            "fingerprint": "f",
            "gene_function": {"bullets": []},
            "assessment": {"involvement": "supported", "rationale": [bullet.model_dump()] * 2},
            "mechanistic_hypothesis": None,
            "references": [one.model_dump() for one in references],
            "provenance": {},
        }
    )


def test_first_places_of_named_papers_are_kept() -> None:
    named = observed(NAMING["in the abstract"]).resolve(NAMED)
    assert named is not None
    assert named.first_seen == FirstSeen(stage="phase2", tool="t", call="c1")
