"""Two controllers at once: Snakemake's lock keeps them apart, and without it the lease does."""

import threading

import pytest

from tests.faults.conftest import MakeJourney
from tests.faults.endpoint import serving

pytestmark = pytest.mark.workflow


@pytest.mark.long
def test_a_second_controller_does_not_work_on_the_same_stage(make_journey: MakeJourney) -> None:
    reached, release = threading.Event(), threading.Event()

    def hold(number: int, _: str) -> None:
        if number == 7:
            reached.set()
            release.wait(120)

    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        endpoint.before = hold
        first = journey.start("--until", "phase2")
        try:
            assert reached.wait(60)
            code, log = journey.run("--until", "phase2")
            assert code != 0 and "LockException" in log
            sent = len(endpoint.sent)
            code, log = journey.run("--until", "phase2", "--nolock")
            assert code == 1
            [row] = journey.failures()
            assert row["error"] == "busy"
            assert len(endpoint.sent) == sent
        finally:
            release.set()
        _, log = first.communicate(timeout=240)
        assert first.returncode == 0, log[-4000:]
        journey.finish("--until", "phase2")
        journey.check_valid("phase1.json", "phase2.json")
        assert set(endpoint.times_sent().values()) == {1}
