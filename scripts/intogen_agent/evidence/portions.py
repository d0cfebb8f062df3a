"""Cutting a long answer into portions that a model can read.

A portion holds whole records. Only a record that alone is too long is cut, between its paragraphs
or, in a longer paragraph, between its sentences; each piece begins with the record's identity, and
what the model finds in it is checked against the whole record.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intogen_agent.evidence.articles import ArticleRecord, article_records

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z0-9(\[])")
_LONGEST_TITLE = 300
# Characters between two records, and around the first.
_JOINT = 4
# Characters of what stands around a piece besides the record's identity.
_FRAME = 32


@dataclass(frozen=True)
class Portion:
    """What one request shows of an answer.

    Attributes:
        text: What the model reads.
        records: The records it reads of, each in full.
        piece: The paragraphs that it holds, if it is a piece of a single record.
        left_out: Characters of a record that no cut brings within the limit, and nobody reads.
    """

    text: str
    records: Sequence[ArticleRecord]
    piece: Sequence[str] = ()
    left_out: int = 0


def portions(payload: str, limit: int) -> list[Portion]:
    """Cut an answer into portions.

    Args:
        payload: The answer.
        limit: Characters that a portion may have.
    """
    records = article_records(payload)
    if len(payload) <= limit:
        return [Portion(payload, records)]
    return list(_of_records(records, limit))


def halved(portion: Portion) -> list[Portion]:
    """Cut a portion that turned out too long for a model into about two."""
    records = portion.records
    if len(records) > 1:
        middle = len(records) // 2
        return [_whole(records[:middle]), _whole(records[middle:])]
    paragraphs = portion.piece or _paragraphs(records[0])
    return list(_pieces(records[0], paragraphs, len(portion.text) // 2))


def _of_records(records: Sequence[ArticleRecord], limit: int) -> Iterator[Portion]:
    """Yield portions of records, in their order, each within the limit."""
    together: list[ArticleRecord] = []
    used = 0
    for record in records:
        length = len(record.text) + _JOINT
        if together and used + length > limit:
            yield _whole(together)
            together, used = [], 0
        if length > limit:
            yield from _pieces(record, _paragraphs(record), limit)
        else:
            together.append(record)
            used += length
    if together:
        yield _whole(together)


def _whole(records: Sequence[ArticleRecord]) -> Portion:
    texts = [record.text for record in records]
    as_json = any(record.value is not None for record in records)
    text = "[\n" + ",\n".join(texts) + "\n]" if as_json and len(texts) > 1 else "\n\n".join(texts)
    return Portion(text, list(records))


def _pieces(record: ArticleRecord, paragraphs: Sequence[str], limit: int) -> Iterator[Portion]:
    head = _head(record)
    pieces, left_out = _cut(paragraphs, max(limit - len(head) - _FRAME, limit // 2))
    for number, piece in enumerate(pieces, start=1):
        body = "\n  ".join(piece)
        text = f"{head}Part: {number} of {len(pieces)}\nText:\n  {body}\n"
        yield Portion(text, [record], piece, left_out if number == 1 else 0)
    if not pieces:
        yield Portion("", [record], (), left_out)


def _head(record: ArticleRecord) -> str:
    """Return the lines that say which record a piece is of, in the form of Markdown records."""
    names = {"pmid": "Pmid", "pmcid": "Pmcid", "doi": "Doi", "nct": "Nct Id"}
    lines = ["# Record 1", *(f"{names[one.kind]}: {one.id}" for one in record.ids)]
    lines.append(f"Title: {record.title[:_LONGEST_TITLE]}" if record.title else "")
    lines.append(f"Journal: {record.journal}" if record.journal else "")
    lines.append(f"Date: {record.year}" if record.year else "")
    return "\n".join(filter(None, lines)) + "\n"


def _paragraphs(record: ArticleRecord) -> list[str]:
    """Return the paragraphs of what speaks for a record."""
    parts = (part for text in record.texts for part in _PARAGRAPH.split(text))
    return [" ".join(part.split()) for part in parts if part.strip()]


def _cut(paragraphs: Sequence[str], room: int) -> tuple[list[list[str]], int]:
    """Fill pieces with whole paragraphs, or sentences; say how much fits into none."""
    pieces: list[list[str]] = [[]]
    left_out = used = 0
    for paragraph in paragraphs:
        fits = len(paragraph) <= room
        for unit in [paragraph] if fits else _SENTENCE.split(paragraph):
            if len(unit) > room:
                left_out += len(unit)
                continue
            if pieces[-1] and used + len(unit) > room:
                pieces.append([])
                used = 0
            pieces[-1].append(unit)
            used += len(unit) + 3
    return [piece for piece in pieces if piece], left_out
