"""The parts of a page that show evidence: conflicts, references, what findings rest on."""

from collections.abc import Iterator, Mapping, Sequence

from intogen_agent.evidence.identifiers import canonical_url, parse_identifier
from intogen_agent.evidence.models import EvidenceItem, Kind, Phase2, Query, Scope, Stance, System
from intogen_agent.report.escaping import escape, link
from intogen_agent.report.models import Bullet, FinalReport, MechanismBullet, Reference
from intogen_agent.report.sources import citation_text

# The items of phase 1 are F1, F2, ...
FUNCTION_ITEM = "F"
_SCOPES = {
    Scope.SUBTYPE: "a subtype",
    Scope.RELATED: "a related cancer",
    Scope.PAN_CANCER: "many cancers",
    Scope.OTHER: "another cancer",
}


def conflict_lines(report: FinalReport, phase2: Phase2 | None) -> Iterator[str]:
    """Yield the section of what speaks against the gene and of searches without an answer.

    Items that the assessment states already are counted, not repeated.
    """
    if phase2 is None:
        return
    against = [
        item
        for item in phase2.ledger
        if item.stance is Stance.REFUTES or item.kind in (Kind.CONTRADICTION, Kind.NULL_RESULT)
    ]
    stated = {name for bullet in report.assessment.rationale for name in bullet.evidence}
    items = [item for item in against if item.id not in stated]
    failed = [query for query in phase2.queries if query.outcome in ("failed", "refused")]
    empty = [query for query in phase2.queries if query.outcome == "empty"]
    if not (against or failed or empty or phase2.failures):
        return
    addresses = {
        citation_text(each.kind, each.id, each.database, each.record_id): each.url
        for each in phase2.references
    }
    yield "## Conflicting evidence and null results"
    yield ""
    if len(items) < len(against):
        yield f"- Findings of this kind in the assessment above: {len(against) - len(items)}"
    for item in items:
        yield f"- {_conflict(item, addresses)}"
    for query in empty:
        yield f"- Search without a result: {_asked(query)}"
    for query in failed:
        yield f"- Search that failed, its answer is unknown: {_asked(query)}"
    for failure in phase2.failures:
        yield (
            f"- Tool {escape(failure.tool)} failed after {failure.attempts} attempts: "
            f"{escape(failure.message)}"
        )
    yield ""


def _conflict(item: EvidenceItem, addresses: dict[str, str | None]) -> str:
    what = {
        Kind.NULL_RESULT: "Null result",
        Kind.CONTRADICTION: "Qualifies or contradicts",
    }.get(item.kind, "Evidence against")
    if item.stance is Stance.REFUTES and item.kind is Kind.NULL_RESULT:
        what = "Evidence against"
    cited = [link(text, addresses.get(text) or address(text)) for text in item.references]
    return f"{what}: {escape(item.statement)} ({', '.join(cited)})"


def _asked(query: Query) -> str:
    asked = "; ".join(f"{name}: {_shown(value)}" for name, value in sorted(query.arguments.items()))
    return escape(f"{asked}{f' ({query.note})' if query.note else ''}")


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def reference_lines(references: Sequence[Reference]) -> Iterator[str]:
    """Yield the section of references, with a note for each mark that occurs."""
    yield "## References"
    yield ""
    for reference in references:
        yield f"{reference.index}. {_reference(reference)}"
    if not references:
        yield "None."
    yield ""
    if any(not reference.tracked for reference in references):
        yield (
            "\\* Untracked: no tool of this journey returned this reference; a model introduced "
            "it. Check it before you rely on it."
        )
        yield ""
    if any(reference.circular for reference in references):
        yield (
            "INTOGEN: a publication of intOGen itself, or one that starts from its drivers. It is "
            "no evidence for a driver call of intOGen and counts for no threshold."
        )
        yield ""


def _reference(reference: Reference) -> str:
    own = citation_text(reference.kind, reference.id, reference.database, reference.record_id)
    if reference.kind == "tool":
        described = "Tool of this journey, no publication"
    elif reference.kind == "database" and not reference.title:
        described = escape(f"Record of {reference.database or 'an unnamed database'}")
    elif reference.kind == "database":
        described = escape(f"{reference.database}: {(reference.title or '').rstrip('. ')}")
    else:
        described = escape((reference.title or "Title not known").rstrip(". "))
    facts = [described, *([f"*{escape(reference.journal)}*"] if reference.journal else [])]
    if reference.year is not None:
        facts.append(str(reference.year))
    identifiers = [link(own, reference.url)]
    for other in reference.also:
        text = citation_text(other.kind, other.id)
        identifiers.append(link(text, address(text)))
    for version in reference.versions:
        text = citation_text(version.kind, version.id)
        identifiers.append(f"its {version.relation} {link(text, address(text))}")
    marks = "**RETRACTED** " if reference.retracted else ""
    marks += "**INTOGEN** " if reference.circular else ""
    star = "" if reference.tracked else " \\*"
    return f"{marks}{'. '.join(facts)}. {', '.join(identifiers)}{star}"


def address(text: str | None) -> str | None:
    """Return the page of an identifier, if it has one."""
    identifier = parse_identifier(text) if text else None
    return canonical_url(identifier) if identifier else None


def basis_note(bullet: Bullet, ledger: Mapping[str, EvidenceItem]) -> str:
    """Say in which systems and on what basis a bullet's findings were made, and in which cancer.

    So that a mouse or a model on a computer is not taken for patients (seed: "Human data for the
    target cancer were prioritized"). It is the summarizer's classification, and is shown as such.
    A chain that also rests on the gene's function records says so: those are of no cancer.
    """
    notes = [
        ", ".join(_basis(ledger[name]))
        for name in bullet.evidence
        if name in ledger and ledger[name].kind is not Kind.FUNCTION
    ]
    rests_on_function = any(name.startswith(FUNCTION_ITEM) for name in bullet.evidence)
    if isinstance(bullet, MechanismBullet) and rests_on_function:
        notes.append("in part the gene's function records")
    told = [note for note in dict.fromkeys(notes) if note]
    return f" *Classed: {'; '.join(told)}.*" if told else ""


def _basis(item: EvidenceItem) -> Iterator[str]:
    if item.system is not System.NOT_STATED:
        yield item.system.value
    yield item.basis.value.replace("_", " ")
    if item.scope is not Scope.TARGET:
        yield _SCOPES[item.scope]
