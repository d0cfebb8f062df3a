"""What a literature search must hold before it is sent.

Source: the seed's section "Phase 2" ("Queries were designed to combine gene symbols and aliases
with cancer type names and mechanistic keywords"). What is missing and known is put in, and said
so; what the model has to decide is refused, with what to add.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.evidence.cancer_names import is_general, speaks_of_cancer, unify
from intogen_agent.evidence.models import Scope
from intogen_agent.evidence.scopes import Scopes
from intogen_agent.models import GeneIdentity

GENERAL_WORDS = ("cancer", "tumor", "neoplasm")
# Names of the cancer that are put into a search without any: servers that ask for all of them at
# once find less with more.
MAX_ADDED = 3
MAX_ACRONYM = 8
_GENES = ("genes", "gene")
_DISEASES = ("diseases", "disease", "conditions", "condition")
_WORDS = ("keywords", "keyword", "variants", "variant", "query", "term", "terms", "text")
_NAMED = (*_GENES, *_DISEASES, *_WORDS, "page")
_ROOT = re.compile(r"\bany cancer(?: types?)?\b", re.IGNORECASE)
_ANY_CANCER = re.compile(
    r"(?:any cancer(?: types?)?|all cancers?(?: types)?|pan-?cancer)(?:\s*\([^)]*\))?", re.I
)
# Words that say nothing of a mechanism, and numbers.
_EMPTY = re.compile(
    r"\b(?:genes?|proteins?|patients?|humans?|roles?|stud(?:y|ies)|articles?|papers?|reviews?|\d+)\b"
)


@dataclass(frozen=True)
class Checked:
    """A search after the check.

    Attributes:
        arguments: What may be sent.
        completed: What was put right, one line each.
        refusal: Why it is not sent, with what to add; None if it is.
        scope: Whose cancer it asks for.
    """

    arguments: dict[str, Any]
    completed: list[str] = field(default_factory=list)
    refusal: str | None = None
    scope: Scope = Scope.TARGET


class QueryRules:
    """The check of one task's searches.

    Args:
        gene: The gene; its symbol, name and aliases name it.
        terms: The search terms of the cancer type.
        pan_cancer: Whether cancers of every type are the target.
        code: The code of the cancer type.
        scopes: The cancer types as seen from the task's.
        ambiguous: Names that mean something else too.
    """

    def __init__(
        self,
        gene: GeneIdentity,
        terms: Sequence[str],
        pan_cancer: bool,
        code: str,
        scopes: Scopes,
        ambiguous: AmbiguousNames,
    ) -> None:
        self._gene = gene
        self._terms = list(GENERAL_WORDS) if pan_cancer else _distinct(terms)
        self._pan_cancer = pan_cancer
        self._code = code
        self._scopes = scopes
        self._ambiguous = ambiguous
        names = [gene.symbol, *gene.aliases, *([gene.name] if gene.name else [])]
        self._names = {name.casefold(): name for name in reversed(names)}

    def check(self, arguments: Mapping[str, Any], properties: Mapping[str, Any]) -> Checked:
        """Check a search.

        Args:
            arguments: What the model wrote.
            properties: The properties of the tool's schema.
        """
        search = _Search(dict(arguments), properties)
        refusal = self._genes(search) or self._cancers(search) or self._alone(search)
        return Checked(search.arguments, search.completed, refusal, self.scope(search.arguments))

    def scope(self, arguments: Mapping[str, Any]) -> Scope:
        """Return of which cancers a search asks."""
        search = _Search(dict(arguments), {})
        return self._scopes.of_query([*search.texts(_DISEASES), *search.texts(_WORDS)])

    def alone(self, arguments: Mapping[str, Any]) -> str | None:
        """Say why what a server takes of a search must not be sent: it holds an ambiguous name."""
        return self._alone(_Search(dict(arguments), {}))

    def names_gene(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a search asks about the gene, by its symbol or an alias."""
        named = _Search(dict(arguments), {}).texts(_GENES)
        return any(name.casefold() in self._names for name in named)

    def _genes(self, search: "_Search") -> str | None:
        """Have the gene named."""
        symbol = self._gene.symbol
        named = search.texts(_GENES)
        if any(name.casefold() in self._names for name in named):
            return None
        if named:
            known = ", ".join([symbol, *self._gene.aliases[:3]])
            return (
                f"the search does not name the gene: put it (one of {known}) in genes, symbols "
                "alone, and other molecules in keywords"
            )
        if search.has(_GENES):
            search.put(_GENES, [symbol], f"{symbol} was added")
            return None
        said = " ".join(search.texts(_WORDS))
        if any(self._said(name, said) for name in self._names.values()):
            return None
        return f"the search does not name the gene; write {symbol} in it"

    def _said(self, name: str, text: str) -> bool:
        """Tell whether a text names the gene; a name that is a word too keeps its capitals."""
        case = re.NOFLAG if self._ambiguous.meaning(name) else re.IGNORECASE
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, case) is not None

    def _cancers(self, search: "_Search") -> str | None:
        """Have a cancer named, by its name."""
        search.leave_out(_DISEASES)
        search.drop(_WORDS, _ROOT)
        own = [word for word in search.texts(_WORDS) if self._is_acronym(word)]
        own = [word for word in own if self._is_target(word)]
        if own:
            search.drop(_WORDS, re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, own))})(?!\w)"))
        kept: list[str] = []
        for name in search.texts(_DISEASES):
            if _ANY_CANCER.fullmatch(name) or (self._pan_cancer and name == self._code):
                kept += GENERAL_WORDS
            elif not self._is_acronym(name):
                kept.append(name)
            elif self._is_target(name):
                kept += self._terms[:MAX_ADDED]
            else:
                return f"'{name}' may mean several cancers: write the cancer's name, no acronym"
        # Servers that take one name take the first.
        kept = sorted(dict.fromkeys(kept), key=lambda name: not self._is_own(name))
        if set(kept) == set(search.texts(_DISEASES)):
            search.order(_DISEASES, kept)
        else:
            search.put(_DISEASES, kept, f"written out as {', '.join(kept)}")
        words = " ".join(search.texts(_WORDS))
        if kept or self._scopes.names.find(words) or (self._pan_cancer and speaks_of_cancer(words)):
            return None
        added = self._terms[:MAX_ADDED]
        if not search.has(_DISEASES):
            return f"the search does not name the cancer; write {added[0]} in it"
        search.put(_DISEASES, added, f"{', '.join(added)} was added, no cancer was named")
        return None

    def _is_own(self, name: str) -> bool:
        return self._scopes.of_query([name]) is Scope.TARGET

    @property
    def target(self) -> str:
        """The name of the task's own cancer in a search."""
        return self._terms[0]

    def _is_acronym(self, name: str) -> bool:
        capitals = sum(character.isupper() for character in name)
        short = len(name) <= MAX_ACRONYM and not re.search(r"\s", name)
        own = name.casefold() == self._code.casefold() and not self._pan_cancer
        return own or (short and capitals > 1)

    def _is_target(self, acronym: str) -> bool:
        if acronym.casefold() == self._code.casefold():
            return True
        return not self._pan_cancer and any(abbreviates(acronym, term) for term in self._terms)

    def _alone(self, search: "_Search") -> str | None:
        """Refuse an ambiguous name without words of mechanism beside it."""
        written = [name for name in search.texts(_GENES) if name.casefold() in self._names]
        named = written or [self._gene.symbol]
        meanings = [self._ambiguous.meaning(name) for name in named]
        if None in meanings or any(map(self._says_more, search.texts(_WORDS))):
            return None
        clear = [n for n in self._gene.aliases if self._ambiguous.meaning(n) is None][:3]
        other = f", or a name that is not ambiguous ({', '.join(clear)})" if clear else ""
        return (
            f"{named[0]} also means {meanings[0]}, so it is not searched alone: add words of "
            f"mechanism (kind of mutation, copy number, methylation, pathway) or a variant{other}"
        )

    def _says_more(self, words: str) -> bool:
        """Tell whether words are more than the gene's and the cancer's names."""
        left = words.casefold()
        for name in self._names:
            left = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", left)
        left = _EMPTY.sub(" ", left)
        found = self._scopes.names.find(left)
        rest = set(unify(left)) - {word for named in found for word in unify(named.term)}
        return bool(rest) and not is_general(rest)


