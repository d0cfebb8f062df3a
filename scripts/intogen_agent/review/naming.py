"""Who and what a text names: the gene, the cancer, other genes."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from intogen_agent.cohort.cancer_types import SCHEMES, CancerType, CancerTypes
from intogen_agent.evidence.quotes import normalise
from intogen_agent.models import Cancer, GeneIdentity
from intogen_agent.report.verbs import words

# What a gene's symbol is only a part of: antisense and divergent transcripts, pseudogenes.
_OTHER_GENE = r"(?![a-z0-9]|-(?:as|it|dt|ot|ps)\d?\b)"
_GREEK = str.maketrans(
    {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "κ": "kappa"}
)
# Names of genes, proteins and variants: a Greek letter (beta-catenin), two capitals or a digit
# (KRAS, mTOR, V600E), or a letter and a number (p53, miR-21).
_LETTER = "(?:alpha|beta|gamma|delta|epsilon|kappa|sigma)"
NAME = re.compile(
    rf"\b(?:{_LETTER}-\w+|\w+-{_LETTER})\b|"
    r"\b(?=\w*[A-Z])(?=\w*(?:[A-Z]\w*[A-Z0-9]|\d))[A-Za-z0-9][\w-]{1,}\b|\b[A-Za-z]+-?\d\w*\b"
)
# Short for what every reader of biology knows, whoever writes it.
_COMMON = words("dna rna mrna cdna mirna lncrna pcr uv atp gtp gdp nad er 3d i ii iii iv")


def plain(text: str) -> str:
    """Return a text in the form in which names are compared."""
    return normalise(text.translate(_GREEK)).replace("tumour", "tumor").replace("leukaem", "leukem")


def names(text: str) -> list[str]:
    """Return the names of genes, proteins and variants in a text, in order, each once."""
    found = (name for name in NAME.findall(text) if name.casefold() not in _COMMON)
    return list(dict.fromkeys(found))


def foreign_names(text: str, source: str) -> list[str]:
    """Return the names in a text that its source does not hold, however it writes them."""
    held = _bare(source)
    return [name for name in names(text) if not all(part in held for part in _parts(name))]


def _parts(name: str) -> list[str]:
    # Alpha- and beta-catenin are two names that share a word.
    if re.search(rf"\b{_LETTER}\b", name):
        return [_bare(part) for part in name.split("-")]
    return [_bare(name)]


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", plain(text))


class GeneNames:
    """The names of a gene.

    Args:
        gene: The gene.
    """

    def __init__(self, gene: GeneIdentity) -> None:
        known = [gene.symbol, *gene.aliases, *([gene.name] if gene.name else [])]
        self.all = [name for name in dict.fromkeys(known) if len(name) > 1]
        self._pattern = re.compile("|".join(self._patterns()))

    def _patterns(self) -> Iterator[str]:
        for name in sorted(self.all, key=len, reverse=True):
            yield rf"(?<![a-z0-9]){re.escape(plain(name))}{_OTHER_GENE}"

    def in_text(self, text: str) -> bool:
        """Say whether a text names the gene; `APC-AS1` and `APC2` are other genes."""
        return self._pattern.search(plain(text)) is not None

    def without(self, text: str) -> str:
        """Return a text without the gene's names."""
        return self.replaced(text, " ")

    def replaced(self, text: str, by: str) -> str:
        """Return a text in plain form with other words in the place of the gene's names."""
        return self._pattern.sub(by, plain(text))


# What tells no cancer from another.
_GENERAL = frozenset({"CANCER", "SOLID", "NON_SOLID", "OTHER", "CUP"})
_GENERAL_TERMS = words(
    "cancer tumor neoplasm carcinoma adenocarcinoma malignancy sarcoma lymphoma leukemia"
)
# Families of cancers, which are too general for a pair's own name and not for a claim, and the
# abbreviations under which a source may speak of them.
_FAMILIES = {
    "leukemia": re.compile(r"leuk(?:a?em|os)|\b(?:[BT]-)?(?:AML|ALL|APL|CLL|CML|CMML)\b", re.I),
    "lymphoma": re.compile(r"lymphom|\b(?:DLBCL|NHL|MCL|FL|BL|CTCL|PTCL)\b", re.I),
    "sarcoma": re.compile(r"sarcom|\b(?:RMS|GIST|MPNST)s?\b", re.I),
}
_DISEASE_WORDS = _GENERAL_TERMS | words(
    "cancers tumors neoplasms malignancies malignant neoplastic disease syndrome cell cells type "
    "nos the and with primary epithelial"
)


