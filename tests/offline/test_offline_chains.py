"""Chains of mechanism are read from a statement's own words."""

import pytest

from intogen_agent.offline import causes, chains, molecules, outcomes
from intogen_agent.offline.genes import Gene

ABX1 = Gene("ABX1", ("QBX",))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Loss of ABX1 causes growth.", "ABX1 loss"),
        ("ABX1 loss causes growth.", "ABX1 loss"),
        ("ABX1-deficient cells grow.", "ABX1 loss"),
        ("ABX1-/- cells grow.", "ABX1 loss"),
        ("Cells that lack ABX1 grow.", "ABX1 loss"),
        ("When ABX1 (Abx1) is lost, cells grow.", "ABX1 loss"),
        ("Inactivation of ABX1 causes growth.", "ABX1 inactivation"),
        ("ABX1 amplification causes growth.", "ABX1 amplification"),
        ("ABX1 exon 19 deletions cause growth.", "ABX1 exon 19 deletion"),
        ("An in-frame deletion of ABX1 causes growth.", "ABX1 in-frame deletion"),
        ("ABX1 G12C causes growth.", "ABX1 G12C mutation"),
        ("ABX1 mutation T790M causes growth.", "ABX1 T790M mutation"),
        ("ABX1 G12C amplification causes growth.", "ABX1 G12C amplification"),
        ("ABX1-ITD causes growth.", "ABX1-ITD"),
        ("Activating ABX1 mutations cause growth.", "activating ABX1 mutation"),
        ("ABX1 hotspot mutations cause growth.", "ABX1 hotspot mutation"),
        ("Oncogenic ABX1 causes growth.", "oncogenic ABX1"),
        ("Mutant QBX causes growth.", "mutant ABX1"),
        ("ABX1 mutations cause growth.", "ABX1 mutation"),
        ("ABX1 haploinsufficiency causes growth.", "ABX1 haploinsufficiency"),
        ("ABX1 causes growth.", None),
        ("QRS2 loss causes growth.", None),
    ],
)
def test_the_cause_is_the_gene_s_alteration_in_its_most_specific_wording(
    text: str, cause: str | None
) -> None:
    assert causes.cause(text, ABX1) == cause


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("It causes anchorage-independent growth.", "anchorage-independent growth"),
        ("It gave factor-independent growth.", "factor-independent growth"),
        ("It causes chromosomal instability.", "chromosomal instability"),
        ("It transforms chicken fibroblasts.", "transformation of chicken fibroblasts"),
        ("It speeds up tumour growth.", "tumour growth"),
        ("It maintains leukaemia.", "maintenance of leukaemia"),
        ("It blocks differentiation.", "impaired differentiation"),
        ("It inhibits apoptosis.", "impaired apoptosis"),
        ("It confers resistance to olaratinib.", "resistance to olaratinib"),
        ("Cells were sensitive to olaratinib.", "sensitivity to olaratinib"),
        ("It raises self-renewal of progenitors.", "self-renewal"),
        ("It changed invasiveness but not proliferation.", "changed invasiveness"),
        ("It does not cause proliferation.", None),
        ("It causes differentiation.", None),
        ("It was seen without metastasis.", None),
        ("It binds DNA.", None),
    ],
)
def test_the_outcome_is_a_harm_that_the_text_does_not_deny(text: str, outcome: str | None) -> None:
    found = outcomes.outcomes(text)
    assert (found[0].text if found else None) == outcome


@pytest.mark.parametrize(
    ("text", "mediator"),
    [
        ("ABX1 loss activates QRS2 signalling.", "QRS2 signalling"),
        ("ABX1 loss activates QRS2 and TUV4 signalling.", "QRS2 and TUV4 signalling"),
        ("ABX1 loss stabilises beta-abcdin.", "beta-abcdin"),
        ("ABX1 loss raises QRS2 expression.", "QRS2 expression"),
        ("ABX1 loss turns on QRS target genes.", "QRS target genes"),
        ("ABX1 loss acts through abcin D.", "abcin D"),
        ("ABX1 loss impairs growth by reduced DNA binding.", "reduced DNA binding"),
        ("A QRS2 inhibitor reversed the effect of ABX1 loss.", "QRS2"),
        ("Blocking QRS2 with a drug stopped the growth after ABX1 loss.", "QRS2"),
        ("It activates signalling cascades (QRS-TUV and WXY).", "QRS-TUV and WXY signalling"),
        ("ABX1 loss was found with QRS2 loss.", None),
        ("ABX1 loss was found in HCT-116 cells.", None),
        ("ABX1 G12C causes growth.", None),
        ("QRS2 amplification, which activates TUV4, was found beside ABX1 mutation.", None),
    ],
)
def test_the_mediator_is_a_molecule_that_something_is_done_to(
    text: str, mediator: str | None
) -> None:
    found = molecules.mediators(text, ABX1)
    assert (found[0].text if found else None) == mediator


def test_a_chain_needs_all_three_links() -> None:
    whole = "Loss of ABX1 activates QRS2 signalling and causes chromosomal instability."
    assert chains.chain(whole, ABX1) is not None
    for part in ("QRS2 signalling causes chromosomal instability.", "Loss of ABX1 activates QRS2."):
        assert chains.chain(part, ABX1) is None


def test_a_known_partner_counts_as_a_mediator() -> None:
    text = "After ABX1 loss, QRS2 brought about chromosomal instability."
    assert chains.chain(text, ABX1) is None
    found = chains.chain(text, ABX1, ("QRS2",))
    assert found is not None
    assert found.mediator == "QRS2"
