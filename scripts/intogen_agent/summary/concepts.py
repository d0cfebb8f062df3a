"""What a summary can speak of: cancers, drugs, proteins and mechanisms, in plain or special words.

Each concept is a pattern of all its words, so that `renal` may become `kidney`; what a text speaks
of is the set of concepts that it names. The lists are for comparing a text with its source, where
a word that neither knows does no harm.
"""

import re

from intogen_agent.report.text import sentences
from intogen_agent.report.verbs import VERBS, words
from intogen_agent.review.naming import plain
from intogen_agent.summary.ordinary import ordinary

_SITES = {
    "adrenal gland": r"adren\w+|ph(?:a)?eochromocytom\w+",
    "anus": r"anal|anus",
    "bile duct": r"bile ducts?|biliary|cholangio\w+|gallbladder",
    "bladder": r"bladder|urothelial",
    "blood": r"blood cancers?|h(?:a)?ematolog\w+",
    "bone": r"bone",
    "bowel": r"colon(?:ic)?|colorectal|rectal|rectum|bowel|intestin\w+",
    "brain": r"brain|glio\w+|astrocyt\w+|medulloblastom\w+|mening\w+",
    "breast": r"breast|mammary",
    "cervix": r"cervi\w+",
    "endometrium": r"endometri\w+|uter(?:us|ine)",
    "esophagus": r"o?esophag\w+",
    "eye": r"eyes?|ocular|intraocular|uvea\w*|retin(?:a|al|oblastom\w+)|choroid\w*",
    "head and neck": r"head and neck|oral|laryn\w+|pharyn\w+|nasopharyn\w+",
    "kidney": r"kidneys?|renal",
    "leukemia": r"leukemi\w+",
    "liver": r"liver|hepat\w+",
    "lung": r"lungs?|pulmonary",
    "lymphoma": r"lymphom\w+",
    "melanoma": r"melanom\w+|skin",
    "mesothelioma": r"mesotheliom\w+|pleura\w*",
    "myeloma": r"myelom\w+",
    "nerve": r"neuroblastom\w+|neurofibrom\w+|schwannom\w+",
    "nose": r"nose|nasal|sinonasal",
    "ovary": r"ovar\w+",
    "pancreas": r"pancrea\w+",
    "penis": r"penile|penis",
    "prostate": r"prostat\w+",
    "salivary gland": r"salivary",
    "sarcoma": r"\w*sarcom\w+",
    "stomach": r"gastric|stomach",
    "testis": r"testic\w+|germ cell",
    "thymus": r"thym(?:us|ic|oma\w*)",
    "thyroid": r"thyroid",
    "vulva": r"vulv\w+|vagin\w+",
}
_MECHANISMS = {
    "adhesion": r"adhesi\w+",
    "angiogenesis": r"angiogen\w+|blood vessels?|vascular\w*",
    "apoptosis": r"apopto\w+|cell death|cell suicide|die|dies|dying",
    "autophagy": r"autophag\w+",
    "chromatin": r"chromatin|histones?|nucleosom\w+",
    "chromosomal instability": r"instabil\w+|aneuploid\w+|unstable",
    "cytoskeleton": r"cytoskelet\w+|actin|microtubul\w+",
    "degradation": r"degrad\w+|proteasom\w+|ubiquit\w+|break\w* down|breakdown|broken down"
    r"|destr\w+",
    "differentiation": r"differentiat\w+|matur\w+",
    "DNA repair": r"repair\w*",
    "endocytosis": r"endocyt\w+|internali[sz]\w+",
    "epithelial-mesenchymal transition": r"mesenchymal",
    "ferroptosis": r"ferropto\w+",
    "growth": r"prolifer\w+|grow\w*|divi(?:de|des|ding|sion|sions)|cell cycle|expan\w+|mitosis"
    r"|mitotic",
    "hypoxia": r"hypoxi\w+|oxygen",
    "immunity": r"immun\w+|t cells?|inflamm\w+",
    "invasion": r"inva\w+|migrat\w+|motil\w+",
    "metabolism": r"metabol\w+|glycoly\w+|mitochondri\w+",
    "metastasis": r"metasta\w+|spread\w*",
    "methylation": r"methyl\w+|epigenet\w+",
    "necrosis": r"necro(?:sis|tic|pto\w+)",
    "oxidative stress": r"oxidat\w+|redox|antioxid\w+",
    "phosphorylation": r"phosphoryl\w+|kinases?",
    "replication": r"(?:dna|genome) (?:replicat\w+|synthesis)|replication(?: of)?(?: the)? dna"
    r"|cop(?:y|ies|ying)(?: of)?(?: its| the| their)? dna",
    "resistance": r"resist\w+",
    "senescence": r"senescen\w+",
    "splicing": r"splic\w+",
    "stemness": r"stem cells?|stemness",
    "survival": r"surviv\w+|prognos\w+|mortality|outliv\w+"
    r"|liv(?:e|es|ed) (?:\w+ )?(?:longer|shorter)",
    "telomeres": r"telomer\w+",
    "transcription": r"transcri\w+|gene expression|target genes?",
    "translation": r"translat(?:ion|es|ed)|ribosom\w+",
}
# The stems of international nonproprietary names, and old drugs that have none.
_DRUG = re.compile(
    r"\b\w{2,}(?:tinib|ciclib|lisib|rafenib|metinib|rasib|zomib|degib|sertib|parib|limus|mab"
    r"|platin|taxel|rubicin|citabine|trexate|trexed|tecan|poside|fosfamide|mustine|clax|stat"
    r"|oxifen|trozole|lutamide|staurin|lukin|leucel|dronate|vorin|coxib|profen|methasone|nisone"
    r"|nisolone|mycin|cycline|statin|conazole|glitazone)\b"
    r"|\b(?:aspirin|metformin|fluorouracil|capecitabine|temozolomide|imatinib|rapamycin|azacitidine"
    r"|decitabine|tretinoin|arsenic trioxide|vincristine|vinblastine|bleomycin|mitomycin|cytarabine"
    r"|hydroxyurea|thalidomide|lenalidomide|interferon|aflibercept|sulindac|diclofenac"
    r"|(?:cortico)?steroids?|statins?|chemotherap\w+|radiotherap\w+|immunotherap\w+)\b"
    # Names that drugs are sold under.
    r"|\b(?:herceptin|gleevec|glivec|keytruda|opdivo|yervoy|avastin|erbitux|vectibix|tagrisso"
    r"|tarceva|iressa|xalkori|zelboraf|lynparza|ibrance|taxol|temodar|revlimid|velcade|rituxan"
    r"|lumakras|mekinist|tafinlar|nexavar|sutent|afinitor)\b"
)
_CAPITALISED = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][a-z]{2,}\b")
_FIRST = re.compile(r"(?:^|[.!?:;] )[\"'(]?([A-Z][a-z]{2,})\b")
# Names of pathways and proteins that are ordinary words, or that stand in small letters.
_PATHWAYS = re.compile(
    r"\b(?:notch|hedgehog|hippo|wnt|ras|raf|myc|src|akt|jak|rho|rac|yap|taz|mtor|hox|mapk)\b"
)
# A protein or an enzyme by the ending of its name; words of the language are left out below.
_PROTEIN = re.compile(r"\b[a-z]{3,}(?:in|ase)s?\b")
_NO_PROTEIN = words(
    """
    again base basin berlin brain case certain chain chromatin cousin curtain database disease
    domain erase fountain grain heparin hematin increase latin main margin mountain origin pain
    phase phrase plain protein purchase robin ruin satin skin strain terrain thin toxin twin
    vein virgin vitamin within decrease release lease please cabin captain ease bargain
    """
)
# Diseases and processes by their endings, beside those that the lists above know.
_DISEASE = re.compile(r"\b[a-z]{3,}(?:omas?|emias?)\b")
_NO_DISEASE = words("carcinoma carcinomas adenocarcinoma adenocarcinomas stroma coma chroma soma")
# How a disease begins is no process of its own (tumorigenesis, lymphomagenesis).
_PROCESS = re.compile(
    r"\b(?!\w*(?:tumori|carcino|onco|patho|leukemo|oma)genesis)[a-z]{3,}"
    r"(?:osis|phagy|genesis|olysis)\b"
)
_NO_PROCESS = words("diagnosis prognosis")


