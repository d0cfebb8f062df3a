"""Rewrites that keep the words and turn the claim: refused; plain rewrites: taken."""

# ruff: noqa: E501 - a rewrite a line

import pytest
from tests.review import pair
from tests.summary.test_rewrites import AGAINST, CHAIN, COUNTS, DRUG, HEDGED, LEVELS, LIMIT, PAIR

from intogen_agent.cohort.cancer_types import default_path, load_cancer_types
from intogen_agent.models import Cancer
from intogen_agent.review.naming import CancerTerms
from intogen_agent.summary.checks import rewrite_problem, summary_problems
from intogen_agent.summary.claims import spelled

NAMES = (
    *("APC", "FBXW7", "FLT3", "GATA3", "KEAP1", "KRAS", "NPM1", "PIK3CA", "TP53", "TTN", "titin"),
    *("VHL", "Colorectal Adenocarcinoma", "Lung Adenocarcinoma"),
)

FAITHFUL = [
    ("The VHL protein recognises HIF-alpha subunits whose prolines were hydroxylated while oxygen was present, and has them ubiquitinated and degraded.","The VHL protein recognises HIF-alpha subunits whose prolines were hydroxylated while oxygen was present. It has them tagged with ubiquitin and degraded."),
    ("The Cancer Genome Atlas surveyed over 400 clear cell renal cell carcinomas. VHL is the first of 19 significantly mutated genes, is silenced by methylation in a further 7%, and 3p loss is present in 91%.","The Cancer Genome Atlas surveyed over 400 clear cell renal cell carcinomas. Of 19 significantly mutated genes VHL is the first. It is silenced by methylation in a further 7%, and 3p is lost in 91%."),
    ("Qualifying evidence: VHL loss alone is not sufficient for clear cell renal cell carcinoma in this model.","Qualifying evidence: in this model, loss of VHL alone is not enough for clear cell renal cell carcinoma."),
    ("KRAS mutation predicted resistance to cetuximab and worse survival in colorectal cancer, which places mutant KRAS downstream of EGFR as an independent driver.","In colorectal cancer, KRAS mutation predicted resistance to cetuximab and worse survival. This places mutant KRAS downstream of EGFR, as an independent driver."),
    ("Cells without mutant KRAS lost anchorage-independent growth, grew more slowly in culture and in nude mice, and expressed less c-myc.","Without mutant KRAS, cells lost anchorage-independent growth. They grew more slowly in culture and in nude mice and made less c-myc."),
    ("Qualifying evidence: KRAS alleles are not all equal as resistance markers in colorectal cancer.","Qualifying evidence: as resistance markers in colorectal cancer, KRAS alleles are not all equal."),
    ("NPM1 was mutated in 27%, co-occurring with DNMT3A and FLT3 mutation and exclusive of transcription-factor fusions.","NPM1 was mutated in 27%. Its mutation co-occurs with DNMT3A and FLT3 mutation and excludes transcription-factor fusions."),
    ("A menin-MLL inhibitor reversed the self-renewal of NPM1-mutant cells and prolonged survival, also in patient-derived models of acute myeloid leukemia.","A menin-MLL inhibitor reversed the self-renewal of NPM1-mutant cells. It prolonged survival, also in patient-derived models of acute myeloid leukemia."),
    ("PIK3CA is the most often mutated gene of breast cancer (40%) and a clear mutation driver, and functional PIK3CA mutations go with lower grade in ER-positive disease.","PIK3CA is the gene most often mutated in breast cancer (40%) and a clear mutation driver. Functional PIK3CA mutations go with lower grade in ER-positive disease."),
    ("It found 35 significant PIK3CA hotspots in 36% of breast cancers, and five of twelve new PIK3CA hotspots raised PI3K signalling in MCF10A cells.","It found 35 significant PIK3CA hotspots in 36% of breast cancers. Five of twelve new PIK3CA hotspots increased PI3K signalling in MCF10A cells."),
    ("It found 35 significant PIK3CA hotspots in 36% of breast cancers, and five of twelve new PIK3CA hotspots raised PI3K signalling in MCF10A cells.","In 36% of breast cancers it found 35 significant PIK3CA hotspots; 5 of 12 new PIK3CA hotspots raised PI3K signalling in MCF10A cells."),
    ("FLT3-ITD induced STAT5 target genes and suppressed the myeloid factors Pu.1 and C/EBPalpha, in contrast to ligand-stimulated wild-type FLT3.","In contrast to ligand-stimulated wild-type FLT3, FLT3-ITD induced STAT5 target genes and suppressed the myeloid factors Pu.1 and C/EBPalpha."),
    ("Qualifying evidence: the effect of FLT3-ITD in acute myeloid leukemia is heterogeneous and not fully reproducible.","Qualifying evidence: in acute myeloid leukemia the effect of FLT3-ITD varies and is not fully reproducible."),
    ("FBXW7 mutation was present in about 16% of colorectal cancers and went with higher tumour mutation burden, higher microsatellite instability score and lower chromosomal instability.","About 16% of colorectal cancers carried an FBXW7 mutation. It went with a higher tumour mutation burden, a higher microsatellite instability score and lower chromosomal instability."),
    ("Targeted inactivation of FBXW7 in karyotypically stable colorectal cancer cells caused micronuclei and chromosomal instability.","When FBXW7 was inactivated in karyotypically stable colorectal cancer cells, this led to micronuclei and chromosomal instability."),
    ("Qualifying evidence: deletion of FBXW7 (Fbw7) in the mouse gut changes differentiation and stabilises cyclin E and Myc but does not by itself cause intestinal tumours.","Qualifying evidence: in the mouse gut, deletion of FBXW7 (Fbw7) changes differentiation and stabilises cyclin E and Myc. By itself it does not cause intestinal tumours."),
    ("KEAP1 alterations were enriched among patients whose lung adenocarcinoma had no targetable driver, and missense variants of KEAP1 cluster in the Kelch domain that binds NRF2.","KEAP1 alterations were enriched among patients whose lung adenocarcinoma had no targetable driver. Missense variants of KEAP1 cluster in the Kelch domain, which binds NRF2."),
    ("CRISPR loss of KEAP1 (Keap1) in a Kras-driven mouse model of lung adenocarcinoma hyperactivates NRF2 and speeds up tumour growth.","In a Kras-driven mouse model of lung adenocarcinoma, CRISPR loss of KEAP1 (Keap1) makes NRF2 overactive and speeds up tumour growth."),
    ("Qualifying evidence: STK11 loss is often accompanied by KEAP1 mutation, so the effects of KEAP1 in patients with lung adenocarcinoma are hard to separate from those of STK11.","Qualifying evidence: KEAP1 mutation frequently goes with STK11 loss. In patients with lung adenocarcinoma the effects of KEAP1 are therefore hard to separate from those of STK11."),
    ("The evidence found does not support a role of TTN in lung adenocarcinoma. 2 papers speak against it.","The evidence found does not support a role of TTN in lung adenocarcinoma: two papers speak against it."),
    ("TTN (titin) is not among the genes named in the summary of significantly mutated genes of lung adenocarcinoma, despite its high raw mutation count.","Despite its high raw mutation count, TTN (titin) is not among the genes named in the summary of significantly mutated genes of lung adenocarcinoma."),
    ("The evidence for a role of TTN in lung adenocarcinoma misses the thresholds of supported: 0 of 2 supporting statements, 0 of 3 references and 0 of 2 sources.","The evidence for a role of TTN in lung adenocarcinoma falls short of the thresholds of supported: 0 of 2 supporting statements, 0 of 3 references and 0 of 2 sources."),
    ("TTN mutations were examined in TCGA data of 517 lung adenocarcinomas and 492 lung squamous cell carcinomas.","TCGA data of 517 lung adenocarcinomas and 492 lung squamous cell carcinomas were examined for TTN mutations."),
    ("Wild-type VHL protein binds Sp1 and represses the VEGF promoter 5- to 10-fold in reporter assays.","In reporter assays, wild-type VHL protein binds Sp1 and represses the VEGF promoter 5- to 10-fold."),
    ("The TP53 protein binds its target DNA as a tetrameric transcription factor. It triggers apoptosis by inducing BAX and FAS or by repressing BCL2.","As a tetrameric transcription factor, the TP53 protein binds its target DNA. It triggers programmed cell death by inducing BAX and FAS or by repressing BCL2."),
    ("When TP53 (p53) is lost together with FBXW7, mice develop highly penetrant, metastatic adenocarcinomas with chromosomal instability.","Mice that lose TP53 (p53) together with FBXW7 develop highly penetrant, metastatic adenocarcinomas with chromosomal instability."),
    ("Whether there is a role of APC in lung adenocarcinoma is open, because evidence could not be obtained.","Because evidence could not be obtained, it is open whether there is a role of APC in lung adenocarcinoma."),
    ("It is unclear whether APC loss raises growth.","Whether APC loss raises growth is unclear."),
    ("APC loss is believed to raise growth.","APC loss is thought to raise growth."),
    ("The result was insufficient to support a role.","The result was not sufficient to support a role."),
    ("TTN mutations are rare in patients.","TTN mutations are seldom seen in patients."),
    ("APC is a tumor suppressor.","APC acts as a tumour suppressor."),
    ("APC loss was associated with growth.","APC loss correlated with growth."),
    ("Only 3 of 40 tumors had the mutation, in mice and in patients.","The mutation was found in only three of 40 tumors, in mice as well as in patients."),
    ("APC was mutated in 38% and KRAS in 12% of tumors.","KRAS was mutated in 12% and APC in 38% of tumors."),
    ("Median survival was 8.4 months, and 38% of patients responded.","38% of patients responded; median survival was 8.4 months."),
    ("VEGF rises when VHL is lost, and vessels grow.","When VHL is lost, VEGF rises and vessels grow."),
    ("The gene encodes a kinase that phosphorylates AKT.","The gene encodes a kinase. This enzyme phosphorylates AKT."),
    ("Haploinsufficiency of GATA3 impairs luminal differentiation.","Having just one working copy of GATA3 impairs luminal differentiation."),
    ("TTN is frequently mutated; however, the evidence found does not support a role.", "The evidence found does not support a role of TTN, although it is often mutated."),
    ("KRAS loss was associated with metastasis in two of four studies.", "In 2 of 4 studies, KRAS loss was linked to metastasis."),
    ("Three studies found no effect, and one found a weak one.", "No effect was found in three studies; one found a weak one."),
    ("KRAS amplification is common in glioblastoma and rare in colon cancer.", "KRAS is often amplified in glioblastoma and rarely in colon cancer."),
    ("APC loss probably raises growth, but this was not tested in patients.", "Loss of APC probably increases growth. This was not tested in patients."),
    ("APC binds beta-catenin and promotes its degradation.", "APC binds beta-catenin and so promotes its breakdown."),
    ("KEAP1 loss stabilises NRF2.", "When KEAP1 is lost, NRF2 becomes stable."),
    ("Loss-of-function mutations of APC activate WNT signaling.", "Mutations that inactivate APC switch WNT signaling on."),
    ("PTEN loss hyperactivates PI3K.", "Loss of PTEN makes PI3K overactive."),
    ("Patients with high expression lived longer.", "Patients whose tumors had high expression survived longer."),
    ("The evidence does not support a role of TTN in lung adenocarcinoma.", "The evidence fails to support a role of TTN in lung adenocarcinoma."),
    ("TTN is unlikely to be a driver, and no functional study exists.", "No functional study exists, and TTN is unlikely to be a driver."),
    ("APC restrains growth by keeping beta-catenin low.", "APC holds growth back by keeping beta-catenin levels low."),
    ("EGFR amplification activates the kinase.", "Extra copies of EGFR activate the kinase."),
]  # fmt: skip

