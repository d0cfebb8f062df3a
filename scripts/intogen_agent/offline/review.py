"""`WireCritique`: a referee's checks of a report against its ledger."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from intogen_agent.offline import drafts, evidence, rationale, report, values, weigh
from intogen_agent.offline.conversation import Conversation
from intogen_agent.offline.drafts import Bullet, Draft
from intogen_agent.offline.evidence import Item, Shelf
from intogen_agent.offline.weigh import Verdict

_COST = {"high": 0.5, "medium": 0.2, "low": 0.05}
_SHARED_WORDS = 0.5
_FEW_PAPERS = 5
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")


@dataclass(frozen=True)
class Issue:
    """One concern.

    Attributes:
        kind: What check found it; the refiner mends by kind.
        identifiers: References of the ledger that the remedy needs.
        items: Ledger items that the remedy needs.
        place: The bullet's place in its section, if it is about one.
    """

    kind: str
    section: str
    severity: str
    why: str
    action: str
    identifiers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    place: int | None = None


@dataclass(frozen=True)
class Case:
    """What a review looks at."""

    draft: Draft
    conversation: Conversation
    ledger: list[Item]
    shelf: Shelf
    verdict: Verdict


def case(conversation: Conversation) -> Case:
    """Read a review or refinement request."""
    ledger = evidence.items(conversation.items("ledger"))
    shelf = evidence.shelf(conversation.items("references"))
    needs = weigh.needs(conversation.record("rules"))
    verdict = weigh.weigh(conversation.task, ledger, shelf, needs)
    draft = drafts.from_report(conversation.record("report"))
    return Case(draft, conversation, ledger, shelf, verdict)


def compose(conversation: Conversation) -> dict[str, Any]:
    """Return the critique of the report block."""
    looked_at = case(conversation)
    found = list(issues(looked_at))
    function = _score(found, "gene_function")
    mechanism = _score(found, "mechanistic_hypothesis") if looked_at.draft.supported else None
    assessment = _score(found, "assessment", "verdict_alignment")
    scores = [one for one in (function, mechanism, assessment) if one is not None]
    return {
        "overall_accept": not any(issue.severity == "high" for issue in found),
        "overall_score": round(sum(scores) / len(scores), 2),
        "gene_function_score": function,
        "mechanistic_hypothesis_score": mechanism,
        "assessment_alignment_score": assessment,
        "summary": _summary(looked_at, found),
        "issues": [_wire(issue) for issue in found],
    }


def issues(looked_at: Case) -> Iterator[Issue]:
    """Yield the concerns of all four pillars."""
    yield from _gene_function(looked_at)
    yield from _mechanisms(looked_at)
    yield from _assessment(looked_at)
    yield from _alignment(looked_at)


def _gene_function(looked_at: Case) -> Iterator[Issue]:
    rules = looked_at.conversation.record("rules")
    least = report.bounds(rules, "function_bullets", (2, 5))[0]
    found = len(looked_at.draft.gene_function)
    if found < least:
        yield Issue(
            "function-count",
            "gene_function",
            "high",
            f"The section has {found} bullets of the {least} needed.",
            "Write the section from the function items of the ledger.",
        )
    yield from _grounding(looked_at, looked_at.draft.gene_function, "gene_function", False)


def _mechanisms(looked_at: Case) -> Iterator[Issue]:
    if not looked_at.draft.supported:
        return
    bullets = looked_at.draft.mechanisms
    yield from _grounding(looked_at, bullets, "mechanistic_hypothesis", True)
    said = " ".join(
        f"{b['mediator']} {b['text']} {' '.join(b['evidence'])}" for b in bullets
    ).lower()
    for hypothesis in looked_at.conversation.items("hypotheses"):
        if hypothesis.get("fate") not in ("confirmed", "refined"):
            continue
        mediator = values.text(values.mapping(hypothesis.get("chain")).get("mediator"))
        ids = values.texts(hypothesis.get("evidence"))
        covered = _mentions(said, mediator) or any(one.lower() in said.split() for one in ids)
        if mediator and not covered:
            yield Issue(
                "hypothesis-uncovered",
                "mechanistic_hypothesis",
                "medium",
                f"Hypothesis {hypothesis.get('id')} ({mediator}) was {hypothesis['fate']}, but no "
                "mechanism speaks of it.",
                "Add the mechanism if the ledger holds its whole chain.",
                _papers(looked_at, ids),
                tuple(ids),
            )


def _assessment(looked_at: Case) -> Iterator[Issue]:
    draft, verdict = looked_at.draft, looked_at.verdict
    yield from _grounding(looked_at, draft.rationale, "assessment", True)
    cited = draft.cited_items()
    papers = {one for bullet in draft.rationale for one in bullet["citations"]}
    left_out = [
        item
        for item in verdict.refuting
        if item.id not in cited and not papers.intersection(item.papers)
    ]
    if left_out and not any(item.id in cited for item in verdict.refuting):
        yield Issue(
            "refuting-unmentioned",
            "assessment",
            "medium",
            f"The ledger holds evidence against the gene ({left_out[0].id}) that no bullet names.",
            "Name the refuting finding in the rationale.",
            left_out[0].papers,
            (left_out[0].id,),
        )
    doubts = [item for item in verdict.doubts if item.id not in cited]
    if draft.supported and doubts and not any(item.id in cited for item in verdict.doubts):
        yield Issue(
            "doubt-unmentioned",
            "assessment",
            "low",
            f"A finding that limits the role ({doubts[0].id}) is not named.",
            "Name it in the rationale if there is room.",
            doubts[0].papers,
            (doubts[0].id,),
        )


def _alignment(looked_at: Case) -> Iterator[Issue]:
    draft, verdict = looked_at.draft, looked_at.verdict
    section = "verdict_alignment"
    if draft.supported and not verdict.supported:
        yield Issue(
            "verdict-too-strong",
            section,
            "high",
            f"The verdict is supported, but the ledger does not carry it. {verdict.reason}",
            "Set the involvement to not_supported and give the reason.",
        )
    elif not draft.supported and verdict.supported and not draft.reason:
        yield Issue(
            "verdict-too-weak",
            section,
            "high",
            "The verdict is not supported, but the ledger meets every threshold of supported.",
            "Weigh the supporting items of the ledger again.",
            _papers(looked_at, [item.id for item in verdict.supporting[:3]]),
        )
    papers = {paper for item in verdict.supporting for paper in item.papers}
    if draft.supported and len(papers) < _FEW_PAPERS:
        yield Issue(
            "few-papers",
            section,
            "low",
            f"Only {len(papers)} papers of the ledger support the verdict in this cancer.",
            "Read the verdict with care; further searches might add evidence.",
        )


def _grounding(
    looked_at: Case, bullets: Sequence[Bullet], section: str, about_gene: bool
) -> Iterator[Issue]:
    """Yield what is wrong with bullets and the ledger items they name."""
    known = {item.id: item for item in looked_at.ledger}
    gene = looked_at.conversation.task.gene
    for place, bullet in enumerate(bullets):
        behind = [known[one] for one in bullet["evidence"] if one in known]
        said = " ".join(item.statement for item in behind)
        retracted = looked_at.shelf.retracted.intersection(bullet["citations"])
        tools_only = all(one.startswith("TOOL:") for one in bullet["citations"])
        if not behind and not tools_only:
            yield _about(section, place, "no-evidence", "medium", "rests on no item of the ledger")
        elif behind and _overlap(bullet["text"], said) < _SHARED_WORDS:
            why = f"says what {', '.join(bullet['evidence'])} do not say"
            yield _about(section, place, "beyond-evidence", "high", why)
        elif about_gene and behind and not gene.named_in(said):
            why = f"rests on {', '.join(bullet['evidence'])}, which do not name {gene.symbol}"
            yield _about(section, place, "other-gene", "medium", why)
        if retracted:
            why = f"cites {', '.join(sorted(retracted))}, which was retracted"
            yield _about(section, place, "retracted", "high", why)


def _about(section: str, place: int, kind: str, severity: str, why: str) -> Issue:
    return Issue(
        kind,
        section,
        severity,
        f"Bullet {place + 1} {why}.",
        "Remove the bullet, or replace it by one that rests on the ledger.",
        place=place,
    )


def _overlap(text: str, said: str) -> float:
    """Return the share of a text's content words that its evidence holds."""
    text = text.removeprefix(rationale.QUALIFYING).removeprefix(rationale.CONFLICTING)
    mine = {word.lower() for word in _WORD.findall(text)}
    theirs = {word.lower() for word in _WORD.findall(said)}
    return len(mine & theirs) / len(mine) if mine else 1.0


