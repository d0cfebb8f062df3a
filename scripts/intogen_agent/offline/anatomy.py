"""Words for organs and tissues, and words for the look of tumours: English, not oncology.

Words of one group mean the same organ.
"""

from intogen_agent.offline.sentences import word_set

ORGANS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "lung pulmonary bronchial airway alveolar",
        "breast mammary",
        "colorectal colon colonic rectal rectum bowel intestinal intestine gut",
        "stomach gastric",
        "esophagus esophageal esophagogastric",
        "liver hepatic hepatocellular",
        "pancreas pancreatic",
        "biliary bile cholangiocarcinoma gallbladder",
        "kidney renal nephro",
        "bladder urothelial",
        "prostate prostatic",
        "testis testicular germ-cell",
        "ovary ovarian fallopian",
        "uterus uterine endometrial endometrium",
        "cervix cervical",
        "vulva vulvar vaginal",
        "thyroid",
        "parathyroid",
        "adrenal adrenocortical",
        "pituitary",
        "brain cerebral cerebellar glial",
        "meninges meningeal",
        "nerve peripheral-nerve",
        "skin cutaneous dermal",
        "eye uveal ocular retinal choroidal",
        "head-neck head oral oropharyngeal laryngeal pharyngeal tongue",
        "salivary",
        "nasopharyngeal",
        "thymus thymic",
        "pleura pleural mesothelial",
        "bone osteogenic",
        "soft-tissue muscle",
        "myeloid myelogenous myelocytic",
        "lymphoid lymphoblastic lymphocytic b-cell t-cell",
        "plasma-cell",
        "myelodysplastic",
        "myeloproliferative",
        "appendix appendiceal",
        "penis penile",
        "anus anal",
    )
)

HISTOLOGY = word_set(
    """
    adenocarcinoma squamous small small-cell papillary chromophobe lobular ductal serous
    mucinous endometrioid medullary follicular clear clear-cell sarcomatoid neuroendocrine
    anaplastic large-cell
    """
)

# Heads that say nothing of the site.
GENERAL_HEADS = word_set(
    """
    cancer tumor neoplasm malignancy neoplasia carcinoma adenocarcinoma adenoma polyposis
    disease carcinogenesis tumorigenesis
    """
)
