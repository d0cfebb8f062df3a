"""Whether a report's chains begin with a loss or with a gain of the gene's function."""

import re
from collections.abc import Iterable
from typing import Literal

Direction = Literal["loss", "gain"]

_LOSS = re.compile(
    # The deletion of an exon or in frame may activate (EGFR exon 19) as well as destroy.
    r"\b(?:loss|lost|inactivat\w*|truncat\w*|(?<!in-frame )(?<!exon \d )(?<!exon \d\d )delet\w*"
    r"|silenc\w*|(?:hyper)?methylat\w*|lof"
    r"|haploinsufficien\w*|deficien\w*|knock-?(?:out|down)|absen\w*|null|nonsense|frameshift"
    r"|dominant[- ]negative|down-?regulat\w*|reduced)\b",
    re.I,
)
# A deletion within the frame or of one exon may well activate (EGFR exon 19): it says neither.
_IN_FRAME = re.compile(
    r"\bin-frame[\w -]*?(?:deletion|insertion)s?|\bexon[- ]\d+ (?:deletion|insertion)s?", re.I
)
_GAIN = re.compile(
    r"\b(?:gain\w*|activat\w*|amplif\w*|overexpress\w*|over-express\w*|oncogenic|hotspot"
    r"|constitutive\w*|up-?regulat\w*|duplicat\w*|fusion)\b",
    re.I,
)


def directions(causes: Iterable[str]) -> set[Direction]:
    """Return the directions that the causes of a report's chains speak of.

    A cause that says neither (`APC mutation`) adds nothing.
    """
    found: set[Direction] = set()
    for cause in (_IN_FRAME.sub("", cause) for cause in causes):
        if _LOSS.search(cause):
            found.add("loss")
        # "inactivating" holds "activating": a cause that says loss is not counted as gain.
        elif _GAIN.search(cause):
            found.add("gain")
    return found
