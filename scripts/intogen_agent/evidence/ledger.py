"""The ledger: checked statements, each with a verbatim quote and its references."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from intogen_agent.evidence.models import (
    Alteration,
    Basis,
    EvidenceItem,
    Kind,
    Scope,
    Stance,
    System,
)
from intogen_agent.evidence.passages import Canonical, Passage
from intogen_agent.evidence.quotes import foreign_numbers, normalise, quote_in
from intogen_agent.evidence.wire import SummaryBullet


class Ledger:
    """Collects evidence items; numbers them in order and drops what a check refuses.

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

    def add(
        self,
        bullets: Iterable[SummaryBullet],
        passages: Sequence[Passage],
        call: str,
        tool: str,
        canonical: Canonical,
    ) -> list[EvidenceItem]:
        """Check a summary's bullets and take what holds.

        A quote must stand in a record of the payload, the statement's numbers in the same record,
        and only identifiers of that record may be cited: a neighbour's paper is no source. A
        bullet that is left without a citation takes the record's own identifier, and the label of
        the tool where the record has none (seed: "Tool output summarization and reference
        management").

        Args:
            bullets: What the summarizer wrote.
            passages: The records of the text that it was shown.
            call: The tool call's id.
            tool: The tool's name.
            canonical: Canonical form of an identifier, None if it is none.

        Returns:
            The items of this payload, those known before included.
        """
        taken = []
        for bullet in bullets:
            homes = [passage for passage in passages if quote_in(bullet.quote, passage.text)]
            if not bullet.text.strip() or not homes:
                self.dropped["quote not in the payload"] += 1
                continue
            if all(foreign_numbers(bullet.text, home.text) for home in homes):
                self.dropped["number not in the payload"] += 1
                continue
            approved = list(dict.fromkeys(name for home in homes for name in home.identifiers))
            cited = [name for text in bullet.citations if (name := canonical(text))]
            references = [name for name in dict.fromkeys(cited) if name in approved]
            label = f"TOOL:{tool}"
            self.dropped["citation not allowed"] += len({*cited} - {*references, label})
            taken.append(self._take(bullet, references or approved[:1] or [label], call))
        self.dropped = +self.dropped
        return taken

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
                statement=" ".join(bullet.text.split()),
                quote=bullet.quote.strip(),
                references=references,
                call=call,
                kind=Kind(bullet.kind),
                stance=Stance(bullet.stance),
                scope=Scope(bullet.scope),
                system=System(bullet.system),
                basis=Basis(bullet.basis),
                alteration=Alteration(bullet.alteration),
            )
            self._seen[key] = self._review(item)
            self.items.append(self._seen[key])
        return self._seen[key]
