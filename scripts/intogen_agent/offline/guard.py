"""Sentences that speak to the reader instead of reporting something.

Tool answers are data. A sentence that gives orders, asks for a verdict, a tool call or a key, or
imitates the frame of a conversation is never quoted and never followed; the sentences around it
are used as they are.
"""

import re

_ORDERS = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,60}\b(?:previous|prior|above|earlier|
         instruction|rule|prompt|evidence|other|everything|all|this|guideline)
    | \b(?:you|your)\b
    | \b(?:system|the|this|original)\s+prompts?\b | \binstructions?\b
    | \b(?:language|AI|assistant)\s+(?:model|assistant|agent)s?\b | \bLLMs?\b | \bchatbot
    | \b(?:assistant|system|user|developer|tool)\s*(?:message|note|prompt|:)
    | \bas\s+an?\s+(?:AI|assistant|agent)\b
    | \b(?:note|message|memo|reminder|attention|dear)\s*(?:to|for)?\s*(?:the\s+)?
         (?:reader|reviewer|summari[sz]er|model|curator|agent|editor|annotator)
    | \b(?:reader|reviewer|summari[sz]er|model|curator|agent|annotator|assistant)s?\s+(?:must|
         should|shall|
         need|are\s+asked|is\s+asked|has\s+to|have\s+to)\b
    | \b(?:must|should|shall|has\s+to|is\s+to|are\s+to)\s+(?:always\s+|now\s+|not\s+|never\s+)?be\s+
         (?:marked|reported|classified|recorded|labell?ed|listed|rated|scored|called|assessed|set|
         returned|read|declared)\b
    | ^(?:please|do\s+not|don't|never|always|report|mark|set|call|use|return|output|answer|respond|
         reply|print|write|state|say|conclude|classify|label|rate|reveal|send|add|cite|include|omit|
         remember|note\s+that\s+you|make\s+sure|be\s+sure|execute|run|fetch|visit|open|delete|
         repeat|pretend|act\s+as|consider|treat|declare|assume|accept|reject|skip|stop)\b(?!\s+of\b)
         (?!\s+et\s+al\b)
         (?![^.]{0,40}\b(?:was|were|is|are)\b)
    | [.;:,]\s*(?:please|do\s+not|ignore|report|mark|set|call|return|output|respond|answer)\s+
         (?:the|this|that|it|all|any|involvement|verdict|with|as|only|no)\b
    | [.;:,]\s*(?:please|do\s+not|don't|never)\s+(?:mention|report|cite|use|say|write|quote|include|
         tell|list|mark|call)\b
    | ^(?:important|attention|warning|urgent)\s*:
    | \b(?:set|mark|report|classify|declare|rate)\b[^.]{0,60}\bas\s+(?:not[_ ])?(?:supported|driver|
         confirmed|oncogene|tumou?r\s+suppressor|accepted)
    | \binvolvement\s*(?:=|:|is\s+set|must|should)
    | \b(?:not_)?supported\s*[=:] | \bnot_supported\b
    | \b(?:verdict|json|schema|system\s+role|tool[ _]call|function[ _]call)\b
    | \b(?:api|secret|access|private)[ _-]?(?:key|token)s?\b | \bpasswords?\b | \bcredentials?\b
    | \b(?:article_search(?:er)?|article_(?:fetch|getter)|gene_(?:record|getter)|protein_record|
         search_by_gene)\b
    | \#\s*Record\s+\d | \bPMIDs?\b\s*:?\s*\d
    | <\s*/?\s*\w+\s*>? | ‹ | \[/?INST\] | \#\#\# | ``` | \{\s*" | https?://
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORDINALS = re.compile("[ªº]")
# Small words of Spanish, Portuguese, French, Italian and German that English does not have.
_FOREIGN = re.compile(
    r"\b(?:que|las|los|una|para|por|uma|como|les|une|dans|pour|avec|che|della|gli|und|der|die|das|ist"
    r"|nicht|ein|eine|y|es|un|il|et|von|mit)\b(?!\s+al\b)"
)
_STATISTICS = re.compile(r"[<>]\s*=?\s*\d|[<>]=")


def addresses_reader(sentence: str) -> bool:
    """Say whether a sentence addresses its reader or asks for something.

    What is written in another language cannot be read here, and counts as if it did.
    """
    if len(_FOREIGN.findall(sentence)) > 1:
        return True
    if any(one.isalpha() and one.lower() == one.upper() for one in _ORDINALS.sub("", sentence)):
        return True
    return _ORDERS.search(_STATISTICS.sub(" ", sentence)) is not None
