"""Whether the numbers of a statement stand in its source, with their units.

Design ("numbers ... are checked against what the tools returned"). What is no number but a part of
a name (V600E, 12q13, 53BP1) is left alone.
"""

import re
from collections import defaultdict

from intogen_agent.evidence.quotes import normalise
from intogen_agent.evidence.spoken_numbers import foreign_words

# Canonical unit: how it is written after a number (texts are casefolded: nM and nm are one).
_UNITS = {
    "%": "% percent per_cent",
    "fold": "fold times",
    "year": "years year yrs yr",
    "month": "months month mo",
    "week": "weeks week wks wk",
    "day": "days day",
    "hour": "hours hour hrs hr h",
    "minute": "minutes minute mins min",
    "second": "seconds second secs sec",
    "kg": "kg",
    "mg": "mg",
    "ug": "μg ug mcg",
    "ng": "ng",
    "pg": "pg",
    "nm": "nm",
    "um": "μm um",
    "pm": "pm",
    "mm": "mm",
    "cm": "cm",
    "ml": "ml",
    "ul": "μl ul",
    "gy": "gy",
    "kb": "kb",
    "mb": "mb",
    "bp": "bp",
    "kda": "kda",
}
_CANONICAL = {
    spelling.replace("_", " "): unit
    for unit, spellings in _UNITS.items()
    for spelling in spellings.split()
}
_EITHER = "|".join(sorted(map(re.escape, _CANONICAL), key=len, reverse=True))
# `3x` is a factor, `3 x 10` a product.
_UNIT = rf"(?:[\s-]?(?P<unit>{_EITHER})|(?P<factor>x))(?!\w)"
_VALUE = r"(?<![\w.])(?P<value>\d+(?:\.\d+)*|\.\d+)(?!\.?\d)"
# As a statement gives it: a unit may stick to it, other letters make it a part of a name.
_STATED = re.compile(rf"{_VALUE}(?:{_UNIT}|(?!\w*[A-Za-z]))")
# In the source anything but a name of letters and digits may stick to it (12.5mg, 24hpf).
_HELD = re.compile(rf"{_VALUE}(?:{_UNIT}|(?![A-Za-z]+\w*\d))")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PART_OF_WHOLE = re.compile(r"(?<![\w.])(\d+)(?:/| (?:out )?of (?:all |the |these )?)(\d+)\b")


def foreign_numbers(statement: str, source: str) -> list[str]:
    """Return the numbers of a statement that its source does not hold, as they are written.

    `16-fold` is foreign to a source that knows 16 as a percentage only; where the source gives 16
    without a unit (in a list, a range, a table), any unit may be stated. So is `34 of 27` to a
    source that says it the other way round only. Words count as numbers only where they count
    something: `half of the patients`, `ninety percent`.
    """
    source = normalise(source)
    # "12,345" is one number, "codons 12,13" are two; a source may mean either.
    variants = [source.replace(",", ""), source.replace(",", " "), _THOUSANDS.sub("", source)]
    known: defaultdict[str, set[str | None]] = defaultdict(set)
    for variant in variants:
        for match in _HELD.finditer(variant):
            known[_value(match)].add(_unit(match))
    stated = _THOUSANDS.sub("", normalise(statement)).replace(",", " ")
    found = []
    for match in _STATED.finditer(stated):
        units, unit = known.get(_value(match), set()), _unit(match)
        if not units:
            found.append(match["value"])
        elif unit is not None and not units & {unit, None}:
            found.append(match.group())
    return [*found, *_turned_round(stated, source), *foreign_words(stated, source, set(known))]


def _value(match: re.Match[str]) -> str:
    value = match["value"]
    return f"0{value}" if value.startswith(".") else value


def _unit(match: re.Match[str]) -> str | None:
    return "fold" if match["factor"] else _CANONICAL.get(match["unit"] or "")


def _turned_round(stated: str, source: str) -> list[str]:
    held = {match.groups() for match in _PART_OF_WHOLE.finditer(source)}
    return [
        match.group()
        for match in _PART_OF_WHOLE.finditer(stated)
        if match.groups() not in held and match.groups()[::-1] in held
    ]
