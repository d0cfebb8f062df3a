"""Rewrites of summaries: what keeps every fact is taken, what smuggles anything in is refused."""

# ruff: noqa: E501 - a rewrite a line

import pytest

from intogen_agent.summary.checks import rewrite_problem
from intogen_agent.summary.readability import longest, measured

PAIR = ("APC", "APC regulator of WNT signaling pathway", "DP2", "Colorectal Adenocarcinoma")
LIMIT = 30

COUNTS = "Loss of APC may activate beta-catenin in 27 of 34 tumors, but KRAS was not altered."
CHAIN = (
    "Inactivation of APC stabilises beta-catenin, which turns on WNT target genes and drives the "
    "proliferation of epithelial cells."
)
DRUG = (
    "In colorectal cancer, 38% of patients whose tumors had a BRAF V600E mutation responded to "
    "encorafenib together with cetuximab, and median survival was 8.4 months."
)
AGAINST = (
    "TTN mutations are frequent because the gene is long; no study showed that they promote the "
    "growth of lung adenocarcinoma."
)
HEDGED = (
    "APC loss might reduce apoptosis in vitro, and it possibly increases the migration of cultured "
    "cells, although neither effect was confirmed in patients."
)
LEVELS = (
    "High levels of NRF2 protect tumor cells from oxidative stress, whereas loss of KEAP1 lowers "
    "the degradation of NRF2."
)

FAITHFUL = [
    (COUNTS, "In 27 of 34 tumors, loss of APC may activate beta-catenin. KRAS was not altered."),
    (COUNTS, "APC loss might activate beta-catenin (27 of 34 tumors); KRAS was not altered."),
    (COUNTS, "KRAS was not altered. Loss of APC may activate beta-catenin: 27 of 34 tumors."),
    (COUNTS, "When APC is lost, beta-catenin may be activated (27 of 34 tumors). KRAS was not altered."),
    (COUNTS, "KRAS was unaltered, but loss of APC could activate beta-catenin in 27 of 34 tumors."),
    (CHAIN, "When APC is inactivated, beta-catenin is stabilised. It turns on WNT target genes and drives epithelial cells to proliferate."),
    (CHAIN, "Inactivation of APC stabilises beta-catenin. Beta-catenin then switches on WNT target genes and drives the growth of epithelial cells."),
    (CHAIN, "Inactivating APC stabilises beta-catenin, which activates WNT target genes. This drives the division of epithelial cells."),
    (CHAIN, "Inactivation of APC keeps beta-catenin stabilised: it turns on WNT target genes and promotes the growth of epithelial cells."),
    (DRUG, "In colorectal cancer with a BRAF V600E mutation, 38% of patients responded to encorafenib plus cetuximab. Median survival was 8.4 months."),
    (DRUG, "Encorafenib with cetuximab worked in 38% of patients with bowel cancer whose tumors carried BRAF V600E. Their median survival was 8.4 months."),
    (DRUG, "38% of patients with colorectal cancer and BRAF V600E responded to cetuximab and encorafenib; median survival was 8.4 months."),
    (AGAINST, "TTN is often mutated because the gene is long. No study showed that this promotes the growth of lung adenocarcinoma."),
    (AGAINST, "The gene TTN is long, so it is mutated often. That its mutations promote growth of lung adenocarcinoma was not shown by any study."),
    (AGAINST, "TTN mutations are frequent, as the gene is long; that they promote lung adenocarcinoma growth was never shown."),
    (HEDGED, "In vitro, APC loss might reduce apoptosis. It possibly increases the migration of cultured cells. Neither effect was confirmed in patients."),
    (HEDGED, "Loss of APC may reduce cell death in vitro and could increase the migration of cultured cells. Neither was confirmed in patients."),
    (HEDGED, "In cultured cells, APC loss might lower apoptosis and possibly raise migration; in patients, neither effect was confirmed."),
    (LEVELS, "High NRF2 levels protect tumor cells from oxidative stress. Loss of KEAP1 lowers the degradation of NRF2."),
    (LEVELS, "Loss of KEAP1 reduces the breakdown (degradation) of NRF2. High levels of NRF2 protect tumor cells from oxidative stress."),
    (LEVELS, "When KEAP1 is lost, less NRF2 is degraded; high levels of NRF2 then protect tumor cells from oxidative stress."),
    (LEVELS, LEVELS),
]  # fmt: skip

