"""The PubMed query of a task: the gene's names, the cancer's names, and an abstract to read.

Terms of several words are searched as neighbours (`[tiab:~0]`): PubMed breaks up a quoted phrase
that its phrase index does not know and finds its words anywhere (PubMed User Guide, "Proximity
searching").
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.cohort.tasks import Task
from intogen_agent.store.words import ABBREVIATIONS, ENGLISH

MAX_OTHER_NAMES = 8
MAX_CANCER_TERMS = 40

# What stands beside a gene's symbol and hardly beside the word of the same spelling.
_BESIDE = (
    "gene",
    "mutation",
    "mutations",
    "mutant",
    "mutated",
    "amplification",
    "exon",
    "oncogene",
    "protein",
    "receptor",
    "kinase",
    "inhibitor",
    "expression",
    "rearrangement",
    "fusion",
    "deletion",
    "inactivation",
    "alterations",
)
# What a text about a gene says somewhere, for acronyms of three letters.
_SOMEWHERE = (
    "gene[tiab]",
    "genes[tiab]",
    "mutat*[tiab]",
    "mutant*[tiab]",
    "oncogen*[tiab]",
    "suppressor[tiab]",
    "amplif*[tiab]",
    "fusion*[tiab]",
    "variant*[tiab]",
    "genomic*[tiab]",
)
_ANY_CANCER = (
    "cancer*[tiab]",
    "tumor*[tiab]",
    "tumour*[tiab]",
    "neoplas*[tiab]",
    "carcinoma*[tiab]",
    "malignan*[tiab]",
    "neoplasms[mh]",
)
_ACRONYM = re.compile(r"[A-Z][A-Za-z]?[A-Z0-9]{1,8}")
_PLURAL = re.compile(r"(?:cancer|tumou?r|neoplasm|oma|leuka?emia)$", re.IGNORECASE)


@dataclass(frozen=True)
class Names:
    """The names of a gene as HGNC gives them; only the symbol if it is not known there."""

    symbol: str
    name: str | None = None
    previous: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Query:
    """A PubMed query.

    Attributes:
        text: The term as PubMed takes it.
        parts: The phrases that stand for the gene, and those that stand for the cancer.
    """

    text: str
    parts: tuple[frozenset[str], ...]


class _Use(Enum):
    """How a name may be searched."""

    ALONE = "alone"
    WITH_GENE_WORDS = "with gene words somewhere in the text"
    BESIDE_GENE_WORDS = "beside gene words"


def task_query(
    task: Task, names: Names, is_shared: Callable[[str], bool], ambiguous: AmbiguousNames
) -> Query | None:
    """Return the query of a task; None if nothing is known by which texts speak of its cancer.

    Args:
        task: The task.
        names: The gene's names.
        is_shared: Tells whether several genes have a name.
        ambiguous: The table of ambiguous names.
    """
    cancer = cancer_terms(task)
    if not cancer:
        return None
    gene = gene_terms(names, is_shared, ambiguous)
    both = [f"({' OR '.join(terms)})" for terms in (gene, cancer)]
    phrases = (frozenset(re.findall('"([^"]+)"', part.casefold())) for part in both)
    return Query(" AND ".join([*both, "hasabstract"]), tuple(filter(None, phrases)))


def gene_terms(
    names: Names, is_shared: Callable[[str], bool], ambiguous: AmbiguousNames
) -> list[str]:
    """Return the terms that search a gene by its names.

    A symbol that is a word or an abbreviation of something else (CAT, MET, KIT, HR) counts only
    beside a word such as `gene` or `mutation`, one of three letters or of the table of ambiguous
    names only with such a word in the text. Other names that are words or abbreviations, have
    three letters, or belong to several genes are left out.
    """
    symbols = [names.symbol]
    for name in (*names.previous, *names.aliases):
        usable = _use(name, ambiguous) is not _Use.BESIDE_GENE_WORDS and not is_shared(name)
        usable = usable and not (len(name) == 3 and name.isalpha())
        known = {symbol.casefold() for symbol in symbols}
        if usable and name.casefold() not in known and len(symbols) <= MAX_OTHER_NAMES:
            symbols.append(name)
    terms = [term for symbol in symbols for term in _symbol_terms(symbol, ambiguous)]
    if names.name and len(_words(names.name)) > 1:
        terms.append(_phrase(names.name))
    return list(dict.fromkeys(terms))


def _use(name: str, ambiguous: AmbiguousNames) -> _Use:
    folded = name.casefold()
    if len(name) <= 2 or folded in ENGLISH | ABBREVIATIONS:
        return _Use.BESIDE_GENE_WORDS
    if not any(char.isalpha() for char in name):
        return _Use.BESIDE_GENE_WORDS
    listed = ambiguous.meaning(name) is not None
    return _Use.WITH_GENE_WORDS if listed or len(name) == 3 else _Use.ALONE


def _symbol_terms(symbol: str, ambiguous: AmbiguousNames) -> list[str]:
    use = _use(symbol, ambiguous)
    if use is _Use.BESIDE_GENE_WORDS:
        return [_phrase(f"{symbol} {word}") for word in _BESIDE]
    if use is _Use.WITH_GENE_WORDS:
        return [f"({_phrase(symbol)} AND ({' OR '.join(_SOMEWHERE)}))"]
    return [_phrase(symbol)]


def cancer_terms(task: Task) -> list[str]:
    """Return the terms of a task's cancer: its search terms, never a bare acronym.

    For the pan-cancer task these are general words for cancer.
    """
    if task.task == "pan-cancer":
        return list(_ANY_CANCER)
    named: Sequence[str] = task.search_terms or ((task.cancer_name,) if task.cancer_name else ())
    terms: dict[str, None] = {}
    for name in named:
        words = _words(re.sub(r",\s*nos$", "", name.strip(), flags=re.IGNORECASE))
        if not words or _ACRONYM.fullmatch(name.strip()):
            continue
        terms[_phrase(" ".join(words))] = None
        if _PLURAL.search(words[-1]):
            terms[_phrase(" ".join(words) + "s")] = None
    return list(terms)[:MAX_CANCER_TERMS]


def _words(text: str) -> list[str]:
    """Return the words of a term: letters, digits, and hyphens or apostrophes within."""
    return re.findall(r"[^\W_]+(?:[-'.][^\W_]+)*", text)


def _phrase(text: str) -> str:
    words = _words(text)
    joined = " ".join(words)
    near = ":~0" if len(words) > 1 or "-" in joined else ""
    return f'"{joined}"[tiab{near}]'
