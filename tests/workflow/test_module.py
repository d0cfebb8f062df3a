"""Another workflow uses this one as a module: docs/integration.md, as it stands there."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflow.conftest import BIN, ROOT, jobs_of
from tests.workflow.finished_run import Trial

PAGE = (ROOT / "docs" / "integration.md").read_text(encoding="utf-8")
INTOGEN = ROOT / "config" / "demo" / "drivers.tsv"


def block(name: str) -> str:
    """Return the first code block after a file's name in backticks."""
    found = re.search(rf"^[^\n]*`{re.escape(name)}`[^`]*?^```\w*\n(.*?)^```", PAGE, re.M | re.S)
    assert found, name
    text = found[1].replace("/opt/intogen-agent", str(ROOT))
    return text.replace("/data/intogen/output/drivers.tsv", str(INTOGEN))


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The other workflow's folder."""
    for name in ("drivers.smk", "Snakefile", "reports.yaml", "profiles/default/config.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block(name), encoding="utf-8")
    (tmp_path / "join.py").write_text(JOIN, encoding="utf-8")
    return tmp_path


JOIN = next(
    code for code in re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S) if "csv" in code
)


def snakemake(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(folder / ".cache"),
    }
    command = [str(BIN / "snakemake"), *words]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment,
        timeout=240,
        check=False,
    )


def agent(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "intogen_agent", *words],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.workflow
def test_another_workflow_feeds_this_one_and_takes_its_reports(other: Path) -> None:
    made = snakemake(other, "--snakefile", "drivers.smk", "--cores", "1")
    assert made.returncode == 0, made.stderr[-3000:]

    done = snakemake(other)
    assert done.returncode == 0, done.stderr[-3000:]
    jobs = jobs_of(done.stderr)
    assert jobs["agent_phase1"] == jobs["agent_phase2"] == jobs["joined"] == 1
    joined = table(other / "drivers_with_reports.tsv")
    assert joined and {row["REPORT_INVOLVEMENT"] for row in joined} == {"supported"}
    assert all((other / "reports" / row["REPORT_PATH"] / "report.md").is_file() for row in joined)
    assert not (other / "results").exists()
    assert not (other / "config").exists()

    assert jobs_of(snakemake(other, "--dry-run").stdout) == {}
    status = agent(other, "status", "reports", "--configfile", "reports.yaml")
    assert "1 of 1" in status
    agent(other, "collect", "reports", "--configfile", "reports.yaml")
    assert len(table(other / "reports/_run/partial/reports.tsv")) == 1


@pytest.mark.workflow
def test_without_the_table_one_line_says_so(other: Path) -> None:
    before = sorted(other.rglob("*"))
    done = snakemake(other)
    assert done.returncode == 2
    [line] = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    assert line.startswith("ERROR: drivers: drivers.tsv: no such file; it is read before any job")
    assert "Traceback" not in done.stderr
    ours = {".cache", ".snakemake"}
    left = [p for p in other.rglob("*") if not ours & set(p.relative_to(other).parts)]
    assert sorted(left) == before


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("pattern", "replacement", "words"),
    [
        (r"    config:\n", '    prefix:\n        "sub"\n    config:\n', "set the option results"),
        (r'"[^"]*/Snakefile"', '"clone/Snakefile"', "use its own .venv/bin/snakemake"),
    ],
    ids=["prefix", "another-clone"],
)
def test_a_module_that_would_mix_things_up_is_refused(
    other: Path, finished: Trial, pattern: str, replacement: str, words: str
) -> None:
    (other / "clone").symlink_to(finished.clone)
    (other / "drivers.tsv").write_bytes(INTOGEN.read_bytes())
    path = other / "Snakefile"
    text, changes = re.subn(pattern, replacement, path.read_text())
    assert changes == 1
    path.write_text(text)
    done = snakemake(other, "--dry-run")
    assert done.returncode == 2
    [line] = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    assert words in line


def test_reports_are_joined_to_the_rows_of_their_drivers(tmp_path: Path) -> None:
    header = ["gene", "cancer_type", "involvement", "role_of_action", "tracked_references"]
    header += ["headline", "path"]
    rows = [
        [
            "APC",
            "COADREAD",
            "supported",
            "tumor suppressor",
            "9",
            'A "quoted" line',
            "APC/COADREAD",
        ],
        ["APC", "CANCER", "supported", "unclear", "9", "Any cancer", "APC/CANCER"],
    ]
    reports = tmp_path / "reports.tsv"
    reports.write_text("".join("\t".join(row) + "\n" for row in [header, *rows]))
    (tmp_path / "join.py").write_text(JOIN)
    done = subprocess.run(
        [sys.executable, "join.py", str(INTOGEN), str(reports)],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (tmp_path / "joined.tsv").write_text(done.stdout)
    joined, drivers = table(tmp_path / "joined.tsv"), table(INTOGEN)
    assert [list(row.values())[: len(drivers[0])] for row in joined] == [
        list(row.values()) for row in drivers
    ]
    found = [row for row in joined if row["REPORT_HEADLINE"]]
    assert {(row["SYMBOL"], row["CANCER_TYPE"]) for row in found} == {("APC", "COADREAD")}
    assert len(found) == sum(row["SYMBOL"] == "APC" for row in drivers) > 1
    assert {row["REPORT_HEADLINE"] for row in found} == {'A "quoted" line'}
