"""Which references are the same paper, and which sources the support of a verdict comes from."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from intogen_agent.evidence.identifiers import make_identifier, parse_identifier
from intogen_agent.evidence.models import TrackedReference
from intogen_agent.report.models import Bullet, FinalReport, Reference
from intogen_agent.report.thresholds import Thresholds

PAPERS = frozenset({"pmid", "pmcid", "doi"})
# `Res` is cut from `Research`, not drawn out of `Reports`.
SHORT = 3
SourceBy = Literal["journal", "study"]


def text_key(text: str) -> str:
    """Return what equal identifiers have in common, however they are written.

    `PMID:9065401`, `pmid 9065401` and the paper's PubMed address have one key.
    """
    identifier = parse_identifier(text)
    return (identifier.text if identifier else text.strip()).casefold()


def citation_text(
    kind: str, id: str, database: str | None = None, record_id: str | None = None
) -> str:
    """Write an identifier as citations do: `PMID:9065401`, `UniProt:P25054`, `TOOL:name`."""
    identifier = make_identifier(kind, id, database, record_id) or parse_identifier(id)
    return identifier.text if identifier else id


def identifier_key(
    kind: str, id: str, database: str | None = None, record_id: str | None = None
) -> str:
    """Return the key (see `text_key`) of an identifier that is given by its parts."""
    return text_key(citation_text(kind, id, database, record_id))


def reference_keys(reference: Reference | TrackedReference) -> set[str]:
    """Return the keys of every identifier of a reference, its address included."""
    keys = {
        identifier_key(reference.kind, reference.id, reference.database, reference.record_id),
        *(identifier_key(other.kind, other.id) for other in reference.also),
    }
    return keys | {text_key(reference.url)} if reference.url else keys


@dataclass(frozen=True)
class Support:
    """What stands behind a verdict.

    Attributes:
        rationale: Rationale bullets that cite at least one reference that counts.
        references: Distinct papers, records and sites they cite together.
        sources: Journals, databases and sites these come from.
    """

    rationale: int
    references: int
    sources: list[str]

    def shortfalls(self, thresholds: Thresholds) -> list[str]:
        """Name each threshold of `supported` that is missed, with both numbers."""
        return [
            f"{found} {what} of the {needed} needed"
            for what, found, needed in (
                (
                    "rationale bullets with evidence",
                    self.rationale,
                    thresholds.min_supported_rationale,
                ),
                ("references", self.references, thresholds.min_supported_references),
                ("sources", len(self.sources), thresholds.min_supported_sources),
            )
            if found < needed
        ]


def support(
    report: FinalReport, tracked_only: bool = False, source_by: SourceBy = "journal"
) -> Support:
    """Count what the rationale rests on.

    Seed: "at least two rationale bullets collectively cite >=3 references derived from >=2
    distinct sources". A source is a journal, a database or a site; papers of unknown journals are
    one source together. Retracted papers, intOGen's own papers and TOOL pseudo-identifiers never
    count, and one work counts once, whichever of its identifiers or versions (preprint, article)
    is cited.

    Args:
        report: The report; citations that have no reference are passed over.
        tracked_only: Leave out references that no tool returned.
        source_by: With `study` each paper is a source of its own.
    """
    counting = {
        reference.index: reference
        for reference in report.references
        if reference.kind != "tool"
        and not reference.retracted
        and not reference.circular
        and (reference.tracked or not tracked_only)
    }
    return count([_cited(bullet, counting) for bullet in report.assessment.rationale], source_by)


def count(cited: Sequence[Sequence[Reference]], source_by: SourceBy = "journal") -> Support:
    """Count bullets, distinct papers and sources of the references that each bullet brings."""
    papers = distinct(reference for references in cited for reference in references)
    return Support(
        rationale=sum(bool(references) for references in cited),
        references=len(papers),
        sources=_distinct_sources(papers, source_by),
    )


def _cited(bullet: Bullet, counting: dict[int, Reference]) -> list[Reference]:
    return [counting[index] for index in bullet.citations if index in counting]


def distinct(references: Iterable[Reference]) -> list[Reference]:
    """Keep the first reference of each work: a preprint and its article are one."""
    kept: list[Reference] = []
    seen: set[str] = set()
    for reference in references:
        versions = {identifier_key(one.kind, one.id) for one in reference.versions}
        keys = reference_keys(reference) | versions
        if not keys & seen:
            kept.append(reference)
        seen |= keys
    return kept


def _distinct_sources(references: Iterable[Reference], source_by: SourceBy) -> list[str]:
    sources: list[str] = []
    for reference in references:
        if source_by == "study" and reference.kind in PAPERS:
            sources.append(citation_text(reference.kind, reference.id))
            continue
        source = source_of(reference)
        if not any(same_source(source, other) for other in sources):
            sources.append(source)
    return sources


def source_of(reference: Reference) -> str:
    """Name the journal, database or site that a reference comes from."""
    if reference.kind in PAPERS:
        return reference.journal or "unknown journal"
    if reference.kind == "nct":
        return "ClinicalTrials.gov"
    if reference.kind == "database":
        return reference.database or "unknown database"
    host = urlsplit(reference.url or reference.id).hostname or "unknown site"
    return host.removeprefix("www.")


def same_source(one: str, other: str) -> bool:
    """Say whether two names are one source.

    Journals are written in full by some servers and abbreviated by others: `Hum. Mol. Genet.` and
    `Human Molecular Genetics` are one. So is a journal with and without its subtitle.

    Source: ISO 4 and the NLM's title abbreviations, which cut words at their end; the few that
    leave letters out of their middle keep the last (`Natl`, `Intl`).
    """
    a, b = _name_words(one), _name_words(other)
    if a == b:
        return True
    return 1 < len(a) == len(b) and all(_abbreviates(x, y) for x, y in zip(a, b, strict=True))


def _name_words(name: str) -> Sequence[str]:
    # PubMed: `Science (New York, N.Y.)`, `Blood cancer journal : an official journal of ...`.
    title = re.split(r"\s?:\s|\s=\s", re.sub(r"\([^)]*\)", " ", name).strip(), maxsplit=1)[0]
    words = re.findall(r"[^\W_]+", title.casefold())
    return [word for word in words if word not in ("the", "of", "and", "in", "for")]


def _abbreviates(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return True
    letters = iter(long)
    contracted = short[:2] == long[:2] and all(letter in letters for letter in short)
    return contracted and len(short) > SHORT and short[-1] == long[-1]
