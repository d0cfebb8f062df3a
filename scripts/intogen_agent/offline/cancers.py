"""Which cancer a text speaks of, seen from a task's cancer type.

No cancer is known here: the task's own names and terms say what the target is. What is known is
how cancers are named in English: an organ and, perhaps, a histology before a head like carcinoma.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from intogen_agent.offline.anatomy import GENERAL_HEADS, HISTOLOGY, ORGANS
from intogen_agent.offline.sentences import word_set

_OMA = r"(?!(?:chromosom|genom|gen|strom|som|symptom|syndrom|diplom|com|arom)as?\b)[a-z]{2,}omas?"
_HEAD = (
    r"(?:cancers?|tumou?rs?|neoplasms?|malignanc(?:y|ies)|neoplasias?|polyposis|leuka?emias?"
    rf"|carcinogenesis|tumou?rigenesis|{_OMA})"
)
_PHRASE = re.compile(rf"((?:[\w+'-]+,? (?:and |or )?){{0,4}}?[\w+'-]+ |)({_HEAD})\b", re.IGNORECASE)
_MANY = re.compile(
    r"pan-?cancer|(?:cancer|tumou?r) types|types of (?:cancer|tumou?r)|human cancers?\b"
    r"|across (?:many |human |all )?(?:cancers|tumou?rs)"
    r"|(?:several|multiple|various) (?:human )?(?:cancers|tumou?rs)",
    re.IGNORECASE,
)
CANCER_WORD = re.compile(
    rf"\b{_OMA}\b|oncogen|cancer|tumou?r|carcino|malignan|metasta|neoplas|leuka?em|polyposis",
    re.IGNORECASE,
)
_DASHES = re.compile("[‐‑–—]")
_MIN_INITIALS = 3
_MANY_ORGANS = 3


def american(text: str) -> str:
    """Return lower-case text with American spelling of the words that name cancers."""
    text = _DASHES.sub("-", text.lower())
    text = text.replace("tumour", "tumor").replace("leukaem", "leukem")
    return text.replace("haemat", "hemat").replace("oesoph", "esoph")


@dataclass(frozen=True)
class CancerType:
    """A task's cancer type.

    Attributes:
        names: Its name and search terms.
        pan_cancer: True when the task means cancers of every type.
    """

    names: tuple[str, ...] = ()
    pan_cancer: bool = False

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for name in self.names for word in _tokens(name))

    @cached_property
    def _organs(self) -> frozenset[int]:
        return _organs_of(self._words)

    @cached_property
    def _heads(self) -> frozenset[str]:
        """Heads of the target that say more than `carcinoma` does."""
        heads = {word for word in self._words if re.fullmatch(_HEAD, word)}
        return frozenset(heads - GENERAL_HEADS)

    @cached_property
    def _acronyms(self) -> re.Pattern[str] | None:
        found = {name for name in self.names if re.fullmatch(r"[A-Z]{3,6}", name)}
        for name in self.names:
            initials = "".join(word[0] for word in re.split(r"[\s-]+", name) if word).upper()
            if len(initials) >= _MIN_INITIALS and initials.isalpha():
                found.add(initials)
        return re.compile(rf"\b(?:{'|'.join(sorted(found))})s?\b") if found else None

    def scope(self, sentence: str, title: str, text: str) -> str:
        """Return `target`, `subtype`, `related`, `pan-cancer` or `other` for a sentence.

        A sentence that names no site is read with its record's title, then with its text.
        """
        if self.pan_cancer:
            return "target"
        verdicts = [self._classify(part) for part in (sentence, title, text)]
        for verdict in verdicts:
            if verdict not in ("none", "generic"):
                return verdict
        return "pan-cancer" if "generic" in verdicts else "other"

    def _classify(self, text: str) -> str:
        text = _DASHES.sub("-", text)
        words = frozenset(_tokens(text))
        if len(_organs_of(words)) >= _MANY_ORGANS and self._organs & _organs_of(words):
            return "pan-cancer"
        if self._acronyms and self._acronyms.search(text):
            return "target"
        found = {self._classify_phrase(*match.groups()) for match in _PHRASE.finditer(text)}
        for verdict in ("target", "subtype", "related"):
            if verdict in found:
                return verdict
        if _MANY.search(text):
            return "pan-cancer"
        if "other" in found:
            return "other"
        if self._organs & _organs_of(words):
            return "target"
        return "generic" if found else "none"

    def _classify_phrase(self, before: str, head: str) -> str:
        tokens = _tokens(f"{before} {head}")
        noun = tokens[-1]
        odd = {word for word in tokens if word in HISTOLOGY and word not in self._words}
        if re.search(r"\bnon[- ]small", american(before)):
            odd -= {"small", "small-cell"}
        organs = _organs_of(frozenset(tokens))
        if (self._organs & organs) or (not organs and noun in self._heads):
            if not odd:
                return "target"
            return "related" if self._words & HISTOLOGY else "subtype"
        if organs or (noun not in GENERAL_HEADS and noun not in self._heads):
            return "generic" if noun == "leukemia" and not organs else "other"
        return "generic"


_PLAIN = word_set(
    """
    invasive acute chronic diffuse cell cells b t clear renal primary early late type any non
    metastatic adult pediatric childhood cutaneous high low grade of the and with mixed tumor
    """
)


def named_cancers(text: str) -> list[str]:
    """Return the cancers that a text names with their site, most often named first.

    Names of one site count as one and are told by the site alone (`lung cancer`), so that none is
    narrower than what the text speaks of.
    """
    names: dict[frozenset[int], list[str]] = {}
    courses: dict[frozenset[int], set[str]] = {}
    for before, head in _PHRASE.findall(text):
        words = re.findall(r"[a-z][a-z-]*[a-z]", american(f"{before} {head}"))
        sites = [word for word in words if _organs_of(frozenset({word}))]
        if sites:
            kind = "leukemia" if words[-1].startswith("leukem") else "cancer"
            organs = _organs_of(frozenset(words))
            names.setdefault(organs, []).append(f"{sites[0]} {kind}")
            course = next((word for word in words if word in ("acute", "chronic")), "")
            courses.setdefault(organs, set()).add(course)
    ranked = sorted(names, key=lambda organs: len(names[organs]), reverse=True)
    told = ((courses[organs], max(names[organs], key=names[organs].count)) for organs in ranked)
    return [f"{min(course)} {name}".strip() if len(course) == 1 else name for course, name in told]


def name_in_sentence(name: str) -> str:
    """Return a cancer's name for running text: ordinary words lose their capital.

    Names of persons (Ewing Sarcoma) keep it.
    """

    def word(match: re.Match[str]) -> str:
        text = match.group()
        low = american(text)
        known = low in _PLAIN or low in HISTOLOGY or any(low in organ for organ in ORGANS)
        if re.fullmatch(r"[A-Z]-[A-Z][a-z]+", text):
            return text[:2] + text[2:].lower()
        return text.lower() if known or re.fullmatch(_HEAD, low) else text

    return re.sub(r"[A-Za-z][A-Za-z-]*", word, name)


def _tokens(text: str) -> list[str]:
    found = re.findall(r"[a-z][a-z-]*[a-z]", american(text))
    return [w[:-1] if w.endswith("s") and not w.endswith(("sis", "us", "ss")) else w for w in found]


def _organs_of(words: frozenset[str]) -> frozenset[int]:
    return frozenset(i for i, organ in enumerate(ORGANS) if organ & words)
