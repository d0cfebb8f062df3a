"""What code holds the summaries to: no fact of their own, none lost, a role that fits."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.evidence.models import Chain
from intogen_agent.summary.checks import allowed_roles, rewrite_problem, summary_problems
from intogen_agent.summary.models import RoleOfAction

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
    "growth; KRAS was not altered in 1,234 samples (hazard ratio 0.45)."
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


# Rewrites.

ORIGINAL = "Loss of APC may activate beta-catenin in 27 of 34 tumors, but KRAS was not altered."


@pytest.mark.parametrize(
    "rewrite",
    [
        ORIGINAL,
        "In 27 of 34 tumors, loss of APC may activate beta-catenin. KRAS was not altered.",
        "APC loss might activate beta-catenin (27 of 34 tumors); KRAS was not altered.",
        "KRAS was not altered. Loss of APC could perhaps activate beta-catenin: 27 of 34 tumors.",
    ],
)
def test_a_rewrite_that_keeps_every_fact_is_taken(rewrite: str) -> None:
    assert rewrite_problem(rewrite, ORIGINAL, SOURCE, 30) is None


@pytest.mark.parametrize(
    ("rewrite", "problem"),
    [
        ("", "it is empty"),
        (ORIGINAL + " [3]", "it holds citations"),
        (ORIGINAL.replace("27", "28"), "the report does not hold the number 28"),
        (ORIGINAL.replace("in 27 of 34 tumors", "in most tumors"), "it drops a number"),
        (ORIGINAL.replace("27 of 34", "34"), "it drops a number"),
        (ORIGINAL + " TP53 is lost too.", "it brings in the name TP53"),
        (ORIGINAL + " So is p53.", "it brings in the name p53"),
        (ORIGINAL + " The cause is miR-27.", "it brings in the name miR-27"),
        (ORIGINAL.replace("KRAS", "NRAS"), "it brings in the name NRAS"),
        (ORIGINAL.replace("KRAS", "another gene"), "it drops the name KRAS"),
        (ORIGINAL.replace("was not altered", "was altered"), "it changes a negation"),
        (ORIGINAL.replace("Loss of APC may", "Loss of APC may not"), "it changes a negation"),
        (ORIGINAL.replace("may activate", "activates"), "it drops a hedge"),
        ("word " * 61 + ORIGINAL, "a sentence is far longer"),
    ],
)
def test_a_rewrite_that_changes_a_fact_is_refused(rewrite: str, problem: str) -> None:
    found = rewrite_problem(rewrite, ORIGINAL, SOURCE, 30)
    assert found is not None and found.startswith(problem)


def test_a_name_inside_another_name_does_not_stand_for_it() -> None:
    original = "RAS and KRAS were altered."
    assert rewrite_problem("KRAS was altered.", original, "", 30) == "it drops the name RAS"
    assert rewrite_problem("KRAS and RAS were altered.", original, "", 30) is None


def test_a_name_of_the_report_may_be_brought_in() -> None:
    rewrite = ORIGINAL + " BRAF V600E is another driver."
    assert rewrite_problem(rewrite, ORIGINAL, SOURCE, 30) is None


@given(
    words=st.lists(
        st.sampled_from(
            ["APC", "KRAS", "p53", "not", "may", "27", "0.45", "loss", "of", "suggests", "never"]
        ),
        min_size=1,
        max_size=15,
    ),
    order=st.randoms(),
)
def test_the_same_words_in_another_order_keep_every_fact(words: list[str], order: Any) -> None:
    original = " ".join(words)
    order.shuffle(words)
    assert rewrite_problem(" ".join(words), original, "", 30) is None


@given(
    words=st.lists(st.sampled_from(["loss", "of", "the", "gene"]), max_size=8),
    fact=st.sampled_from(["KRAS", "p53", "not", "may", "27", "0.45", "V600E", "no"]),
    at=st.integers(0, 8),
)
def test_no_fact_is_lost_or_added_unseen(words: list[str], fact: str, at: int) -> None:
    bare = " ".join(["Here", *words])
    full = " ".join(["Here", *words[:at], fact, *words[at:]])
    assert rewrite_problem(bare, full, "", 30) is not None
    if fact not in ("may",):  # a hedge may be added
        assert rewrite_problem(full, bare, "", 30) is not None
