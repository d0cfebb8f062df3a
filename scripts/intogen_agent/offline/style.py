"""`WireStyleCritique` and `StyleRevision`: the length and flow of the summaries."""

import re
from typing import Any

from intogen_agent.offline import sentences, values
from intogen_agent.offline.conversation import Conversation

NAMES = ("general", "gene_function", "assessment", "mechanistic_hypothesis")
_DEFAULT_WORDS = 25
_LONG_WORD = re.compile(r"\b[A-Za-z]{13,}\b")
_FINITE = (
    r"\b(?:is|are|was|were|has|have|had|can|may|does|do|did|gave|gives?|shows?|went|led"
    r"|\w{3,}ed)\b"
)
_SPLITS = (
    (re.compile(rf";\s+(?=[^;]*{_FINITE})"), ""),
    (re.compile(r",\s+whereas\s+"), "In contrast, "),
    (re.compile(r",\s+but\s+(?=(?:the|its|this|these|only|in|not|they|it)\b)"), "But "),
    (
        re.compile(
            r",\s+and\s+(?=(?:the|its|this|these|they|it|[A-Z][\w-]+)\s+(?:[\w-]+\s+){0,4}"
            r"(?:is|are|was|were|has|have|had|did|does|do)\b)"
        ),
        "",
    ),
    (re.compile(r",\s+so\s+(?:that\s+)?(?=(?:the|its|this|they|it|[A-Z][\w-]+)\s)"), "So "),
)
_MIN_PART = 4


def critique(conversation: Conversation) -> dict[str, Any]:
    """Return the style critique of the summaries block."""
    limit = words_allowed(conversation)
    readability: list[dict[str, Any]] = []
    issues: list[dict[str, Any]] = []
    for name, text in _summaries(conversation).items():
        readability.append({"summary": name, "score": readable(text, limit)})
        longest = max((sentences.words(one) for one in sentences.split(text)), default=0)
        if longest <= limit:
            continue
        rewrite = shortened(text, limit)
        issues.append(
            {
                "summary": name,
                "category": "length",
                # What cannot be split without touching a fact is worth a remark only.
                "severity": "medium" if rewrite != text else "low",
                "why": f"A sentence has {longest} words; the target is {limit}.",
                "suggested_rewrite": rewrite if rewrite != text else None,
            }
        )
    scores: list[float] = [one["score"] for one in readability]
    return {
        "overall_accept": not any(issue["severity"] != "low" for issue in issues),
        "overall_score": round(sum(scores) / len(scores), 2) if scores else 1.0,
        "readability": readability,
        "overview": _overview(issues, limit),
        "issues": issues,
    }


def revision(conversation: Conversation) -> dict[str, Any]:
    """Return the rewrites whose feedback is valid: no number and no name may be lost or added."""
    limit = words_allowed(conversation)
    summaries = _summaries(conversation)
    rewrites: dict[str, str] = {}
    for issue in values.objects(conversation.record("style_critique").get("issues")):
        name = issue.get("summary")
        if not isinstance(name, str) or name not in summaries or name in rewrites:
            continue
        text = summaries[name]
        suggested = values.text(issue.get("suggested_rewrite"))
        own = shortened(text, limit)
        chosen = suggested if suggested and keeps_facts(suggested, text) else own
        if chosen != text and keeps_facts(chosen, text):
            rewrites[name] = chosen
    return {"rewrites": [{"summary": name, "text": text} for name, text in rewrites.items()]}


def words_allowed(conversation: Conversation) -> int:
    """Return the longest sentence that the targets block allows."""
    value = conversation.record("targets").get("max_sentence_words")
    return value if isinstance(value, int) and value > 0 else _DEFAULT_WORDS


def shortened(text: str, limit: int) -> str:
    """Split sentences that are too long where a full clause follows; nothing else changes."""
    parts = []
    for sentence in sentences.split(text):
        parts.append(_split(sentence, limit) if sentences.words(sentence) > limit else sentence)
    return " ".join(parts)


def keeps_facts(rewrite: str, text: str) -> bool:
    """Say whether a rewrite has the same numbers, names and negations as a text."""
    return _facts(rewrite) == _facts(text)


def readable(text: str, limit: int) -> float:
    """Return a readability score between 0 and 1.

    The mean sentence length against the target counts for half, the share of long words for half.
    """
    found = [sentences.words(one) for one in sentences.split(text)]
    if not found:
        return 1.0
    length = min(1.0, limit / max(sum(found) / len(found), 1.0))
    share = len(_LONG_WORD.findall(text)) / max(sentences.words(text), 1)
    return round(0.5 * length + 0.5 * max(0.0, 1.0 - 3 * share), 2)


def _split(sentence: str, limit: int) -> str:
    for pattern, opening in _SPLITS:
        for match in pattern.finditer(sentence):
            left, right = sentence[: match.start()], sentence[match.end() :]
            if min(sentences.words(left), sentences.words(right)) < _MIN_PART:
                continue
            if left.count("(") != left.count(")"):
                continue
            tail = f"{opening}{right}" if opening else sentences.capitalise(right)
            whole = f"{sentences.finish(left)} {tail}"
            return " ".join(
                _split(one, limit) if sentences.words(one) > limit else one
                for one in (sentences.finish(left), whole[len(sentences.finish(left)) + 1 :])
            )
    return sentence


def _facts(text: str) -> tuple[list[str], list[str], int]:
    numbers = sorted(re.findall(r"\d+(?:[.,]\d+)*", text))
    names = sorted(
        re.findall(r"\b(?=\w*[A-Z])(?=\w*(?:[A-Z]\w*[A-Z0-9]|\d))[A-Za-z0-9][\w-]+", text)
    )
    negations = re.findall(r"\b(?:not|no|never|neither|nor|without|cannot)\b", text, re.IGNORECASE)
    return numbers, names, len(negations)


def _overview(issues: list[dict[str, Any]], limit: int) -> str:
    if not issues:
        return f"All sentences keep to {limit} words."
    names = ", ".join(dict.fromkeys(issue["summary"] for issue in issues))
    return f"Sentences longer than {limit} words: {names}."


def _summaries(conversation: Conversation) -> dict[str, str]:
    raw = conversation.record("summaries")
    return {name: raw[name] for name in NAMES if isinstance(raw.get(name), str) and raw[name]}
