"""The evidence records of the demo: real identifiers, own words, no claim beyond the sources."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

Record = dict[str, Any]

EVIDENCE = Path(__file__).resolve().parents[2] / "config" / "demo" / "evidence"
PAIRS = {
    "APC": "colorectal cancer",
    "EGFR": "lung adenocarcinoma",
    "FBXW7": "colorectal cancer",
    "FLT3": "acute myeloid leukemia",
    "GATA3": "breast cancer",
    "KEAP1": "lung adenocarcinoma",
    "KRAS": "colorectal cancer",
    "NPM1": "acute myeloid leukemia",
    "PIK3CA": "breast cancer",
    "TP53": "colorectal cancer",
    "TTN": "lung adenocarcinoma",
    "VHL": "clear cell renal cell carcinoma",
}
GENE_KEYS = [
    "symbol",
    "name",
    "hgnc_id",
    "entrez_id",
    "ensembl_id",
    "uniprot",
    "aliases",
    "previous",
    "summary",
    "summary_source",
]
ARTICLE_KEYS = [
    "pmid",
    "pmcid",
    "doi",
    "title",
    "journal",
    "year",
    "first_author",
    "text",
    "text_kind",
    "retracted",
    "genes",
    "cancers",
]
COMMENTS = (
    "function",
    "domains",
    "motifs",
    "subcellular_locations",
    "interactions",
    "modifications",
)
PMID = re.compile(r"[1-9]\d{0,7}")
SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z])")
INSTRUCTION = re.compile(
    r"must not|should not|do not (?:read|quote|use|cite)|not be read|evidence (?:for|against)|"
    r"verdict|\bcall fails|not_supported|false claim|supporting evidence|needs? caution",
    re.IGNORECASE,
)
# Numbers that name a place in a gene, a kind of trial or a chromosome are not figures.
DESIGNATION = re.compile(
    r"\b(?:codons?|exons?|phase|stage|trisomy|chromosome)\s+\d+[ab]?"
    r"(?:(?:,| and|-|/| or)\s*\d+[ab]?)*|inv\(\d+\)",
    re.IGNORECASE,
)
FIGURE = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?!\w)")


def _lines(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def _records(name: str) -> list[Record]:
    return _lines(EVIDENCE / f"{name}.jsonl")


def _article(pmid: str) -> Record:
    return next(article for article in _records("articles") if article["pmid"] == pmid)


def _comments(protein: Record) -> Iterator[Record]:
    for field in COMMENTS:
        yield from protein[field]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def _shingles(text: str, size: int = 8) -> set[tuple[str, ...]]:
    """Every run of `size` words inside one sentence."""
    found = set()
    for sentence in SENTENCE_END.split(text):
        words = re.findall(r"[\w']+", sentence.lower())
        found |= {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}
    return found


@pytest.fixture(scope="module")
def sources(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The facts that the records were written from; skips where they are not at hand."""
    folder = request.getfixturevalue("shared_data") / "evidence"
    proteins = _lines(folder / "proteins.jsonl")
    proteins += json.loads((folder / "uniprot_condensed.json").read_text(encoding="utf-8"))
    return {
        "papers": _lines(folder / "papers.jsonl"),
        "facts": _lines(folder / "facts.jsonl"),
        "titles": _lines(folder / "titles_for_existing.jsonl"),
        "proteins": proteins,
        "genes": (folder / "genes.tsv").read_text(encoding="utf-8"),
    }


def _about(sources: dict[str, Any], pmid: str, *kinds: str) -> list[Record]:
    return [row for kind in kinds for row in sources[kind] if row["pmid"] == pmid]


# ---- shapes ----


def test_every_gene_of_the_demo_has_one_gene_and_one_protein_record() -> None:
    assert [gene["symbol"] for gene in _records("genes")] == sorted(PAIRS)
    assert [protein["gene"] for protein in _records("proteins")] == sorted(PAIRS)
    accessions = {gene["symbol"]: gene["uniprot"] for gene in _records("genes")}
    assert {p["gene"]: p["accession"] for p in _records("proteins")} == accessions


@pytest.mark.parametrize("gene", _records("genes"), ids=lambda gene: gene["symbol"])
def test_gene_record_has_the_shape_of_the_store(gene: Record) -> None:
    assert list(gene) == GENE_KEYS
    assert re.fullmatch(r"HGNC:\d+", gene["hgnc_id"])
    assert re.fullmatch(r"\d+", gene["entrez_id"])
    assert re.fullmatch(r"ENSG\d{11}", gene["ensembl_id"])
    assert gene["summary"] is None
    assert gene["summary_source"] is None


