"""An MCP server like the store's whose sources are down or hold nothing.

Usage: literature_server.py dead|empty|throttled
"""

import sys

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

Names = list[str] | str | None
server = MCPServer("literature", version="1.0")
habit = sys.argv[1]


def answer(kind: str) -> str:
    if habit == "empty":
        return f"No {kind} found for this."
    status = "429 Too Many Requests" if habit == "throttled" else "503 Service Unavailable"
    raise ToolError(f"HTTP {status} for https://example.org/search")


@server.tool()
def gene_getter(gene_id_or_symbol: str) -> str:
    """Get a gene's record."""
    return answer("gene record")


@server.tool()
def search_by_gene(gene: str, organism: str | None = None, size: int | None = 25) -> str:
    """Get a gene's protein records."""
    return answer("proteins")


@server.tool()
def article_searcher(
    chemicals: Names = None,
    diseases: Names = None,
    genes: Names = None,
    keywords: Names = None,
    variants: Names = None,
    page: int | None = 1,
    page_size: int | None = 10,
) -> str:
    """Search articles."""
    return answer("articles")


@server.tool()
def article_getter(pmid: str) -> str:
    """Get an article."""
    return answer("article")


if __name__ == "__main__":
    server.run("stdio")
