"""`HypothesisPlan` and `HypothesisVerdicts`: hypotheses of mechanism, and their fate."""

import re
from collections.abc import Sequence
from typing import Any

from intogen_agent.offline import chains, evidence, features, mechanisms, molecules
from intogen_agent.offline.conversation import Conversation, Task
from intogen_agent.offline.evidence import Item
from intogen_agent.offline.sentences import word_set

_MAX_MEDIATORS = 2
_PROCESS = re.compile(
    r"\b(proliferation|apoptosis|migration|differentiation|cell cycle|repair of DNA|DNA repair"
    r"|transcription|degradation|signall?ing|growth|adhesion|translation|splicing|ribosomes?"
    r"|centrosomes?|ubiquitinat\w+|elasticity)\b"
)
_GENERAL_MEDIATOR = "normal function"
_GENERAL_OUTCOME = "cell proliferation"
_OUTCOMES = ("proliferation", "apoptosis", "migration", "differentiation", "growth")


def plan(conversation: Conversation) -> dict[str, Any]:
    """Return two to four hypotheses out of the gene function block."""
    task = conversation.task
    statements = [item.statement for item in evidence.items(conversation.items("gene_function"))]
    mediators = _mediators(task, statements)
    outcome = _outcome(statements)
    first, second = mediators[0], mediators[-1]
    gene, where = task.gene.symbol, task.cancer_name or "cancer"
    made = [
        _hypothesis(
            "H1",
            f"Loss of {gene} disturbs {first} and thereby changes {outcome} in {where}.",
            (f"{gene} loss", first, outcome),
            "mutation",
            [
                f"survey of truncating {gene} mutations in tumours of patients with {where}",
                f"functional study of {gene} loss in cell or animal models of {where}",
            ],
            ["loss of function", first],
        ),
        _hypothesis(
            "H2",
            f"Activating mutation of {gene} acts through {second} on {outcome} in {where}.",
            (f"activating {gene} mutation", second, outcome),
            "mutation",
            [
                f"survey of recurrent {gene} mutations in tumours of patients with {where}",
                f"functional study of mutant {gene} in cell models of {where}",
                f"treatment response by {gene} status in patients with {where}",
            ],
            ["activating mutation", second],
        ),
        _hypothesis(
            "H3",
            f"A changed amount of {gene}, by copy number or expression, acts through {first} on "
            f"{outcome} in {where}.",
            (f"altered {gene} expression", first, outcome),
            "expression",
            [
                f"copy number and expression survey of {gene} in tumours of patients with {where}",
                f"knock-down or overexpression of {gene} in cell models of {where}",
            ],
            ["expression", "amplification"],
        ),
    ]
    return {"hypotheses": made}


def verdicts(conversation: Conversation) -> dict[str, Any]:
    """Return the fate of every hypothesis, decided by the ledger."""
    task = conversation.task
    ledger = evidence.items(conversation.items("ledger"))
    return {
        "verdicts": [
            _decide(task, hypothesis, ledger) for hypothesis in conversation.items("hypotheses")
        ]
    }


def _mediators(task: Task, statements: Sequence[str]) -> list[str]:
    """Return up to two mediators: pathways and partners first, then processes."""
    named = [
        (-one.rank, place, one.text)
        for place, statement in enumerate(statements)
        for one in molecules.mediators(statement, task.gene)[:1]
        if one.rank > 1
    ]
    found = [text for _, _, text in sorted(named)]
    for statement in statements:
        found += [match[1] for match in _PROCESS.finditer(statement)][:1]
    short = [one for one in dict.fromkeys(found) if len(one.split()) <= 6]
    return short[:_MAX_MEDIATORS] or [_GENERAL_MEDIATOR]


def _outcome(statements: Sequence[str]) -> str:
    text = " ".join(statements)
    for word in _OUTCOMES:
        if re.search(rf"\b{word}\b", text):
            return word if word in ("apoptosis", "differentiation") else f"cell {word}"
    return _GENERAL_OUTCOME


def _hypothesis(
    identifier: str,
    statement: str,
    links: tuple[str, str, str],
    alteration: str,
    studies: list[str],
    keywords: list[str],
) -> dict[str, Any]:
    cause, mediator, outcome = links
    return {
        "id": identifier,
        "statement": statement,
        "cause": cause,
        "mediator": mediator,
        "outcome": outcome,
        "alteration": alteration,
        "expected_studies": studies,
        "keywords": keywords,
    }


