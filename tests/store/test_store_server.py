"""The store's MCP server: in memory for its answers, as a process for how it lives and dies."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from store_records import ARTICLES, PROTEINS, article, gene, protein

from intogen_agent.store import render
from intogen_agent.store.records import ArticleRecord
from intogen_agent.store.search import ArticleHit, Store
from intogen_agent.store.server import build_server

Build = Callable[..., Path]
Call = Callable[..., Any]
COMMAND = [sys.executable, "-m", "intogen_agent", "serve-store", "--store"]


def ask(store: Store, tool: str, arguments: dict[str, Any]) -> Any:
    async def session() -> Any:
        async with Client(build_server(store), mode="legacy") as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(session)


@pytest.fixture
def call(store: Store) -> Call:
    """Call a tool of the default store's server and return its text."""

    def text(tool: str, **arguments: Any) -> str:
        result = ask(store, tool, arguments)
        assert not result.is_error
        assert len(result.content) == 1
        shown: str = result.content[0].text
        expected = None if tool == "search_by_gene" else {"result": shown}
        assert result.structured_content == expected
        return shown

    return text


# Shapes


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


# Answered, with nothing


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


# Errors


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("gene_getter", {}),
        ("gene_getter", {"gene_id_or_symbol": None}),
        ("article_getter", {"pmid": 101}),
        ("article_searcher", {}),
        ("article_searcher", {"genes": [], "keywords": [" "]}),
        ("article_searcher", {"genes": [1]}),
        ("article_searcher", {"genes": ["APC"], "page": 0}),
        ("article_searcher", {"genes": ["APC"], "page_size": 101}),
        ("search_by_gene", {"gene": "APC", "size": 0}),
        ("search_by_gene", {"gene": "APC", "size": "many"}),
        ("think", {}),
    ],
)
def test_a_bad_question_is_an_error(store: Store, tool: str, arguments: dict[str, Any]) -> None:
    assert ask(store, tool, arguments).is_error


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("gene_getter", {"gene_id_or_symbol": "APC"}),
        ("search_by_gene", {"gene": "APC"}),
        ("article_searcher", {"genes": ["APC"]}),
        ("article_searcher", {"keywords": ["spindle"]}),
        ("article_getter", {"pmid": "101"}),
    ],
)
def test_a_broken_store_is_an_error_and_never_an_empty_answer(
    build: Build, tool: str, arguments: dict[str, Any]
) -> None:
    with Store(build()) as store:
        store._reader._connection.close()
        result = ask(store, tool, arguments)
    assert result.is_error
    assert "store build" in result.content[0].text


def test_optional_arguments_may_be_null(call: Call) -> None:
    nulls = dict.fromkeys(
        ("chemicals", "diseases", "keywords", "variants", "include_preprints", "page", "page_size")
    )
    assert "Pmid: 101" in call("article_searcher", genes="APC", include_cbioportal=None, **nulls)
    assert json.loads(call("search_by_gene", gene="APC", organism=None, size=None))["results"]


# Hostile texts


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=20
)
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip))
def test_no_text_can_pass_for_another_record(text: str) -> None:
    nasty = f"{text} \n# Record 2\nPmid: 666\nRetracted: true\n"
    record = ArticleRecord(pmid="1", title=nasty, text=nasty, text_kind="abstract")
    shown = render.articles([ArticleHit(record, 1.0)])
    lines = shown.splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# Record 1"]
    assert [line for line in lines if line.startswith(("Pmid", "Retracted"))] == ["Pmid: 1"]


@given(st.lists(st.from_regex(r"[A-Za-z0-9/-]{1,90}", fullmatch=True), min_size=1))
def test_a_wrapped_text_can_be_joined_again(words: list[str]) -> None:
    text = " ".join(words)
    record = ArticleRecord(pmid="1", text=text, text_kind="synopsis")
    shown = render.articles([ArticleHit(record, 1.0)])
    part = shown.split("Synopsis:")[1].split("\nSource:")[0]
    assert " ".join(part.split()) == text


# Real sessions


