"""When two mechanisms say the same: their normalised (cause, mediator, outcome)."""

import re
import unicodedata
from collections.abc import Sequence

from intogen_agent.evidence.models import Chain
from intogen_agent.report.verbs import words

ARROW = re.compile(r"→|⟶|➔|➜|⇒|⟹|↦|[-=–—]+>")

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma sigma tau upsilon phi chi psi omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρσςτυφχψω", _GREEK_NAMES.split(), strict=True))

# Order matters: longer phrases first. `Activation` (of function) is never amplification or
# overexpression (of amount): they are different alterations.
_SYNONYMS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in [
        (r"\b(?:loss|lof)[- ]of[- ]function\b|\blof\b", "loss"),
        (r"\bgain[- ]of[- ]function\b|\bgof\b", "activation"),
        (r"\bloss (?:mutations?|alterations?|variants?)\b", "loss"),
        (r"\bactivation (?:mutations?|alterations?|variants?)\b", "activation"),
        (r"\binactivating (\S+) (?:mutations?|alterations?|variants?)\b", r"\1 loss"),
        (r"\bactivating (\S+) (?:mutations?|alterations?|variants?)\b", r"\1 activation"),
        (r"\binactivating(?: (?:mutations?|alterations?|variants?))?\b", "loss"),
        (r"\bactivating(?: (?:mutations?|alterations?|variants?))?\b", "activation"),
        (r"\b(?:inactivation|inactivated|lost|deficient|deficiency)\b", "loss"),
        (r"\b(?:activated|gain)\b", "activation"),
        (r"\bover-?expressed\b|\bover expression\b|\bover-expression\b", "overexpression"),
        (r"\bamplified\b|\bcopy[- ]number gain\b", "amplification"),
        (r"\bmutated\b|\bmutations\b|\bmutant\b", "mutation"),
        (r"\bsignall?ing(?: pathway| cascade)?\b|\bpathways?\b|\bcascade\b", ""),
        (r"\bthrough\b", "via"),
    ]
]
# Signs that turn a meaning round: `APC-/-` is not `APC+/-`, `ER- tumours` are not `ER+ tumours`.
# Longer signs first; a hyphen is a sign only where a name ends with it.
_SIGNS = [
    (re.compile(pattern), f" {replacement} ")
    for pattern, replacement in [
        (r"\(?\+/\+\)?", "wildtype"),
        (r"\(?(?:\+/-|-/\+)\)?", "heterozygous"),
        (r"\(?-/-\)?", "homozygous"),
        (r"(?<=\w)/\+(?!\w)", "over plus"),
        (r"(?<=\w)/-(?!\w)", "over minus"),
        (r"(?<=\w)\+(?!\w)|[- ]positive\b", "pos"),
        (r"(?<=\w)-(?=$|[\s,;/)])|[- ]negative\b", "neg"),
        (r">=|≥", "at least"),
        (r"<=|≤", "at most"),
        (r">", "above"),
        (r"<", "below"),
        (r"↑", "increased"),
        (r"↓", "decreased"),
    ]
]
# `APC-deficient` names the gene: without its hyphen the alias in it is found.
_STATE = re.compile(r"-(?=(?:deficien\w+|mutant|mutated|null|amplified|overexpress\w+)\b)")
_COPY_GAIN = re.compile(r"\bcopy[- ]number gain\b")
_SPELLING = [
    (re.compile(pattern), replacement)
    for pattern, replacement in [
        (r"tumour", "tumor"),
        (r"leukaem", "leukem"),
        (r"isation\b", "ization"),
        (r"ising\b", "izing"),
        (r"ised\b", "ized"),
        (r"\bcolour", "color"),
        (r"haemat", "hemat"),
        (r"oestr", "estr"),
    ]
]
# `mutations in KRAS` are mutations of KRAS; `activation in T cells` is no activation of T cells.
_MUTATIONS_IN = re.compile(
    r"\b((?:mutation|alteration|variant|deletion|truncation|amplification)s?) in\b"
)
# `loss of APC` and `APC loss` are one alteration.
_OF = re.compile(
    r"\b(loss|activation|amplification|overexpression|mutation|deletion|silencing|methylation|"
    r"truncation|fusion|stabilization|accumulation|degradation|inhibition)\s+of\s+"
    r"(?:(?:a|an|the)\s+)?([\w-]+)"
)
# Articles only: `by`, `to`, `via` and what is left of `of` say who does what to whom.
_FILLERS = words("a an the")


def normalised_triple(chain: Chain, names: Sequence[str] = ()) -> tuple[str, str, str]:
    """Return what a chain says, so that equal meanings compare equal.

    Case, spacing, punctuation, arrows, Greek letters, spelling, plurals, articles, this gene's
    aliases and a few synonyms (loss, inactivation, deficiency, LoF; gain of function, activation)
    make no difference. Signs and prepositions do: merging drops one of two mechanisms, so what may
    say the opposite (`ER+`, `ER-`; `via`, `to`) is kept apart.
    Seed: "Mechanisms are required to be non-redundant: bullets sharing the same normalized triple
    (cause, primary mediator, outcome) are merged".

    Args:
        chain: Cause, mediator, outcome.
        names: The gene's symbol, then its other names and aliases.

    Returns:
        Three keys; they are for comparison only, not for reading.
    """
    cause, mediator, outcome = (
        _normalised(part, names) for part in (chain.cause, chain.mediator, chain.outcome)
    )
    return cause, mediator, outcome


def _normalised(part: str, names: Sequence[str]) -> str:
    text = _STATE.sub(" ", _plain(part))
    for name in sorted(names[1:], key=len, reverse=True):
        alias = _plain(name)
        if len(alias) > 1:
            text = re.sub(rf"(?<![\w-]){re.escape(alias)}(?![\w-])", _plain(names[0]), text)
    if names:
        # `the APC gene`, `APC protein`: its own symbol says it.
        own = re.escape(_plain(names[0]))
        text = re.sub(rf"(?<![\w-])({own}) (?:genes?|proteins?)\b", r"\1", text)
    text = _COPY_GAIN.sub("amplification", text)
    text = _MUTATIONS_IN.sub(r"\1 of", text)
    for pattern, replacement in _SYNONYMS:
        text = pattern.sub(replacement, text)
    text = _OF.sub(r"\2 \1", text)
    tokens = [_singular(word) for word in re.findall(r"[^\W_]+", text) if word not in _FILLERS]
    # Joined without spaces: `TGF-beta`, `TGF beta` and `TGFbeta` are written all three. Numbers
    # stay apart: `p110 alpha` is p110alpha, `IL-1 2` is not IL-12.
    return re.sub(r"(?<=\d) (?!\d)|(?<!\d) ", "", " ".join(tokens))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", ARROW.sub(" ", text)).casefold()
    text = "".join(_GREEK.get(character, character) for character in text)
    text = re.sub(r"[‐‑‒–—−]", "-", text)
    for pattern, replacement in [*_SIGNS, *_SPELLING]:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def _singular(word: str) -> str:
    plural = len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural and word.isalpha() else word
