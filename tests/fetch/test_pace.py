"""The pace of requests, by a clock that the test moves."""

import asyncio

import pytest

from intogen_agent.fetch.pace import Pace
from intogen_agent.fetch.work import Progress, spread


class Clock:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        due = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, due)


@pytest.mark.parametrize("rate", [3.0, 10.0])
def test_turns_keep_the_limit_however_many_wait(rate: float) -> None:
    clock = Clock()
    pace = Pace(rate, clock, clock.sleep)
    turns: list[float] = []

    async def one(_: int) -> None:
        await pace.turn()
        turns.append(clock.now)

    asyncio.run(spread(range(40), one, 8))
    for first, later in zip(turns, turns[int(rate) :], strict=False):
        assert later - first >= 1 - 1e-6
    assert turns[-1] - turns[0] == pytest.approx(1.05 * 39 / rate, abs=0.2)


def test_a_hold_stops_everybody_and_the_longest_counts() -> None:
    clock = Clock()
    pace = Pace(1000, clock, clock.sleep)

    async def main() -> float:
        await pace.turn()
        assert pace.hold(30)
        assert not pace.hold(10)
        await asyncio.gather(*(pace.turn() for _ in range(5)))
        return clock.now

    assert asyncio.run(main()) >= 130


def test_the_first_error_stops_the_rest() -> None:
    begun: list[int] = []

    async def work(item: int) -> None:
        begun.append(item)
        await asyncio.sleep(0)
        if item == 3:
            raise KeyError(item)

    with pytest.raises(KeyError):
        asyncio.run(spread(range(1000), work, 2))
    assert len(begun) < 10


def test_progress_is_told_now_and_then() -> None:
    clock, told = Clock(), list[str]()
    progress = Progress("searches", 100, told.append, clock)
    for _ in range(100):
        clock.now += 1
        progress.step()
    assert told[0] == "searches: 10 of 100"
    assert len(told) == 9
