"""Repair over the offline model's scripted faults: each recovers, and the record shows each try."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stage_run import ask, gathered
from tests.asgi_thread import served

from intogen_agent.errors import ErrorClass
from intogen_agent.offline.faults import KINDS, Faults
from intogen_agent.offline.faults import parse as parse_faults
from intogen_agent.offline.server import Application
from intogen_agent.report.rules import Evidence, violations

# Answers that hold no draft, and what the report says of them.
UNUSABLE = {
    "refusal": "answer-refused",
    "content-filter": "answer-refused",
    "content-filter-400": "answer-refused",
    "truncated": "answer-cut-off",
    "reasoning-length": "answer-cut-off",
    "empty": "answer-empty",
    "reasoning-only": "answer-empty",
    # Fragments of the broken object are objects of another shape.
    "bad-json": "answer-shape",
}
# What the client of the models survives by itself, so that no repair is needed.
SURVIVED = ["429", "429-date", "error-500", "error-200", "no-choices", "html", "half-body",
            "empty-body", "stream", "no-json-schema", "json-schema-ignored"]  # fmt: skip
FINAL = {
    "quota": ErrorClass.LLM_QUOTA,
    "401": ErrorClass.LLM_AUTHENTICATION,
    "context": ErrorClass.LLM_CONTEXT,
}


class Server:
    def __init__(self, url: str, faults: Faults) -> None:
        self.url, self._faults = url, faults

    def act_out(self, *specs: str) -> None:
        fresh = parse_faults(list(specs))
        self._faults.left, self._faults.shares = fresh.left, fresh.shares
        self._faults.given.clear()

    @property
    def given(self) -> int:
        return sum(self._faults.given.values())


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    faults = Faults()
    with served(Application(faults)) as port:
        yield Server(f"http://127.0.0.1:{port}/v1", faults)


@pytest.fixture
def evidence(phase1: dict[str, Any], phase2: dict[str, Any]) -> Evidence:
    return gathered(phase1, phase2)


@pytest.fixture
def server(running: Server) -> Server:
    running.act_out()
    return running


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_the_offline_model_writes_a_report_that_passes(
    tmp_path: Path, evidence: Evidence, server: Server, wire: str
) -> None:
    ended = ask(tmp_path, evidence, server.url, wire)
    assert ended.report is not None
    assert violations(ended.report, evidence=evidence) == []


@pytest.mark.parametrize("wire", ["chat", "responses"])
@pytest.mark.parametrize("fault", UNUSABLE)
def test_an_answer_without_a_draft_recovers_within_the_bound(
    tmp_path: Path, evidence: Evidence, server: Server, fault: str, wire: str
) -> None:
    server.act_out(f"{fault}:1")
    ended = ask(tmp_path, evidence, server.url, wire)
    assert ended.report is not None, ended.failure
    assert violations(ended.report, evidence=evidence) == []
    assert server.given == 1
    assert len(ended.entries) == 2, "the record shows every attempt"


@pytest.mark.parametrize("fault", UNUSABLE)
def test_faults_that_outlast_the_client_are_told_to_the_repairer(
    tmp_path: Path, evidence: Evidence, server: Server, fault: str
) -> None:
    """The client asks thrice for a shape; what it gives up on is an attempt of the report."""
    times = 1 if UNUSABLE[fault] in ("answer-refused", "answer-cut-off") else 3
    server.act_out(f"{fault}:{times}")
    ended = ask(tmp_path, evidence, server.url)
    assert ended.report is not None, ended.failure
    assert ended.report.provenance.repairs == [[UNUSABLE[fault]]]
    assert len(ended.entries) == times + 1
    assert [entry["request"]["role"] for entry in ended.entries][-1] == "repairer"
    assert "repairer" in ended.report.provenance.models


@pytest.mark.parametrize("fault", UNUSABLE)
def test_faults_without_end_fail_in_a_structured_way(
    tmp_path: Path, evidence: Evidence, server: Server, fault: str
) -> None:
    server.act_out(fault)
    ended = ask(tmp_path, evidence, server.url, report={"repairs": 2})
    assert ended.report is None and ended.rejected is None
    assert ended.failure is not None
    assert ended.failure.error in (ErrorClass.LLM_REFUSED, ErrorClass.LLM_INVALID)
    assert 3 <= len(ended.entries) <= 9


@pytest.mark.parametrize("fault", SURVIVED)
def test_faults_of_the_wire_need_no_repair(
    tmp_path: Path, evidence: Evidence, server: Server, fault: str
) -> None:
    server.act_out(f"{fault}:1")
    ended = ask(tmp_path, evidence, server.url)
    assert ended.report is not None, ended.failure
    assert ended.report.provenance.repairs == [] and server.given == 1


@pytest.mark.parametrize("fault", FINAL)
def test_faults_that_asking_again_cannot_help_end_the_stage(
    tmp_path: Path, evidence: Evidence, server: Server, fault: str
) -> None:
    server.act_out(fault)
    ended = ask(tmp_path, evidence, server.url)
    assert ended.failure is not None and ended.failure.error is FINAL[fault]
    assert len(ended.entries) == 1


def test_the_faults_tried_here_exist() -> None:
    assert {*UNUSABLE, *SURVIVED, *FINAL} <= set(KINDS)


def test_a_stage_that_is_killed_and_starts_again_repairs_nothing_twice(
    tmp_path: Path, evidence: Evidence, server: Server
) -> None:
    server.act_out("bad-json:3")
    first = ask(tmp_path, evidence, server.url)
    again = ask(tmp_path, evidence, "http://127.0.0.1:9/v1")
    assert again.report is not None and first.report is not None
    assert again.report == first.report
