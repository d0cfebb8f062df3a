"""Server lines: how each is known, what it is asked, and what its answers are worth."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from lists import LISTS, TEXT, tool

from intogen_agent.config import mcp_settings
from intogen_agent.config.mcp_settings import Server
from intogen_agent.errors import ErrorClass
from intogen_agent.mcp import logical, routing
from intogen_agent.mcp.line import NoWay, Route
from intogen_agent.mcp.lines import BY_NAME, article_id
from intogen_agent.mcp.logical import PHASE1, PHASE2, LogicalTool
from intogen_agent.mcp.schema import argument_problem

GENE, PROTEIN, SEARCH, FETCH, TRIALS = LogicalTool


def routes(line: str, **options: Any) -> dict[LogicalTool, Route]:
    server = Server(command=["server"], **options)
    return routing.routes_of("one", server, routing.by_name(LISTS[line]))


def asked(line: str, what: LogicalTool, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Return the native tool and arguments of a call, which the server's own schema takes."""
    route = routes(line)[what]
    arguments = logical.fitted(what, arguments)
    assert logical.problem(what, arguments) is None
    assert route.way is not None
    native = route.way.translate(route.way.narrow(arguments))
    assert argument_problem(native, route.native_schema) is None
    return route.tool, native


HAVE = {
    "store": {GENE, PROTEIN, SEARCH, FETCH},
    "biomcp-python": {GENE, SEARCH, FETCH, TRIALS},
    "biomcp-cli": {GENE, PROTEIN, SEARCH, FETCH, TRIALS},
    "augmented-nature-uniprot": {PROTEIN},
    "uniprot-mcp-server": {PROTEIN},
    "uniprot-by-gene": {PROTEIN},
}


@pytest.mark.parametrize("name", HAVE)
def test_a_line_is_known_by_its_tools(name: str) -> None:
    found = routes(name)
    assert set(found) == HAVE[name]
    assert {route.line.name for route in found.values() if route.line} == {name}
    for what, route in found.items():
        assert (route.offered, route.schema) == (what.value, logical.SCHEMAS[what])


def test_every_line_that_the_configuration_names_is_there() -> None:
    assert set(get_args(mcp_settings.Adapter)) == set(BY_NAME) - {"uniprot-by-gene"}
    assert set(get_args(mcp_settings.LogicalName)) == {what.value for what in LogicalTool}


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("biomcp_python_tools.json", "biomcp-python"),
        ("biomcp_cli_tools_legacy.json", "biomcp-cli"),
        ("an_uniprot_tools_auto.json", "augmented-nature-uniprot"),
    ],
)
def test_a_recorded_list_of_tools_is_known(shared_data: Path, file: str, line: str) -> None:
    listed = json.loads((shared_data / "payloads" / file).read_text())
    tools = listed.get("tools", listed) if isinstance(listed, dict) else listed
    named = [
        {
            "name": one["name"],
            "description": "",
            "input_schema": one.get("inputSchema") or one.get("input_schema"),
        }
        for one in tools
    ]
    found = routing.routes_of("one", Server(command=["x"]), routing.by_name(named))
    assert set(found) == HAVE[line]
    sample = {
        GENE: {"gene": "APC"},
        PROTEIN: {"gene": "APC", "organism": "human"},
        SEARCH: {"genes": ["APC"], "diseases": ["colon cancer"], "keywords": ["loss"]},
        FETCH: {"pmid": "22663011"},
        TRIALS: {"conditions": ["melanoma"], "genes": ["BRAF"]},
    }
    for what, route in found.items():
        assert route.way is not None
        native = route.way.translate(route.way.narrow(sample[what]))
        assert argument_problem(native, route.native_schema) is None


