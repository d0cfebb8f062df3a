"""The rationale of the assessment: two to four statements of the ledger that carry the verdict."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from intogen_agent.offline import chains, evidence, features, molecules, sentences, weigh, words
from intogen_agent.offline.conversation import Task
from intogen_agent.offline.evidence import Item, Shelf
from intogen_agent.offline.weigh import Verdict

CONFLICTING = "Conflicting evidence: "
QUALIFYING = "Qualifying evidence: "
_MAX_WORDS = 90
_SLIGHT = 18
_TERSE = 14
_MANY_OTHERS = 2
_SHOWN = 3
_NAMES = 6
_SEARCHED = "TOOL:article_search"


def supported(
    task: Task, verdict: Verdict, shelf: Shelf, most: int, banned: frozenset[str]
) -> list[dict[str, Any]]:
    """Return the rationale of a supported verdict.

    One statement each on selection in tumours, on a mechanism and on patients, from different
    papers and, where possible, journals; and one that conflicts or limits, if there is one.
    """
    pool = [
        item
        for item in verdict.supporting
        if _usable(item, banned) and not molecules.begins_with_another(item.statement, task.gene)
    ]
    conflict = _conflict(task, verdict, banned)
    room = most - (1 if conflict else 0)
    chosen: list[Item] = []
    for wanted in (_is_selection, _is_mechanism, _is_clinical):
        if len(chosen) < room:
            _add(chosen, [item for item in pool if wanted(item, task)], shelf, task)
    while len(chosen) < room and _add(chosen, pool, shelf, task):
        pass
    bullets = [as_bullet(item) for item in chosen[:room]]
    return [*bullets, as_conflict(conflict)] if conflict else bullets


def not_supported(
    task: Task,
    verdict: Verdict,
    ledger: Sequence[Item],
    failures: Sequence[dict[str, Any]],
    count: tuple[int, int],
    banned: frozenset[str],
) -> list[dict[str, Any]]:
    """Return the rationale of a verdict that is not supported.

    What speaks against the gene comes first, then what limits it, then what speaks for it but is
    too little; where that is not enough, how the searches ended. The failures are those about the
    literature: failures about the gene's function or about trials say nothing of what it holds.
    """
    least, most = count
    order = [*_ranked_against(verdict.refuting, task), *verdict.doubts, *verdict.supporting]
    order += [item for item in evidence.cancer_items(ledger) if item.stance == "neutral"]
    bullets: list[dict[str, Any]] = []
    taken: set[str] = set()
    for item in order:
        if len(bullets) < most and item.papers[0] not in taken and _usable(item, banned):
            taken.add(item.papers[0])
            bullets.append(as_bullet(item))
    if len(bullets) < least:
        bullets += _searches(task, ledger, failures, bool(bullets))[: most - len(bullets)]
    return bullets


def _searches(
    task: Task, ledger: Sequence[Item], failures: Sequence[dict[str, Any]], some: bool
) -> list[dict[str, Any]]:
    """Say how the literature searches ended, citing the tool."""
    whom = f"{task.gene.symbol} in {task.cancer_name}"
    bullets = []
    empty = evidence.empty_searches(ledger)
    failed: dict[str, int] = {}
    for failure in failures:
        tool = str(failure.get("tool") or "article_search")
        failed[tool] = failed.get(tool, 0) + 1
    for tool in failed:
        bullets.append(
            _told(
                f"Queries of the tool {tool} for {whom} failed, so whether the literature holds "
                "evidence is unknown.",
                [f"TOOL:{tool}"],
            )
        )
    if empty:
        bullets.append(
            _told(
                f"A literature search found no article on {whom}{_looked(empty[:_SHOWN])}.",
                list(empty[0].references),
                [item.id for item in empty[:_SHOWN]],
            )
        )
    cited = [f"TOOL:{tool}" for tool in failed] or [_SEARCHED]
    more = "further " if some else ""
    bullets.append(
        _told(f"No {more}statement on a role of {whom} was obtained from the searches.", cited)
    )
    if not failed or not empty:
        bullets.append(_told(f"No mechanism of {whom} could be derived from the searches.", cited))
    return bullets


def _looked(empty: Sequence[Item]) -> str:
    """Say where searches without a result have looked, in brackets."""
    told = []
    for name in ("diseases", "keywords"):
        asked = [
            word.strip()
            for item in empty
            for listed in re.findall(rf"{name}: ([^;)]*)", item.statement)
            for word in listed.split(",")
        ]
        if asked:
            told.append(f"{name}: {', '.join(list(dict.fromkeys(asked))[:_NAMES])}")
    return f" ({'; '.join(told)})" if told else ""


def _told(text: str, citations: list[str], ids: Iterable[str] = ()) -> dict[str, Any]:
    return {"text": text, "citations": citations, "evidence": list(ids)}


def as_bullet(item: Item) -> dict[str, Any]:
    """Return a ledger item as a rationale bullet."""
    return {"text": item.statement, "citations": list(item.papers), "evidence": [item.id]}


def as_conflict(item: Item) -> dict[str, Any]:
    """Return an item as a bullet that says it conflicts with the others, or limits them."""
    prefix = CONFLICTING if item.stance == "refutes" else QUALIFYING
    return {**as_bullet(item), "text": f"{prefix}{sentences.lower_first(item.statement)}"}


def _usable(item: Item, banned: frozenset[str]) -> bool:
    return item.id not in banned and sentences.words(item.statement) <= _MAX_WORDS


def _add(chosen: list[Item], pool: Sequence[Item], shelf: Shelf, task: Task) -> bool:
    """Choose the best item of a paper not chosen yet, of a new journal if possible."""
    papers = {item.papers[0] for item in chosen}
    journals = {shelf.source(item.papers[0]) for item in chosen}
    fresh = [item for item in pool if item.papers[0] not in papers]
    if not fresh:
        return False
    chosen.append(max(fresh, key=lambda item: _worth(item, shelf, journals, task)))
    return True


def _worth(item: Item, shelf: Shelf, journals: set[str], task: Task) -> tuple[int, ...]:
    text = item.statement
    # A paper of an unknown journal may come from one that was cited already.
    new_journal = shelf.source(item.papers[0]) not in (journals | {evidence.UNKNOWN})
    told = sum(
        features.about(pattern, text, task.gene)
        for pattern in (words.FREQUENCY, words.DRIVER, words.STRONG_COUNT)
    )
    named_early = task.gene.named_in(" ".join(text.split()[:14]))
    cancer = task.cancer is not None and not task.cancer.pan_cancer
    here = cancer and task.cancer is not None and task.cancer.scope(text, "", "") == "target"
    chain = chains.chain(text, task.gene)
    told += min(chain.rank, 12) // 4 if chain and item.basis == "functional" else 0
    told -= 4 * bool(words.SPECULATION.search(text))
    told -= 3 * bool(words.NULL.search(text) or words.MIXED.search(text))
    length = -(abs(sentences.words(text) - 35) // 15) - 2 * (sentences.words(text) < _TERSE)
    merits = 2 * new_journal + here + named_early + told + length
    return (weigh.strength(item), merits, -_number(item))


def _number(item: Item) -> int:
    return int("".join(char for char in item.id if char.isdigit()) or 0)


def _is_selection(item: Item, task: Task) -> bool:
    counts = any(
        features.about(pattern, item.statement, task.gene)
        for pattern in (words.DRIVER, words.FREQUENCY)
    )
    return counts and item.system == "patients"


def _is_mechanism(item: Item, _task: Task) -> bool:
    return item.basis == "functional"


def _is_clinical(item: Item, _task: Task) -> bool:
    return item.kind == "clinical" and not features.is_recurrence_only(item.statement)


def _conflict(task: Task, verdict: Verdict, banned: frozenset[str]) -> Item | None:
    """Return what conflicts most: a refuting item, else a doubt that is about the gene itself."""

    def order(item: Item) -> tuple[bool, bool, bool, bool, int]:
        about = task.gene.named_in(" ".join(item.statement.split()[:8]))
        slight = sentences.words(item.statement) < _SLIGHT
        shared = len(molecules.tokens(item.statement, task.gene)) > _MANY_OTHERS
        return (slight, item.kind != "contradiction", shared, not about, _number(item))

    for item in [*verdict.refuting, *sorted(verdict.doubts, key=order)]:
        if _usable(item, banned):
            return item
    return None


def _ranked_against(refuting: Sequence[Item], task: Task) -> list[Item]:
    return sorted(refuting, key=lambda item: (not evidence.in_target(item, task), _number(item)))
