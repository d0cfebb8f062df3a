"""What a refinement changed in a report, and what it changed unasked."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from intogen_agent.report.models import Bullet, FinalReport, MechanismBullet
from intogen_agent.report.sources import citation_text, reference_keys
from intogen_agent.review.models import Answer, CritiqueIssue, Section

# The parts of a report that an accepted issue may change. The reason of a verdict counts what the
# rationale holds, so it moves with it.
PARTS: Mapping[Section, frozenset[Section]] = {
    Section.GENE_FUNCTION: frozenset({Section.GENE_FUNCTION}),
    Section.MECHANISTIC_HYPOTHESIS: frozenset({Section.MECHANISTIC_HYPOTHESIS}),
    Section.ASSESSMENT: frozenset({Section.ASSESSMENT, Section.VERDICT_ALIGNMENT}),
    Section.VERDICT_ALIGNMENT: frozenset(
        {Section.VERDICT_ALIGNMENT, Section.ASSESSMENT, Section.MECHANISTIC_HYPOTHESIS}
    ),
}
_SHOWN = 3
_SHOWN_LENGTH = 160


class Said(NamedTuple):
    """A statement of a report: its section, its words, and what it rests on."""

    section: Section
    words: str
    cited: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The statement as it stands in `critique.json`."""
        return f"{self.section.value}: {self.words}"

    @property
    def basis(self) -> str:
        """What it rests on, in words."""
        return ", ".join([*self.cited, *self.evidence]) or "nothing"


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

    The verdict, its reason and the chains of mechanisms are statements like the bullets. A bullet
    whose words stayed and whose citations or evidence did not is a change too: who cites another
    paper says something else.
    """
    return _shown(*_differing(before, after))


def edited(before: FinalReport, after: FinalReport) -> set[Section]:
    """Return the sections that differ; `verdict_alignment` is the verdict and its reason.

    The order of a section's statements says nothing.
    """
    removed, added = _differing(before, after)
    return {said.section for said in [*removed, *added]}


def unasked(
    before: FinalReport,
    after: FinalReport,
    issues: Iterable[CritiqueIssue],
    answers: Iterable[Answer],
) -> list[str]:
    """Return what a refinement changed without a reason, by section.

    A statement, a chain, a citation or the verdict may change only if the refiner accepted an issue
    about its section. A verdict that turns for a reason takes the mechanisms with it: only
    supported pairs have some.
    """
    sections = {issue.id: issue.section for issue in issues}
    accepted = {
        sections[answer.issue]
        for answer in answers
        if answer.decision == "accepted" and answer.issue in sections
    }
    excused = set[Section]().union(*(PARTS[section] for section in accepted))
    turned = before.assessment.involvement is not after.assessment.involvement
    if turned and Section.VERDICT_ALIGNMENT in excused:
        excused.add(Section.MECHANISTIC_HYPOTHESIS)
    removed, added = _differing(before, after)
    found = []
    for section in Section:
        shown = _shown(*([s for s in part if s.section is section] for part in (removed, added)))
        if shown and section not in excused:
            some = "; ".join(_short(line) for line in shown[:_SHOWN])
            found.append(f"{section.value} changed and no accepted issue asks for it ({some})")
    return found


def _differing(before: FinalReport, after: FinalReport) -> tuple[list[Said], list[Said]]:
    """Return what only the report before says, and what only the one after does."""
    old, new = _statements(before, {}), _statements(after, _names(before))
    removed, added = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return list(removed.elements()), list(added.elements())


def _shown(removed: Iterable[Said], added: Iterable[Said]) -> list[str]:
    gone, come = list(removed), list(added)
    moved = []
    for said in list(gone):
        same = next((other for other in come if other[:2] == said[:2]), None)
        if same is not None:
            gone.remove(said)
            come.remove(same)
            moved.append(f"~ {said.text} (now {same.basis}; before {said.basis})")
    return [*(f"- {said.text}" for said in gone), *(f"+ {said.text}" for said in come), *moved]


def _statements(report: FinalReport, known: Mapping[str, str]) -> list[Said]:
    """Return what a report says: the verdict with its reason, then every bullet with its chain."""
    assessment = report.assessment
    verdict = [f"involvement {assessment.involvement.value}"]
    verdict += ["evidence could not be obtained"] if assessment.undetermined else []
    verdict += [f"reason {assessment.reason}"] if assessment.reason else []
    found = [Said(Section.VERDICT_ALIGNMENT, words) for words in verdict]
    for section, own in bullets(report).items():
        found += [Said(section, _words(bullet), *_basis(report, bullet, known)) for bullet in own]
    return found


def _words(bullet: Bullet) -> str:
    if not isinstance(bullet, MechanismBullet):
        return bullet.text
    chain = bullet.chain
    return f"{bullet.text} [{chain.cause} > {chain.mediator} > {chain.outcome}]"


def _basis(
    report: FinalReport, bullet: Bullet, known: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a bullet rests on; a paper goes by the name that it is known under."""
    names = {
        each.index: next(
            (known[key] for key in sorted(reference_keys(each)) if key in known),
            citation_text(each.kind, each.id, each.database, each.record_id),
        )
        for each in report.references
    }
    cited = sorted(names[index] for index in bullet.citations if index in names)
    return tuple(cited), tuple(sorted(bullet.evidence))


def _names(report: FinalReport) -> dict[str, str]:
    """Return the names of a report's references by all identifiers that they go under."""
    return {
        key: citation_text(each.kind, each.id, each.database, each.record_id)
        for each in report.references
        for key in reference_keys(each)
    }


def _short(line: str) -> str:
    return line if len(line) <= _SHOWN_LENGTH else f"{line[:_SHOWN_LENGTH]}..."
