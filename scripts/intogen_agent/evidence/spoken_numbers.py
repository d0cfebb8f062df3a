"""Numbers in words, where they count patients, tumours, cases, samples or percent.

`Half of all patients` and `ninety percent` are figures that a source must hold; `two-hit`, `third
exon` and `one of` are none.
"""

import re
from collections.abc import Set as AbstractSet

_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_TO_NINETEEN.split())}
_TENS = {word: 10 * value for value, word in enumerate(_FROM_TWENTY.split(), start=2)}
NUMBER_WORDS = {**_SMALL, **_TENS, "hundred": 100, "thousand": 1000}
_DIGITS = "|".join(list(_SMALL)[1:10])
# `One` alone is an article as often as a number.
_NUMBER = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_DIGITS}))?|(?:(?:{_DIGITS}) )?hundred"
    rf"|{'|'.join(list(_SMALL)[2:])})"
)
_COUNTED = r"(?:patients|tumou?rs|cases|samples|specimens|individuals|carcinomas|adenocarcinomas)"
_NO_ADJECTIVE = (
    r"(?!(?:of|in|from|with|without|and|or|for|by|to|than|into|at|on|per|as|that|which|were|was"
    r"|are|is|had|have)\b)"
)
_THINGS = rf"(?:{_NO_ADJECTIVE}[\w+-]+ ){{0,2}}{_COUNTED}\b"
_WHOLE = rf"(?:(?:all|the|these|those) ){{0,2}}(?:{_THINGS}|them\b)"
_COUNT = re.compile(
    rf"\b(?P<word>{_NUMBER})(?=\s?%|[ -]per ?cent\b| {_THINGS}| of {_WHOLE}| of \d)"
)
_SHARE = re.compile(
    rf"\b(?:(?P<times>one|two|three|a)[ -])?(?P<word>half|thirds?|quarters?|majority)"
    rf" (?:of {_WHOLE}|(?<=half )(?:all|the|these|those) {_THINGS})"
)
_PARTS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}
# `A third` may be said of 29% and of 38%.
_ABOUT = 0.06
_PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?(?:%|per ?cent)")
_RATIOS = (
    re.compile(r"(?<![\w.])(\d+)(?:/| (?:out )?of (?:all |the |these )?)(\d+)(?![\w.]*\d)"),
    re.compile(r"\bof (?:all |the |these )?(?P<whole>\d+)\b[^.;]{0,60}?\b(?P<part>\d+)\b"),
)


def foreign_words(stated: str, source: str, values: AbstractSet[str]) -> list[str]:
    """Return the spoken numbers of a statement that its source does not hold.

    Args:
        stated: The statement, normalised.
        source: The source, normalised.
        values: The numerals of the source.
    """
    found = []
    for match in _COUNT.finditer(stated):
        word = match["word"]
        spoken = re.search(rf"\b{word.replace(' ', '[ -]').replace('-', '[ -]')}\b", source)
        if spoken is None and not _names_of(word, source) and str(_value(word)) not in values:
            found.append(word)
    for match in _SHARE.finditer(stated):
        if not _holds_share(match["word"].rstrip("s"), match["times"], source):
            found.append(match["word"])
    return found


def _names_of(word: str, source: str) -> bool:
    return word == "two" and re.search(r"\b(?:both|pair|twice|twins?)\b", source) is not None


def _value(word: str) -> int:
    if word.endswith("hundred"):
        return 100 * _SMALL.get(word.split()[0], 1)
    parts = re.split(r"[ -]", word)
    return sum(_TENS.get(part, _SMALL.get(part, 0)) for part in parts)


def _holds_share(word: str, times: str | None, source: str) -> bool:
    """Say whether a source holds a share: in words, or a figure that may be called so."""
    if word == "majority":
        return "majority" in source or "most" in source.split() or max(_shares(source)) > 1 / 2
    if re.search(rf"\b{word}s?\b", source):
        return True
    share = _PARTS[word] * {"two": 2, "three": 3}.get(times or "", 1)
    return any(abs(share - one) <= _ABOUT for one in _shares(source))


def _shares(source: str) -> list[float]:
    """Return what a source gives as a share: percentages, and parts of a whole; at least 0."""
    found = [0.0, *(float(percent) / 100 for percent in _PERCENT.findall(source))]
    pairs = [(int(a), int(b)) for a, b in _RATIOS[0].findall(source)]
    pairs += [(int(one["part"]), int(one["whole"])) for one in _RATIOS[1].finditer(source)]
    return [*found, *(part / whole for part, whole in pairs if 0 < part <= whole)]
