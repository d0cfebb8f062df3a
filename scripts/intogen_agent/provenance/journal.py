"""The append-only journal of a stage: one JSON line per call, on the disk before it counts."""

import errno
import fcntl
import json
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.files import canonical_json

Entry = dict[str, Any]
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}

logger = logging.getLogger(__name__)


class Journal:
    """An open journal, held by one process at a time.

    A torn last line (the writer was killed) is cut off; everything before it was flushed to the
    disk and is kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[Entry] = []
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        """Open the journal and take the lease on it.

        Raises:
            StageFailure: Another process holds the lease (`busy`).
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise StageFailure(
                ErrorClass.BUSY, f"another process works on this stage (it holds {self.path})"
            ) from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                os.close(descriptor)
                raise
            # Some cluster file systems have no locks; Snakemake's own lock of the directory is
            # then what keeps two runs apart.
            logger.warning("%s: the file system has no locks; no lease was taken", self.path)
        self._descriptor = descriptor
        kept = self._read(descriptor)
        os.ftruncate(descriptor, kept)
        return self

    def _read(self, descriptor: int) -> int:
        """Load the complete lines and return how many bytes they take."""
        with os.fdopen(os.dup(descriptor), "rb") as handle:
            handle.seek(0)
            kept = 0
            for line in handle:
                entry = _parse(line)
                if entry is None:
                    break
                self.entries.append(entry)
                kept += len(line)
        return kept

    def append(self, entry: Entry) -> None:
        """Add an entry; when this returns, it is on the disk."""
        if self._descriptor is None:
            raise ValueError("the journal is not open")
        line = (canonical_json(entry) + "\n").encode()
        view = memoryview(line)
        while view:
            view = view[os.write(self._descriptor, view) :]
        os.fsync(self._descriptor)
        self.entries.append(entry)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the journal and give the lease back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def in_use(path: Path) -> bool:
    """Tell whether a process holds the lease on a journal."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    finally:
        os.close(descriptor)
    return False


def _parse(line: bytes) -> Entry | None:
    if not line.endswith(b"\n"):
        return None
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield the complete entries of a journal without taking its lease; none if it is missing."""
    try:
        lines: Iterable[bytes] = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return
    for line in lines:
        entry = _parse(line)
        if entry is None:
            return
        yield entry
