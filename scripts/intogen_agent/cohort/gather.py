"""Reading all tables of a run: schemes, repeated rows, and the calls of every pair."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from intogen_agent.cohort.cancer_types import CancerTypes
from intogen_agent.cohort.options import CohortOptions
from intogen_agent.cohort.paths import PAN_CANCER, SUFFIXES
from intogen_agent.cohort.rows import Call, Dropped, Reading, read_calls
from intogen_agent.cohort.symbols import shown
from intogen_agent.errors import UserError

Key = tuple[str, str, str]
"""Gene, scheme, code: what makes a task."""


@dataclass
class Gathered:
    """What all tables gave.

    Attributes:
        scheme: The scheme of all tables together.
        calls: The calls of every pair; CANCER rows are under the run's scheme.
        dropped: Rows that yield nothing.
        notes: Lines for the user.
    """

    scheme: str
    calls: dict[Key, list[Call]] = field(default_factory=lambda: defaultdict(list))
    dropped: list[Dropped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of_code(self, scheme: str, code: str) -> list[Call]:
        """Return all calls of a cancer type."""
        found = (calls for key, calls in self.calls.items() if key[1:] == (scheme, code))
        return [call for calls in found for call in calls]


def gather(tables: Sequence[Path], options: CohortOptions, types: CancerTypes) -> Gathered:
    """Read tables and sort their calls by gene, scheme and code.

    The scheme is detected for each table, since the same code can mean different cancers in the
    two schemes; a table whose codes fit both follows the others.

    Raises:
        UserError: A table cannot be used, or an option is impossible.
    """
    if options.scheme not in ("auto", *SUFFIXES):
        raise UserError(f"scheme: {shown(options.scheme)} is none of auto, {', '.join(SUFFIXES)}")
    readings = [read_calls(path, options.columns, types.known_in_any) for path in tables]
    _check_columns(tables, readings, options.columns)
    codes = [{call.cancer_type for call in reading.calls} for reading in readings]
    scheme = options.scheme
    if scheme == "auto":
        every = set().union(*codes) or {code.strip() for _, code in options.extra_pairs}
        scheme = types.detect(every)
    gathered = Gathered(scheme)
    schemes = [
        types.detect(found, scheme) if options.scheme == "auto" else scheme for found in codes
    ]
    if len(set(schemes)) > 1:
        each = ", ".join(f"{path} {own}" for path, own in zip(tables, schemes, strict=True))
        gathered.notes.append(
            f"the tables use different code schemes ({each}): one cancer may occur under two codes"
        )
    sorter = _Sorter(gathered, options, types)
    for reading, own in zip(readings, schemes, strict=True):
        start = len(gathered.dropped)
        gathered.dropped += reading.dropped
        gathered.notes += reading.notes
        sorter.sort(reading.calls, own)
        gathered.dropped[start:] = sorted(gathered.dropped[start:], key=lambda row: row.line)
    for cohort in sorted(set(options.select_cohorts) - sorter.cohorts):
        gathered.notes.append(f"selection: cohort {shown(cohort)} is in no table")
    return gathered


def task_key(types: CancerTypes, run_scheme: str, scheme: str, gene: str, code: str) -> Key:
    """Return the key of a gene and a code: unknown codes belong to the scheme `custom`."""
    if code == PAN_CANCER:
        return gene, run_scheme, PAN_CANCER
    found = types.resolve(scheme, code)
    return gene, found.scheme if found else "custom", code


class _Sorter:
    """Puts calls under their keys, once each."""

    def __init__(self, gathered: Gathered, options: CohortOptions, types: CancerTypes) -> None:
        self.cohorts: set[str] = set()
        self._gathered = gathered
        self._options = options
        self._types = types
        self._seen: dict[tuple[Key, str | tuple[str, ...]], int] = {}

    def sort(self, calls: Sequence[Call], scheme: str) -> None:
        """Sort a table's calls, which are in this scheme."""
        for call in calls:
            self.cohorts.add(call.cohort)
            if self._options.select_cohorts and call.cohort not in self._options.select_cohorts:
                continue
            if call.cancer_type == PAN_CANCER and not self._options.pan_cancer:
                self._drop(call, "pan-cancer tasks are switched off")
                continue
            key = task_key(self._types, self._gathered.scheme, scheme, call.gene, call.cancer_type)
            self._add(key, call)

    def _add(self, key: Key, call: Call) -> None:
        """Add a call, or let it complete an earlier one of the same cohort."""
        pile = self._gathered.calls[key]
        mark = (key, call.cohort or call.row)
        if mark not in self._seen:
            self._seen[mark] = len(pile)
            pile.append(call)
            return
        position = self._seen[mark]
        first = pile[position]
        pile[position] = _completed(first, call)
        same = "same gene, cancer type and cohort as" if call.cohort else "same row as"
        self._drop(call, f"{same} {first.file}, line {first.line}")

    def _drop(self, call: Call, reason: str) -> None:
        self._gathered.dropped.append(
            Dropped(call.file, call.line, call.gene, call.cancer_type, reason)
        )


def _completed(first: Call, second: Call) -> Call:
    """Return the first call with what only the second says (drivers.tsv beside unfiltered)."""
    return replace(
        first,
        methods=first.methods or second.methods,
        qvalue=second.qvalue if first.qvalue is None else first.qvalue,
        samples=second.samples if first.samples is None else first.samples,
        role=first.role or second.role,
    )


def _check_columns(
    tables: Sequence[Path], readings: Sequence[Reading], columns: Mapping[str, str]
) -> None:
    """Refuse a header of the user's that no table has."""
    for key, header in columns.items():
        if readings and all(header in reading.missing for reading in readings):
            raise UserError(
                f"{tables[0]}, line 1: no column {shown(header)} (columns: {key}); give the header"
                " as the file writes it"
            )
