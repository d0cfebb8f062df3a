"""Structured answers over a real socket: validated here, asked for again when they do not fit."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import QUESTION, Reply, error, message, run, tool_call, tool_calls

from intogen_agent.config.llm_settings import LlmSettings, RoleSettings, role_settings
from intogen_agent.config.roles import Role
from intogen_agent.errors import StageFailure
from intogen_agent.evidence.wire import HypothesisPlan, HypothesisVerdicts, ToolSummary
from intogen_agent.llm.json_text import first_object
from intogen_agent.llm.models import Models, parse
from intogen_agent.llm.outcomes import Failed, FailureKind, Structured
from intogen_agent.report.wire import RefinedDraft, ReportDraft
from intogen_agent.review.wire import WireCritique
from intogen_agent.summary.wire import StyleRevision, SummaryDraft, WireStyleCritique

WIRE = [
    ToolSummary,
    HypothesisPlan,
    HypothesisVerdicts,
    ReportDraft,
    RefinedDraft,
    WireCritique,
    SummaryDraft,
    WireStyleCritique,
    StyleRevision,
]
GOOD = '{"bullets": []}'

pytestmark = pytest.mark.usefixtures("api")


async def ask(models: Models) -> Any:
    return await models.structured(Role.SUMMARIZER, QUESTION, ToolSummary)


def test_a_structured_request_offers_no_tools_and_is_strict(tmp_path: Path) -> None:
    ran = run(tmp_path, [message(GOOD)], ask)
    assert ran.value == Structured(ToolSummary(bullets=[]), GOOD, ran.entries[0]["base"])
    body = ran.requests[0].body
    assert "tools" not in body
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "ToolSummary",
            "schema": ToolSummary.model_json_schema(),
            "strict": True,
        },
    }


@pytest.mark.parametrize(
    ("structured", "response_format"),
    [("json_object", {"type": "json_object"}), ("prompt", None)],
)
def test_servers_without_schemas_get_it_in_the_prompt(
    tmp_path: Path, structured: str, response_format: Any
) -> None:
    ran = run(tmp_path, [message(GOOD)], ask, capabilities={"structured": structured})
    assert isinstance(ran.value, Structured)
    body = ran.requests[0].body
    assert body.get("response_format") == response_format
    schema = json.dumps(ToolSummary.model_json_schema())
    assert [schema in item["content"] for item in body["messages"]] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"Here it is: {GOOD} I hope it helps.",
        f"The set {{x | x > 0}} is meant.\n{GOOD}",
        f"\ufeff\n {GOOD}",
    ],
)
def test_prose_and_fences_around_the_object_are_ignored(tmp_path: Path, text: str) -> None:
    ran = run(tmp_path, [message(text)], ask)
    assert isinstance(ran.value, Structured) and len(ran.requests) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I cannot say.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('{"bullets": [', "no JSON object"),
        ('{"points": []}', "bullets: Field required"),
        ('{"bullets": [], "note": "x"}', "note: Extra inputs"),
        ('{"bullets": "none"}', "bullets: Input should be a valid list"),
        ('{"bullets": [{"text": "x"}]}', "bullets.0.citations: Field required"),
        ('{"a":' * 20_000, "no JSON object"),
    ],
)
def test_an_answer_of_another_shape_is_told_why_and_asked_for_again(
    tmp_path: Path, text: str, told: str
) -> None:
    ran = run(tmp_path, [message(text), message(GOOD)], ask, min_prompt_share=0)
    assert isinstance(ran.value, Structured)
    *_, answer, mend = ran.requests[1].body["messages"]
    assert answer == {"role": "assistant", "content": text}
    assert told in mend["content"] and mend["role"] == "user"


def test_attempts_are_bounded_and_the_last_problem_is_told(tmp_path: Path) -> None:
    ran = run(tmp_path, [message('{"bullets": 3}')], ask, structured_attempts=3)
    assert isinstance(ran.value, Failed)
    assert ran.value.kind is FailureKind.INVALID and "bullets" in ran.value.message
    assert [len(request.body["messages"]) for request in ran.requests] == [2, 4, 6]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (message(""), FailureKind.EMPTY),
        (tool_calls(tool_call("gene_getter", "{}")), FailureKind.INVALID),
    ],
)
def test_empty_answers_and_calls_are_asked_for_again(
    tmp_path: Path, reply: Reply, kind: FailureKind
) -> None:
    (tmp_path / "never").mkdir()
    ran = run(tmp_path, [reply, message(GOOD)], ask)
    assert isinstance(ran.value, Structured) and len(ran.requests) == 2
    never = run(tmp_path / "never", [reply], ask, structured_attempts=3)
    assert never.value.kind is kind and len(never.requests) == 3


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (message(None, refusal="no"), FailureKind.REFUSAL),
        (message(GOOD, "content_filter"), FailureKind.REFUSAL),
        (error(400, message="maximum context length"), FailureKind.CONTEXT_OVERFLOW),
        (error(429, code="insufficient_quota", message="x"), FailureKind.QUOTA),
        (error(401, message="x"), FailureKind.AUTHENTICATION),
    ],
)
def test_final_failures_are_not_asked_again(
    tmp_path: Path, reply: Reply, kind: FailureKind
) -> None:
    ran = run(tmp_path, [reply, message(GOOD)], ask)
    assert ran.value.kind is kind and len(ran.requests) == 1


def test_a_repaired_answer_is_replayed_with_its_repair(tmp_path: Path) -> None:
    first = run(tmp_path, [message("no"), message(GOOD)], ask)
    again = run(tmp_path, [message("never asked")], ask)
    assert again.value == first.value and again.requests == []


@pytest.mark.parametrize("shape", WIRE)
def test_wire_shapes_are_what_strict_mode_accepts(shape: Any) -> None:
    """Root an object, every key required, nothing extra, no bounds, no defaults."""

    def check(part: Any) -> None:
        if isinstance(part, list):
            for item in part:
                check(item)
        if not isinstance(part, dict):
            return
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert set(part["required"]) == set(part["properties"])
        refused = {"default", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"}
        refused |= {"minItems", "maxItems", "oneOf", "prefixItems", "discriminator"}
        assert refused.isdisjoint(set(part) - set(part.get("properties", {})))
        for key, item in part.items():
            if key == "properties":
                for inner in item.values():
                    check(inner)
            else:
                check(item)

    schema = shape.model_json_schema()
    assert schema["type"] == "object"
    check(schema)


# Pure functions.

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=st.dictionaries(st.text(), JSON, max_size=4), before=st.text(), after=st.text())
def test_an_object_is_found_in_any_text_around_it(
    value: dict[str, Any], before: str, after: str
) -> None:
    assert first_object(before.replace("{", "(") + json.dumps(value) + after) == value


@given(text=st.text(alphabet='{}[]":, a1\\\n'))
def test_looking_for_an_object_never_fails(text: str) -> None:
    found = first_object(text)
    assert found is None or isinstance(found, dict)


def test_problems_are_bounded() -> None:
    failed = parse(json.dumps({f"key{n}": 1 for n in range(50)}), ToolSummary)
    assert isinstance(failed, Failed) and len(failed.problems) == 8


def test_a_role_takes_what_it_does_not_name_from_the_default() -> None:
    settings = LlmSettings(
        default=RoleSettings(provider="openai", model="big", temperature=0.0),
        roles={Role.SUMMARIZER: RoleSettings(model="small")},
    )
    assert role_settings(settings, Role.SUMMARIZER) == RoleSettings(
        provider="openai", model="small", temperature=0.0
    )
    assert role_settings(settings, Role.REFINER).model == "big"


def test_answers_that_led_to_a_failure_are_asked_anew_at_the_next_start(tmp_path: Path) -> None:
    """No answer of the right shape ends the stage; the next start asks these requests again."""

    async def stop(models: Models) -> Any:
        outcome = await ask(models)
        if isinstance(outcome, Failed):
            with pytest.raises(StageFailure) as caught:
                outcome.stop("summarizer")
            failure = caught.value
            models._recorder.failed(failure.error.value, failure.message, failure.requests)
        return outcome

    first = run(tmp_path, [message("no"), message("nor this")], stop, structured_attempts=2)
    assert isinstance(first.value, Failed) and len(first.value.requests) == 2
    second = run(tmp_path, [message(GOOD)], stop, structured_attempts=2)
    assert isinstance(second.value, Structured) and len(second.requests) == 1
