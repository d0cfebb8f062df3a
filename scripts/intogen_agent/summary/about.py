"""What a text says of the pair: its clauses with the gene and the cancer marked."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from intogen_agent.report.text import sentences
from intogen_agent.review.naming import GeneNames, names, plain, term_pattern
from intogen_agent.summary.concepts import cancers

GENE, CANCER = "xgene", "xcancer"
_BREAK = re.compile(r"[;:,](?!\d)|\b(?:but|whereas|while|although|though|and yet|yet|and)\b", re.I)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence.

    Attributes:
        said: Its words in plain form, the gene as `xgene`, the cancer as `xcancer`.
        before: The same of the sentence up to this clause.
        own: Whether it speaks of the pair's gene: it names it, or it names no other.
        elsewhere: Whether it speaks of other cancers alone.
    """

    said: str
    before: str
    own: bool
    elsewhere: bool


class Pair:
    """The gene and the cancer as texts name them.

    Args:
        gene: The gene's names.
        cancer: The cancer's names, the own one first.
        code: The cancer's code; texts may name it, and it is no gene.
    """

    def __init__(self, gene: GeneNames, cancer: Iterable[str], code: str) -> None:
        self.gene = gene
        self._names = list(cancer)
        self._cancer = term_pattern(self._names)
        self._sites = cancers(" ".join(self._names))
        self._code = code

    def marked(self, text: str) -> str:
        """Return a text in plain form with the gene and the cancer marked."""
        return self._cancer.sub(CANCER, self.gene.replaced(text, GENE))

    def clauses(self, sentence: str) -> Iterator[Clause]:
        """Yield the clauses of a sentence."""
        start = 0
        for part in self._parts(sentence):
            said = self.marked(part)
            here = cancers(part)
            yield Clause(
                said,
                self.marked(sentence[:start]),
                own=GENE in said or not self.others(part),
                elsewhere=CANCER not in said and bool(here) and not here & self._sites,
            )
            start = sentence.find(part, start) + len(part)

    def others(self, text: str) -> list[str]:
        """Return the names of other genes and proteins in a text."""
        own = (plain(self._code), *map(plain, self._names))
        found = (name for name in names(text) if plain(name) not in own)
        return [name for name in found if not self.gene.in_text(name)]

    def without(self, text: str, bad: Iterable[str]) -> str:
        """Return a text without some of its sentences."""
        left_out = set(bad)
        return " ".join(one for one in sentences(text) if one not in left_out)

    @staticmethod
    def _parts(sentence: str) -> list[str]:
        return [part.strip() for part in _BREAK.split(sentence) if part and part.strip()]
