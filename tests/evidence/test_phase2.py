"""Phase 2, by the sentences of the seed's section of that name."""

from pathlib import Path

import pytest
from phase2_world import (
    CLOSE,
    DOWN,
    EMPTY,
    World,
    article,
    fetch,
    planned,
    search,
    turn,
    verdict,
)  # fmt: skip
from tests.samples import summary_bullet as bullet
from tests.scripted_toolbox import Arguments

from intogen_agent.config.roles import Role
from intogen_agent.errors import StageFailure
from intogen_agent.evidence.models import End, Kind, Scope
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.models import GeneIdentity

LOST = "KEAP1 loss activates NRF2 in lung adenocarcinoma."
PASSENGER = "KEAP1 mutations were passengers in lung adenocarcinoma."


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


def test_the_conversation_state_was_reset_and_the_llm_received_a_new_system_instruction(
    world: World,
) -> None:
    world.run(turn(search("loss")))
    assert world.models
    for role, messages in world.models.asked:
        assert messages[0]["role"] == "system"
        if role is Role.MECHANISM_INVESTIGATOR and len(messages) == 2:
            words = messages[0]["content"]
            for wanted in ("alteration patterns", "mechanisms of action", "for and against driver"):
                assert wanted in words
            assert messages[1]["role"] == "user"


def test_uniprot_access_was_disabled_and_literature_tools_became_available(world: World) -> None:
    world.run(turn(search("loss")))
    assert world.models
    names = [offer["function"]["name"] for offer in world.models.offers]
    assert names == ["article_search", "article_fetch"]


def test_hypotheses_key_studies_and_searches_are_structured_and_kept(world: World) -> None:
    searches = turn(search("loss", hypotheses=["H1", "H9"]), search("gain", hypotheses="H2"))
    found = world.run(searches, plans=[[planned(1), planned(2)]])
    assert [one.id for one in found.hypotheses] == ["H1", "H2"]
    assert found.hypotheses[0].expected_studies == ["a survey of truncating mutations in patients"]
    assert found.hypotheses[0].keywords == ["loss of function", "NRF2"]
    assert [one.searches for one in found.hypotheses] == [["c1"], ["c2"]]
    assert [query.hypotheses for query in found.queries] == [["H1"], ["H2"]]
    assert all("hypotheses" not in arguments for _, arguments in world.toolbox.asked)


def test_the_hypotheses_come_from_the_phase_1_functional_context(world: World) -> None:
    world.run(turn(search("loss")))
    assert world.models
    [request] = [m for role, m in world.models.asked if role is Role.HYPOTHESIS_PLANNER]
    assert "KEAP1 holds NRF2." in request[-1]["content"]


def test_a_plan_without_hypotheses_or_studies_is_asked_for_once_more(world: World) -> None:
    bare = planned(1, expected_studies=[" "])
    found = world.run(turn(search("loss")), plans=[[], [bare, bare, planned(2)]])
    assert [one.statement[-2] for one in found.hypotheses] == ["1", "2"]
    with pytest.raises(StageFailure, match="stated no hypothesis"):
        world.run(plans=[[], []])


def test_identifiers_of_a_planned_study_are_taken_out(world: World) -> None:
    study = "a screen (PMID: 12345678), doi:10.1000/x and NCT01234567 in cells"
    found = world.run(turn(search("loss")), plans=[[planned(expected_studies=[study])]])
    assert found.hypotheses[0].expected_studies == ["a screen , and in cells"]


def test_a_refused_query_says_what_to_add_and_asks_no_server(world: World) -> None:
    met = GeneIdentity(symbol="MET", aliases=["HGFR"])
    alone = ("article_search", {"genes": ["MET"], "diseases": ["lung adenocarcinoma"]})
    found = world.run(turn(alone), turn(search("exon 14", genes=["MET"])), gene=met)
    assert world.models
    first, second = world.models.told()
    assert first["outcome"] == "refused" and "HGFR" in first["error"]
    assert second["outcome"] == "empty"
    assert [call.outcome for call in found.calls] == ["empty", "refused"]
    assert len(found.queries) == 1


def test_a_completed_query_is_recorded_as_sent_and_said_to_be_completed(world: World) -> None:
    found = world.run(turn(("article_search", {"genes": ["KEAP1"], "keywords": ["loss"]})))
    [query] = found.queries
    assert query.arguments["diseases"] == world.toolbox.asked[0][1]["diseases"]
    assert query.completed and query.scope is Scope.TARGET
    assert world.models and world.models.told()[0]["completed"] == query.completed


