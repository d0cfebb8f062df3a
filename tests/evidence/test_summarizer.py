"""From tool answers to ledger items, with a model that answers as it is told."""

import asyncio
import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from intogen_agent.config.roles import Role
from intogen_agent.errors import StageFailure
from intogen_agent.evidence.ledger import Ledger
from intogen_agent.evidence.references import ReferenceManager
from intogen_agent.evidence.summaries import Material, Summarizer
from intogen_agent.evidence.wire import ToolSummary
from intogen_agent.llm.outcomes import Failed, FailureKind, Message, Structured

FINDING = "APC degrades beta-catenin in normal cells."
PAYLOAD = f"PMID:15355978 {FINDING}"
Reply = ToolSummary | Failed


def bullet(quote: str, **more: Any) -> dict[str, Any]:
    return {
        "text": "APC degrades beta-catenin.",
        "citations": ["PMID:15355978"],
        "quote": quote,
        "kind": "function",
        "stance": "supports",
        "scope": "pan-cancer",
        "system": "cell line",
        "basis": "functional",
        "alteration": "none",
        **more,
    }


def summary(*quotes: str) -> ToolSummary:
    return ToolSummary.model_validate({"bullets": [bullet(quote) for quote in quotes]})


class Scripted:
    """Models that answer what a function says; they keep what they were asked."""

    def __init__(self, answer: Callable[[list[Message]], Reply]) -> None:
        self._answer = answer
        self.asked: list[list[Message]] = []

    async def structured(self, role: Role, messages: Any, shape: Any) -> Any:
        assert role is Role.SUMMARIZER
        assert shape is ToolSummary
        self.asked.append(messages)
        number = len(self.asked)
        answer = self._answer(messages)
        # The later the question, the sooner the answer.
        for _ in range(50 - number):
            await asyncio.sleep(0)
        return answer if isinstance(answer, Failed) else Structured(answer, "", f"request {number}")


def in_turn(*replies: Reply) -> Callable[[list[Message]], Reply]:
    left = list(replies)
    return lambda _: left.pop(0)


def summarizer(models: Any, limit: int = 10_000, retries: int = 1) -> Summarizer:
    task = {"gene": "APC", "cancer": None}
    return Summarizer(models, ReferenceManager(), Ledger("F"), "phase1", task, limit, retries)


def run(layer: Summarizer, *payloads: str) -> list[list[str]]:
    """Return the quotes of each payload's items."""
    materials = [
        Material("article_searcher", f"c{number}", payload, payload)
        for number, payload in enumerate(payloads, start=1)
    ]
    found = asyncio.run(layer.summarize(materials))
    return [[item.quote for item in items] for items in found]


def records(*texts: str) -> str:
    return json.dumps(
        {"results": [{"pmid": str(n), "abstract": text} for n, text in enumerate(texts, start=1)]}
    )


def shown(messages: list[Message]) -> str:
    text: str = messages[1]["content"]
    return text.partition("<payload")[2]


def test_a_request_that_brought_nothing_is_remembered() -> None:
    models = Scripted(in_turn(summary(FINDING), summary("It is a great gene."), summary()))
    layer = summarizer(models)
    assert run(layer, PAYLOAD, PAYLOAD) == [[FINDING], []]
    assert layer.fruitless == ["request 2", "request 3"]


def test_a_summary_of_which_nothing_holds_is_asked_for_once_more_with_the_reasons() -> None:
    models = Scripted(in_turn(summary("APC is a great gene."), summary(FINDING)))
    layer = summarizer(models)
    assert run(layer, PAYLOAD) == [[FINDING]]
    assert layer.fruitless == []
    first, second = models.asked
    assert second[: len(first)] == first
    said, complaint = second[len(first) :]
    assert ToolSummary.model_validate_json(said["content"]).bullets[0].quote
    assert "quote not in the payload" in complaint["content"]
    assert "APC is a great gene." in complaint["content"]


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_asking_again_is_bounded(retries: int) -> None:
    models = Scripted(lambda _: summary("nowhere"))
    layer = summarizer(models, retries=retries)
    assert run(layer, PAYLOAD) == [[]]
    assert len(models.asked) == len(layer.fruitless) == retries + 1
    assert all(a["role"] != b["role"] for m in models.asked for a, b in pairwise(m))


def test_an_answer_without_findings_is_an_answer() -> None:
    models = Scripted(lambda _: summary())
    assert run(summarizer(models), PAYLOAD) == [[]]
    assert len(models.asked) == 1


def test_one_bullet_that_holds_is_enough() -> None:
    models = Scripted(lambda _: summary("nowhere", FINDING))
    assert run(summarizer(models), PAYLOAD) == [[FINDING]]
    assert len(models.asked) == 1


def test_a_model_that_cannot_answer_a_second_time_costs_nothing_but_the_bullet() -> None:
    broken = Failed(FailureKind.INVALID, "no JSON", requests=["request x"])
    layer = summarizer(Scripted(in_turn(summary("nowhere"), broken)))
    assert run(layer, PAYLOAD) == [[]]
    assert layer.fruitless == ["request 1", "request x"]


