"""Reading the records of a literature answer: Markdown search results, JSON lists of articles."""

import json
import re
from dataclasses import dataclass

from intogen_agent.evidence.markdown_record import markdown_fields
from intogen_agent.files import parse_json

_RECORD = re.compile(r"^# Record \d+\s*$", re.MULTILINE)


@dataclass(frozen=True)
class ArticleRecord:
    """One article of an answer; `text` is its part of the raw payload."""

    pmid: str | None
    title: str | None
    journal: str | None
    year: str | None
    text: str


def article_records(payload: str) -> list[ArticleRecord]:
    """Return the articles of a payload; an answer in no known form is one record."""
    if _RECORD.search(payload):
        return [_markdown(part) for part in _parts(payload)]
    try:
        value = parse_json(payload)
    except ValueError:
        return [ArticleRecord(None, None, None, None, payload)]
    items = value if isinstance(value, list) else [value]
    return [_from_json(item) for item in items if isinstance(item, dict)]


def _parts(payload: str) -> list[str]:
    starts = [match.start() for match in _RECORD.finditer(payload)]
    return [
        payload[start:end].rstrip()
        for start, end in zip(starts, [*starts[1:], len(payload)], strict=True)
    ]


def _markdown(part: str) -> ArticleRecord:
    fields = markdown_fields(part)
    return ArticleRecord(
        pmid=fields.get("pmid") or None,
        title=fields.get("title") or None,
        journal=fields.get("journal") or None,
        year=(fields.get("date") or "")[:4] or None,
        text=part,
    )


def _from_json(item: dict[str, object]) -> ArticleRecord:
    def text(key: str) -> str | None:
        value = item.get(key)
        return str(value) if value not in (None, "") else None

    return ArticleRecord(
        pmid=text("pmid"),
        title=text("title"),
        journal=text("journal"),
        year=(text("date") or "")[:4] or None,
        text=json.dumps([item], ensure_ascii=False, indent=1),
    )


def split_payload(payload: str, limit: int) -> list[str]:
    """Cut a payload into parts of whole records, each within the limit where records allow it.

    Args:
        payload: The raw answer.
        limit: Characters a part should have at most; a single longer record stays whole.
    """
    if len(payload) <= limit:
        return [payload]
    parts, part = [], ""
    for record in article_records(payload):
        if part and len(part) + len(record.text) > limit:
            parts.append(part)
            part = ""
        part = f"{part}\n\n{record.text}" if part else record.text
    return [*parts, part] if part else parts