def test_human_data_for_the_target_cancer_were_prioritized(world: World) -> None:
    other = search("loss", diseases=["melanoma"])
    found = world.run(turn(other), turn(search("loss")), turn(other))
    assert world.models
    told = world.models.told()
    assert "own cancer (lung adenocarcinoma) first" in told[0]["error"]
    assert [query.scope for query in found.queries] == [Scope.TARGET, Scope.OTHER]
    nulls = [item.scope for item in found.ledger if item.kind is Kind.NULL_RESULT]
    assert nulls == [Scope.TARGET, Scope.OTHER]
    refused = search("loss", genes=["NFE2L2"])
    again = world.run(turn(refused, other))
    assert again.queries == []
    both = world.run(turn(other, search("loss")))
    assert [query.scope for query in both.queries] == [Scope.OTHER, Scope.TARGET]


def test_a_target_search_without_an_answer_does_not_open_the_others(world: World) -> None:
    other = search("loss", diseases=["melanoma"])

    def answer(_: str, arguments: Arguments) -> ToolAnswer:
        return EMPTY if arguments["diseases"] == ["melanoma"] else DOWN

    fine = search("loss", genes=["INrf2"])
    found = world.run(turn(search("loss"), fine), turn(other), answer=answer)
    assert [query.scope for query in found.queries] == [Scope.TARGET, Scope.TARGET]
    turns = [turn(search(word)) for word in ("loss", "promoter methylation", "fusion")]
    found = world.run(*turns, turn(other), answer=answer)
    assert [query.outcome for query in found.queries] == ["failed"] * 3 + ["empty"]
    assert found.search and found.search.reason is End.CLOSED


def test_up_to_two_additional_attempts_with_adjusted_queries_before_a_failure_was_recorded(
    world: World,
) -> None:
    fine = search("metabolism")
    found = world.run(
        turn(search("loss", hypotheses=["H1"]), fine),
        turn(search("loss of function", hypotheses=["H1"])),
        turn(search("truncating", hypotheses=["H1"])),
        turn(search("nonsense", hypotheses=["H1"]), search("copy number")),
        answer=lambda _, a: EMPTY if {"metabolism", "copy number"} & {*a["keywords"]} else DOWN,
    )
    [failure] = found.failures
    assert (failure.tool, failure.attempts, failure.error) == ("article_search", 3, "upstream")
    assert failure.calls == ["c1", "c3", "c4"]
    assert [(q.call, q.attempt, q.adjusts) for q in found.queries if q.outcome == "failed"] == [
        ("c1", 1, None),
        ("c3", 2, "c1"),
        ("c4", 3, "c3"),
    ]
    assert world.models
    notes = world.models.told()
    assert "2 further attempts" in notes[0]["note"] and "leave it" in notes[3]["note"]
    assert notes[4]["outcome"] == "refused" and "tried 3 times" in notes[4]["error"]
    assert found.queries[-1].arguments["keywords"] == ["copy number"]


def test_an_adjusted_query_that_is_answered_leaves_no_failure(world: World) -> None:
    found = world.run(
        turn(search("loss")),
        turn(search("loss", "NRF2")),
        answer=lambda _, a: EMPTY if "NRF2" in a["keywords"] else DOWN,
    )
    assert found.failures == []
    assert [query.outcome for query in found.queries] == ["failed", "empty"]
    assert found.queries[1].adjusts == "c1"


def test_a_failed_call_may_be_made_again_as_it_is(world: World) -> None:
    answers = iter([EMPTY, DOWN, article(1, LOST)])
    found = world.run(
        turn(search("loss"), fetch("1")), turn(fetch("1")), answer=lambda *_: next(answers)
    )
    assert found.failures == []
    assert [call.outcome for call in found.calls] == ["empty", "failed", "content"]


def test_null_or_contradictory_results_were_explicitly_recorded(world: World) -> None:
    mixed = "KEAP1 loss did not change survival in lung adenocarcinoma."
    bullets = [bullet(mixed, kind="contradiction", stance="neutral", basis="clinical")]
    found = world.run(
        turn(search("loss"), search("survival")),
        answer=lambda _, a: article(7, mixed) if "survival" in a["keywords"] else EMPTY,
        bullets=bullets,
        verdicts=[verdict("unresolved")],
    )
    kinds = {item.kind: item for item in found.ledger}
    assert kinds[Kind.CONTRADICTION].references == ["PMID:7"]
    null = kinds[Kind.NULL_RESULT]
    assert null.statement == (
        "A literature search found no article (diseases: lung adenocarcinoma; genes: KEAP1; "
        "keywords: loss)."
    )
    assert (null.references, null.call) == (["TOOL:article_search"], "c1")


