"""What each stage depends on: the sorted scalars that are its rule's params and its fingerprint.

A change of one of them re-runs the stage and what follows it; a change of anything else (a
comment, another stage's prompt, a timeout) re-runs nothing.
"""

from collections.abc import Iterator
from typing import Any

from intogen_agent.config import places
from intogen_agent.config.llm_settings import role_settings
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.files import text_digest
from intogen_agent.models import Stage
from intogen_agent.prompts import prompt_digest

# Raised when a stage means something else than before: its results are made anew.
VERSIONS = {
    Stage.PHASE1: 2,
    Stage.PHASE2: 2,
    Stage.REPORT: 1,
    Stage.CRITIQUE: 2,
    Stage.SUMMARY: 2,
    Stage.RENDER: 1,
}

ROLES: dict[Stage, tuple[Role, ...]] = {
    Stage.PHASE1: (Role.GENE_INVESTIGATOR, Role.SUMMARIZER),
    Stage.PHASE2: (Role.HYPOTHESIS_PLANNER, Role.MECHANISM_INVESTIGATOR, Role.SUMMARIZER),
    Stage.REPORT: (Role.REPORT_CREATOR, Role.REPAIRER),
    Stage.CRITIQUE: (Role.SCIENTIFIC_REVIEWER, Role.REFINER, Role.REPAIRER),
    Stage.SUMMARY: (Role.SUMMARY_HELPER, Role.STYLE_CRITIC, Role.STYLE_REFINER),
    Stage.RENDER: (),
}

BRACES = str.maketrans("{}", "<>")

# Waits and prices change how long a stage takes and what it costs, never what comes out.
IGNORED = {
    "start_timeout",
    "call_timeout",
    "repair_first_wait",
    "repair_max_wait",
    "call_deadline",
    "service_tier",
}


def stage_settings(settings: Settings, stage: Stage, store: str | None = None) -> list[str]:
    """Return a stage's dependencies as sorted `key=value` lines.

    Args:
        settings: The configuration.
        stage: The stage.
        store: What tells the local store's content from another's, if there is one.

    Raises:
        UserError: A prompt file is missing.
    """
    lines = {"version": VERSIONS[stage], **dict(_options(settings, stage))}
    for role in _roles(settings, stage):
        chosen = role_settings(settings.llm, role)
        lines[f"prompt.{role.value}"] = prompt_digest(role)
        lines |= dict(_flat(f"role.{role.value}", chosen.model_dump()))
    if _has_tools(settings, stage) and _uses_store(settings, stage):
        lines["store"] = store
    # Braces in a rule's params are wildcards to Snakemake.
    return sorted(f"{key}={value}".translate(BRACES) for key, value in lines.items())


def _has_tools(settings: Settings, stage: Stage) -> bool:
    if stage is Stage.CRITIQUE:
        return settings.review.enabled and settings.review.new_evidence
    return stage in (Stage.PHASE1, Stage.PHASE2)


def _roles(settings: Settings, stage: Stage) -> tuple[Role, ...]:
    searches = stage is Stage.CRITIQUE and _has_tools(settings, stage)
    return (*ROLES[stage], Role.SUMMARIZER) if searches else ROLES[stage]


def _options(settings: Settings, stage: Stage) -> Iterator[tuple[str, Any]]:
    """Yield the options that a stage reads, flattened."""
    options = settings.model_dump(mode="json")
    evidence, mcp = options["evidence"], options["mcp"]
    if stage is Stage.PHASE1:
        for key in ("organism", "fallback_organism", "phase1_retries", "max_payload_chars"):
            yield f"evidence.{key}", evidence[key]
        yield from _flat("evidence.uniprot", evidence["uniprot"])
        yield from _servers(mcp, mcp["phase1"])
    elif stage is Stage.PHASE2:
        for key in ("phase2_retries", "max_turns", "max_calls", "max_tokens", "max_payload_chars"):
            yield f"evidence.{key}", evidence[key]
        yield "ambiguous_symbols", text_digest(places.ambiguous_symbols().read_text("utf-8"))
        yield from _servers(mcp, mcp["phase2"])
    elif stage in (Stage.REPORT, Stage.CRITIQUE):
        yield from _flat("report", options["report"])
        if stage is Stage.CRITIQUE:
            unused = () if _has_tools(settings, stage) else ("max_turns", "max_calls")
            read = {key: value for key, value in options["review"].items() if key not in unused}
            yield from _flat("review", read)
        if _has_tools(settings, stage):
            for key in ("phase2_retries", "max_tokens", "max_payload_chars"):
                yield f"evidence.{key}", evidence[key]
            yield "ambiguous_symbols", text_digest(places.ambiguous_symbols().read_text("utf-8"))
            yield from _servers(mcp, mcp["phase2"])
    elif stage is Stage.SUMMARY:
        yield from _flat("summary", options["summary"])


def _servers(mcp: dict[str, Any], names: list[str]) -> Iterator[tuple[str, Any]]:
    # Of two servers that have a tool, the first is asked.
    yield "mcp.servers", " ".join(names)
    for name in names:
        yield from _flat(f"mcp.servers.{name}", mcp["servers"][name])


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in IGNORED:
                yield from _flat(f"{prefix}.{key}", inner)
    elif isinstance(value, list):
        yield prefix, " ".join(str(item) for item in value)
    else:
        yield prefix, value


def _uses_store(settings: Settings, stage: Stage) -> bool:
    names = settings.mcp.phase1 if stage is Stage.PHASE1 else settings.mcp.phase2
    return any("{store}" in word for name in names for word in settings.mcp.servers[name].command)
