"""What a user can ask of the cohort, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

COLUMN_KEYS = ("gene", "cancer_type", "cohort", "methods", "qvalue", "samples", "role")
"""The keys of the configuration's `columns`."""


@dataclass(frozen=True, slots=True)
class ExtraCancerType:
    """A cancer type from the configuration (`cancer_types.extra`).

    Attributes:
        code: The code as the tables write it.
        name: What people call it; without one, the first search term.
        search_terms: Texts for literature searches; without any, the lower-case name.
        scheme: `custom`, or the scheme in which the code is added or replaced.
        parent: The code of the broader type, or an empty text.
    """

    code: str
    name: str = ""
    search_terms: tuple[str, ...] = ()
    scheme: str = "custom"
    parent: str = ""


@dataclass(frozen=True, slots=True)
class CohortOptions:
    """How tables become tasks.

    Attributes:
        scheme: `auto` (from the codes), `2020`, `oncotree` or `custom`.
        pan_cancer: Whether genes get a pan-cancer task.
        extra_pairs: (gene, cancer type) pairs that are kept whatever the tables and selections say.
        select_genes: Keep only these symbols (empty: all).
        select_cancer_types: Keep only these codes (empty: all); CANCER is the pan-cancer task.
        select_cohorts: Use only rows of these cohorts (empty: all).
        select_list: A two-column file (gene, cancer type) of the tasks to keep.
        columns: A key of `COLUMN_KEYS` -> the header in the user's file.
        extra_cancer_types: Codes of the user's own.
    """

    scheme: str = "auto"
    pan_cancer: bool = True
    extra_pairs: tuple[tuple[str, str], ...] = ()
    select_genes: tuple[str, ...] = ()
    select_cancer_types: tuple[str, ...] = ()
    select_cohorts: tuple[str, ...] = ()
    select_list: Path | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    extra_cancer_types: tuple[ExtraCancerType, ...] = ()
