"""Many questions: a few at a time, with a word now and then on how far they are."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
Tell = Callable[[str], None]


async def spread(items: Iterable[T], work: Callable[[T], Awaitable[None]], width: int) -> None:
    """Work on items, a few at a time; an item is taken only when a place is free.

    Raises:
        BaseException: What a piece of work raised; the others are cancelled.
    """
    waiting = iter(items)

    async def place() -> None:
        for item in waiting:
            await work(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(width):
                group.create_task(place())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


class Progress:
    """Says how far something is, at most every few seconds."""

    def __init__(
        self, what: str, total: int, tell: Tell, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._total, self._tell, self._clock = what, total, tell, clock
        self._done = 0
        self._next = clock() + 10

    def step(self) -> None:
        """Count one more."""
        self._done += 1
        if self._clock() >= self._next and self._done < self._total:
            self._next = self._clock() + 10
            self._tell(f"{self._what}: {self._done:,} of {self._total:,}")
