"""A file system without locks does not stop a run."""

import errno
import fcntl
from pathlib import Path

import pytest

from intogen_agent.provenance.journal import Journal


def test_without_locks_the_journal_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with Journal(tmp_path / "stage.jsonl") as journal:
        journal.append({"a": 1})
    assert (tmp_path / "stage.jsonl").read_text() == '{"a":1}\n'


def test_another_error_of_the_lock_is_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "disk error")

    monkeypatch.setattr(fcntl, "flock", broken)
    with pytest.raises(OSError, match="disk error"), Journal(tmp_path / "stage.jsonl"):
        pass
