"""The repair cycle: what the model is told, how often, and what becomes of drafts that fail."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from stage_run import Ended, follow, gathered

from intogen_agent.config.roles import Role
from intogen_agent.errors import ErrorClass
from intogen_agent.llm.outcomes import Failed, FailureKind, Structured
from intogen_agent.report import drafting
from intogen_agent.report.assemble import to_draft
from intogen_agent.report.models import FinalReport, Involvement
from intogen_agent.report.rules import Evidence, violations
from intogen_agent.report.wire import ReportDraft

Data = dict[str, Any]


@pytest.fixture
def evidence(phase1: Data, phase2: Data) -> Evidence:
    return gathered(phase1, phase2)


@pytest.fixture
def good(valid: Data) -> ReportDraft:
    return to_draft(FinalReport.model_validate(valid))


def without_bullets(draft: ReportDraft, left: int) -> ReportDraft:
    return draft.model_copy(update={"gene_function": draft.gene_function[:left]})


def told(ended: Ended, turn: int) -> list[dict[str, str]]:
    """Return the violations that a turn's request ends with."""
    text = str(ended.asked[turn][1][-1]["content"])
    return list(json.loads(text.split("<violations>\n")[1].split("\n</violations>")[0]))


def test_a_draft_that_passes_is_the_report(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    ended = follow(tmp_path, evidence, [good])
    assert ended.report is not None and violations(ended.report, evidence=evidence) == []
    assert [role for role, _ in ended.asked] == [Role.REPORT_CREATOR]
    assert ended.report.provenance.repairs == []
    assert [(each.threshold, each.found) for each in ended.report.assessment.thresholds] == [
        ("rationale_bullets", 3),
        ("references", 3),
        ("sources", 3),
        ("functional_or_clinical_findings", 2),
    ]


def test_the_model_gets_the_violations_and_its_own_last_answer(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    bad = without_bullets(good, 1)
    ended = follow(tmp_path, evidence, [bad, good])
    assert [role for role, _ in ended.asked] == [Role.REPORT_CREATOR, Role.REPAIRER]
    first, second = (messages for _, messages in ended.asked)
    assert second[: len(first)] == first, "the conversation goes on"
    assert second[len(first)] == {"role": "assistant", "content": bad.model_dump_json()}
    (violation,) = told(ended, 1)
    assert (violation["rule"], violation["path"]) == ("function-bullet-count", "gene_function")
    assert "write 2 to 5" in violation["message"]
    assert ended.report is not None
    assert ended.report.provenance.repairs == [["function-bullet-count"]]


def test_attempts_are_bounded_and_the_best_draft_is_kept_beside_never_as_a_report(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    one, none = without_bullets(good, 1), without_bullets(good, 0)
    worse = none.model_copy(update={"rationale": none.rationale[:1]})
    ended = follow(tmp_path, evidence, [worse, one, worse], report={"repairs": 3})
    assert len(ended.asked) == 4
    assert ended.report is None and ended.failure is not None
    assert ended.failure.error is ErrorClass.REPORT_INVALID
    assert "function-bullet-count" in str(ended.failure)
    assert ended.rejected is not None
    assert len(ended.rejected["report"]["gene_function"]["bullets"]) == 1, "the best, not the last"
    assert [each["rule"] for each in ended.rejected["violations"]] == ["function-bullet-count"]
    assert len(ended.rejected["repairs"]) == 4
    # What led to the failure is asked anew at the next start.
    assert set(ended.failure.requests) == {f"request {n}" for n in range(1, 5)}


def test_a_report_that_passes_takes_the_rejected_draft_away(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    assert follow(tmp_path, evidence, [without_bullets(good, 1)]).rejected is not None
    assert follow(tmp_path, evidence, [good]).rejected is None


@pytest.mark.parametrize(("repairs", "asked"), [(0, 1), (1, 2), (2, 3)])
def test_the_bound_is_configured(
    tmp_path: Path, evidence: Evidence, good: ReportDraft, repairs: int, asked: int
) -> None:
    ended = follow(tmp_path, evidence, [without_bullets(good, 0)], report={"repairs": repairs})
    assert len(ended.asked) == asked and ended.failure is not None


def test_waits_grow_exponentially_up_to_their_cap(
    tmp_path: Path, evidence: Evidence, good: ReportDraft, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    # Only this module's clock: servers of other tests sleep in threads of this process.
    monkeypatch.setattr(drafting, "asyncio", SimpleNamespace(sleep=sleep))
    options = {"repairs": 5, "repair_first_wait": 0.5, "repair_max_wait": 3.0}
    follow(tmp_path, evidence, [without_bullets(good, 0)], report=options)
    assert waits == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_what_needs_no_judgement_is_put_right_by_code_and_recorded(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    """Order, numbering, duplicates and addresses cost no repair."""
    bullet = good.rationale[1].model_copy(
        update={
            "citations": ["https://doi.org/10.1126/science.275.5307.1784", "pmid 1338904"],
            "evidence": ["E1", "E2"],
        }
    )
    again = good.mechanisms[0].model_copy(
        update={"cause": "Inactivation of DP2", "mediator": "Wnt/β-catenin pathway"}
    )
    draft = good.model_copy(
        update={
            "rationale": [good.rationale[0], bullet, good.rationale[2]],
            "mechanisms": [*good.mechanisms, again],
        }
    )
    ended = follow(tmp_path, evidence, [draft])
    assert ended.report is not None and len(ended.asked) == 1
    assert ended.report.provenance.controller_edits == [
        "rationale[1]: citations were put in order",
        "mechanisms[1]: merged into mechanisms[0], the same triple",
    ]


def test_prose_around_the_json_is_left_out_and_recorded(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    text = f"Here is the report:\n```json\n{good.model_dump_json()}\n```"
    ended = follow(tmp_path, evidence, [Structured(good, text, "request 1")])
    assert ended.report is not None
    assert ended.report.provenance.controller_edits == [
        "answer: the text around the JSON object was left out"
    ]
    thought = f"<think>Well {{x}}.</think>{good.model_dump_json()}"
    ended = follow(tmp_path, evidence, [Structured(good, thought, "request 1")])
    assert ended.report is not None and ended.report.provenance.controller_edits == []


UNUSABLE = {
    "answer-refused": Failed(FailureKind.REFUSAL, "I will not."),
    "answer-cut-off": Failed(FailureKind.CUT_OFF, "the answer was cut off", '{"gene_function": ['),
    "answer-empty": Failed(FailureKind.EMPTY, "the answer is empty"),
    "answer-without-json": Failed(
        FailureKind.INVALID, "no JSON object in the answer", "I cannot.", ["no JSON object"]
    ),
    "answer-shape": Failed(
        FailureKind.INVALID, "rationale: Field required", "{}", ["rationale: Field required"]
    ),
}


@pytest.mark.parametrize("rule", UNUSABLE)
def test_each_unusable_answer_is_an_outcome_of_its_own_and_an_attempt(
    tmp_path: Path, evidence: Evidence, good: ReportDraft, rule: str
) -> None:
    failed = UNUSABLE[rule]
    ended = follow(tmp_path, evidence, [failed, good])
    assert ended.report is not None
    assert ended.report.provenance.repairs == [[rule]]
    (violation,) = told(ended, 1)
    assert (violation["rule"], violation["path"]) == (rule, "$")
    own = [m["content"] for m in ended.asked[1][1] if m["role"] == "assistant"]
    assert own == ([failed.text] if failed.text else [])


def test_answers_of_every_kind_share_one_bound(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    ended = follow(
        tmp_path,
        evidence,
        [UNUSABLE["answer-empty"], without_bullets(good, 1), UNUSABLE["answer-refused"], good],
    )
    assert ended.report is not None
    assert ended.report.provenance.repairs == [
        ["answer-empty"],
        ["function-bullet-count"],
        ["answer-refused"],
    ]


def test_a_model_that_never_gives_a_draft_fails_with_the_class_of_its_last_answer(
    tmp_path: Path, evidence: Evidence
) -> None:
    for rule, error in (
        ("answer-refused", ErrorClass.LLM_REFUSED),
        ("answer-empty", ErrorClass.LLM_INVALID),
    ):
        ended = follow(tmp_path, evidence, [UNUSABLE[rule]], report={"repairs": 2})
        assert ended.failure is not None and ended.failure.error is error
        assert len(ended.asked) == 3 and ended.rejected is None


def test_a_draft_is_kept_though_the_last_answers_were_none(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    answers = [without_bullets(good, 1), UNUSABLE["answer-refused"]]
    ended = follow(tmp_path, evidence, answers)
    assert ended.failure is not None and ended.failure.error is ErrorClass.REPORT_INVALID
    assert ended.rejected is not None


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (FailureKind.QUOTA, ErrorClass.LLM_QUOTA),
        (FailureKind.CONTEXT_OVERFLOW, ErrorClass.LLM_CONTEXT),
        (FailureKind.AUTHENTICATION, ErrorClass.LLM_AUTHENTICATION),
        (FailureKind.TRANSPORT, ErrorClass.LLM_UNREACHABLE),
    ],
)
def test_what_asking_again_cannot_help_ends_the_stage_at_once(
    tmp_path: Path, evidence: Evidence, good: ReportDraft, kind: FailureKind, error: ErrorClass
) -> None:
    ended = follow(tmp_path, evidence, [Failed(kind, "no")])
    assert ended.failure is not None and ended.failure.error is error and len(ended.asked) == 1
    later = follow(tmp_path, evidence, [without_bullets(good, 1), Failed(kind, "no")])
    assert later.failure is not None and later.failure.error is error and len(later.asked) == 2


def test_the_verdict_defaults_to_not_supported_when_no_repair_meets_the_thresholds(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    """The report says which threshold was missed and by how much."""
    short = good.model_copy(update={"rationale": good.rationale[:2]})
    ended = follow(tmp_path, evidence, [short])
    assert ended.report is not None and len(ended.asked) == 4
    assessment = ended.report.assessment
    assert assessment.involvement is Involvement.NOT_SUPPORTED
    assert assessment.reason == "Thresholds of supported missed: 2 references of the 3 needed."
    assert ended.report.mechanistic_hypothesis is None
    missed = [each for each in assessment.thresholds if each.found < each.needed]
    assert [(each.threshold, each.found, each.needed) for each in missed] == [("references", 2, 3)]
    assert len(ended.report.provenance.repairs) == 4
    assert ended.report.provenance.controller_edits[-1].startswith("assessment: set to not_suppo")


def test_an_earlier_draft_is_taken_when_it_lacks_only_the_thresholds(
    tmp_path: Path, evidence: Evidence, good: ReportDraft
) -> None:
    short = good.model_copy(update={"rationale": good.rationale[:2]})
    worse = without_bullets(short, 0)
    ended = follow(tmp_path, evidence, [short, worse])
    assert ended.report is not None
    assert len(ended.report.gene_function.bullets) == 2
