"""Find cancer types in texts and in what a search asks for, by their search terms.

Spellings are unified on both sides: British and American, singular and plural, and the general
heads (carcinoma, tumor, neoplasm, malignancy are `cancer`), so "colorectal tumours" is a mention
of "colorectal cancer". The longest term wins, and a term after "non" is not that term.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from intogen_agent.cohort.cancer_spelling import INVERTIBLE, spelled
from intogen_agent.errors import UserError
from intogen_agent.store.words import CANCER_WORDS, GENERAL

COLUMNS = ("scheme", "code", "name", "parent", "search_terms")

_WORD = re.compile(r"[^\W_]+")
_HEADS = dict.fromkeys(("carcinoma", "tumor", "neoplasm", "malignancy"), "cancer")
_ABBREVIATION = re.compile(r"[A-Z][A-Za-z]?[A-Z0-9]{1,5}")


@dataclass(frozen=True)
class CancerType:
    """A cancer type of a scheme and the terms by which texts speak of it."""

    scheme: str
    code: str
    name: str
    parent: str
    terms: tuple[str, ...]


@dataclass(frozen=True)
class CancerQuery:
    """What a disease name asks for.

    Attributes:
        general: It names no cancer in particular.
        exact: The concept keys of the terms that it uses itself.
        own: Those of all terms of the cancer types that it names.
        narrower: Those of the subtypes' terms.
        terms: The types' terms as they are written, for a search in texts.
    """

    general: bool = False
    exact: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()
    narrower: frozenset[int] = frozenset()
    terms: tuple[str, ...] = ()


def read_cancer_types(path: Path) -> list[CancerType]:
    """Read the table of cancer types.

    Args:
        path: TSV with the columns scheme, code, name, parent and search_terms (joined by `|`);
            other columns are ignored.

    Raises:
        UserError: If the file cannot be read or a row is not valid; it names file, line, column,
            value and remedy.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); give --cancer-types") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    header = [cell.strip() for cell in lines[0].split("\t")]
    if missing := [column for column in COLUMNS if column not in header]:
        raise UserError(f"{path}, line 1: column {missing[0]} is missing; columns: {COLUMNS}")
    types: list[CancerType] = []
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != len(header):
            raise UserError(
                f"{path}, line {number}: {len(cells)} columns where the header has {len(header)}; "
                "separate them with single tabs"
            )
        row = {column: cell.strip() for column, cell in zip(header, cells, strict=True)}
        for column in ("scheme", "code", "name"):
            if not row[column]:
                raise UserError(f"{path}, line {number}: column {column} is empty; fill it")
        key = (row["scheme"], row["code"])
        if key in seen:
            raise UserError(f"{path}, line {number}: code {key[1]} of {key[0]} again; remove it")
        seen.add(key)
        terms = [row["name"], *(term.strip() for term in row["search_terms"].split("|"))]
        kept = tuple(dict.fromkeys(term for term in terms if term))
        types.append(CancerType(*key, row["name"], row["parent"], kept))
    return types


