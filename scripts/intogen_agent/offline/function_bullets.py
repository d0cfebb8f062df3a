"""The section Gene/Protein Function: bullets of two or three verb-first sentences."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.offline import phrasing, sentences
from intogen_agent.offline.cancers import CANCER_WORD
from intogen_agent.offline.evidence import Item
from intogen_agent.offline.genes import Gene

_CITATIONS_PER_ITEM = 3
_PLACE = re.compile(r"^(?:Localises|Localizes) to\b")
_STRUCTURE = re.compile(r"^(?:Contains|Carries|Has|Consists|Needs|Comprises)\b")
_PARTNERS = re.compile(r"^(?:Binds|Interacts|Forms|Pairs|Assembles|Associates)\b")
_MODIFIED = re.compile(r"^Is (?:\w+ylated|\w+nated|\w+ated|cleaved|activated|inhibited)\b")
_MAX_WORDS = 45


@dataclass(frozen=True)
class Sentence:
    """A sentence and the items that it rests on."""

    text: str
    items: tuple[Item, ...]


def bullets(
    gene: Gene,
    items: Sequence[Item],
    count: tuple[int, int],
    per_bullet: tuple[int, int],
    banned: frozenset[str] = frozenset(),
) -> list[dict[str, Any]]:
    """Return the bullets.

    Args:
        gene: The gene.
        items: Function items of the ledger.
        count: Least and most bullets.
        per_bullet: Least and most sentences of a bullet.
        banned: Sentences that a rule refused.
    """
    pool = [one for one in _pool(gene, items) if one.text not in banned]
    groups = _grouped(pool)
    needed = count[0] * per_bullet[0]
    if sum(map(len, groups)) < needed:
        groups = [_split_up(gene, [one for group in groups for one in group])]
    chunks = _chunks(groups, per_bullet)
    if len(chunks) < count[0]:
        # Enough sentences, but not of one kind: they make bullets together.
        chunks = _chunks([[one for group in groups for one in group]], per_bullet)
    chunks = chunks[: count[1]]
    return [_bullet(chunk) for chunk in chunks]


def _pool(gene: Gene, items: Sequence[Item]) -> Iterable[Sentence]:
    """Yield verb-first sentences free of cancer; places of the cell come as one sentence."""
    places: list[Item] = []
    seen: set[str] = set()
    for item in items:
        if CANCER_WORD.search(item.statement):
            continue
        for sentence in sentences.split(item.statement):
            text = phrasing.verb_first(sentence, gene)
            if text is None or text in seen or sentences.words(text) > _MAX_WORDS:
                continue
            seen.add(text)
            if _PLACE.match(text):
                places.append(item)
            else:
                yield Sentence(text, (item,))
    if places:
        named = phrasing.located_together([item.statement for item in places])
        yield Sentence(named, tuple(places))


def _grouped(pool: list[Sentence]) -> list[list[Sentence]]:
    """Group sentences by what they tell: action, partners and parts, fate of the protein."""
    action: list[Sentence] = []
    parts: list[Sentence] = []
    fate: list[Sentence] = []
    for one in pool:
        if _MODIFIED.match(one.text) or _PLACE.match(one.text):
            fate.append(one)
        elif _STRUCTURE.match(one.text) or (_PARTNERS.match(one.text) and action):
            parts.append(one)
        else:
            action.append(one)
    # Where the protein is comes before what is done to it.
    fate.sort(key=lambda one: not _PLACE.match(one.text))
    return [group for group in (action, parts, fate) if group]


def _chunks(groups: list[list[Sentence]], size: tuple[int, int]) -> list[list[Sentence]]:
    """Cut groups into bullets; what is left of one group joins the next."""
    least, most = size
    chunks: list[list[Sentence]] = []
    rest: list[Sentence] = []
    for group in groups:
        line = [*rest, *group]
        rest = []
        while len(line) >= least:
            # Never leave one sentence over that would fit.
            take = most if len(line) == most else least
            chunks.append(line[:take])
            line = line[take:]
        rest = line
    if rest and chunks and len(chunks[-1]) + len(rest) <= most:
        chunks[-1] += rest
    elif rest and not chunks:
        chunks.append(rest)
    return chunks


def _split_up(gene: Gene, pool: list[Sentence]) -> list[Sentence]:
    """Split sentences at semicolons, for a record that says too little in too few sentences."""
    out: list[Sentence] = []
    for one in pool:
        parts = [phrasing.verb_first(part, gene) for part in one.text.rstrip(".").split("; ")]
        whole = [Sentence(part, one.items) for part in parts if part]
        out += whole if len(whole) == len(parts) else [one]
    return out


def _bullet(chunk: list[Sentence]) -> dict[str, Any]:
    found = list(dict.fromkeys(item for one in chunk for item in one.items))
    cited = [ref for item in found for ref in item.references[:_CITATIONS_PER_ITEM]]
    return {
        "text": " ".join(one.text for one in chunk),
        "citations": list(dict.fromkeys(cited)),
        "evidence": [item.id for item in found],
    }
