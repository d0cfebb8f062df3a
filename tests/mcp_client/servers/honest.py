"""An honest MCP server: what the SDK makes of three functions."""

import os
from typing import Any

from mcp.server.mcpserver import MCPServer

server = MCPServer("honest", version="2.0")


@server.tool()
def gene_getter(gene: str, organism: str | None = None) -> str:
    """Get a gene's record."""
    return f"# Record 1\nSymbol: {gene}\nName: {organism or 'no organism'}\n"


@server.tool()
def article_getter(pmid: str) -> str:
    """Get an article."""
    if pmid == "0":
        raise ValueError("no such article")
    return f'[{{"pmid": {pmid}}}]'


@server.tool()
def surroundings() -> dict[str, Any]:
    """Tell the server's environment."""
    return dict(os.environ)


if __name__ == "__main__":
    server.run("stdio")