def test_an_unreachable_model_ends_the_stage() -> None:
    for replies in ([], [summary("nowhere")]):
        models = Scripted(in_turn(*replies, Failed(FailureKind.QUOTA, "paid out")))
        with pytest.raises(StageFailure, match="paid out"):
            run(summarizer(models), PAYLOAD)


# Order.


def test_items_are_numbered_in_the_order_of_the_answers_whatever_comes_first() -> None:
    texts = [f"Loss of APC activates pathway W{n}." for n in range(6)]
    payloads = [records(*texts[:3]), records(*texts[3:])]

    def answer(messages: list[Message]) -> ToolSummary:
        return summary(*(text for text in texts if text in shown(messages)))

    layer = summarizer(Scripted(answer), limit=120)
    task = [Material("t", f"c{n}", payload, payload) for n, payload in enumerate(payloads, 1)]
    found = asyncio.run(layer.summarize(task))
    assert [[item.quote for item in items] for items in found] == [texts[:3], texts[3:]]
    assert [item.id for items in found for item in items] == ["F1", "F2", "F3", "F4", "F5", "F6"]


def test_a_finding_of_the_second_attempt_is_numbered_where_its_answer_stands() -> None:
    other = "Loss of APC activates Wnt signalling."
    models = Scripted(in_turn(summary("nowhere"), summary(other), summary(FINDING)))
    layer = summarizer(models)
    found = asyncio.run(
        layer.summarize([Material("t", "c1", PAYLOAD, PAYLOAD), Material("t", "c2", other, other)])
    )
    assert [[(i.id, i.quote) for i in items] for items in found] == [
        [("F1", FINDING)],
        [("F2", other)],
    ]


# Long answers.


def test_payloads_beyond_the_limit_are_asked_about_in_parts_of_whole_records() -> None:
    texts = [f"Loss of APC activates pathway W{n} in cells." for n in range(5)]
    models = Scripted(lambda m: summary(*(text for text in texts if text in shown(m))))
    assert run(summarizer(models, limit=250), records(*texts)) == [texts]
    assert len(models.asked) > 1
    assert sum(shown(m).count('"pmid"') for m in models.asked) == 5


def test_a_part_cites_its_records_and_not_its_neighbours() -> None:
    texts = [f"Loss of APC activates pathway W{n} in cells." for n in range(4)]
    cites_the_first = ToolSummary.model_validate(
        {"bullets": [bullet(text, text=text, citations=["PMID:1"]) for text in texts]}
    )
    layer = summarizer(Scripted(lambda _: cites_the_first), limit=250, retries=0)
    payload = records(*texts)
    (items,) = asyncio.run(layer.summarize([Material("t", "c1", payload, payload)]))
    assert {item.quote: item.references for item in items} == {
        text: [f"PMID:{n}"] for n, text in enumerate(texts, start=1)
    }


@pytest.mark.parametrize("kind", [FailureKind.CONTEXT_OVERFLOW, FailureKind.CUT_OFF])
def test_a_part_that_is_too_long_for_the_model_is_halved(kind: FailureKind) -> None:
    texts = [f"Loss of APC activates pathway W{n}. {'It is so. ' * 40}" for n in range(6)]
    quotes = [text.partition(" It")[0] for text in texts]

    def answer(messages: list[Message]) -> Reply:
        if len(shown(messages)) > 1000:
            return Failed(kind, "too long")
        return summary(*(quote for quote in quotes if quote in shown(messages)))

    models = Scripted(answer)
    assert run(summarizer(models), records(*texts)) == [quotes]


def test_a_single_record_that_is_too_long_for_the_model_keeps_its_identity_in_every_piece() -> None:
    sentences = [f"Loss of APC activates pathway W{n} in tumour cells of mice." for n in range(60)]
    payload = records(" ".join(sentences))

    def answer(messages: list[Message]) -> Reply:
        if len(shown(messages)) > 1500:
            return Failed(FailureKind.CONTEXT_OVERFLOW, "too long")
        assert "Pmid: 1\n" in shown(messages)
        return summary(*(one for one in sentences if one in shown(messages)))

    layer = summarizer(Scripted(answer))
    (items,) = asyncio.run(layer.summarize([Material("t", "c1", payload, payload)]))
    assert [item.quote for item in items] == sentences
    assert {tuple(item.references) for item in items} == {("PMID:1",)}


def test_a_model_too_small_for_anything_ends_the_stage() -> None:
    models = Scripted(lambda _: Failed(FailureKind.CONTEXT_OVERFLOW, "too long"))
    with pytest.raises(StageFailure, match="context overflow"):
        run(summarizer(models), records(*["Loss of APC activates Wnt." * 20] * 20))
    assert len(models.asked) < 40


def test_what_no_cut_brings_within_the_limit_is_a_structured_failure() -> None:
    blob = "QUJD" * 200
    payload = json.dumps([{"pmid": "15355978", "abstract": FINDING, "full_text": blob}])
    layer = summarizer(Scripted(lambda _: summary(FINDING)), limit=400)
    assert run(layer, payload) == [[FINDING]]
    (failure,) = layer.failures
    assert (failure.tool, failure.error) == ("article_searcher", "oversized")
    assert "800 characters" in failure.message
    assert "call c1" in failure.message
