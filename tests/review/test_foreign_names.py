"""Cancers and molecules that a statement names and its evidence does not."""

import pytest
from tests.review.pair import CANCER, TERMS, checker, evidence, parsed, phase2, report

from intogen_agent.cohort.cancer_types import default_path, load_cancer_types
from intogen_agent.models import Cancer
from intogen_agent.review.capitals import foreign_words
from intogen_agent.review.models import Severity
from intogen_agent.review.naming import CancerTerms

KNOWN = CancerTerms(Cancer.model_validate(CANCER), TERMS, load_cancer_types(default_path()))
HELD = (
    "APC was mutated in colorectal tumours. Molecular characterization of colon and rectal cancer."
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("APC mutation drives stomach cancer and melanoma.", ["stomach cancer", "melanoma"]),
        ("APC mutation drives prostate cancers.", ["prostate cancers"]),
        ("APC is lost in leukaemia.", ["leukemia"]),
        ("APC is lost in B-cell lymphomas.", ["b-cell lymphomas"]),
        ("APC is lost in renal cell carcinoma.", ["renal cell carcinoma"]),
        ("APC is lost in colon cancer, rectal adenocarcinoma and colorectal adenomas.", []),
        ("APC is lost in cancers, tumours, carcinomas and adenocarcinomas.", []),
    ],
)
def test_a_cancer_that_the_evidence_does_not_name_is_foreign(text: str, found: list[str]) -> None:
    assert KNOWN.foreign_in(text, HELD) == found


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("gastric cancer", "tumours of the stomach"),
        ("renal cell carcinoma", "kidney cancers"),
        ("lung cancer", "lung adenocarcinomas"),
        ("lung adenocarcinoma", "lung cancer"),
        ("hepatocellular carcinoma", "HCC cells"),
        ("breast cancer", "mammary tumours"),
        ("glioma", "glioblastoma"),
        ("acute myeloid leukaemia", "AML"),
        ("leukaemia", "T-ALL"),
        ("lymphoma", "diffuse large B-cell lymphomas"),
        ("bladder cancer", "urothelial carcinoma"),
        ("skin cancer", "melanomas"),
        ("head and neck cancer", "oral squamous cell carcinoma"),
        ("endometrial cancer", "tumours of the uterus"),
    ],
)
def test_the_same_cancer_in_other_words_is_not(name: str, held: str) -> None:
    assert KNOWN.foreign_in(f"APC is lost in {name}.", held) == []


def test_a_sibling_is_not_carried_by_the_organ_of_both() -> None:
    lung = Cancer(code="LUAD", scheme="oncotree", name="Lung Adenocarcinoma", pan_cancer=False)
    terms = CancerTerms(lung, ("lung adenocarcinoma",), load_cancer_types(default_path()))
    text = "KEAP1 is lost in lung squamous cell carcinoma."
    assert terms.foreign_in(text, "lung cancer and lung adenocarcinoma") != []
    assert terms.foreign_in(text, "squamous carcinomas of the lung") == []


def issues(text: str, place: str = "rationale") -> list[tuple[str | None, Severity]]:
    data = report()
    section, name = {
        "rationale": ("assessment", "rationale"),
        "mechanism": ("mechanistic_hypothesis", "bullets"),
    }[place]
    data[section][name][1 if place == "rationale" else 0]["text"] = text
    found = checker().issues(parsed(data), evidence(phase2()))
    return [(one.check, one.severity) for one in found]


@pytest.mark.parametrize("place", ["rationale", "mechanism"])
def test_a_claim_for_unnamed_cancers_is_a_high_issue(place: str) -> None:
    text = "Loss of APC turns on WNT target genes in colon carcinoma cells and in melanoma."
    assert ("cancer-in-evidence", Severity.HIGH) in issues(text, place)


@pytest.mark.parametrize(
    "text",
    [
        "In colon carcinoma cells loss of APC turns on WNT target genes and B-cell lymphoma 2.",
        "In colon carcinoma cells loss of APC turns on promyelocytic leukemia bodies.",
        "In colon carcinoma cells loss of APC turns on the melanoma antigen.",
    ],
)
def test_a_protein_that_is_named_after_a_cancer_is_none(text: str) -> None:
    assert "cancer-in-evidence" not in [check for check, _ in issues(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Beta-catenin is bound by Notch and Hedgehog.", ["Notch", "Hedgehog"]),
        ("It is bound by cyclin and survivin.", ["cyclin", "survivin"]),
        ("Activated Notch drives it; Hippo follows.", ["Notch", "Hippo"]),
        ("Treated with Herceptin it dies.", ["Herceptin"]),
        ("A Japanese and a Korean cohort of Smith et al. was followed.", []),
        ("The data of The Cancer Genome Atlas show it.", []),
        ("It was seen by Western blot and by the Fisher test, and by Cox regression.", []),
        ("It is lost in Burkitt lymphoma and in Lynch syndrome.", []),
        ("It was shown in the Olympia trial, by Knudson's model and in Drosophila wings.", []),
        ("Qualifying evidence: Mice differ. Cells do as well.", []),
        ("In the Golgi and with Epstein-Barr virus it is lost.", []),
    ],
)
def test_words_with_a_capital_inside_a_sentence_are_names(text: str, found: list[str]) -> None:
    assert foreign_words(text, "") == found


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("It binds Notch.", "NOTCH1 was bound"),
        ("It binds Ras.", "KRAS was bound"),
        ("It raises cyclin E.", "CCNE1 rose"),
        ("It raises survivin.", "Survivin rose"),
        ("It turns on Wnt signalling.", "WNT target genes"),
    ],
)
def test_a_name_in_another_form_is_held(text: str, held: str) -> None:
    assert foreign_words(text, held) == []
