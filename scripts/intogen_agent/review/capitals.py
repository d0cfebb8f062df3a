"""Names of molecules that are written like ordinary words: Notch, Hedgehog, survivin.

A capital within a sentence makes a name; persons, places, peoples, methods and studies have one too
and are looked past.
"""

import re

from intogen_agent.report.verbs import words
from intogen_agent.review.naming import plain

# A capitalised word that begins no sentence, quotation or clause after a colon.
_CAPITALISED = re.compile(
    r"(?P<before>\S*)(?<=[A-Za-z0-9,;)]) (?P<word>[A-Z][a-z]{2,})\b(?!-?[A-Z0-9]|'| et al| [A-Z])"
)
# The word before it, if it is capitalised as well: The Cancer Genome Atlas, Bert Vogelstein.
_ROW = re.compile(r"[a-z,;)] [A-Z]\S+$")
# Adjectives of places, peoples and persons, and general words in a title's case.
_GENERAL = re.compile(
    r"(?:[a-z]+(?:ian|ean|can|ese|ish|ing|ions?|ed|ly|ments?|ness|ity|ous|ive|ics?|al|ants?|ents?"
    r"|ary|ory|oma|omas|ers?|ors?|isms?|ogy|osis|itis|emia))$"
)
_KNOWN = words(
    "cox kaplan meier kaplan-meier fisher student sanger western northern southern illumina "
    "affymetrix bayes monte carlo benjamini bonferroni pearson spearman mendel knudson burkitt "
    "hodgkin ewing wilms lynch gardner turcot cowden peutz jeghers down fanconi barrett merkel "
    "langerhans paget kaposi gleason dukes breslow clark fuhrman crohn sanger latin greek greeks "
    "german roman french dutch danes europe asia africa america china india japan korea israel "
    "brazil italy spain france iran taiwan sweden norway denmark finland iceland germany poland "
    "turkey egypt mexico canada australia england scotland wales ireland january february march "
    "april may june july august september october november december consortium network atlas "
    "project institute university hospital union society phase stage grade arm cohort group golgi "
    "drosophila xenopus saccharomyces arabidopsis cre sleeping giemsa coomassie the this these "
    "that and but for with from"
)
_STUDY = re.compile(
    r"(?:\W+\w+){0,2}?\W+(?:trial|stud(?:y|ies)|cohort|consortium|score|tests?|models?|method"
    r"|criteria|stain\w*|blot\w*|registry|biobank|programme|program|syndrome|disease|anemia|body"
    r"|bodies|cells?|project|network|mice)\b",
    re.IGNORECASE,
)
# Written small by most authors; a claim on one needs evidence like one on a symbol.
_SMALL = re.compile(
    r"\b(?:survivin|cyclins?|caveolins?|vimentin|nestin|geminin|securin|separase|cohesin|condensin"
    r"|clusterin|osteopontin|galectins?|osteonectin|podoplanin|stathmin|periostin|tenascin"
    r"|calreticulin|nucleolin|menin|merlin|parkin|huntingtin|dystrophin|telomerase|aromatase"
    r"|cathepsins?|heparanase|erythropoietin|thrombospondin|angiopoietin|adiponectin|leptin"
    r"|amphiregulin|neuregulin|hepcidin|ferritin|metallothionein|syndecan|glypican|plakoglobin"
    r"|desmoplakin|claudins?|occludin|nectin|hedgehog|hippo|notch)\b"
)
_SYMBOLS = {
    "cyclin": ("ccn",),
    "cyclins": ("ccn",),
    "claudin": ("cldn",),
    "galectin": ("lgals",),
    "geminin": ("gmnn",),
    "hedgehog": ("shh", "ihh", "gli1", "ptch", "smo"),
    "hippo": ("yap", "taz", "lats", "mst1"),
    "menin": ("men1",),
    "merlin": ("nf2",),
    "nectin": ("pvrl",),
    "nestin": ("nes",),
    "nucleolin": ("ncl",),
    "osteopontin": ("spp1",),
    "securin": ("pttg1",),
    "separase": ("espl1",),
    "survivin": ("birc5",),
    "telomerase": ("tert",),
    "vimentin": ("vim",),
}


def foreign_words(text: str, source: str) -> list[str]:
    """Return the names of molecules in a text, written like words, that its source lacks."""
    held = plain(source)
    found = [
        match["word"]
        for match in _CAPITALISED.finditer(text)
        if not _general(match["word"].casefold())
        and not _STUDY.match(text, match.end())
        and not _ROW.search(text[: match.end("before")])
    ]
    found += _SMALL.findall(text)
    return [word for word in dict.fromkeys(found) if not _holds(held, word.casefold())]


def _general(word: str) -> bool:
    return word in _KNOWN or _GENERAL.match(word) is not None


def _holds(held: str, word: str) -> bool:
    # Ras stands in KRAS, cyclins in cyclin; symbols may be quite other words.
    return any(name in held for name in (word.removesuffix("s"), *_SYMBOLS.get(word, ())))
