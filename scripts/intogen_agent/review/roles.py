"""Which role a statement gives the gene itself: oncogene or tumor suppressor.

`The oncogene APC`, `APC, an oncogene,` and `oncogenic APC` are claims on APC; `oncogenic
signalling`, `cooperates with the oncogene KRAS` and `oncogene-induced senescence` are none.
"""

import re
from collections.abc import Iterator

from intogen_agent.review.marked import GENE, marked
from intogen_agent.review.naming import GeneNames

_NOUN = r"(?:(?:proto-?)?oncogenes?|(?:onco|tumor[- ]suppressor )proteins?|tumor[- ]suppressors?)"
_ROLE = rf"(?P<role>{_NOUN}|oncogenic drivers?)"
_KIND = r"(?P<role>oncogenic|tumor[- ]suppress(?:ive|ing|or))"
# A, the, one of the most important, here considered, ...
_FILL = (
    r"(?:(?:a|an|the|one|of the|most|least|as|to be|here|also|not only|well|best|[\w-]*known|bona"
    r"|fide|new|novel|human|cancer|gene|both|either|main|dominant|so-called|context|strong|weak"
    r"|[\w-]{2,}(?:al|ic|ive|ous|ant|ent|ble|ly|ed|ful|ary|er|or)) ){0,8}"
)
_IS = (
    r"(?:is|are|was|were|be|been|being|acts?|acting|functions?|functioning|works?|working|serves?"
    r"|serving|behaves?|behaving|becomes?|represents?|constitutes?)"
)
_HAS = r"(?:has|have|had|exerts?|shows?|displays?|possess(?:es)?|plays?|gains?|retains?|acquires?)"
# What follows a role that is no part of another term (an oncogene's target, the oncogene MYC).
_END = (
    r"(?=(?: genes?)?(?:\s*(?:[,.;:)]|$)|\s(?:in|of|for|that|which|whose|with|when|where|and|or|but"
    r"|by|at|to|here|because|since|through|whereas|while|after|upon|under|across|is|drives|if)\b))"
)
_PROPERTY = r"(?:functions?|activit(?:y|ies)|roles?|propert(?:y|ies)|potential|effects?|actions?)"
_ALTERED = (
    r"(?:mutations?|mutants?|variants?|alterations?|alleles?|loss\w*|inactivation|deletions?"
    r"|truncations?|lesions?|events?|deficiency|silencing|signal\w*|pathways?|hits?)"
)
# Between the gene and its verb: nothing that could be the subject instead (APC targets are ...).
_LEAD = (
    r"(?: (?:gene|protein|itself|kinase|receptor|also|thus|therefore|here|often|can|may|might|could"
    r"|would|must|has|have|had|been|is|was|are|to|thought|believed|known|said|reported|shown|found"
    r"|proposed|suggested|considered|\w+ly|in (?:\w+ ){0,3}\w+)){0,6}"
)
_BEFORE_AS = (
    rf"(?: (?!{_ALTERED}\b|(?:that|which|whose|where|when|while|with|by|from|such|known|genes?"
    r"|proteins?)\b)[\w-]+){0,6}?"
)
_CLAIMS = (
    # The oncogene APC; oncogenes such as APC.
    re.compile(rf"\b(?P<role>{_NOUN})(?: gene)?(?:,? (?:such as|like|called))? \(?{GENE}(?![\w-])"),
    # The APC oncogene; `KIT proto-oncogene` is but a name.
    re.compile(rf"{GENE}(?: gene)? (?P<role>oncogene|tumor[- ]suppressor)(?![\w-])"),
    # Oncogenic APC drives; not: oncogenic APC mutations.
    re.compile(rf"\b{_KIND} {GENE}(?![\w-]| (?:\w+ )?{_ALTERED})"),
    # APC, an oncogene, drives; APC (an oncogene).
    re.compile(rf"{GENE}(?:, (?:(?:which|that) is )?(?=an? |the |one )| \(){_FILL}{_ROLE}{_END}"),
    # APC is considered an oncogene.
    re.compile(rf"{GENE}{_LEAD} {_IS} {_FILL}{_ROLE}{_END}"),
    re.compile(rf"{GENE}{_LEAD} {_IS} {_FILL}(?P<role>oncogenic|tumor[- ]suppressive){_END}"),
    # APC drives growth as an oncogene.
    re.compile(rf"{GENE}{_BEFORE_AS} as (?:a|an|the|one) {_FILL}{_ROLE}{_END}"),
    # APC has oncogenic function.
    re.compile(rf"{GENE}{_LEAD} {_HAS} {_FILL}{_KIND} {_PROPERTY}\b"),
    # The oncogenic role of APC; not: of APC loss.
    re.compile(rf"\b{_KIND} {_PROPERTY} of (?:the )?{GENE}(?![\w-]| (?:\w+ )?{_ALTERED})"),
    # As a classical oncogene, APC drives.
    re.compile(rf"\bas {_FILL}{_ROLE}(?: (?:in|of) [^,;]{{1,60}})?, (?:the )?{GENE}(?![\w-])"),
)
# The subject of a function bullet is the gene.
_OWN = re.compile(
    r"^(?:acts?|functions?|works?|serves?|behaves?|operates?|is|encodes|represents)"
    rf" {_FILL}{_ROLE}{_END}"
)
# What denies a role, or says that it is past or of another gene.
_DENIED = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|rather than|instead of|unlike|opposes?|once"
    r"|initially|originally|formerly|historically|first|contrast to|whether|if)\b"
)
# Before the gene: it is not the gene that plays the role.
_ABOUT_ALTERED = re.compile(rf"\b{_ALTERED} (?:of|in) (?:the )?$")


def roles(text: str, gene: GeneNames, *, subject: bool = False) -> Iterator[str]:
    """Yield the roles that a text gives the gene, without those that it denies.

    Args:
        text: The text of a bullet.
        gene: The gene's names.
        subject: Whether sentences without a subject speak of the gene, as in function bullets.
    """
    for part in re.split(r"[.;]\s", marked(text, gene)):
        for match in _matches(part, subject):
            if not _DENIED.search(part[: match.end()]):
                yield "oncogene" if "onco" in match["role"] else "tumor suppressor"


def _matches(part: str, subject: bool) -> Iterator[re.Match[str]]:
    for claim in _CLAIMS:
        for match in claim.finditer(part):
            if not _ABOUT_ALTERED.search(part[: match.start()]):
                yield match
    own = _OWN.search(part) if subject else None
    if own:
        yield own