SMUGGLED = [
    # smuggle gene lacking digits / two caps
    (COUNTS, COUNTS.replace("tumors, but","tumors with lost cadherin, but")),
    (CHAIN, CHAIN.replace("WNT target genes","WNT target genes such as cyclin and survivin")),
    (CHAIN, CHAIN.replace("epithelial cells","epithelial cells through notch")),
    (CHAIN, "Ras joins in: "+CHAIN),
    (CHAIN, "Notch signals too. "+CHAIN),
    (CHAIN, CHAIN+" Hedgehog is active."),
    (CHAIN, CHAIN+" Venetoclax helps."),
    (CHAIN, CHAIN+" Tamoxifen helps."),
    (CHAIN, CHAIN+" Gemcitabine helps."),
    (CHAIN, CHAIN+" Herceptin helps."),
    (CHAIN, CHAIN+" Steroids such as dexamethasone help."),
    (CHAIN, CHAIN+" Sulindac and celecoxib help."),
    # numbers in words
    (AGAINST, AGAINST.replace("TTN mutations are frequent","TTN mutations are found in half of patients")),
    (AGAINST, AGAINST.replace("no study","no study of twelve")),
    (DRUG, DRUG.replace("38% of patients","38% of patients in three trials")),
    (COUNTS, COUNTS.replace("in 27 of 34","in 34 of 27")),
    (DRUG, DRUG.replace("38%","8.4%").replace("8.4 months","38 months")),
    # name swap
    (COUNTS, "Loss of KRAS may activate beta-catenin in 27 of 34 tumors, but APC was not altered."),
    # cancers
    (CHAIN, CHAIN+" It is also seen in retinoblastoma."),
    (CHAIN, CHAIN+" It is also seen in neuroblastoma."),
    (CHAIN, CHAIN+" It is also seen in squamous cancers of the nose."),
    (CHAIN, CHAIN+" It is also seen in bile duct cancer."),
    (CHAIN, CHAIN+" It is also seen in cholangiocarcinoma."),
    (CHAIN, CHAIN+" It is also seen in adrenal cancer."),
    # mechanism
    (CHAIN, CHAIN.replace("epithelial cells","epithelial cells by endocytosis")),
    (CHAIN, CHAIN+" It also helps necrosis."),
    (CHAIN, CHAIN+" Ferroptosis is triggered as well."),
    (CHAIN, CHAIN+" DNA replication is faster."),
    (CHAIN, CHAIN+" Patients live shorter."),
    (CHAIN, CHAIN+" This is proven beyond doubt in patients."),
    (CHAIN, CHAIN+" The gene is the main cause of the disease."),
    # negation
    (AGAINST, AGAINST.replace("no study showed that they promote","it is false that they promote")),
    (HEDGED, HEDGED.replace("although neither effect was confirmed in patients","although neither effect was relevant; both were confirmed in patients")),
    (COUNTS, COUNTS.replace("KRAS was not altered","KRAS, not APC, was altered")),
    (COUNTS, COUNTS.replace("but KRAS was not altered","but KRAS was not only altered")),
    (COUNTS, COUNTS.replace("but KRAS was not altered","and not only that: KRAS was altered")),
    (COUNTS, COUNTS.replace("KRAS was not altered","KRAS was rarely not altered")),
    (AGAINST, AGAINST.replace("no study showed","no study denied")),
    (AGAINST, AGAINST.replace("no study showed","no study doubted")),
    (AGAINST, AGAINST.replace("no study showed","it is no wonder that studies showed")),
    (AGAINST, AGAINST.replace("no study showed","there is no doubt")),
    # hedge
    (COUNTS, COUNTS.replace("may activate","can activate")),
    (COUNTS, COUNTS.replace("Loss of APC may activate","Loss of APC, as may be known, activates")),
    (COUNTS, "Loss of APC activates beta-catenin in 27 of 34 tumors, but KRAS may not be altered."),
    (HEDGED, HEDGED.replace("might reduce","reduces").replace("migration of","likely migration of")),
    # hedges not in the list
    ("In part of the studies APC loss is thought to raise growth.","In part of the studies APC loss raises growth."),
    ("APC loss tends to raise growth.","APC loss raises growth."),
    ("APC loss is believed to raise growth.","APC loss raises growth."),
    ("It is unclear whether APC loss raises growth.","APC loss raises growth."),
    ("Whether APC loss raises growth is not clear.","It is not only clear that APC loss raises growth."),
    ("APC loss is rarely seen.","APC loss is seen."),
    ("APC loss is seldom found in colorectal cancer.","APC loss is often found in colorectal cancer."),
    ("APC loss is often found in some tumors.","APC loss is found in all tumors."),
    ("APC loss was associated with growth.","APC loss causes growth."),
    ("APC loss correlates with growth.","APC loss causes growth."),
    ("A limited number of studies indicate that APC loss raises growth.","Limited studies prove that APC loss raises growth."),
    ("APC loss raised growth in mice.","APC loss raised growth in patients."),
    ("APC loss raised growth in cultured cells.","APC loss raised growth in patients."),
    ("APC loss raised growth in zebrafish.","APC loss raised growth."),
    ("The evidence is insufficient to say that TTN acts here.","The evidence is sufficient to say that TTN acts here."),
    ("The role of TTN is unproven here.","The role of TTN is proven here."),
    ("The role of TTN is unlikely here.","The role of TTN is likely here."),
    ("TTN mutations are dispensable for growth.","TTN mutations are indispensable for growth."),
    ("TTN is inactive in growth.","TTN is active in growth."),
    ("Few studies support TTN.","Many studies support TTN."),
    ("TTN is a passenger.","TTN is a driver."),
    ("APC is a tumor suppressor.","APC is an oncogene."),
    ("APC is a tumor suppressor that restrains growth.","APC is an oncogene that restrains growth."),
    ("Studies disagree on TTN.","Studies agree on TTN."),
    ("The evidence on TTN is absent.","The evidence on TTN is present."),
    ("The evidence on TTN is weak.","The evidence on TTN is strong."),
    ("The evidence contradicts a role of TTN.","The evidence confirms a role of TTN."),
    ("The result refutes a role of TTN.","The result proves a role of TTN."),
    ("Hardly any study shows a role of TTN.","Every study shows a role of TTN."),
    (CHAIN, CHAIN+" Venetoclax helps."),
    (CHAIN,CHAIN+" Radiation helps."),
    (CHAIN,CHAIN+" Surgery cures it."),
    (CHAIN, CHAIN+" It is also seen in Wilms tumors."),
    (CHAIN,CHAIN+" It is also seen in glioma."),
    (CHAIN,CHAIN+" It is also seen in leukaemia."),
    (CHAIN, CHAIN.replace("epithelial cells","epithelial cells and fibroblasts")),
    (CHAIN, CHAIN.replace("epithelial cells","epithelial cells through vimentin")),
    (CHAIN, CHAIN.replace("epithelial cells","epithelial cells through a phosphatase")),
    (CHAIN, CHAIN.replace("which turns","which nearly always turns")),
    (CHAIN, "In mice, "+CHAIN[0].lower()+CHAIN[1:]),
    (DRUG, DRUG.replace("38% of patients","38% of mice")),
    (DRUG, DRUG.replace("months","years")),
    (DRUG, DRUG.replace("38%","38")),
    (DRUG, DRUG.replace("median survival was 8.4 months","survival doubled to 8.4 months")),
    (AGAINST, AGAINST.replace("are frequent","are rare")),
    (AGAINST, AGAINST.replace("no study showed","hardly a study did not show")),
    (AGAINST, AGAINST.replace("no study showed that","no study failed to show that")),
    (AGAINST, AGAINST.replace("no study showed that they promote","every study showed that they do not suppress")),
    (HEDGED, HEDGED.replace("neither effect was confirmed","neither effect was refuted")),
    (HEDGED, HEDGED.replace("confirmed in patients","needed in patients")),
    (HEDGED, HEDGED.replace("in patients","in mice")),
    ("APC loss raised growth in mice but not in patients.","APC loss raised growth in patients but not in mice."),
    ("2 of 3 papers support it and 1 contradicts it.","1 of 3 papers supports it and 2 contradict it."),
    ("APC was mutated in 38% and KRAS in 12% of tumors.","APC was mutated in 12% and KRAS in 38% of tumors."),
    ("The effect was seen in 3 of 5 cell lines.","The effect was seen in 5 of 5 cell lines."),
    ("The effect was seen in 3 of 5 cell lines.","The effect was seen in all cell lines."),
    ("APC loss appears to raise growth.","APC loss clearly raises growth."),
    ("Mutations were absent in patients.","Mutations were present in patients."),
    ("Mutations are indirect evidence.","Mutations are direct evidence."),
    ("The association was not significant.","The association was significant."),
    ("The association was nonsignificant.","The association was significant."),
    ("The study lacked controls.","The study had controls."),
    ("It remains to be shown that APC loss raises growth.","APC loss raises growth."),
    ("APC loss has yet to be linked to growth.","APC loss has been linked to growth."),
    ("Evidence is limited to one study.","Evidence is broad."),
    ("Without APC, cells grow.","With APC, cells grow."),
    ("APC is needed for growth.","APC is dispensable for growth."),
    ("APC loss raises growth in vitro only.","APC loss raises growth."),
    ("TTN is too long to be tested.","TTN is long and was tested."),
    ("The role of TTN is questionable.","The role of TTN is firm."),
    ("TTN is a false positive.","TTN is a true positive."),
    ("TTN is an artefact of gene length.","TTN is a result of selection."),
    ("Contrary to expectation, growth fell.","As expected, growth rose."),
    ("It is one of several candidates.","It is the candidate."),
    ("Growth was suppressed by APC.","Growth was expressed by APC."),
    ("APC binds MYC.","APC does bind MYC, not AKT."),
    (DRUG, DRUG.replace("38%", "8.4%").replace("8.4 months", "38 months")),
    (LEVELS, LEVELS.replace("High levels of NRF2 protect", "High levels of NRF2 are thought, rarely, to protect")),
    ("Three studies found no effect, and one found a weak one.", "Three studies found an effect, and none found a weak one."),
    ("Survival was 8 months with and 5 months without the drug.", "Survival was 5 months with and 8 months without the drug."),
    ("The finding awaits confirmation.", "The finding has been confirmed."),
    ("APC loss is a late event.", "APC loss is an early event."),
    ("Its effect is reversible.", "Its effect is irreversible."),
    ("APC loss possibly raises growth, but this was not tested.", "APC loss raises growth, but this was possibly not tested."),
    ("It cannot be excluded that APC acts in other ways.", "It is excluded that APC acts in other ways."),
    ("Only patients with loss of APC responded.", "Patients with loss of APC responded."),
    (CHAIN, CHAIN + " It acts in wnt-driven and hippo-driven cells."),
]  # fmt: skip


