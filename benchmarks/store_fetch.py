"""Fetch a store for a synthetic cohort from services on this machine.

  python benchmarks/store_fetch.py --genes 60

Each gene has five cancers of 100 papers; a record is as large as PubMed's (12 kB of XML, 1.5 kB of
abstract). Prints one line per measure: CPU seconds and bytes per 1,000 papers, and the memory of
the fetch. The pace of the real services is theirs: requests divided by requests per second.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "fetch"))

from public_services import Paper, World, hgnc_doc, served  # noqa: E402

# The first search term of each.
CODES = {
    "COADREAD": "colorectal adenocarcinoma",
    "BRCA": "invasive breast carcinoma",
    "MEL": "melanoma",
    "PRAD": "prostate adenocarcinoma",
    "HCC": "hepatocellular carcinoma",
}
REFERENCE = (
    "<Reference><Citation>An invented reference of usual length. J Invent Res. 2001;1:1-9."
    '</Citation><ArticleIdList><ArticleId IdType="pubmed">{}</ArticleId></ArticleIdList>'
    "</Reference>"
)


def invented_world(genes: int) -> World:
    """Return services with 300 papers of each gene, of which each cancer takes 100."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    references = "".join(REFERENCE.format(number) for number in range(50))
    ids = f"</ArticleIdList><ReferenceList>{references}</ReferenceList><ArticleIdList>"
    world = World(genes=[hgnc_doc(f"GEN{number}A", number + 1) for number in range(genes)])
    for number in range(genes):
        pool = range(1 + 300 * number, 301 + 300 * number)
        for pmid in pool:
            cancer = chance.choice(list(CODES.values()))
            filler = " ".join(chance.choices(words, k=180))
            text = f"GEN{number}A was mutated in {cancer}. {filler}"
            world.papers[pmid] = Paper(pmid, f"GEN{number}A in {cancer}", text[:1500], ids=ids)
        for term in CODES.values():
            key = f'"GEN{number}A invented name"[tiab:~0]) AND ("{term}'
            world.hits[key] = chance.sample(pool, 100)
    return world


def main() -> None:
    """Fetch, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genes", type=int, default=60, help="20 or more")
    genes = parser.parse_args().genes
    with tempfile.TemporaryDirectory() as name, served(invented_world(genes)) as world:
        folder = Path(name)
        rows = [f"GEN{number}A\t{code}" for number in range(genes) for code in CODES]
        (folder / "cohort.tsv").write_text("\n".join(["gene\tcancer_type", *rows]) + "\n")
        command = [sys.executable, "-m", "intogen_agent", "store", "fetch", "--cohort"]
        command += ["cohort.tsv", "--email", "me@example.org", "--rate", "1000", "--no-pan-cancer"]
        command += [f"--ncbi-url={world.url}/eutils"]
        command += [f"--{one}-url={world.url}/{one}" for one in ("hgnc", "uniprot")]
        start = time.monotonic()
        subprocess.run(command, cwd=folder, check=True)
        seconds = time.monotonic() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        fetched = folder / "fetched"
        papers = int(sum(1 for _ in (fetched / "records" / "articles.jsonl").open()))
        sizes = {
            "answers": sum(one.stat().st_size for one in fetched.rglob("*.gz")),
            "records": sum(one.stat().st_size for one in (fetched / "records").iterdir()),
            "store": sum(one.stat().st_size for one in fetched.glob("*.sqlite")),
        }
    asked = {name: len(world.requests(name)) for name in ("esearch", "efetch")}
    print(f"tasks\t{len(rows)}\npapers\t{papers}")
    print("requests\t" + ", ".join(f"{name} {count}" for name, count in asked.items()))
    cpu = used.ru_utime + used.ru_stime
    print(f"time\t{seconds:.0f} s in all, {1000 * cpu / papers:.1f} CPU s per 1,000 papers")
    for what, size in sizes.items():
        print(f"{what}\t{1000 * size / papers / 2**20:.1f} MB per 1,000 papers")
    print(f"memory\t{used.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
