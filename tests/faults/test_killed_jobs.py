"""Jobs that are killed at random points: the journey goes on from what is on record.

INTOGEN_AGENT_KILLS says how many kills, INTOGEN_AGENT_SEED which.
"""

import os
import random
from collections import Counter

import pytest

from tests.faults.conftest import MakeJourney
from tests.faults.endpoint import Endpoint, serving
from tests.faults.journey import Journey, Killer, kill, wait_until

pytestmark = pytest.mark.workflow

KILLS = int(os.environ.get("INTOGEN_AGENT_KILLS", "4"))
SEED = int(os.environ.get("INTOGEN_AGENT_SEED", "4"))
LONGEST_WAIT = 5.0
ONE_AT_A_TIME = {"report", "critique", "summary", "render"}


def run_with_kill(journey: Journey, endpoint: Endpoint, chance: random.Random) -> str | None:
    """Run until a job is killed; return its stage, or None if the journey came to its end."""
    known, before = journey.answered(), len(endpoint.sent)
    killer = Killer(journey)
    moment = chance.choice(("time", "asked", "answered"))
    number = before + chance.randint(1, 6)

    def watch(count: int, _: str) -> None:
        if count == number:
            killer.job()

    endpoint.before = watch if moment == "asked" else None
    endpoint.after = watch if moment == "answered" else None
    process = journey.start()
    if moment == "time" and journey.await_job(process):
        killer.later(chance.uniform(0, LONGEST_WAIT), process)
    _, log = process.communicate(timeout=240)
    endpoint.settle()
    endpoint.before = endpoint.after = None
    assert process.returncode == (0 if killer.stage is None else 1), log[-4000:]
    check_start(journey, endpoint, known, before, killer.stage)
    return killer.stage


def check_start(
    journey: Journey, endpoint: Endpoint, known: set[str], before: int, stage: str | None
) -> None:
    """Check what one start has asked for, and what it has left behind when it was killed."""
    asked = [request.id for request in endpoint.sent[before:]]
    assert not known & set(asked), "an answer on record was asked for again"
    assert len(asked) == len(set(asked)), journey.attempts()
    answered = journey.answered()
    assert known <= answered
    if stage is not None:
        in_flight = set(asked) - answered
        assert len(in_flight) <= (1 if stage in ONE_AT_A_TIME else 8)
        rows = [row for row in journey.failures() if row["error"] != "blocked"]
        assert [(row["stage"], row["error"]) for row in rows] == [(stage, "interrupted")]


def check_end(journey: Journey, endpoint: Endpoint) -> None:
    """Check that the journey is whole, and that requests and record are the same."""
    journey.check_whole()
    assert set(endpoint.times_sent()) == journey.answered()
    bodies: dict[str, set[str]] = {}
    for request in endpoint.sent:
        bodies.setdefault(request.id, set()).add(request.body)
    assert all(len(same) == 1 for same in bodies.values())


def test_a_journey_killed_at_random_points_comes_to_its_end_and_asks_nothing_twice(
    make_journey: MakeJourney,
) -> None:
    chance = random.Random(SEED)
    killed: Counter[str] = Counter()
    journeys = 0
    while killed.total() < KILLS:
        with serving() as endpoint:
            journey = make_journey(endpoint.provider(), f"run{journeys}")
            journeys += 1
            stage: str | None = ""
            while stage is not None and killed.total() < KILLS:
                stage = run_with_kill(journey, endpoint, chance)
                killed.update([stage] if stage else [])
            journey.finish()
            check_end(journey, endpoint)
    print(f"{killed.total()} kills in {journeys} journeys: {dict(killed)}")


def test_a_request_in_flight_at_a_kill_is_sent_once_more_with_the_same_id(
    make_journey: MakeJourney,
) -> None:
    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        killer = Killer(journey)
        endpoint.before = lambda number, _: killer.job() if number == 3 else None
        code, _ = journey.run("--until", "phase1")
        assert (code, killer.stage) == (1, "phase1")
        endpoint.before = None
        journey.finish("--until", "phase1")
        times = endpoint.times_sent()
        again = endpoint.sent[2].id
        assert times[again] == 2
        assert {name: number for name, number in times.items() if number > 1} == {again: 2}


def test_a_killed_controller_loses_nothing(make_journey: MakeJourney) -> None:
    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        controller = []
        endpoint.before = lambda number, _: kill(controller[0].pid) if number == 6 else None
        controller.append(journey.start("--until", "phase2"))
        assert controller[0].wait(120) == -9
        # The job does not end with it, and what it has made stays.
        wait_until(lambda: next(journey.jobs(), None) is None)
        controller[0].communicate()
        journey.finish("--unlock")
        journey.finish()
        journey.check_whole()
        assert set(endpoint.times_sent().values()) == {1}
