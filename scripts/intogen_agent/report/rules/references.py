"""Rules of reference integrity.

Source: seed, "Structured report generation and Pydantic-based validation", reference integrity,
and "Tool output summarization and reference management".
"""

from collections.abc import Iterator

from intogen_agent.evidence.identifiers import (
    canonical_url,
    format_problem,
    make_identifier,
    parse_identifier,
    parse_url,
)
from intogen_agent.report.circular import is_circular
from intogen_agent.report.models import FinalReport, Reference
from intogen_agent.report.rules.base import Finding
from intogen_agent.report.sources import reference_keys, text_key
from intogen_agent.report.thresholds import Thresholds


def _references(report: FinalReport) -> Iterator[tuple[str, Reference]]:
    for position, reference in enumerate(report.references):
        yield f"references[{position}]", reference


def identifier_format(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Reference objects validate identifier formats, the prefix of PMIDs included."""
    for path, reference in _references(report):
        # Addresses have rules of their own.
        problem = format_problem(
            reference.kind, reference.id, reference.database, reference.record_id, None
        )
        if problem:
            yield f"{path}.id", problem
        for place, other in enumerate(reference.also):
            problem = format_problem(other.kind, other.id, None, None, None)
            if other.kind != "database" and problem:
                yield f"{path}.also[{place}].id", problem


def database_complete(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """A database entry has both the database's name and the record's id."""
    for path, reference in _references(report):
        if reference.kind == "database":
            for name in ("database", "record_id"):
                if not (getattr(reference, name) or "").strip():
                    yield f"{path}.{name}", f"a database entry needs its {name}."


def url_shape(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """URLs have a basic URL shape; only http and https are addresses of evidence."""
    for path, reference in _references(report):
        url = reference.url
        if url is not None and (parse_url(url) is None or not url.isprintable() or " " in url):
            yield f"{path}.url", "is no http(s) address of a site; write the reference's own page."
        elif reference.kind == "url" and url is None:
            yield f"{path}.url", "a reference to a site needs its address."


def url_of_the_same_paper(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """A PMID has its PubMed URL; no reference has the address of another paper or record.

    Seed: "When a PMID is present without a URL, a canonical PubMed URL is automatically derived"
    (when the report is read). Here also: whatever has a page of its own (DOIs, PMCIDs, trials,
    records of databases) has this page or another one that names the same paper or record. A page
    that names none is no proof that it is the paper's.
    """
    for path, reference in _references(report):
        if reference.url is None:
            continue
        own = reference_keys(reference.model_copy(update={"url": None}))
        target = parse_identifier(reference.url)
        home = make_identifier(
            reference.kind, reference.id, reference.database, reference.record_id
        )
        page = canonical_url(home) if home else None
        same = target is not None and text_key(reference.url) in own
        # PubMed goes before the other addresses of a paper; a site is its address.
        strict = reference.kind in ("pmid", "url") and target != home
        if home is not None and page is not None and (strict or not same):
            if reference.url != page:
                yield f"{path}.url", f"is not the page of {home.text}; write {page}."
        elif target and target.kind != "url" and not same:
            yield f"{path}.url", f"is the address of {target.text}, not of {reference.id}."


_AUTHORITY = {"pmid": 0, "doi": 1, "pmcid": 1, "url": 2}


def authoritative_identifier(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """PubMed is preferred over DOI over other addresses of the same paper."""
    for path, reference in _references(report):
        own = _AUTHORITY.get(reference.kind)
        if own is None:
            continue
        named = [make_identifier(other.kind, other.id) for other in reference.also]
        named.append(parse_identifier(reference.id) if reference.kind == "url" else None)
        better = [each for each in named if each and _AUTHORITY.get(each.kind, 9) < own]
        if better:
            yield f"{path}.kind", f"the same paper is {better[0].text}; cite it by this identifier."


def database_id(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """The id of a database reference is its database and record id."""
    for path, reference in _references(report):
        if reference.kind != "database" or not (reference.database and reference.record_id):
            continue
        own = make_identifier("database", "", reference.database, reference.record_id)
        if own is not None and reference.id not in (own.id, own.text):
            yield f"{path}.id", f"is not {own.id}; write the identifier of the record."


def no_duplicates(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Duplicate identifiers are merged: a paper or record stands once in the list, by any id."""
    first: dict[str, str] = {}
    for path, reference in _references(report):
        keys = reference_keys(reference)
        same = next((first[key] for key in sorted(keys) if key in first), None)
        if same is not None:
            yield path, f"{reference.id} is the same paper or record as {same}; list it once."
        for key in keys:
            first.setdefault(key, path)


def tracked_consistent(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Untracked references are marked as such; tracked ones say where they were first seen.

    Untracked is legal (such references are starred for readers). A TOOL pseudo-identifier names a
    tool that was called, so it cannot be untracked.
    """
    for path, reference in _references(report):
        if reference.tracked and reference.first_seen is None:
            yield (
                f"{path}.first_seen",
                "a tracked reference says where it was first seen; without that it is untracked.",
            )
        elif not reference.tracked and reference.first_seen is not None:
            yield f"{path}.tracked", "was seen by a tool, so it is tracked; set it to true."
        elif not reference.tracked and reference.kind == "tool":
            yield f"{path}.tracked", f"{reference.id} names no tool that was called."


def circular_marked(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Publications of intOGen itself are marked: they are no evidence for a call of intOGen."""
    for path, reference in _references(report):
        own = is_circular(reference)
        if own != reference.circular:
            what = "is" if own else "is not"
            yield (
                f"{path}.circular",
                f"{reference.id} {what} one of intOGen's own publications; set it to "
                f"{str(own).lower()}.",
            )
