"""What a store answers."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_finds import Build, pmids
from store_records import article, gene, protein

from intogen_agent.errors import UserError
from intogen_agent.store.ranking import CANDIDATES, DEEPEST_HIT
from intogen_agent.store.search import Store


@pytest.mark.parametrize(
    ("name", "symbol", "matched"),
    [
        ("APC", "APC", "symbol"),
        ("apc", "APC", "symbol"),
        (" APC ", "APC", "symbol"),
        ("DP2", "APC", "alias"),
        ("dp2.5", "APC", "alias"),
        ("AGO", "FBXW7", "alias"),
        ("KRAS2", "KRAS", "previous"),
        ("HGNC:583", "APC", "identifier"),
        ("324", "APC", "identifier"),
        ("ENSG00000134982", "APC", "identifier"),
        ("ENSG00000134982.17", "APC", "identifier"),
        ("P25054", "APC", "identifier"),
    ],
)
def test_a_gene_is_found_by_any_of_its_names(
    store: Store, name: str, symbol: str, matched: str
) -> None:
    match = store.gene(name)
    assert match is not None
    assert (match.record.symbol, match.matched, match.others) == (symbol, matched, ())


@pytest.mark.parametrize(
    "name", ["", "NOPE", "\ud800", "TTN-AS1", "5832", "a" * 10_000, "' OR 1=1 --", "\x00"]
)
def test_an_unknown_gene_is_none(store: Store, name: str) -> None:
    assert store.gene(name) is None


def test_a_symbol_wins_over_another_genes_alias(build: Build) -> None:
    genes = [
        gene("OLD", aliases=["NEW"], previous=["NEW"]),
        gene("NEW"),
        gene("Z", aliases=["OLD"]),
    ]
    with Store(build(genes=genes)) as store:
        match = store.gene("NEW")
        assert match is not None
        assert (match.record.symbol, match.matched) == ("NEW", "symbol")


def test_a_previous_symbol_wins_over_an_alias(build: Build) -> None:
    genes = [gene("A1B", aliases=["OLD1"]), gene("C2D", previous=["OLD1"])]
    with Store(build(genes=genes)) as store:
        match = store.gene("OLD1")
        assert match is not None
        assert match.record.symbol == "C2D"


def test_genes_that_share_an_alias_are_all_named(store: Store) -> None:
    match = store.gene("SHARED1")
    assert match is not None
    assert (match.record.symbol, match.others) == ("FBXW7", ("KRAS",))


@pytest.mark.parametrize(
    ("gene_name", "organism", "accessions"),
    [
        ("APC", None, ["P25054", "Q61315"]),
        ("apc", "", ["P25054", "Q61315"]),
        ("DP2", "human", ["P25054"]),
        ("APC", "Homo sapiens", ["P25054"]),
        ("APC", "9606", ["P25054"]),
        ("APC", "Mouse", ["Q61315"]),
        ("APC", "Mus musculus", ["Q61315"]),
        ("APC", "yeast", []),
        ("APC", "9" * 5000, []),
        ("\ud800", "\ud800", []),
        ("P25054", None, ["P25054", "Q61315"]),
        ("Q61315", None, ["Q61315"]),
        ("HGNC:583", "human", ["P25054"]),
        ("NOPE", None, []),
    ],
)
def test_proteins_are_found_by_gene_and_organism(
    store: Store, gene_name: str, organism: str | None, accessions: list[str]
) -> None:
    assert [record.accession for record in store.proteins(gene_name, organism)] == accessions


def test_reviewed_proteins_come_first(build: Build) -> None:
    entries = [protein("APC", "A0A024", reviewed=False) | {"accession": "A0A024R5X8"}]
    with Store(build(proteins=[*entries, protein("APC", "P25054")])) as store:
        assert [record.reviewed for record in store.proteins("APC")] == [True, False]


def test_a_protein_without_gene_record_is_found(build: Build) -> None:
    with Store(build(genes=[])) as store:
        assert len(store.proteins("APC", "human")) == 1


@pytest.mark.parametrize(
    "identifier",
    [
        *("101", " 101 ", "PMID:101", "PMID 101", "https://pubmed.ncbi.nlm.nih.gov/101/"),
        *("10.1038/abc", "10.1038/ABC", "doi:10.1038/abc", "https://doi.org/10.1038/ABC"),
        *("PMC77", "pmc77", "PMCID:PMC77", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC77/"),
    ],
)
def test_an_article_is_found_by_any_identifier(store: Store, identifier: str) -> None:
    found = store.article(identifier)
    assert found is not None
    assert (found.pmid, found.pmcid, found.doi) == ("101", "PMC77", "10.1038/abc")


@pytest.mark.parametrize(
    "identifier",
    [
        "",
        "999",
        "0",
        "1e2",
        "PMC101",
        "10.1/x",
        "9" * 99,
        "NCT101",
        "see 101",
        "-101",
        "\ud800",
        "10.1038/\ud800",
    ],
)
def test_an_unknown_article_is_none(store: Store, identifier: str) -> None:
    assert store.article(identifier) is None


def test_an_article_keeps_what_its_text_is(store: Store) -> None:
    retracted, other = store.article("106"), store.article("101")
    assert retracted is not None and other is not None
    assert (retracted.retracted, retracted.text_kind) == (True, "abstract")
    assert (other.retracted, other.text_kind) == (False, "synopsis")


@pytest.mark.parametrize(
    ("genes", "diseases", "expected"),
    [
        (["APC"], ["colorectal cancer"], [101, 102]),
        (["APC"], ["Colorectal Adenocarcinoma"], [101, 102]),
        (["APC"], ["COADREAD"], [101, 102]),
        (["APC"], ["rectal cancer"], [102]),
        (["APC"], ["bowel cancer"], [101, 102]),
        (["APC"], ["cancer"], [101, 102, 103]),
        (["APC"], ["tumour"], [101, 102, 103]),
        (["APC"], [], [101, 102, 103]),
        (["APC"], ["cancer", "rectal cancer"], [102]),
        (["APC"], ["melanoma"], []),
        (["DP2"], ["colorectal cancer"], [101, 102]),
        (["APC", "DP2"], ["colorectal cancer"], [101, 102]),
        (["TTN"], ["lung adenocarcinoma"], [105]),
        (["TTN"], [], [105]),
        (["TTN-AS1"], [], [104]),
        (["KRAS"], ["skin melanoma"], [106]),
        (["FBXW7"], ["colorectal cancer"], [107]),
        (["AGO"], ["colorectal cancer"], [107]),
        (["APC"], ["gout"], []),
        (["NOPE"], ["cancer"], []),
    ],
)
def test_genes_and_diseases_are_both_required(
    store: Store, genes: list[str], diseases: list[str], expected: list[int]
) -> None:
    assert sorted(pmids(store, genes, diseases)) == expected


def test_articles_on_gene_and_disease_together_come_first(store: Store) -> None:
    assert pmids(store, ["APC"], ["colorectal cancer"]) == [101, 102]
    assert pmids(store, ["APC"], ["cancer"])[0] == 101


def test_keywords_rank_and_exclude_nothing(store: Store) -> None:
    assert pmids(store, ["APC"], ["cancer"], ["spindle"])[0] == 103
    assert sorted(pmids(store, ["APC"], ["cancer"], ["nothing like it"])) == [101, 102, 103]


@pytest.mark.parametrize("keyword", ["methylated", "METHYLATION", "methylation status"])
def test_keywords_match_other_forms_of_a_word(store: Store, keyword: str) -> None:
    plain, ranked = (
        {hit.article.pmid: hit.score for hit in store.articles(["APC"], ["cancer"], words)}
        for words in ([], [keyword])
    )
    assert ranked["102"] > plain["102"]
    assert ranked["103"] == plain["103"]


def test_several_genes_are_alternatives_and_joint_mentions_come_first(build: Build) -> None:
    texts = [article(1, "APC."), article(2, "APC and KRAS."), article(3, "KRAS KRAS KRAS.")]
    with Store(build(articles=texts)) as store:
        assert pmids(store, ["APC", "KRAS"]) == [2, 3, 1]


def test_an_unknown_gene_needs_its_disease_too(build: Build) -> None:
    texts = [article(1, "BRAF in melanoma."), article(2, "BRAF in lung."), article(3, "BRAF-AS1.")]
    with Store(build(articles=texts)) as store:
        assert pmids(store, ["BRAF"], ["melanoma"]) == [1]
        assert pmids(store, ["BRAF"], ["cancer"]) == [2, 1]
        assert pmids(store, ["BRAF"], ["in lung"]) == [2]


def test_a_disease_without_terms_is_looked_for_in_the_texts(build: Build) -> None:
    texts = [article(1, "APC in desmoid disease."), article(2, "APC in mice.")]
    with Store(build(articles=texts)) as store:
        assert pmids(store, ["APC"], ["desmoid disease"]) == [1]


@pytest.mark.parametrize(
    ("diseases", "keywords", "expected"),
    [
        ([], ["sunlight"], [108]),
        (["melanoma"], [], [106, 108]),
        (["melanoma"], ["sunlight"], [108]),
        (["cancer"], ["sunlight"], [108]),
        (["cancer"], [], [101, 104]),
        (["melanoma"], ["spindle"], []),
        ([], ["mitosis spindle", "damage"], [108]),
        ([], ["--- ***"], []),
    ],
)
def test_without_genes_the_words_are_searched(
    store: Store, diseases: list[str], keywords: list[str], expected: list[int]
) -> None:
    assert sorted(pmids(store, [], diseases, keywords)) == expected


@pytest.mark.parametrize("asked", [([], [], []), ([" "], [""], ["\t"])])
def test_a_search_for_nothing_is_refused(store: Store, asked: Any) -> None:
    with pytest.raises(UserError, match="needs a gene, a disease or a keyword"):
        store.articles(*asked)


NAMES = st.lists(
    st.sampled_from(
        ["APC", "TTN", "NOPE", "melanoma", "cancer", 'a"b', "*", "NEAR(x y)", "^x", "x:y"]
    )
    | st.text(max_size=12),
    max_size=3,
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200
)
@given(NAMES, NAMES, NAMES, st.integers(1, 20), st.integers(1, 10**18))
def test_any_question_has_an_answer(
    store: Store, genes: list[str], diseases: list[str], words: list[str], limit: int, page: int
) -> None:
    if any(text.strip() for text in [*genes, *diseases, *words]):
        first = store.articles(genes, diseases, words, limit, page)
        assert first == store.articles(genes, diseases, words, limit, page)
        assert len(first) <= limit


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.integers(1, 4), st.sampled_from([(["APC"], []), (["APC"], ["spindle"]), ([], ["cancer"])])
)
def test_pages_are_parts_of_one_list(store: Store, limit: int, asked: Any) -> None:
    genes, words = asked
    whole = store.articles(genes, [], words, 100)
    pages = [store.articles(genes, [], words, limit, page) for page in range(1, 6)]
    assert [hit for page in pages for hit in page] == whole
    assert [hit.score for hit in whole] == sorted((hit.score for hit in whole), reverse=True)


def test_lone_surrogates_are_harmless(store: Store) -> None:
    assert store.articles(["\ud800"], ["\udfff"], ["\ud800"]) == []


def test_a_gene_with_more_articles_than_candidates(build: Build) -> None:
    texts = [article(number, f"APC number {number}.") for number in range(1, CANDIDATES + 3)]
    with Store(build(articles=texts)) as store:
        assert pmids(store, ["APC"], limit=2) == [CANDIDATES + 2, CANDIDATES + 1]
        assert pmids(store, ["APC"], limit=5, page=201) == [2, 1]
        assert pmids(store, ["APC"], limit=5, page=DEEPEST_HIT) == []


def test_stated_genes_and_cancers_replace_what_the_text_names(build: Build) -> None:
    stated = article(
        1, "APC and KRAS in melanoma and lung cancer.", genes=["TTN"], cancers=["LUAD"]
    )
    with Store(build(articles=[stated])) as store:
        assert pmids(store, ["TTN"], ["lung adenocarcinoma"]) == [1]
        assert pmids(store, ["APC"]) == []
        assert pmids(store, ["TTN"], ["melanoma"]) == []


def test_a_stated_cancer_keeps_the_weight_of_its_synonyms_in_the_text(build: Build) -> None:
    texts = [
        article(1, "x", "APC in colorectal cancer", genes=["APC"], cancers=["COADREAD"]),
        article(2, "x", "APC", genes=["APC"], cancers=["COADREAD"]),
    ]
    with Store(build(articles=texts)) as store:
        first, second = store.articles(["APC"], ["colorectal cancer"])
        assert (first.article.pmid, second.article.pmid) == ("1", "2")
        assert first.score > second.score


def test_a_stated_gene_may_be_an_alias(build: Build) -> None:
    with Store(build(articles=[article(1, "x", genes=["dp2"])])) as store:
        assert pmids(store, ["APC"]) == [1]


def test_a_stated_general_word_is_no_particular_cancer(build: Build) -> None:
    text = article(1, "APC in melanoma.", genes=["APC"], cancers=["pan-cancer"])
    with Store(build(articles=[text])) as store:
        assert pmids(store, ["APC"], ["melanoma"]) == []
        assert pmids(store, ["APC"], ["cancer"]) == [1]


def test_a_stated_cancer_without_terms_is_found_by_its_name(build: Build) -> None:
    with Store(build(articles=[article(1, "x", genes=["APC"], cancers=["Odd Disease"])])) as store:
        assert pmids(store, ["APC"], ["odd disease"]) == [1]
