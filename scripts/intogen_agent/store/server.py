"""The store's MCP server over stdio: four tools, named and shaped like the public servers' own."""

import json
import signal
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, TextIO, TypeVar

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from intogen_agent import __version__
from intogen_agent.errors import UserError
from intogen_agent.store import render
from intogen_agent.store.search import Store, pmid_of

T = TypeVar("T")
Names = list[str] | str | None

_records: ContextVar[list[int]] = ContextVar("_records")


class _Tools:
    """The tools. They run in the server's only thread: an answer takes milliseconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._gaps = store.unknown()

    async def gene_getter(
        self,
        gene_id_or_symbol: Annotated[
            str, Field(description="Gene symbol, alias, or HGNC, Entrez, Ensembl id")
        ],
    ) -> str:
        """Get a gene's identity: symbol, name, aliases, summary, HGNC, Entrez, Ensembl, UniProt."""
        match = self._ask(lambda: self._store.gene(gene_id_or_symbol))
        _count(1 if match else 0)
        if match is None:
            self._refuse_unknown(self._gaps.of_gene("gene", gene_id_or_symbol))
            return render.nothing_found("gene record", gene_id_or_symbol)
        return render.gene(match, gene_id_or_symbol)

    async def search_by_gene(
        self,
        gene: Annotated[str, Field(description="Gene symbol, alias or identifier")],
        organism: Annotated[
            str | None, Field(description="Organism name or taxonomy id, e.g. human, 9606")
        ] = None,
        size: Annotated[int | None, Field(description="Number of results", ge=1, le=500)] = 25,
    ) -> str:
        """Get the protein records of a gene: function, domains, location, interactions, PTM."""
        found = self._ask(lambda: self._store.proteins(gene, organism))[: size or 25]
        _count(len(found))
        if not found:
            self._refuse_unknown(self._gaps.of_gene("protein", gene))
        return render.proteins(found, gene)

    async def article_searcher(
        self,
        chemicals: Annotated[Names, Field(description="Chemicals; they rank the hits")] = None,
        diseases: Annotated[Names, Field(description="Cancer names; alternatives")] = None,
        genes: Annotated[Names, Field(description="Gene symbols; alternatives")] = None,
        keywords: Annotated[
            Names, Field(description="Words or phrases; they rank the hits")
        ] = None,
        variants: Annotated[Names, Field(description="Variants; they rank the hits")] = None,
        include_preprints: Annotated[
            bool | None, Field(description="Without effect: the store holds what it holds")
        ] = True,
        include_cbioportal: Annotated[
            bool | None, Field(description="Without effect: the store holds articles only")
        ] = True,
        page: Annotated[int | None, Field(description="Page, from 1", ge=1)] = 1,
        page_size: Annotated[int | None, Field(description="Results per page", ge=1, le=100)] = 10,
    ) -> str:
        """Search articles that name a gene and a disease; without genes, by their words."""
        asked = {
            "genes": _listed(genes),
            "diseases": _listed(diseases),
            "keywords": [*_listed(keywords), *_listed(variants), *_listed(chemicals)],
        }
        hits = self._ask(
            lambda: self._store.articles(**asked, limit=page_size or 10, page=page or 1)
        )
        _count(len(hits))
        if hits:
            return render.articles(hits)
        if (page or 1) == 1:
            self._refuse_unknown(self._gaps.of_search(asked["genes"], asked["diseases"]))
        query = "; ".join(f"{key}: {', '.join(names)}" for key, names in asked.items() if names)
        return render.nothing_found("articles", f"{query}; page: {page}" if page != 1 else query)

    async def article_getter(
        self, pmid: Annotated[str, Field(description="PubMed id, PMC id or DOI")]
    ) -> str:
        """Get one article: its title, its abstract or synopsis, and its identifiers."""
        found = self._ask(lambda: self._store.article(pmid))
        _count(1 if found else 0)
        if found:
            return render.article(found)
        self._refuse_unknown(self._gaps.of_article(pmid_of(pmid)))
        return render.nothing_found("article", pmid)

    def _refuse_unknown(self, reason: str | None) -> None:
        """Fail where nothing was found because nothing could be fetched."""
        if reason:
            raise ToolError(reason)

    def _ask(self, question: Callable[[], T]) -> T:
        """Ask the store; what it cannot answer is an error of the tool, never an empty answer."""
        try:
            return question()
        except UserError as error:
            raise ToolError(str(error)) from error


def build_server(store: Store, log: TextIO | None = None) -> MCPServer[Any]:
    """Return the server of a store.

    Args:
        store: The open store.
        log: Where one JSON line is written for each request.
    """
    tools = _Tools(store)
    server = MCPServer[Any](
        "intogen-evidence-store",
        version=__version__,
        instructions="Genes, proteins and articles of a local evidence store"
        + (f", as of {store.as_of}." if store.as_of else "."),
        log_level="WARNING",
        subscriptions=False,
        middleware=[_logging(log)] if log else (),
    )
    server.add_tool(tools.gene_getter)
    server.add_tool(tools.search_by_gene, structured_output=False)
    server.add_tool(tools.article_searcher)
    server.add_tool(tools.article_getter)
    return server


def serve(path: Path, log: Path | None = None) -> None:
    """Serve a store over stdin and stdout until stdin closes or the process is terminated.

    Raises:
        UserError: If the store cannot be opened or the log cannot be written.
    """
    with Store(path) as store:
        try:
            handle = log.open("a", encoding="utf-8", buffering=1) if log else None
        except OSError as error:
            raise UserError(f"--log {log}: cannot be written ({error.strerror})") from None
        # Nothing is pending that a terminated server would have to finish.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        build_server(store, handle).run("stdio")
        if handle:
            handle.close()


def _logging(log: TextIO) -> Any:
    """Return the middleware that writes a line for each request."""

    async def write(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        found: list[int] = []
        _records.set(found)
        started, now = perf_counter(), datetime.now(UTC)
        params = dict(ctx.params or {})
        line: dict[str, Any] = {
            "time": now.isoformat(timespec="milliseconds"),
            "method": ctx.method,
            "tool": params.get("name"),
            "arguments": params.get("arguments"),
            "records": None,
            "error": None,
        }
        try:
            result = await call_next(ctx)
            if isinstance(result, dict) and result.get("isError"):
                line["error"] = result["content"][0]["text"]
            return result
        except Exception as error:
            line["error"] = str(error)
            raise
        finally:
            line["records"] = found[0] if found else None
            line["seconds"] = round(perf_counter() - started, 6)
            print(json.dumps(line, ensure_ascii=False, default=str), file=log)

    return write


def _count(records: int) -> None:
    """Tell the log how many records an answer holds."""
    found = _records.get(None)
    if found is not None:
        found.append(records)


def _listed(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names or ())
