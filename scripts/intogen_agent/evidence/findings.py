"""Telling quotes that hold no finding: a title, an aim, a method, an announcement, an order.

Seed, "Tool output summarization and reference management": bullets exclude "background narrative,
editorial text, or methods without relevant results". Whether a sentence matters is the model's to
say; here only what surely reports nothing is told. A quote is judged as a whole, and one in which
a verb of finding stands is never told to hold none, unless it speaks to a model.
"""

import re

from intogen_agent.prompts import data

# Verbs that report, by stem and with the endings of finite forms.
_STEMS = """
    abolish abrogat accelerat activat affect alter amplif associat attenuat bind block carr caus
    clos clust co-?occur conclud confer confirm contribut cooperat correlat decreas degrad delet
    demonstrat depend destabili[sz] detect detach differ discover disrupt distinguish driv elevat
    eliminat encod enhanc establish exceed express fus harbou?r impair implicat improv inactivat
    increas indicat induc inhibit initiat interact lack link mediat methylat modulat mutat observ
    occur outliv persist phosphorylat predict prevent prolong promot prov reduc regulat remain
    repress requir rescu resist respond restor reveal sensiti[sz] show silenc spar stabili[sz]
    stimulat suggest support suppress surviv target transform trigger truncat ubiquitinat
"""
_FORMS = """
    found finds shown acts acted arose arisen arises became becomes began bound carries carried
    came fell fall gave keeps kept produces? produced rises rose went withstood worked
    changed developed develops did does died failed fails functions gained grew grows identified led
    leads
    lost loses made makes reported reports resulted served serves worsens worsened
"""
# Measures and comparisons, and what was not there.
_MEASURES = r"""
      \b(?:higher|lower|greater|fewer|less|more|longer|shorter|worse|better|poorer|significant(?:ly)?
        |frequent(?:ly)?|common(?:ly)?|rare(?:ly)?|recurrent(?:ly)?|absent|present|necessary|sufficient
        |essential|oncogenic|pathogenic|benign|no|not|neither|nor|none|without|never|cannot)\b
    | \b(?:hazard|odds|risk)\s+ratio\b | \bp\s*[<=>] | \d\s*(?:%|percent|per\s+cent|-?fold)
    | \b\d+\s*(?:/|of|out\s+of)\s*(?:the\s+)?\d+
"""
_VERBS = (
    rf"\b(?:{'|'.join(_STEMS.split())})(?:e?s|r?e?d|e|y|ies|ied|en)?\b|"
    rf"\b(?:{'|'.join(_FORMS.split())})\b"
)
_VERB = re.compile(_VERBS, re.IGNORECASE)
_FINDING = re.compile(f"{_VERBS}|{_MEASURES}", re.IGNORECASE | re.VERBOSE)
_NUMBER = re.compile(r"\d")
# A result in the sentence that tells the aim; the aim's own words are infinitives and questions.
_RESULT_TOO = re.compile(
    r"\b(?:found|shown|showed|revealed|demonstrated|observed|detected|identified|concluded)\b"
    r"|\d\s*(?:%|percent)|\bp\s*[<=>]",
    re.IGNORECASE,
)
_STUDY = r"(?:this|the\s+(?:present|current))\s+(?:study|work|trial|analysis|paper|article|review)"
_LOOK = (
    r"(?:investigate|determine|assess|evaluate|examine|explore|study|analy[sz]e|identify|clarify"
    r"|elucidate|test|compare|characteri[sz]e|address|understand)"
)
_WE = (
    r"^(?:(?:here|herein|therefore|thus|in\s+this\s+\w+)[,\s]+)?(?:we|the\s+authors)\s+"
    r"(?:\w+ly\s+)?"
)
_AIM = re.compile(
    rf"{_WE}(?:aim(?:ed)?|sought|set\s+out|wanted|wished|intended|hypothesi[sz]ed|asked)\b"
    r"|^(?:the|our)\s+(?:\w+\s+)?(?:aims?|purpose|objectives?|goals?)\s[^.;]{0,80}?(?:is|are|was|were)"
    r"\s+to\b"
    rf"|^{_STUDY}\s+(?:aim(?:s|ed)|seeks|sought|was\s+\w+\s+(?:out\s+)?to\s+{_LOOK})\b"
    rf"|^to\s+{_LOOK}\b(?![^.;]*,\s*we\b)",
    re.IGNORECASE,
)
_ANNOUNCEMENT = re.compile(
    rf"{_WE}(?:review|discuss|summari[sz]e|outline|highlight|focus\s+on)\b"
    rf"|^{_STUDY}\s+(?:reviews|discusses|summari[sz]es|outlines|focuses|provides|describes|covers)\b"
    r"|^(?:further|future|additional|larger|more)\s+(?:\w+\s+){0,3}(?:stud(?:y|ies)|research|work"
    r"|trials?|analys[ei]s)\s[^.;]{0,80}?(?:needed|required|warranted|necessary)\b",
    re.IGNORECASE,
)
_DONE = (
    r"(?:sequenced|analy[sz]ed|genotyped|performed|collected|enrolled|recruited|randomi[sz]ed"
    r"|randomly\s+assigned|screened|investigated|examined|assessed|evaluated|studied|measured"
    r"|compared|obtained|retrieved|tested|stained|cultured|transfected|conducted|quantified|assayed"
    r"|treated\s+with|reviewed|searched|used)"
)
_METHOD = re.compile(
    rf"{_WE}(?:then\s+|also\s+)?{_DONE}\b"
    rf"|^[^.:;]{{1,200}}?\b(?:was|were)\s+(?:\w+ly\s+|then\s+|also\s+)?{_DONE}\b",
    re.IGNORECASE,
)
# Behind these a sentence about a method goes on with what came of it.
_GOES_ON = re.compile(
    rf"[:;]|\b(?:and|but)\s+(?:\w+ly\s+)?(?!{_DONE})(?:was|were|had|\w+ed)\b|\b(?:whereas|so\s+that)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z0-9(\[])")
