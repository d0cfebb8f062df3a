"""Where a text names a gene: by symbol, alias or the words of its name."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

_PREFIX = r"(?:(?:c|v|wt|mut)-|[phm](?=[A-Z])|)"
_ANTI = r"(?<![A-Za-z0-9])(?<!anti-)(?<!non-)(?<!pre-)(?<!post-)(?<!pseudo-)"
# A hyphen may follow a symbol (ABC1-mutant), except where it makes another gene's symbol:
# antisense and divergent transcripts, intronic and overlapping ones.
_SUFFIX = (
    r"(?:alpha|beta|gamma|delta)?(?![A-Za-z0-9])(?!-disease)"
    r"(?!-(?:AS|IT|OT)\d*(?![A-Za-z]))(?!-DT(?![A-Za-z]))"
)
_AFTER_CAPITALISED = (
    r"(?=[-/]|\s+(?:loss|deletion|mutation|mutant|knock|null|deficien|inactivation|expression"
    r"|protein|gene|amplification))"
)
_GENERIC_TAIL = re.compile(
    r"[, ]+(?:tumou?r suppressor|proto-oncogene|oncogene|homolog|receptor|protein|gene"
    r"|transcription factor|kinase|subunit|isoform|family member|member|type|\d+[a-z]?|[ivx]+"
    r"|alpha|beta|gamma)$",
    re.IGNORECASE,
)
_NOT_THE_GENE = r"(?!\s+(?:disease|syndrome|patients|famil(?:y|ies)))"
_MIN_ALIAS = 3
_MIN_NAME_WORD = 5


@dataclass(frozen=True)
class Gene:
    """A gene as a task names it.

    Attributes:
        symbol: The official symbol.
        aliases: Other symbols.
        name: The full name, or an empty text.
    """

    symbol: str
    aliases: tuple[str, ...] = ()
    name: str = ""

    @cached_property
    def pattern(self) -> str:
        """A regular expression (no flags needed) for every way to name the gene."""
        symbols = [self.symbol, *(a for a in self.aliases if len(a) >= _MIN_ALIAS)]
        forms = [form for symbol in dict.fromkeys(symbols) for form in _symbol_forms(symbol)]
        forms += [f"{_words(name)}{_NOT_THE_GENE}" for name in _name_forms(self.name)]
        forms.sort(key=len, reverse=True)
        return f"{_ANTI}{_PREFIX}(?:{'|'.join(forms)}){_SUFFIX}"

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def named_in(self, text: str) -> bool:
        """Say whether the text names the gene."""
        return self._regex.search(text) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the text names the gene."""
        return [match.span() for match in self._regex.finditer(text)]

    def is_name(self, text: str) -> bool:
        """Say whether the text is nothing but a name of the gene."""
        return self._regex.fullmatch(text) is not None


def _symbol_forms(symbol: str) -> list[str]:
    """Return patterns for a symbol as written in papers: ABCD, Abcd, A-bcd; ABC3, ABC-3."""
    if not any(char.isalpha() for char in symbol):
        return []
    plain = symbol.replace("-", "")
    upper = _hyphened(plain.upper())
    title = _hyphened(plain[:1].upper() + plain[1:].lower())
    forms = [upper] if plain == plain.upper() else [upper, _hyphened(plain)]
    if "-" in symbol:
        forms.append(re.escape(symbol))
    if any(char.isdigit() for char in plain):
        forms += [title, _hyphened(plain.lower())]
    else:
        # At a sentence's start a symbol with one capital may be an ordinary word.
        forms += [f"(?<=[a-z,;(] ){title}", f"(?<=\\b[cv]-){title}", f"{title}{_AFTER_CAPITALISED}"]
        forms += [f"{plain[0].upper()}-{plain[1:].lower()}"] if len(plain) > _MIN_ALIAS else []
    return forms


def _hyphened(symbol: str) -> str:
    """Allow a hyphen before digits and after the first letter."""
    out = [re.escape(symbol[0])]
    for before, char in pairwise(symbol):
        border = char.isdigit() and not before.isdigit()
        out.append(("-?" if border or len(out) == 1 else "") + re.escape(char))
    return "".join(out)


def _name_forms(name: str) -> Iterable[str]:
    """Return the full name and, if it is one distinctive word, that word."""
    text = name.strip()
    if not text:
        return
    yield text
    while (shorter := _GENERIC_TAIL.sub("", text)) != text:
        text = shorter
    distinctive = len(text) >= _MIN_NAME_WORD and (" " not in text or text[:1].islower())
    if distinctive and text != name and text.count(" ") <= 1 and not _all_generic(text):
        yield text


def _all_generic(text: str) -> bool:
    # Two ordinary words ("tumor protein", "zinc finger") name a family, not a gene.
    return " " in text and not re.search(r"[A-Z]", text)


def _words(name: str) -> str:
    pieces = [re.escape(word).replace(r"\-", "[- ]") for word in re.split(r"\s+", name)]
    first = pieces[0]
    if first[:1].isalpha():
        pieces[0] = f"[{first[0].upper()}{first[0].lower()}]{first[1:]}"
    return r"[-\s]".join(pieces)
