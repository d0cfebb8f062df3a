"""Whether somebody works on a stage: the lease on its journal, and the journal's heartbeat.

A lease tells it for sure, but not between machines whose file system keeps locks to itself or has
none. There a running stage is known by its journal's time of the last change, which it renews every
minute, also while it waits for a model.
"""

import logging
import os
import threading
import time
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

from intogen_agent import locks
from intogen_agent.file_systems import between_machines

BEAT_SECONDS = 60.0
RECENT_SECONDS = 300.0
"""A younger journal may be somebody's: some beats may come late."""

logger = logging.getLogger(__name__)


class Heartbeat:
    """Renews the time of an open file's last change until it is stopped.

    Args:
        descriptor: The file; it must stay open as long.
        path: Its name, for the log.
    """

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor, self._path = descriptor, path
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="heartbeat")

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop; nothing is renewed after this."""
        self._stopped.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            try:
                os.utime(self._descriptor)
            except OSError as error:
                # The stage itself meets the broken disk at its next answer.
                logger.warning("%s: no heartbeat any longer: %s", self._path, error.strerror)
                return


class Lease(Enum):
    """What can be said of a journal.

    `HELD`: a process has the lease. `PERHAPS`: leases may be invisible here, and the journal was
    written lately. `FREE`: nobody works on the stage.
    """

    HELD = "held"
    PERHAPS = "perhaps"
    FREE = "free"


class Leases:
    """The leases on the journals of a folder of results.

    Args:
        results: The folder.
        now: Seconds since 1970; None: the time now.
        shared: Whether other machines may write too; None: as the file system says.
    """

    def __init__(self, results: Path, now: float | None = None, shared: bool | None = None) -> None:
        self._since = (time.time() if now is None else now) - RECENT_SECONDS
        self._shared = between_machines(results) if shared is None else shared

    def of(self, journal: Path) -> Lease:
        """Return what can be said of a journal; one that is not there is free."""
        try:
            descriptor = os.open(journal, os.O_RDONLY)
        except (FileNotFoundError, NotADirectoryError):
            return Lease.FREE
        try:
            free = locks.take(descriptor, shared=True)
            written = os.fstat(descriptor).st_mtime
        finally:
            os.close(descriptor)
        if free is False:
            return Lease.HELD
        hidden = self._shared or free is None
        return Lease.PERHAPS if hidden and written > self._since else Lease.FREE