def _mentions(said: str, mediator: str) -> bool:
    words = [word.lower() for word in re.findall(r"[\w-]{3,}", mediator)]
    return any(word in said for word in words)


def _papers(looked_at: Case, ids: Sequence[str]) -> tuple[str, ...]:
    wanted = set(ids)
    found = [one for item in looked_at.ledger if item.id in wanted for one in item.papers]
    return tuple(dict.fromkeys(found))[:3]


def _score(found: Sequence[Issue], *sections: str) -> float:
    lost = sum(_COST[issue.severity] for issue in found if issue.section in sections)
    return round(max(0.0, 1.0 - lost), 2)


def _summary(looked_at: Case, found: Sequence[Issue]) -> str:
    verdict = looked_at.verdict
    counts = (
        f"The ledger holds {len(verdict.supporting)} items that support a role in this cancer, "
        f"{len(verdict.refuting)} that refute it and {len(verdict.doubts)} that limit it."
    )
    if not found:
        return f"{counts} The report agrees with it."
    high = sum(issue.severity == "high" for issue in found)
    noun = "concern" if len(found) == 1 else "concerns"
    return f"{counts} {len(found)} {noun}, {high} of high severity."


def _wire(issue: Issue) -> dict[str, Any]:
    return {
        "section": issue.section,
        "severity": issue.severity,
        "outside_evidence": False,
        "needs_new_evidence": False,
        "why": issue.why,
        "recommended_action": issue.action,
        "suggested_identifiers": list(issue.identifiers),
    }
