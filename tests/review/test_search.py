"""New evidence for a refinement: when it may be gathered, through what it goes, what is kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.review import pair
from tests.review.scripted import (
    Ran,
    answers,
    contested,
    critique,
    draft,
    issue,
    refined,
    review,
    scripted,
)

from intogen_agent.cli import main
from intogen_agent.cohort.cancer_types import default_path
from intogen_agent.config.settings import ReviewSettings
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.offline.conversation import Conversation
from intogen_agent.report.rules import Evidence, violations
from intogen_agent.review.models import CritiqueFile, CritiqueIssue
from intogen_agent.review.search import to_search
from intogen_agent.store.build import build_store

ROOT = Path(__file__).resolve().parents[2]
DONE = answers(I1="accepted: Named what was found.")
OPEN = issue(
    needs_new_evidence=True, outside_evidence=True, suggested_identifiers=["PMID:34079124"]
)
PAIR = {"genes": ["APC"], "diseases": ["colorectal cancer"], "keywords": ["mutation"]}
SEARCH = [("article_search", {**PAIR, "keywords": ["NOTUM"]})]
FETCH = [("article_fetch", {"pmid": "34079124"})]
QUOTE = "APC loss thus initiates intestinal tumours in part by a non-cell-autonomous mechanism."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the demo's records."""
    path = tmp_path_factory.mktemp("store") / "evidence.sqlite"
    build_store(ROOT / "config" / "demo" / "evidence", path, default_path())
    return path


def summary(talk: Conversation) -> dict[str, Any]:
    """Summarise a payload as a compact model would: one finding, if it is there."""
    found = QUOTE in talk.text("payload")
    bullet = {
        "text": QUOTE,
        "quote": QUOTE,
        "citations": ["PMID:34079124", "PMID:99999999"],
        "kind": "mechanism",
        "stance": "supports",
        "scope": "target",
        "system": "animal",
        "basis": "functional",
        "alteration": "mutation",
    }
    return {"bullets": [bullet] if found else []}


def with_finding() -> dict[str, Any]:
    written = draft()
    written["rationale"].append(
        {"text": f"In mice, {QUOTE}", "citations": ["PMID:34079124"], "evidence": ["R1"]}
    )
    return written


def searched(folder: Path, store: Path, **options: Any) -> Ran:
    script = scripted(
        WireCritique=[critique(OPEN), critique()],
        RefinedDraft=[refined(DONE, with_finding())],
        ToolSummary=[summary],
        turns=[SEARCH, FETCH, []],
    )
    return review(folder, script, store=store, new_evidence=True, **options)


def test_what_a_search_brings_goes_through_summaries_ledger_and_reference_manager(
    tmp_path: Path, store: Path
) -> None:
    ran = searched(tmp_path, store)
    assert ran.critique["accepted"] and ran.critique["refinement_used_tools"]
    added = CritiqueFile.model_validate(ran.critique).added
    assert added is not None
    (found,) = added.ledger
    assert (found.id, found.quote, found.references) == ("R1", QUOTE, ["PMID:34079124"])
    assert [(call.logical, call.outcome) for call in added.calls] == [
        ("article_search", "content"),
        ("article_fetch", "content"),
    ]
    known = {one.id: one for one in added.references}
    assert known["34079124"].first_seen.stage == "critique" and "99999999" not in known
    assert added.dropped == {"citation not allowed": 1}


def test_an_identifier_that_a_tool_returned_is_tracked(tmp_path: Path, store: Path) -> None:
    ran = searched(tmp_path, store)
    (cited,) = [one for one in ran.reviewed["references"] if one["id"] == "34079124"]
    assert cited["tracked"] and cited["journal"] == "Nature"
    assert cited["first_seen"]["stage"] == "critique"
    added = CritiqueFile.model_validate(ran.critique).added
    assert added is not None
    own = pair.evidence()
    assert violations(ran.report, evidence=Evidence(own.phase1, added.to(own.phase2))) == []
    assert violations(ran.report, evidence=own) != []


def test_provenance_tells_whether_refinement_invoked_tools(tmp_path: Path, store: Path) -> None:
    ran = searched(tmp_path, store)
    assert ran.reviewed["provenance"]["refinement_used_tools"] is True
    assert ran.rounds[0]["searched"] == ["I1"]
    assert ran.rounds[0]["calls"] == ["m1", "l1", "m2", "c1", "m3", "m4", "c2", "m5", "m6", "m7"]
    assert ran.rounds[1]["searched"] == []


def test_the_refiner_sees_its_own_calls_in_the_history(tmp_path: Path, store: Path) -> None:
    ran = searched(tmp_path, store)
    (asked,) = ran.script.asked("RefinedDraft")
    own = [call for call in asked.items("tool_history") if call["stage"] == "critique"]
    assert [call["summary"] for call in own] == [[], ["R1"]]
    assert QUOTE in own[1]["payload"] and "NOTUM" in own[0]["payload"]
    assert "R1" in [one["id"] for one in asked.items("ledger")]


NOT_ALLOWED = {
    "switched off": (OPEN, False),
    "of low severity": ({**OPEN, "severity": "low"}, True),
    "settled by the evidence": (issue(), True),
}


@pytest.mark.parametrize(("given", "enabled"), NOT_ALLOWED.values(), ids=NOT_ALLOWED.keys())
def test_no_new_tool_calls_for_an_issue(
    tmp_path: Path, given: dict[str, Any], enabled: bool
) -> None:
    # No store is there: a server that is started would fail the stage.
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(given, accept=False), critique()],
            RefinedDraft=[refined(DONE, contested())],
        ),
        new_evidence=enabled,
    )
    assert ran.critique["accepted"] and not ran.critique["refinement_used_tools"]
    assert ran.critique["added"] is None and ran.script.asked("tools") == []
    assert {entry["kind"] for entry in ran.entries} == {"llm"}


