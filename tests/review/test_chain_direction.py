"""The direction in which a chain begins, held to its statement and to its evidence."""

import pytest
from tests.review.pair import GENE, checker, evidence, parsed, phase2, report

from intogen_agent.models import GeneIdentity
from intogen_agent.review.gene_direction import gene_directions
from intogen_agent.review.models import Severity
from intogen_agent.review.naming import GeneNames

CHECK = "chain-direction"


def whys(cause: str, text: str | None = None, quote: str | None = None) -> list[str]:
    """Return what the check finds for a chain, with another text or evidence where given."""
    data, gathered = report(), phase2()
    bullet = data["mechanistic_hypothesis"]["bullets"][0]
    bullet["chain"]["cause"] = cause
    if text is not None:
        bullet["text"] = text
    if quote is not None:
        gathered["ledger"][0].update(statement=quote, quote=quote)
    issues = checker().issues(parsed(data), evidence(gathered))
    assert all(i.severity is Severity.HIGH for i in issues if i.check == CHECK)
    return [issue.why for issue in issues if issue.check == CHECK]


@pytest.mark.parametrize(
    "cause",
    ["APC amplification", "gain of APC", "overexpression of APC", "activating mutation of APC"],
)
def test_a_chain_that_begins_the_other_way_is_found(cause: str) -> None:
    (why,) = whys(cause)
    assert cause in why and "its statement has a loss of APC" in why


def test_a_statement_that_was_turned_with_its_chain_is_found_by_its_evidence() -> None:
    (why,) = whys("APC gain", text="Gain of APC turns on WNT target genes in the epithelium.")
    assert "E1 speak of a loss of APC" in why


def test_a_loss_where_the_evidence_has_a_gain_is_found() -> None:
    quote = "Amplification of APC turns on WNT target genes and drives growth of the epithelium."
    (why,) = whys("APC loss", text=quote, quote=quote)
    assert "its statement has a gain of APC" in why


@pytest.mark.parametrize(
    "cause",
    [
        "APC loss",
        "APC mutation",
        "APC truncation",
        "oncogenic APC mutation",
        "APC hotspot mutation",
        "amplification of MYC",
        "gain of APC2",
        "activating truncation of APC",
    ],
)
def test_a_cause_that_says_the_same_or_nothing_is_no_issue(cause: str) -> None:
    assert whys(cause) == []


@pytest.mark.parametrize(
    "quote",
    [
        "Silencing of APC slows growth of the epithelium and its WNT target genes.",
        "Growth of the epithelium with WNT target genes needs APC; without APC cells die.",
        "Truncation of APC turns on WNT target genes and growth of the epithelium.",
        "APC was not lost where WNT target genes drive growth of the epithelium.",
        "Loss of APC and amplification of APC turn on WNT target genes and growth of epithelium.",
        "Patients without APC mutation have WNT target genes and growth of the epithelium.",
    ],
)
def test_evidence_that_shows_the_gain_by_a_loss_or_says_both_is_no_issue(quote: str) -> None:
    assert whys("APC activation", text=quote, quote=quote) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("APC-deficient crypts grow.", {"loss"}),
        ("APC-/- cells grow.", {"loss"}),
        ("Biallelic inactivation of the APC gene starts growth.", {"loss"}),
        ("Inactivating APC mutations start growth.", {"loss"}),
        ("Cells that lack functional APC grow.", {"loss"}),
        ("APC is often amplified.", {"gain"}),
        ("Gain-of-function mutations in APC raise growth.", {"gain"}),
        ("Oncogenic APC drives growth.", {"gain"}),
        ("Oncogenic APC mutations drive growth.", set()),
        ("APC activates WNT.", set()),
        ("WNT is activated by APC mutation.", set()),
        ("Loss of KRAS in APC-mutant cells raises growth.", set()),
        ("Overexpression of APC slows growth.", set()),
        ("Loss of APC-AS1 and of APC2 raises growth.", set()),
    ],
)
def test_the_direction_is_that_of_the_gene_itself(text: str, found: set[str]) -> None:
    assert gene_directions(text, GeneNames(GeneIdentity.model_validate(GENE))) == found
