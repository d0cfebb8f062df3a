"""The fate of a hypothesis, held to the ledger items that are to decide it.

Source: the design ("Nothing the model writes is trusted"): a fate whose items
do not bear it out is corrected, and the correction is on record.
"""

from collections.abc import Mapping, Sequence

from intogen_agent.evidence.models import (
    Alteration,
    Chain,
    EvidenceItem,
    Hypothesis,
    Kind,
    Scope,
    Stance,
)
from intogen_agent.evidence.wire import HypothesisVerdict

# Amount of a gene product: what changes it and the change itself are one subject.
_AMOUNT = frozenset({Alteration.COPY_NUMBER, Alteration.METHYLATION, Alteration.EXPRESSION})


def decided(
    hypothesis: Hypothesis, verdict: HypothesisVerdict | None, ledger: Mapping[str, EvidenceItem]
) -> Hypothesis:
    """Return a hypothesis with its fate.

    Confirmed and refined need an item that supports, is about the hypothesis's kind of alteration
    and is not of another cancer alone; refuted needs a paper's item that refutes, contradicts or
    is a null result. A fate without such an item is unresolved.

    Args:
        hypothesis: The hypothesis.
        verdict: What the model made of it, if anything.
        ledger: The items by id.
    """
    if verdict is None:
        return hypothesis.model_copy(update={"note": "the model gave no verdict"})
    named = list(dict.fromkeys(name.strip() for name in verdict.evidence))
    items = [ledger[name] for name in named if name in ledger]
    unknown = [name for name in named if name not in ledger]
    notes = [" ".join(verdict.note.split())]
    if unknown:
        notes.append(f"{', '.join(unknown)}: no items of the ledger")
    if verdict.fate == "unresolved":
        update = {"evidence": [item.id for item in items], "note": _joined(notes)}
        return hypothesis.model_copy(update=update)
    carrying, against, why = _weighed(verdict.fate, hypothesis, items)
    if not carrying:
        notes.append(f"the model said {verdict.fate}, which no named item bears out: {why}")
        return hypothesis.model_copy(
            update={
                "evidence": [item.id for item in items],
                "note": _joined(notes),
                "stated_fate": verdict.fate,
            }
        )
    chain = hypothesis.chain
    if verdict.fate == "refined" and verdict.cause and verdict.mediator and verdict.outcome:
        chain = Chain(cause=verdict.cause, mediator=verdict.mediator, outcome=verdict.outcome)
    return hypothesis.model_copy(
        update={
            "fate": verdict.fate,
            "evidence": [item.id for item in carrying],
            "against": [item.id for item in against],
            "note": _joined(notes),
            "chain": chain,
        }
    )


def _weighed(
    fate: str, hypothesis: Hypothesis, items: Sequence[EvidenceItem]
) -> tuple[list[EvidenceItem], list[EvidenceItem], str]:
    """Return the items that carry a fate, those against it, and why none carries it."""
    if not items:
        return [], [], "it named no item of the ledger"
    about = [item for item in items if _same_subject(hypothesis.alteration, item.alteration)]
    if not about:
        return [], [], f"its items are not about {hypothesis.alteration.value}"
    speaking = [item for item in items if _refutes(item)]
    if fate == "refuted":
        carrying = [item for item in about if _refutes(item)]
        against = [item for item in items if item.stance is Stance.SUPPORTS]
        return carrying, against, "its items do not speak against the hypothesis"
    supporting = [item for item in about if item.stance is Stance.SUPPORTS]
    if not supporting:
        return [], [], "its items do not support the hypothesis"
    carrying = [item for item in supporting if item.scope is not Scope.OTHER]
    return carrying, speaking, "its items are of other cancers"


def _same_subject(wanted: Alteration, shown: Alteration) -> bool:
    either = Alteration.NONE in (wanted, shown) or wanted is shown
    return either or {wanted, shown} <= _AMOUNT


def _refutes(item: EvidenceItem) -> bool:
    """Tell whether an item speaks against; a search that found nothing does not."""
    if all(name.startswith("TOOL:") for name in item.references):
        return False
    doubtful = item.kind in (Kind.NULL_RESULT, Kind.CONTRADICTION)
    return item.stance is Stance.REFUTES or (doubtful and item.stance is Stance.NEUTRAL)


def _joined(notes: Sequence[str]) -> str:
    return "; ".join(note.rstrip(".;") for note in notes if note)
