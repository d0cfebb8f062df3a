"""Reports with one fault each in their references or thresholds, and the rule that objects."""

from collections.abc import Callable
from typing import Any

from report_damage import (
    Report,
    put,
    put_thresholds,
    reference,
    same_paper_by_address,
    same_paper_by_doi,
    tool_among_three,
)

REFERENCE_MUTANTS: dict[str, tuple[str, Callable[[Report], Any]]] = {
    # Reference integrity.
    "a PMID with letters": (
        "identifier-format",
        lambda r: put(reference(r, 3), id="13389O4", url=None),
    ),
    "a PMID with another prefix": (
        "identifier-format",
        lambda r: put(reference(r, 3), id="PMC:1338904", url=None),
    ),
    "a PMID of nine digits": (
        "identifier-format",
        lambda r: put(reference(r, 3), id="133890412", url=None),
    ),
    "a DOI without suffix": (
        "identifier-format",
        lambda r: put(reference(r, 3), kind="doi", id="10.1038", url=None),
    ),
    "a trial with seven digits": (
        "identifier-format",
        lambda r: put(reference(r, 3), kind="nct", id="NCT0123456", url=None),
    ),
    "a bad other id": (
        "identifier-format",
        lambda r: put(reference(r, 3), also=[{"kind": "doi", "id": "doi"}]),
    ),
    "a database without record": (
        "database-complete",
        lambda r: put(reference(r, 1), record_id=None),
    ),
    "a database without name": ("database-complete", lambda r: put(reference(r, 1), database=" ")),
    "the PubMed page of another paper": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), url="https://pubmed.ncbi.nlm.nih.gov/1338905/"),
    ),
    "the page of a site for a PMID": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), url="https://example.org/1338904"),
    ),
    "the DOI of another paper": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), url="https://doi.org/10.1038/nature11252"),
    ),
    "the record of another protein": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 1), url="https://www.uniprot.org/uniprotkb/P04637/entry"),
    ),
    "the page of a site for a record": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 1), url="https://evil.example.com/uniprot"),
    ),
    "the page of a site for a DOI": (
        "url-of-the-same-paper",
        lambda r: put(
            reference(r, 3), kind="doi", id="10.1000/182", url="https://evil.example.com/182"
        ),
    ),
    "the page of a site for a trial": (
        "url-of-the-same-paper",
        lambda r: put(reference(r, 3), kind="nct", id="NCT01234567", url="https://example.org/t"),
    ),
    "the page of another trial": (
        "url-of-the-same-paper",
        lambda r: put(
            reference(r, 3),
            kind="nct",
            id="NCT01234567",
            url="https://clinicaltrials.gov/study/NCT01234568",
        ),
    ),
    "another address than the site's": (
        "url-of-the-same-paper",
        lambda r: put(
            reference(r, 5),
            kind="url",
            id="https://example.org/a",
            url="https://example.com/b",
            also=[],
        ),
    ),
    "an address with a script": (
        "url-shape",
        lambda r: put(reference(r, 1), url="javascript:alert(1)"),
    ),
    "an address without host": ("url-shape", lambda r: put(reference(r, 1), url="https:///x")),
    "an address with a password": (
        "url-shape",
        lambda r: put(reference(r, 1), url="https://www.uniprot.org:x@evil.org/P25054"),
    ),
    "an address with a blank": (
        "url-shape",
        lambda r: put(reference(r, 1), url="https://www.uniprot.org/a b"),
    ),
    "a site without address": (
        "url-shape",
        lambda r: put(reference(r, 5), kind="url", id="https://example.org/a", url=None, also=[]),
    ),
    "a DOI where a PMID is known": (
        "authoritative-identifier",
        lambda r: put(
            reference(r, 5),
            kind="doi",
            id="10.1038/nature11252",
            url=None,
            also=[{"kind": "pmid", "id": "22810696"}],
        ),
    ),
    "a PubMed page as a site": ("authoritative-identifier", same_paper_by_address),
    "a paper twice by another id": ("no-duplicates", same_paper_by_doi),
    "a paper twice by its page": ("no-duplicates", same_paper_by_address),
    "a paper twice by the same id": (
        "no-duplicates",
        lambda r: put(reference(r, 5), **{**reference(r, 4), "index": 5}),
    ),
    "tracked but never seen": (
        "tracked-consistent",
        lambda r: put(reference(r, 3), first_seen=None),
    ),
    "seen but not tracked": ("tracked-consistent", lambda r: put(reference(r, 3), tracked=False)),
    "a tool that is not tracked": (
        "tracked-consistent",
        lambda r: (tool_among_three(r), put(reference(r, 5), tracked=False, first_seen=None)),
    ),
    # intOGen's own publications.
    "an unmarked paper of intOGen": (
        "circular-marked",
        lambda r: put(
            reference(r, 5), id="32778778", also=[], url="https://pubmed.ncbi.nlm.nih.gov/32778778/"
        ),
    ),
    "an unmarked paper of intOGen by its DOI": (
        "circular-marked",
        lambda r: put(reference(r, 5), kind="doi", id="10.1038/nmeth.2642", also=[], url=None),
    ),
    "the site of intOGen": (
        "circular-marked",
        lambda r: put(
            reference(r, 5),
            kind="url",
            id="https://www.intogen.org/search?gene=APC",
            url="https://www.intogen.org/search?gene=APC",
            also=[],
        ),
    ),
    "another paper marked as intOGen's own": (
        "circular-marked",
        lambda r: put(reference(r, 5), circular=True),
    ),
    "supported by two references and one of intOGen": (
        "supported-references",
        lambda r: put(
            reference(r, 5),
            id="32778778",
            also=[],
            url="https://pubmed.ncbi.nlm.nih.gov/32778778/",
            circular=True,
        ),
    ),
    "supported though a threshold is missed": (
        "thresholds-met",
        lambda r: put_thresholds(r, references=2),
    ),
    "a threshold that needs nothing": (
        "thresholds-met",
        lambda r: put_thresholds(r)["thresholds"][1].update(needed=0),
    ),
    "a list without a threshold": (
        "thresholds-met",
        lambda r: put_thresholds(r)["thresholds"].pop(),
    ),
}
