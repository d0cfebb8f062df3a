"""Which of the papers and records found are the same.

Two findings are one paper when they share an identifier. A paper has one PMID, one DOI and one
PMC id at most, so that a preprint and its article, or two papers that a source gave one DOI by
mistake, stay apart.
"""

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from intogen_agent.evidence.identifiers import Identifier
from intogen_agent.evidence.models import Relation

# Seed: "prioritized authoritative links (PubMed over DOI over other websites)".
RANK = {"pmid": 0, "doi": 1, "pmcid": 2, "nct": 3, "database": 4, "url": 5, "tool": 6}
PAPER_KINDS = ("pmid", "doi", "pmcid")
# bioRxiv and medRxiv, arXiv, Research Square, Preprints.org, SSRN, ChemRxiv, Authorea.
_PREPRINT = re.compile(
    r"10\.(?:1101/(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}(?:v\d+)?$|64898/|48550/|21203/|20944/|2139/ssrn"
    r"|26434/|22541/)"
)


class Found(NamedTuple):
    """A paper or record of a payload.

    Attributes:
        ids: Its identifiers, the preferred first: PubMed over DOI over other addresses.
        title: As the payload says it, without markup; None where it does not.
        retracted: True only where the payload says so.
        versions: Other versions of the work: the preprint of an article, the article of a preprint.
        mentioned: True where only another paper names it: in its text, its reference list, or as
            another version. Nothing of it was read there.
    """

    ids: tuple[Identifier, ...]
    title: str | None = None
    journal: str | None = None
    year: int | None = None
    retracted: bool = False
    versions: tuple[tuple[Relation, Identifier], ...] = ()
    mentioned: bool = False


class Merged(NamedTuple):
    """A paper or record with all that was found of it, and the place of its first finding."""

    found: Found
    first: int


def is_preprint(identifier: Identifier) -> bool:
    """Say whether an identifier is the DOI of a preprint server."""
    return identifier.kind == "doi" and _PREPRINT.match(identifier.id) is not None


def by_preference(identifier: Identifier) -> tuple[int, bool, int, str]:
    """Sort key of a paper's identifiers: the authority first, a preprint's DOI after others."""
    return RANK[identifier.kind], is_preprint(identifier), len(identifier.id), identifier.id


def merge(findings: Sequence[Found]) -> list[Merged]:
    """Merge findings of the same paper or record, in order of first appearance.

    Which identifiers go together does not depend on the order of the findings; what is said of a
    paper (title, journal, year) is taken from the first finding that says it.
    """
    homes, refused = _homes(findings)
    said: dict[Identifier, list[Found]] = {}
    beside: dict[Identifier, list[Identifier]] = {}
    first: dict[Identifier, int] = {}
    for place, finding in enumerate(findings):
        said.setdefault(homes.get(finding.ids[0], finding.ids[0]), []).append(finding)
        for identifier in finding.ids:
            home = homes.get(identifier, identifier)
            first.setdefault(home, place)
            beside.setdefault(home, []).append(identifier)
    preferred = {
        home: tuple(sorted(set(members), key=by_preference)) if len(members) > 1 else tuple(members)
        for home, members in beside.items()
    }
    versions = _versions(findings, homes, refused)
    return [
        Merged(
            _together(
                preferred[home],
                said.get(home, []),
                tuple(
                    (relation, preferred[other][0] if other in preferred else other)
                    for relation, other in versions.get(home, ())
                ),
            ),
            place,
        )
        for home, place in first.items()
    ]


def _together(
    ids: tuple[Identifier, ...],
    said: list[Found],
    versions: tuple[tuple[Relation, Identifier], ...],
) -> Found:
    """Return one paper or record from all that was found of it."""
    if len(said) == 1:
        return said[0]._replace(ids=ids, versions=versions)
    return Found(
        ids,
        title=next((one.title for one in said if one.title), None),
        journal=next((one.journal for one in said if one.journal), None),
        year=next((one.year for one in said if one.year), None),
        retracted=any(one.retracted for one in said),
        versions=versions,
        mentioned=bool(said) and all(one.mentioned for one in said),
    )


def _versions(
    findings: Sequence[Found],
    homes: dict[Identifier, Identifier],
    refused: Sequence[tuple[Identifier, Identifier]],
) -> dict[Identifier, dict[tuple[Relation, Identifier], None]]:
    """Return the other versions of each work, by their homes; both sides name each other."""
    said = [
        (finding.ids[0], relation, other)
        for finding in findings
        for relation, other in finding.versions
    ]
    # A record that gives an article a preprint's DOI beside its own says that they belong together.
    said += [(one, "preprint", other) for one, other in refused if is_preprint(other)]
    versions: dict[Identifier, dict[tuple[Relation, Identifier], None]] = {}
    for own, relation, other in said:
        here, there = homes.get(own, own), homes.get(other, other)
        if here != there:
            inverse: Relation = "article" if relation == "preprint" else "preprint"
            versions.setdefault(here, {})[relation, there] = None
            versions.setdefault(there, {})[inverse, here] = None
    return versions


def _homes(
    findings: Sequence[Found],
) -> tuple[dict[Identifier, Identifier], list[tuple[Identifier, Identifier]]]:
    """Return the identifiers that stand for papers by those that do not, and pairs kept apart."""
    several = [finding.ids for finding in findings if len(finding.ids) > 1]
    homes = {identifier: identifier for ids in several for identifier in ids}
    members = {identifier: {identifier.kind: identifier} for identifier in homes}
    pairs = {
        pair
        for ids in several
        for pair in itertools.combinations(
            sorted((i for i in ids if i.kind in PAPER_KINDS), key=by_preference), 2
        )
    }
    refused = []
    # A fixed order of the pairs makes the outcome independent of the order of the findings.
    for one, other in sorted(pairs, key=lambda pair: tuple(map(by_preference, pair))):
        home, joining = homes[one], homes[other]
        if home != joining and not members[home].keys() & members[joining].keys():
            for identifier in members.pop(joining).values():
                homes[identifier] = home
                members[home][identifier.kind] = identifier
        elif home != joining:
            refused.append((one, other))
    claims: dict[Identifier, set[Identifier]] = {}
    for ids in several:
        papers = [identifier for identifier in ids if identifier.kind in PAPER_KINDS]
        for identifier in ids:
            if identifier.kind == "url" and papers:
                claims.setdefault(identifier, set()).add(homes[papers[0]])
    for url, papers_of_url in claims.items():
        if len(papers_of_url) == 1:  # A page that several papers give is no paper's own.
            homes[url] = papers_of_url.pop()
    return homes, refused
