"""Phase 1: what a gene or protein record says of the normal gene product."""

import re
from collections.abc import Iterator
from typing import Any

from intogen_agent.offline import guard, payloads, phrasing, sentences
from intogen_agent.offline.cancers import CANCER_WORD
from intogen_agent.offline.genes import Gene

_CAPS = {
    "function": 10,
    "interactions": 4,
    "domains": 3,
    "motifs": 2,
    "subcellular_locations": 4,
    "modifications": 3,
}
_BARE_PARTNER = re.compile(r"[A-Z][A-Z0-9][A-Za-z0-9-]{0,10}")


def bullets(gene: Gene, payload: str, allowed: list[str], tool: str) -> list[dict[str, Any]]:
    """Return function bullets of a gene or protein payload, for `ToolSummary`.

    Sentences that speak of cancer or address the reader are left out. A paper named on a fact is
    cited first, then the reviewed UniProt entry, then the tool.
    """
    protein = payloads.protein(payload)
    if protein is not None:
        return list(_protein(gene, protein, payload, allowed, tool))
    record = payloads.gene(payload)
    return list(_gene(gene, record, payload, allowed, tool)) if record is not None else []


def _protein(
    gene: Gene, record: payloads.ProteinRecord, payload: str, allowed: list[str], tool: str
) -> Iterator[dict[str, Any]]:
    entry = f"UniProt:{record.accession}"
    fallback = (
        entry if record.reviewed and record.accession and entry in allowed else f"TOOL:{tool}"
    )
    taken = dict.fromkeys(_CAPS, 0)
    partners: list[str] = []
    for fact in record.facts:
        cited = [f"PMID:{pmid}" for pmid in fact.pmids if f"PMID:{pmid}" in allowed] or [fallback]
        plain = sentences.without_citations(fact.text)
        if fact.section == "interactions" and _BARE_PARTNER.fullmatch(plain):
            partners.append(plain)
            continue
        for sentence in sentences.split(plain):
            text = _phrase(fact.section, sentence, gene)
            if text is None or taken[fact.section] >= _CAPS[fact.section]:
                continue
            bullet = _bullet(text, sentence, payload, cited)
            if bullet is not None:
                taken[fact.section] += 1
                yield bullet
    for partner in partners[: _CAPS["interactions"]]:
        bullet = _bullet(f"Binds {partner}.", partner, payload, [fallback])
        if bullet is not None and partner != gene.symbol:
            yield bullet


def _gene(
    gene: Gene, record: payloads.GeneRecord, payload: str, allowed: list[str], tool: str
) -> Iterator[dict[str, Any]]:
    cited = [one for one in record.ids if one in allowed][:1] or [f"TOOL:{tool}"]
    named = _bullet(f"Encodes {record.name}.", record.name, payload, cited)
    if named is not None and not guard.addresses_reader(record.name):
        yield named
    for sentence in sentences.split(re.sub(r"\[provided by [^\]]*\]\.?", "", record.summary)):
        text = _phrase("function", sentence, gene)
        bullet = _bullet(text, sentence, payload, cited) if text else None
        if bullet is not None:
            yield bullet


def _phrase(section: str, sentence: str, gene: Gene) -> str | None:
    if guard.addresses_reader(sentence) or CANCER_WORD.search(sentence):
        return None
    if not phrasing.begins_with_verb(sentence):
        if section == "subcellular_locations":
            return phrasing.located(sentence)
        if section in ("domains", "motifs"):
            return phrasing.contains(sentence.rstrip("."), section[:-1])
    text = phrasing.verb_first(sentence, gene)
    if text is not None:
        return text
    return sentences.finish(sentence) if phrasing.is_sentence(sentence) else None


def _bullet(text: str, source: str, payload: str, cited: list[str]) -> dict[str, Any] | None:
    # A citation may stand between a sentence and its full stop.
    quote = sentences.quote(source, payload) or sentences.quote(source.rstrip("."), payload)
    if quote is None:
        return None
    return {
        "text": text,
        "citations": cited,
        "quote": quote,
        "kind": "function",
        "stance": "neutral",
        "scope": "other",
        "system": "not stated",
        "basis": "review",
        "alteration": "none",
    }
