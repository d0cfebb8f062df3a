"""The journal: on the disk before it counts, torn at most at its end, held by one process."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.provenance.journal import Journal, read_entries

ENTRIES = st.lists(
    st.dictionaries(st.text(max_size=5), st.text(max_size=8) | st.integers(), max_size=3),
    max_size=5,
)


def written(path: Path, entries: list[dict[str, Any]]) -> bytes:
    with Journal(path) as journal:
        for entry in entries:
            journal.append(entry)
    return path.read_bytes()


def complete_lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


@settings(max_examples=40, deadline=None)
@given(entries=ENTRIES, data=st.data())
def test_a_kill_at_any_byte_loses_at_most_the_torn_line(
    entries: list[dict[str, Any]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        whole = written(path, entries)
        assert complete_lines(whole) == entries
        cut = data.draw(st.integers(0, len(whole)), label="bytes that reached the disk")
        path.write_bytes(whole[:cut])
        kept = complete_lines(whole[:cut])
        assert kept == entries[: len(kept)]
        assert list(read_entries(path)) == kept
        with Journal(path) as journal:
            assert journal.entries == kept
            journal.append({"next": 1})
        assert list(read_entries(path)) == [*kept, {"next": 1}]


@pytest.mark.parametrize("cut", range(1, 20))
def test_every_cut_of_the_last_line_keeps_the_lines_before(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "journal.jsonl"
    whole = written(path, [{"n": 1}, {"text": "é" * 4}])
    path.write_bytes(whole[:-cut])
    with Journal(path) as journal:
        assert journal.entries == [{"n": 1}]
    assert path.read_bytes() == b'{"n":1}\n'


@pytest.mark.parametrize(
    "tail", [b"garbage\n", b"[1]\n", b"\x00\x00\x00", b"\n", b"3\n", b"\xff\n"]
)
def test_what_is_no_entry_ends_the_journal(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    whole = written(path, [{"n": 1}])
    path.write_bytes(whole + tail)
    assert list(read_entries(path)) == [{"n": 1}]
    with Journal(path) as journal:
        assert journal.entries == [{"n": 1}]
        journal.append({"n": 2})
    assert list(read_entries(path)) == [{"n": 1}, {"n": 2}]


def test_an_entry_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.jsonl"
    with Journal(path) as journal:
        journal.append({"n": 1, "text": "line\nbreak\u2028\r"})
        assert list(read_entries(path)) == [{"n": 1, "text": "line\nbreak\u2028\r"}]


def test_a_write_in_pieces_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data[:3])))
    written(tmp_path / "journal.jsonl", [{"n": 1}, {"n": 22222}])
    monkeypatch.undo()
    assert list(read_entries(tmp_path / "journal.jsonl")) == [{"n": 1}, {"n": 22222}]


def test_a_missing_journal_has_no_entries(tmp_path: Path) -> None:
    assert list(read_entries(tmp_path / "none.jsonl")) == []


def test_a_closed_journal_takes_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.jsonl") as journal:
        pass
    with pytest.raises(ValueError, match="not open"):
        journal.append({})


# The lease.

HOLDER = """
import sys, time
from pathlib import Path
from intogen_agent.provenance.journal import Journal
with Journal(Path(sys.argv[1])) as journal:
    journal.append({"by": "holder"})
    print("held", flush=True)
    sys.stdin.read()
"""


def busy(path: Path) -> str:
    with pytest.raises(StageFailure) as caught, Journal(path):
        pass
    assert caught.value.error is ErrorClass.BUSY
    return caught.value.message


def test_a_second_journal_in_the_same_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path):
        assert str(path) in busy(path)
    with Journal(path):
        pass


@pytest.mark.parametrize("end", ["leaves", "is killed"])
def test_a_second_process_is_refused_until_the_first_ends(tmp_path: Path, end: str) -> None:
    path = tmp_path / "journal.jsonl"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin is not None and holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        before = path.read_bytes()
        busy(path)
        assert path.read_bytes() == before
        assert list(read_entries(path)) == [{"by": "holder"}]
    finally:
        if end == "is killed":
            holder.send_signal(signal.SIGKILL)
        holder.communicate(timeout=10)
    with Journal(path) as journal:
        assert journal.entries == [{"by": "holder"}]


def test_a_child_process_does_not_keep_the_lease(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path):
        child = subprocess.Popen(
            [sys.executable, "-S", "-c", "print('up', flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            close_fds=False,
        )
        assert child.stdout is not None
        child.stdout.readline()
    try:
        with Journal(path):
            assert child.poll() is None
    finally:
        child.kill()
        child.communicate(timeout=10)


def test_a_lease_that_is_held_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as holder:
        waiting = threading.Thread(target=lambda: busy_for(path, 10))
        waiting.start()
        assert waiting.is_alive()
        holder.append({"by": "holder"})
    waiting.join(10)
    assert list(read_entries(path)) == [{"by": "holder"}, {"by": "waiter"}]


def busy_for(path: Path, seconds: float) -> None:
    with Journal(path, seconds) as journal:
        journal.append({"by": "waiter"})


def test_the_lease_on_a_removed_journal_is_worth_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder before removed the file between our opening it and our locking it."""
    path = tmp_path / "journal.jsonl"
    flock, removed = fcntl.flock, []

    def remove_first(descriptor: int, kind: int) -> None:
        if not removed:
            path.unlink()
            removed.append(path)
        flock(descriptor, kind)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with Journal(path, 10) as journal:
        journal.append({"n": 1})
    assert list(read_entries(path)) == [{"n": 1}]


# Disks.


@pytest.mark.parametrize("failing", ["write", "fsync"])
def test_what_cannot_be_written_leaves_no_torn_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "journal.jsonl"
    write = os.write

    def full(descriptor: int, data: bytes = b"") -> int:
        if failing == "write":
            write(descriptor, bytes(data[:3]))
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(path) as journal:
        journal.append({"n": 1})
        monkeypatch.setattr(os, failing, full)
        with pytest.raises(OSError, match="No space left"):
            journal.append({"n": 2})
        with pytest.raises(OSError, match="No space left"):
            journal.find_room()
        monkeypatch.undo()
        journal.append({"n": 3})
        assert journal.entries == [{"n": 1}, {"n": 3}]
    assert list(read_entries(path)) == [{"n": 1}, {"n": 3}]


def test_looking_for_room_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = written(path, [{"n": 1}])
    with Journal(path) as journal:
        journal.find_room()
    assert path.read_bytes() == whole


def test_a_kill_while_looking_for_room_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = written(path, [{"n": 1}])
    path.write_bytes(whole + b" " * 1000)
    with Journal(path) as journal:
        journal.append({"n": 2})
    assert list(read_entries(path)) == [{"n": 1}, {"n": 2}]


def test_a_journal_whose_folder_was_taken_away_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "journal.jsonl"
    with Journal(path) as journal:
        journal.check_place()
        path.parent.rename(tmp_path / "elsewhere")
        with pytest.raises(OSError, match="no longer there") as caught:
            journal.check_place()
    assert caught.value.errno == errno.ESTALE
