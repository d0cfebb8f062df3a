"""The composer knows no gene and no paper; real evidence decides by what it says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from offline_world import Paper, journey, renamed, task

EXPECTED = {
    ("APC", "colorectal cancer"): "supported",
    ("KRAS", "colorectal cancer"): "supported",
    ("TP53", "colorectal cancer"): "supported",
    ("FBXW7", "colorectal cancer"): "supported",
    ("EGFR", "lung adenocarcinoma"): "supported",
    ("KEAP1", "lung adenocarcinoma"): "supported",
    ("PIK3CA", "breast cancer"): "supported",
    ("GATA3", "breast cancer"): "supported",
    ("NPM1", "acute myeloid leukemia"): "supported",
    ("FLT3", "acute myeloid leukemia"): "supported",
    ("VHL", "clear cell renal cell carcinoma"): "supported",
    ("TTN", "lung adenocarcinoma"): "not_supported",
}


def records(root: Path, name: str) -> Iterator[dict[str, Any]]:
    for line in (root / "config" / "demo" / "evidence" / name).read_text().splitlines():
        yield json.loads(line)


def papers(root: Path, gene: str, cancer: str | None = None) -> list[Paper]:
    """Return the demo's papers on a gene, in a cancer or in any."""
    return [
        Paper(int(one["pmid"]), one["journal"] or "unknown", one["text"], one["title"] or "")
        for one in records(root, "articles.jsonl")
        if gene in one["genes"]
        and (cancer is None or cancer in one["cancers"] or not one["cancers"])
    ]


def about(root: Path, gene: str, cancer: str | None) -> dict[str, Any]:
    (record,) = [one for one in records(root, "genes.jsonl") if one["symbol"] == gene]
    names = {"aliases": [*record["aliases"], *record["previous"]], "name": record["name"]}
    if cancer is None:
        return task(gene, **names, cancer="Any Cancer Type", terms=["cancer"], pan=True)
    return task(gene, **names, cancer=cancer, terms=[cancer])


def function(root: Path, gene: str) -> list[str]:
    (record,) = [one for one in records(root, "proteins.jsonl") if one["gene"] == gene]
    return [fact["text"] for fact in record["function"]]


@pytest.mark.parametrize(("gene", "cancer"), list(EXPECTED))
def test_the_demo_s_evidence_decides_each_pair(root: Path, gene: str, cancer: str) -> None:
    case = journey(papers(root, gene, cancer), about(root, gene, cancer), function(root, gene))
    draft = case.report()
    assert draft["involvement"] == EXPECTED[gene, cancer]
    assert bool(draft["mechanisms"]) == (draft["involvement"] == "supported")


@pytest.mark.parametrize(("gene", "cancer"), [("APC", None), ("TTN", None), ("VHL", None)])
def test_the_demo_s_evidence_decides_across_cancers(
    root: Path, gene: str, cancer: str | None
) -> None:
    case = journey(papers(root, gene), about(root, gene, None), function(root, gene))
    wanted = "not_supported" if gene == "TTN" else "supported"
    assert case.report()["involvement"] == wanted


def test_with_two_genes_evidence_exchanged_their_verdicts_exchange(root: Path) -> None:
    swap = {"APC": "TTN", "TTN": "APC"}
    for text_of, gene, wanted in (("APC", "TTN", "supported"), ("TTN", "APC", "not_supported")):
        exchanged = renamed(papers(root, text_of), swap)
        case = journey(exchanged, about(root, gene, None), function(root, gene))
        assert case.report()["involvement"] == wanted


@pytest.mark.parametrize(("gene", "cancer"), list(EXPECTED))
def test_with_every_gene_renamed_the_verdicts_stay(root: Path, gene: str, cancer: str) -> None:
    names = {pair[0]: f"ZRK{number + 1}" for number, pair in enumerate(EXPECTED)}
    made_up = renamed(papers(root, gene, cancer), names)
    told = [re.sub(rf"\b{gene}\b", names[gene], text) for text in function(root, gene)]
    case = journey(made_up, task(names[gene], cancer=cancer, terms=[cancer]), told)
    assert case.report()["involvement"] == EXPECTED[gene, cancer]


def sources(root: Path) -> str:
    folder = root / "scripts" / "intogen_agent" / "offline"
    return "\n".join(path.read_text() for path in sorted(folder.glob("*.py")))


def test_no_gene_of_the_demo_is_named_in_the_code(root: Path) -> None:
    code = sources(root)
    for record in records(root, "genes.jsonl"):
        for name in (record["symbol"], *record["aliases"], *record["previous"]):
            assert not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", code), name


def test_no_paper_is_named_in_the_code(root: Path) -> None:
    assert not re.search(r"\b\d{7,8}\b", sources(root))


def test_the_offline_model_is_a_world_of_its_own(root: Path) -> None:
    imported = set(
        re.findall(r"^\s*(?:from|import) (intogen_agent[\w.]*)", sources(root), re.MULTILINE)
    )
    others = {name for name in imported if not name.startswith("intogen_agent.offline")}
    assert others == {"intogen_agent.errors", "intogen_agent.files"}
