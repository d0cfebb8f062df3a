"""How fast a run is, and what is left of time and tokens."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from intogen_agent.delivery.progress import Progress, State
from intogen_agent.delivery.tokens import Spent, Tokens, amount

LAST = 50
FEWEST_PAIRS = 5
HOUR = 3600.0
# A longer silence than this, and than many usual ones, is a pause: nothing before it counts.
PAUSE_SECONDS = 900.0
PAUSE_FACTOR = 20
# A run that was silent for longer than this was stopped, and did not stall.
RESUMED_SECONDS = 6 * 3600.0


@dataclass(frozen=True)
class Pace:
    """How much was finished lately.

    Attributes:
        unit: `pair` or `stage`.
        count: The number of finished ones that it is taken from.
        per_hour: The rate.
        left: What is still to be finished.
    """

    unit: str
    count: int
    per_hour: float
    left: int

    def lines(self) -> Iterator[str]:
        """Yield the rate and the time left, for people."""
        of = f"the last {self.count} finished"
        yield f"rate: {self.per_hour:,.1f} {self.unit}s an hour ({of})"
        if self.left:
            time = duration(self.left / self.per_hour * HOUR)
            yield f"left: {self.left:,} {_several(self.left, self.unit)}, about {time} at this rate"


def _several(number: int, unit: str) -> str:
    return unit if number == 1 else f"{unit}s"


def pace(progress: Progress, now: float) -> Pace | None:
    """Return the rate of the last finished pairs, or stages while there are few; None if unknown.

    Args:
        progress: How far the run is.
        now: Seconds since 1970.
    """
    end = now if progress.total(State.RUNNING) else None
    if len(progress.complete) >= FEWEST_PAIRS:
        times, unit, left = progress.finish_times(), "pair", progress.to_go
    else:
        times, unit = progress.stage_times(), "stage"
        left = progress.stages_to_go
    recent = since_last_pause(times)[-LAST:]
    if end is not None and recent and end - recent[-1] > RESUMED_SECONDS:
        # It has begun again; how fast it is, the next ones will tell.
        return None
    if len(recent) < 2:
        return None
    seconds = (end or recent[-1]) - recent[0]
    if seconds <= 0:
        return None
    return Pace(unit, len(recent), (len(recent) - 1) / seconds * HOUR, left)


def since_last_pause(times: Sequence[float]) -> list[float]:
    """Return the sorted times after the last long silence."""
    gaps = [later - earlier for earlier, later in pairwise(times)]
    if not gaps:
        return list(times)
    longest = max(PAUSE_SECONDS, PAUSE_FACTOR * statistics.median(gaps))
    pauses = [number for number, gap in enumerate(gaps) if gap > longest]
    return list(times[pauses[-1] + 1 :]) if pauses else list(times)


def duration(seconds: float) -> str:
    """Return a time span for people, in two units at most."""
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes:02} min"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h"


def tokens_left(used: Spent, pairs: int, genes: int) -> str | None:
    """Return what is still to be spent if all that is to come is like what is finished.

    Args:
        used: What was spent so far.
        pairs: Pairs to go.
        genes: Genes whose phase 1 is to go.
    """
    if not used.finished or not pairs:
        return None
    parts = [
        (used.pairs, pairs / used.finished),
        (used.phase1, genes / used.genes if used.genes else 0.0),
        # What has begun is paid in part.
        (used.unfinished, -1.0),
    ]

    def left(number: Callable[[Tokens], float | None]) -> float:
        return max(0.0, sum((number(tokens) or 0.0) * share for tokens, share in parts))

    read = left(lambda tokens: tokens.usage.input_tokens)
    written = left(lambda tokens: tokens.usage.output_tokens)
    text = f"about {read:,.0f} tokens in, {written:,.0f} out"
    if used.total.priced:
        text += f", price about {amount(left(lambda tokens: tokens.price))}"
    return text
