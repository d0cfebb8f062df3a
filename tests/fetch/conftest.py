"""An invented world of papers, proteins and genes, and the command that fetches from it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from public_services import Paper, World, entry, hgnc_doc, served

from intogen_agent.cli import main
from intogen_agent.fetch.service import Patience

Fetch = Callable[..., int]

RETRACTED = (("D016428", "Journal Article"), ("D016441", "Retracted Publication"))


def paper(pmid: int, gene: str, cancer: str, **fields: object) -> Paper:
    text = f"We invented {pmid} results on {gene} in {cancer}. Nothing was measured."
    return Paper(pmid, f"{gene} in {cancer}", text, **fields)  # type: ignore[arg-type]


def small_world() -> World:
    world = World()
    world.papers = {
        11: paper(11, "KRAS", "colorectal cancer"),
        12: paper(12, "KRAS", "colorectal cancer", types=RETRACTED),
        13: paper(13, "KRAS", "melanoma"),
        14: Paper(14, "KRAS without abstract", None),
        15: paper(15, "BRAF", "melanoma", ids='<ArticleId IdType="pmc">PMC15</ArticleId>'),
    }
    world.hits = {
        '("KRAS"[tiab]) AND ("colorectal': [11, 12, 14],
        '("KRAS"[tiab]) AND (cancer*': [13, 11],
        '"BRAF1"[tiab]) AND ("melanoma': [15],
    }
    world.genes = [
        hgnc_doc("KRAS", 1, uniprot_ids=["P00001"], name="KRAS"),
        hgnc_doc("BRAF", 2, alias_symbol=["BRAF1"], name="BRAF"),
        *(hgnc_doc(f"FILLER{number}", number) for number in range(100, 130)),
    ]
    world.entries = [
        entry("P00001", "KRAS", "Invented switch."),
        entry("P00002", "BRAF", "Invented kinase."),
    ]
    return world


@pytest.fixture
def world() -> Iterator[World]:
    """The invented services, running."""
    with served(small_world()) as running:
        yield running


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Patience:
    """Short waits."""
    short = Patience(
        attempts=3, first_wait=0.001, max_wait=0.002, max_asked=0.05, silence=0.3, request=0.5
    )
    monkeypatch.setattr("intogen_agent.cli.store_fetch.PATIENCE", short)
    return short


@pytest.fixture
def fetch(
    world: World, patience: Patience, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Fetch:
    """Run `store fetch` for pairs of gene and cancer type."""
    monkeypatch.chdir(tmp_path)
    for name in ("NCBI_API_KEY", "NCBI_EMAIL"):
        monkeypatch.delenv(name, raising=False)

    def run(*pairs: str, options: tuple[str, ...] = ()) -> int:
        rows = [pair.replace(" ", "\t") for pair in pairs or ("KRAS COADREAD",)]
        Path("cohort.tsv").write_text("\n".join(["gene\tcancer_type", *rows]) + "\n")
        urls = [f"--{name}-url={world.url}/{name}" for name in ("uniprot", "hgnc")]
        return main(
            [
                "store",
                "fetch",
                "--cohort=cohort.tsv",
                "--email=me@example.org",
                "--rate=2000",
                f"--ncbi-url={world.url}/eutils",
                *urls,
                *options,
            ]
        )

    return run


def store_path() -> Path:
    """Return the latest store of the working directory."""
    return max(Path("fetched").glob("*.sqlite"), key=lambda path: path.stat().st_mtime_ns)


def table(text: str) -> dict[str, str]:
    """Return the table of a fetch."""
    return dict(line.split("\t") for line in text.splitlines())
