"""What rules share: violations, and the walk over a report's bullets."""

from collections.abc import Iterator
from typing import NamedTuple

from intogen_agent.report.models import Bullet, FinalReport, MechanismBullet

Finding = tuple[str, str]


class Violation(NamedTuple):
    """A breach of a rule.

    Attributes:
        rule: The rule's id, for example `citations-ascending`.
        path: Where in the report, for example `assessment.rationale[1].citations`.
        message: What is wrong and how to mend it.
    """

    rule: str
    path: str
    message: str


FUNCTION = "gene_function.bullets"
RATIONALE = "assessment.rationale"
MECHANISMS = "mechanistic_hypothesis.bullets"


def function_bullets(report: FinalReport) -> Iterator[tuple[str, Bullet]]:
    """Yield the bullets of Gene/Protein Function with their paths."""
    for number, bullet in enumerate(report.gene_function.bullets):
        yield f"{FUNCTION}[{number}]", bullet


def rationale_bullets(report: FinalReport) -> Iterator[tuple[str, Bullet]]:
    """Yield the bullets of the rationale with their paths."""
    for number, bullet in enumerate(report.assessment.rationale):
        yield f"{RATIONALE}[{number}]", bullet


def mechanism_bullets(report: FinalReport) -> Iterator[tuple[str, MechanismBullet]]:
    """Yield the mechanisms with their paths; none when the section is absent."""
    if report.mechanistic_hypothesis is not None:
        for number, bullet in enumerate(report.mechanistic_hypothesis.bullets):
            yield f"{MECHANISMS}[{number}]", bullet


def all_bullets(report: FinalReport) -> Iterator[tuple[str, Bullet]]:
    """Yield every bullet in the order in which readers meet them."""
    yield from function_bullets(report)
    yield from rationale_bullets(report)
    yield from mechanism_bullets(report)


def all_texts(report: FinalReport) -> Iterator[tuple[str, str]]:
    """Yield every text that a model wrote, with its path."""
    for path, bullet in all_bullets(report):
        yield f"{path}.text", bullet.text
        if isinstance(bullet, MechanismBullet):
            for part in ("cause", "mediator", "outcome"):
                yield f"{path}.chain.{part}", getattr(bullet.chain, part)
    if report.assessment.reason:
        yield "assessment.reason", report.assessment.reason
