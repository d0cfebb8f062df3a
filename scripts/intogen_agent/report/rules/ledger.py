"""Rules that need the pair's evidence: `phase2.json` and the gene's `phase1.json`.

Source: design ("Nothing the model writes is trusted: identifiers, quotes, numbers and tool names
are checked against what the tools returned") and seed, "Tool output summarization and reference
management".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from intogen_agent.errors import UserError
from intogen_agent.evidence.models import (
    EvidenceItem,
    Phase1,
    Phase2,
)
from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.report.models import Bullet, FinalReport, Reference
from intogen_agent.report.rules.base import (
    Finding,
    all_bullets,
)
from intogen_agent.report.sources import identifier_key, reference_keys, text_key
from intogen_agent.report.thresholds import Thresholds

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Evidence:
    """The evidence files of a pair."""

    phase1: Phase1
    phase2: Phase2

    @cached_property
    def items(self) -> dict[str, EvidenceItem]:
        """The ledger of both phases by id."""
        return {item.id: item for item in [*self.phase1.ledger, *self.phase2.ledger]}

    @cached_property
    def same_paper(self) -> dict[str, frozenset[str]]:
        """All identifiers of a paper or record under each of them.

        What another paper merely names was not returned by a tool.
        """
        groups: dict[str, frozenset[str]] = {}
        references = [*self.phase1.references, *self.phase2.references]
        for reference in (one for one in references if not one.mentioned):
            keys = {
                identifier_key(
                    reference.kind, reference.id, reference.database, reference.record_id
                ),
                *(identifier_key(other.kind, other.id) for other in reference.also),
            }
            group = frozenset(keys.union(*(groups.get(key, ()) for key in keys)))
            groups.update(dict.fromkeys(group, group))
        return groups

    @cached_property
    def known(self) -> frozenset[str]:
        """Every identifier that a tool returned, and the tools that were called."""
        calls = [*self.phase1.calls, *self.phase2.calls]
        return frozenset(self.same_paper).union(
            *(self.keys(item) for item in self.items.values()),
            (text_key(f"TOOL:{name}") for call in calls for name in call.labels),
        )

    def keys(self, item: EvidenceItem) -> set[str]:
        """Return the identifiers of an item's references, those of the same papers included."""
        found = {text_key(text) for text in item.references}
        return found.union(*(self.same_paper.get(key, ()) for key in found))

    def behind(self, bullet: Bullet) -> list[EvidenceItem]:
        """Return the ledger items that a bullet names, those that exist."""
        return [self.items[name] for name in bullet.evidence if name in self.items]


def read_evidence(folder: Path) -> Evidence:
    """Read a pair's evidence: `phase2.json` in its folder and `phase1.json` beside the folder.

    Raises:
        UserError: A file cannot be read or is no evidence file.
    """
    return Evidence(
        phase1=_read(folder.resolve().parent / "phase1.json", Phase1),
        phase2=_read(folder / "phase2.json", Phase2),
    )


def _read(path: Path, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); --evidence names a pair's folder, with "
            "phase2.json in it and phase1.json beside it"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise UserError(f"{path}: {place}: {first['msg']}; not an evidence file") from error