PAPERS = {"genes": ["APC", "DP2"], "diseases": ["colon cancer", "rectal cancer"]}
QUERY = 'gene_exact:"TP53" AND organism_id:9606 AND reviewed:true'
CALLS: list[tuple[str, LogicalTool, dict[str, Any], str, dict[str, Any]]] = [
    ("store", GENE, {"gene": " APC "}, "gene_getter", {"gene_id_or_symbol": "APC"}),
    ("store", PROTEIN, {"gene": "APC", "organism": "Homo sapiens"}, "search_by_gene",
     {"gene": "APC", "organism": "human"}),
    ("store", SEARCH, {**PAPERS, "variants": [" "], "page": 2}, "article_searcher",
     {**PAPERS, "page": 2, "page_size": 20}),
    ("store", FETCH, {"pmid": "pmc128915"}, "article_getter", {"pmid": "PMC128915"}),
    ("biomcp-python", GENE, {"gene": "APC"}, "gene_getter", {"gene_id_or_symbol": "APC"}),
    ("biomcp-python", SEARCH, {**PAPERS, "keywords": "loss"}, "article_searcher",
     {**PAPERS, "keywords": ["loss"]}),
    ("biomcp-python", FETCH, {"pmid": 22663011}, "article_getter", {"pmid": "22663011"}),
    ("biomcp-python", TRIALS, {"conditions": ["melanoma"], "genes": ["BRAF"]}, "trial_searcher",
     {"conditions": ["melanoma"], "other_terms": ["BRAF"]}),
    ("biomcp-cli", GENE, {"gene": "APC"}, "get", {"entity": "gene", "id": "APC", "json": True}),
    ("biomcp-cli", PROTEIN, {"gene": "APC", "organism": "9606"}, "get",
     {"entity": "protein", "id": "APC", "sections": ["domains", "interactions"], "json": True}),
    ("biomcp-cli", SEARCH,
     {**PAPERS, "keywords": ["a", "b", "c"], "variants": ["V600E"], "page": 3},
     "search", {"entity": "article", "gene": "APC", "disease": "colon cancer", "limit": 25,
                "keyword": ["V600E", "a", "b"], "offset": 50, "json": True}),
    ("biomcp-cli", FETCH, {"pmid": "https://doi.org/10.1/x"}, "get",
     {"entity": "article", "id": "10.1/x", "json": True}),
    ("biomcp-cli", TRIALS, {"conditions": ["melanoma", "nevus"], "genes": ["BRAF"]}, "search",
     {"entity": "trial", "condition": ["melanoma"], "biomarker": ["BRAF"], "limit": 25,
      "json": True}),
    ("augmented-nature-uniprot", PROTEIN, {"gene": "TP53", "organism": "human"}, "search_proteins",
     {"query": QUERY, "size": 5, "format": "json"}),
    ("augmented-nature-uniprot", PROTEIN, {"gene": "P04637"}, "search_proteins",
     {"query": "accession:P04637 AND reviewed:true", "size": 5, "format": "json"}),
    ("uniprot-mcp-server", PROTEIN, {"gene": "TP53", "organism": "human"}, "uniprot_search",
     {"query": QUERY, "size": 5, "response_format": "json"}),
    ("uniprot-by-gene", PROTEIN, {"gene": "TP53", "organism": "10090"}, "search_by_gene",
     {"gene": "TP53", "organism": "mouse"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "what", "arguments", "native", "sent"),
    [pytest.param(*case, id=f"{case[0]}-{case[1].value}-{n}") for n, case in enumerate(CALLS)],
)
def test_a_logical_call_is_asked_in_the_lines_own_way(
    line: str, what: LogicalTool, arguments: dict[str, Any], native: str, sent: dict[str, Any]
) -> None:
    assert asked(line, what, **arguments) == (native, sent)


@pytest.mark.parametrize(
    ("line", "what", "arguments", "words"),
    [
        ("biomcp-python", FETCH, {"pmid": "PMC128915"}, "no PMC id"),
        ("biomcp-python", SEARCH, {"genes": ["APC"], "page": 2}, "one page"),
        ("biomcp-cli", PROTEIN, {"gene": "Apc", "organism": "mouse"}, "human proteins only"),
    ],
)
def test_what_a_line_cannot_take_is_said_and_not_sent(
    line: str, what: LogicalTool, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(NoWay, match=words):
        asked(line, what, **arguments)


def test_a_quote_in_a_name_does_not_leave_its_place_in_a_query() -> None:
    _, sent = asked(
        "uniprot-mcp-server", PROTEIN, gene='X" OR "Y', organism='rat" OR reviewed:false OR "'
    )
    assert sent["query"].count('"') == 4


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("PMID: 22663011", "22663011"),
        ("PMCID:pmc12", "PMC12"),
        ("doi:10.1/A", "10.1/A"),
        ("http://dx.doi.org/10.1/A", "10.1/A"),
        ("10.1/PMC12", "10.1/PMC12"),
    ],
)
def test_an_articles_id_is_sent_bare(given: str, sent: str) -> None:
    assert article_id(given) == sent


