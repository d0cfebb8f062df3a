"""Whether the numbers of a rewrite are those of its original, and count the same things."""

import re
from collections.abc import Iterator

from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.evidence.spoken_numbers import NUMBER_WORDS
from intogen_agent.review.naming import names, plain

# `One` is an article as often as a number (see `in_digits`).
_VALUES = {word: str(value) for word, value in NUMBER_WORDS.items() if word != "one"}
_WRITTEN = re.compile(rf"\b(?:{'|'.join(_VALUES)})\b", re.IGNORECASE)
_ONE = re.compile(r"\bone\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNIT = re.compile(
    r"(?<![\w.])(?P<number>\d+(?:\.\d+)*)(?:\s|-)?"
    r"(?P<unit>%|per ?cent|fold|month|year|week|day|hour)"
)
_SHARE = re.compile(r"(?<![\w.])(\d+)\s?(?:of|out of|in|/)\s?(?:the |all )?(\d+)\b")
_CLAUSE = re.compile(r"[;:()]|[,.](?!\d)|\b(?:but|whereas|while|although|and)\b")
_WORD = re.compile(r"[a-z][\w-]{2,}")
_STEM = 6


def number_change(rewrite: str, original: str, known: str) -> str | None:
    """Name the number that a rewrite brings in, drops, or lets count something else.

    Args:
        rewrite: The new text.
        original: The text it would replace.
        known: The original and what may be named in any case.
    """
    brought = foreign_numbers(in_digits(rewrite), in_digits(known, one=True))
    if brought:
        return f"it brings in the number {brought[0]}"
    lost = foreign_numbers(in_digits(original), in_digits(rewrite, one=True))
    if lost:
        return f"it drops the number {lost[0]}"
    marked = {plain(name) for name in names(f"{rewrite} {original}")}
    moved = next(_moved(_plain_digits(rewrite), _plain_digits(original), marked), None)
    return f"it lets the number {moved} count something else" if moved else None


def in_digits(text: str, *, one: bool = False) -> str:
    """Return a text with its numbers in digits.

    `One` stands for a pronoun as often as for a number: it may be written for 1, no more.
    """
    found = _WRITTEN.sub(lambda match: _VALUES[match.group().lower()], text)
    return _ONE.sub("1", found) if one else found


def _plain_digits(text: str) -> str:
    return _THOUSANDS.sub("", plain(in_digits(text, one=True)))


def _moved(rewrite: str, original: str, marked: set[str]) -> Iterator[str]:
    here, there = _units(rewrite), _units(original)
    for number, units in there.items():
        percent = "%" in units and "%" not in here.get(number, set())
        if percent or (number in here and not units & here[number]):
            yield number
    shares = set(_SHARE.findall(original))
    for part, whole in _SHARE.findall(rewrite):
        if (whole, part) in shares and (part, whole) not in shares:
            yield part
    if _order(rewrite) != _order(original):
        yield from _elsewhere(_beside(rewrite, marked), _beside(original, marked), marked)


def _units(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _UNIT.finditer(text):
        unit = "%" if match["unit"].startswith(("%", "per")) else match["unit"]
        found.setdefault(match["number"], set()).add(unit)
    return found


def _order(text: str) -> list[str]:
    return list(dict.fromkeys(_NUMBER.findall(text)))


def _elsewhere(
    here: dict[str, set[str]], there: dict[str, set[str]], marked: set[str]
) -> Iterator[str]:
    """Yield the numbers that stand beside other names, or beside the words of another number."""
    for number in there.keys() & here.keys():
        now, was = here[number], there[number]
        named, named_there = now & marked, was & marked
        if named and named_there:
            apart = not named & named_there
        else:
            # It may be said in other words, but not in those of another number.
            rest = (len(now & words) for other, words in there.items() if other != number)
            apart = len(now & was) < max(rest, default=0) or bool(now and was and not now & was)
        if apart:
            yield number


def _beside(text: str, marked: set[str]) -> dict[str, set[str]]:
    """Return the names and the words, by their first letters, of the clauses of each number."""
    found: dict[str, set[str]] = {}
    for clause in _CLAUSE.split(text):
        words = {word if word in marked else word[:_STEM] for word in _WORD.findall(clause)}
        for number in _NUMBER.findall(clause):
            found.setdefault(number, set()).update(words)
    return found
