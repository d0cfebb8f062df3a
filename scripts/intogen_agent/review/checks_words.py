"""Checks of the words of a statement against the words of its evidence."""

import re
from collections.abc import Iterator

from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.report.cancer_words import without_names
from intogen_agent.report.models import MechanismBullet
from intogen_agent.report.rules.ledger import numbers_from_evidence
from intogen_agent.report.text import sentences
from intogen_agent.review import polarity
from intogen_agent.review.capitals import foreign_words
from intogen_agent.review.case import Case, Finding, Placed
from intogen_agent.review.models import Section, Severity
from intogen_agent.review.naming import foreign_names, plain

# Sentences that share so many of their other words say the same, or the opposite; who leaves a
# clause out shares fewer.
ALIKE = 0.9
_NUMBER_ACTION = "Copy the number from the evidence, or remove it."


def number_in_evidence(case: Case) -> Iterator[Finding]:
    """Numbers of a bullet and of its chain stand in the items that it rests on."""
    for path, message in numbers_from_evidence(case.report, case.thresholds, case.evidence):
        placed = next(p for p in case.bullets() if path.startswith(p.path))
        why = f"The statement {message.split(';')[0]}."
        yield Finding(placed.section, Severity.HIGH, path, why, _NUMBER_ACTION)
    for placed in case.bullets(Section.MECHANISTIC_HYPOTHESIS):
        chain = _chain(placed)
        numbers = foreign_numbers(case.gene.without(chain), case.held(placed.bullet))
        if numbers and case.behind(placed.bullet):
            why = f"The chain states {', '.join(numbers)}, which its evidence does not hold."
            yield Finding(
                placed.section, Severity.HIGH, f"{placed.path}.chain", why, _NUMBER_ACTION
            )


def name_in_evidence(case: Case) -> Iterator[Finding]:
    """Genes, proteins and variants that a bullet or its chain names stand in its items."""
    known = " ".join(case.gene.all)
    for placed in case.bullets():
        if not case.behind(placed.bullet):
            continue
        cancers = f"{case.report.cancer.code} {case.report.cancer.name}"
        held = f"{case.held(placed.bullet)} {known} {cancers}"
        said = f"{placed.bullet.text} {_chain(placed)}"
        foreign = [*foreign_names(said, held), *foreign_words(said, held)]
        if foreign:
            yield Finding(
                placed.section,
                Severity.MEDIUM,
                placed.path,
                f"The statement names {', '.join(foreign)}, which {_evidence(placed)} do not.",
                "Write what the evidence names, or name the item that holds it.",
            )


def cancer_in_evidence(case: Case) -> Iterator[Finding]:
    """Other cancers that a bullet or its chain names stand in its items."""
    for placed in case.bullets():
        text = without_names(f"{placed.bullet.text} {_chain(placed)}")
        foreign = case.cancer.foreign_in(text, case.held(placed.bullet))
        if foreign and case.behind(placed.bullet):
            yield Finding(
                placed.section,
                Severity.HIGH,
                placed.path,
                f"The statement is made for {', '.join(foreign)}, of which {_evidence(placed)} do "
                "not speak.",
                "Name the cancers that the evidence names, or the item that holds it.",
            )


def negation_kept(case: Case) -> Iterator[Finding]:
    """A statement denies what its evidence denies, and nothing else."""
    for placed, sentence, source in _alike(case):
        here = len(polarity.NEGATION.findall(sentence))
        there = len(polarity.NEGATION.findall(source))
        if here != there:
            yield Finding(
                placed.section,
                Severity.HIGH,
                placed.path,
                f"'{sentence}' {'adds' if here > there else 'drops'} a negation of "
                f"{_evidence(placed)}.",
                "Say what the evidence says.",
            )


def direction_kept(case: Case) -> Iterator[Finding]:
    """A statement goes the way that its evidence goes."""
    for placed, sentence, source in _alike(case):
        if polarity.swapped(sentence, source) or polarity.crossed(sentence, source):
            yield Finding(
                placed.section,
                Severity.HIGH,
                placed.path,
                f"'{sentence}' goes another way than {_evidence(placed)} (up for down, loss for "
                "gain, or the like).",
                "Say what the evidence says.",
            )


def _alike(case: Case) -> Iterator[tuple[Placed, str, str]]:
    """Yield the sentences of bullets that nearly are sentences of their evidence, with these."""
    for placed in case.bullets():
        held = [
            sentence
            for item in case.behind(placed.bullet)
            for text in (item.quote, item.statement)
            for sentence in sentences(text)
        ]
        for sentence in sentences(placed.bullet.text):
            best = max(held, key=lambda other: _overlap(sentence, other), default="")
            if best and _overlap(sentence, best) >= ALIKE:
                yield placed, sentence, best


def _overlap(one: str, other: str) -> float:
    a, b = _words(one), _words(other)
    return len(a & b) / len(a | b) if a | b else 0.0


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9][a-z0-9-]+", plain(polarity.without_polarity(text))))


def _chain(placed: Placed) -> str:
    if not isinstance(placed.bullet, MechanismBullet):
        return ""
    chain = placed.bullet.chain
    return f"{chain.cause}; {chain.mediator}; {chain.outcome}"


def _evidence(placed: Placed) -> str:
    return ", ".join(placed.bullet.evidence)
