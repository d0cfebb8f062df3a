"""Find genes in texts by their names.

A name counts only as a whole: TTN is not found in TTN-AS1, nor APC in APC/C, but KRAS is found in
KRAS-mutant, BRAF in BRAF-V600E, and both partners in EML4-ALK. Names that are ordinary words or
short count only as approved symbols, in capitals. A gene that is written in other ways is left to
the records' own lists of genes: what is found should be true.
"""

import re
from collections import Counter
from collections.abc import Iterable

from intogen_agent.store.records import GeneRecord
from intogen_agent.store.words import ABBREVIATIONS, ENGLISH

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–−\xad", "-"))
_COMPOUND = re.compile(r"[^\W_]+(?:[-/.:][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
# What turns `GENE-suffix` into the name of another gene: antisense, intronic, overlapping and
# divergent transcripts, pseudogenes (HGNC's suffixes), and numbered relatives.
_OTHER_GENE = re.compile(r"(?:AS|IT|OT|DT|OS|UT|PS?)[0-9]*|[0-9]{1,2}")


class GeneNames:
    """The names of all genes, ready to be looked for."""

    def __init__(self, genes: Iterable[tuple[int, GeneRecord]]) -> None:
        """Take the genes with the numbers under which they are to be reported."""
        self._exact: dict[str, int] = {}
        self._folded: dict[str, int] = {}
        genes = list(genes)
        symbols = {record.symbol.casefold() for _, record in genes}
        for number, record in genes:
            self._add(record.symbol, number, is_symbol=True)
        others: dict[str, set[int]] = {}
        for number, record in genes:
            for name in (*record.aliases, *record.previous):
                others.setdefault(name.casefold(), set()).add(number)
        for number, record in genes:
            for name in (*record.aliases, *record.previous):
                # A name that several genes share, or that is another gene's symbol, says nothing.
                if len(others[name.casefold()]) == 1 and name.casefold() not in symbols:
                    self._add(name, number, is_symbol=False)

    def _add(self, name: str, number: int, *, is_symbol: bool) -> None:
        folded = name.casefold()
        letters = name.isalpha()
        if folded in ABBREVIATIONS or not _COMPOUND.fullmatch(name) or name.upper() == folded:
            return  # the last: a name without letters would be found in any table of numbers
        if len(name) <= 2 and not letters:
            return  # C2 is a domain, F3 a cell line's second half
        if len(name) <= 2 or folded in ENGLISH:
            if is_symbol:
                self._exact[name] = number
        elif len(name) >= 6 or not letters:
            self._folded[folded] = number
        elif is_symbol or len(name) > 3:
            # Kras is a mouse's KRAS; `kras` in small letters is left alone, as `apc` may be.
            # Aliases of three letters are mostly met as something else: CIN, DDP, ADC, FDG.
            self._exact[name] = number
            self._exact.setdefault(name.capitalize(), number)

    def find(self, text: str) -> Counter[int]:
        """Count the genes named in a text.

        Returns:
            How often each gene, by its number, is named.
        """
        found: Counter[int] = Counter()
        exact, folded = self._exact.get, self._folded.get
        for whole in _COMPOUND.findall(text.translate(_DASHES)):
            number = exact(whole)
            if number is None:
                number = folded(whole.casefold())
            if number is not None:
                found[number] += 1
            elif not whole.isalnum():
                found.update(self._inside(whole))
        return found

    def _lookup(self, name: str) -> int | None:
        number = self._exact.get(name)
        return self._folded.get(name.casefold()) if number is None else number

    def _inside(self, whole: str) -> Iterable[int]:
        """Yield the genes named by parts of a compound, the longest names first."""
        parts = [(part.start(), part.end()) for part in _PART.finditer(whole)]
        first = 0
        while first < len(parts):
            for last in range(len(parts), first, -1):
                start, end = parts[first][0], parts[last - 1][1]
                number = self._lookup(whole[start:end])
                if number is None or (first and end - start <= 2):
                    continue  # AR is meant in AR-positive, but not at the end of a compound
                if not _continues(whole[end:]):
                    yield number
                    first = last
                    break
            else:
                first += 1


def _continues(rest: str) -> bool:
    """Tell whether what follows a name in a compound makes it the name of something else."""
    if not rest:
        return False
    part = _PART.match(rest, 1)
    following = part.group() if part else ""
    if rest[0] == "/":
        return len(following) == 1 and following.isupper()
    return rest[0] in "-." and _OTHER_GENE.fullmatch(following) is not None


def names_gene(name: str, text: str) -> bool:
    """Tell whether a text names a gene that no record describes, whole and in any case."""
    wanted = name.translate(_DASHES).casefold()
    folded = text.translate(_DASHES)
    for compound in re.finditer(re.escape(wanted), folded, re.IGNORECASE):
        before = folded[: compound.start()][-1:]
        rest = re.match(r"(?:[-/.:][^\W_]+)?", folded[compound.end() :])
        tail = rest.group() if rest else ""
        after = folded[compound.end() : compound.end() + 1]
        if not before.isalnum() and not after.isalnum() and not _continues(tail):
            return True
    return False
