"""Rules of shape and wording.

Source: seed, "Structured report generation and Pydantic-based validation", structural constraints.
"""

import re
from collections.abc import Iterator

from intogen_agent.models import Stage, Status
from intogen_agent.report.cancer_words import cancer_words
from intogen_agent.report.models import FinalReport, Involvement
from intogen_agent.report.rules.base import (
    FUNCTION,
    MECHANISMS,
    RATIONALE,
    Finding,
    all_bullets,
    all_texts,
    function_bullets,
    mechanism_bullets,
    rationale_bullets,
)
from intogen_agent.report.text import sentences, starts_with_verb
from intogen_agent.report.thresholds import Bounds, Thresholds
from intogen_agent.report.triples import ARROW, normalised_triple


def _count(path: str, what: str, found: int, bounds: Bounds) -> Iterator[Finding]:
    least, most = bounds
    if not least <= found <= most:
        yield path, f"{what}: {found} found; write {least} to {most}."


def accepted_report(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Only reports that passed validation were accepted: of two stages, and none that failed."""
    if report.stage not in (Stage.REPORT, Stage.CRITIQUE):
        yield "stage", f"{report.stage.value} makes no report; it is report or critique."
    if report.status is Status.FAILED:
        yield "status", "a failed stage leaves no report; it is ok, not_reviewed or copied."


def function_bullet_count(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Gene/Protein Function: 2-5 bullets."""
    found = len(report.gene_function.bullets)
    yield from _count(FUNCTION, "bullets of the gene function", found, thresholds.function_bullets)


def function_sentence_count(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Gene/Protein Function: each bullet has 2-3 sentences."""
    for path, bullet in function_bullets(report):
        found = len(sentences(bullet.text))
        yield from _count(f"{path}.text", "sentences", found, thresholds.function_sentences)


def function_verb_first(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Gene/Protein Function: each bullet starts with a verb."""
    for path, bullet in function_bullets(report):
        if bullet.text.strip() and not starts_with_verb(bullet.text):
            yield (
                f"{path}.text",
                f"starts with '{_beginning(bullet.text)}'; start with a verb in the present tense "
                "that has the gene or protein as its subject, such as Encodes, Binds, Regulates.",
            )


def function_without_cancer(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Gene/Protein Function: free of cancer-specific outcomes."""
    names = [report.gene.symbol, report.gene.name or "", *report.gene.aliases]
    cancer = report.cancer
    cancers = [] if cancer.pan_cancer else [cancer.name, cancer.code]
    for path, bullet in function_bullets(report):
        words = cancer_words(bullet.text, [name for name in names if name], cancers)
        if words:
            yield (
                f"{path}.text",
                f"speaks of cancer ({', '.join(words)}); keep to what the normal gene or protein "
                "does and move the rest to the rationale.",
            )


def rationale_bullet_count(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Assessment: an involvement assessment plus 2-4 rationale bullets."""
    found = len(report.assessment.rationale)
    yield from _count(RATIONALE, "rationale bullets", found, thresholds.rationale_bullets)


def mechanisms_only_when_supported(
    report: FinalReport, thresholds: Thresholds
) -> Iterator[Finding]:
    """Mechanistic Hypothesis: bullets only when involvement is supported."""
    supported = report.assessment.involvement is Involvement.SUPPORTED
    if not supported and report.mechanistic_hypothesis is not None:
        yield (
            MECHANISMS.split(".", 1)[0],
            "mechanisms are written only when the involvement is supported; remove all of them.",
        )


def mechanism_bullet_count(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Mechanistic Hypothesis: 1-6 bullets when involvement is supported."""
    if report.assessment.involvement is Involvement.SUPPORTED:
        found = len(list(mechanism_bullets(report)))
        yield from _count(MECHANISMS, "mechanisms", found, thresholds.mechanism_bullets)


_PLACEHOLDER = re.compile(
    r"(?:unknown|unclear|undetermined|unspecified|unreported|none|null|tbd|n/?a|\w|[\W_]*"
    r"|not (?:\w+ )?(?:stated|known|reported|given|available|clear|determined|described|specified"
    r"|applicable|shown))",
    re.IGNORECASE,
)
_SECOND = re.compile(r"[;\n]|[.!?]\s+\S")
# Words that lead on to a further link.
_LEADS_ON = re.compile(
    r"\b(?:then|thereby|thus|hence|therefore|in turn|followed by|(?:leads?|leading|led) to"
    r"|(?:results?|resulting|resulted) in|causes(?! of)|causing|and (?:this|that|these))\b",
    re.IGNORECASE,
)
_PARTS = ("cause", "mediator", "outcome")


def mechanism_one_chain(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Each mechanism is exactly one chain alteration/state, mediator/pathway, outcome.

    Seed: "each describing exactly one normalized chain of the form ...". So each part is named, is
    one link and differs from the two others.
    """
    names = [report.gene.symbol, *report.gene.aliases]
    for path, bullet in mechanism_bullets(report):
        for name in _PARTS:
            if problem := _link_problem(name, getattr(bullet.chain, name).strip()):
                yield f"{path}.chain.{name}", problem
        triple = dict(zip(_PARTS, normalised_triple(bullet.chain, names), strict=True))
        for one, other in (("cause", "mediator"), ("cause", "outcome"), ("mediator", "outcome")):
            if triple[one] and triple[one] == triple[other]:
                yield (
                    f"{path}.chain.{other}",
                    f"is the same as the {one}; name the {other}, or remove the mechanism.",
                )
        if len(ARROW.findall(bullet.text)) not in (0, 2):
            yield (
                f"{path}.text",
                "holds another number of arrows than the two of one chain; describe exactly one "
                "chain: cause, mediator, outcome.",
            )


def _link_problem(name: str, part: str) -> str | None:
    if _PLACEHOLDER.fullmatch(part):
        return f"the {name} is '{part}'; name it, or remove the mechanism."
    if any(pattern.search(part) for pattern in (ARROW, _SECOND, _LEADS_ON)):
        return (
            f"the {name} holds more than one link ('{part}'); give one {name} here and write a "
            "second chain as a mechanism of its own."
        )
    return None


def mechanisms_non_redundant(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Mechanisms must not share the same normalised triple."""
    names = [report.gene.symbol, *report.gene.aliases]
    first: dict[tuple[str, str, str], str] = {}
    for path, bullet in mechanism_bullets(report):
        triple = normalised_triple(bullet.chain, names)
        if triple in first:
            yield (
                path,
                f"says the same as {first[triple]} (same cause, mediator and outcome); merge both "
                "and keep all their citations.",
            )
        else:
            first[triple] = path


_LEAST_WORDS = 3


def text_present(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """A bullet without words says nothing, so its citations prove nothing.

    A statement has at least a subject, a verb and an object, or two short sentences that share
    their subject.
    """
    for path, bullet in all_bullets(report):
        found = sum(any(map(str.isalpha, word)) for word in bullet.text.split())
        if found < _LEAST_WORDS:
            what = "says too little" if found else "is empty"
            yield f"{path}.text", f"the bullet {what}; write a statement or remove it."


def bullets_distinct(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """No two bullets of the gene function, or of the rationale, say the same words.

    Seed: 2-5 and 2-4 bullets; one bullet twice is one bullet.
    """
    for bullets in (function_bullets(report), rationale_bullets(report)):
        first: dict[str, str] = {}
        for path, bullet in bullets:
            said = " ".join(re.findall(r"\w+", bullet.text.casefold()))
            if said in first:
                yield f"{path}.text", f"says the same as {first[said]}; write another or remove it."
            first.setdefault(said, path)


# Tags, entities, links, images, code, tables, emphasis, headings, lists; invisible characters.
_MARKUP = re.compile(
    r"<[a-z/!?][^<>]*>|<(?:script|style|iframe|img|svg|a|!--)|&(?:#\w+|[a-z]+);"
    r"|!?\[[^\]]*\]\(|`|\||\*\*|__|~~|\$\$"
    r"|^\s*(?:#{1,6}\s|[-+*>]\s|\d+[.)]\s)"
    r"|[\x00-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060\u2066-\u2069\ufeff]",
    re.IGNORECASE,
)


def text_plain(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Text holds no markup: it goes into pages and tables as it is."""
    for path, text in all_texts(report):
        if found := _MARKUP.search(text):
            yield (
                path,
                f"holds markup or a control character ({found.group()!r}); write plain text.",
            )


_INLINE_CITATION = re.compile(
    r"\[\s*[EF]?\d+(?:\s*[,;–-]\s*[EF]?\d+)*\s*\]"
    r"|\b(?:PMID|PMCID|PubMed)\s*:?\s*(?:PMC)?\d+|\bPMC\d{4,}"
    r"|\bdoi\s*:|\b10\.\d{4,9}/\S+|https?://|\bwww\.\w|\bTOOL\s*:",
    re.IGNORECASE,
)


def text_without_citations(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Citations stand in the list of the bullet, never in its text."""
    for path, text in all_texts(report):
        if found := _INLINE_CITATION.search(text):
            yield (
                path,
                f"holds a citation in the text ('{found.group()}'); take it out and put the "
                "identifier into the bullet's citations.",
            )


def _beginning(text: str) -> str:
    words = text.split()
    return " ".join(words[:4])
