"""Which change re-runs which stage: a change touches the lines of the stages it is in, no other."""

import shutil
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from intogen_agent import prompts
from intogen_agent.config import stages
from intogen_agent.config.llm_settings import (
    Capabilities,
    LlmSettings,
    Provider,
    RetrySettings,
    RoleSettings,
)
from intogen_agent.config.load import load_settings, read_config
from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.models import Stage

EVIDENCE = {Stage.PHASE1, Stage.PHASE2}
MODEL_STAGES = set(Stage) - {Stage.RENDER}
NOTHING: set[Stage] = set()

# Role -> the stages in which it speaks.
SPEAKS = {
    Role.GENE_INVESTIGATOR: {Stage.PHASE1},
    Role.SUMMARIZER: EVIDENCE,
    Role.HYPOTHESIS_PLANNER: {Stage.PHASE2},
    Role.MECHANISM_INVESTIGATOR: {Stage.PHASE2},
    Role.REPORT_CREATOR: {Stage.REPORT},
    Role.REPAIRER: {Stage.REPORT, Stage.CRITIQUE},
    Role.SCIENTIFIC_REVIEWER: {Stage.CRITIQUE},
    Role.REFINER: {Stage.CRITIQUE},
    Role.SUMMARY_HELPER: {Stage.SUMMARY},
    Role.STYLE_CRITIC: {Stage.SUMMARY},
    Role.STYLE_REFINER: {Stage.SUMMARY},
}

BASE: dict[str, Any] = {
    "llm": {
        "providers": {
            "offline": {"base_url": "http://127.0.0.1:8089/v1"},
            "cluster": {"base_url": "http://gpu01:8000/v1"},
        },
        "default": {"provider": "offline", "model": "m", "temperature": 0},
    },
    "mcp": {
        "servers": {
            "genes": {"command": ["{python}", "-m", "genes"], "env": ["NCBI_API_KEY"]},
            "papers": {"command": ["papers", "--store", "{store}"]},
        },
        "phase1": ["genes"],
        "phase2": ["papers"],
    },
}


def lines(
    config: dict[str, Any], store: str | None = "evidence-1.sqlite"
) -> dict[Stage, list[str]]:
    settings = load_settings(config)
    return {stage: stages.stage_settings(settings, stage, store) for stage in Stage}


def touched(before: dict[Stage, list[str]], after: dict[Stage, list[str]]) -> set[Stage]:
    return {stage for stage in Stage if before[stage] != after[stage]}


def changed(option: str, value: Any) -> dict[str, Any]:
    config = deepcopy(BASE)
    *parents, name = option.split("/")
    place = config
    for parent in parents:
        place = place.setdefault(parent, {})
    place[name] = value
    return config


