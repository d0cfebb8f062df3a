"""The verdict that code sets where a model's does not hold.

Seed: "The involvement assessment defaults to not supported unless pre-specified evidence thresholds
are met."
"""

from intogen_agent.evidence.failures import literature_unanswered, nothing_known
from intogen_agent.evidence.models import TrackedReference
from intogen_agent.report.assemble import Assembled, Head, Resolver, assemble, to_draft
from intogen_agent.report.models import FinalReport
from intogen_agent.report.rules import Evidence
from intogen_agent.report.rules.findings import agreeing, findings
from intogen_agent.report.rules.reason import reason_from_evidence
from intogen_agent.report.sources import reference_keys, text_key
from intogen_agent.report.thresholds import Thresholds
from intogen_agent.report.wire import ReportDraft


def default_verdict(report: FinalReport, thresholds: Thresholds, evidence: Evidence) -> Assembled:
    """Set a verdict back to `not_supported` where the thresholds of `supported` are missed.

    The reason names each threshold and by how much it was missed; mechanisms are removed and the
    references numbered anew. References that no tool returned do not count, and the verdict has to
    rest on a functional or clinical finding. A false reason of a verdict that misses thresholds is
    written anew, and whether it is undetermined follows from the failures. A report that meets all
    this comes back as it is.
    """
    draft = to_draft(report)
    missed = _missed(report, thresholds, evidence)
    reason = f"Thresholds of supported missed: {'; '.join(missed)}."
    edits = []
    if draft.involvement == "supported" and missed:
        draft = draft.model_copy(
            update={"involvement": "not_supported", "reason": reason, "mechanisms": []}
        )
        edits.append(f"assessment: set to not_supported ({'; '.join(missed)})")
    elif missed and any(reason_from_evidence(report, thresholds, evidence)):
        draft = draft.model_copy(update={"reason": reason})
        edits.append("assessment: the reason was written anew, its numbers were not the evidence's")
    unknown = _undetermined(draft, evidence)
    if unknown != draft.undetermined:
        draft = draft.model_copy(update={"undetermined": unknown})
        edits.append(f"assessment: undetermined set to {str(unknown).lower()}")
    provenance = report.provenance.model_copy(
        update={"controller_edits": [*report.provenance.controller_edits, *edits]}
    )
    head = Head(
        report.gene, report.cancer, report.stage, report.fingerprint, provenance, report.status
    )
    assembled = assemble(draft, head, _resolver_of(report))
    return assembled._replace(edits=[*edits, *assembled.edits])


def _missed(report: FinalReport, thresholds: Thresholds, evidence: Evidence) -> list[str]:
    missed = agreeing(report, evidence, thresholds).shortfalls(thresholds)
    if not findings(report, evidence):
        missed.append(
            "no supporting functional or clinical finding in this cancer or a related one"
        )
    return missed


def _undetermined(draft: ReportDraft, evidence: Evidence) -> bool:
    if draft.involvement == "supported":
        return False
    open_question = draft.undetermined and bool(literature_unanswered(evidence.phase2))
    return open_question or nothing_known(evidence.phase2)


def _resolver_of(report: FinalReport) -> Resolver:
    by_key = {
        key: TrackedReference.model_validate(
            reference.model_dump(exclude={"index", "tracked", "circular"})
        )
        for reference in report.references
        if reference.tracked and reference.first_seen
        for key in reference_keys(reference)
    }
    return lambda text: by_key.get(text_key(text))
