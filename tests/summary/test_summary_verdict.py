"""Summaries against the verdict and the mechanisms: refused; what says the same: taken."""

# ruff: noqa: E501 - a text a line

from copy import deepcopy
from typing import Any

import pytest
from tests.review import pair

from intogen_agent.report.models import FinalReport
from intogen_agent.summary.mending import put_right
from intogen_agent.summary.source import Source
from intogen_agent.summary.verdict import says_not_supported
from intogen_agent.summary.wire import SummaryDraft

REASON = "The evidence misses the thresholds of supported: 0 of 2 supporting statements."
FOR_TTN = "TTN has many mutations because the gene is long. TTN is not a driver by any test."


def supported() -> FinalReport:
    """Return the report on APC; its chains begin with a loss."""
    return pair.parsed(deepcopy(pair.REPORT))


def not_supported() -> FinalReport:
    """Return a report on TTN that is not supported."""
    data: dict[str, Any] = deepcopy(pair.REPORT)
    data["gene"] = {"symbol": "TTN", "name": "titin", "uniprot": "Q8WZ42", "aliases": []}
    data["cancer"] = {**pair.CANCER, "code": "LUAD", "name": "Lung Adenocarcinoma"}
    data["gene_function"]["bullets"] = [pair.bullet("Spans the sarcomere.", [1], ["F1"])]
    data["assessment"] = {
        "involvement": "not_supported",
        "rationale": [pair.bullet(FOR_TTN, [3], ["E2"])],
        "reason": REASON,
    }
    data["mechanistic_hypothesis"] = None
    return pair.parsed(data)


APC, TTN = Source(supported()), Source(not_supported())

# Against `not supported`, in every text; or without a word of it.
AFFIRMS = [
    ("headline", "TTN drives lung adenocarcinoma."),
    ("headline", "The evidence leaves no doubt about the role of TTN in lung adenocarcinoma."),
    ("headline", "TTN is not only mutated in lung adenocarcinoma, its role is supported."),
    ("headline", "TTN is often mutated in lung adenocarcinoma."),
    ("headline", "Lung adenocarcinoma does not spare TTN."),
    ("headline", "TTN is not a small gene, and it drives lung adenocarcinoma."),
    ("headline", "TTN plays a key role in lung adenocarcinoma."),
    ("headline", "TTN is an oncogene of lung adenocarcinoma."),
    ("general", "The role of TTN in lung adenocarcinoma is well established."),
    ("general", "TTN mutations cause lung adenocarcinoma."),
    ("general", "TTN undoubtedly matters in lung adenocarcinoma."),
    ("general", "TTN is no longer a mere passenger in lung adenocarcinoma."),
    ("gene_function", "TTN is a driver of lung adenocarcinoma."),
    ("assessment", "TTN is a driver of lung adenocarcinoma although few papers were read."),
    ("assessment", "The role of TTN in lung adenocarcinoma is firmly supported by the evidence."),
    ("assessment", "TTN has many mutations and does not bind DNA."),
    ("assessment", "A role of TTN is supported; it is not a passenger."),
    ("headline", "TTN, a driver of lung adenocarcinoma, is often mutated, which few doubt."),
    ("headline", "TTN is a lung adenocarcinoma driver gene."),
    ("headline", "It is not true that TTN has no role in lung adenocarcinoma."),
    ("headline", "TTN does not fail to drive lung adenocarcinoma."),
    ("headline", "Lung adenocarcinoma is driven by TTN."),
    ("headline", "TTN contributes to lung adenocarcinoma."),
    ("headline", "The evidence found supports a role of TTN in lung adenocarcinoma."),
    ("headline", "Strong evidence makes TTN a driver of lung adenocarcinoma, and no gene is longer."),
    ("general", "Lung adenocarcinoma is caused by TTN mutations."),
    ("general", "TTN contributes to the growth of lung adenocarcinoma."),
    ("general", "TTN is a bona fide lung cancer gene."),
    ("general", "TTN has a proven role in lung adenocarcinoma."),
    ("general", "The thresholds of supported are met."),
    ("assessment", "The evidence for TTN meets the thresholds of supported."),
    ("assessment", "The evidence is not only sufficient but strong. TTN is supported as a driver."),
    ("assessment", "The evidence clearly supports a role of TTN in lung adenocarcinoma. No other gene was read."),
    ("general", "TTN is essential for lung adenocarcinoma."),
    ("general", "Its role in lung adenocarcinoma is supported."),
]  # fmt: skip

