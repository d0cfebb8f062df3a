"""From a table's rows to calls: one gene that intOGen called a driver in one cohort."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from intogen_agent.cohort.layouts import Layout, find_layout
from intogen_agent.cohort.paths import code_problem
from intogen_agent.cohort.symbols import MISSING, shown, symbol_problem
from intogen_agent.cohort.tables import Table, read_table
from intogen_agent.errors import UserError

_TRUE = frozenset({"true", "1", "1.0", "yes", "t", "y"})
_FALSE = frozenset({"false", "0", "0.0", "no", "f", "n"})
_ROLES = {"act": "Act", "lof": "LoF", "ambiguous": "ambiguous", "amb": "ambiguous"}


@dataclass(frozen=True, slots=True)
class Call:
    """One valid row.

    Attributes:
        gene: The gene symbol.
        cancer_type: The code, as the table writes it.
        cohort: The cohort, or an empty text.
        methods: The significant methods; `combination` where only their combination is.
        qvalue: The q-value of the combination.
        samples: Mutated samples of the cohort.
        role: `Act`, `LoF`, `ambiguous` or an empty text.
        file: The file, as the user named it.
        line: The line on which the row begins.
        row: The whole row, which tells repeated rows from others where there is no cohort.
    """

    gene: str
    cancer_type: str
    cohort: str
    methods: tuple[str, ...]
    qvalue: float | None
    samples: int | None
    role: str
    file: str
    line: int
    row: tuple[str, ...]


@dataclass(frozen=True)
class Dropped:
    """An input row that yields nothing, and why."""

    file: str
    line: int
    gene: str
    cancer_type: str
    reason: str


@dataclass
class Reading:
    """What a table gave.

    Attributes:
        calls: The valid rows, in order.
        dropped: The other rows.
        notes: Values that were left out of the statistics, one line per column.
        missing: The user's `columns` that the table does not have.
    """

    calls: list[Call] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: frozenset[str] = frozenset()


def read_calls(path: Path, columns: Mapping[str, str], is_code: Callable[[str], bool]) -> Reading:
    """Read a table of any known layout and check its rows.

    Rows of unfiltered_drivers.tsv and of the 2024 release are kept only where DRIVER or IS_DRIVER
    is true and FILTER is PASS: that is how intOGen's drivers.tsv is made from them. The q-value
    never decides: rows above 0.05 are drivers rescued by the Cancer Gene Census.

    Args:
        path: The file.
        columns: The user's headers by key.
        is_code: Whether a text is a known cancer type code.

    Raises:
        UserError: The file is unreadable, its layout unknown, or none of its rows valid.
    """
    table = read_table(path)
    layout = find_layout(table, columns, is_code)
    reader = _RowReader(table, layout)
    for line, row in table.rows[1 if layout.header else 0 :]:
        reader.take(line, row)
    reading = reader.finish()
    if not reading.calls:
        raise UserError(_nothing_valid(table, reading))
    return reading


def _nothing_valid(table: Table, reading: Reading) -> str:
    if not reading.dropped:
        return f"{table.path}, line {table.rows[0][0]}: a header and no rows; give a table of rows"
    first = reading.dropped[0]
    return (
        f"{table.path}, line {first.line}: no valid row among {len(reading.dropped)}; the first:"
        f" {first.reason}"
    )


class _RowReader:
    """Checks rows one by one and collects what they give."""

    def __init__(self, table: Table, layout: Layout) -> None:
        self._file = str(table.path)
        self._layout = layout
        self._reading = Reading(missing=layout.missing)
        self._odd: dict[str, list[tuple[int, str]]] = {}

    def take(self, line: int, row: Sequence[str]) -> None:
        gene, code = self._value(row, "gene"), self._value(row, "cancer_type")
        reason = (
            self._width_problem(row)
            or symbol_problem(gene)
            or code_problem(code)
            or self._no_driver(row)
        )
        if reason is not None:
            self._reading.dropped.append(Dropped(self._file, line, gene, code, reason))
            return
        methods = self._value(row, "methods").split(",")
        call = Call(
            gene=gene,
            cancer_type=code,
            cohort=" ".join(self._known(row, "cohort").split()),
            methods=tuple(name for name in map(str.strip, methods) if name not in MISSING),
            qvalue=self._qvalue(line, row),
            samples=self._samples(line, row),
            role=self._role(line, row),
            file=self._file,
            line=line,
            row=tuple(row),
        )
        self._reading.calls.append(call)

    def finish(self) -> Reading:
        for key, odd in self._odd.items():
            line, value = odd[0]
            self._reading.notes.append(
                f"{self._file}, line {line}, column {self._layout.name(key)}: {shown(value)} is"
                f" not a valid value and is left out ({len(odd)} such rows)"
            )
        return self._reading

    def _value(self, row: Sequence[str], key: str) -> str:
        position = self._layout.index.get(key)
        return "" if position is None or position >= len(row) else row[position]

    def _known(self, row: Sequence[str], key: str) -> str:
        value = self._value(row, key)
        return "" if value in MISSING else value

    def _width_problem(self, row: Sequence[str]) -> str | None:
        width = self._layout.width
        if any(row[width:]):
            return f"row has {len(row)} fields where {width} are expected; quote the delimiter"
        return None if any(row) else "row is empty"

    def _no_driver(self, row: Sequence[str]) -> str | None:
        """Return why intOGen itself does not call this row a driver."""
        if "driver" in self._layout.index:
            column, value = self._layout.name("driver"), self._value(row, "driver")
            if value.lower() in _FALSE:
                why = self._value(row, "filter")
                more = f", FILTER is {why}" if why and why != "PASS" else ""
                return f"intOGen did not call it a driver: {column} is {value}{more}"
            if value.lower() not in _TRUE:
                return f"column {column}: {shown(value)} is neither True nor False"
        if "filter" in self._layout.index and (value := self._value(row, "filter")) != "PASS":
            column = self._layout.name("filter")
            return f"intOGen did not call it a driver: {column} is {value or 'empty'}, not PASS"
        return None

    def _qvalue(self, line: int, row: Sequence[str]) -> float | None:
        return self._number(line, row, "qvalue", lambda number: 0 <= number <= 1)

    def _samples(self, line: int, row: Sequence[str]) -> int | None:
        number = self._number(line, row, "samples", lambda n: n >= 0 and n.is_integer())
        return None if number is None else int(number)

    def _number(
        self, line: int, row: Sequence[str], key: str, valid: Callable[[float], bool]
    ) -> float | None:
        value = self._known(row, key)
        if not value:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if valid(number):
            return number
        self._odd.setdefault(key, []).append((line, value))
        return None

    def _role(self, line: int, row: Sequence[str]) -> str:
        value = self._known(row, "role")
        role = _ROLES.get(value.lower(), "")
        if value and not role:
            self._odd.setdefault("role", []).append((line, value))
        return role
