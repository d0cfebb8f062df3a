"""The section Mechanistic Hypothesis: chains out of the ledger's statements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from intogen_agent.offline import chains, evidence, features, molecules, sentences, words
from intogen_agent.offline.chains import Chain
from intogen_agent.offline.conversation import Task
from intogen_agent.offline.evidence import Item, Shelf

_PER_PAPER = 2
_FEW = 2
_STRONG_OUTCOME = 8
_MAX_TEXT_WORDS = 110
# An outcome of treatment tells how a tumour escapes, not how it arose.
_TREATMENT = re.compile(r"\b(?:resistance|relapse|sensitivity|response)\b")
_SCOPE_RANK = {"target": 6, "subtype": 4, "pan-cancer": 2, "related": 1}
_BASIS_RANK = {"functional": 4, "clinical": 2, "review": 1}


@dataclass(frozen=True)
class Mechanism:
    """A chain, the statements it was read in and the items they belong to."""

    chain: Chain
    text: str
    items: tuple[Item, ...]
    rank: int


def mechanisms(
    task: Task,
    ledger: Sequence[Item],
    shelf: Shelf,
    most: int,
    banned: frozenset[str] = frozenset(),
) -> list[dict[str, Any]]:
    """Return mechanism bullets, the surest first, each another chain.

    A chain whose three links stand in one paper's statements comes first. Where there are
    fewer than two, an alteration and an outcome of one statement are linked by a molecule of the
    gene's known function, which is quoted with them.
    """
    found = [one for one in _direct(task, ledger, shelf) if one.text not in banned]
    found = _distinct(found)
    causal = [one for one in found if not _of_treatment(one)]
    if len(found) < _FEW or not causal:
        bridged = [one for one in _bridged(task, ledger, shelf) if one.text not in banned]
        if found:
            bridged = [one for one in bridged if one.chain.rank >= _STRONG_OUTCOME]
        found += _distinct(bridged)[: max(_FEW - len(found), 1)]
    if not found:
        found = [one for one in _paired(task, ledger, shelf) if one.text not in banned][:1]
    return [_bullet(one) for one in _distinct(found)[:most]]


def _direct(task: Task, ledger: Sequence[Item], shelf: Shelf) -> Iterator[Mechanism]:
    hints = function_molecules(task, ledger)
    usable = _usable(task, ledger, shelf)
    for item in usable:
        chain = chains.chain(item.statement, task.gene, hints)
        if chain is not None:
            yield _mechanism(chain, (item,), item.statement)
    for one, other in pairwise(usable):
        if one.papers[0] != other.papers[0]:
            continue
        text = f"{one.statement} {other.statement}"
        apart = [chains.chain(item.statement, task.gene, hints) for item in (one, other)]
        chain = chains.chain(text, task.gene, hints)
        if chain is not None and not any(apart) and sentences.words(text) <= _MAX_TEXT_WORDS:
            yield _mechanism(chain, (one, other), text)


def _bridged(task: Task, ledger: Sequence[Item], shelf: Shelf) -> Iterator[Mechanism]:
    """Link an alteration and an outcome by what the gene's product normally does."""
    functions = evidence.function_items(ledger)
    for item in _usable(task, ledger, shelf):
        found = chains.links(item.statement, task.gene)
        if found.mediator or not (found.cause and found.outcome):
            continue
        fitting = [
            (middle, known)
            for known in functions
            if (middle := molecules.process(known.statement, task.gene)) is not None
            and middle.text.lower() not in found.outcome.lower()
        ]
        if fitting:
            middle, known = max(fitting, key=lambda pair: pair[0].rank)
            told = f"The {task.gene.symbol} protein {sentences.lower_first(known.statement)}"
            mediator = middle.text
            if _is_lost(found.cause, item.statement) and molecules.is_process(mediator):
                mediator = f"loss of {mediator}"
            chain = Chain(found.cause, mediator, found.outcome, found.rank)
            yield _mechanism(chain, (item, known), f"{item.statement} {told}")


def _is_lost(cause: str, statement: str) -> bool:
    shown = features.direction(cause)
    return (features.direction(statement) if shown == "unknown" else shown) == "loss"


def _paired(task: Task, ledger: Sequence[Item], shelf: Shelf) -> Iterator[Mechanism]:
    """Link an alteration's mediator and its outcome that two papers report, as a last resort."""
    hints = function_molecules(task, ledger)
    read = [
        (item, chains.links(item.statement, task.gene, hints))
        for item in _usable(task, ledger, shelf)
    ]
    for item, one in read:
        if not (one.cause and one.mediator) or item.basis != "functional":
            continue
        for other, ending in read:
            if ending.cause and ending.outcome and other.papers[0] != item.papers[0]:
                chain = Chain(one.cause, one.mediator, ending.outcome, 0)
                yield _mechanism(chain, (item, other), f"{item.statement} {other.statement}")


def function_molecules(task: Task, ledger: Sequence[Item]) -> tuple[str, ...]:
    """Return the molecules that the gene's function statements name."""
    names = [
        name
        for item in evidence.function_items(ledger)
        for name in molecules.tokens(item.statement, task.gene)
    ]
    return tuple(dict.fromkeys(names))


def _usable(task: Task, ledger: Sequence[Item], shelf: Shelf) -> list[Item]:
    return [
        item
        for item in evidence.cancer_items(ledger)
        if item.stance == "supports"
        and shelf.counting(item)
        and (item.scope != "other" or evidence.in_target(item, task))
        and item.basis != "expression_association"
    ]


def _mechanism(chain: Chain, items: tuple[Item, ...], text: str) -> Mechanism:
    first = items[0]
    rank = chain.rank + _SCOPE_RANK.get(first.scope, 0) + _BASIS_RANK.get(first.basis, 0)
    if features.direction(chain.cause) != "unknown":
        rank += 1
    if words.SPECULATION.search(text):
        rank -= 4
    return Mechanism(chain, text, items, rank)


def _distinct(found: list[Mechanism]) -> list[Mechanism]:
    """Keep the surest mechanism of each mediator and outcome, and two at most of a paper."""
    kept: list[Mechanism] = []
    order = {id(one): place for place, one in enumerate(found)}
    for one in sorted(found, key=lambda item: (_of_treatment(item), -item.rank, order[id(item)])):
        papers = [other.items[0].papers[0] for other in kept]
        same = any(_alike(one.chain, other.chain) for other in kept)
        if not same and papers.count(one.items[0].papers[0]) < _PER_PAPER:
            kept.append(one)
    return kept


def _of_treatment(one: Mechanism) -> bool:
    return _TREATMENT.search(one.chain.outcome) is not None


def _alike(one: Chain, other: Chain) -> bool:
    if one.outcome.lower() in other.outcome.lower() or other.outcome.lower() in one.outcome.lower():
        return True
    return one.mediator.lower() == other.mediator.lower() and one.cause == other.cause


def _bullet(one: Mechanism) -> dict[str, Any]:
    cited = [paper for item in one.items for paper in (item.papers or item.references)[:2]]
    return {
        "text": one.text,
        "cause": one.chain.cause,
        "mediator": one.chain.mediator,
        "outcome": one.chain.outcome,
        "citations": list(dict.fromkeys(cited)),
        "evidence": [item.id for item in one.items],
    }
