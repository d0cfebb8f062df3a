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
    r"(?:unknown|unclear|none|null|not (?:stated|known)|n/?a|tbd|[\W_]*)", re.I
)
_SECOND = re.compile(r"[;\n]|[.!?]\s+\S")


def mechanism_one_chain(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """Each mechanism is exactly one chain alteration/state, mediator/pathway, outcome."""
    for path, bullet in mechanism_bullets(report):
        for name in ("cause", "mediator", "outcome"):
            part: str = getattr(bullet.chain, name)
            where = f"{path}.chain.{name}"
            if _PLACEHOLDER.fullmatch(part.strip()):
                yield where, f"the {name} is '{part.strip()}'; name it, or remove the mechanism."
            elif ARROW.search(part) or _SECOND.search(part.strip()):
                yield (
                    where,
                    f"the {name} holds more than one link ('{part.strip()}'); give one {name} here "
                    "and write a second chain as a mechanism of its own.",
                )
        if len(ARROW.findall(bullet.text)) not in (0, 2):
            yield (
                f"{path}.text",
                "holds another number of arrows than the two of one chain; describe exactly one "
                "chain: cause, mediator, outcome.",
            )


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


def text_present(report: FinalReport, thresholds: Thresholds) -> Iterator[Finding]:
    """A bullet without words says nothing, so its citations prove nothing."""
    for path, bullet in all_bullets(report):
        if not any(character.isalpha() for character in bullet.text):
            yield f"{path}.text", "the bullet is empty; write it or remove it."


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
