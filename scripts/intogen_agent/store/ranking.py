"""Find and rank articles.

The score of a hit with genes is the sum of the article's pair score (2 to 17, see the build), 4 if
it stands under a term that was asked for or 2 under another term of the same cancer type, 10 for
each keyword it matches, and 100 for each gene beyond the first. It orders the hits of one search
and means nothing else. Without genes it is BM25.
"""

import re
from collections.abc import Sequence

from intogen_agent.store.cancers import CancerNames, CancerQuery, unify
from intogen_agent.store.genes import names_gene
from intogen_agent.store.reader import Reader
from intogen_agent.store.schema import ANY_CANCER

CANDIDATES = 1000
"""How many of the best articles are ranked by keywords, or searched for a name no record has."""

DEEPEST_HIT = 10_000
"""Pages beyond this hit are empty."""

Ranked = list[tuple[int, float]]
_EXACT, _OWN, _NARROWER = 4, 2, 0
_KEYWORD, _GENE = 10, 100
_WORD = re.compile(r"[^\W_]+")


class Diseases:
    """What the diseases of a search ask for, taken together."""

    def __init__(self, names: CancerNames, diseases: Sequence[str]) -> None:
        """Look the diseases up."""
        self._names = names
        queries = [(disease, names.resolve(disease)) for disease in diseases]
        self.unknown = [disease for disease, query in queries if query is None]
        specific: list[CancerQuery] = [query for _, query in queries if query and not query.general]
        self.any_cancer = not self.unknown and not specific
        self.bonus: dict[int, int] = {}
        for keys, bonus in (("narrower", _NARROWER), ("own", _OWN), ("exact", _EXACT)):
            for query in specific:
                self.bonus.update(dict.fromkeys(sorted(getattr(query, keys)), bonus))
        named = [term for query in specific for term in query.terms]
        self.phrases = list(dict.fromkeys([*named, *self.unknown]))
        self.general = [disease for disease, query in queries if query and query.general]

    def weigh(self, text: str) -> int | None:
        """Return the bonus of a text, None if it names none of the diseases."""
        if self.any_cancer:
            return 0
        found = [self.bonus[key] for key in self._names.find(text) if key in self.bonus]
        return max([*found, *([_EXACT] if self.names_unknown(text) else [])], default=None)

    def names_unknown(self, text: str) -> bool:
        """Tell whether a text names a disease that the store's terms do not explain."""
        words = f" {' '.join(unify(text))} "
        return any(f" {' '.join(unify(disease))} " in words for disease in self.unknown)


def pair_search(
    reader: Reader,
    diseases: Diseases,
    genes: Sequence[int],
    words: Sequence[str],
    keywords: Sequence[str],
    count: int,
) -> Ranked:
    """Return the PMIDs of articles that name a gene and a disease, the best first.

    Args:
        reader: The store.
        diseases: What diseases count.
        genes: The numbers of the genes.
        words: Names of genes that the store has no record of.
        keywords: Words that rank.
        count: How many articles are wanted.
    """
    deep = keywords or len(genes) + len(words) > 1 or not diseases.any_cancer
    cap = max(CANDIDATES, count) if deep else count
    total: dict[int, float] = {}
    found = [_of_gene(reader, diseases, gene, cap) for gene in genes]
    found += [_of_word(reader, diseases, word) for word in words]
    for scores in found:
        for pmid, score in scores.items():
            total[pmid] = total[pmid] + _GENE if pmid in total else score
    if keywords:
        best = _ordered(total)[:CANDIDATES]
        total = {
            pmid: score + _KEYWORD * keyword_score(keywords, reader.text(pmid))
            for pmid, score in best
        }
    return _ordered(total)[:count]


def text_search(reader: Reader, diseases: Diseases, keywords: Sequence[str], count: int) -> Ranked:
    """Return the PMIDs of articles whose words match a keyword and a disease, the best first."""
    phrases = diseases.phrases or ([] if keywords else diseases.general)
    groups = [
        [_quoted(keyword, " AND ") for keyword in keywords],
        [_quoted(phrase, " ") for phrase in phrases],
    ]
    match = " AND ".join(
        f"({' OR '.join(dict.fromkeys(filter(None, group)))})" for group in groups if any(group)
    )
    if not match:
        return []
    return _match(reader, match, count)


def keyword_score(keywords: Sequence[str], text: str) -> float:
    """Return how many keywords a text matches; a phrase counts by the share of its words."""
    present = {_root(word) for word in _WORD.findall(text.lower())}
    score = 0.0
    for keyword in keywords:
        words = _WORD.findall(keyword.lower())
        if words:
            score += sum(_root(word) in present for word in words) / len(words)
    return round(score, 3)


def _root(word: str) -> str:
    """Return what inflections share: mutation, mutated; methylation, methylated."""
    return word[:5] if len(word) > 6 and word.isalpha() else word.removesuffix("s")


def _of_gene(reader: Reader, diseases: Diseases, gene: int, cap: int) -> dict[int, float]:
    """Return the articles of a gene and their scores."""
    scores: dict[int, float] = {}
    for key, bonus in diseases.bonus.items():
        for score, pmid in _pairs(reader, gene, key, cap):
            scores[pmid] = max(scores.get(pmid, 0), score + bonus)
    if diseases.any_cancer or diseases.unknown:
        for score, pmid in _pairs(reader, gene, ANY_CANCER, cap):
            if diseases.any_cancer:
                scores[pmid] = score
            elif diseases.names_unknown(reader.text(pmid)):
                scores[pmid] = max(scores.get(pmid, 0), score + _EXACT)
    return scores


def _pairs(reader: Reader, gene: int, cancer: int, cap: int) -> list[tuple[int, int]]:
    return reader.rows(
        "SELECT score, pmid FROM pair WHERE gene = ? AND cancer = ? "
        "ORDER BY score DESC, pmid DESC LIMIT ?",
        (gene, cancer, cap),
    )


def _of_word(reader: Reader, diseases: Diseases, word: str) -> dict[int, float]:
    """Return the articles that name a gene without a record, as a whole word."""
    match = _quoted(word, " ")
    scores: dict[int, float] = {}
    for pmid, _ in _match(reader, match, CANDIDATES) if match else []:
        text = reader.text(pmid)
        bonus = diseases.weigh(text)
        if bonus is not None and names_gene(word, text):
            scores[pmid] = 1 + bonus
    return scores


def _match(reader: Reader, match: str, count: int) -> Ranked:
    # Ranked without reading the articles, which would read every hit's text.
    return reader.rows(
        "SELECT rowid, round(-rank, 6) FROM article_fts WHERE article_fts MATCH ? "
        "ORDER BY rank, rowid DESC LIMIT ?",
        (match, count),
    )


def _quoted(text: str, joint: str) -> str:
    """Return a query's phrase (joint: a space) or conjunction of words; empty without any word."""
    words = _WORD.findall(text)
    if not words:
        return ""
    if joint == " ":
        return f'"{" ".join(words)}"'
    return "(" + joint.join(f'"{word}"' for word in words) + ")"


def _ordered(scores: dict[int, float]) -> Ranked:
    return sorted(scores.items(), key=lambda item: (-item[1], -item[0]))
