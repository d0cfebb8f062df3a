"""Reading a table's rows: bytes, compression, encoding, delimiter, quotes."""

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intogen_agent.errors import UserError

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Table:
    """The rows of a file, with the line on which each begins; blank lines are left out."""

    path: Path
    rows: tuple[tuple[int, list[str]], ...]


def read_table(path: Path) -> Table:
    """Read a TSV or CSV file, plain or gzip, with trimmed fields.

    Raises:
        UserError: The file cannot be read, decoded or parsed, or holds no row.
    """
    text = _decode(path, _read(path))
    if not text.strip():
        raise UserError(f"{path}: the file is empty; give a table of genes and cancer types")
    return Table(path, tuple(_rows(path, text)))


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; check the path of the driver table") from error
    except IsADirectoryError as error:
        raise UserError(
            f"{path}: is a folder; give the table in it (drivers.tsv, Compendium_Cancer_Genes.tsv)"
        ) from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise UserError(f"{path}: damaged gzip file ({error}); copy it again") from error
    if data.startswith(b"PK\x03\x04"):
        raise UserError(
            f"{path}: a zip archive or an Excel workbook; unpack it, or save the sheet as TSV"
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError(f"{path}, line 1: the file is UTF-16; save it as UTF-8")
    return data


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - before.rfind(b"\n")
        raise UserError(
            f"{path}, line {line}, character {column}: byte 0x{error.object[error.start]:02x} is"
            " not UTF-8; save the file as UTF-8"
        ) from error


def _rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (first line, trimmed fields) of every row that is not blank."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=_delimiter(text),
        skipinitialspace=True,
        strict=True,
    )
    line = 1
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield line, [field.strip() for field in row]
            line = reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            f"{path}, line {line}: the row cannot be read ({error}); close its quotes"
        ) from error


def _delimiter(text: str) -> str:
    """Return the tab if the first line has one, else the comma or semicolon it has most of."""
    first = text.lstrip("\r\n").splitlines()[0]
    return "\t" if "\t" in first else max(",;", key=first.count)
