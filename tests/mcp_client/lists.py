"""What each server line lists, as far as its adapter looks at it, under its own names."""

from typing import Any

TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
LIST = {"anyOf": [{"type": "array", "items": TEXT}, TEXT, {"type": "null"}]}


def tool(name: str, required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": f"The {name}.", "input_schema": schema}


SEARCHER = dict.fromkeys(("chemicals", "diseases", "genes", "keywords", "variants"), LIST)
PAGES = {"page": NUMBER, "page_size": NUMBER}
THREE = {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 3, "uniqueItems": True}
LISTS: dict[str, list[dict[str, Any]]] = {
    "store": [
        tool("gene_getter", ("gene_id_or_symbol",), gene_id_or_symbol=TEXT),
        tool("search_by_gene", ("gene",), gene=TEXT, organism=TEXT, size=NUMBER),
        tool("article_searcher", **SEARCHER, **PAGES),
        tool("article_getter", ("pmid",), pmid=TEXT),
    ],
    "biomcp-python": [
        tool("think", ("thought",), thought=TEXT),
        tool("gene_getter", ("gene_id_or_symbol",), gene_id_or_symbol=TEXT),
        tool("article_searcher", **SEARCHER, **PAGES),
        tool("article_getter", ("pmid",), pmid=TEXT),
        tool("trial_searcher", conditions=LIST, interventions=LIST, other_terms=LIST),
    ],
    "biomcp-cli": [
        tool("biomcp", ("command",), command=TEXT, json=FLAG),
        tool(
            "search",
            ("entity",),
            entity=TEXT,
            gene=TEXT,
            disease={**THREE, "type": ["string", "array"]},
            keyword=THREE,
            condition=THREE,
            biomarker=THREE,
            limit={**NUMBER, "maximum": 25},
            offset=NUMBER,
            json=FLAG,
        ),
        tool(
            "get",
            ("entity", "id"),
            entity=TEXT,
            id=TEXT,
            sections={"type": "array", "items": TEXT},
            json=FLAG,
        ),
    ],
    "augmented-nature-uniprot": [
        tool("search_proteins", ("query",), query=TEXT, organism=TEXT, size=NUMBER, format=TEXT),
        tool("search_by_gene", ("gene",), gene=TEXT, organism=TEXT, size=NUMBER),
    ],
    "uniprot-mcp-server": [
        tool("uniprot_get_entry", ("accession",), accession=TEXT, response_format=TEXT),
        tool(
            "uniprot_search",
            ("query",),
            query=TEXT,
            size=NUMBER,
            reviewed_only=FLAG,
            organism=TEXT,
            response_format=TEXT,
        ),
    ],
    "uniprot-by-gene": [tool("search_by_gene", ("gene",), gene=TEXT, organism=TEXT)],
}
