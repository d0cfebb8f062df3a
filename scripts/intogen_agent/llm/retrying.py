"""The one retry policy of model calls: capped exponential backoff within a deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from intogen_agent.config.llm_settings import RetrySettings
from intogen_agent.llm.exchange import Exchange
from intogen_agent.llm.outcomes import Failed, FailureKind

if TYPE_CHECKING:
    from tenacity import RetryCallState

Sleep = Callable[[float], Awaitable[None]]
TRANSIENT = {FailureKind.THROTTLED, FailureKind.TIMEOUT, FailureKind.TRANSPORT}


async def retried(
    attempt: Callable[[], Awaitable[Exchange]],
    settings: RetrySettings,
    deadline: float,
    sleep: Sleep = asyncio.sleep,
) -> Exchange:
    """Repeat an attempt until it brings an answer or a lasting failure, or the attempts are over.

    Args:
        attempt: Makes one HTTP exchange.
        settings: Attempts and waits.
        deadline: Seconds for all of it; the caller enforces it.
        sleep: How to wait.
    """
    from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt, stop_before_delay
    from tenacity.wait import wait_random_exponential

    backoff = wait_random_exponential(settings.first_wait, settings.max_wait)

    def wait(state: "RetryCallState") -> float:
        # A server that asks for no wait, or for the same one from all jobs, gets some anyway.
        asked = state.outcome.result().retry_after if state.outcome else None
        return max(float(asked or 0.0), float(backoff(state)))

    retrying = AsyncRetrying(
        retry=retry_if_result(_transient),
        # A server that asks for more patience than there is left is not waited for.
        stop=stop_after_attempt(settings.attempts) | stop_before_delay(deadline),
        wait=wait,
        sleep=sleep,
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )
    result: Exchange = await retrying(attempt)
    return result


def _transient(result: Exchange) -> bool:
    return isinstance(result.reply, Failed) and result.reply.kind in TRANSIENT
