"""Words that speak of cancer, and the names that only sound like it."""

import re
from collections.abc import Iterable

_DISEASE = (
    r"(?:cancers?|tumou?rs?|neoplasi[ac]s?|neoplasms?|carcinomas?|adenocarcinomas?|sarcomas?|"
    r"\w*(?:sarcoma|carcinoma|blastoma|glioma|myeloma|thelioma|adenoma)s?|lymphomas?|melanomas?|"
    r"leuka?emias?|metastas[ie]s|malignan(?:t|cy|cies))"
)

_SPEAKS_OF_CANCER = re.compile(
    rf"\b(?:{_DISEASE}"
    r"|(?:anti|pro|non|pan)-?(?:tumou?r|cancer)\w*"
    r"|tumou?r(?:igen|ous|al)\w*|neoplas\w+|cancerous|leuka?em\w+|metasta\w+"
    r"|\w*(?:carcino|glioma|lymphoma|melanoma|sarcoma)gen\w+"
    r"|onco(?:gen|protein)\w*|malignan\w+|myelodysplas\w+|myeloproliferative"
    r"|prognos\w+|relapse(?:s|d|-free)?|patient outcomes?"
    r"|(?:overall|patient|disease-free|progression-free|relapse-free|poor|poorer|worse|shorter"
    r"|longer) survival|survival (?:of|in) patients)\b",
    re.IGNORECASE,
)

# Names of genes, proteins, families and structures that hold a word of the list above.
_NAMES = re.compile(
    r"\b(?:"
    r"tumou?r necrosis factors?"
    r"|tumou?r[- ]suppressors?|proto-?oncogen(?:es?|ic)|(?:viral|e6|e7|e1a) onco(?:gene|protein)s?"
    r"|oncogene homolog(?:ue)?"
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
    r"[- ](?:antigens?|body|bodies|factor|homolog(?:ue)?|kinase|protein|suppressor|p\d+"
    r"|susceptibility gene|type \d{1,2}"
    r"|\d{1,2}(?!\d|[.,]\d|\s*(?:%|(?:of|percent|patients|cases|tumou?rs|samples|cm|mm)\b)))"
    r")\b",
    re.IGNORECASE,
)


def cancer_words(text: str, names: Iterable[str] = (), cancers: Iterable[str] = ()) -> list[str]:
    """Find the words by which a text speaks of cancer, its course or its outcome.

    Section Gene/Protein Function is "free of cancer-specific outcomes" (seed): what a protein does
    belongs there, what becomes of a cell, a tissue or a patient when it fails belongs to the
    assessment. So `cancer`, `tumorigenesis`, `carcinoma`, `metastasis`, `oncogenic`, `prognosis`
    and `overall survival` count; `cell survival`, `proliferation` and `apoptosis` do not.

    What only names something does not count: the gene's own names, `tumor necrosis factor`, `tumor
    protein p53`, `breast cancer type 1 susceptibility protein`, `B-cell lymphoma 2`, `anaplastic
    lymphoma kinase`, `promyelocytic leukemia bodies`. `Tumor suppressor` and `proto-oncogene` are
    classes of normal genes and pass; `oncogene`, `oncogenic` and `tumor suppression` say what
    happens in a cancer and do not.

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
    found = [match.group() for match in _SPEAKS_OF_CANCER.finditer(_NAMES.sub("#", text))]
    for cancer in cancers:
        flags = re.IGNORECASE if any(character.islower() for character in cancer) else 0
        if len(cancer) > 2 and re.search(rf"(?<!\w){re.escape(cancer)}(?!\w)", text, flags):
            found.append(cancer)
    return list(dict.fromkeys(found))


def without_names(text: str) -> str:
    """Return a text without the names that only sound like cancer (`B-cell lymphoma 2`)."""
    return _NAMES.sub("#", text)
