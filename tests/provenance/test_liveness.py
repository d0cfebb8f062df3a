"""A stage that runs is known by its lease, or by its heartbeat where leases are invisible."""

import errno
import fcntl
import logging
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from intogen_agent.provenance import liveness
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.liveness import BEAT_SECONDS, RECENT_SECONDS, Lease, Leases

NOW = 1_700_000_000.0


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "stage.jsonl"
    path.touch()
    return path


def written(path: Path, seconds_ago: float) -> Path:
    os.utime(path, (NOW - seconds_ago,) * 2)
    return path


def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.parametrize("shared", [False, True], ids=["own-disk", "shared"])
def test_a_lease_that_is_held_counts_whatever_the_time_says(journal: Path, shared: bool) -> None:
    with Journal(journal):
        written(journal, 10 * RECENT_SECONDS)
        assert Leases(journal.parent, NOW, shared).of(journal) is Lease.HELD
    written(journal, 10 * RECENT_SECONDS)
    assert Leases(journal.parent, NOW, shared).of(journal) is Lease.FREE


@pytest.mark.parametrize(
    ("shared", "locks", "ago", "lease"),
    [
        (False, True, 1, Lease.FREE),
        (True, True, 1, Lease.PERHAPS),
        (True, True, RECENT_SECONDS + 1, Lease.FREE),
        (False, False, 1, Lease.PERHAPS),
        (False, False, RECENT_SECONDS + 1, Lease.FREE),
    ],
    ids=["own-disk", "shared", "shared-old", "without-locks", "without-locks-old"],
)
def test_where_leases_are_invisible_the_last_change_counts(
    journal: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: bool,
    locks: bool,
    ago: float,
    lease: Lease,
) -> None:
    if not locks:
        no_locks(monkeypatch)
    written(journal, ago)
    assert Leases(journal.parent, NOW, shared).of(journal) is lease


def test_a_journal_that_is_not_there_is_free(tmp_path: Path) -> None:
    assert Leases(tmp_path, NOW, True).of(tmp_path / "none" / "a.jsonl") is Lease.FREE


def test_several_beats_may_be_late() -> None:
    assert RECENT_SECONDS >= 3 * BEAT_SECONDS


def test_an_open_journal_beats_and_a_closed_one_does_not(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beaten = threading.Event()
    touch = os.utime

    def beat(*words: Any) -> None:
        touch(*words)
        beaten.set()

    monkeypatch.setattr(liveness, "BEAT_SECONDS", 0.001)
    written(journal, 0)
    with Journal(journal) as opened:
        monkeypatch.setattr(os, "utime", beat)
        assert beaten.wait(20)
        opened.append({"a": 1})
    assert [thread for thread in threading.enumerate() if thread.name == "heartbeat"] == []
    assert journal.stat().st_mtime > NOW
    assert journal.read_text() == '{"a":1}\n'


def test_a_heart_that_cannot_beat_says_so_and_the_stage_goes_on(
    journal: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failed = threading.Event()

    def broken(*_: object) -> None:
        failed.set()
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(liveness, "BEAT_SECONDS", 0.001)
    monkeypatch.setattr(os, "utime", broken)
    with caplog.at_level(logging.WARNING), Journal(journal) as opened:
        assert failed.wait(20)
        opened.append({"a": 1})
    assert "no heartbeat any longer: input/output error" in caplog.text
