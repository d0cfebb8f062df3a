"""The parent of a server's process: it ends the server, and all that the server started.

Started by `stdio` as `python -I -S supervisor.py FD GRACE COMMAND...`, in a session of its own. It
is a program of the standard library alone, so that it starts in a few hundredths of a second. The
server has its standard streams; nothing passes through here.

FD is a pipe that the job holds open: when it closes, because the job says so or because the job is
no more (a kill -9 included), the server's processes get TERM, and KILL after GRACE seconds. When
the server ends by itself, what it left behind is ended too. Linux hands orphans of the server to
this process, so those that left the process group are found as well.
"""

import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
POLL = 0.01
# What forks faster than it is killed is given up.
ROUNDS = 50
NOT_STARTED = 127


def _prctl(option: int, value: int) -> None:
    """Call prctl where there is one."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(command: list[str]) -> int:
    """Start the server as a child with this process's standard streams; return its id."""
    child = os.fork()
    if child:
        return child
    try:
        # A killed supervisor takes the server with it.
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)  # noqa: S606  (the configuration names the program)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(NOT_STARTED)


def _table() -> list[int]:
    """Return the ids in the process table of Linux; nothing where there is none."""
    try:
        with os.scandir("/proc") as entries:
            return [int(entry.name) for entry in entries if entry.name.isdigit()]
    except OSError:
        return []


def _parent(process: int) -> int | None:
    """Return a living process's parent; None for a dead one."""
    try:
        handle = os.open(f"/proc/{process}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        # The second field is a name in brackets and may hold anything.
        state, parent = os.read(handle, 4096).rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    finally:
        os.close(handle)
    return None if state == b"Z" else int(parent)


def _descendants() -> list[int]:
    """Return the processes that came from this one."""
    children: dict[int, list[int]] = {}
    for process in _table():
        parent = _parent(process)
        if parent is not None:
            children.setdefault(parent, []).append(process)
    found = [os.getpid()]
    for parent in found:
        found += children.get(parent, ())
    return found[1:]


def _signal(number: int) -> bool:
    """Send a signal to all that is left; tell whether anything is."""
    if not _table():
        return _signal_group(number)
    left = _descendants()
    for process in left:
        try:
            os.kill(process, number)
        except OSError:
            continue
    return bool(left)


def _signal_group(number: int) -> bool:
    """Where there is no process table to read: signal the process group, this process with it."""
    if number == signal.SIGKILL:
        os.killpg(0, number)
    before = signal.signal(number, signal.SIG_IGN)
    os.killpg(0, number)
    signal.signal(number, before)
    return True


def _reap(server: int) -> int | None:
    """Collect the dead; return the server's exit code if it is among them."""
    code = None
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if process == 0:
            return code
        if process == server:
            code = os.waitstatus_to_exitcode(status)


def _end(server: int, grace: float) -> int:
    """End everything: TERM, then KILL; return the server's exit code."""
    code = None
    last = time.monotonic() + grace
    left = _signal(signal.SIGTERM)
    while left and time.monotonic() < last:
        time.sleep(POLL)
        found = _reap(server)
        code = found if code is None else code
        left = bool(_descendants()) if _table() else code is None
    for _ in range(ROUNDS):
        if not _signal(signal.SIGKILL):
            break
        time.sleep(POLL)
        found = _reap(server)
        code = found if code is None else code
    found = _reap(server)
    code = found if code is None else code
    return code if code is not None else -signal.SIGKILL


def main(arguments: list[str]) -> int:
    """Run a server until it ends, or until the job lets go of it."""
    lifeline, grace, command = int(arguments[0]), float(arguments[1]), arguments[2:]
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake, bell = os.pipe()
    for end in (wake, bell):
        os.set_blocking(end, False)
    os.set_inheritable(lifeline, False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    server = _start(command)
    # The job must see the server's end of the pipes close.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    while True:
        ready, _, _ = select.select([lifeline, wake], [], [])
        if lifeline in ready:
            return _end(server, grace)
        rung = os.read(wake, 64)
        code = _reap(server)
        if code is not None:
            _end(server, 0)
            return code
        if set(rung) - {signal.SIGCHLD}:
            return _end(server, grace)


if __name__ == "__main__":
    result = main(sys.argv[1:])
    sys.exit(result if result >= 0 else 128 - result)