class CancerNames:
    """The cancer types' terms, ready to be looked for. A concept key stands for one term."""

    def __init__(self, types: Iterable[CancerType], known: Mapping[str, int] | None = None) -> None:
        """Number the terms in their order, or take their numbers from a store."""
        self.keys: dict[str, int] = dict(known or {})
        self._types = list(types)
        self._abbreviations: dict[str, int] = {}
        self._forms: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self._types_of: dict[int, list[int]] = {}
        self._children: dict[tuple[str, str], list[int]] = {}
        self._coded: dict[str, list[int]] = {}
        for index, cancer in enumerate(self._types):
            self._coded.setdefault(cancer.code, []).append(index)
            if cancer.parent:
                self._children.setdefault((cancer.scheme, cancer.parent), []).append(index)
            for key in dict.fromkeys(self._keys_of(cancer)):
                self._types_of.setdefault(key, []).append(index)
        for forms in self._forms.values():
            forms.sort(key=lambda form: (-len(form[0]), form))

    def _keys_of(self, cancer: CancerType) -> Iterator[int]:
        for term in cancer.terms:
            words = unify(term)
            if not words or is_general(words):
                continue
            key = self.add(" ".join(words))
            yield key
            if _ABBREVIATION.fullmatch(term):
                self._abbreviations[term] = key
                continue
            for form in _forms(words):
                forms = self._forms.setdefault(form[0], [])
                if (form, key) not in forms:
                    forms.append((form, key))

    def add(self, term: str) -> int:
        """Return the key of a unified term, a new one if it has none."""
        return self.keys.setdefault(term, len(self.keys) + 1)

    def find(self, text: str) -> Counter[int]:
        """Count the cancer terms in a text.

        Returns:
            How often each term, by its key, is named.
        """
        found: Counter[int] = Counter()
        words = unify(text)
        place = 0
        for start, word in enumerate(words):
            forms = self._forms.get(word)
            if forms is None or start < place:
                continue
            for form, key in forms:
                if words[start : start + len(form)] == form:
                    if start == 0 or words[start - 1] != "non":
                        found[key] += 1
                        place = start + len(form)
                    break
        if self._abbreviations:
            for word in _WORD.findall(text):
                if word in self._abbreviations:
                    found[self._abbreviations[word]] += 1
        return found

    def resolve(self, disease: str) -> CancerQuery | None:
        """Return what a disease name asks for, or None if no term or code explains it."""
        types = self._coded.get(disease, [])
        keys: set[int] = set()
        if not types:
            for words in _readings(disease):
                if is_general(words):
                    return CancerQuery(general=True)
                if key := self.keys.get(" ".join(words)):
                    keys = {key}
                    break
            keys = keys or set(self.find(disease))
            if not keys:
                return None
            types = [index for key in sorted(keys) for index in self._named_by(key)]
        return self._query(types, keys)

    def _named_by(self, key: int) -> list[int]:
        """Return the types that a term means: those so named, else those that list it."""
        types = self._types_of.get(key, [])
        named = [
            index for index in types if self.keys.get(_unified(self._types[index].name)) == key
        ]
        return named or types

    def _query(self, types: list[int], exact: set[int]) -> CancerQuery:
        below = self._below(types)
        own = exact | {key for index in types for key in self._term_keys(index)}
        if not own:
            return CancerQuery(general=True)
        narrower = {key for index in below for key in self._term_keys(index)} - own
        written = dict.fromkeys(
            term for index in types for term in self._types[index].terms if not _general_term(term)
        )
        return CancerQuery(
            exact=frozenset(exact or own),
            own=frozenset(own),
            narrower=frozenset(narrower),
            terms=tuple(written),
        )

    def _below(self, types: list[int]) -> set[int]:
        below: set[int] = set()
        waiting = list(types)
        while waiting:
            cancer = self._types[waiting.pop()]
            children = set(self._children.get((cancer.scheme, cancer.code), ())) - below
            below |= children
            waiting.extend(children)
        return below

    def _term_keys(self, index: int) -> Iterator[int]:
        for term in self._types[index].terms:
            if key := self.keys.get(_unified(term)):
                yield key


def unify(text: str) -> tuple[str, ...]:
    """Return a text's words in unified spelling."""
    return tuple(map(_unify_word, _WORD.findall(text.lower())))


def is_general(words: Iterable[str]) -> bool:
    """Tell whether unified words name no cancer in particular."""
    words = set(words)
    return words <= GENERAL and not words.isdisjoint(CANCER_WORDS)


def speaks_of_cancer(text: str) -> bool:
    """Tell whether a text has a general word for cancer."""
    return not CANCER_WORDS.isdisjoint(unify(text))


@lru_cache(maxsize=200_000)
def _unify_word(word: str) -> str:
    word = spelled(word)
    return _HEADS.get(word, word)


def _unified(term: str) -> str:
    return " ".join(unify(term))


def _general_term(term: str) -> bool:
    return is_general(unify(term))


def _forms(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which texts write a term."""
    yield words
    if len(words) > 1 and words[-1] in INVERTIBLE and "of" not in words:
        yield (words[-1], "of", *words[:-1])
        yield (words[-1], "of", "the", *words[:-1])


def _readings(disease: str) -> Iterator[tuple[str, ...]]:
    """Yield a name's readings: as it is, `Leukemia, Myeloid, Acute`, `cancer of the lung`."""
    yield unify(disease)
    if "," in disease:
        yield unify(" ".join(reversed(disease.split(","))))
    head, of, rest = disease.partition(" of ")
    if of:
        yield tuple(word for word in unify(f"{rest} {head}") if word != "the")