NOT_SUPPORTED = [
    ("headline", "The evidence found does not support a role of TTN in lung adenocarcinoma."),
    ("headline", "TTN is most likely a passenger in lung adenocarcinoma."),
    ("headline", "TTN is often mutated in lung adenocarcinoma, but no evidence shows that it drives the cancer."),
    ("headline", "No role of TTN in lung adenocarcinoma is supported."),
    ("headline", "Too little evidence links TTN to lung adenocarcinoma."),
    ("headline", "Despite many mutations, TTN is not supported as a driver of lung adenocarcinoma."),
    ("headline", "A role of TTN in lung adenocarcinoma is unproven."),
    ("headline", "Whether there is a role of TTN in lung adenocarcinoma is open, because evidence could not be obtained."),
    ("headline", "TTN lacks evidence of a driver role in lung adenocarcinoma."),
    ("headline", "Nothing suggests that TTN drives lung adenocarcinoma; its role is not supported."),
    ("general", "Titin spans the sarcomere. Its gene is long and so collects mutations."),
    ("general", "TTN is not a driver of lung adenocarcinoma but a passenger."),
    ("general", "TTN no longer binds myosin when it is cut."),
    ("general", "APC drives colorectal cancer, but nothing supports a role of TTN in lung adenocarcinoma."),
    ("gene_function", "TTN plays a role in muscle. It not only spans the sarcomere but also gives it elasticity."),
    ("gene_function", "TTN drives muscle assembly."),
    ("assessment", "The evidence misses the thresholds: 0 of 2 supporting statements. 2 papers speak against a role."),
    ("assessment", "The evidence for a role of TTN is insufficient. One study reports that TTN loss promotes tumor growth in mice."),
    ("assessment", "It is not supported that TTN plays a role in lung adenocarcinoma."),
    ("assessment", "No study shows that TTN is a driver of lung adenocarcinoma."),
    ("assessment", "The evidence falls short of what a driver needs. KRAS is a driver of lung adenocarcinoma."),
    ("headline", "TTN is mutated often in lung adenocarcinoma, yet the evidence does not support a role."),
    ("headline", "Mutations of TTN in lung adenocarcinoma reflect the gene's length, and no driver role is supported."),
    ("headline", "The evidence found speaks against a role of TTN in lung adenocarcinoma."),
    ("headline", "A role of TTN as a driver of lung adenocarcinoma is not supported by the evidence."),
    ("general", "The gene is long, so mutations are expected. They do not make TTN a driver of lung adenocarcinoma."),
    ("general", "Whether TTN drives lung adenocarcinoma has not been shown."),
    ("general", "TTN mutations go with a high mutation burden in lung adenocarcinoma and are passengers."),
    ("general", "Smoking causes many mutations in lung adenocarcinoma, TTN among them."),
    ("assessment", "A role is not supported: two references of the three needed were found."),
    ("assessment", "None of the thresholds was met. Raw recurrence needs a background model."),
]  # fmt: skip

# Against `supported`, or against chains that begin with a loss.
DENIES = [
    ("headline", "APC plays no role in colorectal adenocarcinoma and is a mere passenger."),
    ("headline", "APC is an oncogene of colorectal adenocarcinoma."),
    ("headline", "The evidence does not support a role of APC in colorectal adenocarcinoma."),
    ("general", "A role of APC in colorectal adenocarcinoma is not supported."),
    ("general", "APC is a passenger."),
    ("general", "APC is not a driver of this cancer."),
    ("general", "APC does not drive colorectal adenocarcinoma."),
    ("general", "No evidence for a role of APC was found."),
    ("assessment", "APC plays no role in colorectal adenocarcinoma."),
    ("assessment", "The evidence does not support a role of APC in colorectal adenocarcinoma."),
    ("mechanistic_hypothesis", "Gain of APC turns off WNT target genes. APC is an oncogene."),
    ("mechanistic_hypothesis", "Amplification of APC turns on WNT target genes."),
    ("mechanistic_hypothesis", "APC loss frees beta-catenin. This gene is thus an oncogene."),
    ("mechanistic_hypothesis", "APC acts as an oncogene."),
    ("mechanistic_hypothesis", "The oncogene APC is lost."),
    ("gene_function", "APC is a proto-oncogene."),
    ("role_reason", "APC is an oncogene."),
    ("headline", "APC is irrelevant to colorectal adenocarcinoma."),
    ("headline", "APC has nothing to do with colorectal adenocarcinoma."),
    ("headline", "There is no support for APC in colorectal adenocarcinoma."),
    ("headline", "The role of APC in colorectal adenocarcinoma is doubtful."),
    ("headline", "APC is hardly a driver of colorectal adenocarcinoma."),
    ("headline", "A role of APC in colorectal adenocarcinoma remains unproven."),
    ("general", "The evidence for APC misses the thresholds of supported."),
    ("general", "APC is not involved in colorectal adenocarcinoma."),
    ("general", "It has no role in this cancer."),
    ("general", "The evidence found fails to support a role of APC in colorectal adenocarcinoma."),
    ("headline", "Activating mutations of APC turn on WNT target genes in colorectal adenocarcinoma."),
    ("headline", "APC overexpression turns on WNT target genes."),
    ("general", "APC promotes colorectal adenocarcinoma as an oncogene."),
    ("general", "APC behaves as a classical oncogene."),
    ("general", "APC works as an oncogene."),
]  # fmt: skip

