"""Checks of what a statement rests on: whose evidence it is, and whether it holds together."""

import re
from collections.abc import Iterator, Sequence

from intogen_agent.evidence.models import EvidenceItem, Kind, Scope, Stance, System
from intogen_agent.report.models import Reference
from intogen_agent.report.sources import citation_text
from intogen_agent.review.case import Case, Finding, Placed
from intogen_agent.review.models import Section, Severity
from intogen_agent.review.naming import names

_ELSEWHERE = frozenset({Scope.OTHER, Scope.RELATED, Scope.PAN_CANCER})
_HERE = frozenset({Scope.TARGET, Scope.SUBTYPE})
_MODELS = frozenset({System.CELL_LINE, System.ANIMAL, System.COMPUTATIONAL})
_SAYS_MODEL = re.compile(
    r"\b(?:cells?|cell[- ]lines?|mouse|mice|murine|rats?|zebrafish|xenografts?|organoids?|models?"
    r"|in vitro|in vivo|knock-?(?:in|out|down)|transgenic|animals?|computational\w*|in silico"
    r"|simulat\w*|predict\w*|genetically|clones?|fibroblasts?|cultures?|cultured|ectopic\w*"
    r"|engineered|recombinant|purified|structures?|peptides?|crystal\w*|assays?)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:but|however|whereas|while|although|though|despite|in contrast|conflict\w*|contradict\w*"
    r"|contest\w*|controvers\w*|qualif\w*|inconsisten\w*|mixed|disput\w*|not)\b",
    re.IGNORECASE,
)
_ABSENCE = re.compile(
    r"\bno (?:\w+ ){0,3}(?:stud(?:y|ies)|reports?|evidence|articles?|papers?|publications?|results?"
    r"|literature|findings?)\b|\b(?:found|find|returned|brought) (?:nothing|no\b)"
    r"|\bnot (?:been )?(?:reported|described|studied)\b",
    re.IGNORECASE,
)


def gene_in_quote(case: Case) -> Iterator[Finding]:
    """The quotes (or titles) of a bullet's citations name the gene by its symbol or an alias."""
    for placed in case.bullets():
        for reference, items in _supported(case, placed):
            if any(_names_gene(case, item) for item in items):
                continue
            said = any(case.gene.in_text(item.statement) for item in items)
            others = any(names(case.source(item)) for item in items)
            yield _finding(
                placed,
                Severity.HIGH if others and not said else Severity.MEDIUM,
                f"{_name(reference)} is cited, but what was quoted from it ({_ids(items)}) does "
                f"not name {case.report.gene.symbol}.",
                "Cite a finding on this gene, or remove the statement.",
            )


def cancer_in_quote(case: Case) -> Iterator[Finding]:
    """The quotes (or titles) of findings in this cancer name it, or a type below it."""
    for placed in case.claims():
        for reference, items in _supported(case, placed):
            here = [item for item in items if item.scope in _HERE]
            if not here or any(case.cancer.in_text(case.source(item)) for item in here):
                continue
            others = case.cancer.others_in(" ".join(case.source(item) for item in here))
            where = f", but {', '.join(others[:3])}" if others else ""
            yield _finding(
                placed,
                Severity.HIGH if others else Severity.MEDIUM,
                f"{_name(reference)} is cited for a finding in {case.report.cancer.name}, but "
                f"what was quoted from it ({_ids(here)}) does not name this cancer{where}.",
                "Say in which cancer the finding was made, cite one in this cancer, or remove the "
                "statement.",
            )


def untracked_only(case: Case) -> Iterator[Finding]:
    """A statement rests on at least one reference that a tool returned."""
    for placed in case.bullets():
        cited = case.cited(placed.bullet)
        if cited and not any(reference.tracked for reference in cited):
            yield _finding(
                placed,
                Severity.MEDIUM,
                f"No tool returned {', '.join(map(_name, cited))}; the statement rests on nothing "
                "else.",
                "Rest it on the ledger, or remove it.",
            )


def retracted(case: Case) -> Iterator[Finding]:
    """No retracted paper is cited."""
    for placed in case.bullets():
        for reference in case.cited(placed.bullet):
            if reference.retracted:
                yield _finding(
                    placed,
                    Severity.HIGH,
                    f"{_name(reference)} was retracted.",
                    "Remove the citation, and the statement if nothing else carries it.",
                )


def other_cancers_only(case: Case) -> Iterator[Finding]:
    """A statement on this cancer does not rest on findings in other cancers alone."""
    if case.pan_cancer:
        return
    for placed in case.claims():
        items = _findings_of(case, placed)
        if not items or not all(item.scope in _ELSEWHERE for item in items):
            continue
        if any(case.cancer.in_text(case.source(item)) for item in items):
            # A study of several cancers, this one among them.
            continue
        named = case.cancer.in_text(placed.bullet.text)
        if named or not _says_elsewhere(case, placed.bullet.text):
            yield _finding(
                placed,
                Severity.HIGH if named else Severity.MEDIUM,
                f"The statement is made for {case.report.cancer.name}, but {_ids(items)} are "
                f"findings in other cancers ({', '.join(sorted({i.scope.value for i in items}))}).",
                "Say in which cancers it was found, or rest it on findings in this one.",
            )


