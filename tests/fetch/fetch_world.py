"""An invented world of papers, proteins and genes."""

from collections.abc import Callable
from pathlib import Path

from public_services import Paper, World, entry, hgnc_doc

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


def store_path() -> Path:
    """Return the latest store of the working directory."""
    return max(Path("fetched").glob("*.sqlite"), key=lambda path: path.stat().st_mtime_ns)


def table(text: str) -> dict[str, str]:
    """Return the table of a fetch."""
    return dict(line.split("\t") for line in text.splitlines())
