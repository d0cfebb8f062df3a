"""Whether a word on -s that begins a bullet is a verb (`Signals through STAT3`) or a plural noun
(`Signals from the receptor reach it`).

Three sources: a list of verbs with the suffixes that make verbs (-ates, -izes, -ifies), a list of
endings of plural nouns, and the rest of the sentence: a plural noun needs a finite verb after it.
"""

import re
from collections.abc import Sequence

from intogen_agent.report.verbs import (
    ALSO_ADJECTIVES,
    ALSO_NOUNS,
    LOOKS_LIKE_A_VERB,
    NOUN_ENDING,
    NOUNS,
    VERBS,
    words,
)

_DETERMINERS = words("the a an its their both other several many each this that these those")
_AUXILIARIES = words("are were have had do did")
_MODALS = words("can cannot may might must could should will would")
_PREPOSITIONS = words(
    "in on at to into onto through as by with from for between across along within during under "
    "upon via toward towards over near after before against around beyond beneath inside outside "
    "without among like"
)
# `Targets include MYC`: the word before is a noun.
_AFTER_NOUNS = _AUXILIARIES | _MODALS | words("include includes included such")
# Adjectives that follow their noun: `Residues essential for binding lie in the loop`.
_AFTER_THEIR_NOUN = words(
    "rich essential deficient null upstream downstream able unable close present absent distal "
    "proximal adjacent common unique typical specific similar identical necessary critical"
)
_VERBS_WITH_OF = words("consists disposes partakes")
# `Helps initiate transcription`, `Ensures ends are joined`: the verb after it is no sign of a noun.
_WITH_A_VERB = words("helps lets makes ensures shows means suggests requires")
_PRONOUNS = words("it them its their the a an")
# What comes after these is no part of the main clause.
_CLAUSE = words("that which who whose where when while how why because if so whether as than")
_AND = words("and or but")
_VERB_SUFFIX = re.compile(r"\w{3,}(?:ate|ize|ise|ify)$|(?:yze|yse)$")
_TOKEN = re.compile(r"[^\s,;:.()]+|[,;:.()]")


def is_verb(word: str, following: str) -> bool:
    """Say whether a lower-case word on -s is a verb in its sentence.

    Args:
        word: The word.
        following: The rest of its sentence.
    """
    rest = _TOKEN.findall(following)
    after = rest[0].lower() if rest else ""
    if after in _AFTER_NOUNS or (after == "of" and word not in _VERBS_WITH_OF):
        return False
    bases = _bases(word)
    if bases & NOUNS:
        return after in _DETERMINERS and bool(bases & VERBS)
    if _is_known(bases):
        if after in _DETERMINERS or word in _WITH_A_VERB:
            return True
        return not _has_main_verb(rest, auxiliaries_only=not bases & ALSO_NOUNS)
    return _is_unknown_verb(word, rest)


def _is_unknown_verb(word: str, rest: Sequence[str]) -> bool:
    after = rest[0] if rest else ""
    if not LOOKS_LIKE_A_VERB.search(word) or not after[:1].isalnum():
        return False
    if after.lower() in _DETERMINERS:
        return True
    if NOUN_ENDING.search(word) or after in _AFTER_THEIR_NOUN:
        return False
    if after.endswith(("ing", "ed")) or _is_base_verb(after):
        return False
    return not _has_main_verb(rest)


def _has_main_verb(tokens: Sequence[str], *, auxiliaries_only: bool = False) -> bool:
    """Say whether a finite verb of the plural follows in the main clause."""
    before, joined = "", False
    for token, after in zip(tokens, [*tokens[1:], ""], strict=False):
        word = token.lower()
        if word in _CLAUSE or not token[0].isalnum():
            return False
        if word in _AUXILIARIES or (word in _MODALS and not joined):
            return True
        # `to divide and migrate`: the second infinitive is no finite verb either.
        free = before not in _DETERMINERS | _PREPOSITIONS | _AND
        if free and not auxiliaries_only and _is_finite(token, after.lower()):
            return True
        joined = joined or word in _AND
        before = word
    return False


def _is_finite(word: str, after: str) -> bool:
    """Say whether a word can only be a finite verb: by itself, or by the object after it."""
    if after in _PRONOUNS:
        return _is_base_verb(word) or word == "found" or word.endswith("ed")
    return _is_base_verb(word) and word not in ALSO_NOUNS | ALSO_ADJECTIVES


def _is_base_verb(word: str) -> bool:
    if word != word.lower() or word in NOUNS:
        return False
    return word in VERBS or _VERB_SUFFIX.search(word) is not None


def _bases(word: str) -> set[str]:
    bases = {word[:-1]}
    if word.endswith("es"):
        bases.add(word[:-2])
    if word.endswith("ies"):
        bases.add(word[:-3] + "y")
    return bases


_PREFIXES = ("auto", "co", "cross", "de", "dis", "hyper", "inter", "over", "re", "trans")


def _is_known(bases: set[str]) -> bool:
    if bases & VERBS or any(_VERB_SUFFIX.search(base) for base in bases):
        return True
    return any(
        base.startswith(prefix) and base.removeprefix(prefix) in VERBS
        for base in bases
        for prefix in _PREFIXES
    )
