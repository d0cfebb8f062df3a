"""provenance.json from the calls on record."""

from typing import Any

import pytest

from intogen_agent.config.llm_settings import Price
from intogen_agent.provenance import attributes, record
from intogen_agent.provenance.attributes import Usage
from intogen_agent.provenance.usage import usage_by_role
from intogen_agent.report.models import RoleModel

SECRET = "text of a message"
PRICE = Price(input=2, cached_input=0.2, output=8)


def llm(
    stage: str,
    number: int,
    started: str,
    seconds: float,
    usage: Usage,
    role: str = "summarizer",
    price: Price | None = None,
) -> dict[str, Any]:
    """Return an entry of a journal with what a call to a model puts into it."""
    body = {"id": "r1", "model": "m-2026", "choices": [{"finish_reason": "stop"}], "text": SECRET}
    messages = [{"role": "user", "content": SECRET}]
    sent = {"model": "m", "messages": messages, "seed": 7, "max_tokens": 100}
    meta = {
        "gen_ai.provider.name": "p",
        "outcome": "answer",
        "attempts": ["throttled", "answer"],
        "tools": "native",
        "api": "chat",
        **attributes.of_request(messages, sent, "http://gpu01:8000/v1", "chat"),
        **attributes.of_answer(body, usage),
        "failure": {"kind": "empty", "message": SECRET},
    }
    cost = attributes.price_of(usage, price)
    return {
        "stage": stage,
        "id": f"m{number}",
        "kind": "llm",
        "request": {"role": role, "provider": "p", "model": "m", "messages": messages},
        "response": body,
        "meta": meta if cost is None else {**meta, "intogen_agent.price": cost},
        "started": started,
        "seconds": seconds,
    }


LISTED = {
    "stage": "phase1",
    "id": "l1",
    "kind": "list",
    "request": {"server": "store", "command": ["x"]},
    "response": {"server": "evidence store 1.0", "tools": []},
    "meta": {"server": "store"},
    "started": "2026-11-30T09:00:00.000+00:00",
    "seconds": 0.2,
}
CALLED = {
    "stage": "phase1",
    "id": "c1",
    "kind": "tool",
    "request": {"server": "store", "tool": "gene_getter", "arguments": {"gene": "APC"}},
    "response": {"text": "raw payload", "is_error": False},
    "meta": {"server": "store", "outcome": "content"},
    "started": "2026-11-30T09:00:01.000+00:00",
    "seconds": 1.5,
}
FAILURE = {"event": "failure", "stage": "phase1", "error": "llm_quota", "message": "x"}
ENTRIES = [
    LISTED,
    CALLED,
    FAILURE,
    llm("phase1", 1, "2026-11-30T09:00:02.000+00:00", 90.25, Usage(10, 1, None, 1)),
    llm("phase1", 2, "2026-11-30T09:00:03.000+00:00", 1.0, Usage(None, 1)),
    llm("phase2", 1, "2026-11-30T10:00:00.000+00:00", 1.0, Usage(5, 1)),
]


def test_calls_are_listed_without_payloads() -> None:
    calls = record.call_records(ENTRIES)
    assert [(c.stage, c.id, c.to) for c in calls] == [
        ("phase1", "l1", "store/tools/list"),
        ("phase1", "c1", "store/gene_getter"),
        ("phase1", "m1", "p/m"),
        ("phase1", "m2", "p/m"),
        ("phase2", "m1", "p/m"),
    ]
    assert calls[1].arguments == {"gene": "APC"} and calls[1].seconds == 1.5
    assert (calls[2].role, calls[2].attempts, calls[2].outcome) == ("summarizer", 2, "answer")
    assert (calls[2].input_tokens, calls[3].input_tokens) == (10, None)
    assert not any("raw payload" in call.model_dump_json() for call in calls)


def test_a_call_that_an_earlier_run_answered_says_so() -> None:
    entry = llm("report", 1, "2026-01-01T00:00:00.000+00:00", 1.0, Usage(1, 1))
    old, new = record.call_records([{**entry, "replayed_from": "audit"}, entry])
    assert (old.replayed_from, new.replayed_from) == ("audit", None)


