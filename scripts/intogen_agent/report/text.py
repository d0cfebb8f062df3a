"""Sentences of a bullet, and whether it starts with a verb."""

import re

from intogen_agent.report import first_word
from intogen_agent.report.verbs import MODALS, PREFIXES, words

# After these a full stop never ends a sentence ...
_ABBREVIATIONS = words(
    "e.g i.e vs cf fig figs tab ref refs eq eqs dr prof approx ca suppl st sp spp subsp var resp "
    "incl a.k.a viz"
)
# ... after these only before a capital letter.
_MAY_END = words("etc al inc ltd u.s aa spp sp resp")

# A stop may lack the blank after it (`Binds DNA.It acts`): then a word with one capital follows.
# Changes (`p.R175H`, `p.Arg175His`), species and parts of molecules (`IgG1.Fc`) look otherwise.
_STOP = re.compile(
    r"[.!?]+[\"'”’)\]]*(?=\s|$)"
    r"|(?:(?<=[^\W_][^\W_])|(?<=\)))[.!?]"
    r"(?=(?:It|Is|In|At|By|As|On|To|If|[A-Z][a-z]{2,})(?:[\s,;]|$))"
)
# RNA Pol. II, Chr. X.
_NUMBERED = re.compile(r"(?:I{1,3}|IV|V|[XY]|\d+\w*|alpha|delta|epsilon|[αδε])(?!\w)")
_LAST_WORD = re.compile(r"[^\s(\[\"“]*$")


def sentences(text: str) -> list[str]:
    """Split a text into sentences.

    Full stops inside numbers, protein and DNA changes (`p.R175H`, `c.35G>A`) and abbreviations
    (`e.g.`, `et al.`, `Fig. 2`, `S. cerevisiae`) end nothing.
    """
    found: list[str] = []
    start = 0
    for stop in _STOP.finditer(text):
        if _ends_sentence(text[start : stop.start()], stop.group(), text[stop.end() :].lstrip()):
            piece = text[start : stop.end()].strip()
            if _has_words(piece):
                found.append(piece)
                start = stop.end()
    rest = text[start:].strip()
    if _has_words(rest):
        found.append(rest)
    elif found and any(map(str.isalpha, rest)):
        # A lone letter makes no sentence; it belongs to the one before.
        found[-1] = f"{found[-1]} {rest}"
    return found


def _has_words(piece: str) -> bool:
    return sum(character.isalpha() for character in piece) >= 2


def _ends_sentence(before: str, stop: str, after: str) -> bool:
    if not after or not stop.startswith("."):
        return True
    match = _LAST_WORD.search(before)
    word = match.group() if match else ""
    following = after.split(maxsplit=1)[0]
    if word.casefold() in _MAY_END:
        return following[0].isupper()
    if word.casefold() in _ABBREVIATIONS:
        return False
    if word.casefold() in ("no", "nos"):
        return not following[0].isdigit()
    if word.casefold() in ("pol", "chr"):
        return _NUMBERED.match(following) is None
    # S. cerevisiae, E. coli: an initial and a lower-case Latin word. But: `vitamin D. p53 binds`.
    return not (
        len(word) == 1 and word.isupper() and re.fullmatch(r"[a-z]+[,;:.)]*", following) is not None
    )


_WORD = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*")
# What is put on a target, by its short name: S-nitrosylates, K63-ubiquitinates, ADP-ribosylates.
_MODIFIES = re.compile(r"(?:[Pp]oly-|[Mm]ono-)?[A-Z]{1,4}\d{0,3}-([a-z]+(?:ates|izes|ises))\b")
# SUMOylates, NEDDylates, deSUMOylates, O-GlcNAcylates: what is put on has capitals in its name.
_YLATES = re.compile(
    r"(?:[Dd]e-?)?(?:[NO]-)?(?=[A-Za-z]*[A-Z][A-Za-z]*[A-Z])[A-Za-z]+ylates(?![\w-])"
)
_ADVERB = re.compile(r"[a-z-]+ly$")
_LY_NOUNS = words("family assembly supply anomaly ally reply fly poly subfamily")
_SKIPPED = words(
    "also often thus thereby and or not only both either never always still sometimes seldom"
)


def starts_with_verb(text: str) -> bool:
    """Say whether a text begins with a verb in the third person singular of the present tense.

    Adverbs may come first (`Directly binds`), a negation counts (`Does not bind`), so do
    hyphenated verbs (`Co-activates`, `S-nitrosylates`) and modal verbs (`May act`). Participles
    (`Located in`, `Required for`), names (`APC binds`) and plural nouns (`Kinases phosphorylate`)
    do not.
    """
    first = sentences(text)[:1]
    start = first[0].split() if first else []
    position = 0
    while position < len(start) and _is_adverb(start[position], position):
        position += 1
    if position == len(start):
        return False
    return _is_verb(start[position], " ".join(start[position + 1 :]))


def _is_adverb(word: str, position: int) -> bool:
    bare = word.rstrip(",").lower()
    if bare in _SKIPPED:
        # A sentence that starts with `and` or `thus` is no verb-first sentence.
        return position > 0 or bare not in ("and", "or", "thus")
    return _ADVERB.search(bare) is not None and bare not in _LY_NOUNS


def _is_verb(raw: str, following: str) -> bool:
    if _MODIFIES.match(raw) or _YLATES.match(raw):
        return True
    match = _WORD.match(raw)
    # Names (KRAS, p53, mTOR) hold digits, inner capitals or nothing but capitals.
    if match is None or match.group() != raw.rstrip(".,;:"):
        return False
    parts = re.split(r"[-‐‑]", match.group())
    if any(part[1:] != part[1:].lower() for part in parts):
        return False
    word, heads = parts[-1].lower(), [part.lower() for part in parts[:-1]]
    if any(head not in PREFIXES for head in heads):
        return False
    if word in MODALS:
        return not heads
    return word.endswith("s") and first_word.is_verb(word, following)
