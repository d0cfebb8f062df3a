"""Calls of the store's server without a session."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from intogen_agent.store.search import Store
from intogen_agent.store.server import build_server

Build = Callable[..., Path]
Call = Callable[..., Any]


def ask(store: Store, tool: str, arguments: dict[str, Any]) -> Any:
    async def session() -> Any:
        async with Client(build_server(store), mode="legacy") as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(session)