def test_article_records_have_the_shape_of_the_store() -> None:
    for article in _records("articles"):
        assert list(article) == ARTICLE_KEYS
        assert PMID.fullmatch(article["pmid"])
        assert article["pmcid"] is None or re.fullmatch(r"PMC\d+", article["pmcid"])
        doi = article["doi"]
        assert doi is None or (re.fullmatch(r"10\.\d{4,9}/\S+", doi) and doi == doi.lower())
        assert article["year"] is None or 1980 <= article["year"] <= 2026
        assert article["text_kind"] == "synopsis"
        assert isinstance(article["retracted"], bool)


def test_a_pmid_has_one_record() -> None:
    counts = Counter(article["pmid"] for article in _records("articles"))
    assert [pmid for pmid, count in counts.items() if count > 1] == []


def test_a_synopsis_is_two_to_five_sentences() -> None:
    for article in _records("articles"):
        assert 2 <= len(SENTENCE_END.split(article["text"])) <= 5, article["pmid"]


def test_a_synopsis_names_every_gene_that_it_is_linked_to() -> None:
    for article in _records("articles"):
        for gene in article["genes"]:
            named = re.search(rf"(?<![\w-]){re.escape(gene)}(?!\w)", article["text"])
            assert named, (article["pmid"], gene)


@pytest.mark.parametrize("gene", sorted(PAIRS))
def test_a_gene_has_at_least_eight_articles(gene: str) -> None:
    linked = [article for article in _records("articles") if gene in article["genes"]]
    assert len(linked) >= 8
    # An article without cancers speaks of the gene in general or of cancer as a whole.
    fitting = [row for row in linked if not row["cancers"] or PAIRS[gene] in row["cancers"]]
    assert len(fitting) >= 7


# ---- what must not be in a text ----


def test_no_text_tells_a_reader_what_to_conclude() -> None:
    for article in _records("articles"):
        assert not INSTRUCTION.search(article["text"]), article["pmid"]


def test_traps_are_not_linked_to_the_gene_they_seem_to_be_about() -> None:
    assert "FBXW7" not in _article("22810696")["genes"]
    assert "FBXW7" not in _article("22810696")["text"]
    assert "TTN" not in _article("33433359")["genes"]
    assert _article("26683228")["cancers"] == ["uveal melanoma"]


@pytest.mark.parametrize("protein", _records("proteins"), ids=lambda protein: protein["gene"])
def test_protein_comments_stand_alone_and_have_few_pmids(protein: Record) -> None:
    assert 3 <= len(protein["function"]) <= 6
    for entry in protein["function"]:
        assert re.match(r"[A-Z][a-z]+s ", entry["text"]), entry["text"]
        assert entry["text"].endswith(".")
    for entry in _comments(protein):
        assert set(entry) == {"text", "pmids"}
        assert len(entry["pmids"]) <= 5
        assert all(PMID.fullmatch(pmid) for pmid in entry["pmids"])


@pytest.mark.parametrize("protein", _records("proteins"), ids=lambda protein: protein["gene"])
def test_protein_functions_do_not_speak_of_cancer(protein: Record) -> None:
    for entry in protein["function"]:
        assert not re.search(r"tumou?r|cancer|oncogen|carcinoma|leuk", entry["text"], re.I)


@pytest.mark.parametrize("protein", _records("proteins"), ids=lambda protein: protein["gene"])
def test_only_text_of_uniprot_is_reviewed_and_has_pmids(protein: Record) -> None:
    general = protein["gene"] in {"FLT3", "TTN", "VHL"}
    assert protein["text_kind"] == ("general_knowledge" if general else "uniprot")
    assert protein["reviewed"] is not general
    if general:
        assert all(entry["pmids"] == [] for entry in _comments(protein))


def test_no_paper_of_a_whole_comment_is_pinned_on_several_sentences() -> None:
    for protein in _records("proteins"):
        cited = [tuple(entry["pmids"]) for entry in protein["function"] if entry["pmids"]]
        assert len(cited) == len(set(cited)), protein["gene"]


# ---- against the sources ----


