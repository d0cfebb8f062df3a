"""What code holds the summaries to: facts, citations, the verdict, a role that mechanisms allow."""

import re
from collections.abc import Iterable

from intogen_agent.report.models import FinalReport
from intogen_agent.report.text import sentences
from intogen_agent.review.direction import directions
from intogen_agent.review.polarity import NEGATION
from intogen_agent.summary.facts import changed_fact, foreign_facts
from intogen_agent.summary.models import RoleOfAction
from intogen_agent.summary.readability import longest

_CITATION = re.compile(
    r"\[\d+(?:\s*[,-]\s*\d+)*\]|\bPMC?IDs?(?![a-z])|\bPMC\d|\bdoi\b|https?://|\bTOOL:\w",
    re.IGNORECASE,
)
# Words in which a text may say that something is not supported.
_NOT_ENOUGH = re.compile(
    r"\b(?:insufficient|too (?:few|little|weak)|misses|missed|missing|falls? short|open|unknown"
    r"|unclear|undetermined|unsupported|passenger)\b",
    re.IGNORECASE,
)
# In a headline these will do; an assessment says more.
_LITTLE = re.compile(r"\b(?:seldom|rare|rarely|weak|little|few)\b", re.IGNORECASE)


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


def why_ruled_out(report: FinalReport) -> str:
    """Say in one sentence what the mechanisms show, for a role that they rule out."""
    hypothesis = report.mechanistic_hypothesis
    if hypothesis is None or not hypothesis.bullets:
        return "The report holds no mechanism."
    found = " and ".join(sorted(directions(b.chain.cause for b in hypothesis.bullets)))
    return f"The mechanisms speak of {found} of function alone, which the proposed role is not."


def summary_problems(text: str, source: str, max_words: int) -> list[str]:
    """Return what is wrong with a summary: citations, facts of its own, endless sentences.

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
    # A citation's number is no fact of the text.
    foreign = [] if problems else foreign_facts(text, source)
    if foreign:
        problems.append(f"the report does not hold {foreign[0]}")
    if longest(text) > 2 * max_words:
        problems.append(f"a sentence is far longer than {max_words} words")
    return problems


def without_foreign(text: str, source: str) -> str:
    """Return a text without the sentences that hold citations or facts of their own."""
    kept = [
        sentence
        for sentence in sentences(text)
        if not _CITATION.search(sentence) and not foreign_facts(sentence, source)
    ]
    return " ".join(kept)


def says_not_supported(text: str, *, headline: bool = False) -> bool:
    """Say whether a text tells that something is not supported, missing or unknown.

    Args:
        text: The text.
        headline: Whether it is a headline, which may also say that there is little.
    """
    little = headline and _LITTLE.search(text)
    return bool(NEGATION.search(text) or _NOT_ENOUGH.search(text) or little)


def rewrite_problem(
    rewrite: str, original: str, max_words: int, pair: Iterable[str] = ()
) -> str | None:
    """Say why a rewrite may not replace a summary; None if it keeps every fact.

    Args:
        rewrite: The new text.
        original: The text it would replace.
        max_words: The target length of a sentence; a rewrite may not be above it unless the
            original is, and then not further.
        pair: The names of the gene and of the cancer.
    """
    if not rewrite.strip():
        return "it is empty"
    if _CITATION.search(rewrite):
        return "it holds citations"
    changed = changed_fact(rewrite, original, pair)
    if changed is not None:
        return changed
    if longest(rewrite) > max(max_words, longest(original)):
        return f"a sentence has {longest(rewrite)} words; the target is {max_words}"
    return None
