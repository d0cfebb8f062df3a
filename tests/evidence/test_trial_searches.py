"""Trials are searched where a server has them; they decide nothing on drivers."""

import json
from pathlib import Path
from typing import Any

import pytest
from phase2_world import DOWN, EMPTY, World, article, search, turn, verdict
from tests.samples import summary_bullet as bullet

from intogen_agent.evidence.models import Kind, Scope, Stance
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.models import GeneIdentity

MATCHED = "Patients with KEAP1 loss in lung adenocarcinoma were assigned to telaglenastat."
RECORD = f"# Record 1\nNct Number: NCT04265534\nStudy Title: KEAPSAKE\nBrief Summary: {MATCHED}\n"
LISTED = {"count": 1, "results": [{"nct_id": "NCT04265534", "title": "KEAPSAKE", "note": MATCHED}]}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


def trials(**more: Any) -> tuple[str, dict[str, Any]]:
    arguments = {"genes": ["KEAP1"], "conditions": ["lung adenocarcinoma"], **more}
    return "trial_search", arguments


def by_tool(trial: ToolAnswer, other: ToolAnswer = EMPTY) -> Any:
    return lambda name, _: trial if name == "trial_search" else other


def test_trials_are_offered_where_a_server_has_them(world: World) -> None:
    for there in (False, True):
        world.run(turn(search("loss")), trials=there)
        assert world.models
        offers = {one["function"]["name"]: one["function"] for one in world.models.offers}
        assert ("trial_search" in offers) is there
    assert "hypotheses" in offers["article_search"]["parameters"]["properties"]
    assert "hypotheses" not in offers["trial_search"]["parameters"]["properties"]


@pytest.mark.parametrize("text", [RECORD, json.dumps(LISTED)], ids=["markdown", "json"])
def test_a_trial_enters_the_ledger_with_its_number(world: World, text: str) -> None:
    found = world.run(
        turn(search("loss"), trials()),
        answer=by_tool(ToolAnswer("content", text)),
        bullets=[bullet(text=MATCHED, quote=MATCHED, citations=["NCT04265534"])],
        trials=True,
    )
    [item] = [one for one in found.ledger if one.kind is not Kind.NULL_RESULT]
    assert item.references == ["NCT04265534"]
    assert [(one.id, one.title) for one in found.references] == [("NCT04265534", "KEAPSAKE")]
    assert [query.call for query in found.queries] == ["c1"]
    assert [call.tool for call in found.calls] == ["article_search", "trial_search"]


def test_an_answer_without_trials_is_no_null_result(world: World) -> None:
    fine = article(1, "KEAP1 was sequenced.")
    found = world.run(turn(search("loss"), trials()), answer=by_tool(EMPTY, fine), trials=True)
    assert found.ledger == []


def test_articles_on_the_own_cancer_come_before_trials(world: World) -> None:
    found = world.run(turn(trials()), turn(search("loss")), turn(trials()), trials=True)
    assert world.models
    told = world.models.told()
    assert "own cancer (lung adenocarcinoma) first" in told[0]["error"]
    assert [call.outcome for call in found.calls] == ["empty", "empty", "refused"]


def test_a_trial_search_names_the_gene_and_writes_the_cancer_out(world: World) -> None:
    met = GeneIdentity(symbol="MET", aliases=["HGFR"])
    luad = trials(genes=["MET"], conditions=["LUAD"], keywords=["exon 14"])
    other = trials(genes=["EGFR"])
    found = world.run(
        turn(search("exon 14", genes=["MET"])), turn(luad, other), gene=met, trials=True
    )
    sent = [arguments for tool, arguments in world.toolbox.asked if tool == "trial_search"]
    assert [one["genes"] for one in sent] == [["MET"]]
    assert "lung adenocarcinoma" in sent[0]["conditions"]
    [refused] = [call for call in found.calls if call.outcome == "refused"]
    assert "does not name the gene" in (refused.error or "")


def test_a_register_that_is_down_does_not_end_the_search(world: World) -> None:
    words = [trials(keywords=[word]) for word in ("loss", "fusion", "methylation")]
    found = world.run(
        turn(search("loss")), *map(turn, words), turn(search("fusion")), answer=by_tool(DOWN),
        trials=True,
    )  # fmt: skip
    assert [query.arguments["keywords"] for query in found.queries] == [["loss"], ["fusion"]]


def test_a_register_that_is_down_hides_no_search_that_was_never_made(world: World) -> None:
    unread: tuple[str, None] = ("article_search", None)
    found = world.run(turn(unread, search("loss", genes=["EGFR"])), trials=True)
    assert [failure.error for failure in found.failures] == ["not searched"]
    answer = by_tool(DOWN, ToolAnswer("refused", "", "bad arguments"))
    found = world.run(turn(search("loss"), trials()), answer=answer, trials=True)
    assert [failure.error for failure in found.failures] == ["not searched", "upstream"]
    assert "could not be obtained" in found.hypotheses[0].note


def test_that_a_trial_exists_confirms_nothing(world: World) -> None:
    found = world.run(
        turn(search("loss"), trials()),
        answer=by_tool(ToolAnswer("content", RECORD)),
        bullets=[bullet(text=MATCHED, quote=MATCHED, citations=["NCT04265534"])],
        verdicts=[verdict("confirmed", "E2"), verdict("confirmed", "E1")],
        trials=True,
    )
    [item] = [one for one in found.ledger if one.kind is not Kind.NULL_RESULT]
    assert item.stance is Stance.NEUTRAL
    assert found.hypotheses[0].fate == "unresolved"


def test_a_register_that_is_down_leaves_the_literature_decided(world: World) -> None:
    notes = []
    for down in (EMPTY, DOWN):
        found = world.run(turn(search("loss"), trials()), answer=by_tool(down), trials=True)
        notes.append([one.note for one in found.hypotheses])
    assert [failure.tool for failure in found.failures] == ["trial_search"]
    assert notes[0] == notes[1]
    assert [item.scope for item in found.ledger] == [Scope.TARGET]
