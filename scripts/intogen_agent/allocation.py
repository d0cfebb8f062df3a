"""Whose Snakemake's lock is, for the script of an allocation.

A run that is killed leaves its lock. profiles/slurm-allocation/run.sbatch removes it at the next
start, but only the very lock that its own run had: another controller may have taken one since.
"""

import os
from pathlib import Path

from intogen_agent.files import write_text

VARIABLE = "INTOGEN_AGENT_ALLOCATION"
"""The number of the allocation's job; set by its script for the controlling process."""

MARKER = Path(".snakemake") / "allocation"
LOCKS = Path(".snakemake") / "locks"


def note_lock() -> None:
    """Write the job's number and the lock's files beside the lock, if an allocation is run.

    To be called by who holds the lock, in the directory of the run.
    """
    job = os.environ.pop(VARIABLE, None)
    if job:
        write_text(MARKER, "".join(f"{line}\n" for line in (job, *_lock_files())))


def _lock_files() -> list[str]:
    """Return name, inode and time of the last change of each file: a new lock differs.

    To the nanosecond: a file system may give a new file the inode of one that was just removed.
    """
    found = [(path.name, path.stat()) for path in LOCKS.glob("*.lock")]
    return sorted(f"{name} {stat.st_ino} {_time(stat.st_mtime_ns)}" for name, stat in found)


def _time(nanoseconds: int) -> str:
    """Return a time as `stat --format=%.9Y` does."""
    return f"{nanoseconds // 10**9}.{nanoseconds % 10**9:09}"
