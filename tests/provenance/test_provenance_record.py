"""provenance.json from the calls on record."""

from typing import Any

from intogen_agent.provenance import record


def llm(
    stage: str, number: int, started: str, seconds: float, tokens: int | None
) -> dict[str, Any]:
    return {
        "stage": stage,
        "id": f"m{number}",
        "kind": "llm",
        "request": {"role": "summarizer", "provider": "p", "model": "m"},
        "response": {"choices": []},
        "meta": {
            "outcome": "answer",
            "attempts": ["throttled", "answer"],
            "answered_by": "m-2026",
            "usage": {"input_tokens": tokens, "output_tokens": 1, "cached_tokens": None},
        },
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
    llm("phase1", 1, "2026-11-30T09:00:02.000+00:00", 90.25, 10),
    llm("phase1", 2, "2026-11-30T09:00:03.000+00:00", 1.0, None),
    llm("phase2", 1, "2026-11-30T10:00:00.000+00:00", 1.0, 5),
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
    roles = record.roles(ENTRIES)
    assert roles["summarizer"].answered_by == ["m-2026"]
    assert (roles["summarizer"].calls, roles["summarizer"].input_tokens) == (3, 15)
    assert record.servers(ENTRIES) == {"store": "evidence store 1.0"}
