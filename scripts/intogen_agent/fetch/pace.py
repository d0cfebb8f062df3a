"""The pace at which one service is asked."""

import asyncio
import time
from collections.abc import Awaitable, Callable

MARGIN = 1.05
"""Turns are this much further apart than asked for: requests do not travel at one speed."""


class Pace:
    """Gives turns, evenly spaced, and lets everybody wait while the service wants to be left alone.

    Args:
        per_second: Turns per second.
        clock: Seconds that never go back.
        sleep: How to wait.
    """

    def __init__(
        self,
        per_second: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._interval = MARGIN / per_second
        self._clock = clock
        self._sleep = sleep
        self._next_turn = clock()
        self._held_until = clock()

    async def turn(self) -> None:
        """Wait for the next turn."""
        while True:
            if (held := self._held_until - self._clock()) > 0:
                await self._sleep(held)
                continue
            mine = max(self._next_turn, self._clock())
            self._next_turn = mine + self._interval
            if (wait := mine - self._clock()) > 0:
                await self._sleep(wait)
            # A hold that began meanwhile is for this turn too.
            if self._held_until <= self._clock():
                return

    def hold(self, seconds: float) -> bool:
        """Give no turn for some seconds.

        Returns:
            False if turns are held for as long already.
        """
        until = self._clock() + seconds
        if until <= self._held_until:
            return False
        self._held_until = until
        return True
