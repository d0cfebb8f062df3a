"""Child processes: their commands, their environment, their end."""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
# Loaded here, not in the child: between fork and exec nothing may take a lock.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def fill(command: Sequence[str], **values: str) -> list[str]:
    """Fill `{python}` and the given placeholders into a command; other braces stay."""
    filled = []
    for word in command:
        for name, value in {"python": sys.executable, **values}.items():
            word = word.replace("{" + name + "}", value)
        filled.append(word)
    return filled


def package_environment(command: Sequence[str], environment: dict[str, str]) -> dict[str, str]:
    """Let a child that runs this Python find this package also where it is not installed.

    Other programs get their environment as it is: beside the package lie scripts whose names
    (`tables`, `store`) would hide modules of theirs.
    """
    if command[0] != sys.executable:
        return environment
    place = str(Path(__file__).resolve().parents[1])
    paths = [place, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    return {**environment, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def end_with_parent() -> None:
    """In a child about to start: let Linux send it TERM when this process dies, however it dies."""
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
