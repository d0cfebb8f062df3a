"""What code holds the summaries to: no fact of their own, none lost, a role that fits."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.models import Chain
from intogen_agent.summary.checks import summary_problems, without_foreign
from intogen_agent.summary.models import RoleOfAction
from intogen_agent.summary.verdict import allowed_roles, says_not_supported

SUPPRESSOR, ONCOGENE = RoleOfAction.TUMOR_SUPPRESSOR, RoleOfAction.ONCOGENE
CONTEXT, UNCLEAR = RoleOfAction.CONTEXT_DEPENDENT, RoleOfAction.UNCLEAR
EVERY = set(RoleOfAction)


def report(*causes: str) -> Any:
    bullets = [
        SimpleNamespace(chain=Chain(cause=cause, mediator="Wnt signaling", outcome="growth"))
        for cause in causes
    ]
    return SimpleNamespace(mechanistic_hypothesis=SimpleNamespace(bullets=bullets))


# The role.


@pytest.mark.parametrize(
    "cause",
    [
        "loss of APC",
        "biallelic inactivation of APC",
        "inactivating TP53 mutation",
        "truncating mutations of APC",
        "homozygous deletion of CDKN2A",
        "promoter hypermethylation of MLH1",
        "epigenetic silencing of MLH1",
        "PTEN loss-of-function variants",
        "LOF variants of NF1",
        "haploinsufficiency of NF1",
        "MLH1-deficient cells",
        "nonsense and frameshift mutations",
        "dominant-negative TP53 mutation",
        "downregulation of PTEN",
        "down-regulated PTEN",
        "reduced expression of PTEN",
        "absence of SMAD4 protein",
    ],
)
def test_loss_of_function_alone_is_no_oncogene(cause: str) -> None:
    assert allowed_roles(report(cause)) == EVERY - {ONCOGENE}


@pytest.mark.parametrize(
    "cause",
    [
        "BRAF V600E gain of function",
        "activating KRAS mutation",
        "constitutive activation of KRAS",
        "amplification of ERBB2",
        "MYC overexpression",
        "over-expressed MYC",
        "upregulation of MYC",
        "EML4-ALK fusion",
        "hotspot mutation of PIK3CA",
        "oncogenic KRAS",
        "ERBB2 gene duplication",
    ],
)
def test_gain_of_function_alone_is_no_tumor_suppressor(cause: str) -> None:
    assert allowed_roles(report(cause)) == EVERY - {SUPPRESSOR}


@pytest.mark.parametrize(
    "causes",
    [
        ("loss of NOTCH1", "activating NOTCH1 mutation"),
        ("APC mutation",),
        ("mutant APC",),
        ("altered splicing of U2AF1", "missense mutation"),
        ("mutant TP53", "somatic alteration of TP53"),
        ("EGFR exon 19 deletion",),
        ("CTNNB1 exon 3 deletion", "in-frame deletion of KIT"),
    ],
)
def test_both_or_neither_leave_every_role_open(causes: tuple[str, ...]) -> None:
    assert allowed_roles(report(*causes)) == EVERY


@pytest.mark.parametrize(
    "made", [SimpleNamespace(mechanistic_hypothesis=None), report()], ids=["none", "empty"]
)
def test_without_a_mechanism_the_role_is_unclear(made: Any) -> None:
    assert allowed_roles(made) == {UNCLEAR}


@given(causes=st.lists(st.text(alphabet="loss gain activation APC"), max_size=4))
def test_a_careful_role_is_always_open(causes: list[str]) -> None:
    roles = allowed_roles(report(*causes))
    assert UNCLEAR in roles and (not causes or CONTEXT in roles)


# Summaries.

SOURCE = (
    "Loss of APC activates beta-catenin signaling in 27 of 34 tumors. BRAF V600E may drive "
    "growth; KRAS was not altered in 1,234 samples (hazard ratio 0.45). "
    "The motif [KR]-[STA]-K is bound."
)


@pytest.mark.parametrize(
    "text",
    [
        "Loss of APC activates beta-catenin signaling.",
        "APC was lost in 27 of 34 tumors, with a hazard ratio of 0.45.",
        "No KRAS alteration was seen in 1234 samples.",
        "The motif [KR]-[STA]-K is bound.",
        "The interval [1.2; 3.4] is no citation.".replace("1.2", "27").replace("3.4", "34"),
    ],
)
def test_a_faithful_summary_has_no_problem(text: str) -> None:
    assert summary_problems(text, SOURCE, 30) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("APC is lost [27].", "it holds citations"),
        ("APC is lost [27, 34].", "it holds citations"),
        ("APC is lost [27-34].", "it holds citations"),
        ("APC is lost (PMID: 27).", "it holds citations"),
        ("APC is lost (PMIDs 27 and 34).", "it holds citations"),
        ("APC is lost (PMC27).", "it holds citations"),
        ("APC is lost (pmid:27).", "it holds citations"),
        ("APC is lost (doi 27).", "it holds citations"),
        ("See https://example.org.", "it holds citations"),
        ("Nothing was found (TOOL:article_searcher).", "it holds citations"),
        ("APC is lost in 80% of tumors.", "the report does not hold the number 80"),
        ("APC is lost in 2012.", "the report does not hold the number 2012"),
        ("word " * 61 + ".", "a sentence is far longer than 30 words"),
    ],
)
def test_what_a_summary_may_not_hold(text: str, problem: str) -> None:
    found = summary_problems(text, SOURCE, 30)
    assert len(found) == 1 and found[0].startswith(problem)


def test_only_endless_sentences_are_refused() -> None:
    assert summary_problems("word " * 59 + "end.", SOURCE, 30) == []
    assert summary_problems(("word " * 59 + "end. ") * 3, SOURCE, 30) == []


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("TP53 is lost too.", "the name TP53"),
        ("Growth stops under imatinib.", "the drug imatinib"),
        ("It was seen in lung tumors.", "the cancer lung"),
    ],
)
def test_a_summary_brings_in_no_gene_drug_or_cancer(text: str, foreign: str) -> None:
    assert summary_problems(text, SOURCE, 30) == [f"the report does not hold {foreign}"]


def test_sentences_that_do_not_keep_to_the_report_can_be_left_out() -> None:
    text = "APC is lost in 27 of 34 tumors. TP53 is lost too. BRAF is bound [3]. KRAS was intact."
    kept = "APC is lost in 27 of 34 tumors. KRAS was intact."
    assert without_foreign(text, SOURCE) == kept


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The evidence found does not support a role of TTN.", True),
        ("Two of three references are missing.", True),
        ("Whether there is a role is open.", True),
        ("TTN drives growth.", False),
    ],
)
def test_what_is_not_supported_says_so(text: str, said: bool) -> None:
    assert says_not_supported(text) is said
