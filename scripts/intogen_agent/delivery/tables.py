"""The tables over all pairs: reports, references, mechanisms; and what failed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from intogen_agent.cohort.handover import scheme_of
from intogen_agent.cohort.tasks import Cohort, Task
from intogen_agent.delivery.failures import gene_failures, pair_failures
from intogen_agent.delivery.pair import FINGERPRINTED, Pair, Tree
from intogen_agent.delivery.rows import (
    FailureRow,
    MechanismRow,
    ReferenceRow,
    ReportRow,
    RetiredRow,
)
from intogen_agent.delivery.tsv import table_text, write_if_changed
from intogen_agent.errors import UserError
from intogen_agent.files import write_text
from intogen_agent.provenance.liveness import Leases
from intogen_agent.report.models import Bullet, FinalReport
from intogen_agent.report.sources import citation_text
from intogen_agent.summary.agreement import role_agreement


@dataclass
class Tables:
    """The rows of all tables, in the order of the tasks; `collect` adds what is retired."""

    reports: list[ReportRow] = field(default_factory=list)
    references: list[ReferenceRow] = field(default_factory=list)
    mechanisms: list[MechanismRow] = field(default_factory=list)
    failures: list[FailureRow] = field(default_factory=list)
    retired: list[RetiredRow] = field(default_factory=list)

    def texts(self) -> dict[str, str]:
        """Return the three public tables as TSV, by name."""
        return {
            "reports": table_text(ReportRow, self.reports),
            "references": table_text(ReferenceRow, self.references),
            "mechanisms": table_text(MechanismRow, self.mechanisms),
        }


def build_tables(results: Path, tasks: Iterable[Task], fingerprints: Mapping[str, str]) -> Tables:
    """Make the tables' rows from the stage files that exist.

    A pair has a row once it has a report or has failed. A file that cannot be read is a row of
    the failures.

    Args:
        results: The folder of results.
        tasks: The tasks of the run.
        fingerprints: Each stage's fingerprint under the present configuration; empty if unknown.
    """
    tables, tree, genes = Tables(), Tree(results, fingerprints), set[str]()
    leases = Leases(results)
    for task in tasks:
        if task.gene_path not in genes:
            genes.add(task.gene_path)
            tables.failures += gene_failures(tree.gene(task), task, results, leases)
        pair = tree.pair(task)
        failures = pair_failures(pair, results, leases)
        tables.failures += failures
        if pair.report is not None or failures:
            tables.reports.append(_report_row(pair, bool(failures), fingerprints))
        if pair.report is not None:
            tables.references += _reference_rows(task, pair.report)
            tables.mechanisms += _mechanism_rows(pair, pair.report)
    return tables


def write_tables(tables: Tables, folder: Path) -> None:
    """Write `reports.tsv`, `references.tsv` and `mechanisms.tsv` where they changed."""
    for name, text in tables.texts().items():
        write_if_changed(folder / f"{name}.tsv", text)


def make_tables(
    results: Path, cohort: Cohort, fingerprints: Mapping[str, str], outputs: Mapping[str, str]
) -> None:
    """Write the tables of a finished run (rule `tables`).

    Args:
        results: The folder of results.
        cohort: The tasks; every one of them is complete.
        fingerprints: Each stage's fingerprint under the present configuration.
        outputs: The file of each table: `reports`, `references`, `mechanisms`.

    Raises:
        UserError: A pair's files cannot be read; a table that leaves it out would mislead.
    """
    tables = build_tables(results, cohort.tasks, fingerprints)
    if tables.failures:
        first = tables.failures[0]
        raise UserError(f"{results / first.path}: {first.message}")
    for name, text in tables.texts().items():
        write_text(Path(outputs[name]), text)


def _report_row(pair: Pair, failed: bool, present: Mapping[str, str]) -> ReportRow:
    task, found = pair.task, pair.task.statistics
    votes = found.role_votes if found else ()
    return ReportRow(
        gene=task.gene,
        cancer_type=task.cancer_type,
        cancer_name=task.cancer_name,
        scheme=scheme_of(task),
        task=task.task,
        path=task.path,
        status=_status(pair, failed),
        **_report_columns(pair),
        **_review_columns(pair),
        **_summary_columns(pair),
        origin=task.origin,
        cohorts=list(found.cohorts) if found else [],
        methods=list(found.methods) if found else [],
        qvalue_min=found.qvalue_min if found else None,
        mutated_samples=found.mutated_samples if found else None,
        intogen_role=(found.role or None) if found else None,
        role_votes=[f"{role}:{count}" for role, count in votes],
        role_agreement=(
            role_agreement(pair.summary.role_of_action, dict(votes)) if pair.summary else None
        ),
        fingerprint=[f"{stage.value}:{value}" for stage, value in pair.fingerprints().items()],
        current=_current(pair, present),
    )


def _status(pair: Pair, failed: bool) -> str:
    if failed:
        return "failed"
    if not pair.complete or pair.report is None:
        return "incomplete"
    return pair.report.status.value


def _current(pair: Pair, present: Mapping[str, str]) -> bool | None:
    if not present or pair.report is None:
        return None
    made_with = pair.fingerprints()
    return all(made_with.get(stage) == present.get(stage.value) for stage in FINGERPRINTED)


def _report_columns(pair: Pair) -> dict[str, object]:
    report = pair.report
    if report is None:
        return {}
    tracked = sum(reference.tracked for reference in report.references)
    creator = report.provenance.models.get("report_creator")
    return {
        "involvement": report.assessment.involvement.value,
        "undetermined": report.assessment.undetermined,
        "references": len(report.references),
        "tracked_references": tracked,
        "untracked_references": len(report.references) - tracked,
        "mechanisms": len(_mechanisms(report)),
        "function_bullets": len(report.gene_function.bullets),
        "model": (creator.answered_by or [creator.model]) if creator else [],
    }


def _review_columns(pair: Pair) -> dict[str, object]:
    critique = pair.critique
    if critique is None:
        return {}
    last = critique.iterations[-1].critique if critique.iterations else None
    return {
        "unresolved_high": len(critique.unresolved),
        "critic_score": last.overall_score if last else None,
        "critic_iterations": len(critique.iterations),
        # A report that nobody reviewed was neither accepted nor refused.
        "critic_accepted": critique.accepted if last else None,
    }


def _summary_columns(pair: Pair) -> dict[str, object]:
    summary = pair.summary
    if summary is None:
        return {}
    return {
        "role_of_action": summary.role_of_action.value,
        "headline": summary.summaries.headline,
        "style_score": summary.style_score,
        "style_iterations": len(summary.style_iterations),
    }


def _mechanisms(report: FinalReport) -> list[Bullet]:
    hypothesis = report.mechanistic_hypothesis
    return [*hypothesis.bullets] if hypothesis else []


def _ids(report: FinalReport) -> dict[int, str]:
    return {
        each.index: citation_text(each.kind, each.id, each.database, each.record_id)
        for each in report.references
    }


def _reference_rows(task: Task, report: FinalReport) -> Iterator[ReferenceRow]:
    sections = {
        "gene_function": report.gene_function.bullets,
        "assessment": report.assessment.rationale,
        "mechanistic_hypothesis": _mechanisms(report),
    }
    cited = {
        name: {index for bullet in bullets for index in bullet.citations}
        for name, bullets in sections.items()
    }
    ids = _ids(report)
    for each in report.references:
        seen = each.first_seen
        yield ReferenceRow(
            gene=task.gene,
            cancer_type=task.cancer_type,
            index=each.index,
            kind=each.kind,
            id=ids[each.index],
            also=[citation_text(other.kind, other.id) for other in each.also],
            database=each.database,
            record_id=each.record_id,
            url=each.url,
            title=each.title,
            journal=each.journal,
            year=each.year,
            tracked=each.tracked,
            retracted=each.retracted,
            first_seen_stage=seen.stage if seen else None,
            first_seen_tool=seen.tool if seen else None,
            first_seen_call=seen.call if seen else None,
            sections=[name for name, indices in cited.items() if each.index in indices],
        )


def _mechanism_rows(pair: Pair, report: FinalReport) -> Iterator[MechanismRow]:
    task, ids = pair.task, _ids(report)
    ledger = {item.id: item for item in pair.ledger()}
    bullets = report.mechanistic_hypothesis.bullets if report.mechanistic_hypothesis else []
    for number, bullet in enumerate(bullets, start=1):
        items = [ledger[name] for name in bullet.evidence if name in ledger]
        yield MechanismRow(
            gene=task.gene,
            cancer_type=task.cancer_type,
            cancer_name=task.cancer_name,
            number=number,
            cause=bullet.chain.cause,
            mediator=bullet.chain.mediator,
            outcome=bullet.chain.outcome,
            text=bullet.text,
            citations=[ids[index] for index in bullet.citations if index in ids],
            evidence=bullet.evidence,
            systems=list(dict.fromkeys(item.system.value for item in items)),
            scopes=list(dict.fromkeys(item.scope.value for item in items)),
            role_of_action=pair.summary.role_of_action.value if pair.summary else None,
        )
