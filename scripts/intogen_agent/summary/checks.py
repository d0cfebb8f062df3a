"""What code holds the summaries to: facts, citations, and a role that the mechanisms allow."""

import re

from intogen_agent.evidence.quotes import foreign_numbers
from intogen_agent.report.models import FinalReport
from intogen_agent.report.text import sentences
from intogen_agent.review.direction import directions
from intogen_agent.summary.models import RoleOfAction

_CITATION = re.compile(
    r"\[\d+(?:\s*[,-]\s*\d+)*\]|\bPMC?IDs?(?![a-z])|\bPMC\d|\bdoi\b|https?://|\bTOOL:\w",
    re.IGNORECASE,
)
# Names of genes, proteins and variants: two capitals or a digit (KRAS, mTOR, V600E), or a letter
# and a number (p53, miR-21).
_NAME = re.compile(
    r"\b(?=\w*[A-Z])(?=\w*(?:[A-Z]\w*[A-Z0-9]|\d))[A-Za-z0-9][\w-]{1,}\b|\b[A-Za-z]+-?\d\w*\b"
)
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot|lacks?|un\w+ed)\b", re.I)
_HEDGE = re.compile(
    r"\b(?:may|might|could|can|suggests?|appears?|possibly|probably|likely|hypothes\w+)\b", re.I
)


def allowed_roles(report: FinalReport) -> set[RoleOfAction]:
    """Return the roles that a report's mechanisms leave open.

    Source: the seed's section "Summary generation": the role is constrained to match the
    mechanistic content. Loss of function alone is no oncogene, gain of function alone no tumor
    suppressor; without a mechanism the role is unclear. Causes that say neither leave all open.
    """
    hypothesis = report.mechanistic_hypothesis
    if hypothesis is None or not hypothesis.bullets:
        return {RoleOfAction.UNCLEAR}
    found = directions(bullet.chain.cause for bullet in hypothesis.bullets)
    open_roles = set(RoleOfAction)
    if found == {"loss"}:
        open_roles -= {RoleOfAction.ONCOGENE}
    if found == {"gain"}:
        open_roles -= {RoleOfAction.TUMOR_SUPPRESSOR}
    return open_roles


def summary_problems(text: str, source: str, max_words: int) -> list[str]:
    """Return what is wrong with a summary: citations, numbers of its own, endless sentences.

    Args:
        text: The summary.
        source: All text of the report that it summarises.
        max_words: The target; only sentences of twice that length are refused.
    """
    problems = []
    if not text.strip():
        problems.append("it is empty")
    if _CITATION.search(text):
        problems.append("it holds citations; leave them out")
    foreign = foreign_numbers(text, source)
    if foreign:
        problems.append(f"the report does not hold the number {foreign[0]}")
    if any(len(sentence.split()) > 2 * max_words for sentence in sentences(text)):
        problems.append(f"a sentence is far longer than {max_words} words")
    return problems


def rewrite_problem(rewrite: str, original: str, source: str, max_words: int) -> str | None:
    """Say why a rewrite may not replace a summary; None if it keeps every fact.

    Args:
        rewrite: The new text.
        original: The text it would replace.
        source: All text of the report.
        max_words: The target length of a sentence.
    """
    problems = summary_problems(rewrite, f"{original} {source}", max_words)
    if problems:
        return problems[0]
    known = {name.casefold() for name in _NAME.findall(f"{original} {source}")}
    new = [name for name in _NAME.findall(rewrite) if name.casefold() not in known]
    if new:
        return f"it brings in the name {new[0]}"
    lost = [name for name in _NAME.findall(original) if not _holds(rewrite, name)]
    if lost:
        return f"it drops the name {lost[0]}"
    if foreign_numbers(original, rewrite):
        return "it drops a number"
    if len(_NEGATION.findall(rewrite)) != len(_NEGATION.findall(original)):
        return "it changes a negation"
    if len(_HEDGE.findall(rewrite)) < len(_HEDGE.findall(original)):
        return "it drops a hedge"
    return None


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", text) is not None
