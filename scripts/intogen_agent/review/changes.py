"""What a refinement changed in a report, and what it lost."""

from collections.abc import Iterable, Mapping

from intogen_agent.report.models import Bullet, FinalReport
from intogen_agent.report.sources import citation_text, reference_keys
from intogen_agent.review.models import Answer, CritiqueIssue, Section

# The parts of a report that an accepted issue may change.
PARTS: Mapping[Section, frozenset[Section]] = {
    Section.GENE_FUNCTION: frozenset({Section.GENE_FUNCTION}),
    Section.MECHANISTIC_HYPOTHESIS: frozenset({Section.MECHANISTIC_HYPOTHESIS}),
    Section.ASSESSMENT: frozenset({Section.ASSESSMENT}),
    Section.VERDICT_ALIGNMENT: frozenset(
        {Section.VERDICT_ALIGNMENT, Section.ASSESSMENT, Section.MECHANISTIC_HYPOTHESIS}
    ),
}
_VERDICT = frozenset({Section.ASSESSMENT, Section.VERDICT_ALIGNMENT})


def bullets(report: FinalReport) -> dict[Section, list[Bullet]]:
    """Return a report's bullets by section."""
    hypothesis = report.mechanistic_hypothesis
    return {
        Section.GENE_FUNCTION: list(report.gene_function.bullets),
        Section.ASSESSMENT: list(report.assessment.rationale),
        Section.MECHANISTIC_HYPOTHESIS: list(hypothesis.bullets if hypothesis else []),
    }


def changes(before: FinalReport, after: FinalReport) -> list[str]:
    """Return the statements that were removed (`-`), added (`+`) or rest on something else (`~`).

    A bullet whose words stayed and whose citations or evidence did not is a change too: who cites
    another paper says something else.
    """
    old, new = _statements(before), _statements(after)
    removed = [f"- {text}" for text in old if text not in new]
    added = [f"+ {text}" for text in new if text not in old]
    moved = [
        f"~ {text} (now {_based(new[text])}; before {_based(basis)})"
        for text, basis in old.items()
        if text in new and new[text] != basis
    ]
    return [*removed, *added, *moved]


def edited(before: FinalReport, after: FinalReport) -> set[Section]:
    """Return the sections that differ; `verdict_alignment` is the verdict and its reason."""
    old, new = bullets(before), bullets(after)
    found = {
        section
        for section in old
        if _basis_of(before, old[section]) != _basis_of(after, new[section])
    }
    if _verdict(before) != _verdict(after):
        found.add(Section.VERDICT_ALIGNMENT)
    return found


def losses(
    before: FinalReport,
    after: FinalReport,
    issues: Iterable[CritiqueIssue],
    answers: Iterable[Answer],
) -> list[str]:
    """Return what a refinement lost without a reason.

    A statement may lose its evidence, its citations or its place only if the refiner accepted an
    issue about its section; the verdict may turn only if it accepted one about the assessment or
    the verdict. What has moved to another section is not lost.
    """
    sections = {issue.id: issue.section for issue in issues}
    accepted = {
        sections[answer.issue]
        for answer in answers
        if answer.decision == "accepted" and answer.issue in sections
    }
    excused = set[Section]().union(*(PARTS[section] for section in accepted))
    held = {key for own in bullets(after).values() for key in _keys(after, own)}
    found = []
    for section, own in bullets(before).items():
        lost = [name for name, keys in _content(before, own).items() if not keys & held]
        if lost and section not in excused:
            found.append(
                f"{section.value} lost {', '.join(lost)} and no accepted issue asks for it"
            )
    turned = before.assessment.involvement is not after.assessment.involvement
    if turned and not accepted & _VERDICT:
        found.append("the verdict turned and no accepted issue asks for it")
    return found


def _statements(report: FinalReport) -> dict[str, tuple[list[str], list[str]]]:
    """Return what a report says, each statement with its citations and evidence."""
    found: dict[str, tuple[list[str], list[str]]] = {
        f"involvement: {report.assessment.involvement.value}": ([], [])
    }
    for own in bullets(report).values():
        found |= {bullet.text: _basis(report, bullet) for bullet in own}
    return found


def _basis(report: FinalReport, bullet: Bullet) -> tuple[list[str], list[str]]:
    names = {
        each.index: citation_text(each.kind, each.id, each.database, each.record_id)
        for each in report.references
    }
    cited = [names[index] for index in bullet.citations if index in names]
    return sorted(cited), sorted(bullet.evidence)


def _basis_of(report: FinalReport, own: list[Bullet]) -> list[object]:
    chains = [bullet.model_dump().get("chain") for bullet in own]
    return [(bullet.text, _basis(report, bullet)) for bullet in own] + chains


def _content(report: FinalReport, own: list[Bullet]) -> dict[str, set[str]]:
    """Return what bullets rest on, by its name, with all identifiers that it goes under."""
    references = {reference.index: reference for reference in report.references}
    found: dict[str, set[str]] = {}
    for bullet in own:
        for index in bullet.citations:
            if index in references:
                each = references[index]
                name = citation_text(each.kind, each.id, each.database, each.record_id)
                found[name] = reference_keys(each)
        found |= {name: {name} for name in bullet.evidence}
    return found


def _keys(report: FinalReport, own: list[Bullet]) -> set[str]:
    return set[str]().union(*_content(report, own).values())


def _based(basis: tuple[list[str], list[str]]) -> str:
    return ", ".join([*basis[0], *basis[1]]) or "nothing"


def _verdict(report: FinalReport) -> tuple[object, ...]:
    assessment = report.assessment
    return assessment.involvement, assessment.undetermined, assessment.reason
