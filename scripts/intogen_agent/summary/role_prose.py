"""The role and the direction that a text gives the gene, in words."""

import re
from collections.abc import Iterator

from intogen_agent.report.text import sentences
from intogen_agent.review.direction import Direction
from intogen_agent.review.naming import plain
from intogen_agent.review.polarity import HEDGE, NEGATION
from intogen_agent.summary.about import CANCER, GENE, Pair
from intogen_agent.summary.models import RoleOfAction

_ROLE = r"(?P<role>(?:proto-?)?oncogen(?:e|ic driver)|tumor[- ]suppressor)"
_UPTO = r"(?:(?!\b(?:which|that|whose)\b)[^.;:,]){0,60}?"
_ARTICLES = (
    r"(?: (?:a|an|the|key|known|classical|major|bona|fide|potent|clear|main|strong|thus|also"
    r"|indeed|\w+al))*"
)
_GIVEN = (
    # `It` at the start stands for the gene only after a sentence about it: see `roles_given`.
    re.compile(
        rf"(?:\b{GENE}\b|^(?:the|this) gene\b|^it\b){_UPTO}"
        rf"\b(?:is|as|be|being|becomes?|acts? like){_ARTICLES} ?{_ROLE}\b"
    ),
    re.compile(rf"\b{_ROLE},? (?:gene )?{GENE}\b"),
    re.compile(rf"\b{GENE}, (?:an?|the) (?:\w+ ){{0,2}}?{_ROLE}\b"),
    re.compile(
        rf"\b(?P<role>oncogenic|tumor[- ]suppressive) (?:(?:role|function|action) of )?{GENE}\b"
    ),
)
_ACTS = rf"(?:the )?(?:\w+ )?{GENE}"
_GAIN = re.compile(
    r"\b(?:gain(?: of function)?|activation|amplification|over-?expression|up-?regulation"
    rf"|duplication)(?: mutations?)? (?:of|in) {_ACTS}\b"
    rf"|\b(?:activating|gain-of-function) (?:mutations? (?:of|in) )?{_ACTS}\b"
    rf"|\b(?:activated|amplified|over-?expressed|oncogenic) {GENE}\b"
    rf"|\b{GENE} (?:gene |protein )?(?:gain|activation|amplification|over-?expression"
    r"|(?:is|are|being) (?:gained|activated|amplified|over-?expressed))\b"
)
_LOSS = re.compile(
    r"\b(?:loss(?: of function)?|inactivation|deletion|silencing|truncation|absence"
    rf"|down-?regulation)(?: mutations?)? (?:of|in) {_ACTS}\b"
    rf"|\b(?:inactivating|truncating|loss-of-function) (?:mutations? (?:of|in) )?{_ACTS}\b"
    rf"|\b(?:inactivated|deleted|silenced|lost) {GENE}\b"
    rf"|\b{GENE} (?:gene |protein )?(?:loss|inactivation|deletion|silencing|truncation"
    r"|(?:is|are|being) (?:lost|inactivated|deleted|silenced))\b"
)


def roles_given(text: str, pair: Pair) -> Iterator[tuple[str, RoleOfAction, bool]]:
    """Yield the roles that a text gives the gene, without those that it denies or leaves open.

    Yields:
        The sentence, the role, and whether the sentence names the cancer. What is said of other
        cancers alone is left out.
    """
    about_gene = False
    for sentence in sentences(text):
        said = pair.marked(sentence)
        for pattern in _GIVEN:
            match = pattern.search(said)
            if match is None or (match.group().startswith("it ") and not about_gene):
                continue
            before = said[max(0, match.start() - 20) : match.end()]
            open_ = NEGATION.search(before) or HEDGE.search(match.group())
            if not open_ and not all(clause.elsewhere for clause in pair.clauses(sentence)):
                yield sentence, _role(match["role"]), CANCER in said
        # After a sentence with another name in it, `it` may stand for that.
        about_gene = GENE in said and not pair.others(sentence)


def directions_given(text: str, pair: Pair) -> Iterator[tuple[str, Direction]]:
    """Yield the directions in which a text lets the gene be altered, with their sentences."""
    for sentence in sentences(text):
        said = pair.marked(sentence)
        if _GAIN.search(said):
            yield sentence, "gain"
        if _LOSS.search(said):
            yield sentence, "loss"


def _role(word: str) -> RoleOfAction:
    gene = "oncogen" in plain(word)
    return RoleOfAction.ONCOGENE if gene else RoleOfAction.TUMOR_SUPPRESSOR