SMUGGLED = [
    # Numbers.
    (COUNTS, COUNTS.replace("27", "28"), "number"),
    (COUNTS, COUNTS.replace("in 27 of 34 tumors", "in most tumors"), "number"),
    (DRUG, DRUG.replace("38%", "83%"), "number"),
    (DRUG, DRUG.replace("8.4 months", "8.4 months, against 5.9 before"), "number"),
    (AGAINST, AGAINST.replace("frequent", "found in 40% of patients"), "number"),
    # Genes, proteins, variants, pathways.
    (COUNTS, COUNTS.replace("KRAS", "NRAS"), "name"),
    (COUNTS, COUNTS + " So was TP53.", "name"),
    (COUNTS, COUNTS + " So was p53.", "name"),
    (CHAIN, CHAIN.replace("WNT target genes", "WNT and Notch target genes"), "name"),
    (DRUG, DRUG.replace("V600E", "V600K"), "name"),
    (CHAIN, CHAIN.replace("beta-catenin", "gamma-catenin"), "name"),
    (COUNTS, "Loss of APC may activate beta-catenin in 27 of 34 tumors; nothing else was not altered.", "name"),
    # Drugs.
    (DRUG, DRUG.replace("cetuximab", "panitumumab"), "drug"),
    (DRUG, DRUG.replace("together with cetuximab", "alone"), "drug"),
    (CHAIN, CHAIN + " Imatinib stops it.", "drug"),
    (AGAINST, AGAINST + " Chemotherapy with cisplatin is usual.", "drug"),
    # Cancers.
    (DRUG, DRUG.replace("colorectal cancer", "melanoma"), "cancer"),
    (AGAINST, AGAINST.replace("lung adenocarcinoma", "lung and breast adenocarcinoma"), "cancer"),
    (CHAIN, CHAIN + " The same holds for gastric tumors.", "cancer"),
    # Mechanisms.
    (CHAIN, CHAIN.replace("proliferation", "metastasis"), "mechanism"),
    (CHAIN, CHAIN + " It also helps tumors to form blood vessels.", "mechanism"),
    (LEVELS, LEVELS.replace("oxidative stress", "oxidative stress and immune attack"), "mechanism"),
    (HEDGED, HEDGED.replace("reduce apoptosis", "reduce DNA repair"), "mechanism"),
    (CHAIN, "Inactivation of APC stabilises beta-catenin, which turns on WNT target genes.", "mechanism"),
    # Negations.
    (COUNTS, COUNTS.replace("was not altered", "was altered"), "negation"),
    (COUNTS, COUNTS.replace("may activate", "may not activate"), "negation"),
    (AGAINST, AGAINST.replace("no study showed", "one study showed"), "negation"),
    (HEDGED, HEDGED.replace("although neither effect was", "and each effect was"), "negation"),
    (COUNTS, "Loss of APC may not activate beta-catenin in 27 of 34 tumors, but KRAS was altered.", "denies"),
    # Hedges.
    (COUNTS, COUNTS.replace("may activate", "activates"), "hedge"),
    (HEDGED, HEDGED.replace("might reduce", "reduces"), "hedge"),
    (HEDGED, HEDGED.replace("possibly increases", "increases"), "hedge"),
    # Directions.
    (CHAIN, CHAIN.replace("Inactivation", "Activation"), "direction"),
    (CHAIN, CHAIN.replace("drives", "suppresses"), "direction"),
    (CHAIN, CHAIN.replace("stabilises", "destabilises"), "direction"),
    (COUNTS, COUNTS.replace("Loss of APC", "Gain of APC"), "direction"),
    (HEDGED, HEDGED.replace("reduce apoptosis", "increase apoptosis"), "direction"),
    (LEVELS, LEVELS.replace("High levels", "Low levels"), "direction"),
    (LEVELS, LEVELS.replace("lowers the degradation", "raises the degradation"), "direction"),
    (HEDGED, HEDGED.replace("reduce apoptosis", "raise apoptosis").replace("increases the migration", "lowers the migration"), "direction"),
    # Form.
    (COUNTS, "", "empty"),
    (COUNTS, " \n", "empty"),
    (COUNTS, COUNTS + " [3]", "citations"),
    (COUNTS, COUNTS + " (PMID: 27)", "citations"),
    (COUNTS, COUNTS.replace(", but", ", as far as one can tell from what the sources that were read say of the tumors that they looked at, but"), "words"),
]  # fmt: skip