_LABEL = re.compile(r"^\W*[A-Z][A-Za-z ]{2,30}:\s+")

# Words for a model, not for readers of papers; `‹` is what a disarmed tag begins with.
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|these|your|previous|prior"
    r"|above|earlier)\s+)*(?:instructions?|prompts?|rules)\b"
    r"|(?:^|[.!?]\s*)(?:system|developer|assistant|user)\s*:|\bsystem\s+(?:prompt|message)\b"
    r"|\bas\s+an\s+AI\b|\byou\s+(?:must|should|will|need\s+to|have\s+to)\b"
    r"|\byour\s+(?:task|instructions?|answer|report|reply|output)\b"
    r"|\b(?:API|secret)[ _-]?keys?\b|\bpasswords?\b"
    r"|\bnot_supported\b|\btool_calls?\b|\boverall_accept\b|‹",
    re.IGNORECASE,
)

TITLE = "a title that reports nothing"
AIM = "an aim without a result"
METHOD = "a method without a result"
ANNOUNCEMENT = "an announcement"
ORDER = "an instruction to the reader"


def lack(quote: str, only_title: bool) -> str | None:
    """Say why a quote reports nothing; None if it may report something.

    Args:
        quote: The quote.
        only_title: Whether it stands in its record's title and nowhere else.
    """
    if _ORDER.search(data(quote)):
        return ORDER
    if only_title:
        return None if _FINDING.search(quote) else TITLE
    if _NUMBER.search(quote) and _VERB.search(quote):
        return None
    parts = _SENTENCE.split(" ".join(quote.split()))
    kinds = [_kind(_LABEL.sub("", part)) for part in parts if part.strip()]
    if not kinds or None in kinds:
        return None
    return next((kind for kind in (METHOD, AIM, ANNOUNCEMENT) if kind in kinds), None)


def _kind(sentence: str) -> str | None:
    """Say what a sentence is that reports nothing."""
    if _AIM.search(sentence):
        return None if _RESULT_TOO.search(sentence) else AIM
    if _ANNOUNCEMENT.search(sentence):
        return None if _RESULT_TOO.search(sentence) else ANNOUNCEMENT
    method = _METHOD.search(sentence)
    if method and not _FINDING.search(sentence) and not _GOES_ON.search(sentence, method.end()):
        return METHOD
    return None
