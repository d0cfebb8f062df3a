"""An MCP server without any package: it starts at once, has the named tools, answers as told.

tiny_server.py ANSWER TOOL...
"""

import json
import sys
from typing import Any

RECORD = "# Record 1\nSymbol: {gene}\nName: a gene\n"
ANSWERS = {
    "record": RECORD,
    "empty": "No articles found for {gene}",
    "outage": "[]",
    "page": "<html>Sign in</html>",
    "prose": "Gene '{gene}' not found",
    "only-apc": RECORD,
}


def text_for(gene: str) -> str:
    if ANSWER == "only-apc" and gene != "APC":
        return f"No gene record found for {gene}"
    return ANSWERS[ANSWER].replace("{gene}", gene)


def result_of(request: dict[str, Any]) -> dict[str, Any]:
    if request["method"] == "initialize":
        return {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tiny", "version": "1"},
        }
    if request["method"] == "tools/list":
        words: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
        lists = dict.fromkeys(("genes", "diseases", "keywords", "variants"), words)
        names = ("gene_id_or_symbol", "gene", "organism", "pmid")
        numbers = {"page": {"type": "integer"}, "page_size": {"type": "integer"}}
        texts = {name: {"type": "string"} for name in names}
        schema = {"type": "object", "properties": {**texts, **lists, **numbers}}
        return {"tools": [{"name": name, "inputSchema": schema} for name in TOOLS]}
    arguments = request["params"]["arguments"]
    gene = arguments.get("gene_id_or_symbol") or arguments.get("gene") or arguments["genes"][0]
    text = text_for(gene)
    return {"content": [{"type": "text", "text": text}], "isError": False}


ANSWER, *TOOLS = sys.argv[1:]
for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result_of(request)}
        print(json.dumps(answer), flush=True)
