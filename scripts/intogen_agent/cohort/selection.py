"""Which tasks a user wants: by gene, cancer type and list."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from intogen_agent.cohort.options import CohortOptions
from intogen_agent.cohort.paths import PAN_CANCER
from intogen_agent.cohort.rows import Dropped, read_calls
from intogen_agent.cohort.symbols import shown


@dataclass(frozen=True)
class Selection:
    """The selections, which a task must meet all; an empty one selects everything.

    Attributes:
        genes: Symbols.
        cancer_types: Codes; CANCER is the pan-cancer task.
        pairs: (gene, code) pairs of a list, or None without a list.
        dropped: Rows of the list that name no pair.
    """

    genes: frozenset[str]
    cancer_types: frozenset[str]
    pairs: frozenset[tuple[str, str]] | None
    dropped: tuple[Dropped, ...] = ()

    @property
    def by_cancer_type(self) -> bool:
        """Whether cancer types other than CANCER are selected."""
        return bool(self.cancer_types - {PAN_CANCER})

    def takes(self, gene: str, code: str) -> bool:
        """Whether the task of a gene and a code is selected."""
        return (
            (not self.genes or gene in self.genes)
            and (not self.cancer_types or code in self.cancer_types)
            and (self.pairs is None or (gene, code) in self.pairs)
        )

    def unmatched(self, tasks: Iterable[tuple[str, str]]) -> list[str]:
        """Return a line for everything selected that is the gene or code of no task."""
        found = set(tasks)
        genes, codes = {gene for gene, _ in found}, {code for _, code in found}
        return [
            *(f"selection: no task of gene {shown(gene)}" for gene in sorted(self.genes - genes)),
            *(
                f"selection: no task of cancer type {shown(code)}"
                for code in sorted(self.cancer_types - codes)
            ),
            *(
                f"selection: the list's {gene} {code} is in no table"
                for gene, code in sorted((self.pairs or frozenset()) - found)
            ),
        ]


def read_selection(options: CohortOptions, is_code: Callable[[str], bool]) -> Selection:
    """Collect the selections of the options.

    Raises:
        UserError: The list cannot be read or names no pair.
    """
    genes, codes = frozenset(options.select_genes), frozenset(options.select_cancer_types)
    if options.select_list is None:
        return Selection(genes, codes, None)
    reading = read_calls(options.select_list, {}, is_code)
    pairs = frozenset((call.gene, call.cancer_type) for call in reading.calls)
    return Selection(genes, codes, pairs, tuple(reading.dropped))
