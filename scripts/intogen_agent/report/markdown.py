"""A report as Markdown, for GitHub and for a terminal.

Everything that came from a model or a tool is escaped: it can open no tag, table or link. Links
lead to http(s) addresses only.
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from intogen_agent.evidence.identifiers import canonical_url, parse_identifier, parse_url
from intogen_agent.evidence.models import EvidenceItem, Kind, Phase2, Query, Stance
from intogen_agent.models import Status
from intogen_agent.report.models import (
    Bullet,
    FinalReport,
    Involvement,
    MechanismBullet,
    Reference,
    ReportProvenance,
)
from intogen_agent.report.sources import citation_text, support
from intogen_agent.report.statistics import IntogenStatistics
from intogen_agent.report.thresholds import Thresholds

_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
# Underscores inside a word (TCGA_WXS) mean nothing to Markdown and read better as they are.
_SPECIAL = re.compile(r"([\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINE_START = re.compile(r"^(#|>|[-+=]|\d+(?=[.)]))")


def escape(text: str) -> str:
    """Return text that Markdown shows as it is, on one line.

    Bare addresses in it stay visible as what they are; nothing becomes a tag, an entity, a link
    with another text, a table cell, emphasis, a heading, a list or a formula.
    """
    text = " ".join(_INVISIBLE.sub("", text).split())
    text = _TAG.sub("&lt;", _ENTITY.sub("&amp;", text))
    text = _SPECIAL.sub(r"\\\1", text)
    start = _LINE_START.match(text)
    if start:
        mark = start.group()
        safe = f"{mark}\\" if mark.isdigit() else f"\\{mark}"
        text = safe + text[len(mark) :]
    return text


def link(label: str, url: str | None) -> str:
    """Return a link with an escaped label, or only the label when there is no safe address."""
    if url is None or parse_url(url) is None:
        return escape(label)
    return f"[{escape(label)}]({quote(url, safe=':/?#@!$&*+,;=%~-._')})"


def report_markdown(
    report: FinalReport,
    statistics: IntogenStatistics | None = None,
    phase2: Phase2 | None = None,
    thresholds: Thresholds | None = None,
) -> str:
    """Render a report.

    Args:
        report: The report.
        statistics: intOGen's statistics for the pair; without them the section says so.
        phase2: The evidence, for conflicts, null results and failed searches.
        thresholds: The numbers that the verdict is shown against; the defaults when None.

    Returns:
        Markdown (GitHub flavour) that ends with a newline.
    """
    parts = [
        *_title(report),
        *_banners(report),
        *_verdict(report, thresholds or Thresholds()),
        *_statistics(report, statistics),
        *_sections(report),
        *_conflicts(phase2),
        *_references(report.references),
        *_provenance(report),
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
            (gene.hgnc_id, _address(gene.hgnc_id)),
            (_named("NCBI Gene", gene.entrez_id), _address(_named("NCBI Gene", gene.entrez_id))),
            (_named("Ensembl", gene.ensembl_id), _address(_named("Ensembl", gene.ensembl_id))),
            (_named("UniProt", gene.uniprot), _address(_named("UniProt", gene.uniprot))),
        )
        if text
    ]
    yield f"- Gene: **{escape(gene.symbol)}**, {escape(gene.name or 'name not in the store')}"
    if identifiers:
        yield f"- Identifiers: {', '.join(identifiers)}"
    yield (
        f"- Cancer type: **{escape(cancer.name)}** (code {escape(cancer.code)}, "
        f"scheme {escape(cancer.scheme)})"
    )
    yield ""


def _named(database: str, record: str | None) -> str | None:
    return f"{database}:{record}" if record else None


def _address(text: str | None) -> str | None:
    identifier = parse_identifier(text) if text else None
    return canonical_url(identifier) if identifier else None


# The roles that write a report; summaries and searches are other roles' work.
_WRITERS = ("report_creator", "repairer", "refiner")


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
    writers = [provenance.models[name] for name in _WRITERS if name in provenance.models]
    models = list(dict.fromkeys(role.model for role in writers or provenance.models.values()))
    if models:
        yield "> [!NOTE]"
        yield f"> Written by {', '.join(escape(model) for model in models)}; not by a person."
        yield ""


def _verdict(report: FinalReport, thresholds: Thresholds) -> Iterator[str]:
    assessment, found = report.assessment, support(report)
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
    if assessment.involvement is Involvement.NOT_SUPPORTED:
        # The counts would include what speaks against the gene; the reason says what was missed.
        return
    yield "| Threshold of supported | Needed | Found | |"
    yield "|---|---:|---:|---|"
    for what, needed, number in (
        (
            "Rationale bullets that cite evidence",
            thresholds.min_supported_rationale,
            found.rationale,
        ),
        ("References they cite", thresholds.min_supported_references, found.references),
        ("Sources of these", thresholds.min_supported_sources, len(found.sources)),
    ):
        yield f"| {what} | {needed} | {number} | {'met' if number >= needed else 'missed'} |"
    yield ""


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


def _sections(report: FinalReport) -> Iterator[str]:
    references = {reference.index: reference for reference in report.references}
    yield "## Gene/Protein Function"
    yield ""
    for bullet in report.gene_function.bullets:
        yield f"- {escape(bullet.text)} {_citations(bullet, references)}".rstrip()
    yield ""
    yield "## Assessment"
    yield ""
    for bullet in report.assessment.rationale:
        yield f"- {escape(bullet.text)} {_citations(bullet, references)}".rstrip()
    yield ""
    if report.mechanistic_hypothesis is not None:
        yield "## Mechanistic Hypothesis"
        yield ""
        for mechanism in report.mechanistic_hypothesis.bullets:
            yield f"- {_chain(mechanism)}  "
            yield f"  {escape(mechanism.text)} {_citations(mechanism, references)}".rstrip()
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
    mark = "" if reference.tracked else "\\*"
    return f"{link(str(index), reference.url)}{mark}{', retracted' if reference.retracted else ''}"


def _conflicts(phase2: Phase2 | None) -> Iterator[str]:
    if phase2 is None:
        return
    items = [
        item
        for item in phase2.ledger
        if item.stance is Stance.REFUTES or item.kind in (Kind.CONTRADICTION, Kind.NULL_RESULT)
    ]
    failed = [query for query in phase2.queries if query.outcome in ("failed", "refused")]
    empty = [query for query in phase2.queries if query.outcome == "empty"]
    if not (items or failed or empty or phase2.failures):
        return
    addresses = {
        citation_text(each.kind, each.id, each.database, each.record_id): each.url
        for each in phase2.references
    }
    yield "## Conflicting evidence and null results"
    yield ""
    for item in items:
        yield f"- {_conflict(item, addresses)}"
    for query in empty:
        yield f"- Search without a result: {_asked(query)}"
    for query in failed:
        yield f"- Search that failed, its answer is unknown: {_asked(query)}"
    for failure in phase2.failures:
        yield (
            f"- Tool {escape(failure.tool)} failed after {failure.attempts} attempts: "
            f"{escape(failure.message)}"
        )
    yield ""


def _conflict(item: EvidenceItem, addresses: dict[str, str | None]) -> str:
    what = {
        Kind.NULL_RESULT: "Null result",
        Kind.CONTRADICTION: "Qualifies or contradicts",
    }.get(item.kind, "Evidence against")
    cited = [link(text, addresses.get(text) or _address(text)) for text in item.references]
    return f"{what}: {escape(item.statement)} ({', '.join(cited)})"


def _asked(query: Query) -> str:
    asked = "; ".join(f"{name}: {_shown(value)}" for name, value in sorted(query.arguments.items()))
    return escape(f"{asked}{f' ({query.note})' if query.note else ''}")


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def _references(references: Iterable[Reference]) -> Iterator[str]:
    references = list(references)
    yield "## References"
    yield ""
    for reference in references:
        yield f"{reference.index}. {_reference(reference)}"
    if not references:
        yield "None."
    yield ""
    if any(not reference.tracked for reference in references):
        yield (
            "\\* Untracked: no tool of this journey returned this reference; a model introduced "
            "it. Check it before you rely on it."
        )
        yield ""


def _reference(reference: Reference) -> str:
    own = citation_text(reference.kind, reference.id, reference.database, reference.record_id)
    if reference.kind == "tool":
        described = "Tool of this journey, no publication"
    elif reference.kind == "database" and not reference.title:
        described = escape(f"Record of {reference.database or 'an unnamed database'}")
    else:
        described = escape((reference.title or "title not in the store").rstrip(". "))
    facts = [described, *([f"*{escape(reference.journal)}*"] if reference.journal else [])]
    if reference.year is not None:
        facts.append(str(reference.year))
    identifiers = [link(own, reference.url)]
    for other in reference.also:
        text = citation_text(other.kind, other.id)
        identifiers.append(link(text, _address(text)))
    marks = "**RETRACTED** " if reference.retracted else ""
    star = "" if reference.tracked else " \\*"
    return f"{marks}{'. '.join(facts)}. {', '.join(identifiers)}{star}"


def _provenance(report: FinalReport) -> Iterator[str]:
    provenance = report.provenance
    yield "## Provenance"
    yield ""
    if provenance.models:
        yield "| Role | Model | Provider | Calls | Input tokens | Output tokens |"
        yield "|---|---|---|---:|---:|---:|"
        for name, role in provenance.models.items():
            others = ", ".join(model for model in role.answered_by if model != role.model)
            model = f"{role.model} (answered by {others})" if others else role.model
            yield (
                f"| {escape(name)} | {escape(model)} | {escape(role.provider)} | {role.calls} "
                f"| {role.input_tokens} | {role.output_tokens} |"
            )
        yield ""
    yield from (f"- {line}" for line in _facts(report, provenance))
    yield ""


def _facts(report: FinalReport, provenance: ReportProvenance) -> Iterator[str]:
    if provenance.servers:
        servers = (f"{escape(name)} ({escape(what)})" for name, what in provenance.servers.items())
        yield f"Servers: {', '.join(servers)}"
    yield f"Stage {report.stage.value}, status {report.status.value}"
    yield f"Fingerprint: {escape(report.fingerprint)}"
    yield (
        f"Repairs: {len(provenance.repairs)}; reviewer iterations: {provenance.critic_iterations}; "
        f"refinement used tools: {'yes' if provenance.refinement_used_tools else 'no'}"
    )
    if provenance.controller_edits:
        yield f"Put right by the controller: {escape('; '.join(provenance.controller_edits))}"
