"""A refinement that makes the report worse is not taken; what it changed is on record."""

from pathlib import Path
from typing import Any

import pytest
from tests.review import pair
from tests.review.edits import (
    LOSSES,
    Change,
    changed,
    drop_citation,
    drop_evidence,
    drop_mechanism,
    turn_verdict,
)
from tests.review.scripted import (
    answers,
    contested,
    critique,
    issue,
    refined,
    review,
    scripted,
)

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.report.wire import IssueAnswer
from intogen_agent.review.models import CritiqueIssue
from intogen_agent.review.refinement import settled

DONE = answers(I1="accepted: Said that it is contested.")


def test_a_refined_report_is_validated_again_and_repaired(tmp_path: Path) -> None:
    broken = changed(lambda d: d["rationale"][0]["citations"].clear())
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue()), critique()],
            RefinedDraft=[refined(DONE, broken)],
            ReportDraft=[contested()],
        ),
    )
    assert ran.rounds[0]["taken"] is True
    assert ran.rounds[0]["repairs"] == ran.reviewed["provenance"]["repairs"] != []


def test_a_refinement_that_fails_validation_is_not_taken_and_tried_again(tmp_path: Path) -> None:
    broken = changed(lambda d: d["rationale"][0]["citations"].clear())
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue()), critique()],
            RefinedDraft=[refined(DONE, broken), refined(DONE, contested())],
            ReportDraft=[broken],
        ),
        max_iterations=4,
    )
    first, second, third = ran.rounds
    assert (first["taken"], second["taken"], third["taken"]) == (False, True, None)
    assert "it breaks the rules" in first["note"]
    assert len(ran.script.asked("WireCritique")) == 2, "an unchanged report is not reviewed anew"
    told = ran.script.asked("RefinedDraft")[1].record("critique")["refused"]
    assert "it breaks the rules" in told


@pytest.mark.parametrize("change", LOSSES, ids=lambda change: str(change.__name__))
def test_supported_content_is_not_lost_without_a_reason(tmp_path: Path, change: Change) -> None:
    given = critique(issue(section="assessment"))
    if change is turn_verdict:
        given = critique(issue(section="gene_function"))
    ran = review(
        tmp_path,
        scripted(WireCritique=[given], RefinedDraft=[refined(DONE, changed(change))]),
        max_iterations=2,
    )
    assert ran.rounds[0]["taken"] is False
    assert "no accepted issue asks for it" in ran.rounds[0]["note"]
    assert len(ran.rounds) == 1, "after a refusal there is nothing new to review at the bound"
    assert len(ran.reviewed["mechanistic_hypothesis"]["bullets"]) == 2


@pytest.mark.parametrize(
    ("change", "section"),
    [
        (drop_mechanism, "mechanistic_hypothesis"),
        (drop_citation, "gene_function"),
        (drop_evidence, "gene_function"),
        (turn_verdict, "verdict_alignment"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_an_accepted_issue_asks_for_may_go(
    tmp_path: Path, change: Change, section: str
) -> None:
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue(section=section)), critique()],
            RefinedDraft=[refined(DONE, changed(change))],
        ),
    )
    assert ran.rounds[0]["taken"] is True and ran.rounds[0]["changes"]


def test_a_rejected_issue_excuses_nothing(tmp_path: Path) -> None:
    given = refined(answers(I1="rejected: No."), changed(drop_mechanism))
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue(section="mechanistic_hypothesis"))], RefinedDraft=[given]
        ),
        max_iterations=2,
    )
    assert ran.rounds[0]["taken"] is False


def test_a_refinement_that_brings_in_what_a_check_calls_high_is_not_taken(tmp_path: Path) -> None:
    written = contested()
    written["rationale"][-1] = {
        "text": pair.OTHER_GENE,
        "citations": ["PMID:17000001"],
        "evidence": ["E6"],
    }
    ran = review(
        tmp_path,
        scripted(WireCritique=[critique(issue())], RefinedDraft=[refined(DONE, written)]),
        max_iterations=2,
    )
    assert ran.rounds[0]["taken"] is False and "gene-in-quote" in ran.rounds[0]["note"]
    assert pair.OTHER_GENE not in str(ran.reviewed)


