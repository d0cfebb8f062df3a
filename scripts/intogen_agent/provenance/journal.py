"""The append-only journal of a stage: one JSON line per call, on the disk before it counts."""

import contextlib
import errno
import json
import logging
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from intogen_agent import locks
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.files import canonical_json
from intogen_agent.provenance.liveness import Heartbeat

Entry = dict[str, Any]
POLL_SECONDS = 0.05
ROOM = 64 * 1024

logger = logging.getLogger(__name__)


class Journal:
    """An open journal, held by one process at a time.

    A torn last line (the writer was killed) is cut off; everything before it was flushed to the
    disk and is kept.

    Args:
        path: The file.
        patience: Seconds to wait for the lease; who only looks whether a journal is in use holds
            it for a moment.
    """

    def __init__(self, path: Path, patience: float = 0.0) -> None:
        self.path = path
        self.entries: list[Entry] = []
        self._patience = patience
        self._descriptor: int | None = None
        self._heartbeat: Heartbeat | None = None
        self._length = 0

    def __enter__(self) -> Self:
        """Open the journal and take the lease on it.

        Raises:
            StageFailure: Another process holds the lease (`busy`).
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        end = time.monotonic() + self._patience
        while (descriptor := self._leased()) is None:
            if time.monotonic() >= end:
                raise StageFailure(
                    ErrorClass.BUSY, f"another process works on this stage (it holds {self.path})"
                )
            time.sleep(POLL_SECONDS)
        try:
            self._length = self._read(descriptor)
            os.ftruncate(descriptor, self._length)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        self._heartbeat = Heartbeat(descriptor, self.path).__enter__()
        return self

    def _leased(self) -> int | None:
        """Return the file with the lease on it; None while another process has it."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            held = _lock(descriptor, self.path) and _still_there(descriptor, self.path)
        except BaseException:
            os.close(descriptor)
            raise
        if held:
            return descriptor
        os.close(descriptor)
        return None

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
        """Add an entry; when this returns, it is on the disk.

        Raises:
            OSError: It cannot be written; what was there before stays as it was.
        """
        line = (canonical_json(entry) + "\n").encode()
        self._write(line)
        self._length += len(line)
        self.entries.append(entry)

    def find_room(self) -> None:
        """Write some blanks and take them back: a full disk is found before a call is paid for.

        Raises:
            OSError: There is no room, or the file system takes nothing.
        """
        self._write(b" " * ROOM)
        os.ftruncate(self._open(), self._length)

    def check_place(self) -> None:
        """Make sure that the journal is still where it was opened.

        Raises:
            OSError: Its folder was removed or unmounted; what is written now would be elsewhere.
        """
        if not _still_there(self._open(), self.path):
            raise OSError(errno.ESTALE, "the results are no longer there", str(self.path))

    def _write(self, data: bytes) -> None:
        descriptor = self._open()
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        except OSError:
            # A torn line would hide every later one.
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, self._length)
            raise

    def _open(self) -> int:
        if self._descriptor is None:
            raise ValueError("the journal is not open")
        return self._descriptor

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the journal and give the lease back."""
        if self._heartbeat is not None:
            self._heartbeat.__exit__(kind, error, trace)
            self._heartbeat = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int, path: Path) -> bool:
    """Take the lease; False if another process has it."""
    taken = locks.take(descriptor)
    if taken is None:
        # Some cluster file systems have no locks; Snakemake's own lock of the directory is
        # then what keeps two runs apart.
        logger.warning("%s: the file system has no locks; no lease was taken", path)
    return taken is not False


def _still_there(descriptor: int, path: Path) -> bool:
    """Tell whether an open file was not removed by the one who had the lease before."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
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
