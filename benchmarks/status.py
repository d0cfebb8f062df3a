"""Time of `intogen-agent status` on thousands of pairs.

Copies of one finished pair, a tenth of them unfinished and a tenth not begun.

    python benchmarks/status.py results/APC/COADREAD
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from intogen_agent.delivery.cohort_file import COLUMNS

GENES, CANCERS = 600, 5


def fill(results: Path, pair: Path) -> None:
    """Write the results of all pairs and their task table."""
    rows = ["\t".join(COLUMNS)]
    for number in range(GENES * CANCERS):
        gene, cancer = f"G{number // CANCERS}", f"C{number % CANCERS}"
        values = {"gene": gene, "cancer_type": cancer, "path": f"{gene}/{cancer}"}
        values |= {"scheme": "oncotree", "task": "pair", "status": "task"}
        rows.append("\t".join(values.get(name, "") for name in COLUMNS))
        folder = results / gene / cancer
        if number % 10 == 9:
            continue
        shutil.copytree(pair, folder)
        shutil.copy(pair.parent / "phase1.json", folder.parent)
        if number % 10 == 8:
            for name in ("provenance.json", "summary.json", "audit.jsonl.gz"):
                (folder / name).unlink()
            (folder / ".journal").mkdir()
            (folder / ".journal" / "summary.jsonl").touch()
    (results / "_run").mkdir()
    (results / "_run" / "cohort.tsv").write_text("\n".join(rows) + "\n")


def main() -> None:
    """Print the seconds of one call."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results"
        fill(results, Path(sys.argv[1]))
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "intogen_agent", "status", str(results)], check=True)
        elapsed = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{GENES * CANCERS} pairs: {elapsed:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of CPU")


if __name__ == "__main__":
    main()
