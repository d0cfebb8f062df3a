"""The logical tools: what stages ask for, whichever server answers.

Models get them under these names with these schemas. `lines` knows how each server line is asked.
"""

from enum import StrEnum
from typing import Any

from intogen_agent.mcp.schema import argument_problem, without_nulls


class LogicalTool(StrEnum):
    """What a stage can ask for."""

    GENE_RECORD = "gene_record"
    PROTEIN_RECORD = "protein_record"
    ARTICLE_SEARCH = "article_search"
    ARTICLE_FETCH = "article_fetch"
    TRIAL_SEARCH = "trial_search"


PHASE1 = (LogicalTool.GENE_RECORD, LogicalTool.PROTEIN_RECORD)
PHASE2 = (LogicalTool.ARTICLE_SEARCH, LogicalTool.ARTICLE_FETCH)
# Used where a server has them.
OPTIONAL = (LogicalTool.TRIAL_SEARCH,)

DESCRIPTIONS = {
    LogicalTool.GENE_RECORD: "Get a gene's record: symbol, name, aliases, identifiers, summary.",
    LogicalTool.PROTEIN_RECORD: (
        "Get the protein record of a gene: function, domains, isoforms, location, interactions, "
        "modifications."
    ),
    LogicalTool.ARTICLE_SEARCH: (
        "Search articles. Combine genes, diseases and keywords; every list is optional, but one "
        "must hold something."
    ),
    LogicalTool.ARTICLE_FETCH: "Get one article: its title, its abstract or text, its identifiers.",
    LogicalTool.TRIAL_SEARCH: (
        "Search clinical trials. Every list is optional, but one must hold something."
    ),
}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _list(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _schema(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


SCHEMAS: dict[LogicalTool, dict[str, Any]] = {
    LogicalTool.GENE_RECORD: _schema({"gene": _text("Gene symbol, alias or identifier")}, "gene"),
    LogicalTool.PROTEIN_RECORD: _schema(
        {
            "gene": _text("Gene symbol, alias or UniProt accession"),
            "organism": _text("Organism, e.g. human or mouse"),
        },
        "gene",
    ),
    LogicalTool.ARTICLE_SEARCH: _schema(
        {
            "genes": _list("Gene symbols or aliases"),
            "diseases": _list("Names of the cancer"),
            "keywords": _list("Words or phrases of mechanism"),
            "variants": _list("Variants, e.g. V600E"),
            "page": {"type": "integer", "minimum": 1, "description": "Page of the results, from 1"},
        }
    ),
    LogicalTool.ARTICLE_FETCH: _schema({"pmid": _text("PubMed id, PMC id or DOI")}, "pmid"),
    LogicalTool.TRIAL_SEARCH: _schema(
        {
            "genes": _list("Gene symbols or aliases"),
            "conditions": _list("Names of the cancer"),
            "keywords": _list("Other words, e.g. drugs"),
        }
    ),
}
# A search needs something in one of these.
_SEARCHED = ("genes", "diseases", "conditions", "keywords", "variants")


def fitted(tool: LogicalTool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments in the form that the schema asks for, where the meaning is plain.

    Nulls of optional arguments are dropped, a number becomes the text of an identifier, and one
    text the list that holds it.
    """
    schema = SCHEMAS[tool]
    kinds = {name: part["type"] for name, part in schema["properties"].items()}
    kept = without_nulls(arguments, schema)
    return {name: _as(kinds.get(name, ""), value) for name, value in kept.items()}


def _as(kind: str, value: Any) -> Any:
    if kind == "array" and isinstance(value, str):
        return [value]
    if kind == "string" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


def problem(tool: LogicalTool, arguments: dict[str, Any]) -> str | None:
    """Say what is wrong with a call's arguments; None if nothing is."""
    found = argument_problem(arguments, SCHEMAS[tool])
    if found is not None:
        return found
    for name in SCHEMAS[tool]["required"]:
        if not str(arguments[name]).strip():
            return f"{name}: is empty"
    lists = [name for name in _SEARCHED if name in SCHEMAS[tool]["properties"]]
    if lists and not any(any(word.strip() for word in arguments.get(key, [])) for key in lists):
        return f"give something in one of {', '.join(lists)}"
    return None