def evidence_of_this_pair(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """The evidence is that of the report's gene and cancer type."""
    wanted, phase2 = report.cancer, evidence.phase2.cancer
    if {evidence.phase1.gene.symbol, evidence.phase2.gene.symbol} != {report.gene.symbol}:
        yield "gene.symbol", f"the evidence is of gene {evidence.phase2.gene.symbol}."
    if phase2 is None or (phase2.scheme, phase2.code) != (wanted.scheme, wanted.code):
        yield "cancer.code", f"the evidence is of cancer type {phase2.code if phase2 else None}."


def evidence_exists(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """Evidence ids exist in the ledger."""
    for path, bullet in all_bullets(report):
        for name in bullet.evidence:
            if name not in evidence.items:
                yield f"{path}.evidence", f"{name} is no item of the ledger; name existing items."


def evidence_named(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """A bullet that cites what the tools returned names the ledger items it rests on.

    Bullets that cite only tools (failed or empty searches) or untracked references have none.
    """
    tracked = {
        reference.index
        for reference in report.references
        if reference.tracked and reference.kind != "tool"
    }
    for path, bullet in all_bullets(report):
        if not bullet.evidence and tracked.intersection(bullet.citations):
            yield f"{path}.evidence", "name the ledger items (such as E3) that the bullet rests on."


def evidence_quoted(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """The items that a bullet rests on have a quote."""
    for path, bullet in all_bullets(report):
        for item in evidence.behind(bullet):
            if not item.quote.strip():
                yield f"{path}.evidence", f"{item.id} has no quote; rest on items that have one."


def citation_from_evidence(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """A bullet cites at least one reference of the ledger items it names."""
    by_index = {reference.index: reference for reference in report.references}
    for path, bullet in all_bullets(report):
        allowed = set[str]().union(*(evidence.keys(item) for item in evidence.behind(bullet)))
        cited = [by_index[index] for index in bullet.citations if index in by_index]
        if allowed and cited and not any(reference_keys(each) & allowed for each in cited):
            yield (
                f"{path}.citations",
                f"cites none of the references of {', '.join(bullet.evidence)}; cite those, or "
                "name the items that the cited references belong to.",
            )


def citation_unsupported(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """Each tracked citation is supported by a ledger item that the bullet names.

    A right paper at a statement that rests on another one is a wrong citation. TOOL
    pseudo-identifiers speak of searches, which leave no item.
    """
    by_index = {reference.index: reference for reference in report.references}
    for path, bullet in all_bullets(report):
        items = evidence.behind(bullet)
        allowed = set[str]().union(*(evidence.keys(item) for item in items))
        for index in bullet.citations if items else ():
            reference = by_index.get(index)
            if reference is None or not reference.tracked or reference.kind == "tool":
                continue
            if not reference_keys(reference) & allowed:
                yield (
                    f"{path}.citations",
                    f"cites {reference.id}, but none of {', '.join(bullet.evidence)} rests on it; "
                    "take the citation out, or name the item that rests on it.",
                )


def citation_in_ledger(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """A tracked reference was returned by a tool of this journey, an untracked one was not."""
    for position, reference in enumerate(report.references):
        seen = bool(reference_keys(reference) & evidence.known)
        if reference.tracked and not seen:
            what = "no such tool was called" if reference.kind == "tool" else "no tool returned it"
            yield f"references[{position}].tracked", f"{reference.id} is tracked, but {what}."
        if seen and not reference.tracked:
            yield (
                f"references[{position}].tracked",
                f"{reference.id} was returned by a tool; it is tracked.",
            )


# Numbers that are part of names: 14-3-3, HIF-1, caspase 3, 3′ end, 2-hydroxyglutarate.
_NAMES = re.compile(
    r"\b14-3-3\w*|\b[^\W\d_]+-\d+\w*|\b\d+[′’']"
    r"|\b\d+(?:,\d+)*-(?!fold|year|month|week|day|amino|residue|nucleotide|base|patient)[a-z]+"
    r"|\b(?:caspase|chain|class|complex|cullin|factor|family|histone|homolog|interleukin"
    r"|kinase|ligand|member|protein|receptor|subunit|type) \d+\b",
    re.IGNORECASE,
)
_ZERO_TO_TWELVE = "zero one two three four five six seven eight nine ten eleven twelve"


def reference_as_tracked(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """A tracked reference says of itself what the tools returned, and where it was first seen.

    Seed: "curated reference metadata ... were merged into the final object". Each of its
    identifiers is one that the tools gave to this same paper: beside a right DOI an invented PMID
    is invented all the same.
    """
    known = {
        identifier_key(one.kind, one.id, one.database, one.record_id): one
        for one in [*evidence.phase1.references, *evidence.phase2.references]
    }
    for number, reference in enumerate(report.references):
        if not reference.tracked or reference.kind == "tool":
            continue
        path = f"references[{number}]"
        yield from _foreign_identifiers(reference, path, evidence)
        keys = reference_keys(reference)
        seen = next((known[key] for key in sorted(keys) if key in known), None)
        for name in _TRACKED_FIELDS if seen else ():
            if getattr(reference, name) != getattr(seen, name):
                yield (
                    f"{path}.{name}",
                    f"is not what the tools returned for {reference.id}; write it as the "
                    "evidence has it.",
                )


_TRACKED_FIELDS = ("title", "journal", "year", "retracted", "versions", "first_seen")


def _foreign_identifiers(reference: Reference, path: str, evidence: Evidence) -> Iterator[Finding]:
    """Find identifiers of a reference that no tool gave to the same paper as the others."""
    main = identifier_key(reference.kind, reference.id, reference.database, reference.record_id)
    others = [(other.id, identifier_key(other.kind, other.id)) for other in reference.also]
    groups = [evidence.same_paper[key] for _, key in others if key in evidence.same_paper]
    paper = evidence.same_paper.get(main)
    if paper is None and (groups or reference_keys(reference) & evidence.known):
        if main not in evidence.known:
            yield (
                f"{path}.id",
                f"{reference.id} was returned by no tool for this paper; write the identifier "
                "that the evidence has.",
            )
        paper = groups[0] if groups else frozenset({main})
    for place, (text, key) in enumerate(others if paper else ()):
        if paper is not None and key not in paper:
            yield (
                f"{path}.also[{place}].id",
                f"no tool returned {text} as an identifier of {reference.id}; take it out.",
            )


def numbers_from_evidence(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """Numbers in a bullet occur in the statements or quotes of the items it rests on.

    Design: numbers are checked against what the tools returned, with their units; numbers in words
    where they count patients, tumours, cases, samples or percent.
    """
    for path, bullet in all_bullets(report):
        items = evidence.behind(bullet)
        foreign = foreign_numbers(without_names(bullet.text, report), held(items)) if items else []
        if foreign:
            yield (
                f"{path}.text",
                f"states {', '.join(foreign)}, which {', '.join(bullet.evidence)} do not hold; "
                "remove the number or name the item that holds it.",
            )


def without_names(text: str, report: FinalReport) -> str:
    """Return a text without the names that hold numbers: the gene's own, and such as HIF-1."""
    names = [report.gene.symbol, report.gene.name or "", *report.gene.aliases]
    # Longest first: DP2.5 without DP2 leaves a number.
    either = "|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True)))
    of_gene = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
    return _NAMES.sub(" ", of_gene.sub(" ", text))


def held(items: Iterable[EvidenceItem]) -> str:
    """Return what items hold: their words, and the small numbers that these spell as numerals."""
    text = " ".join(f"{item.statement} {item.quote}" for item in items)
    spoken = set(re.findall(r"[a-z]+", text.lower()))
    numerals = [str(value) for value, word in enumerate(_ZERO_TO_TWELVE.split()) if word in spoken]
    return " ".join([text, *numerals])
