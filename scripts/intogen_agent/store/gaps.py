"""What is unknown to a store: questions that no service answered when its records were made.

An empty answer means that nothing was found. Where nothing was asked successfully, a store must
say so instead: an outage is unknown, never absent.
"""

from collections.abc import Callable, Iterator, Sequence

from intogen_agent.store.cancers import CancerNames, CancerQuery
from intogen_agent.store.records import GapRecord

AGAIN = "run `intogen-agent store fetch` again and use the store that it makes"


class Gaps:
    """The gaps of a store.

    Args:
        gaps: All of them.
        canonical: Returns the form of a gene's name under which names of one gene are equal.
        names: Returns the cancer types' terms.
    """

    def __init__(
        self,
        gaps: Sequence[GapRecord],
        canonical: Callable[[str], str],
        names: Callable[[], CancerNames],
    ) -> None:
        self._gaps = gaps
        self._canonical = canonical
        self._names = names

    def of_gene(self, kind: str, gene: str) -> str | None:
        """Say why a gene's record is unknown; None if it is not.

        Args:
            kind: `gene` or `protein`.
            gene: A name of the gene.
        """
        found = next(self._of_genes(kind, [gene]), None)
        return f"unknown, not absent: the {kind} record of {_told(found)}" if found else None

    def of_search(self, genes: Sequence[str], diseases: Sequence[str]) -> str | None:
        """Say why the papers on genes and diseases are unknown, or not all known; None if not."""
        asked = self._resolved(diseases)
        for gap in self._of_genes("articles", genes):
            if gap.cancer is None or not asked or self._overlap(gap.cancer, asked):
                about = f"{gap.gene} in {gap.cancer or 'any cancer'}"
                return f"unknown, not absent: the literature on {_told(gap, about)}"
        return None

    def of_article(self, pmid: str | None) -> str | None:
        """Say why a paper is unknown; None if it is not.

        Args:
            pmid: Its PMID; None if it was asked for by another identifier, which could be any
                missing paper's.
        """
        for gap in self._gaps:
            if pmid in gap.pmids or (pmid is None and gap.pmids):
                about = f"PMID {pmid}" if pmid else "some papers"
                return f"unknown, not absent: {_told(gap, about)}"
        return None

    def _of_genes(self, kind: str, genes: Sequence[str]) -> Iterator[GapRecord]:
        wanted = {self._canonical(gene) for gene in genes} if self._gaps else set()
        for gap in self._gaps:
            if gap.kind == kind and (not wanted or self._canonical(gap.gene) in wanted):
                yield gap

    def _resolved(self, diseases: Sequence[str]) -> list[CancerQuery | None]:
        """Return what diseases ask for; an empty list if any cancer will do."""
        if not self._gaps:
            return []
        asked = [self._names().resolve(disease) for disease in diseases]
        specific = [query for query in asked if query is None or not query.general]
        return specific

    def _overlap(self, cancer: str, asked: Sequence[CancerQuery | None]) -> bool:
        """Tell whether a search for a cancer could have found what is asked for."""
        query = self._names().resolve(cancer)
        if query is None or query.general:
            return True
        keys = query.own | query.narrower
        return any(one is None or keys & (one.own | one.narrower) for one in asked)


def _told(gap: GapRecord, about: str | None = None) -> str:
    return (
        f"{about or gap.gene} could not be fetched when this store was made ({gap.reason}); {AGAIN}"
    )