def test_for_cancer_the_hypotheses_are_the_genes_own_and_every_cancer_is_the_target(
    world: World,
) -> None:
    uveal = "KEAP1 loss activates NRF2 in uveal melanoma."
    found = world.run(
        turn(("article_search", {"genes": ["KEAP1"], "keywords": ["loss"]})),
        answer=article(3, uveal),
        bullets=[bullet(uveal, scope="other")],
        code="CANCER",
        verdicts=[verdict("confirmed", "E1")],
    )
    [item] = found.ledger
    assert (item.scope, item.cancers) == (Scope.TARGET, ["uveal melanoma"])
    assert found.hypotheses[0].fate == "confirmed"
    assert world.toolbox.asked[0][1]["diseases"] == ["cancer", "tumor", "neoplasm"]
    assert world.models
    assert not any("Any Cancer Type" in str(messages) for _, messages in world.models.asked)


def test_independent_calls_run_concurrently(world: World) -> None:
    world.run(turn(search("loss"), search("gain"), search("fusion")))
    assert world.toolbox.most == 3


def test_repeated_identical_calls_are_served_from_memory(world: World) -> None:
    again = {
        "genes": "keap1",
        "diseases": ["Pulmonary Adenocarcinoma", "lung  adenocarcinoma"],
        "keywords": ["NRF2", "loss"],
        "variants": [],
        "page": 1,
    }
    first = search("loss", "NRF2", diseases=["lung adenocarcinoma", "pulmonary adenocarcinoma"])
    found = world.run(turn(first, first), turn(("article_search", again)))
    assert len(found.calls) == len(found.queries) == 1
    assert world.models
    told = world.models.told()
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize(
    ("limits", "reason", "turns", "calls"),
    [
        ({}, End.CLOSED, 4, 3),
        ({"max_turns": 2}, End.TURNS, 2, 2),
        ({"max_calls": 2}, End.CALLS, 2, 2),
        ({"max_tokens": 5000}, End.TOKENS, 2, 2),
        ({"max_tokens": 1}, End.TOKENS, 1, 1),
    ],
    ids=["closed", "turns", "calls", "tokens", "first turn"],
)
def test_hard_caps_on_turns_calls_and_tokens_end_the_search_and_are_recorded(
    world: World, limits: dict[str, int], reason: End, turns: int, calls: int
) -> None:
    found = world.run(
        *(turn(search(word)) for word in ("loss", "gain", "fusion")), usage=2000, **limits
    )
    assert found.search
    assert (found.search.reason, found.search.turns, found.search.calls) == (reason, turns, calls)
    assert found.search.tokens == 2000 * turns


def test_tokens_that_no_server_counts_are_estimated(world: World) -> None:
    found = world.run(turn(search("loss")), max_tokens=100)
    assert found.search and found.search.reason is End.TOKENS and found.search.tokens > 100


def test_a_dark_search_ends_and_says_so(world: World) -> None:
    words = ("loss", "gain", "fusion", "methylation")
    found = world.run(*(turn(search(word)) for word in words), answer=DOWN)
    assert found.search and (found.search.reason, found.search.turns) == (End.DARK, 4)
    assert [failure.attempts for failure in found.failures] == [1, 1, 1, 1]
    assert found.hypotheses[0].fate == "unresolved"
    assert "could not be obtained" in found.hypotheses[0].note
    assert found.ledger == []


def test_a_search_that_was_never_made_is_a_failure_and_no_absence(world: World) -> None:
    found = world.run(CLOSE, CLOSE)
    assert [(f.error, f.attempts) for f in found.failures] == [("not searched", 0)]
    assert "could not be obtained" in found.hypotheses[0].note


def test_answered_empty_searches_leave_the_hypotheses_unresolved_without_evidence(
    world: World,
) -> None:
    found = world.run(turn(search("loss")), verdicts=[verdict("refuted", "E1")])
    assert found.hypotheses[0].note == "no evidence was found that decides it"
    assert found.failures == []


def test_every_hypothesis_ends_with_a_fate_and_the_items_that_decide_it(world: World) -> None:
    found = world.run(
        turn(search("loss")),
        answer=article(5, f"{LOST} {PASSENGER}"),
        plans=[[planned(1), planned(2), planned(3)]],
        bullets=[
            bullet(LOST),
            bullet(PASSENGER, stance="refutes", kind="null_result"),
        ],
        verdicts=[
            verdict("confirmed", "E1", "E2", number=1),
            verdict("confirmed", "E2", number=2),
        ],
    )
    first, second, third = found.hypotheses
    assert (first.fate, first.evidence, first.against) == ("confirmed", ["E1"], ["E2"])
    assert (second.fate, second.stated_fate) == ("unresolved", "confirmed")
    assert "do not support" in second.note
    assert (third.fate, third.note) == ("unresolved", "the model gave no verdict")
