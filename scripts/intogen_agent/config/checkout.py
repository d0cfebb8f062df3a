"""Which commit of the repository a run is made with."""

import re
import subprocess
from pathlib import Path

_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def commit(root: Path) -> str | None:
    """Return the checked-out commit, read off git's files; None if there is no repository.

    No program is started: every job asks.
    """
    folder = _git_folder(root)
    if folder is None:
        return None
    head = _text(folder / "HEAD")
    if not head.startswith("ref: "):
        return head if _COMMIT.fullmatch(head) else None
    name = head.removeprefix("ref: ")
    shared = folder / (_text(folder / "commondir") or ".")
    found = next(filter(None, (_text(place / name) for place in (folder, shared))), "")
    found = found or _packed(shared, name)
    return found if _COMMIT.fullmatch(found) else None


def _git_folder(root: Path) -> Path | None:
    place = root / ".git"
    if place.is_dir():
        return place
    # A work tree of another repository: a file with the path.
    link = _text(place)
    return root / link.removeprefix("gitdir: ") if link.startswith("gitdir: ") else None


def _packed(folder: Path, name: str) -> str:
    for line in _text(folder / "packed-refs").splitlines():
        commit, _, reference = line.partition(" ")
        if reference == name:
            return commit
    return ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def has_changes(root: Path) -> bool | None:
    """Tell whether the checkout differs from its commit; None if git cannot say."""
    if commit(root) is None:
        return None
    try:
        done = subprocess.run(
            [
                "git",
                "--no-optional-locks",
                "-C",
                str(root),
                "status",
                "--porcelain",
                "--untracked-files=no",
            ],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return bool(done.stdout.strip())