def models_only(case: Case) -> Iterator[Finding]:
    """A statement that rests on models alone (cells, animals, computations) says so."""
    for placed in case.claims():
        items = _findings_of(case, placed)
        if not items or not all(item.system in _MODELS for item in items):
            continue
        if not _SAYS_MODEL.search(placed.bullet.text):
            systems = ", ".join(sorted({item.system.value for item in items}))
            yield _finding(
                placed,
                Severity.MEDIUM,
                f"{_ids(items)} were found in models ({systems}); the statement does not say so.",
                "Say in which system it was found.",
            )


def verdict_on_models(case: Case) -> Iterator[Finding]:
    """A supported verdict does not rest on models alone."""
    items = [
        item
        for placed in case.bullets(Section.ASSESSMENT)
        for item in case.behind(placed.bullet)
        if item.stance is Stance.SUPPORTS
    ]
    if case.supported and items and all(item.system in _MODELS for item in items):
        yield Finding(
            Section.VERDICT_ALIGNMENT,
            Severity.MEDIUM,
            "assessment.rationale",
            f"The verdict rests on models alone ({_ids(items)}), on no finding in patients.",
            "Cite findings in patients where the ledger has them, else say that there are none.",
        )


def contradicting_evidence(case: Case) -> Iterator[Finding]:
    """A statement whose items contradict each other says that they do."""
    for placed in case.claims():
        items = case.behind(placed.bullet)
        refuting = [item for item in items if item.stance is Stance.REFUTES]
        supporting = [item for item in items if item.stance is Stance.SUPPORTS]
        if refuting and supporting and not _CONTRAST.search(placed.bullet.text):
            yield _finding(
                placed,
                Severity.HIGH,
                f"{_ids(supporting)} and {_ids(refuting)} contradict each other, and the statement "
                "does not say so.",
                "Name the contradiction, or make a statement of each.",
            )


def refuting_unnamed(case: Case) -> Iterator[Finding]:
    """A supported verdict names evidence against the gene in this cancer where there is some."""
    refuting = [
        item
        for item in case.evidence.phase2.ledger
        if item.stance is Stance.REFUTES
        and item.kind is not Kind.NULL_RESULT
        and (item.scope is not Scope.OTHER or case.pan_cancer)
    ]
    if not case.supported or not refuting:
        return
    named = {name for placed in case.claims() for name in placed.bullet.evidence}
    papers = {
        key
        for placed in case.claims()
        for item in case.behind(placed.bullet)
        for key in case.evidence.keys(item)
    }
    if not any(item.id in named or papers & case.evidence.keys(item) for item in refuting):
        yield Finding(
            Section.ASSESSMENT,
            Severity.MEDIUM,
            "assessment.rationale",
            f"The ledger holds evidence against the gene ({_ids(refuting)}) that no bullet names.",
            "Name it in the rationale.",
        )


def absence_after_outage(case: Case) -> Iterator[Finding]:
    """An absence is claimed only from a search that was answered."""
    queries = case.evidence.phase2.queries
    if not queries or any(query.outcome in ("content", "empty") for query in queries):
        return
    for placed in case.claims():
        if _ABSENCE.search(placed.bullet.text):
            yield _finding(
                placed,
                Severity.HIGH,
                "The statement claims an absence, but no literature search was answered.",
                "Say that the searches failed; what they would have found is unknown.",
            )


def _supported(case: Case, placed: Placed) -> Iterator[tuple[Reference, list[EvidenceItem]]]:
    """Yield the citations of a bullet that its items carry, each with these items."""
    for reference in case.cited(placed.bullet):
        items = [
            item
            for item in case.items_of(reference, placed.bullet)
            if item.kind is not Kind.NULL_RESULT
        ]
        if items:
            yield reference, items


def _names_gene(case: Case, item: EvidenceItem) -> bool:
    """Say whether an item's source names the gene.

    Phase 1 asks for the gene's own records and checks whose they are; they speak of "the protein".
    """
    return item in case.evidence.phase1.ledger or case.gene.in_text(case.source(item))


def _findings_of(case: Case, placed: Placed) -> list[EvidenceItem]:
    return [
        item
        for item in case.behind(placed.bullet)
        if item.kind not in (Kind.NULL_RESULT, Kind.FUNCTION)
    ]


def _says_elsewhere(case: Case, text: str) -> bool:
    general = re.search(
        r"\b(?:other|many|several|various|across|different|human) (?:\w+ )?(?:cancers?|tumou?rs?)\b"
        r"|\bpan-cancer\b|\bcancers?\b|\btumou?rs?\b",
        text,
        re.IGNORECASE,
    )
    return bool(general or case.cancer.others_in(text))


def _finding(placed: Placed, severity: Severity, why: str, action: str) -> Finding:
    return Finding(placed.section, severity, placed.path, why, action)


def _name(reference: Reference) -> str:
    return citation_text(reference.kind, reference.id, reference.database, reference.record_id)


def _ids(items: Sequence[EvidenceItem]) -> str:
    return ", ".join(dict.fromkeys(item.id for item in items))
