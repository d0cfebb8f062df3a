"""Which of the papers and records found are the same.

Two findings are one paper when they share an identifier. A paper has one PMID, one DOI and one
PMC id at most, so that a preprint and its article, or two papers that a source gave one DOI by
mistake, stay apart.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from intogen_agent.evidence.identifiers import Identifier

# Seed: "prioritized authoritative links (PubMed over DOI over other websites)".
RANK = {"pmid": 0, "doi": 1, "pmcid": 2, "nct": 3, "database": 4, "url": 5, "tool": 6}
PAPER_KINDS = ("pmid", "doi", "pmcid")
# bioRxiv and medRxiv, arXiv, Research Square, Preprints.org, SSRN, ChemRxiv, Authorea.
_PREPRINT = re.compile(
    r"10\.(?:1101/(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}(?:v\d+)?$|64898/|48550/|21203/|20944/|2139/ssrn"
    r"|26434/|22541/)"
)


@dataclass(frozen=True)
class Found:
    """A paper or record of a payload.

    Attributes:
        ids: Its identifiers, the preferred first: PubMed over DOI over other addresses.
        title: As the payload says it, without markup; None where it does not.
        retracted: True only where the payload says so.
    """

    ids: tuple[Identifier, ...]
    title: str | None = None
    journal: str | None = None
    year: int | None = None
    retracted: bool = False


@dataclass(frozen=True)
class Merged:
    """A paper or record with all that was found of it, and the place of its first finding."""

    found: Found
    first: int


def by_preference(identifier: Identifier) -> tuple[int, bool, int, str]:
    """Sort key of a paper's identifiers: the authority first, a preprint's DOI after others."""
    preprint = identifier.kind == "doi" and _PREPRINT.match(identifier.id) is not None
    return RANK[identifier.kind], preprint, len(identifier.id), identifier.id


def merge(findings: Sequence[Found]) -> list[Merged]:
    """Merge findings of the same paper or record, in order of first appearance.

    Which identifiers go together does not depend on the order of the findings; what is said of a
    paper (title, journal, year) is taken from the first finding that says it.
    """
    homes = _homes(findings)
    ids: dict[Identifier, dict[Identifier, None]] = {}
    said: dict[Identifier, list[Found]] = {}
    first: dict[Identifier, int] = {}
    for place, finding in enumerate(findings):
        for identifier in finding.ids:
            home = homes[identifier]
            first.setdefault(home, place)
            ids.setdefault(home, {})[identifier] = None
        said.setdefault(homes[finding.ids[0]], []).append(finding)
    return [
        Merged(
            Found(
                tuple(sorted(members, key=by_preference)),
                title=next((f.title for f in said.get(home, ()) if f.title), None),
                journal=next((f.journal for f in said.get(home, ()) if f.journal), None),
                year=next((f.year for f in said.get(home, ()) if f.year), None),
                retracted=any(f.retracted for f in said.get(home, ())),
            ),
            first[home],
        )
        for home, members in ids.items()
    ]


def _homes(findings: Sequence[Found]) -> dict[Identifier, Identifier]:
    """Return for every identifier the one that stands for its paper or record."""
    homes = {identifier: identifier for finding in findings for identifier in finding.ids}
    members = {identifier: {identifier.kind: identifier} for identifier in homes}
    pairs = {
        pair
        for finding in findings
        for pair in itertools.combinations(
            sorted((i for i in finding.ids if i.kind in PAPER_KINDS), key=by_preference), 2
        )
    }
    # A fixed order of the pairs makes the outcome independent of the order of the findings.
    for one, other in sorted(pairs, key=lambda pair: tuple(map(by_preference, pair))):
        home, joining = homes[one], homes[other]
        if home != joining and not members[home].keys() & members[joining].keys():
            for identifier in members.pop(joining).values():
                homes[identifier] = home
                members[home][identifier.kind] = identifier
    claims: dict[Identifier, set[Identifier]] = {}
    for finding in findings:
        papers = [identifier for identifier in finding.ids if identifier.kind in PAPER_KINDS]
        for identifier in finding.ids:
            if identifier.kind == "url" and papers:
                claims.setdefault(identifier, set()).add(homes[papers[0]])
    for url, papers_of_url in claims.items():
        if len(papers_of_url) == 1:  # A page that several papers give is no paper's own.
            homes[url] = papers_of_url.pop()
    return homes
