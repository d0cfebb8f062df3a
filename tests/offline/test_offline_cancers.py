"""Whose cancer a sentence speaks of, seen from a task's cancer type."""

import pytest

from intogen_agent.offline.cancers import (
    CANCER_WORD,
    CancerType,
    name_in_sentence,
    named_cancers,
)

LUNG = CancerType(("Lung Adenocarcinoma", "lung adenocarcinoma", "adenocarcinoma of the lung"))
BREAST = CancerType(("Invasive Breast Carcinoma", "breast cancer", "mammary carcinoma"))
BLOOD = CancerType(("Acute Myeloid Leukemia", "acute myeloid leukemia"))
KIDNEY = CancerType(("Renal Clear Cell Carcinoma", "clear cell renal cell carcinoma"))


@pytest.mark.parametrize(
    ("cancer", "sentence", "scope"),
    [
        (LUNG, "ABX1 is lost in lung adenocarcinomas.", "target"),
        (LUNG, "ABX1 is lost in pulmonary adenocarcinoma.", "target"),
        (LUNG, "ABX1 is lost in non-small-cell lung cancer.", "target"),
        (LUNG, "ABX1 is lost in non–small cell lung cancer.", "target"),
        (LUNG, "ABX1 is lost in small-cell lung cancer.", "related"),
        (LUNG, "ABX1 is lost in lung squamous cell carcinoma.", "related"),
        (LUNG, "ABX1 is lost in uveal melanoma.", "other"),
        (LUNG, "ABX1 is lost in breast cancer.", "other"),
        (LUNG, "ABX1 is lost in 30 cancer types.", "pan-cancer"),
        (LUNG, "ABX1 is lost in human cancers.", "pan-cancer"),
        (LUNG, "ABX1 is lost in lung, breast and gastric cancers.", "pan-cancer"),
        (LUNG, "ABX1 binds QRS2.", "other"),
        (LUNG, "ABX1 is lost in tumours.", "pan-cancer"),
        (BREAST, "ABX1 is lost in breast tumours.", "target"),
        (BREAST, "ABX1 is lost in mammary carcinoma.", "target"),
        (BREAST, "ABX1 is lost in lobular breast carcinoma.", "subtype"),
        (BREAST, "ABX1 is lost in colorectal carcinoma.", "other"),
        (BLOOD, "ABX1 is lost in acute myeloid leukaemia.", "target"),
        (BLOOD, "ABX1 is lost in AML.", "target"),
        (BLOOD, "ABX1 is needed to maintain leukaemia.", "target"),
        (BLOOD, "ABX1 is lost in acute lymphoblastic leukemia.", "other"),
        (KIDNEY, "ABX1 is lost in renal cell carcinoma.", "target"),
        (KIDNEY, "ABX1 is lost in kidney cancer.", "target"),
        (KIDNEY, "ABX1 is lost in papillary renal cell carcinoma.", "related"),
    ],
)
def test_a_sentence_is_placed_by_organ_and_histology(
    cancer: CancerType, sentence: str, scope: str
) -> None:
    assert cancer.scope(sentence, "", "") == scope


def test_a_sentence_without_a_site_is_read_with_its_title_then_its_text() -> None:
    assert BREAST.scope("ABX1 is lost.", "Genes of breast cancer", "") == "target"
    assert BREAST.scope("ABX1 is lost.", "Genes", "We studied lung cancer.") == "other"
    assert BREAST.scope("ABX1 is lost in tumours.", "Breast cancer", "") == "target"


def test_for_a_pan_cancer_task_every_cancer_is_the_target() -> None:
    anything = CancerType(("Any Cancer Type", "cancer"), pan_cancer=True)
    assert anything.scope("ABX1 is lost in uveal melanoma.", "", "") == "target"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Colorectal Adenocarcinoma", "colorectal adenocarcinoma"),
        ("Invasive Breast Carcinoma", "invasive breast carcinoma"),
        ("Renal Clear Cell Carcinoma", "renal clear cell carcinoma"),
        ("Acute Myeloid Leukemia", "acute myeloid leukemia"),
        ("Ewing Sarcoma", "Ewing sarcoma"),
        ("Diffuse Large B-Cell Lymphoma", "diffuse Large B-cell lymphoma"),
    ],
)
def test_a_cancer_s_name_is_written_for_running_text(name: str, written: str) -> None:
    assert name_in_sentence(name) == written


@pytest.mark.parametrize(
    "text", ["a tumor", "tumours", "oncogenic", "leukaemia", "gliomas", "metastasis"]
)
def test_words_of_cancer_are_known(text: str) -> None:
    assert CANCER_WORD.search(text)


@pytest.mark.parametrize(
    "text", ["chromosome", "stroma", "proliferation", "the genome", "apoptosis"]
)
def test_words_of_biology_are_no_words_of_cancer(text: str) -> None:
    assert not CANCER_WORD.search(text)


def test_a_named_leukemia_keeps_its_course_unless_the_text_names_two() -> None:
    acute = "ABX1 is mutated in acute myeloid leukemia."
    assert named_cancers(acute) == ["acute myeloid leukemia"]
    assert named_cancers(f"{acute} It is lost in chronic myeloid leukemia.") == ["myeloid leukemia"]
    assert named_cancers("ABX1 is lost in lung cancer.") == ["lung cancer"]