CHANGES = [
    # Phase 1 alone.
    ("evidence/organism", "mouse", {Stage.PHASE1}),
    ("evidence/fallback_organism", None, {Stage.PHASE1}),
    ("evidence/phase1_retries", 1, {Stage.PHASE1}),
    ("evidence/uniprot/isoforms", 0, {Stage.PHASE1}),
    ("evidence/uniprot/domains", 1, {Stage.PHASE1}),
    ("evidence/uniprot/motifs", 1, {Stage.PHASE1}),
    ("evidence/uniprot/subcellular_locations", 1, {Stage.PHASE1}),
    ("evidence/uniprot/interactions", 1, {Stage.PHASE1}),
    ("evidence/uniprot/modifications", 1, {Stage.PHASE1}),
    ("evidence/uniprot/include_sub_refs", False, {Stage.PHASE1}),
    ("mcp/servers/genes/adapter", "biomcp-cli", {Stage.PHASE1}),
    ("mcp/servers/genes/tools", {"gene_record": "find"}, {Stage.PHASE1}),
    ("mcp/servers/genes/command", ["genes2"], {Stage.PHASE1}),
    ("mcp/servers/genes/env", [], {Stage.PHASE1}),
    ("mcp/servers/genes/mode", "auto", {Stage.PHASE1}),
    ("mcp/phase1", ["genes", "papers"], {Stage.PHASE1}),
    # Phase 2 alone.
    ("evidence/phase2_retries", 1, {Stage.PHASE2}),
    ("evidence/max_turns", 3, {Stage.PHASE2}),
    ("evidence/max_calls", 3, {Stage.PHASE2}),
    ("mcp/servers/papers/tools", {"article_fetch": "get"}, {Stage.PHASE2}),
    ("mcp/servers/papers/command", ["papers2", "{store}"], {Stage.PHASE2}),
    ("mcp/phase2", ["papers", "genes"], {Stage.PHASE2}),
    # Both.
    ("evidence/max_payload_chars", 1000, EVIDENCE),
    ("evidence/summary_retries", 3, EVIDENCE),
    # The report's rules hold for the refined report too.
    ("report/min_supported_rationale", 3, {Stage.REPORT, Stage.CRITIQUE}),
    ("report/min_supported_references", 4, {Stage.REPORT, Stage.CRITIQUE}),
    ("report/min_supported_sources", 3, {Stage.REPORT, Stage.CRITIQUE}),
    ("report/repairs", 1, {Stage.REPORT, Stage.CRITIQUE}),
    ("review/enabled", False, {Stage.CRITIQUE}),
    ("review/max_iterations", 1, {Stage.CRITIQUE}),
    ("review/history_tokens", 0, {Stage.CRITIQUE}),
    ("review/new_evidence", True, {Stage.CRITIQUE}),
    # Bounds of a search that is not allowed.
    ("review/max_turns", 1, NOTHING),
    ("review/max_calls", 1, NOTHING),
    ("summary/max_iterations", 0, {Stage.SUMMARY}),
    ("summary/max_sentence_words", 20, {Stage.SUMMARY}),
    # Models.
    ("llm/default/model", "other", MODEL_STAGES),
    ("llm/default/provider", "cluster", MODEL_STAGES),
    ("llm/default/temperature", 0.5, MODEL_STAGES),
    ("llm/default/max_output_tokens", 100, MODEL_STAGES),
    ("llm/default/seed", 7, MODEL_STAGES),
    ("llm/default/reasoning_effort", "low", MODEL_STAGES),
    # What only changes how long it takes, where it lies, or what else there is to do.
    ("evidence/uniprot/isoforms", 5, NOTHING),
    ("report/repair_first_wait", 1, NOTHING),
    ("report/repair_max_wait", 60, NOTHING),
    ("llm/retry/attempts", 1, NOTHING),
    ("llm/retry/first_wait", 5, NOTHING),
    ("llm/retry/max_wait", 5, NOTHING),
    ("llm/retry/request_timeout", 5, NOTHING),
    ("llm/retry/call_deadline", 5, NOTHING),
    ("llm/retry/stage_deadline", 5, NOTHING),
    ("llm/structured_attempts", 1, NOTHING),
    ("llm/concurrency", 2, NOTHING),
    ("llm/nudges", 0, NOTHING),
    ("llm/min_prompt_share", 0, NOTHING),
    ("llm/prices", {"m": {"input": 1, "cached_input": 0.1, "output": 2}}, NOTHING),
    ("llm/default/service_tier", "flex", NOTHING),
    ("llm/default/call_deadline", 5, NOTHING),
    ("mcp/servers/genes/start_timeout", 5, NOTHING),
    ("mcp/servers/papers/call_timeout", 5, NOTHING),
    ("llm/providers/offline/base_url", "http://gpu02:8000/v1", NOTHING),
    ("llm/providers/offline", {"base_url_file": "address"}, NOTHING),
    ("llm/providers/offline/api_key_env", "KEY", NOTHING),
    ("llm/providers/offline/api_key_file", "key", NOTHING),
    ("llm/providers/offline/api", "responses", NOTHING),
    ("llm/providers/offline/capabilities/tools", "json_action", NOTHING),
    ("llm/providers/offline/capabilities/structured", "prompt", NOTHING),
    ("llm/providers/offline/capabilities/max_tokens_field", "max_tokens", NOTHING),
    ("llm/providers/offline/capabilities/empty_content", "text", NOTHING),
    ("llm/providers/offline/capabilities/system_role", False, NOTHING),
    ("llm/providers/offline/capabilities/refused", ["temperature"], NOTHING),
    ("llm/providers/offline/capabilities/context_length", 4096, NOTHING),
    ("llm/providers/offline/launch", {"command": ["llama-server"]}, NOTHING),
    ("network/allow_hosts", ["gpu01"], NOTHING),
    ("mcp/servers/unused", {"command": ["x"]}, NOTHING),
    ("results", "elsewhere", NOTHING),
    ("drivers", "other.tsv", NOTHING),
    ("cohort/pan_cancer", False, NOTHING),
    ("cohort/extra_pairs", [{"gene": "APC", "cancer_type": "COADREAD"}], NOTHING),
]


