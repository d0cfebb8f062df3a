"""Which way a statement goes: up or down, and whether it is denied or hedged."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from intogen_agent.report.verbs import words

Pole = Literal["up", "down"]

NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|without|cannot|n't|lacks?|lacking|fail(?:s|ed)? to"
    r"|un(?:altered|affected|changed|mutated|related|supported|confirmed))\b|n't\b",
    re.IGNORECASE,
)
HEDGE = re.compile(
    r"\b(?:may|might|could|can|suggest\w*|appears?|seems?|possibl[ey]|perhaps|probabl[ey]"
    r"|likely|potential(?:ly)?|presumabl[ey]|putative\w*|propos\w+|hypothes\w+"
    r"|is thought|are thought|in part|partly)\b",
    re.IGNORECASE,
)
_UP = (
    r"increas\w*|rais(?:e|es|ed|ing)|rises?|rose|elevat\w*|higher|high|more|greater|longer|better"
    r"|improv\w*|enhanc\w*|up-?regulat\w*|over-?express\w*|amplif\w*|gain(?:s|ed)?|promot\w*"
    r"|driv(?:e|es|en|ing)|drove|stimulat\w*|(?:re|hyper|over)?activat\w*|(?:over|hyper)active|induc\w*|accelerat\w*|stabili[sz]\w*"
    r"|turn(?:s|ed)? on|switch(?:es|ed)? on|strengthen\w*|boost\w*|favou?rs?|worsen\w*"
    r"|sensiti[sz]\w*|sensitive|sensitivity"
    r"|(?:becom(?:e|es|ing)|became|stay(?:s|ed)?|remain(?:s|ed)?) stable"
    r"|(?:turn|switch)(?:s|es|ed)?(?: [\w-]+){1,3} on"
)
_DOWN = (
    r"decreas\w*|reduc\w*|lower(?:s|ed|ing)?|low|less|fewer|smaller|shorter|worse|poor(?:er)?"
    r"|diminish\w*|down-?regulat\w*|under-?express\w*|loss(?:es)?|lost|los(?:e|es|ing)|inhibit\w*"
    r"|suppress(?!or)\w*|block\w*|repress(?!or)\w*|prevent\w*|silenc\w*|(?:de|in)activat\w*"
    r"|delet\w*|truncat\w*|impair\w*|disrupt\w*|abolish\w*|destabili[sz]\w*|degrad\w*"
    r"|turn(?:s|ed)? off|switch(?:es|ed)? off|shut(?:s)? (?:off|down)|weaken\w*|restrain\w*"
    r"|removes?|removed|resist\w*|limits?|limited|slow(?:s|ed)?|protect\w*"
    r"|break(?:s|ing)? ?down|broke(?:n)? down|(?:becom(?:e|es|ing)|became) unstable"
    r"|(?:turn|switch)(?:s|es|ed)?(?: [\w-]+){1,3} off"
)
_POLE = re.compile(rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9][\w'-]*|[,;:.()]")
_STOP = words(
    "the a an of in on to by for with and or its their this that these those is are was were be "
    "been has have had as at from into it they which who also thus then both all some most many "
    "each may might could can not no gene genes protein proteins cell cells cancer cancers tumor "
    "tumors tumour tumours mutation mutations expression activity level levels function"
)
_BREAK = words(", ; : . ( ) but whereas while although when if because and that which")
DENYING = re.compile(r"[,;:.()]|\b(?:but|whereas|while|although|and)\b")
"""What ends the reach of a negation."""
_BE = words("is are was were be been being")
_REACH = 5


def poles(text: str) -> Counter[Pole]:
    """Count the words of a text that go up and those that go down."""
    return Counter(_pole(match) for match in _POLE.finditer(text))


def swapped(text: str, source: str) -> str | None:
    """Name what goes one way in a text and only the other way in its source.

    A direction word belongs to the next word of content after it (`activates WNT`, `loss of APC`),
    or to the one before it in the passive and where nothing follows (`APC is lost`, `APC loss`).
    """
    own, known = _pairs(text), _pairs(source)
    for thing, pole in own.items():
        if thing in known and not pole & known[thing]:
            return thing
    return None


def turned(text: str, source: str) -> bool:
    """Say whether the directions of a text cannot be those of its source.

    A pole that appears or disappears altogether, or one that grows while the other shrinks, is
    another statement; saying the same twice, or once instead of twice, is not.
    """
    here, there = poles(text), poles(source)
    if crossed(text, source):
        return True
    gone = any(there[pole] and not here[pole] for pole in ("up", "down"))
    new = any(here[pole] and not there[pole] for pole in ("up", "down"))
    return gone or new


def crossed(text: str, source: str) -> bool:
    """Say whether a text has more words of one direction than its source and fewer of the other."""
    here, there = poles(text), poles(source)
    return (here["up"] - there["up"]) * (here["down"] - there["down"]) < 0


def without_polarity(text: str) -> str:
    """Return a text without its words of direction and denial."""
    return NEGATION.sub(" ", _POLE.sub(" ", text))


def denied(text: str) -> list[set[str]]:
    """Return the words of content of every clause that holds a negation."""
    found = []
    for clause in DENYING.split(text):
        if NEGATION.search(clause):
            found.append({word for word in map(_stem, re.findall(r"[\w-]+", clause)) if word})
    return found


def _pairs(text: str) -> dict[str, set[Pole]]:
    found: dict[str, set[Pole]] = {}
    words = _WORD.findall(text)
    for place, pole, length in _places(words):
        thing = _thing(words, place, length)
        if thing is not None:
            found.setdefault(thing, set()).add(pole)
    return found


def _places(words: list[str]) -> Iterator[tuple[int, Pole, int]]:
    place = 0
    while place < len(words):
        for length in (2, 1):
            match = _POLE.fullmatch(" ".join(words[place : place + length]))
            if match:
                yield place, _pole(match), length
                place += length - 1
                break
        place += 1


def _pole(match: re.Match[str]) -> Pole:
    return "up" if match.lastgroup == "up" else "down"


def _thing(words: list[str], place: int, length: int) -> str | None:
    after = _first(words[place + length : place + length + _REACH])
    before = _first(words[max(0, place - _REACH) : place][::-1])
    passive = place > 0 and words[place - 1].lower() in _BE
    return before if (passive and before) or after is None else after


def _first(words: list[str]) -> str | None:
    for word in words:
        if word.lower() in _BREAK:
            return None
        stem = _stem(word)
        if stem and not _POLE.fullmatch(word):
            return stem
    return None


def _stem(word: str) -> str | None:
    bare = word.casefold()
    if bare in _STOP or len(bare) < 3 or not bare[0].isalnum():
        return None
    return bare.removesuffix("s") if len(bare) > 4 else bare