# Choosing.


def test_a_forced_adapter_is_taken_at_its_word() -> None:
    listed = [tool("gene_getter", symbol=TEXT)]
    server = Server(command=["x"], adapter="biomcp-python")
    assert set(routing.routes_of("one", server, routing.by_name(listed))) == {GENE}
    assert routing.routes_of("one", Server(command=["x"]), routing.by_name(listed)) == {}
    assert set(routes("store", adapter="augmented-nature-uniprot")) == set()


def test_a_tool_that_the_configuration_names_goes_by_its_own_name_and_schema() -> None:
    listed = [tool("find.papers", ("query",), query=TEXT), *LISTS["store"]]
    server = Server(command=["x"], tools={"article_search": "find.papers", "gene_record": "gone"})
    found = routing.routes_of("one", server, routing.by_name(listed))
    assert found[SEARCH].offered == found[SEARCH].tool == "find.papers"
    assert found[SEARCH].way is None and found[SEARCH].schema == listed[0]["input_schema"]
    assert GENE not in found and PROTEIN in found


@pytest.mark.parametrize(("name", "offered"), [("a.b/c", "a.b/c"), ("find papers", "gene_record")])
def test_a_name_that_no_citation_can_hold_is_not_offered(name: str, offered: str) -> None:
    server = Server(command=["x"], tools={"gene_record": name})
    listed = routing.by_name([tool(name, query=TEXT)])
    assert routing.routes_of("one", server, listed)[GENE].offered == offered


def test_equal_names_on_two_servers_are_told_apart() -> None:
    both = Server(command=["x"], tools={"article_search": "search", "article_fetch": "search"})
    listed = routing.by_name([tool("search", query=TEXT)])
    one = routing.routes_of("one", both, listed)[SEARCH]
    two = routing.routes_of("two", both, listed)[FETCH]
    found = routing.distinct([one, two])
    assert [route.offered for route in found.values()] == ["search", "article_fetch"]
    assert [(route.server, route.tool) for route in found.values()] == [
        ("one", "search"),
        ("two", "search"),
    ]


def test_a_native_tool_with_the_name_of_a_logical_one_does_not_hide_it() -> None:
    named = Server(command=["x"], tools={"gene_record": "protein_record"})
    native = routing.routes_of("a", named, routing.by_name([tool("protein_record", q=TEXT)]))
    protein = routes("uniprot-mcp-server")[PROTEIN]
    found = routing.distinct([native[GENE], protein])
    assert {what: route.offered for what, route in found.items()} == {
        GENE: "gene_record",
        PROTEIN: "protein_record",
    }


