"""What code holds the words of summaries to: facts, citations, length, and what a rewrite keeps."""

import re
from collections.abc import Iterable

from intogen_agent.report.text import sentences
from intogen_agent.review.naming import CancerTerms
from intogen_agent.summary.facts import changed_fact, foreign_facts
from intogen_agent.summary.readability import longest

_CITATION = re.compile(
    r"\[\d+(?:\s*[,-]\s*\d+)*\]|\bPMC?IDs?(?![a-z])|\bPMC\d|\bdoi\b|https?://|\bTOOL:\w",
    re.IGNORECASE,
)


def summary_problems(
    text: str, source: str, max_words: int, terms: CancerTerms | None = None
) -> list[str]:
    """Return what is wrong with a summary: citations, facts of its own, endless sentences.

    Args:
        text: The summary.
        source: All text of the report that it summarises.
        max_words: The target; only sentences of twice that length are refused.
        terms: The words for all cancer types.
    """
    problems = []
    if not text.strip():
        problems.append("it is empty")
    if _CITATION.search(text):
        problems.append("it holds citations; leave them out")
    # A citation's number is no fact of the text.
    foreign = [] if problems else foreign_facts(text, source, terms)
    if foreign:
        problems.append(f"the report does not hold {foreign[0]}")
    if longest(text) > 2 * max_words:
        problems.append(f"a sentence is far longer than {max_words} words")
    return problems


def without_foreign(text: str, source: str, terms: CancerTerms | None = None) -> str:
    """Return a text without the sentences that hold citations or facts of their own."""
    kept = [
        sentence
        for sentence in sentences(text)
        if not _CITATION.search(sentence) and not foreign_facts(sentence, source, terms)
    ]
    return " ".join(kept)


def rewrite_problem(
    rewrite: str,
    original: str,
    max_words: int,
    pair: Iterable[str] = (),
    terms: CancerTerms | None = None,
) -> str | None:
    """Say why a rewrite may not replace a summary; None if it keeps every fact.

    Args:
        rewrite: The new text.
        original: The text it would replace.
        max_words: The target length of a sentence; a rewrite may not be above it unless the
            original is, and then not further.
        pair: The names of the gene and of the cancer.
        terms: The words for all cancer types.
    """
    if not rewrite.strip():
        return "it is empty"
    if _CITATION.search(rewrite):
        return "it holds citations"
    changed = changed_fact(rewrite, original, pair, terms)
    if changed is not None:
        return changed
    if longest(rewrite) > max(max_words, longest(original)):
        return f"a sentence has {longest(rewrite)} words; the target is {max_words}"
    return None
