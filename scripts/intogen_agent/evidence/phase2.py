"""Phase 2: cancer-specific evidence retrieval.

Source: the seed's section "Phase 2". A fresh conversation with literature tools only: hypotheses
from the functional context, the key studies each should have, searches that confirm, refine or
refute them. Null and contradictory results are kept; an outage is a failure, never a null result.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.config import places
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.evidence.blocks import function_block, hypotheses_block, task_block
from intogen_agent.evidence.cancer_tree import known_types
from intogen_agent.evidence.failures import of_literature
from intogen_agent.evidence.hypotheses import judge, plan
from intogen_agent.evidence.investigation import LiteratureSearch
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import Hypothesis, Phase1, Phase2, Query
from intogen_agent.evidence.queries import QueryRules
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.scopes import ScopeReview, Scopes
from intogen_agent.evidence.summaries import Summarizer
from intogen_agent.jobs import Job, Run
from intogen_agent.mcp.logical import OPTIONAL, PHASE2
from intogen_agent.mcp.toolbox import Toolbox
from intogen_agent.models import GeneIdentity


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
        UserError: The table of cancer types or of ambiguous names cannot be read.
    """
    job = run.job
    if not job.task.cancer_name or not job.task.search_terms:
        raise StageFailure(
            ErrorClass.CANCER_UNNAMED,
            f"cancer type '{job.task.cancer_type}' has no name or search terms; "
            "add it to cancer_types.extra in the configuration",
        )
    names, evidence = job.settings.mcp, job.settings.evidence
    scopes = task_scopes(job)
    review = ScopeReview(scopes)
    manager, ledger = ReferenceManager(phase1.references), Ledger("E", review)
    task, function = task_block(job, phase1.gene), function_block(phase1)
    hypotheses = await plan(run, function, task)
    toolbox = Toolbox(
        names,
        names.phase2,
        PHASE2,
        run.recorder,
        job.server_values(),
        job.logs,
        optional=OPTIONAL,
        allow_hosts=job.settings.network.allow_hosts,
    )
    limits = evidence.max_payload_chars, evidence.summary_retries
    summarizer = Summarizer(run.models, manager, ledger, "phase2", task, *limits)
    async with toolbox:
        rules = query_rules(job, phase1.gene, scopes)
        search = LiteratureSearch(run, toolbox, summarizer, ledger, rules, review.payloads, task)
        await search.conduct(function, hypotheses_block(hypotheses))
    failures = search.failures
    # A register of trials decides no hypothesis: without it the literature still was asked.
    dark = bool(of_literature(failures, toolbox.calls))
    hypotheses = await judge(run, task, hypotheses, ledger.items, dark)
    phase2 = Phase2(
        **job.head(phase1.gene, job.cancer),
        hypotheses=[_with_searches(one, search.queries) for one in hypotheses],
        ledger=ledger.items,
        references=manager.tracked(),
        queries=search.queries,
        calls=sorted(toolbox.calls, key=lambda call: (len(call.id), call.id)),
        failures=[*failures, *summarizer.failures],
        dropped=dict(ledger.dropped),
        search=search.end,
    )
    return {job.folder / "phase2.json": phase2.model_dump(mode="json")}


def query_rules(job: Job, gene: GeneIdentity, scopes: Scopes) -> QueryRules:
    """Return what a literature search of a pair must hold.

    Args:
        job: The pair's job.
        gene: Its gene.
        scopes: Its cancer's place in the tree.

    Raises:
        UserError: The table of ambiguous names cannot be read.
    """
    return QueryRules(
        gene,
        job.task.search_terms,
        job.cancer.pan_cancer,
        job.task.cancer_type,
        scopes,
        AmbiguousNames(places.ambiguous_symbols()),
    )


def task_scopes(job: Job) -> Scopes:
    """Return the place of a pair's cancer in the tree of cancer types.

    Raises:
        UserError: The table of cancer types cannot be read.
    """
    task = job.task
    types = known_types(job.settings)
    pan_cancer = job.cancer.pan_cancer
    return Scopes(types, task.scheme, task.cancer_type, task.search_terms, pan_cancer)


def _with_searches(hypothesis: Hypothesis, queries: list[Query]) -> Hypothesis:
    searches = [query.call for query in queries if hypothesis.id in query.hypotheses]
    return hypothesis.model_copy(update={"searches": searches})
