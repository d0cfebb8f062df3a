"""The cancers that a text names, by the search terms of the table of cancer types.

Spellings are unified on both sides: British and American, singular and plural, and the general
heads (carcinoma, tumor, neoplasm, malignancy are `cancer`). The longest name wins.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intogen_agent.cohort.cancer_spelling import INVERTIBLE, spelled
from intogen_agent.cohort.cancer_types import CancerTypes
from intogen_agent.evidence.cancer_tree import ROOTS, UNPLACED, Key, Relation, relations

_WORD = re.compile(r"[^\W_]+(?:['’]s\b)?")
_HEADS = {
    "carcinoma": "cancer", "tumor": "cancer", "neoplasm": "cancer", "malignancy": "cancer",
    "neoplasia": "cancer",
}  # fmt: skip
# Shorter ones are acronyms or words of other things.
MIN_LETTERS = 5
MIN_CODE = 3
# In a list, words between the cancers that have a name: lung, head-neck and uterine cancers.
MAX_UNKNOWN = 2
_SMALL = frozenset({"of", "the", "and", "or", "nos"})
_GENERAL = frozenset(
    {"cancer", "solid", "hematologic", "hematological", "hematopoietic", "blood", "rare", "human",
     "non", "any", "type", "all", "pan", "primary", "metastatic", "malignant", "advanced"}
)  # fmt: skip
_MANY = re.compile(
    r"\bpan-?cancer\b|\b(?:cancer|tumou?r) types\b|\btypes of (?:cancer|tumou?r)s?\b"
    r"|\bhuman (?:cancers?|tumou?rs?|malignanc(?:y|ies))\b|\bacross (?:\w+ )?(?:cancers|tumou?rs)\b"
    r"|\b(?:several|multiple|many|various|other) (?:human )?(?:cancers|tumou?rs)\b"
    r"|\w, (?:[\w-]+ ?){1,3},? and [\w-]+ (?:cancers|tumou?rs)\b",
    re.IGNORECASE,
)
# A short form in brackets after its long form: hepatocellular carcinoma (HCC).
_DEFINED = re.compile(r"((?:[\w'’-]+[ -]){1,7}[\w'’-]+) \(([A-Za-z]*[A-Z][A-Z0-9-]{1,7})s?[);,]")
_SHORT = re.compile(r"\b[A-Za-z]{0,2}[A-Z]{2,7}\b")


@dataclass(frozen=True)
class Named:
    """A cancer that a text names: a search term of the table, and how it stands to the target."""

    term: str
    relation: Relation


class CancerNames:
    """The names of cancers as seen from one cancer type.

    Args:
        types: The table of cancer types.
        scheme: The target's code scheme.
        code: The target's code; a text may name the target by it.
        terms: The target's search terms.
    """

    def __init__(self, types: CancerTypes, scheme: str, code: str, terms: Sequence[str]) -> None:
        self._code = code
        self._code_stands = len(code) >= MIN_CODE and code not in ROOTS
        self._known: dict[tuple[str, ...], Named] = {}
        self._forms: dict[str, list[tuple[str, ...]]] = {}
        standing = relations(types, scheme, code, terms)
        written = {key: (t.name, *t.search_terms) for key, t in types.entries.items()}
        self._own = [words for term in terms if not is_general(words := unify(term))]
        self._learn(Relation.TARGET, terms)
        for relation in Relation:
            for key in sorted(key for key, found in standing.items() if found is relation):
                if key[1] not in ROOTS | UNPLACED:
                    self._learn(relation, _names(key, written))
        self._blur()
        for forms in self._forms.values():
            forms.sort(key=lambda words: (-len(words), words))

    def _learn(self, relation: Relation, terms: Iterable[str]) -> None:
        """Know some terms; a term that is known already stands nearer."""
        for term in terms:
            words = unify(term)
            short = len(words) == 1 and len(term) < MIN_LETTERS and relation is not Relation.TARGET
            if not words or is_general(words) or words in self._known or short:
                continue
            for form in _forms(words):
                if form not in self._known:
                    self._known[form] = Named(term, relation)
                    self._forms.setdefault(form[0], []).append(form)

    def _blur(self) -> None:
        """Let a name that says less than the target's own names be a wider name of the target.

        `Adenocarcinoma` may be the adenocarcinoma of the target's organ.
        """
        own = [set(words) for words in self._own]
        for words, named in self._known.items():
            if named.relation not in (Relation.TARGET, Relation.SUBTYPE) and _within(words, own):
                self._known[words] = Named(named.term, Relation.BROADER)

    def find(self, text: str, record: str = "") -> list[Named]:
        """Return the cancers that a text names, in its order, each once.

        Args:
            text: The text.
            record: The whole record that the text is from: it says what short forms mean.
        """
        found: dict[str, Named] = {}
        words = unify(_written_out(text, record))
        place = 0
        while place < len(words):
            form = self._longest(words, place)
            if form is None:
                place += 1
                continue
            if place == 0 or words[place - 1] != "non":
                for named in (*self._listed(words, place, form[-1]), self._known[form]):
                    found.setdefault(" ".join(unify(named.term)), named)
            place += len(form)
        if self._code_stands and re.search(rf"(?<![\w-]){re.escape(self._code)}(?![\w-])", text):
            found.setdefault(self._code, Named(self._code, Relation.TARGET))
        return list(found.values())

    def _longest(self, words: tuple[str, ...], place: int) -> tuple[str, ...] | None:
        for form in self._forms.get(words[place], ()):
            if words[place : place + len(form)] == form:
                return form
        return None

    def _listed(self, words: tuple[str, ...], place: int, head: str) -> list[Named]:
        """Return the cancers of a list that shares its head: lung, colon and breast cancers."""
        found: list[Named] = []
        if not place or words[place - 1] not in ("and", "or"):
            return found
        unknown = 0
        for word in reversed(words[: place - 1]):
            named = self._known.get((word, head))
            unknown = 0 if named else unknown + 1
            if named:
                found.append(named)
            elif unknown > MAX_UNKNOWN or not found:
                break
        return found[::-1]


def _names(key: Key, written: Mapping[Key, Sequence[str]]) -> Sequence[str]:
    # Some names are tissues (Pancreas); they name a cancer only as a search term does.
    name, *terms = written[key]
    return [*terms, name] if len(unify(name)) > 1 and "/" not in name else terms


def _within(words: Sequence[str], longer: Iterable[set[str]]) -> bool:
    short = set(words)
    return any(short < one and ("non" in short) == ("non" in one) for one in longer)


def _forms(words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    yield words
    if len(words) > 1 and words[-1] in INVERTIBLE and "of" not in words:
        yield (words[-1], "of", *words[:-1])
        yield (words[-1], "of", "the", *words[:-1])


def _written_out(text: str, record: str) -> str:
    """Put the long form beside a short one that the record defines."""
    defined = {short: long for long, short in _DEFINED.findall(record)}
    return _SHORT.sub(lambda m: defined.get(m.group(), m.group()), text) if defined else text


def unify(text: str) -> tuple[str, ...]:
    """Return a text's words in unified spelling."""
    words = tuple(_unified(word) for word in _WORD.findall(text.lower()))
    return words[:-1] if len(words) > 1 and words[-1] == "nos" else words


@lru_cache(maxsize=50_000)
def _unified(word: str) -> str:
    word = re.sub(r"['’]s$", "", word)
    word = spelled(word)
    return _HEADS.get(word, word)


def is_general(words: Iterable[str]) -> bool:
    """Tell whether unified words name no cancer in particular."""
    words = set(words) - _SMALL
    return words <= _GENERAL


def speaks_of_cancer(text: str) -> bool:
    """Tell whether a text has a general word for cancer."""
    return "cancer" in unify(text)


def speaks_of_many(text: str) -> bool:
    """Tell whether a text speaks of cancers of many kinds."""
    return _MANY.search(text) is not None