@pytest.mark.parametrize(
    ("option", "value", "expected"), CHANGES, ids=[f"{c[0]}={c[1]}" for c in CHANGES]
)
def test_an_option_touches_the_stages_that_read_it(
    option: str, value: Any, expected: set[Stage]
) -> None:
    assert touched(lines(BASE), lines(changed(option, value))) == expected


SEARCHING = changed("review/new_evidence", True)
# What refinement's search reads beside the options of the review.
SEARCHED = [
    ("review/max_turns", 1, {Stage.CRITIQUE}),
    ("review/max_calls", 1, {Stage.CRITIQUE}),
    ("evidence/phase2_retries", 1, {Stage.PHASE2, Stage.CRITIQUE}),
    ("evidence/max_payload_chars", 1000, EVIDENCE | {Stage.CRITIQUE}),
    ("evidence/max_calls", 3, {Stage.PHASE2}),
    ("mcp/phase2", ["papers", "genes"], {Stage.PHASE2, Stage.CRITIQUE}),
    ("mcp/servers/papers/command", ["papers2", "{store}"], {Stage.PHASE2, Stage.CRITIQUE}),
    ("llm/roles/summarizer/model", "x", EVIDENCE | {Stage.CRITIQUE}),
    ("review/enabled", False, {Stage.CRITIQUE}),
]


@pytest.mark.parametrize(
    ("option", "value", "expected"), SEARCHED, ids=[f"{c[0]}={c[1]}" for c in SEARCHED]
)
def test_a_review_that_may_search_reads_what_its_search_needs(
    option: str, value: Any, expected: set[Stage]
) -> None:
    after = changed(option, value)
    after["review"] = {"new_evidence": True, **after.get("review", {})}
    assert touched(lines(SEARCHING), lines(after)) == expected
    assert touched(lines(SEARCHING), lines(SEARCHING, "evidence-2.sqlite")) == {
        Stage.PHASE2,
        Stage.CRITIQUE,
    }


# What a role may have of its own, and whether a change makes its stages anew.
ROLE_SETTINGS = [
    ("model", "x", True),
    ("provider", "cluster", True),
    ("temperature", 1, True),
    ("seed", 7, True),
    ("reasoning_effort", "high", True),
    ("max_output_tokens", 9, True),
    ("service_tier", "flex", False),
    ("call_deadline", 9, False),
]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    ("key", "value", "anew"), ROLE_SETTINGS, ids=[case[0] for case in ROLE_SETTINGS]
)
def test_a_role_touches_the_stages_in_which_it_speaks(
    role: Role, key: str, value: Any, anew: bool
) -> None:
    after = lines(changed(f"llm/roles/{role.value}/{key}", value))
    assert touched(lines(BASE), after) == (SPEAKS[role] if anew else NOTHING)


def test_of_every_setting_of_a_role_it_is_known_what_it_touches() -> None:
    assert {key for key, _, _ in ROLE_SETTINGS} == set(RoleSettings.model_fields)