def longer(times: int) -> dict[str, Any]:
    written = contested()
    written["rationale"][-1]["text"] += " It is contested." * times
    return written


def test_two_lower_scores_in_a_row_take_both_refinements_back(tmp_path: Path) -> None:
    scores = [critique(issue(), overall_score=score) for score in (0.8, 0.6, 0.4)]
    ran = review(
        tmp_path,
        scripted(
            WireCritique=scores, RefinedDraft=[refined(DONE, longer(1)), refined(DONE, longer(2))]
        ),
        max_iterations=4,
    )
    assert [one["taken"] for one in ran.rounds] == [False, False, None]
    assert ran.critique["kept_round"] == 1 and "fell twice" in ran.rounds[-1]["note"]
    assert len(ran.reviewed["assessment"]["rationale"]) == 3
    assert ran.critique["unresolved"] == ran.rounds[0]["critique"]["issues"]


@pytest.mark.parametrize("scores", [(0.8, 0.6, 0.6), (0.4, 0.6, 0.5), (0.8, 0.6, 0.7)], ids=str)
def test_one_lower_score_takes_nothing_back(tmp_path: Path, scores: tuple[float, ...]) -> None:
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue(), overall_score=score) for score in scores],
            RefinedDraft=[refined(DONE, longer(1)), refined(DONE, longer(2))],
        ),
        max_iterations=3,
    )
    assert [one["taken"] for one in ran.rounds] == [True, True, None]
    assert ran.critique["kept_round"] is None


def test_a_lower_score_with_a_high_issue_less_is_no_worse_report(tmp_path: Path) -> None:
    given = [
        critique(issue(), overall_score=0.8),
        critique(issue(), overall_score=0.6),
        critique(issue("medium"), accept=False, overall_score=0.4),
    ]
    ran = review(
        tmp_path,
        scripted(
            WireCritique=given, RefinedDraft=[refined(DONE, longer(1)), refined(DONE, longer(2))]
        ),
        max_iterations=3,
    )
    assert ran.critique["kept_round"] is None and ran.critique["unresolved"] == []


@pytest.mark.parametrize("text", ["I cannot.", '{"answers": []}'])
def test_a_refiner_without_a_usable_answer_leaves_the_report_and_the_issue(
    tmp_path: Path, text: str
) -> None:
    ran = review(
        tmp_path,
        scripted(WireCritique=[critique(issue())], RefinedDraft=[text]),
        max_iterations=2,
    )
    assert ran.rounds[0]["taken"] is False and "no usable answer" in ran.rounds[0]["note"]
    assert ran.rounds[0]["answers"][0]["decision"] == "unanswered"
    assert len(ran.critique["unresolved"]) == 1


def test_an_outage_during_refinement_fails_the_stage(tmp_path: Path) -> None:
    def down(_: Any) -> dict[str, Any]:
        raise RuntimeError("the server breaks")

    with pytest.raises(StageFailure) as caught:
        review(tmp_path, scripted(WireCritique=[critique(issue())], RefinedDraft=[down]))
    assert caught.value.error is ErrorClass.LLM_UNREACHABLE


# Answers.


def found(*severities: str) -> list[CritiqueIssue]:
    return [
        CritiqueIssue.model_validate({"id": f"I{n}", **issue(severity)})
        for n, severity in enumerate(severities, start=1)
    ]


def test_every_issue_has_one_answer_in_its_order() -> None:
    given = [
        IssueAnswer(issue="I3 ", decision="accepted", explanation="Done."),
        IssueAnswer(issue="I1", decision="rejected", explanation="No\n evidence."),
        IssueAnswer(issue="I9", decision="accepted", explanation="No such issue."),
        IssueAnswer(issue="I4", decision="rejected", explanation=" "),
    ]
    settled_ones = settled(found("low", "low", "low", "low"), given)
    assert [(a.issue, a.decision, a.explanation) for a in settled_ones] == [
        ("I1", "rejected", "No evidence."),
        ("I2", "unanswered", ""),
        ("I3", "accepted", "Done."),
        ("I4", "unanswered", ""),
    ]
