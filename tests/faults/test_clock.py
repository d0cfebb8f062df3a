"""File times from a clock that ran ahead, or was set back, cost jobs at most, never a call."""

import os
import time

import pytest

from tests.faults.conftest import MakeJourney
from tests.faults.endpoint import serving

pytestmark = pytest.mark.workflow

DAY = 86_400.0
PHASE2 = ("--until", "phase2")


@pytest.mark.long
@pytest.mark.parametrize(
    "days",
    [pytest.param(1, id="ahead"), pytest.param(-1, id="behind")],
)
def test_file_times_of_another_day_cost_no_call(make_journey: MakeJourney, days: int) -> None:
    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        journey.finish(*PHASE2)
        moment = time.time() + days * DAY
        os.utime(journey.results / "APC" / "phase1.json", (moment, moment))
        sent = len(endpoint.sent)
        journey.finish(*PHASE2)
        journey.finish(*PHASE2)
        journey.check_valid("phase1.json", "phase2.json")
        assert len(endpoint.sent) == sent