SUPPORTED = [
    ("headline", "Loss of APC turns on WNT target genes and drives colorectal adenocarcinoma."),
    ("headline", "APC, not KRAS, starts colorectal adenocarcinoma."),
    ("headline", "APC is a driver of colorectal adenocarcinoma, not a passenger."),
    ("general", "APC loss drives colorectal adenocarcinoma, although the evidence does not support a role of KRAS as the first event."),
    ("general", "APC has no role in DNA repair. Its loss turns on WNT target genes."),
    ("general", "APC is a tumor suppressor. APC is not an oncogene."),
    ("general", "APC loss alone does not cause metastasis."),
    ("assessment", "The evidence found supports a role of APC. The stepwise route is not supported in most tumors."),
    ("assessment", "One study found that APC loss alone plays no role in late colorectal adenocarcinoma in mice."),
    ("assessment", "KRAS is an oncogene that often goes with APC loss."),
    ("mechanistic_hypothesis", "APC loss frees beta-catenin. It is an oncogene product that turns on WNT target genes."),
    ("mechanistic_hypothesis", "Inactivation of APC keeps beta-catenin, an oncogene product, stable."),
    ("mechanistic_hypothesis", "Loss of APC activates WNT signalling and oncogenic MYC."),
    ("gene_function", "APC activates the guanine nucleotide exchange factors. APC is a tumor suppressor."),
    ("role_reason", "Its loss drives growth."),
    ("headline", "Loss of APC removes a brake on WNT signalling and starts colorectal adenocarcinoma."),
    ("general", "The evidence found supports a role of APC in colorectal adenocarcinoma, but not every tumor follows the same route."),
    ("general", "APC marks beta-catenin for degradation. Its loss turns on WNT target genes."),
    ("general", "The role of APC is well supported; what follows its loss is unclear."),
    ("general", "Not all APC mutations are equal. No study contradicts the role of APC."),
    ("assessment", "The evidence supports a role of APC. Whether TP53 comes later is open."),
    ("assessment", "A second hit is not a driver of its own."),
    ("mechanistic_hypothesis", "APC normally restrains WNT signalling. Without it, beta-catenin activates oncogenes such as MYC."),
    ("mechanistic_hypothesis", "When APC is lost, beta-catenin gains access to the nucleus."),
    ("mechanistic_hypothesis", "Loss of APC is followed by activation of KRAS."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), AFFIRMS)
def test_what_is_not_supported_is_affirmed_in_no_text(name: str, text: str) -> None:
    assert TTN.verdict.problems(name, text)


@pytest.mark.parametrize(("name", "text"), NOT_SUPPORTED)
def test_what_says_that_it_is_not_supported_is_taken(name: str, text: str) -> None:
    assert TTN.verdict.problems(name, text) == []


@pytest.mark.parametrize(("name", "text"), DENIES)
def test_what_is_supported_is_denied_in_no_text_and_turned_in_none(name: str, text: str) -> None:
    assert APC.verdict.problems(name, text)


@pytest.mark.parametrize(("name", "text"), SUPPORTED)
def test_what_says_that_it_is_supported_or_denies_something_else_is_taken(
    name: str, text: str
) -> None:
    assert APC.verdict.problems(name, text) == []


def test_a_sentence_of_the_report_may_stand_outside_the_headline() -> None:
    told = "APC mutation plays no role in colorectal adenocarcinoma."
    data = deepcopy(pair.REPORT)
    data["assessment"]["rationale"][2]["text"] = told
    verdict = Source(pair.parsed(data)).verdict
    assert verdict.problems("assessment", told) == []
    assert verdict.problems("headline", told)


