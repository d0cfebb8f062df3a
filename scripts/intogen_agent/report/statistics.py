"""intOGen's own statistics for a pair, as a report shows them."""

from typing import Literal

from pydantic import Field

from intogen_agent.models import Record


class IntogenStatistics(Record):
    """What the drivers table says of a pair; shown to readers, never to a model.

    Attributes:
        cohorts: Cohorts in which the gene is called a driver of the cancer type.
        methods: Driver discovery methods that call it.
        qvalue_min: The smallest combined q-value of these cohorts.
        mutated_samples: Mutated samples, summed over the cohorts.
        role: The role most cohorts vote for (Act, LoF, ambiguous).
        role_votes: Cohorts per role.
        origin: `intogen` for a row of a drivers table (and the pan-cancer task of its gene),
            `configuration` for a pair that the user named.
    """

    cohorts: list[str] = Field(default_factory=list)
    methods: list[str] = Field(default_factory=list)
    qvalue_min: float | None = None
    mutated_samples: int | None = None
    role: str | None = None
    role_votes: dict[str, int] = Field(default_factory=dict)
    origin: Literal["intogen", "configuration"] = "intogen"