def test_a_phase_lasts_from_its_first_call_to_the_end_of_its_last() -> None:
    calls = record.call_records(ENTRIES)
    first, second, third = record.phases(calls, {"phase1": "f1", "phase2": "f2", "report": "f3"})
    assert (first.stage, first.fingerprint, first.calls) == ("phase1", "f1", 4)
    assert first.started == "2026-11-30T09:00:00.000+00:00"
    assert first.ended == "2026-11-30T09:01:32.250+00:00"
    assert (first.input_tokens, first.output_tokens) == (10, 2)
    assert second.ended == "2026-11-30T10:00:01.000+00:00"
    assert (third.started, third.ended, third.calls) == (None, None, 0)


def test_roles_and_servers_name_themselves() -> None:
    roles = usage_by_role(ENTRIES)
    assert roles["summarizer"].answered_by == ["m-2026"]
    assert (roles["summarizer"].calls, roles["summarizer"].input_tokens) == (3, 15)
    assert record.servers(ENTRIES) == {"store": "evidence store 1.0"}


def test_the_attributes_of_a_model_call_are_kept_and_no_text_of_it() -> None:
    [call] = record.call_records([ENTRIES[3]])
    assert call.attributes["gen_ai.response.model"] == "m-2026"
    assert call.attributes["gen_ai.provider.name"] == "p"
    assert call.attributes["gen_ai.request.seed"] == 7
    assert call.attributes["gen_ai.response.finish_reasons"] == ["stop"]
    assert call.attributes["openai.api.type"] == "chat_completions"
    assert call.attributes["server.address"] == "gpu01"
    assert len(call.attributes["intogen_agent.request.digests"]) == 1
    assert not {"outcome", "attempts", "tools", "api", "failure"} & set(call.attributes)
    assert SECRET not in call.model_dump_json()


def test_a_call_that_failed_keeps_its_kind() -> None:
    entry = llm("phase1", 1, "2026-11-30T09:00:02.000+00:00", 1, Usage())
    entry["meta"] |= {"outcome": "quota", "attempts": ["quota"], "error.type": "quota"}
    [call] = record.call_records([entry])
    assert (call.outcome, call.attempts, call.attributes["error.type"]) == ("quota", 1, "quota")
    assert (call.input_tokens, call.output_tokens, call.price) == (None, None, None)


def test_a_call_that_was_never_sent_has_no_attempt_and_a_tool_has_one() -> None:
    entry = llm("phase1", 1, "2026-11-30T09:00:02.000+00:00", 0, Usage())
    entry["meta"] |= {"outcome": "timeout", "attempts": []}
    assert [call.attempts for call in record.call_records([entry, CALLED])] == [0, 1]


def test_cached_and_reasoning_tokens_and_prices_are_summed_where_they_are_known() -> None:
    time = "2026-11-30T09:00:02.000+00:00"
    entries = [
        llm("phase1", 1, time, 1, Usage(1_000_000, 500_000, 400_000, 100), price=PRICE),
        llm("phase1", 2, time, 1, Usage(1_000_000, 0), "gene_investigator", PRICE),
        llm("phase1", 3, time, 1, Usage(7, 7, 0, 0)),
        llm("phase2", 1, time, 1, Usage(7, 7)),
    ]
    calls = record.call_records(entries)
    assert [call.price for call in calls] == [pytest.approx(5.28), 2.0, None, None]
    assert [call.cached_tokens for call in calls] == [400_000, None, 0, None]
    first, second = record.phases(calls, {"phase1": "f1", "phase2": "f2"})
    assert (first.cached_tokens, first.reasoning_tokens) == (400_000, 100)
    assert first.price == pytest.approx(7.28)
    assert (second.cached_tokens, second.reasoning_tokens, second.price) == (None, None, None)
    roles = usage_by_role(entries)
    assert (roles["summarizer"].cached_tokens, roles["summarizer"].reasoning_tokens) == (
        400_000,
        100,
    )
    assert roles["summarizer"].price == pytest.approx(5.28)
    assert (roles["gene_investigator"].cached_tokens, roles["gene_investigator"].price) == (
        None,
        2.0,
    )


def test_a_report_does_not_change_with_what_a_cache_saved() -> None:
    time = "2026-11-30T09:00:02.000+00:00"
    cold, warm = (
        usage_by_role([llm("phase1", 1, time, 1, Usage(10, 1, cached), price=PRICE)])["summarizer"]
        for cached in (0, 8)
    )
    assert cold.price != warm.price
    assert RoleModel.of(cold) == RoleModel.of(warm)
    assert RoleModel.of(cold).input_tokens == 10