def test_a_concern_can_be_resolved_without_tool_calls(tmp_path: Path, store: Path) -> None:
    script = scripted(
        WireCritique=[critique(OPEN), critique()],
        RefinedDraft=[refined(DONE, contested())],
        turns=[[]],
    )
    ran = review(tmp_path, script, store=store, new_evidence=True)
    assert ran.critique["accepted"] and not ran.critique["refinement_used_tools"]


@pytest.mark.parametrize("severity", ["low", "medium", "high"])
@pytest.mark.parametrize("needed", [True, False])
@pytest.mark.parametrize("enabled", [True, False])
def test_low_severity_issues_never_trigger_new_evidence_gathering(
    severity: str, needed: bool, enabled: bool
) -> None:
    given = CritiqueIssue.model_validate({"id": "I1", **issue(severity, needs_new_evidence=needed)})
    allowed = to_search(ReviewSettings(new_evidence=enabled), [given])
    assert allowed == ([given] if enabled and needed and severity != "low" else [])


def test_calls_and_turns_have_caps_of_their_own(tmp_path: Path, store: Path) -> None:
    many = [("article_search", {**PAIR, "page": page}) for page in range(1, 6)]
    script = scripted(
        WireCritique=[critique(OPEN), critique(OPEN), critique()],
        RefinedDraft=[refined(DONE, contested())],
        ToolSummary=[{"bullets": []}],
        turns=[many, many, many],
    )
    ran = review(tmp_path, script, store=store, new_evidence=True, max_calls=3, max_iterations=3)
    assert len(ran.critique["added"]["calls"]) == 3
    tools = ran.script.asked("tools")
    assert len(tools) == 2, "one turn a round: after the cap no further one is asked for"


def test_a_call_to_another_tool_is_refused(tmp_path: Path, store: Path) -> None:
    script = scripted(
        WireCritique=[critique(OPEN), critique()],
        RefinedDraft=[refined(DONE, contested())],
        turns=[[("gene_record", {"gene": "APC"})], []],
    )
    ran = review(tmp_path, script, store=store, new_evidence=True)
    (call,) = ran.critique["added"]["calls"]
    assert call["outcome"] == "refused"


def test_a_server_that_does_not_start_fails_the_stage(tmp_path: Path) -> None:
    script = scripted(WireCritique=[critique(OPEN)])
    with pytest.raises(StageFailure) as caught:
        review(tmp_path, script, new_evidence=True)
    assert caught.value.error is ErrorClass.SERVER_FAILED


# The history.


def journalled(folder: Path, stage: str, payload: str) -> None:
    path = folder / ".journal" / f"{stage}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = {"stage": stage, "id": "c1", "kind": "tool", "response": {"text": payload}}
    path.write_text(json.dumps(entry) + "\n")


@pytest.mark.parametrize(
    ("budget", "kept"), [(10_000, [True, True]), (300, [True, False]), (0, [False, False])]
)
def test_the_refiner_gets_raw_payloads_up_to_a_budget_and_every_call(
    tmp_path: Path, budget: int, kept: list[bool]
) -> None:
    gene, own = tmp_path / "results" / "APC", tmp_path / "results" / "APC" / "COADREAD"
    journalled(gene, "phase1", "G" * 1000)
    journalled(own, "phase2", "P" * 1000)
    ran = review(
        tmp_path,
        scripted(
            WireCritique=[critique(issue()), critique()],
            RefinedDraft=[refined(DONE, contested())],
        ),
        history_tokens=budget,
    )
    (asked,) = ran.script.asked("RefinedDraft")
    calls = asked.items("tool_history")
    assert [(c["stage"], c["id"], c["tool"], c["outcome"]) for c in calls] == [
        ("phase1", "c1", "gene_record", "content"),
        ("phase1", "c2", "protein_record", "content"),
        ("phase2", "c1", "article_search", "content"),
    ]
    assert calls[0]["arguments"] == {"gene": "APC"} and calls[2]["summary"][:2] == ["E1", "E2"]
    whole = [calls[0]["payload"] == "G" * 1000, calls[2]["payload"] == "P" * 1000]
    assert whole == kept and calls[1]["payload"].startswith("left out")
    (first, _) = ran.script.asked("WireCritique")
    assert not any("payload" in call for call in first.items("tool_history"))


def test_a_reviewed_report_is_valid_by_the_evidence_that_refinement_added(
    tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = searched(tmp_path, store)
    folder = tmp_path / "files" / "COADREAD"
    folder.mkdir(parents=True)
    for path, value in (
        (folder / "reviewed.json", ran.reviewed),
        (folder / "critique.json", ran.critique),
        (folder / "phase2.json", pair.phase2()),
        (folder.parent / "phase1.json", pair.PHASE1),
    ):
        path.write_text(json.dumps(value))
    command = ["validate", str(folder / "reviewed.json"), "--evidence", str(folder)]
    assert main(command) == 0 and capsys.readouterr().out == ""
    (folder / "critique.json").write_text("{}")
    assert main(command) == 2 and "critique.json" in capsys.readouterr().err
    (folder / "critique.json").unlink()
    assert main(command) == 1 and '"rule": "evidence-exists"' in capsys.readouterr().out


def test_a_killed_refinement_goes_on_without_asking_twice(tmp_path: Path, store: Path) -> None:
    searched(tmp_path, store)
    again = searched(tmp_path, store)
    assert again.script.seen == [] and again.critique["accepted"]
