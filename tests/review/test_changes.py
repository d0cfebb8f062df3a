"""What a refinement changed, and that it changes nothing that no accepted issue asks for."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from tests.review import pair
from tests.review.edits import EDITS, Change, changed, drop_mechanism, rewrite, turn_verdict
from tests.review.scripted import answers, critique, draft, issue, refined, review, scripted

from intogen_agent.report.assemble import Head, assemble
from intogen_agent.report.models import FinalReport
from intogen_agent.report.wire import ReportDraft
from intogen_agent.review.changes import PARTS, changes, edited, unasked
from intogen_agent.review.models import Answer, CritiqueIssue, Section

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
        f"- assessment: {pair.SELDOM}",
        "+ assessment: It is contested.",
        f"~ gene_function: {text} (now PMID:8259519, F1, F2, F3; "
        "before PMID:8259519, UniProt:P25054, F1, F2, F3)",
    ]
    assert edited(BEFORE, made) == {Section.GENE_FUNCTION, Section.ASSESSMENT}


def test_a_turned_verdict_is_a_change() -> None:
    made = after(turn_verdict)
    shown = changes(BEFORE, made)
    assert shown[0] == "- verdict_alignment: involvement supported"
    assert "+ verdict_alignment: reason Two references only." in shown
    assert Section.VERDICT_ALIGNMENT in edited(BEFORE, made)


def test_an_outage_that_comes_or_goes_is_a_change_of_the_verdict() -> None:
    made = after(lambda d: d.update(undetermined=True))
    assert changes(BEFORE, made) == ["+ verdict_alignment: evidence could not be obtained"]
    assert unasked(BEFORE, made, [], [])


def test_a_changed_chain_is_an_edit() -> None:
    made = after(lambda d: d["mechanisms"][0].update(outcome="clonal growth"))
    assert edited(BEFORE, made) == {Section.MECHANISTIC_HYPOTHESIS}
    assert changes(BEFORE, made) == [
        f"- mechanistic_hypothesis: {pair.TCF} "
        "[APC loss > WNT target genes > growth of the epithelium]",
        f"+ mechanistic_hypothesis: {pair.TCF} [APC loss > WNT target genes > clonal growth]",
    ]


def test_a_lost_half_of_two_like_statements_is_a_change() -> None:
    """Rationale and mechanism may say the same; what goes from one of them is gone."""
    made = after(lambda d: d["rationale"].pop(1))
    assert changes(BEFORE, made) == [f"- assessment: {pair.TCF}"]
    assert edited(BEFORE, made) == {Section.ASSESSMENT}


def test_a_paper_that_goes_by_another_of_its_identifiers_is_the_same() -> None:
    data = pair.report()
    data["references"][2].update(kind="doi", id="10.1/x", also=[{"kind": "pmid", "id": "1338904"}])
    assert changes(BEFORE, pair.parsed(data)) == []


@drawn(order=st.permutations([0, 1, 2]))
def test_an_order_of_statements_loses_nothing(order: list[int]) -> None:
    def change(written: dict[str, Any]) -> None:
        written["rationale"] = [written["rationale"][place] for place in order]

    assert unasked(BEFORE, after(change), [], []) == []
    assert changes(BEFORE, after(change)) == []


@pytest.mark.parametrize("decision", ["rejected", "unanswered"])
def test_only_acceptance_excuses_a_loss(decision: Any) -> None:
    one = CritiqueIssue.model_validate({"id": "I1", **issue()})
    given = Answer(issue="I1", decision=decision, explanation="")
    assert unasked(BEFORE, after(drop_mechanism), [one], [given])


def test_a_verdict_that_turns_for_a_reason_takes_the_mechanisms_with_it() -> None:
    one = CritiqueIssue.model_validate({"id": "I1", **issue()})
    given = Answer(issue="I1", decision="accepted", explanation="Done.")
    assert one.section is Section.ASSESSMENT
    assert unasked(BEFORE, after(turn_verdict), [one], [given]) == []
    assert unasked(BEFORE, after(drop_mechanism), [one], [given])


@pytest.mark.parametrize(("change", "section"), EDITS, ids=lambda v: getattr(v, "__name__", None))
def test_a_refinement_that_accepted_nothing_changes_nothing(
    tmp_path: Path, change: Change, section: str
) -> None:
    given = refined(answers(I1="rejected: The ledger says otherwise."), changed(change))
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue("low", section="gene_function"), accept=False)],
            RefinedDraft=[given],
        ),
        max_iterations=2,
    )
    (only,) = ran.rounds
    assert only["taken"] is False and only["changes"] == []
    assert f"{section} changed and no accepted issue asks for it" in only["note"]
    before = pair.parsed(pair.report()).model_dump(mode="json")
    kept = ("gene_function", "mechanistic_hypothesis")
    assert {name: ran.reviewed[name] for name in kept} == {name: before[name] for name in kept}
    assert ran.reviewed["assessment"]["rationale"] == before["assessment"]["rationale"]


@pytest.mark.parametrize(("change", "section"), EDITS, ids=lambda v: getattr(v, "__name__", None))
def test_an_accepted_issue_excuses_its_own_section_alone(change: Change, section: str) -> None:
    given = [Answer(issue="I1", decision="accepted", explanation="Done.")]
    made = after(change)
    for asked in Section:
        one = CritiqueIssue.model_validate({"id": "I1", **issue(section=asked.value)})
        taken = unasked(BEFORE, made, [one], given) == []
        assert taken is (Section(section) in PARTS[asked]), asked


def test_the_refiner_is_told_what_it_changed_unasked(tmp_path: Path) -> None:
    nothing = answers(I1="rejected: The ledger says otherwise.")
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue()), critique()],
            RefinedDraft=[refined(nothing, changed(rewrite)), refined(nothing, draft())],
        ),
        max_iterations=4,
    )
    told = ran.script.asked("RefinedDraft")[1].record("critique")["refused"]
    assert "- assessment: APC was inactivated" in told and "+ assessment: APC inactiv" in told
    assert ran.rounds[1]["taken"] is True and ran.rounds[1]["changes"] == []