class CancerTerms:
    """The words for a cancer type: its own, and those of its branch of the tree.

    A finding in a type below (rectal adenocarcinoma for colorectal) is one in the type; a wider
    word (renal cell carcinoma for its clear-cell type) may mean it. Siblings are other cancers.

    Args:
        cancer: The pair's cancer type.
        terms: The search terms of the task.
        types: All known cancer types.
    """

    def __init__(self, cancer: Cancer, terms: Iterable[str], types: CancerTypes) -> None:
        self._pan = cancer.pan_cancer
        self._types = types
        branch = [*_below(cancer, types), *_above(cancer, types)]
        self._branch = {(cancer.scheme, cancer.code), *((one.scheme, one.code) for one in branch)}
        own = [cancer.name, *terms]
        own += [term for kind in branch for term in (kind.name, *kind.search_terms)]
        mine = {plain(term) for term in own}
        self._families = [one for one in _FAMILIES if not any(one in term for term in mine)]
        self._own = term_pattern(own)
        self._short = re.compile(
            "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in _short(cancer.code, own))
        )
        self._other_terms = sorted(
            term
            for kind in types.entries.values()
            if kind.code not in _GENERAL
            for term in map(plain, kind.search_terms)
            if term not in mine and term not in _GENERAL_TERMS
        )

    @cached_property
    def _others(self) -> re.Pattern[str]:
        return term_pattern(self._other_terms)

    def in_text(self, text: str) -> bool:
        """Say whether a text names the cancer type or its branch; anything for pan-cancer."""
        return bool(self._pan or self._own.search(plain(text)) or self._short.search(text))

    def others_in(self, text: str) -> list[str]:
        """Return the names of other cancer types in a text."""
        rest = self._own.sub(" ", plain(text))
        return list(dict.fromkeys(self._others.findall(rest)))

    def foreign_in(self, text: str, held: str) -> list[str]:
        """Return the names of other cancers in a text that its source does not speak of.

        Gastric cancer may be tumours of the stomach there, and a wider type a narrower one.
        """
        named = self.others_in(text)
        known = set(self.others_in(held)) if named else set[str]()
        said = plain(held)
        found = [
            name for name in named if name not in known and not self._spoken_of(name, held, said)
        ]
        rest = self._own.sub(" ", plain(text))
        for name in named:
            rest = rest.replace(name, " ")
        for family in self._families:
            if re.search(rf"\b{family}s?\b", rest) and not _FAMILIES[family].search(held):
                found.append(family)
        return found

    def _spoken_of(self, name: str, held: str, said: str) -> bool:
        for kind in self._family(name):
            terms = kind.name, *kind.search_terms
            if any(_tells(plain(term), said) for term in terms):
                return True
            # An abbreviation: HCC, NSCLC, GBM.
            if any(re.search(rf"(?<!\w){re.escape(s)}(?!\w)", held) for s in _short("", terms)):
                return True
        return False

    def _family(self, name: str) -> Iterator[CancerType]:
        """Yield the types of a name with those above and below, without the pair's own branch."""
        for kind in self._types.entries.values():
            forms = {form for term in kind.search_terms for form in _forms(plain(term))}
            if kind.code not in _GENERAL and forms & {name, name[:-1], name[:-2]}:
                for one in (kind, *_above(kind, self._types), *_below(kind, self._types)):
                    if (one.scheme, one.code) not in self._branch:
                        yield one


def _tells(term: str, said: str) -> bool:
    """Say whether a text has all words that tell a cancer from others: lung and squamous."""
    known = [word for word in re.findall(r"[a-z]{3,}", term) if word not in _DISEASE_WORDS]
    stems = [word[: max(5, len(word) - 3)] for word in known]
    return bool(stems) and all(re.search(rf"\b{stem}", said) for stem in stems)


def _below(cancer: Cancer | CancerType, types: CancerTypes) -> list[CancerType]:
    children: dict[str, list[CancerType]] = {}
    for kind in types.entries.values():
        if kind.scheme == cancer.scheme:
            children.setdefault(kind.parent, []).append(kind)
    found: list[CancerType] = []
    waiting = [cancer.code]
    while waiting:
        own = children.pop(waiting.pop(), [])
        found += own
        waiting += [kind.code for kind in own]
    return found


# Short names that are not the initials of the long ones.
_SHORT_NAMES = {
    "colorectal cancer": "CRC",
    "hepatocellular carcinoma": "HCC",
    "glioblastoma": "GBM",
    "gastric cancer": "GC",
}


def _short(code: str, terms: Iterable[str]) -> set[str]:
    """Return the code and the initials of the names (NSCLC, RCC); they stand in capitals."""
    found = {code, code.replace("_", " ")} - {""}
    for term in terms:
        parts = re.findall(r"[A-Za-z]+", term)
        if len(parts) > 2:
            found.add("".join(part[0] for part in parts).upper())
        found |= {_SHORT_NAMES[term.lower()]} if term.lower() in _SHORT_NAMES else set()
    return found


def _kind(types: CancerTypes, scheme: str, code: str) -> CancerType | None:
    """Return a type; the parents of the user's own types are those of the releases."""
    found = (types.get(each, code) for each in (scheme, *SCHEMES))
    return next((kind for kind in found if kind is not None), None)


def _above(cancer: Cancer | CancerType, types: CancerTypes) -> list[CancerType]:
    found: list[CancerType] = []
    kind = _kind(types, cancer.scheme, cancer.code)
    while kind is not None and kind.parent and kind.parent not in _GENERAL:
        kind = _kind(types, kind.scheme, kind.parent)
        if kind is None or kind in found:
            break
        found.append(kind)
    return found


def term_pattern(terms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of names of cancers in plain form, with their usual other forms."""
    return _pattern_of(frozenset(terms))


@lru_cache(maxsize=16)
def _pattern_of(terms: frozenset[str]) -> re.Pattern[str]:
    forms = {form for term in terms for form in _forms(plain(term))}
    either = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    # A term may stand in the plural, and hyphens may stand for spaces.
    return re.compile(rf"(?<![a-z0-9])(?:{either})(?:s|es)?(?![a-z0-9])" if either else r"(?!)")


def _forms(term: str) -> Iterator[str]:
    if len(term) < 3:
        return
    yield term
    yield term.replace("-", " ")
    yield term.replace(" ", "-")
    # colorectal adenocarcinoma, carcinoma, cancer, tumor: one organ, several words for its disease.
    for end in ("cancer", "carcinoma", "adenocarcinoma", "tumor"):
        if term.endswith(f" {end}"):
            stem = term.removesuffix(end)
            yield from (stem + other for other in ("cancer", "carcinoma", "tumor", "neoplasm"))
