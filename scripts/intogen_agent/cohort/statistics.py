"""What intOGen says about a pair, over its cohorts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from intogen_agent.cohort.rows import Call

_ROLES = ("Act", "LoF", "ambiguous")


@dataclass(frozen=True, slots=True)
class Statistics:
    """intOGen's statistics of a pair.

    Attributes:
        cohorts: The cohorts in which the gene is a driver, sorted.
        methods: The significant methods of any cohort, sorted.
        qvalue_min: The smallest q-value.
        mutated_samples: The sum of mutated samples over the cohorts (which may share donors).
        role: `Act`, `LoF` or `ambiguous`: the role with most votes, `ambiguous` on a tie, empty
            without votes. Weak evidence: from 2023 on it is a per-cohort dN/dS call.
        role_votes: (role, number of cohorts) in the order Act, LoF, ambiguous; none with zero.
    """

    cohorts: tuple[str, ...]
    methods: tuple[str, ...]
    qvalue_min: float | None
    mutated_samples: int | None
    role: str
    role_votes: tuple[tuple[str, int], ...]


def collapse(calls: Sequence[Call]) -> Statistics | None:
    """Summarise the calls of one pair; None where they hold no statistics (plain lists)."""
    samples = [call.samples for call in calls if call.samples is not None]
    votes = Counter(call.role for call in calls if call.role)
    statistics = Statistics(
        cohorts=tuple(sorted({call.cohort for call in calls if call.cohort})),
        methods=tuple(sorted({method for call in calls for method in call.methods})),
        qvalue_min=min((call.qvalue for call in calls if call.qvalue is not None), default=None),
        mutated_samples=sum(samples) if samples else None,
        role=_winner(votes),
        role_votes=tuple((role, votes[role]) for role in _ROLES if votes[role]),
    )
    return None if statistics == Statistics((), (), None, None, "", ()) else statistics


def _winner(votes: Counter[str]) -> str:
    if not votes:
        return ""
    most = max(votes.values())
    leaders = [role for role, count in votes.items() if count == most]
    return leaders[0] if len(leaders) == 1 else "ambiguous"