@pytest.mark.parametrize(("original", "rewrite"), FAITHFUL)
def test_a_plain_rewrite_is_taken(original: str, rewrite: str) -> None:
    assert rewrite_problem(rewrite, original, 40, NAMES) is None


@pytest.mark.parametrize(("original", "rewrite"), SMUGGLED)
def test_a_turned_claim_is_refused(original: str, rewrite: str) -> None:
    assert rewrite != original
    assert rewrite_problem(rewrite, original, 60, PAIR) is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is unproven.", "it is not proven."),
        ("insufficient evidence", "not sufficient evidence"),
        ("Studies disagree.", "studies not agree."),
        ("non-functional", "not functional"),
        ("It has yet to be shown.", "it not be shown."),
        ("under the unit", "under the unit"),
        ("inactivated and independent", "inactivated and independent"),
    ],
)
def test_denying_forms_are_spelled_out(text: str, said: str) -> None:
    assert spelled(text) == said


# Cancer types by the words of config/cancer_types.tsv.


def terms() -> CancerTerms:
    cancer = Cancer.model_validate(pair.CANCER)
    return CancerTerms(cancer, pair.TERMS, load_cancer_types(default_path()))


@pytest.mark.parametrize(
    "named",
    ["aggressive angiomyxoma", "anaplastic astrocytoma", "small cell carcinoma of the ovary", "Ewing sarcoma", "acute basophilic leukemia", "Hodgkin lymphoma"],
)  # fmt: skip
def test_no_other_cancer_type_comes_in(named: str) -> None:
    rewrite = f"{CHAIN} It is also seen in {named}."
    problem = rewrite_problem(rewrite, CHAIN, LIMIT, PAIR, terms())
    assert problem is not None and "cancer" in problem
    assert any("cancer" in one for one in summary_problems(rewrite, CHAIN, LIMIT, terms()))


@pytest.mark.parametrize(
    ("original", "rewrite"),
    [
        ("APC is lost in colorectal cancer.", "APC is lost in bowel cancer."),
        ("APC is lost in colon carcinoma.", "APC is lost in colon cancer."),
        ("VHL is lost in renal clear cell carcinoma.", "VHL is lost in kidney cancer of the clear cell type."),
    ],
)  # fmt: skip
def test_another_word_for_the_organ_is_no_other_cancer(original: str, rewrite: str) -> None:
    assert rewrite_problem(rewrite, original, LIMIT, (*PAIR, "VHL"), terms()) is None
