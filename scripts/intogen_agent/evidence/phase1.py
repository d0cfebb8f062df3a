"""Phase 1: gene and protein function characterization (once per gene).

Source: the seed's section "Phase 1". Fixed order: the gene record, then the protein record, each
by a model turn that is offered only that tool; a tool may be tried again with adjusted arguments,
then a structured failure is recorded and the work goes on.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.evidence.gene_identity import settle_identity
from intogen_agent.evidence.gene_investigation import GeneInvestigator
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.models import Failure, Phase1
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Summarizer
from intogen_agent.files import write_json
from intogen_agent.jobs import Run
from intogen_agent.mcp.logical import PHASE1
from intogen_agent.mcp.toolbox import Toolbox

# What a phase 1 came to that is too little: Snakemake keeps no phase1.json of a failed job.
FAILED = "phase1.failed.json"
# A report needs two bullets on the function, each with something to rest on.
MIN_STATEMENTS = 2


async def run_phase1(run: Run) -> Mapping[Path, Any]:
    """Characterize a gene and its protein.

    What is too little for a report is kept as `phase1.failed.json`, with the typed failures.

    Returns:
        `phase1.json`.

    Raises:
        StageFailure: No tool answered with any function evidence (`evidence_unavailable`), a
            server or a model could not be used.
    """
    job = run.job
    names = job.settings.mcp
    manager, ledger = ReferenceManager(), Ledger("F")
    task = {"gene": job.task.gene, "cancer": None}
    evidence = job.settings.evidence
    limits = evidence.max_payload_chars, evidence.summary_retries
    summarizer = Summarizer(run.models, manager, ledger, "phase1", task, *limits)
    toolbox = Toolbox(
        names,
        names.phase1,
        PHASE1,
        run.recorder,
        job.server_values(),
        job.logs,
        allow_hosts=job.settings.network.allow_hosts,
    )
    async with toolbox:
        investigator = GeneInvestigator(run, toolbox, summarizer, manager)
        await investigator.investigate()
    found, talk = investigator.found, investigator.talk
    settled = settle_identity(job.task.gene, found.record, found.identity)
    phase1 = Phase1(
        **job.head(settled.gene, None),
        identity_sources={
            name: f"{source} ({found.calls[source]})" for name, source in settled.sources.items()
        },
        protein=found.protein,
        other_proteins=found.others,
        notes=[*settled.notes, *found.notes],
        ledger=ledger.items,
        references=manager.tracked(),
        calls=sorted(toolbox.calls, key=lambda call: (len(call.id), call.id)),
        failures=[*talk.failures, *summarizer.failures],
        dropped=dict(ledger.dropped),
    )
    failed, content = job.folder / FAILED, phase1.model_dump(mode="json")
    if len(ledger.items) < MIN_STATEMENTS:
        write_json(failed, content)
        message = _too_little(len(ledger.items), talk.failures)
        again = [*talk.idle, *summarizer.fruitless]
        raise StageFailure(ErrorClass.EVIDENCE_UNAVAILABLE, message, again)
    failed.unlink(missing_ok=True)
    return {job.folder / "phase1.json": content}


def _too_little(statements: int, failures: list[Failure]) -> str:
    told = "; ".join(f"{failure.tool}: {failure.message}" for failure in failures)
    why = told or "no finding passed the checks"
    if statements == 0:
        return f"no function evidence was answered ({why})"
    return f"{statements} statement on the function is too little for a report ({why})"
