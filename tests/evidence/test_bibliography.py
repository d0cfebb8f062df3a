"""What a paper's reference list says is no evidence of the paper."""

import json
from typing import Any

import pytest

from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.bibliography import without_bibliography
from intogen_agent.evidence.ledger import REFERENCE_LIST, check
from intogen_agent.evidence.passages import passages
from intogen_agent.evidence.references import ReferenceManager, identifier_of
from intogen_agent.evidence.wire import SummaryBullet

OWN = "Loss of APC activates beta-catenin in colon cells."
LISTED = "Smith J. Gain of KRAS drives lung tumours. Nature 2001. PMID: 11111111"
TITLE = "Gain of KRAS drives lung tumours"

FULL_TEXT = f"""Results

{OWN}

References

1. {LISTED}
2. Doe J. Another paper. Cell 2002.

Supplementary material

Table S1 lists APC truncations."""

BIOC = {
    "pmid": "15355978",
    "passages": [
        {"infons": {"section_type": "RESULTS"}, "text": OWN},
        {"infons": {"section_type": "REF", "type": "ref"}, "text": TITLE},
    ],
}
PAYLOADS: dict[str, Any] = {
    "a list of objects": {
        "pmid": "15355978",
        "abstract": OWN,
        "references": [{"pmid": "11111111", "title": TITLE}],
    },
    "papers that cite it": {
        "pmid": "15355978",
        "abstract": OWN,
        "cited_by": [{"pmid": "22222222", "title": TITLE}],
    },
    "similar papers": {"pmid": "15355978", "abstract": OWN, "similarArticles": [TITLE]},
    "Europe PMC's form": {
        "resultList": {
            "result": [
                {"pmid": "15355978", "abstractText": OWN, "referenceList": {"reference": [TITLE]}}
            ]
        }
    },
    "the end of a full text": {"pmid": "15355978", "full_text": FULL_TEXT},
    "passages of BioC": BIOC,
    "PubTator's wrapper": {"PubTator3": [BIOC]},
    "a Markdown record": f"# Record 1\nPmid: 15355978\nAbstract:\n  {OWN}\nReferences:\n"
    f"  1. {LISTED}\nSource: PubMed\n",
    "plain text": f"PMID: 15355978\n\n{OWN}\n\n## References\n\n1. {LISTED}\n",
    "XML": "<article><article-id pub-id-type='pmid'>15355978</article-id><body><p>"
    f"{OWN}</p></body><ref-list><ref>{LISTED}</ref></ref-list></article>",
}


def bullet(quote: str, citation: str) -> SummaryBullet:
    return SummaryBullet(
        text=quote,
        citations=[citation],
        quote=quote,
        kind="mechanism",
        stance="supports",
        scope="target",
        system="cell line",
        basis="functional",
        alteration="mutation",
    )


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_a_quote_of_a_reference_list_is_refused_and_the_papers_own_words_are_not(
    payload: Any,
) -> None:
    text = payload if isinstance(payload, str) else json.dumps(payload)
    manager = ReferenceManager()
    allowed = manager.observe(text, "phase2", "article_getter", "c1")

    def canonical(name: str) -> str | None:
        known = manager.resolve(name)
        return identifier_of(known).text if known else None

    bullets = [bullet(TITLE, "PMID:11111111"), bullet(OWN, "PMID:11111111")]
    records = passages(article_records(text), allowed, canonical)
    checked = check(bullets, records, "article_getter", canonical)
    assert [(one.quote, reason) for one, reason in checked.refused] == [(TITLE, REFERENCE_LIST)]
    ((taken, references),) = checked.taken
    assert taken.quote == OWN
    assert references == ["PMID:15355978"]


@pytest.mark.parametrize(
    "heading", ["References", "## REFERENCES", "5. References", "Bibliography"]
)
def test_the_list_ends_with_the_next_section(heading: str) -> None:
    left = without_bibliography(FULL_TEXT.replace("References", heading))
    assert TITLE not in left
    assert OWN in left
    assert "Table S1 lists APC truncations." in left


@pytest.mark.parametrize(
    "text",
    [
        "References to earlier work are few.\nAPC acts on Wnt.",
        "Cited by many, APC acts on Wnt.",
        "The bibliography of APC is long.",
        "APC acts on Wnt (see References).",
    ],
)
def test_words_in_a_sentence_begin_no_list(text: str) -> None:
    assert without_bibliography(text) == text