def test_every_identifier_of_an_article_is_in_the_sources(sources: dict[str, Any]) -> None:
    for article in _records("articles"):
        rows = _about(sources, article["pmid"], "papers", "facts", "titles")
        assert rows, article["pmid"]
        for field in ("pmcid", "title", "journal", "year"):
            if article[field] is not None:
                assert article[field] in [row[field] for row in rows], (article["pmid"], field)
        if article["doi"] is not None:
            assert article["doi"] in [(row["doi"] or "").lower() for row in rows]
        if article["first_author"] is not None:
            assert article["first_author"] in [
                (row["first_author"] or "").rstrip(".") for row in rows
            ]


def test_every_paper_of_the_sources_is_there(sources: dict[str, Any]) -> None:
    present = {article["pmid"] for article in _records("articles")}
    assert {paper["pmid"] for paper in sources["papers"]} <= present


def test_fields_from_memory_are_null(sources: dict[str, Any]) -> None:
    for paper in sources["papers"]:
        article = _article(paper["pmid"])
        for field in paper["memory_fields"]:
            assert article[field] is None, (paper["pmid"], field)


def test_a_retraction_in_the_sources_is_shown(sources: dict[str, Any]) -> None:
    retracted = {fact["pmid"] for fact in sources["facts"] if fact["is_retracted"]}
    for article in _records("articles"):
        assert article["retracted"] is (article["pmid"] in retracted)


def test_every_figure_has_a_source_that_was_read(sources: dict[str, Any]) -> None:
    for article in _records("articles"):
        read = [row["title"] or "" for row in _about(sources, article["pmid"], "papers", "titles")]
        for row in _about(sources, article["pmid"], "papers", "facts"):
            if row.get("basis") != "known_abstract":
                read.append(row["text"])
        known = _numbers(" ".join(read))
        for figure in FIGURE.findall(DESIGNATION.sub(" ", article["text"])):
            assert figure.replace(",", "") in known, (article["pmid"], figure)


def test_papers_known_only_by_identity_carry_no_figures(sources: dict[str, Any]) -> None:
    measured = re.compile(r"\d\s?%|\bHR\b|hazard ratio|\bof \d+ |\d (?:months|weeks|patients)")
    facts = {fact["pmid"] for fact in sources["facts"]}
    bases: dict[str, set[str]] = {}
    for paper in sources["papers"]:
        bases.setdefault(paper["pmid"], set()).add(paper["basis"])
    unread = [pmid for pmid, kinds in bases.items() if kinds == {"known_abstract"}]
    assert unread
    for pmid in unread:
        if pmid not in facts:
            assert not measured.search(_article(pmid)["text"]), pmid


def test_no_wording_is_taken_from_a_source(sources: dict[str, Any]) -> None:
    own = set().union(*(_shingles(f"{row['text']} {row['title']}") for row in sources["papers"]))
    foreign: set[tuple[str, ...]] = set()
    for fact in sources["facts"]:
        foreign |= _shingles(fact["text"])
    for protein in sources["proteins"]:
        for text in _strings(protein):
            foreign |= _shingles(text)
    for article in _records("articles"):
        shared = (_shingles(article["text"]) & foreign) - own
        assert not shared, (article["pmid"], shared)
    for protein in _records("proteins"):
        for text in _strings(protein):
            assert not _shingles(text) & foreign, (protein["gene"], text)


def test_gene_identifiers_are_those_of_the_sources(sources: dict[str, Any]) -> None:
    header, *rows = (line.split("\t") for line in sources["genes"].splitlines())
    known = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    for gene in _records("genes"):
        row = known[gene["symbol"]]
        for field in ("name", "hgnc_id", "entrez_id", "ensembl_id", "uniprot"):
            assert gene[field] == row[field]
        assert "|".join(gene["aliases"]) == row["aliases"]
        assert "|".join(gene["previous"]) == row["previous"]


def test_protein_identifiers_are_those_of_the_sources(sources: dict[str, Any]) -> None:
    known = {protein["gene"]: protein for protein in sources["proteins"]}
    for protein in _records("proteins"):
        source = known[protein["gene"]]
        assert protein["accession"] == source["accession"]
        if source.get("entry_name_basis") == "known_training":
            assert protein["entry_name"] is None
        else:
            assert protein["entry_name"] == source["entry_name"]
        assert protein["length"] in (None, source.get("length_aa"))
        text = " ".join(_strings(source))
        assert all(pmid in text for entry in _comments(protein) for pmid in entry["pmids"])
        isoforms = {(isoform["id"], isoform["name"]) for isoform in source.get("isoforms", [])}
        assert {(isoform["id"], isoform["name"]) for isoform in protein["isoforms"]} <= isoforms
