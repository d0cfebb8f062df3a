"""`RefinedDraft`: the answers to a critique, and the report that follows from them."""

from typing import Any

from intogen_agent.offline import mechanisms, rationale, report, review, values
from intogen_agent.offline.conversation import Conversation
from intogen_agent.offline.drafts import Bullet
from intogen_agent.offline.review import Case, Issue

_RETHOUGHT = frozenset({"verdict-too-strong", "verdict-too-weak"})
_DROPPED = frozenset({"no-evidence", "beyond-evidence", "other-gene", "retracted"})
_NAMED = frozenset({"refuting-unmentioned", "doubt-unmentioned"})


def compose(conversation: Conversation) -> dict[str, Any]:
    """Answer every issue of the critique block and return the revised report.

    An issue is accepted when the referee's own checks find the same in the report, or when the
    ledger holds a paper that the issue names and the rationale lacks; then it is mended from the
    ledger. Any other issue is rejected: the ledger holds nothing that settles it.
    """
    looked_at = review.case(conversation)
    mine = list(review.issues(looked_at))
    answers = []
    mended: set[str] = set()
    for raw in values.objects(conversation.record("critique").get("issues")):
        matching = _same(raw, mine)
        told = _mend(looked_at, matching, mended) if matching else _add_named(looked_at, raw)
        answers.append(
            {
                "issue": str(raw.get("id") or ""),
                "decision": "accepted" if told else "rejected",
                "explanation": told or "The ledger holds nothing that settles this; left as it is.",
            }
        )
    return {"answers": answers, "report": looked_at.draft.as_wire()}


def _same(raw: dict[str, Any], mine: list[Issue]) -> Issue | None:
    """Find the own concern that an issue of the critique is about."""
    in_section = [issue for issue in mine if issue.section == raw.get("section")]
    exact = [issue for issue in in_section if issue.why == raw.get("why")]
    if exact:
        return exact[0]
    suggested = set(values.texts(raw.get("suggested_identifiers")))
    near = [issue for issue in in_section if suggested.intersection(issue.identifiers)]
    return near[0] if near else None


def _mend(looked_at: Case, issue: Issue, mended: set[str]) -> str | None:
    """Mend the report for one concern; None when the ledger does not allow it."""
    key = f"{issue.kind} {issue.section} {issue.place}"
    if key in mended:
        return "Mended together with an earlier issue."
    mended.add(key)
    if issue.kind in _RETHOUGHT:
        return _rethink(looked_at)
    if issue.kind == "function-count":
        return _rewrite_function(looked_at)
    if issue.kind in _DROPPED and issue.place is not None:
        return _replace(looked_at, issue)
    if issue.kind in _NAMED:
        return _name_item(looked_at, issue.items[0])
    if issue.kind == "hypothesis-uncovered":
        return _cover(looked_at, issue)
    return None


def _rebuilt(looked_at: Case) -> dict[str, Any]:
    return report.build(looked_at.conversation, report.Refused())


def _rethink(looked_at: Case) -> str:
    fresh = _rebuilt(looked_at)
    draft = looked_at.draft
    draft.involvement, draft.undetermined = fresh["involvement"], fresh["undetermined"]
    draft.reason, draft.rationale = fresh["reason"], fresh["rationale"]
    draft.mechanisms = fresh["mechanisms"]
    return f"The verdict was weighed again from the ledger and is now {draft.involvement}."


def _rewrite_function(looked_at: Case) -> str | None:
    fresh = _rebuilt(looked_at)["gene_function"]
    if len(fresh) <= len(looked_at.draft.gene_function):
        return None
    looked_at.draft.gene_function = fresh
    return "The section was written anew from the function items of the ledger."


def _replace(looked_at: Case, issue: Issue) -> str | None:
    """Replace a bullet by one of a fresh report that rests on other items, or drop it."""
    sections = {
        "gene_function": ("gene_function", "function_bullets", (2, 5)),
        "assessment": ("rationale", "rationale_bullets", (2, 4)),
        "mechanistic_hypothesis": ("mechanisms", "mechanism_bullets", (1, 6)),
    }
    name, rule, default = sections[issue.section]
    bullets: list[Bullet] = getattr(looked_at.draft, name)
    place = issue.place
    if place is None or place >= len(bullets):
        return None
    used = {one for other in bullets if other is not bullets[place] for one in other["evidence"]}
    spare = [
        bullet
        for bullet in _rebuilt(looked_at)[name]
        if not used.intersection(bullet["evidence"]) and bullet["text"] != bullets[place]["text"]
    ]
    least = report.bounds(looked_at.conversation.record("rules"), rule, default)[0]
    if spare:
        bullets[place] = spare[0]
        return "The bullet was replaced by one that rests on the ledger."
    if sum(bool(bullet["text"]) for bullet in bullets) > least:
        # Emptied bullets keep the places of later issues valid; the wire form leaves them out.
        bullets[place] = {**bullets[place], "text": "", "evidence": [], "citations": []}
        return "The bullet was removed."
    return None


def _name_item(looked_at: Case, identifier: str) -> str | None:
    """Add a ledger item to the rationale; a full rationale gives up its weakest statement."""
    item = next((one for one in looked_at.ledger if one.id == identifier), None)
    if item is None:
        return None
    bullet = rationale.as_conflict(item)
    most = report.bounds(looked_at.conversation.record("rules"), "rationale_bullets", (2, 4))[1]
    bullets = looked_at.draft.rationale
    if len(bullets) < most:
        bullets.append(bullet)
        return f"{item.id} was added to the rationale."
    if item.stance != "refutes":
        return None
    bullets[-1] = bullet
    return f"{item.id} was added to the rationale in place of its last statement."


def _cover(looked_at: Case, issue: Issue) -> str | None:
    """Add the mechanism of an uncovered hypothesis if the ledger holds its chain."""
    rules = looked_at.conversation.record("rules")
    most = report.bounds(rules, "mechanism_bullets", (1, 6))[1]
    draft = looked_at.draft
    found = mechanisms.mechanisms(
        looked_at.conversation.task, looked_at.ledger, looked_at.shelf, most
    )
    used = {one for bullet in draft.mechanisms for one in bullet["evidence"]}
    for bullet in found:
        wanted = set(issue.items).intersection(bullet["evidence"])
        if wanted and not used.intersection(bullet["evidence"]) and len(draft.mechanisms) < most:
            draft.mechanisms.append(bullet)
            return f"A mechanism that rests on {', '.join(sorted(wanted))} was added."
    return None


def _add_named(looked_at: Case, raw: dict[str, Any]) -> str | None:
    """Take up a paper that another referee names, if the ledger has a finding of it."""
    suggested = set(values.texts(raw.get("suggested_identifiers")))
    cited = {one for bullet in looked_at.draft.rationale for one in bullet["citations"]}
    most = report.bounds(looked_at.conversation.record("rules"), "rationale_bullets", (2, 4))[1]
    if raw.get("section") not in ("assessment", "verdict_alignment"):
        return None
    for item in looked_at.verdict.supporting:
        fresh = suggested.intersection(item.papers) and not cited.intersection(item.papers)
        if fresh and len(looked_at.draft.rationale) < most:
            looked_at.draft.rationale.append(rationale.as_bullet(item))
            return f"{item.id} was added to the rationale."
    return None
