"""What an answer is worth, for every recorded payload of the real servers and for disguises."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.mcp.answers import classify
from intogen_agent.visible import visible

# Read one by one: what each recorded answer is worth. BioMCP's "not found" may be an outage.
RECORDED = {
    "biomcp_python_0.7.3": {
        "article_getter_20516115": "content",
        "article_getter_22663011": "content",
        "article_getter_doi": "content",
        "article_getter_int": "failed",
        "article_getter_pmcid": "failed",
        "article_getter_unknown_pmid": "failed",
        "article_searcher_BRAF_melanoma": "content",
        "fetch_article": "content",
        "fetch_gene": "content",
        "gene_getter_BRAF": "content",
        "gene_getter_BRCA1": "content",
        "gene_getter_CD274": "content",
        "gene_getter_EGFR": "content",
        "gene_getter_ERBB2": "content",
        "gene_getter_notfound": "failed",
        "gene_getter_scalar_alias_synthetic": "failed",
        "search_article_domain": "content",
        "search_gene_domain": "content",
    },
    "augmented_nature_uniprot": {
        "get_protein_domains_detailed_P05067": "content",
        "get_protein_info_404": "failed",
        "get_protein_info_default_format_bug": "failed",
        "get_protein_info_inactive": "content",  # an entry; `uniprot.select_entry` refuses it
        "get_protein_info_json_P15056": "content",
        "get_protein_variants_P05067": "content",
        "search_by_gene_APP_full_real_entry": "content",
        "search_by_gene_BRAF_small_real_entry": "content",
        "search_by_gene_TP53_human_featuresonly_upstream": "content",
        "search_by_gene_http400": "failed",
        "search_by_gene_null_organism": None,  # a JSON-RPC error: see test_hostile_servers
        "search_by_gene_taxid_as_organism_empty": "empty",
        "unknown_tool": None,
    },
    "biomcp_cli_0.9.3": {
        "biomcp_bad_command": "failed",
        "biomcp_get_gene": "content",
        "get_article_22663011_json": "content",
        "get_article_invalid": "failed",
        "get_gene_BRAF_json": "content",
        "get_gene_BRAF_md": "content",
        "get_gene_notfound_json": "failed",
        "get_protein_P15056_json": "content",
        "search_article_BRAF_melanoma_json": "content",
    },
}
CASES = [(server, name) for server, names in RECORDED.items() for name in names]


@pytest.mark.parametrize(("server", "name"), CASES, ids=lambda case: case)
def test_a_recorded_answer_is_what_a_reader_finds_it_to_be(
    shared_data: Path, server: str, name: str
) -> None:
    path = shared_data / "payloads" / "tool_outputs" / server / f"{name}.json"
    result = json.loads(path.read_text(encoding="utf-8"))["result"]
    expected = RECORDED[server][name]
    if expected is None:
        assert "jsonrpc_error" in result
        return
    text = "\n".join(block["text"] for block in result["content"])
    answer = classify(text, result["isError"])
    assert answer.kind == expected
    assert answer.text == visible(text)
    assert (answer.error is None) == (expected in ("content", "empty"))


def test_every_recorded_payload_is_among_the_cases(shared_data: Path) -> None:
    folder = shared_data / "payloads" / "tool_outputs"
    found = {(path.parent.name, path.stem) for path in folder.glob("*/*.json")}
    assert found == set(CASES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "[]",
        "{}",
        "null",
        "None",
        "undefined",
        "[object Object]",
        '""',
        '"<!DOCTYPE html><html><body>502 Bad Gateway</body></html>"',
        "<!doctype html><html></html>",
        "<html>\n<h1>Login</h1></html>",
        "\n\n<HTML>",
        "Error: Gene 'X' not found",
        "error 429 Too Many Requests",
        "ERROR",
        "# Record 1\nError: Error 429: slow down",
        "# Record 1\nError:\n  Error 503: a long message that was wrapped onto a line of its own",
        "# record 1\nerror: x",
        '{"error": "rate limited"}',
        '[{"error": "rate limited"}]',
        '{"error": "x", "status": 500}',
        '{"status": 500}',
        '{"statusCode": 503, "message": "Service Unavailable"}',
        '{"code": "429", "message": "Too Many Requests"}',
        '[{"status": 502, "title": "Bad Gateway", "type": "about:blank"}]',
        "Service Unavailable",
        "503 Service Temporarily Unavailable",
        "HTTP/1.1 502 Bad Gateway\r\nServer: nginx",
        "504: Gateway Time-out",
        "Internal Server Error",
        "upstream request timeout",
        "no healthy upstream",
        '"502 Bad Gateway"',
        "Server error '503 Service Unavailable' for url 'https://x.org'",
        "Client error '429 Too Many Requests' for url 'https://x.org'",
        "503 Server Error: Service Unavailable for url: https://x.org",
        "429 Client Error: Too Many Requests",
        "HTTP Error 503: Service Unavailable",
        "HTTP 503",
        "Request failed with status code 503",
        "fetch failed",
        "Request timed out",
        "Read timed out.",
        "Connection reset by peer",
        "**Error:** PubTator is down",
        "Traceback (most recent call last):\n  File x",
        '{"message": "Internal server error"}',
        '{"detail": "Internal Server Error"}',
        '{"status": "error", "message": "upstream is down"}',
        '{"success": false, "message": "quota exceeded"}',
        '{"errors": [{"message": "down"}], "data": null}',
        "<?xml version='1.0'?><html><body>502</body></html>",
        "<?xml version='1.0'?>\n<eFetchResult>\n<ERROR>Cannot retrieve</ERROR></eFetchResult>",
        '{"error": "timeout"}\n{"_meta": {}}',
        '{"results": [], "message": "PubTator timed out"}',
        '{"results": [], "status": 503}',
        '{"results": [], "success": false}',
        '{"results": [], "count": 0, "warnings": ["pubmed timed out"]}',
        '{"data": {"results": [], "error": "timeout"}}',
        "No articles found.\n\nNote: PubMed request timed out.",
        "No articles found: failed to reach PubTator",
        "No articles found (connection reset by peer)",
    ],
)
def test_a_disguised_failure_is_a_failure(text: str) -> None:
    answer = classify(text, False)
    assert answer.kind == "failed"
    assert answer.error is not None and "\n" not in answer.error
    assert answer.error.split(":")[0] in {"upstream", "unreadable", "throttled"}
    assert answer.failure == answer.error.split(":")[0]


@pytest.mark.parametrize(
    "text",
    [
        "No articles found for gene: APC",
        "No article found for 123.",
        "No gene record found for 'X'",
        "no proteins found",
        '{"results": []}',
        '{"results": [], "error": null}',
        '{"results": [], "count": 0, "status": "ok", "message": "0 hits"}',
        "No articles found for gene: APC, keywords: time of onset",
    ],
)
def test_only_an_answer_that_says_so_is_empty(text: str) -> None:
    answer = classify(text, False)
    assert answer.kind == "empty" and answer.error is None


@pytest.mark.parametrize(
    "text",
    [
        "Error-prone repair by POLQ drives mutagenesis.",
        "Errors in mismatch repair cause microsatellite instability.",
        "# Record 1\nPmid: 1\nTitle: Error-correcting sequencing",
        '{"results": [{"primaryAccession": "P25054"}]}',
        '{"results": [{"id": 1}], "error": "a warning"}',
        '[{"pmid": 1, "abstract": "An error in replication"}]',
        "{not JSON but text",
        "[1] A numbered reference.",
        '"A quoted sentence is no failure."',
        "Nothing was amplified in these samples.",
        "429 samples were sequenced.",
        "Error rates of DNA polymerase epsilon rise in tumours.",
        '[{"error": "full text failed"}, {"pmid": "1", "title": "A study"}]',
        '{"message": "KRAS is an oncogene."}',
        '{"results": [{"pmid": 1}], "message": "one source timed out"}',
        "<?xml version='1.0'?><!DOCTYPE PubmedArticleSet><PubmedArticleSet></PubmedArticleSet>",
        "Timing of TP53 loss in clones.",
        "Connections between MYC and FBXW7 were tested.",
        '{"status": "COMPLETED", "success": true, "title": "A trial"}',
        "Services unavailable to patients with TP53 variants were listed.",
        '{"status": 500, "pmid": 1, "abstract": "500 tumours were sequenced."}',
        '{"nctId": "NCT01245062", "status": "COMPLETED"}',
        '{"status": 200, "message": "KRAS is an oncogene."}',
        "3",
    ],
)
def test_other_answers_are_content(text: str) -> None:
    assert classify(text, False).kind == "content"


@given(text=st.text())
def test_the_servers_own_error_flag_counts_whatever_it_says(text: str) -> None:
    answer = classify(text, True)
    assert answer.kind == "failed" and answer.text == visible(text)
    assert answer.error is not None and answer.error.startswith("upstream: ")
    assert len(answer.error) < 320


@given(text=st.text(alphabet='[]{}":,.<>ehtmlror \n#R1'))
def test_no_text_breaks_the_classification(text: str) -> None:
    answer = classify(text, False)
    assert answer.text == text
    assert (answer.error is None) == (answer.kind in ("content", "empty"))


def test_a_deep_answer_is_no_crash() -> None:
    assert classify("[" * 100_000, False).kind == "content"


@pytest.mark.parametrize(
    "text",
    [
        '{"error": "upstream timeout", "results": []}',
        '{"results": [], "errors": ["pubmed: 503"]}',
        "No articles found: PubMed timed out (504)",
    ],
)
def test_nothing_found_beside_an_outage_is_a_failure(text: str) -> None:
    assert classify(text, False).kind == "failed"
