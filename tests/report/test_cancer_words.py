"""Gene/Protein Function is free of cancer-specific outcomes; names that sound like it are none."""

import pytest

from intogen_agent.report.cancer_words import cancer_words

NAMES = ["APC", "APC regulator of WNT signaling pathway", "DP2"]
CANCERS = ["Colorectal Adenocarcinoma", "COADREAD"]

FREE = [
    "Supports cell survival and proliferation.",
    "Induces apoptosis and cell-cycle arrest.",
    "Binds tumor necrosis factor.",
    "Binds the tumour necrosis factor receptor.",
    "Induces tumor protein p53.",
    "Stabilises the tumor suppressor p53.",
    "Acts as a tumor suppressor.",
    "Acts as a tumour-suppressor.",
    "Acts as a proto-oncogene.",
    "Binds the viral oncoprotein E7.",
    "Binds the breast cancer type 1 susceptibility protein.",
    "Binds B-cell lymphoma 2 and B-cell CLL/lymphoma 2.",
    "Recruits DAXX to promyelocytic leukemia bodies.",
    "Phosphorylates retinoblastoma protein.",
    "Binds the retinoblastoma-associated protein.",
    "Belongs to the retinoblastoma family.",
    "Activates anaplastic lymphoma kinase.",
    "Encodes the Wilms tumor 1 protein.",
    "Binds deleted in colorectal carcinoma (DCC).",
    "Binds deleted in liver cancer 1.",
    "Binds absent in melanoma 2.",
    "Binds the RNA-binding protein fused in sarcoma.",
    "Binds leukemia inhibitory factor.",
    "Belongs to the melanoma antigen family.",
    "Binds metastasis-associated protein MTA1.",
    "Binds the mixed-lineage leukemia protein.",
    "Binds a cancer/testis antigen.",
    "Binds glioma-associated oncogene homolog 1.",
    "Resembles neuroblastoma RAS viral oncogene homolog.",
    "Binds the tumor susceptibility gene 101 protein.",
    "Encodes the APC regulator of WNT signaling pathway.",
    "Has an ovarian tumor (OTU) domain.",
    "Belongs to the ovarian tumour proteases.",
    "Reads methylated lysine through malignant brain tumor (MBT) repeats.",
    "Has three malignant brain tumour repeats.",
    "Binds Ewing sarcoma breakpoint region 1.",
    "Binds the Ewing sarcoma breakpoint region 1 protein.",
    "Is ubiquitinated by Casitas B-lineage lymphoma proto-oncogene.",
    "Is ubiquitinated by casitas B-lineage lymphoma.",
    "Dimerises with pre-B-cell leukemia homeobox 1.",
    "Activates leukemia-associated RhoGEF.",
    "Binds AML1, ALL-1 and B-cell CLL/lymphoma 2.",
    "Acts in all cells and is found in the GIST1 locus.",
    "Is part of the glomerular basement membrane (GBM).",
    "Binds deubiquitinases of the MPN domain and the NPC of the nuclear pore.",
    "Confers resistance to oxidative stress and hypoxia.",
    "Prolongs the life of neurons.",
    "Binds neurofibromin and hepatocyte growth factor.",
]
SPEAKS = [
    ("Drives colorectal cancer.", "cancer"),
    ("Suppresses tumor growth.", "tumor"),
    ("Suppresses tumours.", "tumours"),
    ("Is an oncogene.", "oncogene"),
    ("Is an oncoprotein.", "oncoprotein"),
    ("Drives oncogenic transformation.", "oncogenic"),
    ("Mediates tumor suppression.", "tumor"),
    ("Acts in the tumor microenvironment.", "tumor"),
    ("Promotes metastasis.", "metastasis"),
    ("Inhibits metastatic spread.", "metastatic"),
    ("Predicts prognosis.", "prognosis"),
    ("Predicts overall survival.", "overall survival"),
    ("Shortens survival of patients.", "survival of patients"),
    ("Drives tumorigenesis.", "tumorigenesis"),
    ("Drives hepatocarcinogenesis.", "hepatocarcinogenesis"),
    ("Drives lymphomagenesis.", "lymphomagenesis"),
    ("Drives leukaemogenesis.", "leukaemogenesis"),
    ("Causes malignant transformation.", "malignant"),
    ("Is lost in carcinoma.", "carcinoma"),
    ("Is mutated in lung adenocarcinomas.", "adenocarcinomas"),
    ("Is mutated in melanoma.", "melanoma"),
    ("Causes leukaemia.", "leukaemia"),
    ("Acts in glioblastoma cells.", "glioblastoma"),
    ("Has anti-tumour activity.", "anti-tumour"),
    ("Is active in cancer-associated fibroblasts.", "cancer"),
    ("Is deleted in colorectal cancer.", "cancer"),
    ("Is frequently deleted in colorectal carcinoma.", "carcinoma"),
    ("Is mutated in breast cancer, 41 of 43 cases.", "cancer"),
    ("Is mutated in breast cancers 12% of the time.", "cancers"),
    ("Forms neoplasms.", "neoplasms"),
    ("Relapses follow its loss.", "Relapses"),
    ("Is mutated in COADREAD.", "COADREAD"),
    ("Is known from colorectal adenocarcinoma.", "adenocarcinoma"),
    ("Is lost in GBM.", "GBM"),
    ("Is lost in AML.", "AML"),
    ("Drives CRC growth.", "CRC"),
    ("Is mutated in NSCLC.", "NSCLC"),
    ("Drives GISTs.", "GISTs"),
    ("Is fused in ALL.", "ALL"),
    ("Is lost in CLL cells.", "CLL"),
    ("Is lost in ccRCC.", "ccRCC"),
    ("Drives hepatoma.", "hepatoma"),
    ("Is mutated in thymoma.", "thymoma"),
    ("Drives seminoma.", "seminoma"),
    ("Causes meningiomas.", "meningiomas"),
    ("Drives pheochromocytoma.", "pheochromocytoma"),
    ("Confers resistance to chemotherapy.", "resistance to chemotherapy"),
    ("Causes chemoresistance.", "chemoresistance"),
    ("Improves the response to radiotherapy.", "response to radiotherapy"),
    ("Shortens the life of patients.", "life of patients"),
    ("Improves mortality of patients.", "mortality of patients"),
    ("Lowers patient mortality.", "patient mortality"),
    ("Is mutated in Hodgkin disease.", "Hodgkin"),
    ("Causes malignant brain tumors.", "malignant"),
    ("Causes ovarian tumors in its domain.", "tumors"),
]


@pytest.mark.parametrize("text", FREE)
def test_names_and_normal_functions_pass(text: str) -> None:
    assert cancer_words(text, NAMES, CANCERS) == []


@pytest.mark.parametrize(("text", "word"), SPEAKS)
def test_cancer_and_its_outcomes_are_found(text: str, word: str) -> None:
    assert word in cancer_words(text, NAMES, CANCERS)


def test_the_genes_own_name_is_looked_past() -> None:
    assert cancer_words("Encodes tumor suppressing thing X.", ["tumor suppressing thing X"]) == []
    assert cancer_words("Encodes a cancer.", ["cancer"]) == ["cancer"], "one word hides nothing"


def test_a_cancer_type_without_a_word_of_the_list_is_found_by_its_name() -> None:
    assert cancer_words("Acts in mycosis fungoides.", (), ["Mycosis Fungoides", "MYCF"])
    assert not cancer_words("Acts in all cells.", (), ["Acute thing", "ALL"])