@pytest.mark.parametrize(("original", "rewrite"), FAITHFUL)
def test_a_faithful_rewrite_is_taken(original: str, rewrite: str) -> None:
    assert rewrite_problem(rewrite, original, LIMIT, PAIR) is None


@pytest.mark.parametrize(("original", "rewrite", "what"), SMUGGLED)
def test_a_rewrite_that_changes_a_fact_is_refused(original: str, rewrite: str, what: str) -> None:
    problem = rewrite_problem(rewrite, original, LIMIT, PAIR)
    assert problem is not None and what in problem


def test_there_are_twenty_faithful_rewrites_and_every_kind_of_smuggling() -> None:
    assert len(FAITHFUL) >= 20
    assert {what for _, _, what in SMUGGLED} >= {
        "number", "name", "drug", "cancer", "mechanism", "negation", "hedge", "direction",
    }  # fmt: skip


@pytest.mark.parametrize("original", [COUNTS, CHAIN, DRUG, AGAINST, HEDGED, LEVELS])
def test_a_text_may_always_replace_itself(original: str) -> None:
    assert rewrite_problem(original, original, 5, PAIR) is None


def test_sentence_length_stays_within_bounds() -> None:
    joined = COUNTS.replace(", but KRAS", " and as far as it could be seen at all KRAS")
    assert longest(joined) > longest(COUNTS)
    assert rewrite_problem(joined, COUNTS, longest(joined), PAIR) is None
    problem = rewrite_problem(joined, COUNTS, longest(COUNTS), PAIR)
    assert problem is not None and "the target is" in problem


def test_the_gene_and_the_cancer_may_be_named_where_a_pronoun_stood() -> None:
    original = "It binds beta-catenin."
    assert rewrite_problem("APC binds beta-catenin.", original, LIMIT, PAIR) is None
    assert rewrite_problem("KRAS binds beta-catenin.", original, LIMIT, PAIR) is not None


# Measures.


def test_readability_is_measured() -> None:
    plain = measured("The cat sat on the mat. The dog ran to the man.")
    dense = measured(
        "Haploinsufficiency-associated transcriptional dysregulation potentiates constitutive "
        "phosphatidylinositol-dependent intracellular signalling."
    )
    assert plain.reading_ease > 100 > 0 > dense.reading_ease
    assert (plain.sentences, plain.longest_sentence) == (2, 6)
    assert measured("").sentences == 0 and measured("42.").reading_ease == 0


@pytest.mark.parametrize(
    ("text", "ease"),
    [
        # 206.835 - 1.015 x words per sentence - 84.6 x syllables per word, by hand.
        ("The cat sat on the mat.", 206.835 - 1.015 * 6 - 84.6),
        ("Cancer grows.", 206.835 - 1.015 * 2 - 84.6 * 3 / 2),
    ],
)
def test_reading_ease_after_flesch(text: str, ease: float) -> None:
    assert measured(text).reading_ease == pytest.approx(ease, abs=0.05)
