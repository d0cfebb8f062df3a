"""The server lines that are known, each as it was seen to behave (docs/servers.md)."""

import re
from typing import Any

from intogen_agent.files import parse_json
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
_TAXA = {"human": 9606, "mouse": 10090}
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


def _by_gene(arguments: Arguments) -> Arguments:
    asked: Arguments = {"gene": arguments["gene"].strip()}
    named = organism(arguments)
    return asked if named is None else {**asked, "organism": named}


def _store_search(arguments: Arguments) -> Arguments:
    page = arguments.get("page", 1)
    return {**several(arguments, _LISTS), "page": page, "page_size": PAGE_SIZE}


STORE = Line(
    "store",
    {
        LogicalTool.GENE_RECORD: Way(
            "gene_getter", ("gene_id_or_symbol",), _gene("gene_id_or_symbol")
        ),
        LogicalTool.PROTEIN_RECORD: Way("search_by_gene", ("gene", "organism"), _by_gene),
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


# What biomcp-cli takes: one gene, one disease (several are read as one phrase), three keywords.
CLI_KEYWORDS = 3
CLI_PAGE = 25
# Sources without which the others still search the literature.
_CLI_EXTRAS = ("semanticscholar", "litsense2")
_CLI_SOUND = ("ok", "available", "not_applicable", "disabled", "skipped")


def _cli_gene(arguments: Arguments) -> Arguments:
    return {"entity": "gene", "id": arguments["gene"].strip(), "json": True}


def _cli_fetch(arguments: Arguments) -> Arguments:
    return {"entity": "article", "id": article_id(arguments["pmid"]), "json": True}


def _cli_protein(arguments: Arguments) -> Arguments:
    if organism(arguments) not in (None, "human"):
        raise NoWay("this server knows human proteins only")
    sections = ["domains", "interactions"]
    asked = arguments["gene"].strip()
    return {"entity": "protein", "id": asked, "sections": sections, "json": True}


def _cli_narrow(arguments: Arguments) -> Arguments:
    kept: Arguments = {
        "genes": words(arguments.get("genes"))[:1],
        "diseases": words(arguments.get("diseases"))[:1],
    }
    room = CLI_KEYWORDS
    for name in ("variants", "keywords"):
        kept[name] = words(arguments.get(name))[:room]
        room -= len(kept[name])
    kept = {name: value for name, value in kept.items() if value}
    return kept | ({"page": arguments["page"]} if "page" in arguments else {})


def _cli_search(arguments: Arguments) -> Arguments:
    asked: Arguments = {"entity": "article", "json": True, "limit": CLI_PAGE}
    for name, native in (("genes", "gene"), ("diseases", "disease")):
        if name in arguments:
            asked[native] = arguments[name][0]
    keywords = [*arguments.get("variants", ()), *arguments.get("keywords", ())]
    if keywords:
        asked["keyword"] = list(dict.fromkeys(keywords))
    if arguments.get("page", 1) > 1:
        asked["offset"] = CLI_PAGE * (arguments["page"] - 1)
    return asked


def _cli_trials(arguments: Arguments) -> Arguments:
    asked: Arguments = {"entity": "trial", "json": True, "limit": CLI_PAGE}
    conditions = words(arguments.get("conditions"))[:1]
    terms = [*words(arguments.get("genes")), *words(arguments.get("keywords"))][:CLI_KEYWORDS]
    if conditions:
        asked["condition"] = conditions
    return {**asked, "biomarker": terms} if terms else asked


def _cli_trial_narrow(arguments: Arguments) -> Arguments:
    terms = {"genes": words(arguments.get("genes"))[:CLI_KEYWORDS]}
    terms["keywords"] = words(arguments.get("keywords"))[: CLI_KEYWORDS - len(terms["genes"])]
    kept = {"conditions": words(arguments.get("conditions"))[:1], **terms}
    return {name: value for name, value in kept.items() if value}


def _cli_doubt(text: str) -> str | None:
    """Say which sources of a search did not answer: without them, nothing found is not nothing."""
    try:
        answer = parse_json(text)
        told = answer["_meta"]["source_status"] if answer.get("error") else []
        dark = [
            str(source["source"])
            for source in told
            if source["source"] not in _CLI_EXTRAS and source["status"] not in _CLI_SOUND
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "nothing found, and which sources answered cannot be read"
    return f"nothing found, but {', '.join(dark)} did not answer" if dark else None


BIOMCP_CLI = Line(
    "biomcp-cli",
    {
        LogicalTool.GENE_RECORD: Way("get", ("entity", "id", "json"), _cli_gene),
        LogicalTool.PROTEIN_RECORD: Way("get", ("entity", "id", "json", "sections"), _cli_protein),
        LogicalTool.ARTICLE_SEARCH: Way(
            "search", ("entity", "gene", "disease", "keyword", "json"), _cli_search, _cli_narrow
        ),
        LogicalTool.ARTICLE_FETCH: Way("get", ("entity", "id", "json"), _cli_fetch),
        LogicalTool.TRIAL_SEARCH: Way(
            "search", ("entity", "condition", "biomarker"), _cli_trials, _cli_trial_narrow
        ),
    },
    marks=("search", "get"),
    doubt=_cli_doubt,
)


def _uniprot_query(arguments: Arguments) -> str:
    """Return a query of UniProt's own for the reviewed entries of a gene, by its exact name.

    A search by gene alone is unordered and inexact: one page of it is megabytes, and the entry may
    not be on it.
    """
    gene = arguments["gene"].strip().replace('"', "")
    about = f"accession:{gene}" if _ACCESSION.fullmatch(gene) else f'gene_exact:"{gene}"'
    named = organism(arguments)
    if named in _TAXA:
        about += f" AND organism_id:{_TAXA[named]}"
    elif named:
        about += f' AND organism_name:"{named.replace(chr(34), "")}"'
    return f"{about} AND reviewed:true"


def _node_query(arguments: Arguments) -> Arguments:
    return {"query": _uniprot_query(arguments), "size": ENTRIES, "format": "json"}


def _pypi_query(arguments: Arguments) -> Arguments:
    return {"query": _uniprot_query(arguments), "size": ENTRIES, "response_format": "json"}


UNIPROT_NODE = Line(
    "augmented-nature-uniprot",
    {
        LogicalTool.PROTEIN_RECORD: Way(
            "search_proteins", ("query", "organism", "size", "format"), _node_query
        )
    },
)
UNIPROT_PYPI = Line(
    "uniprot-mcp-server",
    {
        LogicalTool.PROTEIN_RECORD: Way(
            "uniprot_search", ("query", "size", "response_format"), _pypi_query
        )
    },
)
# Servers that have one tool of the node server's, without its free queries.
UNIPROT_BY_GENE = Line(
    "uniprot-by-gene",
    {LogicalTool.PROTEIN_RECORD: Way("search_by_gene", ("gene", "organism"), _by_gene)},
)
# Of two that fit, the first: a line with more marks stands before one with fewer.
LINES = (STORE, BIOMCP_CLI, BIOMCP_PYTHON, UNIPROT_NODE, UNIPROT_PYPI, UNIPROT_BY_GENE)
BY_NAME = {line.name: line for line in LINES}
