"""Whether a rewrite claims what its original claims: as much, as surely, shown in the same system.

The words that decide this are a closed list, in groups of words that may stand for each other.
What a group's words say is compared, so that `often` may become `frequently` but not `seldom`.
"""

import re
from collections.abc import Iterator
from typing import Literal

from intogen_agent.report.verbs import words
from intogen_agent.review.naming import names, plain
from intogen_agent.review.polarity import DENYING, HEDGE, NEGATION, denied

Keeping = Literal["count", "presence", "not new"]

# Said as often as before: one word for another changes a statement.
_COUNTED = {
    "against": r"against|contradict(?:s|ed|ing|ion|ions)?|refut\w*|disprov\w*|oppos(?:e|es|ed|ing)"
    r"|argues? otherwise",
    "agreement": r"agree(?:s|d|ing|ment)?|consistent(?:ly)?|conflict\w*|contradictory|controvers\w*"
    r"|contested|disputed",
    "all": r"(?<!at )all|every|always|invariabl[ey]|universal(?:ly)?|entire(?:ly)?|whole",
    "confirmation": r"prov(?:e|es|ed|en|ing)|proofs?|confirm\w*|establish\w*|demonstrat\w*"
    r"|verif(?:y|ies|ied)|validat\w*|corroborat\w*",
    "doubt": r"doubt\w*|question(?:s|ed|able)?|den(?:y|ies|ied)|denial|reject\w*|dismiss\w*",
    "emphasis": r"clearly|undisputed(?:ly)?|undoubted(?:ly)?|definite(?:ly)?|obvious(?:ly)?"
    r"|conclusive(?:ly)?|convincing(?:ly)?|decisive(?:ly)?|firm(?:ly)?|strong(?:ly)?|robust(?:ly)?"
    r"|certain(?:ly)?|main|major",
    "enough": r"enough|sufficient(?:ly)?|suffic(?:e|es|ed)|adequate(?:ly)?",
    "failure": r"failures?",
    "falsehood": r"false(?!-)|untrue|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?"
    r"|art[ei]facts?|spurious(?:ly)?",
    "few": r"few|little|scant|handful|limited number",
    "half": r"half|halves",
    "hardly": r"hardly|barely|scarcely",
    "many": r"many|numerous|a large number",
    "meeting": r"meets?|meeting|met|reach(?:es|ed)?|pass(?:es|ed)?|exceed(?:s|ed)?|above"
    r"|fulfil\w*|satisf(?:y|ies|ied)",
    "missing": r"miss(?:es|ed)?|fall(?:s|ing)? short|fell short|below",
    "most": r"most|majority|mostly|predominant(?:ly)?|mainly|largely",
    "necessity": r"essential|necessary|required|requires?|needed|needs?|obligatory",
    "often": r"often|frequent(?:ly)?|common(?:ly)?|usual(?:ly)?|typical(?:ly)?",
    "part": r"(?:a|one|two) thirds?|quarters?|dozens?|minority",
    "rarely": r"seldom|rare(?:ly)?|occasional(?:ly)?",
    "several": r"several",
    "some": r"some|sometimes|certain|a subset|a number of",
    "support": r"\w*support(?:s|ed|ing|ive)?|speaks? for|spoke for|backs|backed|evidence for",
    "too": r"too(?= \w+ (?:to|for)\b)",
    "twofold": r"doubl(?:e|es|ed)|twice|two-?fold|2-fold",
    "weakness": r"weak(?:ly)?|modest(?:ly)?|slight(?:ly)?",
}
# Of these also whether they are denied: `neither was confirmed` is not `neither was relevant; both
# were confirmed`.
_VERDICTS = frozenset({"agreement", "confirmation", "doubt", "enough", "meeting", "support"})
# Said at all, and by no other word of these groups instead.
_PRESENT = {
    "association": r"associat(?:es?|ed|ion|ions)|correlat\w+|link(?:s|ed)?|connected|goes with"
    r"|go with|went with|accompan(?:y|ies|ied)|co-?occur\w*",
    "cell culture": r"cell[- ]lines?|cultured?|cell cultures?|in vitro|organoids?|fibroblasts?",
    "dispensability": r"dispensable",
    "driver": r"drivers?",
    "earliness": r"early|earlier|earliest",
    "fish": r"zebrafish|fish",
    "flies": r"fly|flies|drosophila",
    "independence": r"independent(?:ly)?",
    "lateness": r"late|later|latest",
    "mice": r"mouse|mice|murine|animals?|in vivo|xenografts?",
    "oncogene": r"(?:proto-?)?oncogen(?:e|es|ic)|cancer-(?:causing|promoting|driving)",
    "only": r"only|alone|solely|exclusively|merely|by (?:it|them)sel(?:f|ves)",
    "passenger": r"passengers?|bystanders?",
    "patients": r"patients?|people|humans?|clinical(?:ly)?|trials?|individuals|men|women|cohorts?",
    "rats": r"rats?",
    "suppressor": r"suppressors?|tumor[- ]suppress(?:ive|ing)",
    "yeast": r"yeast",
}
# May be dropped for a weaker word, as long as none stronger comes in.
_NOT_NEW = {
    "cause": r"caus(?:e|es|ed|al|ally|ing|ation|ative)|leads? to|led to|leading to|results? in"
    r"|resulted in|responsible|gives? rise|gave rise",
}
_TURNS_BACK = re.compile(
    r"\bnot (?:only|just|merely|simply|without)\b|\bno (?:\w+ )?(?:doubt|wonder|question|longer)\b"
    r"|\bwithout (?:a |any )?(?:doubt|question)\b|\bbeyond (?:a |any |all )?(?:doubt|question)\b"
    r"|\bnothing but\b|\b(?:rarely|seldom|hardly|never|barely|scarcely) not\b"
)
# Forms that deny by their first syllable, and what they deny.
_UN = re.compile(
    r"\b(?:un(?P<un>proven|proved|likely|clear|certain|known|common|altered|affected|changed"
    r"|mutated|related|supported|confirmed|able|tested|explained|resolved|established|convincing"
    r"|important|necessary|expected|involved|detected|detectable|true|disputed|doubtedly)"
    r"|in(?P<in>sufficient(?:ly)?|active|frequent(?:ly)?|conclusive(?:ly)?|consistent(?:ly)?"
    r"|complete(?:ly)?|adequate(?:ly)?|dispensable|effective|significant(?:ly)?|direct(?:ly)?"
    r"|correct(?:ly)?)"
    r"|dis(?P<dis>agree\w*|similar)|im(?P<im>possible|probable|plausible)"
    r"|ir(?P<ir>reversibl[ey]|relevant|regular(?:ly)?)"
    r"|non-?(?P<non>functional|significant|essential))\b"
)
_ABSENT = re.compile(r"\b(?:absent|missing)\b")
_NOT_YET = re.compile(r"\b(?:(?:has|have) yet to|remains? to be|lacked|devoid of|awaits?)\b")
# What hedges beside the words of review/polarity.py. `Can` tells what is possible, not that it is
# unsure: it may become `may`, not the other way round.
_SOFT = re.compile(
    r"\b(?:believed|thought|tend(?:s|ed|ency)?|assum(?:ed|ption)|expected|presumed|speculat\w+"
    r"|reportedly|apparent(?:ly)?|arguabl[ey]|conceivabl[ey]|whether|debated)\b"
)
_CAN = re.compile(r"\bcan\b")
_FOUND = words("found find show showed shown seen saw study studie report reported")
_CLAUSE = re.compile(r"[,;:.()](?!\d)|\b(?:but|whereas|while|although|and|because)\b")
_STEM = 5


