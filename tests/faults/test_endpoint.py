"""The endpoint fails: it is killed, it is gone, or a fifth of its answers are of no use."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.conftest import MakeJourney
from tests.faults.endpoint import serving
from tests.faults.journey import wait_until

pytestmark = pytest.mark.workflow


class RealEndpoint:
    """The offline model's server as a process of its own, always at the same port."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "requests.jsonl"
        self._process: subprocess.Popen[str] | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]

    def start(self) -> None:
        command = [sys.executable, "-m", "intogen_agent", "serve-offline-model"]
        command += ["--port", str(self._port), "--log", str(self._log)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("http://")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def answers(self) -> int:
        """Return how many requests to the model were answered, probes included."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return sum("completions" in json.loads(line)["path"] for line in lines)

    def llm(self, **retry: Any) -> dict[str, Any]:
        known = {"tools": "native", "structured": "json_schema"}
        url = f"http://127.0.0.1:{self._port}/v1"
        return {
            "providers": {"here": {"base_url": url, "capabilities": known}},
            "default": {"provider": "here", "model": "offline-extractive-1"},
            "retry": {"first_wait": 0.1, "max_wait": 0.3, **retry},
        }


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[RealEndpoint]:
    found = RealEndpoint(tmp_path)
    try:
        found.start()
        yield found
    finally:
        found.kill()


def test_a_run_outlives_its_endpoint_that_comes_back(
    endpoint: RealEndpoint, make_journey: MakeJourney
) -> None:
    journey = make_journey(endpoint.llm(attempts=200))
    run = journey.start("--until", "phase2")
    wait_until(lambda: endpoint.answers() >= 6)
    endpoint.kill()
    before = endpoint.answers()
    # Long enough for attempts that find nobody there.
    with pytest.raises(subprocess.TimeoutExpired):
        run.wait(2)
    endpoint.start()
    _, log = run.communicate(timeout=240)
    assert run.returncode == 0, log[-4000:]
    calls = journey.attempts()
    attempts = [word for call in calls for word in call]
    assert "transport" in attempts
    assert endpoint.answers() > before
    # Answered once each; more only for those that were lost on their way at the kill.
    lost = endpoint.answers() - len(calls)
    assert 0 <= lost <= sum(word == "transport" for word in attempts)


@pytest.mark.long
def test_an_endpoint_that_stays_away_is_a_failure_and_costs_no_answer(
    endpoint: RealEndpoint, make_journey: MakeJourney
) -> None:
    journey = make_journey(endpoint.llm(attempts=2))
    run = journey.start("--until", "phase2")
    wait_until(lambda: (journey.results / "APC/phase1.json").exists() and endpoint.answers() >= 8)
    endpoint.kill()
    run.communicate(timeout=240)
    assert run.returncode == 1
    [row] = journey.failures()
    assert (row["stage"], row["error"]) == ("phase2", "llm_unreachable")
    known = journey.answered()
    endpoint.start()
    before = endpoint.answers()
    journey.finish("--until", "phase2")
    calls = {e["key"] for e in journey.entries() if e.get("kind") == "llm" and e["replayable"]}
    assert endpoint.answers() - before == len(calls - known)
    assert journey.failures() == []


@pytest.mark.parametrize(
    ("faults", "overloaded"),
    [
        pytest.param(["429:20%"], 0, marks=pytest.mark.long),
        pytest.param(["error-500:20%"], 0, marks=pytest.mark.long),
        pytest.param([], 20, marks=pytest.mark.long),
        (["html:6%", "half-body:6%", "empty-body:4%", "no-choices:4%"], 0),
    ],
    ids=["429", "500", "529", "garbage"],
)
def test_a_fifth_of_the_answers_may_be_of_no_use(
    make_journey: MakeJourney, faults: list[str], overloaded: int
) -> None:
    with serving(faults, overloaded) as endpoint:
        journey = make_journey(endpoint.provider())
        journey.finish("--until", "phase2")
        times = endpoint.times_sent()
        assert set(times) == journey.answered()
        spoiled = times.total() - len(times)
        assert spoiled > 0
        attempts = [word for call in journey.attempts() for word in call]
        assert sum(word in ("throttled", "transport") for word in attempts) == spoiled
        assert journey.failures() == []
