"""Disks that are full, read-only or gone. Needs the right to mount; skipped elsewhere."""

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from intogen_agent.cli import main
from tests.faults.conftest import MakeJourney
from tests.faults.endpoint import serving
from tests.faults.journey import PAIR

pytestmark = pytest.mark.workflow

Mount = Callable[..., None]
PHASE2 = ("--until", "phase2")


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Mount something on a folder; it is unmounted after the test."""
    places: list[Path] = []

    def mounted(place: Path, *options: str) -> None:
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["mount", *options, str(place)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"cannot mount: {done.stderr.strip()}")
        places.append(place)

    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("mounting a small file system needs root")
    yield mounted
    for place in reversed(places):
        subprocess.run(["umount", "--lazy", str(place)], capture_output=True, check=False)


def fill(folder: Path, leave: int) -> Path:
    """Fill a file system but for some bytes; return the file that does it."""
    ballast = folder / "_ballast"
    room = os.statvfs(folder)
    ballast.write_bytes(b"x" * max(0, room.f_bavail * room.f_frsize - leave))
    return ballast


@pytest.mark.long
def test_a_full_disk_is_named_and_costs_the_answer_in_flight(
    make_journey: MakeJourney, mount: Mount
) -> None:
    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        mount(journey.results, "-t", "tmpfs", "-o", "size=8m", "tmpfs")
        journey.finish("--until", "phase1")
        known = journey.answered()

        ballast = fill(journey.results, leave=0)
        before = len(endpoint.sent)
        code, log = journey.run(*PHASE2)
        assert code == 1
        assert "No space left on device" in log
        assert len(endpoint.sent) == before, "a full disk is found before a call is paid for"

        ballast.unlink()
        ballast = fill(journey.results, leave=150_000)
        code, log = journey.run(*PHASE2)
        assert code == 1
        assert "storage: " in log and "No space left on device" in log
        in_flight = {request.id for request in endpoint.sent} - journey.answered() - known
        assert 1 <= len(in_flight) <= 8
        assert not (journey.results / PAIR / "phase2.json").exists()

        ballast.unlink()
        assert main(["collect", str(journey.results)]) == 0
        [row] = journey.failures()
        assert row["stage"] == "phase2"
        assert row["error"] in ("storage", "interrupted")
        journey.finish(*PHASE2)
        journey.check_valid("phase1.json", "phase2.json")
        times = endpoint.times_sent()
        assert {name for name, number in times.items() if number > 1} == in_flight


def test_results_on_a_read_only_disk_stop_the_run_before_any_job(
    make_journey: MakeJourney, mount: Mount
) -> None:
    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        mount(journey.results, "-t", "tmpfs", "-o", "size=1m,ro", "tmpfs")
        code, log = journey.run()
        assert code == 2
        [line] = [line for line in log.splitlines() if line.startswith("ERROR")]
        assert "results: cannot write below" in line
        assert endpoint.sent == []


def test_a_folder_that_becomes_read_only_stops_the_run_and_costs_nothing(
    make_journey: MakeJourney, mount: Mount
) -> None:
    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        journey.finish("--until", "phase1")
        before = len(endpoint.sent)
        place = journey.results / PAIR
        mount(place, "-t", "tmpfs", "-o", "size=1m,ro", "tmpfs")
        code, log = journey.run(*PHASE2)
        assert code == 1
        assert "Read-only file system" in log
        assert len(endpoint.sent) == before
        subprocess.run(["umount", str(place)], check=True)
        journey.finish(*PHASE2)
        journey.check_valid("phase1.json", "phase2.json")
        assert set(endpoint.times_sent().values()) == {1}


@pytest.mark.long
def test_results_that_vanish_under_a_job_come_back_without_a_call(
    make_journey: MakeJourney, mount: Mount, tmp_path: Path
) -> None:
    reached, release = threading.Event(), threading.Event()

    def hold(number: int, _: str) -> None:
        if number == 9:
            reached.set()
            release.wait(120)

    with serving() as endpoint:
        journey = make_journey(endpoint.provider())
        disk = tmp_path / "disk"
        disk.mkdir()
        mount(journey.results, "--bind", str(disk))
        endpoint.before = hold
        run = journey.start(*PHASE2)
        assert reached.wait(60)
        subprocess.run(["umount", "--lazy", str(journey.results)], check=True)
        release.set()
        _, log = run.communicate(timeout=240)
        assert run.returncode == 1
        assert "storage: " in log and "no longer there" in log
        shutil.rmtree(journey.results)
        mount(journey.results, "--bind", str(disk))
        journey.finish(*PHASE2)
        journey.check_valid("phase1.json", "phase2.json")
        assert set(endpoint.times_sent().values()) == {1}
