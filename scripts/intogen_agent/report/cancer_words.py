"""Words that speak of cancer, and the names that only sound like it."""

import re
from collections.abc import Iterable

_DISEASE = (
    r"(?:cancers?|tumou?rs?|neoplasi[ac]s?|neoplasms?|carcinomas?|adenocarcinomas?|sarcomas?|"
    r"\w*(?:sarcoma|carcinoma|blastoma|glioma|myeloma|thelioma|adenoma)s?|lymphomas?|melanomas?|"
    r"leuka?emias?|metastas[ie]s|malignan(?:t|cy|cies)"
    r"|\w*(?:hepat|thym|semin|germin|terat|insulin|chord|meningi|schwann|neurofibr|ependym|plasmacyt"
    r"|craniopharyngi|phaeochromocyt|pheochromocyt|paragangli|astrocyt)omas?)"
)
# Acronyms count in capitals only; those that name a domain or a normal structure as well (MPN, NPC,
# PTC, MM) are left out. `AML1`, `ALL-1` and `CLL/lymphoma 2` are names.
_ACRONYMS = re.compile(
    r"\b(?:AML|APL|ALL|CLL|CML|CMML|DLBCL|MDS|CRC|GISTs?|NSCLC|SCLC|HCC|PDAC|TNBC|HNSCC|ESCC"
    r"|cc[A-Z]?RCC|LUAD|LUSC|MPNSTs?|GBM)"
    r"(?![-/][\w#]|\w)"
)

_SPEAKS_OF_CANCER = re.compile(
    rf"\b(?:{_DISEASE}"
    r"|(?:anti|pro|non|pan)-?(?:tumou?r|cancer)\w*"
    r"|tumou?r(?:igen|ous|al)\w*|neoplas\w+|cancerous|leuka?em\w+|metasta\w+"
    r"|\w*(?:carcino|glioma|lymphoma|melanoma|sarcoma)gen\w+"
    r"|onco(?:gen|protein)\w*|malignan\w+|myelodysplas\w+|myeloproliferative"
    r"|prognos\w+|relapse(?:s|d|-free)?|patient outcomes?"
    r"|(?:overall|patient|disease-free|progression-free|relapse-free|poor|poorer|worse|shorter"
    r"|longer) survival|(?:survival|lives|life|mortality|death|deaths|outcomes?) (?:of|in)"
    r" (?:\w+ ){0,2}patients|patient(?:s['’])? (?:mortality|survival)"
    r"|(?:resistan\w+|sensitiv\w+|respon\w+) to (?:chemo|radio|immuno)therap\w+"
    r"|(?:chemo|radio)(?:resistan|sensitiv|therap)\w*|hodgkin(?:['’]?s)?)\b",
    re.IGNORECASE,
)

# Names of genes, proteins, families and structures that hold a word of the list above.
_NAMES = re.compile(
    r"\b(?:"
    r"tumou?r necrosis factors?"
    r"|tumou?r[- ]suppressors?|proto-?oncogen(?:es?|ic)|(?:viral|e6|e7|e1a) onco(?:gene|protein)s?"
    r"|oncogene homolog(?:ue)?"
    r"|malignant brain tumou?r(?: \(MBT\)|-like)?[- ](?:repeats?|domains?|family|proteins?)"
    r"|casitas b-lineage lymphoma|leuka?emia-associated rho\w*|ewing sarcoma breakpoint region"
    r"|(?:promyelocytic|mixed[- ]lineage|myeloid[- ]lymphoid) leuka?emia"
    r"|cancer[-/]testis"
    r"|(?:absent|deleted|disrupted) in (?:\w+ ){0,2}" + _DISEASE + r" \d+|fused in sarcoma"
    r"|(?<!is )(?<!are )(?<!ly )(?<!often )deleted in colorectal (?:cancer|carcinoma)"
    r"|(?:\w+[- ])?" + _DISEASE + r"[- ](?:associated|RAS viral|viral) oncogene"
    r"|retinoblastoma[- ](?:family|like)"
    r"|(?:\w+ )?"
    + _DISEASE
    + r"(?:[- ](?:associated|cell|differentiation|differentially|expressed|inhibitory|integration"
    r"|like|predisposition|related|susceptibility|suppressor|transforming|translocation|type \d+))*"
    r"(?: \([A-Z][A-Z0-9-]{1,6}\))?"
    r"[- ](?:antigens?|body|bodies|factor|homolog(?:ue)?|kinase|protein|suppressor|p\d+"
    r"|domains?|repeats?|proteases?|deubiquitinases?|homeobox|proto-?oncogenes?"
    r"|breakpoint (?:cluster )?region"
    r"|susceptibility gene|type \d{1,2}"
    r"|\d{1,2}(?!\d|[.,]\d|\s*(?:%|(?:of|percent|patients|cases|tumou?rs|samples|cm|mm)\b)))"
    r")\b",
    re.IGNORECASE,
)


def cancer_words(text: str, names: Iterable[str] = (), cancers: Iterable[str] = ()) -> list[str]:
    """Find the words by which a text speaks of cancer, its course or its outcome.

    Section Gene/Protein Function is "free of cancer-specific outcomes" (seed): what a protein does
    belongs there, what becomes of a cell, a tissue or a patient when it fails belongs to the
    assessment. So `cancer`, `tumorigenesis`, `carcinoma`, `metastasis`, `oncogenic`, `prognosis`,
    `overall survival`, `resistance to chemotherapy` and acronyms of cancers (`AML`) count; `cell
    survival`, `proliferation` and `apoptosis` do not.

    What only names something does not count: the gene's own names, `tumor necrosis factor`, `tumor
    protein p53`, `breast cancer type 1 susceptibility protein`, `B-cell lymphoma 2`, `anaplastic
    lymphoma kinase`, `promyelocytic leukemia bodies`, `ovarian tumor (OTU) domain`. `Tumor
    suppressor` and `proto-oncogene` are classes of normal genes and pass; `oncogene`, `oncogenic`
    and `tumor suppression` say what happens in a cancer and do not.

    Args:
        text: The bullet's text.
        names: Further names to look past: the gene's name and aliases.
        cancers: Names and codes of the pair's cancer type; they count wherever they stand. Codes
            (no lower-case letter) are looked for in capitals only.

    Returns:
        The words found, in order, without repetition.
    """
    for name in names:
        # A one-word name without a digit (`CANCER`) would hide too much.
        if " " in name or any(character.isdigit() for character in name):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "#", text, flags=re.IGNORECASE)
    plain = _NAMES.sub("#", text)
    found = [match.group() for match in _SPEAKS_OF_CANCER.finditer(plain)]
    acronyms = [match.group() for match in _ACRONYMS.finditer(plain)]
    # The glomerular basement membrane has the acronym of glioblastoma.
    found += [each for each in acronyms if each != "GBM" or "glomerul" not in text.lower()]
    for cancer in cancers:
        flags = re.IGNORECASE if any(character.islower() for character in cancer) else 0
        if len(cancer) > 2 and re.search(rf"(?<!\w){re.escape(cancer)}(?!\w)", text, flags):
            found.append(cancer)
    return list(dict.fromkeys(found))


def without_names(text: str) -> str:
    """Return a text without the names that only sound like cancer (`B-cell lymphoma 2`)."""
    return _NAMES.sub("#", text)
