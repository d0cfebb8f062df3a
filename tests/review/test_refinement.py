"""A refinement that makes the report worse is not taken; what it changed is on record."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from tests.review import pair
from tests.review.scripted import (
    answers,
    contested,
    critique,
    draft,
    issue,
    refined,
    review,
    scripted,
)

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.report.assemble import Head, assemble
from intogen_agent.report.models import FinalReport
from intogen_agent.report.wire import IssueAnswer, ReportDraft
from intogen_agent.review.changes import changes, edited, losses
from intogen_agent.review.models import Answer, CritiqueIssue, Section
from intogen_agent.review.refinement import settled

DONE = answers(I1="accepted: Said that it is contested.")
Change = Callable[[dict[str, Any]], None]


def changed(change: Change) -> dict[str, Any]:
    written = draft()
    change(written)
    return written


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


def drop_mechanism(written: dict[str, Any]) -> None:
    del written["mechanisms"][1]


def drop_citation(written: dict[str, Any]) -> None:
    written["gene_function"][0]["citations"] = ["PMID:8259519"]


def drop_evidence(written: dict[str, Any]) -> None:
    written["gene_function"][0]["evidence"] = ["F2", "F3"]


def turn_verdict(written: dict[str, Any]) -> None:
    written.update(involvement="not_supported", reason="Two references only.", mechanisms=[])


LOSSES = [drop_mechanism, drop_citation, drop_evidence, turn_verdict]


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


# Changes.

BEFORE = pair.parsed(pair.report())


def after(change: Change) -> FinalReport:
    head = Head(BEFORE.gene, BEFORE.cancer, BEFORE.stage, BEFORE.fingerprint)
    known = {f"PMID:{one.id}": one for one in pair.evidence().phase2.references}
    known["UniProt:P25054"] = pair.evidence().phase2.references[0]
    return assemble(ReportDraft.model_validate(changed(change)), head, known.get).report


def test_an_unchanged_report_has_no_changes() -> None:
    same = after(lambda _: None)
    assert changes(BEFORE, same) == [] and edited(BEFORE, same) == set()


def test_removed_statements_come_first_then_added_then_those_that_rest_on_something_else() -> None:
    def change(written: dict[str, Any]) -> None:
        written["rationale"][2].update(text="It is contested.")
        written["gene_function"][0].update(citations=["PMID:8259519"])

    made = after(change)
    text = pair.REPORT["gene_function"]["bullets"][0]["text"]
    assert changes(BEFORE, made) == [
        f"- {pair.SELDOM}",
        "+ It is contested.",
        f"~ {text} (now PMID:8259519, F1, F2, F3; before PMID:8259519, UniProt:P25054, F1, F2, F3)",
    ]
    assert edited(BEFORE, made) == {Section.GENE_FUNCTION, Section.ASSESSMENT}


def test_a_turned_verdict_is_a_change() -> None:
    made = after(turn_verdict)
    assert changes(BEFORE, made)[0] == "- involvement: supported"
    assert Section.VERDICT_ALIGNMENT in edited(BEFORE, made)


def test_a_changed_chain_is_an_edit() -> None:
    made = after(lambda d: d["mechanisms"][0].update(outcome="clonal growth"))
    assert edited(BEFORE, made) == {Section.MECHANISTIC_HYPOTHESIS}


@drawn(order=st.permutations([0, 1, 2]))
def test_an_order_of_statements_loses_nothing(order: list[int]) -> None:
    def change(written: dict[str, Any]) -> None:
        written["rationale"] = [written["rationale"][place] for place in order]

    assert losses(BEFORE, after(change), [], []) == []
    assert changes(BEFORE, after(change)) == []


@pytest.mark.parametrize("decision", ["rejected", "unanswered"])
def test_only_acceptance_excuses_a_loss(decision: Any) -> None:
    (one,) = found("high")
    given = Answer(issue="I1", decision=decision, explanation="")
    assert losses(BEFORE, after(drop_mechanism), [one], [given])
