"""What a summary can speak of: cancers, drugs and mechanisms, in plain or in special words.

Each concept is a pattern of all its words, so that `renal` may become `kidney`; what a text speaks
of is the set of concepts that it names. The lists are for comparing a text with its source, where
a word that neither knows does no harm.
"""

import re

from intogen_agent.review.naming import plain

_SITES = {
    "bladder": r"bladder|urothelial",
    "blood": r"blood cancers?|h(?:a)?ematolog\w+",
    "bone": r"bone",
    "bowel": r"colon(?:ic)?|colorectal|rectal|rectum|bowel|intestin\w+",
    "brain": r"brain|glio\w+|astrocyt\w+|medulloblastom\w+|mening\w+",
    "breast": r"breast|mammary",
    "cervix": r"cervi\w+",
    "endometrium": r"endometri\w+|uter(?:us|ine)",
    "esophagus": r"o?esophag\w+",
    "head and neck": r"head and neck|oral|laryn\w+|pharyn\w+",
    "kidney": r"kidneys?|renal",
    "leukemia": r"leukemi\w+",
    "liver": r"liver|hepat\w+",
    "lung": r"lungs?|pulmonary",
    "lymphoma": r"lymphom\w+",
    "melanoma": r"melanom\w+|skin",
    "mesothelioma": r"mesotheliom\w+|pleura\w*",
    "myeloma": r"myelom\w+",
    "ovary": r"ovar\w+",
    "pancreas": r"pancrea\w+",
    "prostate": r"prostat\w+",
    "sarcoma": r"\w*sarcom\w+",
    "stomach": r"gastric|stomach",
    "testis": r"testic\w+|germ cell",
    "thymus": r"thym(?:us|ic|oma\w*)",
    "thyroid": r"thyroid",
}
_MECHANISMS = {
    "adhesion": r"adhesi\w+",
    "angiogenesis": r"angiogen\w+|blood vessels?|vascular\w*",
    "apoptosis": r"apopto\w+|cell death|cell suicide|die|dies|dying",
    "autophagy": r"autophag\w+",
    "chromatin": r"chromatin|histones?|nucleosom\w+",
    "chromosomal instability": r"instabil\w+|aneuploid\w+|unstable",
    "cytoskeleton": r"cytoskelet\w+|actin|microtubul\w+",
    "degradation": r"degrad\w+|proteasom\w+|ubiquit\w+|break\w* down|broken down|destr\w+",
    "differentiation": r"differentiat\w+|matur\w+",
    "DNA repair": r"repair\w*",
    "epithelial-mesenchymal transition": r"mesenchymal",
    "growth": r"prolifer\w+|grow\w*|divi(?:de|des|ding|sion|sions)|cell cycle|expan\w+|mitosis"
    r"|mitotic",
    "hypoxia": r"hypoxi\w+|oxygen",
    "immunity": r"immun\w+|t cells?|inflamm\w+",
    "invasion": r"inva\w+|migrat\w+|motil\w+",
    "metabolism": r"metabol\w+|glycoly\w+|mitochondri\w+",
    "metastasis": r"metasta\w+|spread\w*",
    "methylation": r"methyl\w+|epigenet\w+",
    "oxidative stress": r"oxidat\w+|redox|antioxid\w+",
    "phosphorylation": r"phosphoryl\w+|kinases?",
    "resistance": r"resist\w+",
    "senescence": r"senescen\w+",
    "splicing": r"splic\w+",
    "stemness": r"stem cells?|stemness",
    "telomeres": r"telomer\w+",
    "transcription": r"transcri\w+|gene expression|target genes?",
    "translation": r"translat(?:ion|es|ed)|ribosom\w+",
}
# The stems of international nonproprietary names, and old drugs that have none.
_DRUG = re.compile(
    r"\b\w{2,}(?:tinib|ciclib|lisib|rafenib|metinib|rasib|zomib|degib|sertib|parib|limus|mab"
    r"|platin|taxel|rubicin|citabine|trexate|trexed|tecan|poside|fosfamide|mustine|clax|stat"
    r"|oxifen|trozole|lutamide|staurin|lukin|leucel|dronate|vorin)\b"
    r"|\b(?:aspirin|metformin|fluorouracil|capecitabine|temozolomide|imatinib|rapamycin|azacitidine"
    r"|decitabine|tretinoin|arsenic trioxide|vincristine|vinblastine|bleomycin|mitomycin|cytarabine"
    r"|hydroxyurea|thalidomide|lenalidomide|interferon|aflibercept)\b"
)
_CAPITALISED = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][a-z]{2,}\b")


def _compiled(concepts: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b(?:{words})\b") for name, words in concepts.items()}


_CANCER_PATTERNS = _compiled(_SITES)
_MECHANISM_PATTERNS = _compiled(_MECHANISMS)


def cancers(text: str) -> set[str]:
    """Return the cancers, by their organ or kind, that a text names."""
    return _named(_CANCER_PATTERNS, text)


def mechanisms(text: str) -> set[str]:
    """Return the mechanisms that a text speaks of."""
    return _named(_MECHANISM_PATTERNS, text)


def drugs(text: str) -> set[str]:
    """Return the drugs that a text names."""
    return set(_DRUG.findall(plain(text)))


def proper_names(text: str) -> set[str]:
    """Return the capitalised words within sentences: Wnt, Hedgehog, Lynch."""
    return {word.casefold() for word in _CAPITALISED.findall(text)}


def _named(patterns: dict[str, re.Pattern[str]], text: str) -> set[str]:
    said = plain(text)
    return {name for name, pattern in patterns.items() if pattern.search(said)}
