"""The ledger: checked statements, each with a verbatim quote and its references."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from intogen_agent.evidence.databases import REGISTERS
from intogen_agent.evidence.findings import lack
from intogen_agent.evidence.models import (
    Alteration,
    Basis,
    EvidenceItem,
    Kind,
    Scope,
    Stance,
    System,
)
from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.evidence.passages import Canonical, Passage
from intogen_agent.evidence.quotes import normalise
from intogen_agent.evidence.references import parse_identifier
from intogen_agent.evidence.wire import SummaryBullet
from intogen_agent.visible import visible

_REGISTERS = frozenset(register.name for register in REGISTERS)

NOT_QUOTED = "quote not in the payload"
REFERENCE_LIST = "quote from a list of other papers"
OTHER_PAPER = "quote that cites another paper"
FOREIGN_NUMBER = "number not in the payload"
FOREIGN_CITATION = "citation not allowed"


@dataclass
class Checked:
    """A summary after the checks.

    Attributes:
        taken: The bullets that hold, each with its references.
        refused: Those that do not, each with the reason.
        foreign: How many citations were taken out of the bullets that hold.
    """

    taken: list[tuple[SummaryBullet, list[str]]] = field(default_factory=list)
    refused: list[tuple[SummaryBullet, str]] = field(default_factory=list)
    foreign: int = 0


def check(
    bullets: Iterable[SummaryBullet], passages: Sequence[Passage], tool: str, canonical: Canonical
) -> Checked:
    """Check a summary's bullets against the records that the model was shown.

    A quote must stand in a record, outside its list of references, report something, and not
    attribute it to another paper; the statement's numbers must stand in the same record; and only
    what is citable there may be cited: a neighbour's paper is no source, nor is one that the record
    names. A bullet that is left without a citation takes the record's own identifier, and the label
    of the tool where the record has none (seed: "Tool output summarization and reference
    management").

    Args:
        bullets: What the summarizer wrote.
        passages: The records of the text that it was shown.
        tool: The tool's name.
        canonical: Canonical form of an identifier, None if it is none.
    """
    checked = Checked()
    label = f"TOOL:{tool}"
    for bullet in bullets:
        quote = normalise(bullet.quote)
        homes = [one for one in passages if quote and quote in one.text]
        reason = _problem(bullet, quote, homes, passages)
        if reason is not None:
            checked.refused.append((bullet, reason))
            continue
        holding = [one for one in homes if not foreign_numbers(bullet.text, one.record.evidence)]
        approved = list(dict.fromkeys(name for home in holding for name in home.citable(quote)))
        cited = [name for text in bullet.citations if (name := canonical(text))]
        references = [name for name in dict.fromkeys(cited) if name in approved]
        checked.foreign += len({*cited} - {*references, label})
        checked.taken.append((bullet, references or approved[:1] or [label]))
    return checked


def _problem(
    bullet: SummaryBullet, quote: str, homes: Sequence[Passage], passages: Sequence[Passage]
) -> str | None:
    """Say why a bullet does not hold."""
    if not bullet.text.strip() or not homes:
        listed = quote and any(quote in passage.listed for passage in passages)
        return REFERENCE_LIST if listed and bullet.text.strip() else NOT_QUOTED
    if all(foreign_numbers(bullet.text, home.record.evidence) for home in homes):
        return FOREIGN_NUMBER
    if all(home.cites_others(bullet.quote) for home in homes):
        return OTHER_PAPER
    return lack(bullet.quote, all(quote not in home.without_title for home in homes))


class Ledger:
    """Collects evidence items, numbers them in order and counts what the checks refused.

    Args:
        prefix: `F` for gene function (phase 1), `E` for cancer evidence (phase 2).
        review: A last look at every new item, which may put its labels right.
    """

    def __init__(
        self, prefix: str, review: Callable[[EvidenceItem], EvidenceItem] = lambda item: item
    ) -> None:
        self._prefix = prefix
        self._review = review
        self._seen: dict[tuple[str, ...], EvidenceItem] = {}
        self.items: list[EvidenceItem] = []
        self.dropped: Counter[str] = Counter()

    def add(self, checked: Checked, call: str) -> list[EvidenceItem]:
        """Take what holds of a summary, and count what does not.

        Args:
            checked: The summary.
            call: The id of the tool call that it is of.

        Returns:
            The items of this summary, those known before included.
        """
        self.dropped.update(reason for _, reason in checked.refused)
        self.dropped += Counter({FOREIGN_CITATION: checked.foreign})
        return [self._take(bullet, references, call) for bullet, references in checked.taken]

    def add_null(
        self, statement: str, quote: str, call: str, tool: str, scope: Scope = Scope.TARGET
    ) -> EvidenceItem:
        """Record that an answered query found nothing."""
        bullet = SummaryBullet(
            text=statement,
            citations=[],
            quote=quote,
            kind="null_result",
            stance="neutral",
            scope=scope.value,
            system="not stated",
            basis="review",
            alteration="none",
        )
        return self._take(bullet, [f"TOOL:{tool}"], call)

    def _take(self, bullet: SummaryBullet, references: list[str], call: str) -> EvidenceItem:
        """Number a new item; the same finding of the same paper is one item."""
        # Empty answers read alike; what tells them apart is the query.
        about = normalise(bullet.text) if bullet.kind == "null_result" else ""
        key = (normalise(bullet.quote), about, *sorted(references))
        if key not in self._seen:
            item = EvidenceItem(
                id=f"{self._prefix}{len(self.items) + 1}",
                statement=_plain(bullet.text),
                quote=_plain(bullet.quote),
                references=references,
                call=call,
                kind=Kind(bullet.kind),
                stance=_stance(bullet, references),
                scope=Scope(bullet.scope),
                system=System(bullet.system),
                basis=Basis(bullet.basis),
                alteration=Alteration(bullet.alteration),
            )
            self._seen[key] = self._review(item)
            self.items.append(self._seen[key])
        return self._seen[key]


def _stance(bullet: SummaryBullet, references: Sequence[str]) -> Stance:
    """Return the stance of a bullet; what rests on registers of trials alone is neutral.

    That a trial exists, and whom it takes, is a plan and no finding on the gene.
    """
    return Stance.NEUTRAL if all(map(_is_register, references)) else Stance(bullet.stance)


def _is_register(name: str) -> bool:
    """Tell whether a reference is a register's record of a trial."""
    known = parse_identifier(name)
    return known is not None and (known.kind == "nct" or known.database in _REGISTERS)


def _plain(text: str) -> str:
    return " ".join(visible(text).split())
