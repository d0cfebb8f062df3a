"""The lock of an allocation's run is noted while it is held."""

from pathlib import Path

import pytest

from intogen_agent.allocation import MARKER, VARIABLE
from tests.workflow.finished_run import Trial, copy_of

pytestmark = pytest.mark.workflow


def test_a_run_notes_the_files_of_its_lock_for_its_allocation(
    finished: Trial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = copy_of(finished, tmp_path)
    marker = trial.directory / MARKER
    (trial.results / "APC/COADREAD/report.md").unlink()
    assert trial.run("--dry-run").returncode == 0
    assert not marker.exists()
    monkeypatch.setenv(VARIABLE, "17")
    done = trial.run()
    assert done.returncode == 0, done.stderr[-3000:]
    job, *files = marker.read_text().splitlines()
    assert job == "17"
    assert [line.split()[0] for line in files] == ["0.input.lock", "0.output.lock"]
