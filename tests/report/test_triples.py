"""Mechanisms are redundant when they share the same normalised triple."""

import pytest

from intogen_agent.evidence.models import Chain
from intogen_agent.report.triples import normalised_triple

NAMES = ["ERBB2", "HER2", "HER-2/neu", "NEU"]


def key(cause: str, mediator: str = "m", outcome: str = "o") -> tuple[str, str, str]:
    return normalised_triple(Chain(cause=cause, mediator=mediator, outcome=outcome), NAMES)


SAME = [
    ("APC loss", "apc  LOSS"),
    ("APC loss", "APC loss."),
    ("APC loss", "Loss of APC"),
    ("APC loss", "loss of the APC"),
    ("APC loss", "APC inactivation"),
    ("APC loss", "Inactivation of APC"),
    ("APC loss", "APC LoF"),
    ("APC loss", "APC loss-of-function"),
    ("APC loss", "APC loss of function mutations"),
    ("APC loss", "inactivating mutations of APC"),
    ("KRAS gain of function", "KRAS activation"),
    ("KRAS gain-of-function mutation", "activating mutations in KRAS"),
    ("KRAS GoF", "activating KRAS mutations"),
    ("APC loss", "inactivating APC mutations"),
    ("TGF-β", "TGFbeta"),
    ("TGF-β signalling", "TGF beta signaling"),
    ("TGFβ pathway", "TGFβ signaling pathway"),
    ("Wnt/β-catenin", "WNT/beta-catenin"),
    ("ERBB2 amplification", "HER2 amplification"),
    ("ERBB2 amplification", "amplification of HER-2/neu"),
    ("ERBB2 amplification", "ERBB2 copy-number gain"),
    ("ERBB2 overexpression", "over-expression of HER2"),
    ("tumour growth", "tumor growth"),
    ("increased cells", "increased cell"),
    ("β‐catenin stabilisation", "beta-catenin stabilization"),
    ("→ APC loss", "APC loss"),
    ("ＡＰＣ loss", "APC loss"),
    ("ER+ tumours", "ER-positive tumors"),
    ("ER⁻ tumours", "ER negative tumours"),
    ("ERBB2+/− cells", "ERBB2 +/- cells"),
    ("growth through MYC", "growth via MYC"),
    ("ERBB2 gene amplification", "amplification of the HER2 gene"),
    ("ERBB2 loss", "inactivating mutations in the NEU gene"),
    ("ERBB2 loss", "LoF of ERBB2 protein"),
    ("ERBB2 loss", "HER2-deficient"),
    ("ERBB2 loss", "HER2 deficiency"),
    ("PI3K p110 alpha", "PI3K p110α"),
]
DIFFERENT = [
    ("APC loss", "AXIN loss"),
    ("APC loss", "APC amplification"),
    ("KRAS activation", "KRAS amplification"),
    ("KRAS activation", "KRAS overexpression"),
    ("ERBB2 amplification", "ERBB2 overexpression"),
    ("ERBB2 loss", "ERBB3 loss"),
    ("IL-2", "IL-12"),
    ("TGF-alpha", "TGF-beta"),
    ("proliferation", "apoptosis"),
    ("p53 activation", "p53 loss"),
    ("NEU1 loss", "ERBB2 loss"),
    ("TNKS loss", "TNK loss"),
    ("APC+/-", "APC-/-"),
    ("APC +/- crypts", "APC -/- crypts"),
    ("Apc(Min/+)", "Apc(Min/-)"),
    ("growth of ER+ tumours", "growth of ER- tumours"),
    ("ER+/PR- tumours", "ER-/PR+ tumours"),
    ("CD8+ T cell exhaustion", "CD8- T cell exhaustion"),
    ("CD8⁺ T cell exhaustion", "CD8⁻ T cell exhaustion"),
    ("Ki-67 > 20%", "Ki-67 < 20%"),
    ("Ki-67 ≥ 20%", "Ki-67 ≤ 20%"),
    ("↑ MYC", "↓ MYC"),
    ("phosphorylation of AKT by mTOR", "phosphorylation by AKT of mTOR"),
    ("resistance to EGFR inhibitor", "resistance via EGFR inhibitor"),
    ("escape from apoptosis", "escape to apoptosis"),
    ("MYC to KRAS switch", "MYC in KRAS switch"),
    ("inhibition with MYC", "inhibition of MYC"),
    ("activation in T cells", "activation of T cells"),
    ("dependence of MYC on KRAS", "dependence of KRAS on MYC"),
    ("ERBB2 loss", "ERBB2 haploinsufficiency"),
    ("ERBB2-deficient", "ERBB2-proficient"),
    ("IL-1 2", "IL-12"),
    ("PI3K p110 alpha", "PI3K p11 0alpha"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
@pytest.mark.parametrize("part", [0, 1, 2])
def test_equal_meanings_compare_equal_in_every_part(one: str, other: str, part: int) -> None:
    parts = [["x", "y", "z"], ["x", "y", "z"]]
    parts[0][part], parts[1][part] = one, other
    assert key(*parts[0]) == key(*parts[1])


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_meanings_stay_apart(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_cause_and_outcome_are_not_interchangeable() -> None:
    assert key("a", "b", "c") != key("c", "b", "a")
