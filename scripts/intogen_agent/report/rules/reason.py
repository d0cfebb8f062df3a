"""The reason of a verdict that is not supported, held to the evidence.

Source: seed, "Structured report generation and Pydantic-based validation": the assessment "defaults
to not supported unless pre-specified evidence thresholds are met". Design: numbers are checked
against what the tools returned, those of the reason too. Whether its words are a good reason is
left to the reviewer.
"""

import re
from collections.abc import Iterator, Sequence

from intogen_agent.evidence.models import EvidenceItem, Phase2, Stance
from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.report.models import FinalReport, Involvement, ThresholdCount
from intogen_agent.report.rules.base import Finding
from intogen_agent.report.rules.findings import threshold_counts
from intogen_agent.report.rules.ledger import Evidence, held, without_names
from intogen_agent.report.thresholds import THRESHOLD_NAMES, Thresholds

_WHAT = (
    r"(?P<what>rationale bullets?(?: with evidence)?|supporting statements?|references?|sources?"
    r"|functional (?:or|and) clinical findings?)"
)
# `1 of 3 references`, `1 of the 3 needed references`; `1 references of the 3 needed`.
_CLAIMS = (
    re.compile(rf"\b(?P<found>\d+) of (?:the )?(?P<needed>\d+) (?:needed |required )?{_WHAT}\b"),
    re.compile(rf"\b(?P<found>\d+) {_WHAT} of (?:the )?(?P<needed>\d+) (?:needed|required)\b"),
)
_NEEDED = re.compile(r"\b(?:needed|required)\b")
_MISSING = re.compile(r"[^.;,]{0,20}?\b(?:missing|lacking|absent)\b")
_MISSES = re.compile(
    r"\b(?:miss(?:es|ed)?|below|short of|(?:not|n't) (?:meet|reach))\b[^.;]{0,40}\bthresholds?\b"
    r"|\bthresholds?\b[^.;]{0,40}\b(?:missed|not (?:met|reached))\b"
)
# Papers and searches may be counted; there are no more of them than the files hold.
_OF_LEDGER = re.compile(
    r"(?<![\w.])(\d+) (?=(?:[\w-]+ ){0,3}?(?:papers?|stud(?:y|ies)|items?|statements?|findings?"
    r"|references?|reports?|records?|bullets?|sources?|journals?|articles?|publications?)\b)"
)
_OF_SEARCHES = re.compile(
    r"(?<![\w.])(\d+) (?=(?:[\w-]+ ){0,3}?(?:search(?:es)?|quer(?:y|ies)|questions?|calls?"
    r"|attempts?|tools?)\b)"
)


def reason_from_evidence(
    report: FinalReport, thresholds: Thresholds, evidence: Evidence
) -> Iterator[Finding]:
    """Numbers of the reason are those of the ledger, the thresholds or the searches.

    Design, and seed: the verdict follows the thresholds, so the reason claims no shortfall that
    the counts do not show. It may count the ledger's supporting items instead of those that the
    rationale cites.
    """
    reason = report.assessment.reason
    if report.assessment.involvement is not Involvement.NOT_SUPPORTED or not reason:
        return
    path = "assessment.reason"
    counts = threshold_counts(report, thresholds, evidence)
    for said, each in _false_claims(reason, counts, evidence.phase2.ledger):
        yield (
            path,
            f"says '{said}', but of {each.threshold} {each.found} count and {each.needed} are "
            "needed; write these numbers, or what the evidence says instead.",
        )
    if _MISSES.search(reason.lower()) and all(each.found >= each.needed for each in counts):
        yield path, "says that thresholds were missed, but all are met; say why it is not enough."
    if foreign := foreign_numbers(
        _rest(reason, report, evidence), _known(report, counts, evidence)
    ):
        yield (
            path,
            f"states {', '.join(foreign)}, which neither the ledger, nor the thresholds, nor the "
            "searches hold; remove the number.",
        )


def _false_claims(
    reason: str, counts: Sequence[ThresholdCount], ledger: Sequence[EvidenceItem]
) -> Iterator[tuple[str, ThresholdCount]]:
    """Find claims on a threshold that its count contradicts."""
    text = reason.lower()
    by_name = {each.threshold: each for each in counts}
    speaking = [item for item in ledger if item.stance is Stance.SUPPORTS]
    papers = len({name for item in speaking for name in item.references})
    for pattern in _CLAIMS:
        for match in pattern.finditer(text):
            name = _threshold(match["what"])
            each = by_name[name]
            missing = _MISSING.match(text, match.end())
            threshold = missing or _NEEDED.search(text[match.start() : match.end() + 10])
            if int(match["needed"]) != each.needed and not threshold:
                continue  # `2 of 5 references are reviews` is no claim on the threshold.
            most = max(each.found, papers if name in THRESHOLD_NAMES[1:3] else len(speaking))
            fitting = range(each.found, most + 1)
            if missing:
                fitting = range(max(1, each.needed - most), each.needed - each.found + 1)
            if int(match["needed"]) != each.needed or int(match["found"]) not in fitting:
                yield match.group(), each


def _threshold(what: str) -> str:
    if what.startswith(("rationale", "supporting")):
        return THRESHOLD_NAMES[0]
    if what.startswith("reference"):
        return THRESHOLD_NAMES[1]
    return THRESHOLD_NAMES[2] if what.startswith("source") else THRESHOLD_NAMES[3]


def _rest(reason: str, report: FinalReport, evidence: Evidence) -> str:
    """Return the reason without names and without what it counts of the ledger and searches."""
    items = len(evidence.items)
    asked = _asked(evidence.phase2) + len(evidence.phase1.calls)
    text = _without_counts(without_names(reason, report), _OF_LEDGER, items)
    return _without_counts(text, _OF_SEARCHES, asked)


def _without_counts(text: str, pattern: re.Pattern[str], most: int) -> str:
    return pattern.sub(lambda match: "" if int(match[1]) <= most else match[0], text)


def _asked(phase2: Phase2) -> int:
    return max(len(phase2.calls), len(phase2.queries)) + sum(f.attempts for f in phase2.failures)


def _known(report: FinalReport, counts: Sequence[ThresholdCount], evidence: Evidence) -> str:
    numbers = {number for each in counts for number in (each.needed, each.found)}
    numbers |= {max(0, each.needed - each.found) for each in counts}
    numbers |= {query.records for query in evidence.phase2.queries}
    names = f"{report.cancer.name} {report.cancer.code}"
    return " ".join([held(evidence.items.values()), names, *map(str, sorted(numbers))])