def _compiled(concepts: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b(?:{words})\b") for name, words in concepts.items()}


_CANCER_PATTERNS = _compiled(_SITES)
_MECHANISM_PATTERNS = _compiled(_MECHANISMS)


def cancers(text: str) -> set[str]:
    """Return the cancers, by their organ, their kind or their own name, that a text names."""
    return _named(_CANCER_PATTERNS, text) | _unknown(_DISEASE, text, _CANCER_PATTERNS, _NO_DISEASE)


def mechanisms(text: str) -> set[str]:
    """Return the mechanisms that a text speaks of."""
    known = _named(_MECHANISM_PATTERNS, text)
    return known | _unknown(_PROCESS, text, _MECHANISM_PATTERNS, _NO_PROCESS)


def proteins(text: str) -> set[str]:
    """Return the proteins and pathways that a text names in small letters: cyclin, notch.

    An enzyme that stands for a mechanism (`kinase` for phosphorylation) is none.
    """
    named = _unknown(_PROTEIN, text, _MECHANISM_PATTERNS, _NO_PROTEIN)
    found = {word.removesuffix("s") for word in named if word.removesuffix("s") not in VERBS}
    return found | set(_PATHWAYS.findall(plain(text)))


def drugs(text: str) -> set[str]:
    """Return the drugs that a text names."""
    return set(_DRUG.findall(plain(text)))


def proper_names(text: str) -> set[str]:
    """Return the capitalised words that may be names: Wnt, Hedgehog, Lynch.

    At the start of a sentence any word has a capital; ordinary ones are no names.
    """
    first = {word for one in sentences(text) for word in _FIRST.findall(one)}
    found = {*_CAPITALISED.findall(text), *(word for word in first if not ordinary(word))}
    return {word.casefold() for word in found}


def _named(patterns: dict[str, re.Pattern[str]], text: str) -> set[str]:
    said = plain(text)
    return {name for name, pattern in patterns.items() if pattern.search(said)}


def _unknown(
    ending: re.Pattern[str],
    text: str,
    known: dict[str, re.Pattern[str]],
    ordinary_words: frozenset[str],
) -> set[str]:
    """Return the words with an ending that no pattern knows and that mean nothing else."""
    found = {word for word in ending.findall(plain(text)) if word not in ordinary_words}
    return {word for word in found if not any(one.search(word) for one in known.values())}
