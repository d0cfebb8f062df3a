"""Open a store file: checked, read-only, without locks."""

import sqlite3
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from intogen_agent.errors import UserError
from intogen_agent.store import schema

_REBUILD = "build one with `intogen-agent store build`"
_COUNTS = ("genes", "proteins", "articles", "pairs", "cancer_terms", "unknown_genes")
_HEADER = struct.Struct(">16sH10xI28xI4xI")


class Reader:
    """A store file that is open for reading.

    Attributes:
        digest: SHA-256 over the files it was built from.
        as_of: The day that its records stand for, if the build was told.
        counts: Rows by kind.
        gaps: How many questions were not answered when its records were made.
    """

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            UserError: If it is missing, damaged, no store, or of another version.
        """
        self.path = path
        _check_file(path)
        # Immutable: SQLite takes no locks and looks for no journal, so any number of processes
        # can read one file on a shared file system. Without mmap a slow file server is a slow
        # read, not a fault.
        self._connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None
        )
        try:
            self.rows("PRAGMA mmap_size=0")
            meta: dict[str, str | None] = dict(self.rows("SELECT key, value FROM meta"))
            if missing := [key for key in ("records_digest", *_COUNTS) if not meta.get(key)]:
                raise UserError(f"{path}: damaged, {missing[0]} is missing; {_REBUILD}")
        except BaseException:
            self._connection.close()
            raise
        self.digest = str(meta["records_digest"])
        self.as_of = meta.get("as_of")
        self.counts = {key: int(str(meta[key])) for key in _COUNTS}
        self.gaps = int(meta.get("gaps") or 0)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            UserError: If the file is damaged.
        """
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise UserError(f"{self.path}: cannot be read ({error}); {_REBUILD}") from error

    def unpack(self, data: bytes) -> str:
        """Restore a text.

        Raises:
            UserError: If it is damaged.
        """
        try:
            return schema.unpack(data)
        except (zlib.error, UnicodeDecodeError) as error:
            raise UserError(f"{self.path}: a text is damaged ({error}); {_REBUILD}") from error

    def has_table(self, name: str) -> bool:
        """Tell whether the file has a table that not every store has."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))

    def text(self, pmid: int) -> str:
        """Return an article's title and text, for ranking."""
        rows = self.rows("SELECT title, text FROM article WHERE pmid = ?", (pmid,))
        return "\n".join(f"{title or ''}\n{self.unpack(text)}" for title, text in rows)


def _check_file(path: Path) -> None:
    """Check the file's head, which tells a foreign, older or cut-off file without reading it."""
    try:
        with path.open("rb") as handle:
            head = handle.read(_HEADER.size)
        size = path.stat().st_size
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); {_REBUILD}") from None
    if len(head) < _HEADER.size or not head.startswith(b"SQLite format 3\0"):
        raise UserError(f"{path}: not a store; {_REBUILD}")
    _, page, pages, version, application = _HEADER.unpack(head)
    if application != schema.APPLICATION_ID:
        raise UserError(f"{path}: an SQLite file but not a store; {_REBUILD}")
    if version != schema.SCHEMA_VERSION:
        raise UserError(
            f"{path}: layout {version}, this version reads {schema.SCHEMA_VERSION}; {_REBUILD}"
        )
    if size != page * pages:
        raise UserError(f"{path}: {size} bytes where {page * pages} are due; copy it again")
