"""A report as Markdown, for GitHub and for a terminal.

Everything that came from a model or a tool is escaped (`report.escaping`).
"""

from collections.abc import Iterator

from intogen_agent.evidence.models import Phase2
from intogen_agent.models import Status
from intogen_agent.report.escaping import escape, link
from intogen_agent.report.markdown_evidence import (
    address,
    basis_note,
    conflict_lines,
    reference_lines,
)
from intogen_agent.report.markdown_provenance import (
    WRITERS,
    Dates,
    offline_roles,
    provenance_lines,
)
from intogen_agent.report.models import (
    Assessment,
    Bullet,
    FinalReport,
    Involvement,
    MechanismBullet,
    Reference,
    ThresholdCount,
)
from intogen_agent.report.sources import support
from intogen_agent.report.statistics import IntogenStatistics
from intogen_agent.report.thresholds import THRESHOLD_NAMES, Thresholds

__all__ = ["escape", "link", "report_markdown"]


def report_markdown(
    report: FinalReport,
    statistics: IntogenStatistics | None = None,
    phase2: Phase2 | None = None,
    thresholds: Thresholds | None = None,
    dates: Dates | None = None,
) -> str:
    """Render a report.

    Args:
        report: The report.
        statistics: intOGen's statistics for the pair; without them the section says so.
        phase2: The evidence, for conflicts, null results and failed searches.
        thresholds: The numbers that the verdict of a report without counts is shown against; the
            defaults when None.
        dates: When the journey's calls were made.

    Returns:
        Markdown (GitHub flavour) that ends with a newline.
    """
    parts = [
        *_title(report),
        *_banners(report),
        *_verdict(report, thresholds or Thresholds()),
        *_statistics(report, statistics),
        *_sections(report, phase2),
        *conflict_lines(report, phase2),
        *reference_lines(report.references),
        *provenance_lines(report, dates),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _title(report: FinalReport) -> Iterator[str]:
    gene, cancer = report.gene, report.cancer
    where = "any cancer type" if cancer.pan_cancer else cancer.name
    yield f"# {escape(gene.symbol)} in {escape(where)}"
    yield ""
    identifiers = [
        link(text, address)
        for text, address in (
            (gene.hgnc_id, address(gene.hgnc_id)),
            (_named("NCBI Gene", gene.entrez_id), address(_named("NCBI Gene", gene.entrez_id))),
            (_named("Ensembl", gene.ensembl_id), address(_named("Ensembl", gene.ensembl_id))),
            (_named("UniProt", gene.uniprot), address(_named("UniProt", gene.uniprot))),
        )
        if text
    ]
    yield f"- Gene: **{escape(gene.symbol)}**, {escape(gene.name or 'name not known')}"
    if identifiers:
        yield f"- Identifiers: {', '.join(identifiers)}"
    yield (
        f"- Cancer type: **{escape(cancer.name)}** (code {escape(cancer.code)}, "
        f"scheme {escape(cancer.scheme)})"
    )
    yield ""


def _named(database: str, record: str | None) -> str | None:
    return f"{database}:{record}" if record else None


def _banners(report: FinalReport) -> Iterator[str]:
    provenance = report.provenance
    if provenance.unresolved:
        yield "> [!WARNING]"
        yield "> High-severity issues of the scientific reviewer that stayed open:"
        for issue in provenance.unresolved:
            yield f"> - {escape(issue)}"
        yield ""
    if report.status is Status.NOT_REVIEWED:
        yield "> [!WARNING]"
        yield "> The scientific reviewer has not read this report."
        yield ""
    writers = [provenance.models[name] for name in WRITERS if name in provenance.models]
    models = list(dict.fromkeys(role.model for role in writers or provenance.models.values()))
    if models:
        yield "> [!NOTE]"
        names = ", ".join(escape(model) for model in models)
        if set(offline_roles(provenance)) & set(WRITERS):
            yield (
                f"> Written by {names}, the offline model: it only re-arranges sentences of the "
                "evidence and is no language model. Not written by a person."
            )
        else:
            yield f"> Written by {names}; not by a person."
        yield ""


def _verdict(report: FinalReport, thresholds: Thresholds) -> Iterator[str]:
    assessment: Assessment = report.assessment
    verdict = {
        Involvement.SUPPORTED: "supported",
        Involvement.NOT_SUPPORTED: "not supported",
    }[assessment.involvement]
    yield "## Verdict"
    yield ""
    unknown = " (undetermined: evidence could not be obtained)" if assessment.undetermined else ""
    yield f"Involvement: **{verdict}**{unknown}"
    if assessment.reason:
        yield ""
        yield f"Reason: {escape(assessment.reason)}"
    yield ""
    yield from _threshold_lines(assessment.thresholds or _counted_anew(report, thresholds))


_THRESHOLDS = dict(
    zip(
        THRESHOLD_NAMES,
        (
            "Rationale bullets with supporting evidence",
            "References they cite",
            "Sources of these",
            "Supporting findings of functional or clinical basis",
        ),
        strict=True,
    )
)


def _threshold_lines(counts: list[ThresholdCount]) -> Iterator[str]:
    if not counts:
        return
    yield "| Threshold of supported | Needed | Found | |"
    yield "|---|---:|---:|---|"
    for each in counts:
        missed = each.needed - each.found
        outcome = "met" if missed <= 0 else f"missed by {missed}"
        name = escape(_THRESHOLDS.get(each.threshold, each.threshold))
        yield f"| {name} | {each.needed} | {each.found} | {outcome} |"
    yield ""
    yield (
        "Counted by code. Untracked and retracted references, intOGen's own publications, tools, "
        "and evidence that refutes or qualifies do not count."
    )
    yield ""


def _counted_anew(report: FinalReport, thresholds: Thresholds) -> list[ThresholdCount]:
    """Count for a report of an earlier version, which lists no counts.

    Without the ledger nobody knows what speaks against the gene, so only a supported verdict is
    counted.
    """
    if report.assessment.involvement is Involvement.NOT_SUPPORTED:
        return []
    found = support(report, tracked_only=True, source_by=thresholds.source_by)
    numbers = (
        (thresholds.min_supported_rationale, found.rationale),
        (thresholds.min_supported_references, found.references),
        (thresholds.min_supported_sources, len(found.sources)),
    )
    return [
        ThresholdCount(threshold=name, needed=needed, found=number)
        for name, (needed, number) in zip(THRESHOLD_NAMES, numbers, strict=False)
    ]


def _statistics(report: FinalReport, statistics: IntogenStatistics | None) -> Iterator[str]:
    yield "## intOGen"
    yield ""
    if statistics is None:
        yield "The statistics of intOGen are not part of the report file."
    elif report.cancer.pan_cancer and not statistics.cohorts:
        yield "intOGen calls drivers per cancer type; this task is about cancer of any type."
    elif statistics.origin == "configuration":
        yield "This pair is not an intOGen driver call; it was named in the configuration."
    elif not statistics.cohorts:
        yield "The drivers table holds no statistics for this pair."
    else:
        if report.cancer.pan_cancer:
            yield "Over all cancer types in which intOGen calls this gene a driver:"
            yield ""
        yield from _statistics_lines(statistics)
    yield ""


def _statistics_lines(statistics: IntogenStatistics) -> Iterator[str]:
    unknown = "not in the table"
    q, samples = statistics.qvalue_min, statistics.mutated_samples
    votes = ", ".join(f"{escape(name)} {n}" for name, n in statistics.role_votes.items())
    cohorts = ", ".join(map(escape, statistics.cohorts))
    yield f"- Cohorts ({len(statistics.cohorts)}): {cohorts}"
    yield f"- Methods: {', '.join(map(escape, statistics.methods)) or unknown}"
    yield f"- Smallest q-value: {unknown if q is None else format(q, '.3g')}"
    shared = (
        " (sum over the cohorts, which may share donors)" if len(statistics.cohorts) > 1 else ""
    )
    yield f"- Mutated samples: {unknown if samples is None else f'{samples}{shared}'}"
    yield f"- Role: {escape(statistics.role or unknown)}{f' (votes: {votes})' if votes else ''}"


def _sections(report: FinalReport, phase2: Phase2 | None) -> Iterator[str]:
    references = {reference.index: reference for reference in report.references}
    ledger = {item.id: item for item in phase2.ledger} if phase2 else {}

    def line(bullet: Bullet) -> str:
        cited = _citations(bullet, references)
        return f"{escape(bullet.text)} {cited}".rstrip() + basis_note(bullet, ledger)

    yield "## Gene/Protein Function"
    yield ""
    yield from (f"- {line(bullet)}" for bullet in report.gene_function.bullets)
    yield ""
    yield "## Assessment"
    yield ""
    yield from (f"- {line(bullet)}" for bullet in report.assessment.rationale)
    yield ""
    if any(basis_note(bullet, ledger) for bullet in report.assessment.rationale):
        yield "Classed: system, basis and cancer of the findings, as the summarizer read them."
        yield ""
    if report.mechanistic_hypothesis is not None:
        yield "## Mechanistic Hypothesis"
        yield ""
        for mechanism in report.mechanistic_hypothesis.bullets:
            # Two blanks at the end break the line.
            yield f"- {_chain(mechanism)}  "
            yield f"  {line(mechanism)}"
        yield ""


def _chain(bullet: MechanismBullet) -> str:
    chain = bullet.chain
    return " → ".join(
        f"**{escape(part)}**" for part in (chain.cause, chain.mediator, chain.outcome)
    )


def _citations(bullet: Bullet, references: dict[int, Reference]) -> str:
    links = [_citation(index, references.get(index)) for index in bullet.citations]
    return f"({', '.join(links)})" if links else ""


def _citation(index: int, reference: Reference | None) -> str:
    if reference is None:
        return f"{index}, missing"
    marks = [
        "" if reference.tracked else "\\*",
        ", retracted" if reference.retracted else "",
        ", intOGen's own" if reference.circular else "",
    ]
    return f"{link(str(index), reference.url)}{''.join(marks)}"
