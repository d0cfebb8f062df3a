"""The store's MCP server: in memory for its answers, as a process for how it lives and dies."""

import json
from typing import Any

import pytest
from store_calls import Build, Call, ask
from store_records import ARTICLES, protein

from intogen_agent.store.search import Store


def test_a_gene_record_is_biomcps_markdown(call: Call) -> None:
    assert call("gene_getter", gene_id_or_symbol="APC") == (
        "# Record 1\n"
        "Gene Id: 324\n"
        "Symbol: APC\n"
        "Name: APC name\n"
        "Alias: DP2, DP2.5, PPP1R46\n"
        "Entrezgene: 324\n"
        "Hgnc: HGNC:583\n"
        "\n"
        "## Ensembl\n"
        "Gene: ENSG00000134982\n"
        "\n"
        "## Uniprot\n"
        "Swiss-Prot: P25054\n"
        "\n"
        "## Links\n"
        "Ncbi Gene: https://www.ncbi.nlm.nih.gov/gene/324\n"
    )


def test_a_gene_found_by_another_name_says_so(call: Call) -> None:
    text = call("gene_getter", gene_id_or_symbol="SHARED1")
    assert "Symbol: FBXW7\n" in text
    assert "Matched: alias SHARED1\nAlso Matched: KRAS\n" in text


def test_a_search_is_biomcps_markdown(call: Call) -> None:
    text = call("article_searcher", genes=["APC"], diseases=["colorectal cancer"])
    assert text == (
        "# Record 1\n"
        "Pmid: 101\n"
        "Pmcid: PMC77\n"
        "Doi: 10.1038/abc\n"
        "Title: APC in colorectal cancer\n"
        "Journal: J Test\n"
        "Date: 2001\n"
        "Synopsis:\n"
        "  APC loss activates WNT signalling in colorectal cancer. Truncating\n"
        "  mutations are common.\n"
        "Source: Local evidence store\n"
        "Pubmed Url: https://pubmed.ncbi.nlm.nih.gov/101/\n"
        "\n"
        "# Record 2\n"
        "Pmid: 102\n"
        "Title: A title\n"
        "Journal: J Test\n"
        "Date: 2010\n"
        "Synopsis:\n"
        "  We saw APC once. Methylation was high in rectal adenocarcinoma.\n"
        "Source: Local evidence store\n"
        "Pubmed Url: https://pubmed.ncbi.nlm.nih.gov/102/\n"
    )


def test_an_abstract_and_a_retraction_are_named(call: Call) -> None:
    text = call("article_searcher", genes="KRAS", diseases="melanoma")
    assert "\nAbstract: KRAS-mutant melanoma is rare.\nRetracted: true\n" in text
    assert "Synopsis" not in text


def test_an_article_is_biomcps_json(call: Call) -> None:
    assert json.loads(call("article_getter", pmid="101")) == [
        {
            "pmid": 101,
            "pmcid": "PMC77",
            "doi": "10.1038/abc",
            "title": "APC in colorectal cancer",
            "journal": "J Test",
            "date": "2001",
            "authors": ["Doe J"],
            "synopsis": ARTICLES[0]["text"],
            "pubmed_url": "https://pubmed.ncbi.nlm.nih.gov/101/",
            "retracted": False,
        }
    ]
    assert json.loads(call("article_getter", pmid="106"))[0]["abstract"]


