"""Whether a text speaks of a loss or of a gain of the gene itself.

Only what stands beside the gene's name counts: `loss of APC turns on WNT target genes` is a loss of
APC and says nothing about a gain of it.
"""

import re

from intogen_agent.review.direction import Direction, directions
from intogen_agent.review.marked import GENE, clauses
from intogen_agent.review.naming import GeneNames

_ALLELES = r"(?:mutations?|mutants?|variants?|alterations?|alleles?|lesions?|events?)"
_FILL = (
    r"(?:of|in|the|its|a|an|or|both|one|all|functional|full-length|wild-type|normal|biallelic"
    r"|cop(?:y|ies)|genes?|protein|human|mouse|murine|tumor|suppressor|somatic|germline"
    r"|heterozygous|homozygous|expression|function|activity|number|promoter)"
)
# Not `truncated`, `deleted` or `frameshift`: such alleles may well be active (NOTCH1, PPM1D, CALR).
_LOSS = (
    r"(?:loss|lost|loses|losing|inactivat(?:ion|ing|es|ed)|silenc(?:ing|ed)|(?:hyper)?methylation"
    r"|haploinsufficiency|deficiency)"
)
_LOSS_AFTER = (
    r"(?:loss(?:-of-function)?|inactivation|silencing|(?:hyper)?methylation|haploinsufficiency"
    r"|deficien(?:t|cy)|null|-/-)"
)
_LACK = r"(?:lack|lacks|lacked|lacking|without|absence|deficient)"
_GAIN = (
    r"(?:gains?|amplification|amplified|over-?expression|over-?expressed|over-?expressing"
    r"|activating|constitutively active|hyperactive|duplication)"
)
_GAIN_AFTER = r"(?:gain(?:-of-function)?|amplification|over-?expression|duplication)"
_IS = r"(?:is|are|was|were|be|been)(?: (?:\w+ly|often|also|mostly))?"


def _pattern(before: str, after: str, participles: str, alone: str) -> re.Pattern[str]:
    fill = rf"(?:(?:{_FILL}|{_ALLELES})[ -])"
    return re.compile(
        rf"\b{before}[ -]{fill}{{0,5}}{GENE}"
        rf"|{GENE}[ -]?{fill}{{0,3}}{after}(?!\w)"
        rf"|{GENE} {fill}{{0,2}}{_IS} (?:{participles})\b"
        # To lack a mutant is no loss of the gene, and an oncogenic mutation may be one.
        rf"|\b{alone} (?:{_FILL}[ -]){{0,4}}{GENE}(?!-?\w|[ -](?:\w+ )?{_ALLELES})"
    )


_PATTERNS: dict[Direction, re.Pattern[str]] = {
    "loss": _pattern(_LOSS, _LOSS_AFTER, "lost|inactivated|silenced|(?:hyper)?methylated", _LACK),
    "gain": _pattern(
        _GAIN, _GAIN_AFTER, "amplified|over-?expressed|duplicated", "oncogenic(?: mutant)?"
    ),
}
# Says that a mutation matters, not which way it works.
_EITHER_WAY = re.compile(r"\b(?:hotspot|oncogenic)\b", re.IGNORECASE)
# Who takes a gene away or puts it back and slows growth thereby shows the opposite of what was
# done; a sentence that denies or compares shows neither.
_TURNED = re.compile(
    r"\b(?:reduc|decreas|lower|slow|less|impair|inhibit|block|suppress(?!or)|stop|prevent|abolish"
    r"|abrogat|attenuat|diminish|weaken|restrain|limit|arrest|apopto|senescen|quiescen|death"
    r"|die\b|dies|died|kill|sensiti|restor|rescu|re-?express|prolong|need|requir|depend|reversed"
    r"|not\b|no\b|never\b|nor\b|neither\b|rather than\b|instead of\b|unlike\b|whereas\b)"
)


def gene_directions(text: str, gene: GeneNames) -> set[Direction]:
    """Return whether a text speaks of a loss, of a gain, of both or of neither."""
    said = [clause for clause in clauses(text, gene) if not _TURNED.search(clause)]
    return {
        direction
        for direction, pattern in _PATTERNS.items()
        if any(pattern.search(clause) for clause in said)
    }


def cause_directions(cause: str) -> set[Direction]:
    """Return the direction that a chain's cause commits itself to, if it does."""
    return directions([_EITHER_WAY.sub("", cause)])