def claim_change(rewrite: str, original: str) -> str | None:
    """Name the first change of what is claimed; None if everything that the lists know stays."""
    here, there = spelled(rewrite), spelled(original)
    return (
        _denial(here, there, names(f"{rewrite} {original}"))
        or _hedging(here, there, names(f"{rewrite} {original}"))
        or next(_groups(here, there), None)
        or next(_denied_groups(here, there), None)
    )


def spelled(text: str) -> str:
    """Return a text in plain form with its denying forms spelled out: `unproven`, `not proven`."""
    said = _NOT_YET.sub("not", _ABSENT.sub("not present", plain(text)))
    return _UN.sub(lambda match: f"not {next(filter(None, match.groups()))}", said)


def _denial(here: str, there: str, marked: list[str]) -> str | None:
    if len(_TURNS_BACK.findall(here)) > len(_TURNS_BACK.findall(there)):
        return f"it changes a negation: {_TURNS_BACK.findall(here)[0]}"
    if len(NEGATION.findall(here)) != len(NEGATION.findall(there)):
        return "it changes a negation"
    named = {name.casefold() for name in marked}
    before, after = denied(here), denied(there)
    for one in before:
        # What was found or shown is said of everything; it ties nothing, if there is more.
        told = one - _FOUND or one
        if not any(_shares(told, other, named) for other in after):
            return "it denies something else"
    return None


