"""The reference manager: which identifiers the tools returned, where first, and what they are.

Seed: "a reference manager scanned all raw tool payloads ... to extract PMIDs, DOIs,
ClinicalTrials IDs, database names and accessions, and URLs. It merged duplicate identifiers across
sources, prioritized authoritative links (PubMed over DOI over other websites), and enforced
database-specific requirements".
"""

from collections.abc import Iterable

from intogen_agent.evidence.identifiers import (
    Identifier,
    canonical_url,
    format_problem,
    make_identifier,
    parse_identifier,
)
from intogen_agent.evidence.models import FirstSeen, OtherId, TrackedReference, Version
from intogen_agent.evidence.payload_merge import Found, merge
from intogen_agent.evidence.payload_records import scan

__all__ = [
    "Found",
    "Identifier",
    "ReferenceManager",
    "canonical_url",
    "format_problem",
    "identifier_of",
    "make_identifier",
    "parse_identifier",
    "scan",
]


class ReferenceManager:
    """Collects the papers and records of all raw payloads of a journey.

    Args:
        references: What an earlier phase tracked; it keeps its order and its first places.
    """

    def __init__(self, references: Iterable[TrackedReference] = ()) -> None:
        self._findings: list[Found] = []
        self._seen: list[FirstSeen] = []
        self._tracked: dict[Identifier, TrackedReference] | None = None
        for reference in references:
            self._findings.append(_as_found(reference))
            self._seen.append(reference.first_seen)

    def observe(self, payload: str, stage: str, tool: str, call: str) -> list[str]:
        """Take in the raw payload of a tool call.

        Returns:
            The canonical identifier of each of its papers and records, in order of appearance; not
            of those that another paper merely names.
        """
        findings = scan(payload)
        self._findings += findings
        self._seen += [FirstSeen(stage=stage, tool=tool, call=call)] * len(findings)
        self._tracked = None
        by_id = self._by_id()
        read = [finding for finding in findings if not finding.mentioned]
        return list(dict.fromkeys(_text(by_id[finding.ids[0]]) for finding in read))

    def allowed(self) -> list[str]:
        """Return the canonical identifier of every paper and record, in order of appearance.

        What another paper merely names is tracked, but nothing may be cited for it.
        """
        return [_text(reference) for reference in self.tracked() if not reference.mentioned]

    def tracked(self) -> list[TrackedReference]:
        """Return every paper and record once, in order of appearance."""
        unique = {id(reference): reference for reference in self._by_id().values()}
        return list(unique.values())

    def resolve(self, identifier: str) -> TrackedReference | None:
        """Return the paper or record that has an identifier, by any of its identifiers."""
        parsed = parse_identifier(identifier)
        return self._by_id().get(parsed) if parsed else None

    def _by_id(self) -> dict[Identifier, TrackedReference]:
        if self._tracked is None:
            self._tracked = {}
            for merged in merge(self._findings):
                reference = _as_tracked(merged.found, self._seen[merged.first])
                self._tracked |= dict.fromkeys(merged.found.ids, reference)
        return self._tracked


def _text(reference: TrackedReference) -> str:
    return identifier_of(reference).text


def identifier_of(reference: TrackedReference) -> Identifier:
    """Return the preferred identifier of a tracked paper or record."""
    identifier = make_identifier(
        reference.kind, reference.id, reference.database, reference.record_id
    )
    if identifier is None:
        raise ValueError(f"a tracked reference is no identifier: {reference.kind} {reference.id}")
    return identifier


def _as_found(reference: TrackedReference) -> Found:
    others = (make_identifier(other.kind, other.id) for other in reference.also)
    versions = ((one.relation, make_identifier(one.kind, one.id)) for one in reference.versions)
    return Found(
        (identifier_of(reference), *(other for other in others if other)),
        title=reference.title,
        journal=reference.journal,
        year=reference.year,
        retracted=reference.retracted,
        mentioned=reference.mentioned,
        versions=tuple((relation, other) for relation, other in versions if other),
    )


def _as_tracked(found: Found, first_seen: FirstSeen) -> TrackedReference:
    own, *others = found.ids
    return TrackedReference(
        kind=own.kind,
        id=own.id,
        also=[OtherId(kind=other.kind, id=other.id) for other in others],
        versions=[
            Version(relation=relation, kind=other.kind, id=other.id)
            for relation, other in found.versions
        ],
        database=own.database,
        record_id=own.record_id,
        url=canonical_url(own),
        title=found.title,
        journal=found.journal,
        year=found.year,
        retracted=found.retracted,
        mentioned=found.mentioned,
        first_seen=first_seen,
    )
