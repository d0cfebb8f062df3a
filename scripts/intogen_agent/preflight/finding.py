"""What a check found: one line, with what to do if it failed."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    FAILED = "FAILED"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Finding:
    """One check.

    Attributes:
        about: What was looked at.
        text: What was seen; after a failure also what to do.
        failed: Whether the check failed.
    """

    state: State
    about: str
    text: str

    @property
    def failed(self) -> bool:
        """Whether a run cannot go well with this."""
        return self.state is State.FAILED

    def line(self) -> str:
        """Return the finding as a line for a terminal."""
        return f"{self.state.value:<8}{self.about}: {' '.join(self.text.split())}"


def ok(about: str, text: str) -> Finding:
    """Return a check that went well."""
    return Finding(State.OK, about, text)


def failed(about: str, problem: str, remedy: str = "") -> Finding:
    """Return a check that failed; a message that names its remedy needs no other."""
    return Finding(State.FAILED, about, f"{problem}; {remedy}" if remedy else problem)


def skipped(about: str, why: str) -> Finding:
    """Return a check that could not be made, because of another that failed."""
    return Finding(State.SKIPPED, about, why)


async def bounded(
    check: Awaitable[Sequence[Finding]], about: str, seconds: float, remedy: str
) -> list[Finding]:
    """Make a check within its deadline.

    Args:
        check: The check.
        about: What it looks at, for the finding when the time is over.
        seconds: The deadline.
        remedy: What to do when the time is over.
    """
    try:
        async with asyncio.timeout(seconds):
            return list(await check)
    except TimeoutError:
        return [failed(about, f"no answer within {seconds:.2g} s", remedy)]


async def apart(function: Callable[[], T]) -> T:
    """Call a function that may never return (a dead file server) in a thread of its own.

    The threads of asyncio are waited for at the end of the program; this one is not.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)  # type: ignore[arg-type]

    def work() -> None:
        value, problem = None, None
        try:
            value = function()
        except Exception as error:
            problem = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, problem)

    threading.Thread(target=work, daemon=True).start()
    return await future
