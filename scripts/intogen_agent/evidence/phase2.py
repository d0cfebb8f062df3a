"""Phase 2: cancer-specific evidence retrieval.

Source: the seed's section "Phase 2". A fresh conversation with literature tools only: hypotheses
from the functional context, the key studies each should have, searches that confirm, refine or
refute them. Null and contradictory results are kept; an outage is a failure, never a null result.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent import prompts
from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.evidence.investigation import LiteratureSearch
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import (
    Alteration,
    Chain,
    EvidenceItem,
    Hypothesis,
    Phase1,
    Phase2,
)
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Summarizer
from intogen_agent.evidence.wire import HypothesisPlan, HypothesisVerdict, HypothesisVerdicts
from intogen_agent.jobs import Job, Run
from intogen_agent.llm.outcomes import Failed
from intogen_agent.mcp.logical import PHASE2
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.models import GeneIdentity

MAX_HYPOTHESES = 5


def task_block(job: Job, gene: GeneIdentity) -> dict[str, Any]:
    """Return the task as models see it; intOGen's statistics are not part of it."""
    return {
        "gene": gene.symbol,
        "name": gene.name,
        "aliases": gene.aliases,
        "cancer": {
            "code": job.task.cancer_type,
            "name": job.task.cancer_name,
            "terms": list(job.task.search_terms),
            "pan_cancer": job.cancer.pan_cancer,
        },
    }


def function_block(phase1: Phase1) -> list[dict[str, Any]]:
    """Return the functional context of phase 1 as models see it."""
    return [
        {"id": item.id, "statement": item.statement, "references": item.references}
        for item in phase1.ledger
    ]


async def run_phase2(run: Run, phase1: Phase1) -> Mapping[Path, Any]:
    """Collect and judge the evidence on a gene in a cancer type.

    Args:
        run: The stage's run.
        phase1: The gene's phase 1.

    Returns:
        `phase2.json`.

    Raises:
        StageFailure: The cancer type has no name or search terms (`cancer_unnamed`), a server or
            a model could not be used.
    """
    job = run.job
    if not job.task.cancer_name or not job.task.search_terms:
        raise StageFailure(
            ErrorClass.CANCER_UNNAMED,
            f"cancer type '{job.task.cancer_type}' has no name or search terms; "
            "add it to cancer_types.extra in the configuration",
        )
    names, evidence = job.settings.mcp, job.settings.evidence
    task = task_block(job, phase1.gene)
    manager, ledger = ReferenceManager(phase1.references), Ledger("E")
    plan = await _plan(run, phase1, task)
    toolbox = Toolbox(
        names,
        names.phase2,
        PHASE2,
        run.recorder,
        job.server_values(),
        job.logs,
        allow_hosts=job.settings.network.allow_hosts,
    )
    summarizer = Summarizer(run.models, manager, ledger, "phase2", task, evidence.max_payload_chars)
    async with toolbox:
        search = LiteratureSearch(run, toolbox, summarizer, ledger, manager, task)
        await search.conduct(function_block(phase1), [h.model_dump(mode="json") for h in plan])
    hypotheses = await _judge(run, task, plan, ledger.items)
    phase2 = Phase2(
        **job.head(phase1.gene, job.cancer),
        hypotheses=hypotheses,
        ledger=ledger.items,
        references=manager.tracked(),
        queries=search.queries,
        calls=sorted(toolbox.calls, key=lambda call: (len(call.id), call.id)),
        failures=search.failures,
        dropped=dict(ledger.dropped),
    )
    return {job.folder / "phase2.json": phase2.model_dump(mode="json")}


async def _plan(run: Run, phase1: Phase1, task: dict[str, Any]) -> list[Hypothesis]:
    system = prompts.system(prompts.instruction(Role.HYPOTHESIS_PLANNER, {}))
    message = prompts.user(
        "State the hypotheses.",
        prompts.block("gene_function", function_block(phase1)),
        prompts.block("task", task),
    )
    outcome = await run.models.structured(
        Role.HYPOTHESIS_PLANNER, [system, message], HypothesisPlan
    )
    if isinstance(outcome, Failed):
        outcome.stop(Role.HYPOTHESIS_PLANNER.value)
    return [
        Hypothesis(
            id=f"H{number}",
            statement=planned.statement,
            chain=Chain(cause=planned.cause, mediator=planned.mediator, outcome=planned.outcome),
            alteration=Alteration(planned.alteration),
            expected_studies=planned.expected_studies,
        )
        for number, planned in enumerate(outcome.value.hypotheses[:MAX_HYPOTHESES], start=1)
    ]


async def _judge(
    run: Run, task: dict[str, Any], hypotheses: list[Hypothesis], ledger: list[EvidenceItem]
) -> list[Hypothesis]:
    """Let the model decide every hypothesis; a fate without evidence is unresolved."""
    if not ledger or not hypotheses:
        note = "no evidence was found that decides it"
        return [hypothesis.model_copy(update={"note": note}) for hypothesis in hypotheses]
    evidence = run.job.settings.evidence
    values = {
        "retries": evidence.phase2_retries,
        "max_calls": evidence.max_calls,
        "closing": True,
    }
    system = prompts.system(prompts.instruction(Role.MECHANISM_INVESTIGATOR, values))
    message = prompts.user(
        "Decide the fate of every hypothesis.",
        prompts.block("ledger", ledger_block(ledger)),
        prompts.block("task", task),
        prompts.block("hypotheses", [h.model_dump(mode="json") for h in hypotheses]),
    )
    outcome = await run.models.structured(
        Role.MECHANISM_INVESTIGATOR, [system, message], HypothesisVerdicts
    )
    if isinstance(outcome, Failed):
        outcome.stop(Role.MECHANISM_INVESTIGATOR.value)
    verdicts = {verdict.id: verdict for verdict in outcome.value.verdicts}
    known = {item.id for item in ledger}
    return [_decided(h, verdicts.get(h.id), known) for h in hypotheses]


def ledger_block(ledger: list[EvidenceItem]) -> list[dict[str, Any]]:
    """Return ledger items as models see them."""
    return [item.model_dump(mode="json", exclude={"call"}) for item in ledger]


def _decided(
    hypothesis: Hypothesis, verdict: HypothesisVerdict | None, known: set[str]
) -> Hypothesis:
    if verdict is None:
        return hypothesis.model_copy(update={"note": "the model gave no verdict"})
    items = [name for name in dict.fromkeys(verdict.evidence) if name in known]
    fate = verdict.fate if items else "unresolved"
    chain = hypothesis.chain
    if fate == "refined" and verdict.cause and verdict.mediator and verdict.outcome:
        chain = Chain(cause=verdict.cause, mediator=verdict.mediator, outcome=verdict.outcome)
    return hypothesis.model_copy(
        update={"fate": fate, "evidence": items, "note": verdict.note, "chain": chain}
    )
