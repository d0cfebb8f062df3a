"""The first link of a chain: which alteration of the gene a statement speaks of."""

import re
from collections.abc import Callable, Iterator

from intogen_agent.offline.genes import Gene

_QUALITY = (
    r"(?i:activating|inactivating|loss-of-function|gain-of-function|truncating|frameshift|missense"
    r"|nonsense|hotspot|biallelic|oncogenic|recurrent|germline|somatic|deleterious|splice-site"
    r"|splice|kinase-domain|kinase domain|activation[- ]loop|helical|point|C-terminal|N-terminal"
    r"|exon[- ]\d+|cancer-derived|sensitising|sensitizing|cytoplasmic|dominant-negative)"
)
_EVENT = (
    r"(?i:loss|inactivation|deletion|knock-?out|depletion|silencing|amplification|overexpression"
    r"|haploinsufficiency|disruption|truncations?|hypermethylation|methylation|mislocali[sz]ation"
    r"|fusions?|rearrangements?)"
)
_NOUN = r"(?i:mutations?|mutants?|alterations?|variants?|alleles?|substitutions?)"
_VARIANT = r"(?:p\.)?[A-Z]\d{1,4}[A-Z](?:fs\*?\d*)?"
_PARTICIPLES = {
    "lost": "loss",
    "deleted": "deletion",
    "inactivated": "inactivation",
    "silenced": "silencing",
}
_ENGINEERED = re.compile(r"^(?:knock-?out|depletion|disruption)$", re.IGNORECASE)
_WEAK_QUALITY = re.compile(
    r"^(?:recurrent|germline|somatic|cancer-derived|sensiti[sz]ing|point|cytoplasmic)$", re.I
)


def cause(text: str, gene: Gene) -> str | None:
    """Return the gene's alteration as a noun phrase (`ABC1 G12C mutation`, `ABC1 loss`) or None.

    The most specific wording of the text wins; the gene stands there by its symbol.
    """
    ranked = sorted(_candidates(text, gene), key=lambda item: -item[0])
    return ranked[0][1] if ranked else None


def _candidates(text: str, gene: Gene) -> Iterator[tuple[int, str]]:
    # ABC1 (Abc1)
    g, s = rf"{gene.pattern}(?: \({gene.pattern}\))?", gene.symbol
    link = r"(?:[-\s]+(?:gene\s+)?)"
    makers: list[tuple[int, str, Callable[[re.Match[str]], str]]] = [
        (9, rf"{g}{link}(exon \d+ (?:deletion|insertion))s?\b", lambda m: f"{s} {m[1]}"),
        (
            9,
            rf"\b(in-frame (?:[CN]-terminal )?(?:deletion|insertion))s? (?:of|in) (?:the )?{g}",
            lambda m: f"{s} {m[1]}",
        ),
        (9, rf"{g}[-\s]ITD\b|{g}{link}internal tandem duplications?", lambda _: f"{s}-ITD"),
        (8, rf"{g}[-\s]({_VARIANT}) (amplification)", lambda m: f"{s} {m[1]} {m[2]}"),
        (8, rf"{g}[-\s]({_VARIANT})\b(?!,? (?:and )?[A-Z]\d)", lambda m: f"{s} {m[1]} mutation"),
        (8, rf"{g}{link}mutation ({_VARIANT})\b", lambda m: f"{s} {m[1]} mutation"),
        (6, rf"\b({_QUALITY}(?: {_QUALITY})*) {g}{link}{_NOUN}\b", lambda m: _mutated(m[1], s)),
        (6, rf"{g}{link}({_QUALITY}(?: {_QUALITY})*){link}{_NOUN}\b", lambda m: _mutated(m[1], s)),
        (6, rf"\b({_QUALITY}) {g}\b", lambda m: _mutated(m[1], s)),
        (7, rf"\b(?:[Bb]iallelic )?{g}{link}({_EVENT})\b", lambda m: _event(m[1], s)),
        (7, rf"\b({_EVENT}) of (?:the )?(?:\w+ and )?{g}", lambda m: _event(m[1], s)),
        (7, rf"\b({_EVENT}) of \S+ together with {g}", lambda m: _event(m[1], s)),
        (7, rf"(?:{g})(?:-deficient|-null|-negative|\s?-/-)", lambda _: f"{s} loss"),
        (
            7,
            rf"{g} (?:is|was|are|were) (?:also )?(lost|deleted|inactivated|silenced)\b",
            lambda m: f"{s} {_PARTICIPLES[m[1]]}",
        ),
        (7, rf"\b(?:lack|lacks|lacking|without) (?:functional )?{g}", lambda _: f"{s} loss"),
        (5, rf"\b[Cc]ytoplasmic {g}", lambda _: f"cytoplasmic {s}"),
        (4, rf"\b[Mm]utant {g}|{g}[-\s]mutant\b|{g}[-\s]mutated", lambda _: f"mutant {s}"),
        (4, rf"{g}{link}{_NOUN}\b|{_NOUN} (?:in|of) (?:the )?{g}", lambda _: f"{s} mutation"),
        (3, rf"{g}[^.;]{{0,40}}\bmutations?\b", lambda _: f"{s} mutation"),
    ]
    for rank, pattern, make in makers:
        match = re.search(pattern, text)
        if match:
            yield rank, make(match)
    yield from _by_hint(text, gene)


def _by_hint(text: str, gene: Gene) -> Iterator[tuple[int, str]]:
    """Alterations named apart from the gene, in a text that is about the gene alone."""
    s = gene.symbol
    if re.search(r"\b(?:Targeted |Engineered )?[Ii]nactivation in\b", text):
        yield 7, f"{s} inactivation"
    match = re.search(rf"\b({_VARIANT})(?: mutation| in the mutant)", text)
    if match and re.search(rf"{gene.pattern}[-\s](?:mutant|mutated)|mutant {gene.pattern}", text):
        yield 6, f"{s} {match[1]} mutation"
    if re.search(r"\bITD mutants?\b|\bITD allele", text):
        yield 6, f"{s}-ITD"
    if re.search(r"\b[Aa]ctivation loop\b", text):
        yield 5, f"{s} activation-loop mutation"
    if re.search(r";\s*deletion\b", text):
        yield 5, f"{s} deletion"


def _mutated(quality: str, symbol: str) -> str:
    words = [word for word in quality.split() if not _WEAK_QUALITY.match(word)] or quality.split()
    text = " ".join(words).lower() if not re.search(r"[CN]-", quality) else " ".join(words)
    if text in ("oncogenic", "cytoplasmic"):
        return f"{text} {symbol}"
    if text in ("inactivating", "activating", "truncating", "loss-of-function", "gain-of-function"):
        return f"{text} {symbol} mutation"
    return f"{symbol} {text} mutation"


def _event(event: str, symbol: str) -> str:
    word = event.lower()
    word = word.removesuffix("s") if word in ("truncations", "fusions", "rearrangements") else word
    if _ENGINEERED.match(word):
        word = "loss"
    return f"{symbol} {word}"
