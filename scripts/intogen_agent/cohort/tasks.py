"""The tasks of a run: unique gene x cancer type pairs and one pan-cancer task per gene."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from intogen_agent.cohort.cancer_types import CancerTypes
from intogen_agent.cohort.gather import Gathered, Key, gather, task_key
from intogen_agent.cohort.options import CohortOptions
from intogen_agent.cohort.paths import PAN_CANCER, cancer_path, code_problem, gene_path
from intogen_agent.cohort.rows import Dropped
from intogen_agent.cohort.selection import Selection, read_selection
from intogen_agent.cohort.statistics import Statistics, collapse
from intogen_agent.cohort.symbols import symbol_problem
from intogen_agent.errors import UserError

__all__ = ["Cohort", "Dropped", "Statistics", "Task", "build_cohort"]


@dataclass(frozen=True, slots=True)
class Task:
    """One report to make.

    Attributes:
        gene: The gene symbol.
        cancer_type: The code; CANCER for the pan-cancer task.
        cancer_name: The name of the cancer type; empty where nothing is known about the code.
        scheme: `oncotree`, `2020`, or `custom` for users' own and unknown codes.
        search_terms: Texts for literature searches; empty where nothing is known about the code.
        path: `<gene folder>/<cancer folder>`.
        task: `pair` or `pan-cancer`.
        origin: `intogen` (from a table) or `configuration` (an extra pair).
        statistics: What the tables say of the pair, if anything.
    """

    gene: str
    cancer_type: str
    cancer_name: str
    scheme: str
    search_terms: tuple[str, ...]
    path: str
    task: Literal["pair", "pan-cancer"]
    origin: str
    statistics: Statistics | None

    @property
    def gene_path(self) -> str:
        """The gene's folder."""
        return self.path.split("/")[0]

    @property
    def cancer_path(self) -> str:
        """The cancer type's folder within the gene's."""
        return self.path.split("/")[1]


@dataclass(frozen=True)
class Cohort:
    """The tasks of a run and what became of the input.

    Attributes:
        tasks: Sorted by gene; a gene's pan-cancer task is its last.
        dropped: Rows that yield nothing, with reasons.
        scheme: The code scheme of all tables together.
        notes: Lines for the user: unknown codes, values left out, selections without effect.
    """

    tasks: tuple[Task, ...]
    dropped: tuple[Dropped, ...]
    scheme: str
    notes: tuple[str, ...]


def build_cohort(
    tables: Sequence[Path], options: CohortOptions, cancer_types: CancerTypes
) -> Cohort:
    """Read driver tables and make the tasks of a run.

    Args:
        tables: intOGen's tables, copies of them, or two-column lists of genes and cancer types.
        options: The scheme, extra pairs, selections and the user's own columns and codes.
        cancer_types: The known codes.

    Raises:
        UserError: A file cannot be used, an option is impossible, or no task is left.
    """
    types = cancer_types.with_extra(options.extra_cancer_types)
    pairs = _checked(options.extra_pairs)
    if not tables and not pairs:
        raise UserError("no driver table: give drivers.tsv or Compendium_Cancer_Genes.tsv")
    gathered = gather(tables, options, types)
    scheme = gathered.scheme
    extra = {task_key(types, scheme, scheme, gene, code) for gene, code in pairs}
    selection = read_selection(options, types.known_in_any)
    keys = extra | _selected(gathered, extra, selection, options.pan_cancer)
    unmatched = selection.unmatched((gene, code) for gene, _, code in keys)
    if not keys:
        raise UserError("; ".join(["the selections leave no task", *unmatched, *gathered.notes]))
    genes = {gene for gene, _, _ in gathered.calls}
    tasks = [_task(key, gathered, types, genes) for key in keys]
    tasks.sort(key=lambda task: (task.gene, task.task == "pan-cancer", task.path))
    _check_paths(tasks)
    notes = [*gathered.notes, *unmatched, *_unnamed(tasks, gathered, types)]
    return Cohort(tuple(tasks), (*gathered.dropped, *selection.dropped), scheme, tuple(notes))


def _checked(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the trimmed extra pairs of the configuration."""
    checked = []
    for number, pair in enumerate(pairs, 1):
        gene, code = (text.strip() for text in pair)
        problem = symbol_problem(gene) or code_problem(code)
        if problem is not None:
            raise UserError(f"extra pairs, number {number}: {problem}")
        checked.append((gene, code))
    return checked


def _selected(
    gathered: Gathered, extra: set[Key], selection: Selection, pan_cancer: bool
) -> set[Key]:
    """Return the selected pairs of the tables and the pan-cancer tasks that belong to them.

    A pan-cancer task is selected like any other. Where other cancer types are selected beside
    CANCER, it belongs to the genes that have one of them.
    """
    known = {key for key in gathered.calls if key[2] != PAN_CANCER}
    pairs = {key for key in known if selection.takes(key[0], key[2])}
    if not pan_cancer:
        return pairs
    wanted = pairs if selection.by_cancer_type else {*gathered.calls}
    genes = {gene for gene, _, _ in wanted | extra}
    return pairs | {
        (gene, gathered.scheme, PAN_CANCER) for gene in genes if selection.takes(gene, PAN_CANCER)
    }


def _task(key: Key, gathered: Gathered, types: CancerTypes, genes: set[str]) -> Task:
    gene, scheme, code = key
    found = types.resolve(scheme, code)
    calls = gathered.calls.get(key, [])
    pan_cancer = code == PAN_CANCER
    from_table = bool(calls) or (pan_cancer and gene in genes)
    return Task(
        gene=gene,
        cancer_type=code,
        cancer_name=found.name if found else "",
        scheme=scheme,
        search_terms=found.search_terms if found else (),
        path=f"{gene_path(gene)}/{cancer_path(scheme, code)}",
        task="pan-cancer" if pan_cancer else "pair",
        origin="intogen" if from_table else "configuration",
        statistics=collapse(calls),
    )


def _check_paths(tasks: Iterable[Task]) -> None:
    """Refuse two tasks of one folder: a hash of six digits could, in theory, meet another."""
    seen: dict[str, Task] = {}
    for task in tasks:
        other = seen.setdefault(task.path.casefold(), task)
        if other is not task:
            raise UserError(
                f"{task.gene} {task.cancer_type} and {other.gene} {other.cancer_type} would share"
                f" the folder {task.path}; rename one of the codes"
            )


def _unnamed(tasks: Iterable[Task], gathered: Gathered, types: CancerTypes) -> list[str]:
    """Return a line for every code without a name, with the place where it first occurs."""
    notes: dict[str, str] = {}
    for task in tasks:
        if task.cancer_name or task.cancer_type in notes:
            continue
        code = task.cancer_type
        calls = gathered.of_code(task.scheme, code)
        first = min(calls, key=lambda call: (call.file, call.line), default=None)
        place = f"{first.file}, line {first.line}" if first else "extra pairs"
        hint = types.hint(code)
        notes[code] = (
            f"cancer type {code} is unknown in scheme {gathered.scheme} ({len(calls)} rows, first"
            f" in {place}); give it a name and search_terms in cancer_types.extra"
            + (f" ({hint})" if hint else "")
        )
    return [notes[code] for code in sorted(notes)]
