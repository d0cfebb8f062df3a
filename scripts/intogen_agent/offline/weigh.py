"""The verdict: does the ledger support the gene's involvement in the cancer?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.offline import evidence, features
from intogen_agent.offline.conversation import Task
from intogen_agent.offline.evidence import Item, Shelf

_WEIGHTS = {
    "functional": 3,
    "clinical": 2,
    "driver_statistics": 2,
    "review": 1,
    "expression_association": 0,
}
_REFUTING_WEIGHT = 3
_SOLID = 1


@dataclass(frozen=True)
class Needs:
    """What `supported` needs, as the rules block says."""

    rationale: int
    references: int
    sources: int


@dataclass(frozen=True)
class Verdict:
    """The weighing of a ledger.

    Attributes:
        supporting: Items that count for the verdict, best first.
        background: Supporting items of other cancers or of none.
        refuting: Items that speak against the gene.
        doubts: Items that limit or contradict its role.
        reason: Why it is not supported; empty when it is.
    """

    supported: bool
    supporting: list[Item]
    background: list[Item]
    refuting: list[Item]
    doubts: list[Item]
    reason: str


def needs(rules: dict[str, Any]) -> Needs:
    """Read the thresholds; the seed's numbers where the block is silent."""

    def number(name: str, default: int) -> int:
        value = rules.get(name)
        return value if isinstance(value, int) and value > 0 else default

    return Needs(
        rationale=number("min_supported_rationale", 2),
        references=number("min_supported_references", 3),
        sources=number("min_supported_sources", 2),
    )


def weigh(task: Task, ledger: Sequence[Item], shelf: Shelf, required: Needs) -> Verdict:
    """Weigh a ledger.

    Supporting papers on this cancer must reach the thresholds, at least one of them must rest on
    cells, animals or patients' outcomes rather than on counts of mutations, and together they
    must outweigh the papers that call the gene a passenger.
    """
    found = evidence.cancer_items(ledger)
    supporting = [
        item
        for item in found
        if item.stance == "supports" and evidence.in_target(item, task) and shelf.counting(item)
    ]
    refuting = [
        item
        for item in found
        if item.stance == "refutes"
        and (evidence.in_target(item, task) or item.scope == "pan-cancer")
    ]
    reason = _shortfall(task, supporting, refuting, shelf, required)
    ids = {item.id for item in supporting}
    return Verdict(
        supported=not reason,
        supporting=sorted(supporting, key=lambda item: (-strength(item), _order(item))),
        background=[i for i in found if i.stance == "supports" and i.id not in ids],
        refuting=refuting or [item for item in found if item.stance == "refutes"],
        doubts=[i for i in found if evidence.is_doubt(i) and evidence.in_target(i, task)],
        reason=reason,
    )


def strength(item: Item) -> int:
    """Return how much a supporting item weighs."""
    if features.is_recurrence_only(item.statement):
        return 1
    weight = _WEIGHTS.get(item.basis, 1)
    return weight - 1 if item.basis == "functional" and item.system == "not stated" else weight


def _shortfall(
    task: Task, supporting: list[Item], refuting: list[Item], shelf: Shelf, required: Needs
) -> str:
    papers = {one for item in supporting for one in shelf.counting(item)}
    sources = {shelf.source(one) for one in papers}
    missing = [
        f"{found} of {needed} {what}"
        for what, found, needed in (
            ("supporting statements", len(supporting), required.rationale),
            ("references", len(papers), required.references),
            ("sources", len(sources), required.sources),
        )
        if found < needed
    ]
    whom = f"a role of {task.gene.symbol} in {task.cancer_name}"
    against = _against(refuting)
    solid = sum(map(_solid, supporting))
    if missing and solid < _SOLID:
        missing.append(f"{solid} of {_SOLID} functional or clinical findings")
    if missing:
        listed = " and ".join([", ".join(missing[:-1]), missing[-1]]) if missing[1:] else missing[0]
        return f"The evidence for {whom} misses the thresholds: {listed}.{against}"
    if solid < _SOLID:
        return (
            f"The statements that speak for {whom} only count mutations; none of them rests on a "
            f"functional or clinical finding.{against}"
        )
    if _weight(supporting, shelf) <= _REFUTING_WEIGHT * len(_papers(refuting)):
        return f"The evidence against {whom} outweighs the evidence for it.{against}"
    return ""


def _against(refuting: list[Item]) -> str:
    papers = len(_papers(refuting))
    if not papers:
        return ""
    told = (
        "paper calls it a passenger or does" if papers == 1 else "papers call it a passenger or do"
    )
    return f" {papers} {told} not count it among the drivers."


def _solid(item: Item) -> bool:
    counts = item.basis in ("functional", "clinical")
    return counts and not features.is_recurrence_only(item.statement)


def _weight(supporting: list[Item], shelf: Shelf) -> int:
    best: dict[str, int] = {}
    for item in supporting:
        for paper in shelf.counting(item):
            best[paper] = max(best.get(paper, 0), strength(item))
    return sum(best.values())


def _papers(found: list[Item]) -> set[str]:
    return {paper for item in found for paper in item.papers}


def _order(item: Item) -> tuple[int, str]:
    digits = "".join(char for char in item.id if char.isdigit())
    return (int(digits or 0), item.id)