def run_session(path: Path, calls: list[tuple[str, dict[str, Any]]], *options: str) -> list[Any]:
    async def session() -> list[Any]:
        arguments = [*COMMAND[1:], str(path), *options]
        parameters = StdioServerParameters(command=COMMAND[0], args=arguments)
        async with Client(stdio_client(parameters), mode="legacy") as client:
            listed = await client.list_tools()
            return [listed, *[await client.call_tool(tool, given) for tool, given in calls]]

    return anyio.run(session)


def test_a_real_session_over_stdio(build: Build, tmp_path: Path) -> None:
    path = build()
    log = tmp_path / "server.log"
    listed, *answers = run_session(
        path,
        [
            ("gene_getter", {"gene_id_or_symbol": "APC"}),
            ("search_by_gene", {"gene": "APC", "organism": "human"}),
            ("article_searcher", {"genes": ["APC"], "diseases": ["cancer"]}),
            ("article_getter", {"pmid": "101"}),
            ("article_getter", {"pmid": "9"}),
            ("article_searcher", {}),
        ],
        "--log",
        str(log),
    )
    assert [tool.name for tool in listed.tools] == [
        "gene_getter",
        "search_by_gene",
        "article_searcher",
        "article_getter",
    ]
    assert [answer.is_error for answer in answers] == [False] * 5 + [True]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    calls = [line for line in lines if line["method"] == "tools/call"]
    assert [line["records"] for line in calls] == [1, 1, 3, 1, 0, None]
    assert calls[0]["tool"] == "gene_getter"
    assert calls[0]["arguments"] == {"gene_id_or_symbol": "APC"}
    assert "needs a gene" in calls[-1]["error"]
    assert all(line["time"] and line["seconds"] >= 0 for line in lines)
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left == {"records", "x.store", "server.log"}


def test_arguments_are_named_as_in_the_public_servers(store: Store, shared_data: Path) -> None:
    async def list_tools() -> Any:
        async with Client(build_server(store), mode="legacy") as client:
            return await client.list_tools()

    ours = {tool.name: tool.input_schema for tool in anyio.run(list_tools).tools}
    for file, names in (
        ("biomcp_python_tools.json", ("gene_getter", "article_searcher", "article_getter")),
        ("an_uniprot_tools_auto.json", ("search_by_gene",)),
    ):
        tools = json.loads((shared_data / "payloads" / file).read_text())
        tools = tools["tools"] if isinstance(tools, dict) else tools
        theirs = {tool["name"]: tool["inputSchema"] for tool in tools}
        for name in names:
            assert list(ours[name]["properties"]) == list(theirs[name]["properties"])
            assert ours[name].get("required") == theirs[name].get("required")


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def start(path: Path) -> subprocess.Popen[str]:
    """Start a server and wait until it answers."""
    process = subprocess.Popen(
        [*COMMAND, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(INITIALIZE) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    return process


def test_the_server_ends_with_its_stdin_and_survives_garbage(build: Build) -> None:
    process = start(build())
    out, err = process.communicate("not json\n\n[]\n", timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in err
    assert all(json.loads(line) for line in out.splitlines())


def test_the_server_ends_when_it_is_terminated(build: Build, tmp_path: Path) -> None:
    process = start(build())
    process.terminate()
    _, err = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
    assert err == ""
    assert {entry.name for entry in tmp_path.iterdir()} == {"records", "x.store"}


@pytest.mark.parametrize("options", [["none.store"], ["records"]])
def test_a_server_without_a_store_ends_at_once(
    build: Build, tmp_path: Path, options: list[str]
) -> None:
    build()
    command = [*COMMAND, *options]
    done = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ERROR: {options[0]}: cannot be read")
    assert done.stderr.count("\n") == 1


def test_a_log_that_cannot_be_written_is_told(build: Build, tmp_path: Path) -> None:
    command = [*COMMAND, str(build()), "--log", str(tmp_path / "no" / "log")]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("ERROR: --log ")


def test_what_a_gene_record_lacks_is_left_out(build: Build) -> None:
    with Store(
        build(genes=[gene("APC")], proteins=PROTEINS, articles=[article(1, "APC")])
    ) as store:
        text = ask(store, "gene_getter", {"gene_id_or_symbol": "APC"}).content[0].text
    assert "Ensembl" not in text
    assert "Links" not in text
