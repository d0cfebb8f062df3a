"""How readable a text is, measured: the reading ease after Flesch and the length of sentences."""

import re
from functools import cache

from pyphen import Pyphen

from intogen_agent.report.text import sentences
from intogen_agent.summary.models import Readability

_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")


def measured(text: str) -> Readability:
    """Measure a text.

    Source: Flesch (1948), "A new readability yardstick": 206.835 - 1.015 x words per sentence -
    84.6 x syllables per word. 60 to 70 is plain English, 30 to 50 a college text, below 30
    academic prose; names of genes count as the words that they look like.
    """
    parts = sentences(text)
    words = _WORD.findall(text)
    if not words or not parts:
        return Readability(reading_ease=0.0, sentences=len(parts), longest_sentence=0)
    syllables = sum(len(_dictionary().positions(word)) + 1 for word in words)
    ease = 206.835 - 1.015 * len(words) / len(parts) - 84.6 * syllables / len(words)
    return Readability(
        reading_ease=round(ease, 1), sentences=len(parts), longest_sentence=longest(text)
    )


def longest(text: str) -> int:
    """Return the words of the longest sentence."""
    return max((len(sentence.split()) for sentence in sentences(text)), default=0)


@cache
def _dictionary() -> Pyphen:
    return Pyphen(lang="en_US")
