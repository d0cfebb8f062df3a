"""Hypotheses of mechanism: stated from the gene's function, decided by the ledger.

Source: the seed's section "Phase 2": "(i) generate internal hypotheses about plausible mechanisms
based on the Phase 1 functional context; (ii) nominate 'gold-standard' primary studies that should
exist for each candidate mechanism; and (iii) use the literature tools to confirm, refine, or refute
these hypotheses".
"""

import re
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.evidence.blocks import hypotheses_block, ledger_block
from intogen_agent.evidence.fates import decided
from intogen_agent.evidence.models import Alteration, Chain, EvidenceItem, Hypothesis
from intogen_agent.evidence.wire import HypothesisPlan, HypothesisVerdicts, PlannedHypothesis
from intogen_agent.jobs import Run
from intogen_agent.llm.outcomes import Failed, FailureKind

MAX_HYPOTHESES = 5
# Failures of form or length: a plan that is there stays.
_FORM = (
    FailureKind.INVALID,
    FailureKind.EMPTY,
    FailureKind.CUT_OFF,
    FailureKind.CONTEXT_OVERFLOW,
)
# A model knows identifiers only by heart, and those are often wrong.
_IDENTIFIER = re.compile(
    r"[(\[]?\s*(?:PMID|PMCID|DOI|NCT)\s*:?\s*(?:https?://\S+|10\.\d+/\S+|PMC\d+|\d{5,})\s*[)\]]?"
    r"|\b10\.\d{4,}/\S+|\bPMC\d{5,}\b|\bNCT\d{8}\b|https?://\S+",
    re.IGNORECASE,
)


async def plan(run: Run, function: list[dict[str, Any]], task: dict[str, Any]) -> list[Hypothesis]:
    """Have the hypotheses stated, each with the key studies that it should have.

    A plan that lacks hypotheses or studies is asked for once more.

    Args:
        run: The stage's run.
        function: What phase 1 found, as models see it.
        task: The task block.

    Raises:
        StageFailure: The model gave no answer, or no hypothesis.
    """
    messages = [
        prompts.system(prompts.instruction(Role.HYPOTHESIS_PLANNER, {})),
        prompts.user(
            "State the hypotheses.",
            prompts.block("gene_function", function),
            prompts.block("task", task),
        ),
    ]
    found: list[PlannedHypothesis] = []
    requests: list[str] = []
    for _ in range(2):
        outcome = await run.models.structured(Role.HYPOTHESIS_PLANNER, messages, HypothesisPlan)
        if isinstance(outcome, Failed) and found and outcome.kind in _FORM:
            break
        if isinstance(outcome, Failed):
            outcome.stop(Role.HYPOTHESIS_PLANNER.value)
        requests.append(outcome.request)
        found = [*_distinct(outcome.value.hypotheses)] or found
        lacking = _lacking(found)
        if lacking is None:
            break
        said = {"role": "assistant", "content": outcome.text}
        messages = [*messages, said, prompts.user(lacking)]
    if not found:
        raise StageFailure(
            ErrorClass.LLM_INVALID,
            f"{Role.HYPOTHESIS_PLANNER.value}: it stated no hypothesis",
            requests,
        )
    return [_hypothesis(number, one) for number, one in enumerate(found, start=1)]


def _distinct(planned: list[PlannedHypothesis]) -> list[PlannedHypothesis]:
    """Return the first hypotheses of different chains."""
    chains: dict[tuple[str, ...], PlannedHypothesis] = {}
    for one in planned:
        links = (one.cause, one.mediator, one.outcome)
        if one.statement.strip():
            chains.setdefault(tuple(" ".join(link.casefold().split()) for link in links), one)
    return list(chains.values())[:MAX_HYPOTHESES]


def _lacking(planned: list[PlannedHypothesis]) -> str | None:
    if not planned:
        return "State at least two hypotheses."
    bare = [one.statement for one in planned if not any(map(str.strip, one.expected_studies))]
    if bare:
        return (
            f"Name for every hypothesis the key studies that it should have: '{bare[0]}' has none."
        )
    return None


def _hypothesis(number: int, planned: PlannedHypothesis) -> Hypothesis:
    studies = [" ".join(_IDENTIFIER.sub(" ", study).split()) for study in planned.expected_studies]
    return Hypothesis(
        id=f"H{number}",
        statement=planned.statement,
        chain=Chain(cause=planned.cause, mediator=planned.mediator, outcome=planned.outcome),
        alteration=Alteration(planned.alteration),
        expected_studies=[study for study in studies if study],
        keywords=[" ".join(word.split()) for word in planned.keywords if word.strip()],
    )


async def judge(
    run: Run,
    task: dict[str, Any],
    hypotheses: list[Hypothesis],
    ledger: list[EvidenceItem],
    dark: bool,
) -> list[Hypothesis]:
    """Have every hypothesis decided; the rules hold each fate to its items.

    Args:
        run: The stage's run.
        task: The task block.
        hypotheses: The hypotheses.
        ledger: The ledger of phase 2.
        dark: Whether searches stayed without an answer.

    Raises:
        StageFailure: The model gave no answer.
    """
    if not any(_from_papers(item) for item in ledger):
        note = (
            "evidence could not be obtained: searches stayed without an answer"
            if dark
            else "no evidence was found that decides it"
        )
        return [hypothesis.model_copy(update={"note": note}) for hypothesis in hypotheses]
    evidence = run.job.settings.evidence
    values = {"retries": evidence.phase2_retries, "max_calls": evidence.max_calls, "closing": True}
    system = prompts.system(prompts.instruction(Role.MECHANISM_INVESTIGATOR, values))
    message = prompts.user(
        "Decide the fate of every hypothesis.",
        prompts.block("ledger", ledger_block(ledger)),
        prompts.block("task", task),
        prompts.block("hypotheses", hypotheses_block(hypotheses)),
    )
    outcome = await run.models.structured(
        Role.MECHANISM_INVESTIGATOR, [system, message], HypothesisVerdicts
    )
    if isinstance(outcome, Failed):
        outcome.stop(Role.MECHANISM_INVESTIGATOR.value)
    verdicts = {verdict.id.strip(): verdict for verdict in outcome.value.verdicts}
    known = {item.id: item for item in ledger}
    return [decided(one, verdicts.get(one.id), known) for one in hypotheses]


def _from_papers(item: EvidenceItem) -> bool:
    return any(not name.startswith("TOOL:") for name in item.references)