def _decide(task: Task, hypothesis: dict[str, Any], ledger: Sequence[Item]) -> dict[str, Any]:
    """Confirm, refine or refute one hypothesis.

    Confirmed: functional or clinical findings in this cancer fit its direction and name its
    mediator and outcome. Refined: they fit its direction and hold a chain of their own. Refuted:
    papers that call the gene a passenger outnumber those that support it.
    """
    chain = hypothesis.get("chain")
    chain = chain if isinstance(chain, dict) else hypothesis
    links = {name: str(chain.get(name) or "") for name in ("cause", "mediator", "outcome")}
    fitting = [item for item in _supporting(task, ledger) if _fits(item, hypothesis, links, task)]
    against = [
        item
        for item in evidence.cancer_items(ledger)
        if evidence.calls_it_passenger(item, task)
        and item.scope != "other"
        and _same_subject(item, hypothesis)
    ]
    if len(_papers(against)) > len(_papers(_supporting(task, ledger))):
        note = "Findings that call the gene a passenger outnumber those that support it."
        return _verdict(hypothesis, "refuted", links, against, note)
    naming = [
        item
        for item in fitting
        if _names(item.statement, links["mediator"]) and _names(item.statement, links["outcome"])
    ]
    if naming:
        named = f"{links['mediator']} and {links['outcome']}"
        note = f"Findings in this cancer name {named} together with the alteration."
        return _verdict(hypothesis, "confirmed", links, naming, note)
    hints = mechanisms.function_molecules(task, ledger)
    for item in fitting:
        found = chains.chain(item.statement, task.gene, hints)
        if found is not None:
            refined = {"cause": found.cause, "mediator": found.mediator, "outcome": found.outcome}
            note = "The alteration is found, with another mediator or outcome than expected."
            return _verdict(hypothesis, "refined", refined, [item], note)
    note = "No finding in this cancer decides it."
    return _verdict(hypothesis, "unresolved", links, fitting[:2], note)


def _supporting(task: Task, ledger: Sequence[Item]) -> list[Item]:
    return [
        item
        for item in evidence.cancer_items(ledger)
        if item.stance == "supports"
        and evidence.in_target(item, task)
        and item.basis in ("functional", "clinical", "driver_statistics", "review")
    ]


def _fits(item: Item, hypothesis: dict[str, Any], links: dict[str, str], task: Task) -> bool:
    """Say whether an item speaks of the hypothesis's kind of alteration, and its direction."""
    kind = str(hypothesis.get("alteration") or "")
    if kind in ("expression", "copy number"):
        return item.alteration in ("expression", "copy number", "methylation")
    if item.alteration in ("expression", "methylation"):
        return False
    wanted = features.direction(links["cause"])
    found = chains.links(item.statement, task.gene).cause or item.statement
    shown = features.direction(found)
    if shown == "unknown":
        shown = features.direction(item.statement)
    return wanted in ("unknown", shown)


def _same_subject(item: Item, hypothesis: dict[str, Any]) -> bool:
    """Say whether an item may speak against a hypothesis: of its kind of alteration, or of none."""
    amount = ("expression", "copy number", "methylation")
    kind = str(hypothesis.get("alteration") or "none")
    if "none" in (kind, item.alteration):
        return True
    return kind == item.alteration or (kind in amount and item.alteration in amount)


def _names(text: str, mediator: str) -> bool:
    """Say whether a text names a mediator, by the words that carry its meaning."""
    words = [word for word in re.findall(r"[\w-]{3,}", mediator) if word.lower() not in _LIGHT]
    flat = re.sub(r"[^a-z0-9]", "", text.lower())
    return any(re.sub(r"[^a-z0-9]", "", word.lower())[:9] in flat for word in words)


_LIGHT = word_set(
    """
    and the of or signalling signaling pathway activity expression normal function target
    genes protein complex cell cells growth degradation transcription
    """
)


def _papers(items: Sequence[Item]) -> set[str]:
    return {paper for item in items for paper in item.papers}


def _verdict(
    hypothesis: dict[str, Any], fate: str, links: dict[str, str], items: Sequence[Item], note: str
) -> dict[str, Any]:
    return {
        "id": str(hypothesis.get("id") or ""),
        "fate": fate,
        **links,
        "evidence": [item.id for item in items],
        "note": note,
    }
