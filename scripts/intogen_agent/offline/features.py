"""Reading one finding: what it speaks of, for or against whom, found how."""

import re
from dataclasses import dataclass

from intogen_agent.offline import molecules, words
from intogen_agent.offline.genes import Gene

_CLAUSE = re.compile(r"[;:]\s+|,?\s+(?:but|whereas|while|although|yet|however)\b,?\s+")
_AFTERTHOUGHT = re.compile(r",\s+(?:yet|whereas)\s+|;\s+(?=the (?:difference|effect)s?\b)")
# ABC1 was mutated in 27%, co-occurring with DEF2 mutation: the count is not DEF2's.
# DEF2 mutation without ABC1 mutation did not differ: nor is the result ABC1's.
_COMPANION = re.compile(
    r"\b(?:co-?occurr\w+|along|combined) with (?:[\w/-]+(?:,| and)? ){0,4}$"
    r"|(?<!with and )(?<!with or )\bwithout $"
)
_RIGHT_AFTER = 25
_CONTRAST = re.compile(
    r"\b(?:unlike|in contrast (?:to|with)|compared (?:to|with)|as opposed to|other than|except"
    r"|apart from|rather than)\s+$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Finding:
    """The reading of a finding, in the words of the ledger's fields."""

    kind: str
    stance: str
    system: str
    basis: str
    alteration: str


def read(text: str, gene: Gene, title: str = "") -> Finding | None:
    """Read a statement about a gene; None when it holds no finding about it."""
    if not gene.named_in(text) or _only_contrasted(text, gene):
        return None
    marks = _marks(text, gene)
    if not any(marks.values()):
        return None
    stance = _stance(marks)
    if stance == "neutral" and _holds_up(text, gene):
        stance = "supports"
    system = _system(text, title, marks)
    return Finding(
        kind=_kind(marks, stance),
        stance=stance,
        system=system,
        basis=_basis(text, title, marks, system),
        alteration=alteration(text),
    )


def alteration(text: str) -> str:
    """Return the kind of alteration that a text is about."""
    for name, pattern in words.ALTERATIONS:
        if pattern.search(text):
            return name
    return "none"


def has_effect(text: str) -> bool:
    """Say whether a text tells of an effect on molecules, cells or a disease."""
    return _functional(text)


def direction(text: str) -> str:
    """Return `loss`, `gain` or `unknown`: which way an alteration works, as its text says."""
    if words.NEEDED_MUTANT.search(text):
        return "gain"
    loss, gain = words.LOSS.search(text), words.GAIN.search(text)
    if bool(loss) == bool(gain):
        return "unknown"
    return "loss" if loss else "gain"


def refutes(text: str, gene: Gene) -> bool:
    """Say whether a text calls the gene a passenger or names it as looked for and not found."""
    return any(
        words.REFUTING.search(sentence) and gene.named_in(sentence)
        for sentence in re.split(r"(?<=[.!?])\s+", text)
    )


def about(pattern: re.Pattern[str], text: str, gene: Gene) -> bool:
    """Say whether a pattern's match in a text is about the gene.

    In the sentence of the match the gene stands before it, in it or right after it. A sentence
    that names no gene goes with one before that does.
    """
    named_before = False
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        starts = [
            start for start, _ in gene.spans(sentence) if not _COMPANION.search(sentence[:start])
        ]
        for match in pattern.finditer(sentence):
            if any(start <= match.end() + _RIGHT_AFTER for start in starts):
                return True
            if named_before and not starts and not molecules.tokens(sentence, gene):
                return True
        named_before = named_before or bool(starts)
    return False


def _doubted(pattern: re.Pattern[str], text: str, gene: Gene) -> bool:
    """Say whether a doubt may be about the gene: its sentence names it, or no other molecule."""
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        if pattern.search(sentence):
            named = any(not _COMPANION.search(sentence[:at]) for at, _ in gene.spans(sentence))
            if named or not molecules.tokens(sentence, gene):
                return True
    return False


def is_recurrence_only(text: str) -> bool:
    """Say whether a statement only counts mutations: no model, no effect, no treatment."""
    return not (words.DRIVER.search(text) or _functional(text) or _predictive(text)) and bool(
        words.RECURRENCE.search(text)
    )


def _only_contrasted(text: str, gene: Gene) -> bool:
    """Say whether the gene is only the other side of a comparison (`unlike X, ...`)."""
    return all(_CONTRAST.search(text[:start]) for start, _ in gene.spans(text))


def _holds_up(text: str, gene: Gene) -> bool:
    """Say whether a doubt stands only behind `yet` or `whereas`, after a finding of its own."""
    leading = _AFTERTHOUGHT.split(text, maxsplit=1)[0]
    if leading == text or not gene.named_in(leading):
        return False
    marks = _marks(leading, gene)
    strong = marks["frequency"] or marks["driver"] or marks["functional"]
    return strong and not (marks["null"] or marks["mixed"] or marks["refuting"])


def _marks(text: str, gene: Gene) -> dict[str, bool]:
    functional = _functional(text)
    predictive = _predictive(text)
    return {
        "refuting": refutes(text, gene),
        "null": _doubted(words.NULL, text, gene) and not words.SPLIT_BENEFIT.search(text),
        "mixed": _doubted(words.MIXED, text, gene),
        "driver": about(words.DRIVER, text, gene),
        "functional": functional,
        "predictive": predictive,
        "recurrence": about(words.RECURRENCE, text, gene),
        "frequency": about(words.FREQUENCY, text, gene),
        "prognostic": bool(words.PROGNOSTIC.search(text)),
    }


def _functional(text: str) -> bool:
    if words.ONCOGENIC.search(text) and words.EFFECT_VERB.search(text):
        return True
    for clause in _CLAUSE.split(text):
        if words.DISEASE_EFFECT.search(clause) and words.LOSS.search(clause):
            return True
        if words.EFFECT_VERB.search(clause) and (
            words.PHENOTYPE.search(clause) or words.MOLECULAR.search(clause)
        ):
            return True
    return False


def _predictive(text: str) -> bool:
    return bool(words.PREDICTIVE.search(text) and words.TREATMENT.search(text))


def _stance(marks: dict[str, bool]) -> str:
    """Weigh the marks: refuting first, then doubts, then what speaks for the gene.

    A doubt (a null result, a condition) leaves only selection and cell biology standing; plain
    counts and treatment results become neutral. Survival alone never supports.
    """
    if marks["refuting"]:
        return "refutes"
    if marks["mixed"]:
        return "supports" if marks["driver"] and not marks["null"] else "neutral"
    if marks["null"]:
        return "supports" if marks["driver"] or marks["functional"] else "neutral"
    if marks["driver"] or marks["functional"] or marks["predictive"]:
        return "supports"
    if marks["prognostic"] and not marks["frequency"]:
        return "neutral"
    return "supports" if marks["recurrence"] or marks["frequency"] else "neutral"


def _kind(marks: dict[str, bool], stance: str) -> str:
    if stance == "refutes":
        return "null_result"
    if stance == "neutral":
        if marks["mixed"]:
            return "contradiction"
        return "null_result" if marks["null"] else "clinical"
    if marks["functional"]:
        return "mechanism"
    if marks["predictive"]:
        return "clinical"
    return "alteration"


def _system(text: str, title: str, marks: dict[str, bool]) -> str:
    """Return in what a finding was made; cells and animals count only for effects."""
    effect = marks["functional"] or (marks["predictive"] and not _patients(text))
    if words.COMPUTATIONAL.search(text):
        return "computational"
    if marks["functional"] and (words.ANIMAL.search(text) or words.ANIMAL.search(title)):
        return "animal"
    if words.CELL.search(text) and effect:
        return "cell line"
    if words.PATIENTS.search(text) or (not effect and words.TUMOURS.search(text)):
        return "patients"
    if words.ANIMAL.search(text):
        return "animal"
    return "cell line" if words.CELL.search(text) else "not stated"


def _patients(text: str) -> bool:
    return bool(words.PATIENTS.search(text) or words.TUMOURS.search(text))


def _basis(text: str, title: str, marks: dict[str, bool], system: str) -> str:
    if words.REVIEW.search(text) or words.REVIEW.search(title):
        return "review"
    if marks["functional"] and system != "patients":
        return "functional" if system != "computational" else "driver_statistics"
    if marks["predictive"] and system == "patients" and not marks["refuting"]:
        return "clinical"
    if marks["driver"] or marks["refuting"] or system == "computational":
        return "driver_statistics"
    counted = marks["recurrence"] or alteration(text) in ("mutation", "copy number", "fusion")
    if words.EXPRESSION_ONLY.search(text) and not counted:
        return "expression_association"
    return "clinical"
