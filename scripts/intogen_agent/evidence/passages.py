"""The records of a tool's answer as evidence: what may be quoted of each, and cited for it."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from intogen_agent.evidence.articles import ArticleRecord
from intogen_agent.evidence.markdown_record import markdown_fields
from intogen_agent.evidence.payload_merge import PAPER_KINDS
from intogen_agent.evidence.quotes import normalise
from intogen_agent.evidence.references import parse_identifier, scan

Canonical = Callable[[str], str | None]

_MOLECULES = frozenset({"UniProt", "HGNC", "NCBI Gene", "Ensembl"})
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_FIELD = re.compile(r"\n[ \t]*\n|\n(?=\S)")


@dataclass(frozen=True)
class Passage:
    """One record of a tool's answer.

    Attributes:
        record: The record.
        allowed: The identifiers that may be cited of the whole answer, canonical.
        canonical: Canonical form of an identifier, None if it is none.
        alone: Whether it is the answer's only record.
    """

    record: ArticleRecord
    allowed: Collection[str]
    canonical: Canonical
    alone: bool = True

    @cached_property
    def text(self) -> str:
        """What may be quoted, normalised."""
        return normalise(self.record.evidence)

    @cached_property
    def without_title(self) -> str:
        """What may be quoted besides the record's title, normalised."""
        title = normalise(self.record.title or "")
        return self.text.replace(title, " ", 1) if title else self.text

    @cached_property
    def listed(self) -> str:
        """The whole record, its list of references included, normalised."""
        return normalise(self.record.text)

    def citable(self, quote: str) -> list[str]:
        """Return what may be cited for a quote, the record's own identifier first.

        A paper's record can be cited, the papers that it names cannot. A database's statements
        rest on the papers that stand beside them in the same field, as do the sentences of a plain
        text on those of their paragraph; a text that names a single paper is that paper's.
        """
        if self.record.paper:
            names = (self.canonical(one.text) for one in self.record.ids)
            return [name for name in dict.fromkeys(names) if name in self.allowed and name]
        records = [name for name in self._databases if _is_molecule(name)]
        found = dict.fromkeys(name for _, names in self._fields for name in names)
        named = [name for name in found if name in self.allowed and name not in records]
        papers = [name for name in named if _is_paper(name)]
        if self.record.value is None and not records and len(papers) == 1:
            return papers
        wanted = normalise(quote)
        beside = {name for text, names in self._fields if wanted in text for name in names}
        others = [*papers, *(name for name in named if name not in papers)]
        return [*records, *(name for name in others if name in beside)]

    def cites_others(self, quote: str) -> bool:
        """Say whether a quote of a paper's record gives the identifier of another paper."""
        if not self.record.paper:
            return False
        own = {self.canonical(one.text) for one in self.record.ids}
        named = (one.ids[0] for one in scan(quote))
        return any(one.kind in PAPER_KINDS and self.canonical(one.text) not in own for one in named)

    @cached_property
    def _databases(self) -> list[str]:
        """The database records that it names; a neighbour's are none of its own.

        A record that is the whole answer may be known by what is said around it.
        """
        known = [name for name in self.allowed if not _is_paper(name)]
        named = {self.canonical(one.ids[0].text) for one in scan(self.record.text)}
        own = [name for name in known if name in named]
        return known if self.alone and not own else own

    @cached_property
    def _fields(self) -> list[tuple[str, list[str]]]:
        """The record's fields, or paragraphs, each with the identifiers that stand in it."""
        texts = self.record.texts
        if self.record.value is None:
            by = _FIELD if markdown_fields(self.record.evidence) else _PARAGRAPH
            texts = by.split(self.record.evidence)
        found = ((text, (self.canonical(one.ids[0].text) for one in scan(text))) for text in texts)
        return [(normalise(text), [name for name in names if name]) for text, names in found]


def passages(
    records: Sequence[ArticleRecord], allowed: Collection[str], canonical: Canonical
) -> list[Passage]:
    """Return the records of an answer as evidence.

    Args:
        records: The records.
        allowed: The identifiers that may be cited of the whole answer, canonical.
        canonical: Canonical form of an identifier, None if it is none.
    """
    alone = len(records) == 1
    return [Passage(record, allowed, canonical, alone) for record in records]


def _is_molecule(name: str) -> bool:
    """Tell whether an identifier is of the record of a gene or a protein itself."""
    identifier = parse_identifier(name)
    return identifier is not None and identifier.database in _MOLECULES


def _is_paper(name: str) -> bool:
    identifier = parse_identifier(name)
    return identifier is not None and identifier.kind in PAPER_KINDS
