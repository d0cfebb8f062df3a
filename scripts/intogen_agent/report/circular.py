"""intOGen's own publications: evidence for an intOGen call that is the call itself.

A driver call of intOGen cannot be supported by the papers that report intOGen's calls, nor by
studies that take its catalogue as their input. Such references are kept, marked and not counted.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from intogen_agent.evidence.models import TrackedReference
from intogen_agent.report.models import Reference
from intogen_agent.report.sources import reference_keys, text_key


class OwnPaper(NamedTuple):
    """A publication of intOGen, or one whose driver genes are intOGen's."""

    pmid: str
    doi: str
    what: str


OWN_PAPERS = (
    OwnPaper("20111033", "10.1038/nmeth0210-92", "IntOGen, first release (2010)"),
    OwnPaper("24037244", "10.1038/nmeth.2642", "IntOGen-mutations (2013)"),
    OwnPaper("24084849", "10.1038/srep02650", "drivers of 12 tumour types, same methods (2013)"),
    OwnPaper("25759023", "10.1016/j.ccell.2015.02.007", "drivers of 28 tumour types (2015)"),
    OwnPaper("32778778", "10.1038/s41568-020-0290-x", "the compendium (2020)"),
    OwnPaper("34321661", "10.1038/s41586-021-03771-1", "boostDM, trained on its drivers (2021)"),
)
SITE = "intogen.org"
DATABASE = "intogen"

_KEYS = frozenset(
    text_key(text) for paper in OWN_PAPERS for text in (f"PMID:{paper.pmid}", f"DOI:{paper.doi}")
)


def is_circular(reference: Reference | TrackedReference) -> bool:
    """Say whether a reference is one of intOGen's own: a paper, its database or its site."""
    if reference_keys(reference) & _KEYS or (reference.database or "").casefold() == DATABASE:
        return True
    host = urlsplit(reference.url or "").hostname or ""
    return host == SITE or host.endswith(f".{SITE}")
