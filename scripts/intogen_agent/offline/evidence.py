"""The ledger as the composer weighs it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.offline import features, guard, values
from intogen_agent.offline.conversation import Task

_MARKUP = re.compile(
    r"<[a-z/!?]|&(?:#\w+|[a-z]+);|`|\||\*\*|__|~~|\[\d|\bPMID\b|\bdoi\s*:|https?:|[\x00-\x1f]",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Item:
    """One ledger item.

    Attributes:
        references: Identifiers, `TOOL:` ones included.
    """

    id: str
    statement: str
    references: tuple[str, ...]
    kind: str
    stance: str
    scope: str
    system: str
    basis: str
    alteration: str

    @property
    def papers(self) -> tuple[str, ...]:
        """The references that are papers or records, not tools."""
        return tuple(one for one in self.references if not one.startswith("TOOL:"))


@dataclass(frozen=True)
class Shelf:
    """What is known of the references: journals, and what was retracted."""

    journals: dict[str, str]
    retracted: frozenset[str]
    years: dict[str, int]

    def counting(self, item: Item) -> list[str]:
        """Return an item's references that may count for a verdict."""
        return [one for one in item.papers if one not in self.retracted]

    def source(self, reference: str) -> str:
        """Return the journal or database of a reference; unknown journals are one together."""
        kind = reference.split(":", 1)[0]
        return self.journals.get(reference) or (UNKNOWN if kind in _PAPERS else kind)


UNKNOWN = "unknown"
_PAPERS = frozenset({"PMID", "DOI", "PMCID"})


def items(block: Iterable[dict[str, Any]]) -> list[Item]:
    """Read ledger items; a statement that addresses the reader or holds markup is left out."""
    found = []
    for raw in block:
        item = Item(
            id=str(raw.get("id") or ""),
            statement=" ".join(str(raw.get("statement") or "").split()),
            references=tuple(values.texts(raw.get("references"))),
            kind=str(raw.get("kind") or ""),
            stance=str(raw.get("stance") or "neutral"),
            scope=str(raw.get("scope") or "other"),
            system=str(raw.get("system") or "not stated"),
            basis=str(raw.get("basis") or ""),
            alteration=str(raw.get("alteration") or "none"),
        )
        fine = item.id and item.statement and item.references
        if (
            fine
            and not guard.addresses_reader(item.statement)
            and not _MARKUP.search(item.statement)
        ):
            found.append(item)
    return found


def shelf(block: Iterable[dict[str, Any]]) -> Shelf:
    """Read the references block."""
    journals, years, retracted = {}, {}, set()
    for raw in block:
        name = str(raw.get("id") or "")
        if raw.get("journal"):
            journals[name] = str(raw["journal"])
        if isinstance(raw.get("year"), int):
            years[name] = raw["year"]
        if raw.get("retracted"):
            retracted.add(name)
    return Shelf(journals, frozenset(retracted), years)


def function_items(ledger: Sequence[Item]) -> list[Item]:
    """Return the items of phase 1."""
    return [item for item in ledger if item.kind == "function"]


def cancer_items(ledger: Sequence[Item]) -> list[Item]:
    """Return the items of phase 2 that rest on a paper or record."""
    return [item for item in ledger if item.kind != "function" and item.papers]


def empty_searches(ledger: Sequence[Item]) -> list[Item]:
    """Return the items that record an answered search without a result."""
    return [
        item
        for item in ledger
        if item.kind == "null_result" and item.references and not item.papers
    ]


def in_target(item: Item, task: Task) -> bool:
    """Say whether an item speaks of the task's cancer."""
    if task.cancer is not None and task.cancer.pan_cancer:
        return True
    return item.scope in ("target", "subtype")


def calls_it_passenger(item: Item, task: Task) -> bool:
    """Say whether an item speaks against the gene itself, not only against an effect of it."""
    return item.stance == "refutes" and features.refutes(item.statement, task.gene)


def is_doubt(item: Item) -> bool:
    """Say whether an item limits or contradicts the gene's role without refuting it."""
    return item.stance == "neutral" and item.kind in ("contradiction", "null_result")