@pytest.mark.parametrize(
    "text",
    [
        "There is no doubt that TTN drives lung adenocarcinoma.",
        "TTN is a driver of lung adenocarcinoma, not a passenger.",
        "TTN does not bind DNA.",
        "TTN is seldom mutated.",
        "No longer is TTN small.",
        "Without TTN no muscle works.",
    ],
)
def test_not_every_negation_says_that_it_is_not_supported(text: str) -> None:
    assert not says_not_supported(text)


# What the controller puts right.


def draft(**changes: Any) -> SummaryDraft:
    given: dict[str, Any] = {
        "headline": "APC loss turns on WNT target genes.",
        "general": "APC marks beta-catenin for degradation.",
        "gene_function": "APC marks beta-catenin for degradation.",
        "assessment": "APC was inactivated in 41 of 43 colorectal tumours.",
        "mechanistic_hypothesis": "Loss of APC turns on WNT target genes.",
        "role_of_action": "tumor suppressor",
        "role_reason": "Its loss drives growth.",
    }
    return SummaryDraft.model_validate({**given, **changes})


LEFT_OUT = "sentences that contradict the verdict or the mechanisms were left out"
VERDICT = "The evidence found supports a role of APC in Colorectal Adenocarcinoma."
CHAINS = (
    "APC loss is linked to growth of the epithelium through WNT target genes. APC mutation is "
    "linked to chromosomal instability through beta-catenin."
)


@pytest.mark.parametrize(
    ("name", "text", "instead"),
    [
        ("headline", "APC is an oncogene of colorectal adenocarcinoma.", VERDICT),
        ("general", "APC is a passenger. APC marks beta-catenin.", "APC marks beta-catenin."),
        ("general", "APC is a mere passenger.", VERDICT),
        ("assessment", "APC plays no role in colorectal adenocarcinoma.", VERDICT),
        ("mechanistic_hypothesis", "Gain of APC turns off WNT. APC is an oncogene.", CHAINS),
    ],
)
def test_what_contradicts_is_put_right_and_recorded(name: str, text: str, instead: str) -> None:
    drafted = put_right(draft(**{name: text}), APC)
    assert getattr(drafted.summaries, name) == instead
    assert drafted.edits == [f"{name}: {LEFT_OUT}"]


@pytest.mark.parametrize(
    ("role", "text", "kept"),
    [
        ("oncogene", "Mutant APC is a tumor suppressor. It binds WNT.", "It binds WNT."),
        ("tumor suppressor", "Mutant APC acts as an oncogene. It binds WNT.", "It binds WNT."),
        ("oncogene", "Mutant APC acts as an oncogene.", "Mutant APC acts as an oncogene."),
        ("context-dependent", "APC is a tumor suppressor.", "APC is a tumor suppressor."),
        ("unclear", "APC is a tumor suppressor.", "APC is a tumor suppressor."),
    ],
)
def test_where_the_chains_are_silent_the_prose_follows_the_role(
    role: str, text: str, kept: str
) -> None:
    data = deepcopy(pair.REPORT)
    for bullet in data["mechanistic_hypothesis"]["bullets"]:
        bullet["chain"] = {**bullet["chain"], "cause": "APC mutation"}
    source = Source(pair.parsed(data))
    drafted = put_right(draft(general=text, role_of_action=role), source)
    assert (drafted.summaries.general, drafted.role.value) == (kept, role)
    assert drafted.edits == ([] if kept == text else [f"general: {LEFT_OUT}"])


def test_a_reason_that_contradicts_the_chains_is_left_out() -> None:
    drafted = put_right(draft(role_reason="APC is an oncogene. Its loss drives growth."), APC)
    assert drafted.role_reason == "Its loss drives growth."
    assert drafted.edits == [f"role_reason: {LEFT_OUT}"]


def test_a_gene_without_support_is_told_so_with_the_reason() -> None:
    given = draft(
        headline="There is no doubt that TTN drives lung adenocarcinoma.",
        general="TTN drives lung adenocarcinoma. The evidence supports its role firmly.",
        gene_function="TTN spans the sarcomere.",
        assessment="The role of TTN in lung adenocarcinoma is firmly supported.",
        mechanistic_hypothesis=None,
        role_of_action="unclear",
        role_reason="",
    )
    drafted = put_right(given, TTN)
    told = "The evidence found does not support a role of TTN in Lung Adenocarcinoma."
    assert (drafted.summaries.headline, drafted.summaries.general) == (told, told)
    assert drafted.summaries.assessment == f"{told} {REASON}"
    assert drafted.edits == [
        f"{name}: {LEFT_OUT}" for name in ("headline", "general", "assessment")
    ]
