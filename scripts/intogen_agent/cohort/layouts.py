"""Which column of a table holds what."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from intogen_agent.cohort.options import COLUMN_KEYS
from intogen_agent.cohort.paths import gene_path
from intogen_agent.cohort.symbols import shown, symbol_problem
from intogen_agent.cohort.tables import Table
from intogen_agent.errors import UserError

# Headers per key, compared without case and punctuation; the first that a table has wins.
# intOGen's own come first; TUMOUR_GENE and TUMOUR_TYPE are nf-core's. SAMPLES_COHORT and
# TOTAL_SAMPLES are not here: they count the sequenced samples, not the mutated ones.
_HEADERS: Mapping[str, tuple[str, ...]] = {
    "gene": (
        "symbol",
        "tumourgene",
        "tumorgene",
        "gene",
        "genes",
        "genesymbol",
        "hugosymbol",
        "hgncsymbol",
        "genename",
        "drivergene",
    ),
    "cancer_type": (
        "cancertype",
        "tumourtype",
        "tumortype",
        "cancer",
        "tumour",
        "tumor",
        "cancercode",
        "cancertypecode",
        "ttype",
        "oncotree",
        "oncotreecode",
    ),
    "cohort": ("cohort",),
    "methods": ("methods", "sigmethods"),
    "qvalue": ("qvaluecombination", "qvalue"),
    "samples": ("samples", "mutatedsamples"),
    "role": ("role",),
    "driver": ("driver", "isdriver"),
    "filter": ("filter",),
}
_NO_PAIRS = "it cannot yield gene x cancer type pairs; give drivers.tsv"


@dataclass(frozen=True)
class Layout:
    """Where a table's columns are.

    Attributes:
        index: Key (`COLUMN_KEYS`, `driver`, `filter`) -> position of its column.
        header: The headers; empty for a two-column table without any.
        missing: The user's `columns` that this table does not have.
    """

    index: Mapping[str, int]
    header: tuple[str, ...]
    missing: frozenset[str] = frozenset()

    @property
    def width(self) -> int:
        """The number of fields of a row."""
        return len(self.header) or 2

    def name(self, key: str) -> str:
        """Return the header of a key's column, or the key where there is no header."""
        return self.header[self.index[key]] if self.header else key


def find_layout(table: Table, columns: Mapping[str, str], is_code: Callable[[str], bool]) -> Layout:
    """Recognise a table's columns.

    Args:
        table: The rows; the first is the header, unless the table has two columns and no header.
        columns: The user's headers by key; they go before the usual ones.
        is_code: Whether a text is a known cancer type code.

    Raises:
        UserError: No gene or no cancer type column, an ambiguous header, an impossible key.
    """
    for key in columns:
        if key not in COLUMN_KEYS:
            raise UserError(
                f"columns: {shown(key)} is no column of a driver table; use one of"
                f" {', '.join(COLUMN_KEYS)}"
            )
    line, first = table.rows[0]
    index: dict[str, int] = {}
    missing: set[str] = set()
    for key, headers in _HEADERS.items():
        position = None
        if key in columns:
            position = _position(table, line, first, (columns[key],), str.strip)
            if position is None:
                missing.add(columns[key])
        if position is None:
            position = _position(table, line, first, headers, _plain)
        if position is not None:
            index[key] = position
    if "gene" in index and "cancer_type" in index:
        return Layout(index, tuple(first), frozenset(missing))
    if "gene" not in index and _is_pair(first, "cancer_type" in index, is_code):
        return Layout({"gene": 0, "cancer_type": 1}, (), frozenset(missing))
    raise UserError(_unknown(table, line, first, index, missing))


def _plain(header: str) -> str:
    return "".join(filter(str.isalnum, header.lower()))


def _position(
    table: Table,
    line: int,
    first: Sequence[str],
    headers: Sequence[str],
    normalise: Callable[[str], str],
) -> int | None:
    names = [normalise(field) for field in first]
    for header in map(normalise, headers):
        if names.count(header) > 1:
            found = first[names.index(header)]
            raise UserError(
                f"{table.path}, line {line}: column {shown(found)} occurs twice; rename one"
            )
        if header in names:
            return names.index(header)
    return None


def _is_pair(first: Sequence[str], header_like: bool, is_code: Callable[[str], bool]) -> bool:
    """Whether the first row of a table without a usual header is already data.

    A known code says so, and so does a plain symbol beside something that is no usual header;
    anything else may be a header that is not known, which must not become a gene.
    """
    if len(first) < 2 or not first[1] or any(first[2:]):
        return False
    gene, code = first[:2]
    if is_code(code):
        return True
    return not header_like and symbol_problem(gene) is None and gene_path(gene) == gene


def _unknown(
    table: Table, line: int, first: Sequence[str], index: Mapping[str, int], missing: set[str]
) -> str:
    """Say why a header is of no use, and what to do."""
    names = {_plain(field) for field in first}
    place = f"{table.path}, line {line}"
    if "symbol" in names and "ensemblgene" in names:
        return f"{place}: the layout of unique_drivers.tsv has no cancer type: {_NO_PAIRS}"
    if "gene" not in index and {"cohort", "platform"} <= names:
        return f"{place}: the layout of cohorts.tsv has no gene: {_NO_PAIRS}"
    wanted = {"gene": "gene (SYMBOL)", "cancer_type": "cancer type (CANCER_TYPE)"}
    lacking = " and ".join(text for key, text in wanted.items() if key not in index)
    if missing:
        lacking = f"{' and '.join(sorted(map(shown, missing)))} (columns), nor of {lacking}"
    found = ", ".join(shown(field) for field in first[:30])
    return (
        f"{place}: no column of {lacking} among {found}; name yours with"
        " columns: {gene: HEADER, cancer_type: HEADER}"
    )