def test_a_protein_is_uniprots_json(build: Build) -> None:
    pmid = [{"evidenceCode": "ECO:0000000", "source": "PubMed", "id": "9"}]
    facts = {
        "function": [{"text": "Binds.", "pmids": ["9"]}],
        "interactions": [{"text": "Binds B.", "pmids": ["9"]}],
        "modifications": [{"text": "Phosphorylated.", "pmids": []}],
        "subcellular_locations": [{"text": "Cytoplasm", "pmids": ["9"]}],
        "isoforms": [{"id": "P25054-2", "name": "Short"}],
        "domains": [{"text": "Armadillo", "pmids": ["9"]}],
        "motifs": [{"text": "PDZ-binding", "pmids": []}],
    }
    entry = protein("APC", "P25054", entry_name="APC_HUMAN", name="APC protein", length=9, **facts)
    with Store(build(proteins=[entry])) as store:
        result = ask(store, "search_by_gene", {"gene": "APC", "organism": "human"})
    assert json.loads(result.content[0].text) == {
        "results": [
            {
                "entryType": "UniProtKB reviewed (Swiss-Prot)",
                "primaryAccession": "P25054",
                "uniProtkbId": "APC_HUMAN",
                "proteinDescription": {"recommendedName": {"fullName": {"value": "APC protein"}}},
                "genes": [{"geneName": {"value": "APC"}}],
                "organism": {
                    "scientificName": "Homo sapiens",
                    "taxonId": 9606,
                    "commonName": "Human",
                },
                "sequence": {"length": 9},
                "comments": [
                    {"commentType": "FUNCTION", "texts": [{"value": "Binds.", "evidences": pmid}]},
                    {"commentType": "SUBUNIT", "texts": [{"value": "Binds B.", "evidences": pmid}]},
                    {"commentType": "PTM", "texts": [{"value": "Phosphorylated."}]},
                    {
                        "commentType": "SUBCELLULAR LOCATION",
                        "subcellularLocations": [
                            {"location": {"value": "Cytoplasm", "evidences": pmid}}
                        ],
                    },
                    {
                        "commentType": "ALTERNATIVE PRODUCTS",
                        "isoforms": [{"name": {"value": "Short"}, "isoformIds": ["P25054-2"]}],
                    },
                ],
                "features": [
                    {"type": "Domain", "description": "Armadillo", "evidences": pmid},
                    {"type": "Motif", "description": "PDZ-binding"},
                ],
            }
        ]
    }


def test_general_knowledge_names_no_uniprot_entry(build: Build) -> None:
    own = protein("TTN", "Q8WZ42", entry_name="TITIN_HUMAN", text_kind="general_knowledge")
    with Store(build(proteins=[own | {"isoforms": [{"id": "Q8WZ42-2", "name": "N2B"}]}])) as store:
        text = ask(store, "search_by_gene", {"gene": "TTN"}).content[0].text
    (entry,) = json.loads(text)["results"]
    assert entry["entryType"] == "Local note (not UniProtKB)"
    assert "not from UniProtKB" in entry["note"]
    assert {"primaryAccession", "uniProtkbId"}.isdisjoint(entry)
    assert "Q8WZ42" not in text
    assert "TITIN_HUMAN" not in text


def test_size_limits_the_proteins(call: Call) -> None:
    assert len(json.loads(call("search_by_gene", gene="APC"))["results"]) == 2
    assert len(json.loads(call("search_by_gene", gene="APC", size=1))["results"]) == 1


def test_page_and_size_cut_a_search(call: Call) -> None:
    whole = call("article_searcher", genes=["APC"])
    second = call("article_searcher", genes=["APC"], page=2, page_size=1)
    assert whole.count("# Record ") == 3
    assert second.count("# Record ") == 1
    assert whole.split("Pmid: ")[2][:3] == second.split("Pmid: ")[1][:3]


def test_variants_and_chemicals_rank_like_keywords(call: Call) -> None:
    for option in ("keywords", "variants", "chemicals"):
        text = call("article_searcher", genes=["APC"], **{option: ["spindle"]})
        assert text.startswith("# Record 1\nPmid: 103\n")


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        (
            "gene_getter",
            {"gene_id_or_symbol": "NOPE"},
            "No gene record found for 'NOPE' in this store.",
        ),
        (
            "gene_getter",
            {"gene_id_or_symbol": "N\n# Record 1\nSymbol: X"},
            "No gene record found for 'N # Record 1 Symbol: X' in this store.",
        ),
        ("article_getter", {"pmid": "9"}, "No article found for '9' in this store."),
        (
            "article_searcher",
            {"genes": ["APC"], "diseases": "gout", "keywords": ["x", "y"]},
            "No articles found for 'genes: APC; diseases: gout; keywords: x, y' in this store.",
        ),
        (
            "article_searcher",
            {"genes": ["APC"], "page": 9},
            "No articles found for 'genes: APC; page: 9' in this store.",
        ),
    ],
)
def test_nothing_found_is_said_in_one_line(
    call: Call, tool: str, arguments: dict[str, Any], answer: str
) -> None:
    assert call(tool, **arguments) == answer


def test_no_protein_is_an_empty_list_with_a_note(call: Call) -> None:
    assert json.loads(call("search_by_gene", gene="NOPE")) == {
        "results": [],
        "note": "No protein record found for 'NOPE' in this store.",
    }


def test_a_long_question_is_cut(call: Call) -> None:
    assert len(call("gene_getter", gene_id_or_symbol="N" * 10_000)) < 300