def _hedging(here: str, there: str, marked: list[str]) -> str | None:
    hedges, known = _hedges(here), _hedges(there)
    fewer = hedges < known or hedges + _cans(here) < known + _cans(there)
    if fewer:
        return "it drops a hedge"
    named = {name.casefold() for name in marked}
    before, after = list(_hedged(there)), list(_hedged(here))
    if any(not any(_shares(one, other, named) for other in after) for one in before):
        return "it drops a hedge, or hedges something else"
    return None


def _hedges(text: str) -> int:
    return sum(not _CAN.fullmatch(word) for word in HEDGE.findall(text)) + len(_SOFT.findall(text))


def _cans(text: str) -> int:
    return len(_CAN.findall(text))


def _hedged(text: str) -> Iterator[set[str]]:
    """Yield the words of content of every clause that hedges."""
    for clause in _CLAUSE.split(text):
        if HEDGE.search(clause) or _SOFT.search(clause):
            rest = _SOFT.sub(" ", HEDGE.sub(" ", clause))
            found = {word for word in re.findall(r"[a-z0-9][\w-]*", rest) if len(word) > 2}
            if found:
                yield found


def _shares(one: set[str], other: set[str], marked: set[str]) -> bool:
    named, named_there = one & marked, other & marked
    if named and named_there:
        return bool(named & named_there)
    return bool({_start(word) for word in one} & {_start(word) for word in other})


def _start(word: str) -> str:
    # Words of three letters join (the, was): they are compared with nothing.
    return word[:_STEM] if len(word) > 3 else f"{word} "


def _groups(here: str, there: str) -> Iterator[str]:
    for kept, groups in _PATTERNS.items():
        for name, pattern in groups.items():
            new, old = len(pattern.findall(here)), len(pattern.findall(there))
            if _differs(kept, new, old):
                word = pattern.search(here if new > old else there)
                told = f"'{word.group()}'" if word else "a word"
                yield f"it {'brings in' if new > old else 'drops'} {told} ({name})"


def _denied_groups(here: str, there: str) -> Iterator[str]:
    """Yield the groups that are denied where they were not, or no longer.

    A place (in patients) may leave the clause that denies; only if another one is denied instead
    (in mice, not in patients; in patients, not in mice) the statement is another.
    """
    new, old = _denied_words(here), _denied_words(there)
    for name, pattern in _PATTERNS["count"].items():
        if name in _VERDICTS and len(pattern.findall(new)) != len(pattern.findall(old)):
            yield f"it changes a negation ({name})"
    said = {name for name, one in _PATTERNS["presence"].items() if one.search(new)}
    was = {name for name, one in _PATTERNS["presence"].items() if one.search(old)}
    if said - was and was - said:
        yield f"it denies something else ({min(said - was)})"


def _denied_words(text: str) -> str:
    return " . ".join(clause for clause in DENYING.split(text) if NEGATION.search(clause))


def _differs(kept: Keeping, new: int, old: int) -> bool:
    if kept == "count":
        return new != old
    return bool(new) != bool(old) if kept == "presence" else bool(new) and not old


def _compiled(groups: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b(?:{either})\b") for name, either in groups.items()}


_PATTERNS: dict[Keeping, dict[str, re.Pattern[str]]] = {
    "count": _compiled(_COUNTED),
    "presence": _compiled(_PRESENT),
    "not new": _compiled(_NOT_NEW),
}
