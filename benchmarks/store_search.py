"""Build a store of synthetic articles and compare its two ways of searching.

  python benchmarks/store_search.py [ARTICLES]

Prints one line per measure: CPU seconds of the build per 1,000 articles, bytes per article, the
median and 95th percentile of both paths in milliseconds, and their ratio.
"""

import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from intogen_agent.store.build import build_store
from intogen_agent.store.search import Store

CANCER_TYPES = Path(__file__).resolve().parents[1] / "config" / "cancer_types.tsv"
GENES = [f"GEN{number}A" for number in range(500)]
CANCERS = ["colorectal cancer", "lung adenocarcinoma", "breast cancer", "melanoma", "glioma"]
QUERIES = 200


def write_records(folder: Path, articles: int) -> None:
    """Write genes and articles of about 1,500 characters; a few genes have most articles."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    weights = [1 / (rank + 1) for rank in range(len(GENES))]
    genes = ({"symbol": symbol} for symbol in GENES)
    (folder / "genes.jsonl").write_text("".join(f"{json.dumps(gene)}\n" for gene in genes))
    (folder / "proteins.jsonl").write_text("")
    with (folder / "articles.jsonl").open("w") as handle:
        for pmid in range(1, articles + 1):
            gene, cancer = chance.choices(GENES, weights)[0], chance.choice(CANCERS)
            filler = " ".join(chance.choices(words, k=180))
            text = f"{gene} was mutated in {cancer}. {filler}. {gene} acts by methylation. {filler}"
            record = {"pmid": str(pmid), "title": f"{gene} in {cancer}", "text": text[:1500]}
            handle.write(json.dumps(record | {"text_kind": "abstract"}) + "\n")


def measure(store: Store, genes: bool) -> list[float]:
    """Return the milliseconds of searches that differ in gene and cancer."""
    chance = random.Random(2)
    times = []
    for _ in range(QUERIES):
        gene, cancer = chance.choice(GENES), chance.choice(CANCERS)
        start = time.perf_counter()
        if genes:
            store.articles([gene], [cancer], limit=20)
        else:
            store.articles([], [cancer], [gene], limit=20)
        times.append(1000 * (time.perf_counter() - start))
    return times


def main() -> None:
    """Build, measure, print."""
    articles = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder, articles)
        start = time.process_time()
        build_store(folder, folder / "x.store", CANCER_TYPES)
        seconds = time.process_time() - start
        print(f"build\t{1000 * seconds / articles:.2f} CPU s per 1,000 articles")
        print(f"size\t{(folder / 'x.store').stat().st_size / articles:.0f} bytes per article")
        with Store(folder / "x.store") as store:
            measure(store, genes=True)
            paths = {"pair": measure(store, genes=True), "text": measure(store, genes=False)}
        for path, times in paths.items():
            p95 = statistics.quantiles(times, n=20)[-1]
            print(f"{path}\t{statistics.median(times):.2f} ms median, {p95:.2f} ms 95th percentile")
        ratio = statistics.median(paths["text"]) / statistics.median(paths["pair"])
        print(f"ratio\t{ratio:.1f} text : pair")


if __name__ == "__main__":
    main()