class _Search:
    """A search's arguments by what they mean, whatever the tool calls them."""

    def __init__(self, arguments: dict[str, Any], properties: Mapping[str, Any]) -> None:
        self.arguments = arguments
        self.completed: list[str] = []
        self._properties = properties
        # A server that goes by none of these names is asked in words.
        self._free = not any(name in arguments for name in _NAMED)

    def has(self, fields: Sequence[str]) -> bool:
        return any(name in self._properties for name in fields)

    def texts(self, fields: Sequence[str]) -> list[str]:
        names = [*self.arguments] if fields is _WORDS and self._free else fields
        return [text for name in names for text in texts(self.arguments.get(name))]

    def order(self, fields: Sequence[str], values: list[str]) -> None:
        """Put the texts of a list in another order."""
        name = next((one for one in fields if isinstance(self.arguments.get(one), list)), None)
        if name and sorted(texts(self.arguments[name])) == sorted(values):
            self.arguments[name] = values

    def drop(self, fields: Sequence[str], what: re.Pattern[str]) -> None:
        for name in fields:
            written = texts(self.arguments.get(name))
            kept = [text for each in written if (text := " ".join(what.sub(" ", each).split()))]
            if kept != written:
                one = isinstance(self.arguments[name], str)
                self.arguments[name] = " ".join(kept) if one else kept
                taken = ", ".join(found for each in written for found in what.findall(each))
                self.completed.append(f"{name}: {taken} was taken out, it is no name of a cancer")

    def leave_out(self, fields: Sequence[str]) -> None:
        """Leave out arguments that the tool does not take in any spelling."""
        if self._properties and not self.has(fields):
            for name in fields:
                if self.arguments.pop(name, None) is not None:
                    self.completed.append(f"{name}: left out, the tool does not take it")

    def put(self, fields: Sequence[str], values: list[str], why: str) -> None:
        name = next(name for name in fields if name in self._properties)
        for other in fields:
            self.arguments.pop(other, None)
        self.arguments[name] = values if _takes_list(self._properties[name]) else values[0]
        self.completed.append(f"{name}: {why}")


