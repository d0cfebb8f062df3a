"""The server lines that are known, each as it was seen to behave (docs/servers.md)."""

import re
from typing import Any

from intogen_agent.mcp.line import Arguments, Line, NoWay, Way, several, words
from intogen_agent.mcp.logical import LogicalTool

PAGE_SIZE = 20
# An entry can be a megabyte; reviewed entries come first.
ENTRIES = 5
_ORGANISMS = {
    "9606": "human",
    "homo sapiens": "human",
    "human": "human",
    "10090": "mouse",
    "mus musculus": "mouse",
    "mouse": "mouse",
}
_LISTS = {name: name for name in ("genes", "diseases", "keywords", "variants")}
_ACCESSION = re.compile(
    r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2}", re.IGNORECASE
)
_PREFIX = re.compile(r"\A\s*(?:pmid|pmcid|doi)\s*:\s*|\A\s*https?://(?:dx\.)?doi\.org/", re.I)
_PMCID = re.compile(r"PMC\d+", re.IGNORECASE)


def article_id(value: str) -> str:
    """Return an article's id as servers take it: digits, `PMC` and digits, or a DOI."""
    bare = _PREFIX.sub("", value).strip()
    return bare.upper() if _PMCID.fullmatch(bare) else bare


def organism(arguments: Arguments) -> str | None:
    """Return the plain name of an organism: servers take names, not taxonomy ids."""
    asked = str(arguments.get("organism") or "").strip()
    return _ORGANISMS.get(asked.casefold(), asked) or None


def _gene(name: str) -> Any:
    return lambda arguments: {name: arguments["gene"].strip()}


def _fetch(arguments: Arguments) -> Arguments:
    return {"pmid": article_id(arguments["pmid"])}


def _entries(size: int | None) -> Any:
    def translate(arguments: Arguments) -> Arguments:
        asked: Arguments = {"gene": arguments["gene"].strip()}
        named = organism(arguments)
        if named is not None:
            asked["organism"] = named
        return asked if size is None else {**asked, "size": size}

    return translate


def _store_search(arguments: Arguments) -> Arguments:
    page = arguments.get("page", 1)
    return {**several(arguments, _LISTS), "page": page, "page_size": PAGE_SIZE}


STORE = Line(
    "store",
    {
        LogicalTool.GENE_RECORD: Way(
            "gene_getter", ("gene_id_or_symbol",), _gene("gene_id_or_symbol")
        ),
        LogicalTool.PROTEIN_RECORD: Way("search_by_gene", ("gene", "organism"), _entries(None)),
        LogicalTool.ARTICLE_SEARCH: Way(
            "article_searcher", (*_LISTS, "page", "page_size"), _store_search
        ),
        LogicalTool.ARTICLE_FETCH: Way("article_getter", ("pmid",), _fetch),
    },
    marks=("gene_getter", "search_by_gene", "article_searcher", "article_getter"),
)


def _python_search(arguments: Arguments) -> Arguments:
    if arguments.get("page", 1) != 1:
        raise NoWay("this server has one page of results; narrow the search instead")
    return several(arguments, _LISTS)


def _python_fetch(arguments: Arguments) -> Arguments:
    asked = article_id(arguments["pmid"])
    if _PMCID.fullmatch(asked):
        raise NoWay("this server takes a PubMed id or a DOI, no PMC id")
    return {"pmid": asked}


def _python_trials(arguments: Arguments) -> Arguments:
    terms = [*words(arguments.get("genes")), *words(arguments.get("keywords"))]
    asked = several(arguments, {"conditions": "conditions"})
    return {**asked, "other_terms": terms} if terms else asked


BIOMCP_PYTHON = Line(
    "biomcp-python",
    {
        LogicalTool.GENE_RECORD: Way(
            "gene_getter", ("gene_id_or_symbol",), _gene("gene_id_or_symbol")
        ),
        LogicalTool.ARTICLE_SEARCH: Way("article_searcher", tuple(_LISTS), _python_search),
        LogicalTool.ARTICLE_FETCH: Way("article_getter", ("pmid",), _python_fetch),
        LogicalTool.TRIAL_SEARCH: Way(
            "trial_searcher", ("conditions", "other_terms"), _python_trials
        ),
    },
    hides_outages=True,
)


def _cli_get(entity: str, argument: str) -> Any:
    def translate(arguments: Arguments) -> Arguments:
        asked = arguments[argument].strip()
        return {"entity": entity, "id": asked, "json": True}

    return translate


def _cli_fetch(arguments: Arguments) -> Arguments:
    return {"entity": "article", "id": article_id(arguments["pmid"]), "json": True}


def _cli_protein(arguments: Arguments) -> Arguments:
    if organism(arguments) not in (None, "human"):
        raise NoWay("this server knows human proteins only")
    return {"entity": "protein", "id": arguments["gene"].strip(), "json": True}


def _cli_search(arguments: Arguments) -> Arguments:
    genes, diseases = words(arguments.get("genes")), words(arguments.get("diseases"))
    asked: Arguments = {"entity": "article", "json": True, "limit": PAGE_SIZE}
    if genes:
        asked["gene"] = genes[0]
    if diseases:
        asked["disease"] = diseases[0]
    return asked | several(arguments, {"keywords": "keyword", "variants": "mutation"})


BIOMCP_CLI = Line(
    "biomcp-cli",
    {
        LogicalTool.GENE_RECORD: Way("get", ("entity", "id", "json"), _cli_get("gene", "gene")),
        LogicalTool.PROTEIN_RECORD: Way("get", ("entity", "id", "json"), _cli_protein),
        LogicalTool.ARTICLE_SEARCH: Way(
            "search", ("entity", "gene", "disease", "keyword", "json"), _cli_search
        ),
        LogicalTool.ARTICLE_FETCH: Way("get", ("entity", "id", "json"), _cli_fetch),
    },
    marks=("search", "get"),
)
UNIPROT_NODE = Line(
    "augmented-nature-uniprot",
    {LogicalTool.PROTEIN_RECORD: Way("search_by_gene", ("gene", "organism"), _entries(ENTRIES))},
)
# Of two that fit, the first: a line with more marks stands before one with fewer.
LINES = (STORE, BIOMCP_CLI, BIOMCP_PYTHON, UNIPROT_NODE)
BY_NAME = {line.name: line for line in LINES}