def test_a_missing_tool_is_one_line_with_servers_tools_and_lines() -> None:
    many = [f"tool_{n}" for n in range(30)]
    failure = routing.missing(PROTEIN, ["one", "two"], {"one": many, "two": []})
    assert failure.error is ErrorClass.TOOL_MISSING
    told = failure.message
    assert "\n" not in told and "protein_record" in told and "two has no tools" in told
    assert "tool_0, tool_1" in told and "and 18 more" in told
    assert "biomcp-cli" in told and "mcp.servers.<name>.tools.protein_record" in told
    assert "biomcp-python" not in told


# Logical arguments.


@pytest.mark.parametrize(
    ("what", "arguments", "words"),
    [
        (GENE, {}, "'gene' is a required property"),
        (GENE, {"gene": "  "}, "gene: is empty"),
        (GENE, {"gene": "APC", "species": "human"}, "'species'"),
        (SEARCH, {}, "give something in one of genes, diseases, keywords, variants"),
        (SEARCH, {"genes": [""]}, "give something in one of"),
        (SEARCH, {"genes": ["APC"], "page": 0}, "page: 0 is less than the minimum"),
        (SEARCH, {"genes": {"symbol": "APC"}}, "genes: "),
        (TRIALS, {"conditions": []}, "give something in one of genes, conditions, keywords"),
    ],
)
def test_arguments_that_cannot_be_meant_are_named(
    what: LogicalTool, arguments: dict[str, Any], words: str
) -> None:
    found = logical.problem(what, logical.fitted(what, arguments))
    assert found is not None and words in found


@pytest.mark.parametrize("what", LogicalTool)
def test_a_model_is_offered_a_plain_schema(what: LogicalTool) -> None:
    schema = logical.SCHEMAS[what]
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert {part["type"] for part in schema["properties"].values()} <= {
        "string",
        "array",
        "integer",
    }
    assert what in PHASE1 + PHASE2 + logical.OPTIONAL and logical.DESCRIPTIONS[what]


# What answers are worth.

STATUS = (
    '{"count": 0, "results": [], "error": {"code": "source_unavailable"}, '
    '"_meta": {"source_status": [%s]}}'
)
DARK = '{"source": "pubmed", "status": "degraded"}'
EXTRA = '{"source": "semanticscholar", "status": "unavailable"}'


@pytest.mark.parametrize(
    ("line", "text", "blocks", "worth"),
    [
        ("biomcp-python", "[]", 1, "upstream"),
        ("biomcp-python", '{"results": []}', 1, "upstream"),
        ("biomcp-python", '{"content": []}', 0, "upstream"),
        ("biomcp-python", "# Record 1\nError: Gene 'APC' not found\n", 1, "upstream"),
        ("biomcp-python", "# Record 1\nSymbol: APC", 1, "content"),
        ("biomcp-cli", '{"count": 0, "results": [], "_meta": {}}', 1, "empty"),
        ("biomcp-cli", '{"results": [], "error": {"code": "x"}}', 1, "upstream"),
        ("biomcp-cli", STATUS % EXTRA, 1, "empty"),
        ("biomcp-cli", STATUS % f"{EXTRA}, {DARK}", 1, "upstream"),
        ("biomcp-cli", '{"results": [], "error": true, "_meta": 3}', 1, "upstream"),
        ("biomcp-cli", '{"results": [{"pmid": "1"}]}', 1, "content"),
        ("augmented-nature-uniprot", '{"results": []}', 1, "empty"),
        ("augmented-nature-uniprot", "<!DOCTYPE html><html>Login</html>", 1, "upstream"),
        ("augmented-nature-uniprot", "", 1, "unreadable"),
        ("uniprot-mcp-server", '{"data": {"results": []}, "provenance": {}}', 1, "empty"),
        ("store", "No articles found for APC", 1, "empty"),
    ],
)
def test_an_answer_is_judged_with_what_is_known_of_its_line(
    line: str, text: str, blocks: int, worth: str
) -> None:
    answer = BY_NAME[line].worth(text, False, blocks)
    assert (answer.failure or answer.kind) == worth
    assert answer.text == text