def texts(value: Any) -> list[str]:
    """Return the texts of an argument that may be one text or a list of them."""
    values = value if isinstance(value, list) else [value]
    return [" ".join(text.split()) for text in values if isinstance(text, str) and text.strip()]


def _takes_list(schema: Any) -> bool:
    parts = [schema, *(schema.get("anyOf") or ())] if isinstance(schema, Mapping) else []
    return any(isinstance(part, Mapping) and part.get("type") == "array" for part in parts)


def _distinct(terms: Sequence[str]) -> list[str]:
    """Return terms without those that differ only in spelling."""
    found: dict[tuple[str, ...], str] = {}
    for term in terms:
        found.setdefault(unify(term), term)
    return list(found.values())


def abbreviates(short: str, long: str) -> bool:
    """Tell whether a short form may stand for a long one: its letters, in order, from its start.

    Source: the rule of Schwartz and Hearst (Pac Symp Biocomput 2003) for abbreviations in text.
    """
    letters = [character for character in short.casefold() if character.isalnum()]
    text, place = long.casefold(), len(long)
    for number, letter in enumerate(reversed(letters), start=1):
        first = number == len(letters)
        while place > 0:
            place -= 1
            starts = place == 0 or not text[place - 1].isalnum()
            if text[place] == letter and (starts or not first):
                break
        else:
            return False
    return place == 0 and bool(letters)
