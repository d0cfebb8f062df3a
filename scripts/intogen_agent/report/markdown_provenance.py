"""The footer of a page: which models, servers and version made the report, and when."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from intogen_agent import __version__
from intogen_agent.report.escaping import escape
from intogen_agent.report.models import FinalReport, Pruning, ReportProvenance


class Dates(NamedTuple):
    """When the first call of a journey began and the last one ended, in ISO 8601."""

    started: str
    ended: str


# The roles that write a report; summaries and searches are other roles' work.
WRITERS = ("report_creator", "repairer", "refiner")
# The offline model's names begin so (docs/offline-model.md): it names itself in every report.
_OFFLINE = "offline-"


def offline_roles(provenance: ReportProvenance) -> list[str]:
    """Return the roles in which the offline model answered."""
    return [
        name
        for name, role in provenance.models.items()
        if any(model.startswith(_OFFLINE) for model in (role.model, *role.answered_by))
    ]


def provenance_lines(report: FinalReport, dates: Dates | None) -> Iterator[str]:
    """Yield the footer: models, tokens, servers, dates, version, repairs, pruning."""
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
        used = provenance.models.values()
        yield (
            f"| all | | | {sum(role.calls for role in used)} "
            f"| {sum(role.input_tokens for role in used)} "
            f"| {sum(role.output_tokens for role in used)} |"
        )
        yield ""
    yield from (f"- {line}" for line in _facts(report, provenance, dates))
    yield ""


def _facts(report: FinalReport, provenance: ReportProvenance, dates: Dates | None) -> Iterator[str]:
    yield f"Offline model: {_offline(provenance)}"
    if provenance.servers:
        servers = (f"{escape(name)} ({escape(what)})" for name, what in provenance.servers.items())
        yield f"Servers: {', '.join(servers)}"
    when = "dates of the calls are in provenance.json"
    if dates is not None:
        when = f"first call {_minute(dates.started)}, last call {_minute(dates.ended)}"
    yield f"Rendered by intogen-agent {__version__}; {when}"
    yield (
        f"Stage {report.stage.value}, status {report.status.value}, "
        f"fingerprint {escape(report.fingerprint)}"
    )
    yield (
        f"Refused drafts: {len(provenance.repairs)}; reviewer iterations: "
        f"{provenance.critic_iterations}; refinement used tools: "
        f"{'yes' if provenance.refinement_used_tools else 'no'}"
    )
    if provenance.controller_edits:
        yield f"Put right by the controller: {escape('; '.join(provenance.controller_edits))}"
    if provenance.pruning is not None:
        yield _pruned(provenance, provenance.pruning)


def _offline(provenance: ReportProvenance) -> str:
    roles = offline_roles(provenance)
    if not provenance.models:
        return "not known, the report names no model"
    if any(role in WRITERS for role in roles):
        return "wrote this report; it re-arranges the evidence and is no language model"
    return f"took part as {', '.join(map(escape, roles))}" if roles else "took no part"


def _pruned(provenance: ReportProvenance, done: Pruning) -> str:
    what = escape(", ".join(provenance.pruned)) or "nothing"
    if done.tokens_before is None:
        return f"Pruned before the report was asked for: {what}"
    return (
        f"Pruned before the report was asked for: {what} (estimated tokens: "
        f"{done.tokens_before} before, {done.tokens_after} after)"
    )


def _minute(moment: str) -> str:
    try:
        return datetime.fromisoformat(moment).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return escape(moment)
