"""The records of a tool's answer, each with the identifiers that stand in it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from intogen_agent.evidence.articles import article_records
from intogen_agent.evidence.references import scan

Canonical = Callable[[str], str | None]


@dataclass(frozen=True)
class Passage:
    """One record of a tool's answer.

    Attributes:
        identifiers: The canonical identifiers that it holds, its own first.
    """

    text: str
    identifiers: Sequence[str]


def passages(payload: str, allowed: Collection[str], canonical: Canonical) -> list[Passage]:
    """Cut a payload into its records.

    Args:
        payload: The text that the summarizer is shown.
        allowed: The identifiers of the whole answer, canonical.
        canonical: Canonical form of an identifier, None if it is none.
    """
    records = article_records(payload)
    if len(records) < 2:
        return [Passage(payload, list(allowed))]
    return [Passage(record.text, _within(record.text, allowed, canonical)) for record in records]


def _within(text: str, allowed: Collection[str], canonical: Canonical) -> list[str]:
    names = (canonical(found.ids[0].text) for found in scan(text))
    return [name for name in dict.fromkeys(names) if name is not None and name in allowed]
