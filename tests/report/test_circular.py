"""intOGen's own publications are marked and support no call of intOGen."""

import pytest

from intogen_agent.evidence.identifiers import parse_identifier
from intogen_agent.report.circular import OWN_PAPERS, is_circular
from intogen_agent.report.models import OtherId, Reference


@pytest.mark.parametrize("paper", OWN_PAPERS, ids=lambda paper: paper.pmid)
def test_each_own_paper_is_known_by_its_pmid_and_its_doi(paper: tuple[str, str, str]) -> None:
    pmid, doi, _ = paper
    assert parse_identifier(f"PMID:{pmid}") and parse_identifier(f"DOI:{doi}")
    assert is_circular(Reference(index=1, kind="pmid", id=pmid))
    assert is_circular(Reference(index=1, kind="doi", id=doi.upper()))
    assert is_circular(
        Reference(index=1, kind="pmid", id="999", also=[OtherId(kind="doi", id=doi)])
    )


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("https://www.intogen.org/search?gene=APC", True),
        ("https://intogen.org/", True),
        ("https://intogen.readthedocs.io/en/v2023/", False),
        ("https://notintogen.org/", False),
        ("https://intogen.org.evil.example/", False),
        ("https://example.org/intogen.org", False),
    ],
)
def test_its_site_is_known_by_its_host(url: str, own: bool) -> None:
    assert is_circular(Reference(index=1, kind="url", id=url, url=url)) is own


def test_its_database_is_known_by_name() -> None:
    named = Reference(
        index=1, kind="database", id="IntOGen:APC", database="IntOGen", record_id="APC"
    )
    assert is_circular(named)
    assert not is_circular(named.model_copy(update={"database": "COSMIC"}))


def test_other_papers_are_not_circular() -> None:
    assert not is_circular(Reference(index=1, kind="pmid", id="9065401"))
