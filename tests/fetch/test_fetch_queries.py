"""The PubMed query of a task."""

import gzip
from pathlib import Path

import pytest

from intogen_agent.cohort.ambiguous import AmbiguousNames
from intogen_agent.cohort.cancer_types import default_path, load_cancer_types
from intogen_agent.cohort.options import CohortOptions
from intogen_agent.cohort.tasks import Task, build_cohort
from intogen_agent.config import places
from intogen_agent.fetch.queries import Names, cancer_terms, gene_terms, task_query

TABLE = AmbiguousNames(places.ambiguous_symbols())


def nobody(_: str) -> bool:
    return False


def task(terms: tuple[str, ...], name: str = "", **fields: str) -> Task:
    known = {"gene": "APC", "cancer_type": "X", "scheme": "custom", "path": "APC/X"} | fields
    kind = "pan-cancer" if known["cancer_type"] == "CANCER" else "pair"
    return Task(
        cancer_name=name, search_terms=terms, task=kind, origin="intogen", statistics=None, **known
    )


@pytest.mark.parametrize(
    "symbol", ["CAT", "SET", "MET", "KIT", "HR", "GPI", "MAX", "REST", "RET", "WAS", "AR", "FH"]
)
def test_an_ambiguous_symbol_is_never_searched_alone(symbol: str) -> None:
    terms = gene_terms(Names(symbol), nobody, TABLE)
    assert f'"{symbol}"[tiab]' not in terms
    assert f'"{symbol} mutation"[tiab:~0]' in terms
    assert all(symbol in term for term in terms)


@pytest.mark.parametrize("symbol", ["APC", "ALK", "p53", "TP5", "POLE", "NUMB"])
def test_three_letters_or_another_meaning_need_a_word_about_genes(symbol: str) -> None:
    [term] = gene_terms(Names(symbol), nobody, TABLE)
    assert term.startswith(f'("{symbol}"[tiab] AND (gene[tiab] OR ')


@pytest.mark.parametrize(
    ("symbol", "term"),
    [("KRAS", '"KRAS"[tiab]'), ("NKX2-1", '"NKX2-1"[tiab:~0]'), ("H3-3A", '"H3-3A"[tiab:~0]')],
)
def test_a_plain_symbol_stands_alone(symbol: str, term: str) -> None:
    assert gene_terms(Names(symbol), nobody, TABLE) == [term]


def test_other_names_are_searched_unless_they_are_ambiguous_or_shared() -> None:
    names = Names(
        "FBXW7",
        "F-box and WD repeat domain containing 7",
        previous=("FBXW6",),
        aliases=("AGO", "PBT", "SEL-10", "CDC4", "fbxw7", "D2"),
    )
    assert gene_terms(names, lambda name: name == "CDC4", TABLE) == [
        '"FBXW7"[tiab]',
        '"FBXW6"[tiab]',
        '"SEL-10"[tiab:~0]',
        '"F-box and WD repeat domain containing 7"[tiab:~0]',
    ]


def test_a_gene_of_many_names_keeps_a_query_of_bearable_length() -> None:
    names = Names("ABCD1", aliases=tuple(f"ALIAS{number}" for number in range(60)))
    assert len(gene_terms(names, nobody, TABLE)) == 9


def test_pan_cancer_uses_general_words() -> None:
    terms = cancer_terms(task(("cancer",), "Any Cancer Type", cancer_type="CANCER"))
    assert {"cancer*[tiab]", "tumour*[tiab]", "neoplasms[mh]"} <= set(terms)
    assert "Any" not in " ".join(terms)


def test_terms_are_neighbours_with_plurals_and_without_tails() -> None:
    terms = cancer_terms(task(("breast cancer", "low-grade glioma, NOS", "wilms' tumor", "AML")))
    assert terms == [
        '"breast cancer"[tiab:~0]',
        '"breast cancers"[tiab:~0]',
        '"low-grade glioma"[tiab:~0]',
        '"low-grade gliomas"[tiab:~0]',
        '"wilms tumor"[tiab:~0]',
        '"wilms tumors"[tiab:~0]',
    ]


@pytest.mark.parametrize("terms", [(), ("AML",), ("--",)])
def test_a_cancer_that_nothing_names_has_no_query(terms: tuple[str, ...]) -> None:
    assert task_query(task(terms), Names("APC"), nobody, TABLE) is None


def test_no_term_escapes_its_quotes() -> None:
    query = task_query(task(('x" OR all[sb] OR "y',)), Names('AB1"C', 'no" [name]'), nobody, TABLE)
    assert query is not None
    assert query.text == (
        '("AB1 C"[tiab:~0] OR "no name"[tiab:~0]) AND ("x OR all sb OR y"[tiab:~0]) AND hasabstract'
    )


def test_every_task_of_a_release_has_a_query_of_bearable_length(shared_data: Path) -> None:
    table = shared_data / "intogen" / "intogen_2023-05-31_Compendium_Cancer_Genes.tsv"
    names = {}
    entries = shared_data / "formats" / "hgnc" / "hgnc_entries.tsv.gz"
    for row in gzip.decompress(entries.read_bytes()).decode().splitlines()[1:]:
        cells = row.split("\t")
        previous, aliases = (tuple(filter(None, cells[place].split(", "))) for place in (9, 4))
        names[cells[1]] = Names(cells[1], cells[2], previous, aliases)
    cohort = build_cohort([table], CohortOptions(), load_cancer_types(default_path()))
    assert len(cohort.tasks) == 3249
    lengths = []
    for one in cohort.tasks:
        query = task_query(one, names.get(one.gene, Names(one.gene)), nobody, TABLE)
        assert query is not None, one
        assert query.text.count('"') % 2 == 0
        lengths.append(len(query.text))
    assert max(lengths) < 4000
