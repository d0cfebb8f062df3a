"""Chains of mechanism: alteration, mediator, outcome, each in a statement's own words."""

from dataclasses import dataclass

from intogen_agent.offline import causes, molecules, outcomes
from intogen_agent.offline.genes import Gene


@dataclass(frozen=True)
class Chain:
    """One chain and how sure it is."""

    cause: str
    mediator: str
    outcome: str
    rank: int


@dataclass(frozen=True)
class Links:
    """The links found in one statement; a missing one is None."""

    cause: str | None
    mediator: str | None
    outcome: str | None
    rank: int


def links(text: str, gene: Gene, hints: tuple[str, ...] = ()) -> Links:
    """Find the three links of a chain in a statement.

    Args:
        text: The statement.
        gene: The gene whose alteration the chain starts with.
        hints: Names of molecules known from the gene's function.
    """
    found = outcomes.outcomes(text)
    outcome = found[0] if found else None
    middle = [
        one
        for one in molecules.mediators(text, gene, hints)
        if outcome is None or not _same(one.text, outcome.text)
    ]
    mediator = middle[0] if middle else None
    rank = (outcome.rank if outcome else 0) + (mediator.rank if mediator else 0)
    return Links(
        causes.cause(text, gene),
        mediator.text if mediator else None,
        outcome.text if outcome else None,
        rank,
    )


def chain(text: str, gene: Gene, hints: tuple[str, ...] = ()) -> Chain | None:
    """Return the chain of a statement, or None unless all three links are in it."""
    found = links(text, gene, hints)
    if found.cause and found.mediator and found.outcome:
        return Chain(found.cause, found.mediator, found.outcome, found.rank)
    return None


def _same(one: str, other: str) -> bool:
    a, b = one.lower(), other.lower()
    return a in b or b in a
