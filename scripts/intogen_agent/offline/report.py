"""`ReportDraft`: the report out of the ledger, and its repair."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.offline import (
    evidence,
    function_bullets,
    mechanisms,
    phrasing,
    rationale,
    sentences,
    values,
    weigh,
)
from intogen_agent.offline.conversation import Conversation

_SECTION = re.compile(r"(gene_function|rationale|mechanisms|mechanistic_hypothesis)\b")
_INDEX = re.compile(r"\[(\d+)\]|[./](\d+)(?=[./]|$)")
_VERDICT_RULES = re.compile(r"^(?:supported|not-supported|involvement|verdict)")
_WHOLE_SECTION = re.compile(r"count|supported|reason")


@dataclass
class Refused:
    """What a repair must not write again.

    Attributes:
        sentences: Sentences of function bullets.
        items: Ledger items, as the only support of a rationale bullet.
        mechanisms: Texts of mechanisms.
        verdict: True when a rule refused `supported`.
    """

    sentences: set[str] = field(default_factory=set)
    items: set[str] = field(default_factory=set)
    mechanisms: set[str] = field(default_factory=set)
    verdict: bool = False


def compose(conversation: Conversation) -> dict[str, Any]:
    """Return the report of the ledger block, without what violations refused before."""
    return build(conversation, _refused(conversation))


def build(conversation: Conversation, refused: Refused) -> dict[str, Any]:
    """Return a report draft."""
    task = conversation.task
    rules = conversation.record("rules")
    ledger = evidence.items(conversation.items("ledger"))
    shelf = evidence.shelf(conversation.items("references"))
    failures = _of_literature(conversation.items("failures"))
    verdict = weigh.weigh(task, ledger, shelf, weigh.needs(rules))
    function = function_bullets.bullets(
        task.gene,
        evidence.function_items(ledger),
        bounds(rules, "function_bullets", (2, 5)),
        bounds(rules, "function_sentences", (2, 3)),
        frozenset(refused.sentences),
    )
    chains = mechanisms.mechanisms(
        task,
        ledger,
        shelf,
        bounds(rules, "mechanism_bullets", (1, 6))[1],
        frozenset(refused.mechanisms),
    )
    count = bounds(rules, "rationale_bullets", (2, 4))
    reason = verdict.reason
    if not reason and refused.verdict:
        reason = "The cited evidence does not meet the rules of a supported verdict."
    if not reason and not chains:
        reason = _no_chain(task.gene.symbol, task.cancer_name)
    banned = frozenset(refused.items)
    if reason:
        why = rationale.not_supported(task, verdict, ledger, failures, count, banned)
    else:
        why = rationale.supported(task, verdict, shelf, count[1], banned)
    dark = bool(failures) and not evidence.cancer_items(ledger)
    return {
        "gene_function": function,
        "involvement": "not_supported" if reason else "supported",
        "undetermined": bool(reason) and dark,
        "reason": f"{_dark(failures)}{reason}" if dark and reason else reason,
        "rationale": why,
        "mechanisms": [] if reason else chains,
    }


def bounds(rules: dict[str, Any], name: str, default: tuple[int, int]) -> tuple[int, int]:
    """Read a pair of least and most from the rules block."""
    value = rules.get(name)
    if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value):
        return (value[0], value[1])
    return default


def _no_chain(symbol: str, cancer: str) -> str:
    return (
        f"The evidence counts alterations of {symbol} in {cancer} but holds no chain from an "
        "alteration over a mediator to an outcome."
    )


def _of_literature(failures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the failures that leave the gene's involvement open; those of old say not what of."""
    return [one for one in failures if one.get("about", "literature") == "literature"]


def _dark(failures: Sequence[dict[str, Any]]) -> str:
    tools = sorted({str(failure.get("tool") or "a tool") for failure in failures})
    return f"Queries of {', '.join(tools)} failed, so the verdict is undetermined. "


def _refused(conversation: Conversation) -> Refused:
    refused = Refused()
    for draft, violations in conversation.drafts:
        report = draft.get("report") if isinstance(draft.get("report"), dict) else draft
        for violation in violations:
            if isinstance(violation, dict) and isinstance(report, dict):
                _refuse(refused, report, violation)
    return refused


def _refuse(refused: Refused, report: dict[str, Any], violation: dict[str, Any]) -> None:
    rule, path = str(violation.get("rule") or ""), str(violation.get("path") or "")
    if _VERDICT_RULES.search(rule):
        refused.verdict = refused.verdict or report.get("involvement") == "supported"
        return
    section, index = _SECTION.search(path), _INDEX.search(path)
    if section is None or index is None:
        return
    name = "mechanisms" if section[1].startswith("mechanis") else section[1]
    bullets = report.get(name)
    place = int(index[1] or index[2])
    if not isinstance(bullets, list) or place >= len(bullets):
        return
    bullet = bullets[place]
    if name == "gene_function":
        refused.sentences |= _offending(str(bullet.get("text") or ""), rule)
    elif name == "mechanisms":
        refused.mechanisms.add(str(bullet.get("text") or ""))
    else:
        refused.items |= set(values.texts(bullet.get("evidence")))


def _offending(text: str, rule: str) -> set[str]:
    """Return the sentences of a function bullet that a rule speaks of: all, or the first."""
    parts = sentences.split(text)
    if "verb" in rule:
        return set(parts[:1])
    return {part for part in parts if phrasing.begins_with_verb(part)} or set(parts)
