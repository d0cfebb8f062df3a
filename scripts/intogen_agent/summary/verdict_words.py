"""Words in which a text says that the gene has, or has not, a role in the cancer.

They are for clauses in the marked form of summary/about.py: the gene is `xgene`, the cancer
`xcancer`.
"""

import re

from intogen_agent.review.polarity import HEDGE, NEGATION

_DISEASE = (
    r"(?:xcancer|(?:(?:the|this|these|such|most|all|many) )?(?:cancers?|tumors?|tumou?rigenesis"
    r"|carcinogenesis|oncogenesis|disease|malignan\w+))\b"
)
_WHERE = rf"(?= (?:in|of|for) {_DISEASE}|(?: here)?\W*$| as | because | since | by )"
_AND_NOT = r"(?<!not a )(?<!not a mere )(?<!not )(?<!no )(?<!than a )(?<!than )(?<!never a )"
# Phrases of denial that affirm.
SURE = re.compile(
    r"\b(?:no|little|without(?: a| any)?|beyond(?: a| any| all)?) (?:\w+ )?(?:doubts?|question)\b"
    r"|\bundoubted(?:ly)?\b|\bunquestionabl\w+|\bundisputed(?:ly)?\b|\bindisputabl\w+"
    r"|\bnot (?:true|correct|the case) that\b|\bnever fails? to\b|\b(?:does|did|do) not fail to\b"
    r"|\bcannot be (?:denied|doubted)\b"
)
# They turn a denial back where a role is spoken of; of proteins they are plain words.
TURNED = re.compile(r"\bno longer\b|\bnot (?:only|just|merely|simply)\b|\bnot (?:a )?mere\w*\b")
ABOUT_ROLE = re.compile(
    r"\b(?:role|support\w*|drivers?|drives?|evidence|passengers?|involve\w*|unknown|unclear|open"
    r"|doubt\w*|causes?)\b"
)
_THRESHOLDS = r"(?:the )?(?:\w+ )?thresholds?"
_ROLE = r"(?:role|involvement|part|driver status|contribution|importance)"
AFFIRMED = re.compile(
    r"\b(?:is|are|was|acts? as|being|as|remains) (?:(?:a|an|the|one|of|\w+) ){0,4}"
    rf"(?:drivers?|causes?)\b{_WHERE}"
    r"|\b(?:driv(?:es?|ing)|drove|caus(?:es?|ed|ing)|initiat(?:es?|ed)|fuel(?:s|ed)?|underlies"
    r"|promot(?:es?|ed|ing)|trigger(?:s|ed)?|sustain(?:s|ed)?"
    r"|contribut(?:es?|ed|ing) to|(?:essential|required|necessary|needed|responsible) for)"
    rf" (?:the )?(?:(?:growth|formation|development|onset|progression|initiation|spread) of )?"
    rf"{_DISEASE}"
    rf"|\b{_ROLE}\b(?:(?! (?:whether|if)\b)[^.;]){{0,80}}? (?:is|was|are|has been) "
    r"(?:(?:\w+ly|well|now|thus|indeed) )*"
    r"(?:supported|established|proven|confirmed|certain|shown|demonstrated|beyond)\b"
    rf"|\b(?:supports?|confirms?|proves?|establish(?:es)?|shows?|demonstrates?) (?:\w+ ){{0,3}}?"
    rf"{_ROLE}\b"
    rf"|\b(?:plays?|has|had) (?:\w+ ){{0,4}}(?:role|part)\b{_WHERE}"
    r"|\b(?:driven|caused|initiated|promoted|fuelled|sustained) by (?:\w+ ){0,2}xgene\b"
    r"|\b(?:is|as) (?:[\w-]+ ){0,5}(?:cancer|xcancer|driver) gene\b"
    rf"|\b(?:meets?|reach(?:es)?|pass(?:es)?|exceeds?) (?:all )?{_THRESHOLDS}"
    r"|\bthresholds? (?:[\w-]+ ){0,3}(?:is|are|was|were) (?:all )?(?:met|reached|passed)\b"
    r"|\bspeaks? for (?:it|a role|xgene)\b"
)
NO_SUPPORT = re.compile(
    r"(?:\b(?:not|never|cannot|neither|nor|nothing|fails? to|failed to)\b|n't\b)[^.;,]{0,50}?\b"
    r"(?:support\w*|establish\w*|prove[ns]?|confirm\w*|demonstrat\w*|shown?|suggest\w*"
    r"|indicat\w*|enough|sufficient|convincing|conclusive|drivers?|drives?|link(?:s|ed)?|tied?"
    r"|implicat\w*|known|met|meet|reach\w*|obtained|found|act|play)\b"
    r"|\b(?:no|little|scant|scarce|weak|insufficient|limited|inadequate|too (?:little|few|weak)"
    r"|few|lacks?|lacking|lack of|absence of|without|missing|hardly any)\b(?: [\w-]+){0,4}? "
    r"(?:evidence|support|proof|role|part|data|stud(?:y|ies)|papers?|articles?|indications?"
    r"|signs?|statements?|references?|sources?|involvement|findings?|links?|drivers?)\b"
    r"|\b(?:evidence|support|data|role|proof|involvement|references?|statements?|sources?|studies)"
    r"\b[^.;]{0,80}? (?:is|are|was|were|remains?|stays?) (?:[\w-]+ ){0,2}?"
    r"(?:weak|insufficient|missing|lacking|absent|thin|scarce|limited|too (?:few|little|weak)"
    r"|unsupported|unproven|unconfirmed|unclear|unknown|open|uncertain|undetermined|unlikely)\b"
    r"|\b(?:unsupported|unproven|undetermined|misses|falls? short|fell short"
    r"|below the thresholds?)\b"
    r"|\bnone of the (?:\w+ )?(?:thresholds?|evidence|references?|statements?|papers?|studies)\b"
    r"|\bspeaks? against\b|\bagainst (?:a|any|its|the) (?:\w+ )?role\b"
    r"|\bwhether\b[^.;]{0,90}? (?:is|remains|stays) (?:\w+ )?(?:open|unclear|unknown|uncertain"
    r"|undetermined)\b"
    rf"|{_AND_NOT}\b(?:passengers?|bystanders?)\b"
)
# What a supported report does not say of its gene.
REFUSED = re.compile(
    rf"\bno (?:\w+ ){{0,2}}(?:role|part|involvement)\b{_WHERE}"
    rf"|\bno (?:\w+ ){{0,2}}(?:role|part|involvement) of xgene\b"
    r"|(?:\b(?:not|never|fails? to|failed to|nor)\b|n't\b) (?:\w+ ){0,3}?support\w*"
    rf"(?: [\w-]+){{0,3}}? {_ROLE}\b"
    rf"|\b{_ROLE}\b[^.;,]{{0,80}}? (?:is|was|remains|stays) (?:\w+ )?(?:not (?:\w+ ){{0,2}}"
    r"(?:supported|established|proven)|unsupported|unproven|open|unclear|unknown|doubtful"
    r"|questionable)\b"
    rf"|{_AND_NOT}\b(?:passengers?|bystanders?)\b"
    r"|\b(?:not|never|neither|hardly) (?:a|an|the)? ?(?:\w+ ){0,2}drivers?\b"
    rf"|(?:\b(?:not|never)\b|n't\b) (?:drive|cause|promote|act in|matter in) {_DISEASE}"
    r"|\b(?:no|insufficient|little|too little) evidence (?:for|of|that|supports)\b"
    rf"|\b(?:dispensable for|irrelevant (?:to|for|in)|unrelated to|nothing to do with) {_DISEASE}"
    rf"|\bnot (?:\w+ )?(?:involved|implicated) in {_DISEASE}"
    r"|\bno (?:\w+ )?support for (?:xgene|a role|its role)\b"
    rf"|\b(?:misses|falls? short of|fell short of) {_THRESHOLDS}"
)
# Who says so: a single finding is not the verdict.
ATTRIBUTED = re.compile(
    r"\b(?:stud(?:y|ies)|reports?|reported|papers?|authors?|mice|mouse|cells?|in vitro|in vivo"
    r"|models?|xenografts?|one of|patients?)\b"
)
QUALIFIED = re.compile(
    r"\b(?:alone|by itself|on its own|some|most|certain|model|mice|mouse|cells|study|subset)\b"
)
_OPEN = re.compile(
    r"\b(?:whether|if|nothing|few|little|misses|missed|insufficient|unclear|unlikely|unproven"
    r"|unsupported|would|could|against)\b"
)


def is_open(said: str) -> bool:
    """Say whether a clause denies, hedges or leaves open what it speaks of."""
    bare = TURNED.sub(" ", SURE.sub(" ", said))
    return bool(NEGATION.search(bare) or HEDGE.search(bare) or _OPEN.search(bare))
