"""Whether a report's chains begin with a loss or with a gain of the gene's function."""

import re
from collections.abc import Iterable
from typing import Literal

Direction = Literal["loss", "gain"]

_LOSS = re.compile(
    r"\b(?:loss|lost|inactivat\w*|truncat\w*|delet\w*|silenc\w*|(?:hyper)?methylat\w*|lof"
    r"|haploinsufficien\w*|deficien\w*|knock-?(?:out|down)|absen\w*|null|nonsense|frameshift"
    r"|dominant[- ]negative|down-?regulat\w*|reduced(?! (?:inhibition|repression|degradation)))\b",
    re.I,
)
# A deletion within the frame or of one exon may well activate (EGFR exon 19): it says neither.
_IN_FRAME = re.compile(
    r"\bin-frame[\w -]*?(?:deletion|insertion)s?|\bexon[- ]\d+ (?:deletion|insertion|skipping)s?"
    r"|\b(?:deletion|insertion|skipping)s? (?:in|of) exons? \d+(?: ?(?:-|to|and) ?\d+)?",
    re.I,
)
_GAIN = re.compile(
    r"\b(?:gain\w*|activat\w*|amplif\w*|overexpress\w*|over-express\w*|oncogenic|hotspot"
    r"|constitutive\w*|up-?regulat\w*|duplicat\w*|fusion)\b",
    re.I,
)


def directions(causes: Iterable[str]) -> set[Direction]:
    """Return the directions that the causes of a report's chains speak of.

    A cause that says neither (`APC mutation`), or both (`activating truncation of NOTCH1`), adds
    nothing.
    """
    found: set[Direction] = set()
    for cause in (_IN_FRAME.sub("", cause) for cause in causes):
        lost, gained = _LOSS.search(cause), _GAIN.search(cause)
        if lost and not gained:
            found.add("loss")
        if gained and not lost:
            found.add("gain")
    return found