@pytest.mark.parametrize(
    ("section", "model", "inner"),
    [
        ("llm", LlmSettings, {"providers", "default", "roles", "retry"}),
        ("llm/retry", RetrySettings, set()),
        ("llm/providers/offline", Provider, {"base_url_file", "capabilities"}),
        ("llm/providers/offline/capabilities", Capabilities, set()),
    ],
    ids=["llm", "retry", "provider", "capabilities"],
)
def test_of_every_option_of_models_it_is_known_what_it_touches(
    section: str, model: type[BaseModel], inner: set[str]
) -> None:
    known = {option for option, _, _ in CHANGES}
    options = {f"{section}/{name}" for name in model.model_fields if name not in inner}
    assert options - known == set()


def test_naming_the_default_model_for_a_role_touches_nothing() -> None:
    after = lines(changed("llm/roles/refiner", {"model": "m", "provider": "offline"}))
    assert touched(lines(BASE), after) == NOTHING


@pytest.mark.parametrize("role", Role)
def test_a_prompt_touches_the_stages_in_which_its_role_speaks(
    role: Role, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "prompts"
    shutil.copytree(prompts.prompt_folder(), folder)
    monkeypatch.setattr(prompts, "prompt_folder", lambda: folder)
    before = lines(BASE)
    path = folder / f"{role.value}.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nBe brief.\n", encoding="utf-8")
    assert touched(before, lines(BASE)) == SPEAKS[role]


def test_every_role_speaks_in_some_stage() -> None:
    spoken = {role for roles in stages.ROLES.values() for role in roles}
    assert spoken == set(Role)
    assert {
        role: {stage for stage, roles in stages.ROLES.items() if role in roles} for role in Role
    } == SPEAKS


@pytest.mark.parametrize("stage", Stage)
def test_a_new_stage_version_touches_its_stage(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lines(BASE)
    monkeypatch.setitem(stages.VERSIONS, stage, stages.VERSIONS[stage] + 1)
    assert touched(before, lines(BASE)) == {stage}


def test_new_records_in_the_store_touch_the_stages_whose_servers_read_it() -> None:
    assert touched(lines(BASE), lines(BASE, "evidence-2.sqlite")) == {Stage.PHASE2}
    both = changed("mcp/phase1", ["papers"])
    assert touched(lines(both), lines(both, "evidence-2.sqlite")) == EVIDENCE


def test_the_order_of_servers_counts() -> None:
    one, two = (
        changed("mcp/phase1", ["genes", "papers"]),
        changed("mcp/phase1", ["papers", "genes"]),
    )
    assert touched(lines(one), lines(two)) == {Stage.PHASE1}


@pytest.mark.parametrize("stage", Stage)
def test_lines_are_sorted_scalars_without_braces(stage: Stage) -> None:
    found = stages.stage_settings(Settings(), stage, "evidence-1.sqlite")
    assert found == sorted(set(found))
    assert all(isinstance(line, str) and "=" in line for line in found)
    assert not any(character in line for line in found for character in "{}\n")


def test_comments_and_the_order_of_keys_touch_nothing(root: Path, tmp_path: Path) -> None:
    text = (root / "config" / "config.yaml").read_text(encoding="utf-8")
    bare = "".join(
        line for line in text.splitlines(keepends=True) if not line.strip().startswith("#")
    )
    (tmp_path / "bare.yaml").write_text(bare, encoding="utf-8")
    stripped = read_config(tmp_path / "bare.yaml")
    turned = dict(reversed(stripped.items()))
    assert bare != text and list(turned) != list(stripped)
    shipped = lines(read_config(root / "config" / "config.yaml"))
    assert touched(shipped, lines(turned)) == NOTHING


def test_no_key_and_no_statistics_are_among_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NCBI_API_KEY", "secret-value")
    joined = "\n".join(line for found in lines(BASE).values() for line in found)
    assert "NCBI_API_KEY" in joined and "secret-value" not in joined
