"""Putting facts into sentences that begin with a verb, without adding to what they say."""

import re

from intogen_agent.offline.genes import Gene
from intogen_agent.offline.sentences import capitalise, finish, lower_first, word_set

_MODAL = word_set(
    """
    is has does can may might must could would should
    """
)
_VERBS = word_set(
    """
    abolish act add allow alter antagonise apply arrest assemble assist attach attract become
    bend bind block boost bridge bring build bundle carry cause cleave clear close combine
    compete comprise confer connect consist constitute constrain contain contribute control
    convert cooperate couple cover cross curb cut decrease define deliver depend destroy
    detach detect determine dimerise direct dissociate divide drive elicit enable encode
    enforce engage enhance ensure enter establish exchange execute exert exist export extend
    facilitate favour favor fold form foster function fuse give govern guide halt harbour
    harbor help hinder hold impair import include increase induce influence inhibit initiate
    insert interact interfere internalise involve join keep lack lead leave let limit link
    localise localize lower maintain make mark mediate migrate modify move need nick occur
    open oppose organise organize orient pair participate pass permit phosphorylate place play
    position possess prevent process produce promote propel protect provide pump react
    recognise recognize recruit recycle reduce reinforce release relieve remain remodel remove
    render repair replace repress require reside resist respond restore restrain restrict
    retain reverse scaffold secrete select sense separate serve set shape shield shuttle
    signal silence span speed splice stabilise stabilize stiffen stimulate store strengthen
    supply support suppress sustain switch synthesise synthesize take target tether tie
    traffic transcribe transduce transfer transform translocate transmit transport trap
    trigger trim tune turn undergo underlie unfold unwind uphold use vary weaken work affect
    amplify associate catalyse catalyze exhibit express follow generate grow ligate load lock
    permit present preserve prime process pull push reach rely report represent rescue
    resemble run show spread start stop surround tend terminate tighten traffick turn
    """
)
_SUFFIX = re.compile(r"(?:[a-z]{3,}ates|[a-z]{3,}i[sz]es|[a-z]{3,}ifies|[a-z]{3,}yses)$")
_NOUN_PLURALS = word_set(
    """
    candidates substrates states templates phosphates intermediates plates rates enterprises
    exercises isolates lysates acetates
    """
)
_HEAD_NOUN = re.compile(
    r"\b(?:protein|kinase|factor|subunit|receptor|enzyme|ligase|adapter|adaptor|transporter|channel"
    r"|regulator|activator|repressor|inhibitor|phosphatase|protease|helicase|chaperone|scaffold"
    r"|suppressor|sensor|cofactor|co-?activator|co-?repressor|\w+(?:ase)|component|member|part"
    r"|hormone|cytokine|ligand|lectin|isomerase|chain|carrier|antagonist|agonist)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|can|may|binds?|causes?|leads?|regulates?|activates?|results?"
    r"|plays?|bind|mediates?)\b"
)
_ASSEMBLY = re.compile(
    r"^(?:homo|hetero)?(?:di|tri|tetra|penta|hexa|octa|deca|oligo|multi)mers?\b", re.I
)
_STATE = re.compile(
    r"^(?:Required|Involved|Located|Expressed|Secreted|Implicated|Essential|Necessary|Responsible"
    r"|Important|Critical|Able|Capable|\w+ylated|\w+nated|Cleaved|Modified|Processed)\b"
)
_COUNTED = word_set(
    """
    a an the one two three four five six several most about some many both
    """
)
_ADVERB = re.compile(r"^(?:[A-Za-z-]+ly|Also|Thus|Probably),?\s+")


def begins_with_verb(text: str) -> bool:
    """Say whether a sentence begins with a verb in the third person singular."""
    word = _ADVERB.sub("", text).split(" ", 1)[0].rstrip(",;:.")
    if not word.isascii() or any(char.isupper() or char.isdigit() for char in word[1:]):
        return False
    plain = word.lower().split("-")[-1]
    if plain in _MODAL:
        return True
    if not plain.endswith("s") or plain in _NOUN_PLURALS:
        return False
    bases = {plain[:-1], plain.removesuffix("es"), f"{plain.removesuffix('ies')}y"}
    return bool(bases & _VERBS) or _SUFFIX.search(plain) is not None


def verb_first(text: str, gene: Gene) -> str | None:
    """Return a fact as a sentence that begins with a verb; None if it cannot be put so.

    Only the grammar changes: a leading subject (the gene's name, `It`, `This protein`) goes, a
    noun phrase gets `Acts as`, a participle gets `Is`.
    """
    text = _without_subject(text.strip(), gene)
    if not text:
        return None
    text = text[0].upper() + text[1:] if text[0].islower() and text[:2].isalpha() else text
    if begins_with_verb(text):
        return finish(text)
    if _ASSEMBLY.match(text):
        return finish(f"Forms {_article(text)}{lower_first(text)}")
    if _STATE.match(text):
        return finish(f"Is {lower_first(text)}")
    subject = re.split(r"\b(?:that|which|involved|of|for|in|from|required|with)\b|[,;:(]", text)[0]
    if _HEAD_NOUN.search(subject) and not _FINITE.search(subject):
        return finish(f"Acts as {_article(text)}{lower_first(text)}")
    return None


def contains(text: str, what: str) -> str:
    """Return a domain or motif as a sentence."""
    named = text if re.search(rf"\b{what}s?\b|\bregion|\brepeat|\bsite|\bfinger", text) else ""
    phrase = named or f"{text} {what}" if "(" not in text else text.replace(" (", f" {what} (", 1)
    return finish(f"Contains {_article(phrase)}{lower_first(phrase)}")


def located(text: str) -> str:
    """Return a subcellular location as a sentence."""
    if _STATE.match(text):
        return finish(f"Is {lower_first(text)}")
    return finish(f"Localises to the {lower_first(text)}")


def located_together(places: list[str]) -> str:
    """Return several statements of `located` as one sentence."""
    names = [re.split(r"[,;(]", place.rstrip("."))[0].strip() for place in places]
    names = [name.removeprefix("Localises to the ") for name in names]
    last = ", and " if any(" and " in name for name in names) else " and "
    listed = ", ".join(names[:-1]) + f"{last}{names[-1]}" if len(names) > 1 else names[0]
    return finish(f"Localises to the {listed}")


def is_sentence(text: str) -> bool:
    """Say whether a text has a finite verb, so that it may stand as a sentence."""
    return (
        begins_with_verb(text)
        or bool(_FINITE.search(text))
        or bool(re.search(r"\b[a-z]{3,}(?:es|s|ed)\b", text) and sentence_like(text))
    )


def sentence_like(text: str) -> bool:
    """Say whether a text is more than a short phrase."""
    return len(text.split()) > 4


def _without_subject(text: str, gene: Gene) -> str:
    for pattern in (
        r"^(?:It|This (?:protein|gene|enzyme|kinase)|The (?:encoded )?(?:protein|gene product))\s+",
        rf"^(?:The )?(?:{gene.pattern})(?: (?:protein|gene))?\s+",
    ):
        match = re.match(pattern, text)
        if match and begins_with_verb(text[match.end() :]):
            return capitalise(text[match.end() :])
    return text


def _article(text: str) -> str:
    first = text.split(" ", 1)[0]
    if first.lower() in _COUNTED or first[:1].isdigit():
        return ""
    spoken_vowel = first[:1].lower() in "aeio" or re.match(r"[AEFHILMNORSX](?:\d|[A-Z]|-)", first)
    return "an " if spoken_vowel else "a "
