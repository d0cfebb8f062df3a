"""One MCP server over stdio, owned by one task that opens and closes its session."""

import asyncio
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intogen_agent.config.settings import Server
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.processes import fill, mortal, package_environment

if TYPE_CHECKING:
    from anyio import CancelScope
    from mcp import Client

MAX_PAGES = 20
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW", re.IGNORECASE)


class Session:
    """A running server.

    The session's context is entered and left in one task of its own: anyio's cancel scopes must
    not cross tasks. Calls may come from any task of the loop.

    Args:
        name: The server's name in the configuration.
        settings: Command, environment, timeouts.
        values: Values of the command's placeholders.
        log: File for the server's standard error.

    Attributes:
        listed: Whether the server has listed its tools.
    """

    def __init__(self, name: str, settings: Server, values: Mapping[str, str], log: Path) -> None:
        self.name = name
        self._settings = settings
        self._command = fill(settings.command, **values)
        self._log = log
        self._secrets = [
            value
            for key in settings.env
            if _SECRET_NAME.search(key) and len(value := os.environ.get(key, "")) >= 6
        ]
        self.listed = False
        self._client: Client | None = None
        self._scope: CancelScope | None = None
        self._stop = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the server and shake hands.

        Raises:
            StageFailure: The server does not start, ends early or does not answer in time.
        """
        if shutil.which(self._command[0]) is None:
            raise self._failure("No such file or directory")
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._owner = asyncio.create_task(self._own(ready), name=f"mcp-{self.name}")
        try:
            async with asyncio.timeout(self._settings.start_timeout):
                await asyncio.shield(ready)
        except TimeoutError:
            await self.close()
            raise self._failure(f"no answer within {self._settings.start_timeout:g} s") from None
        except BaseException:
            await self.close()
            raise

    async def _own(self, ready: "asyncio.Future[None]") -> None:
        from anyio import CancelScope
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client

        environment = {key: os.environ[key] for key in self._settings.env if key in os.environ}
        program, *words = mortal(self._command)
        parameters = StdioServerParameters(
            command=program,
            args=words,
            env=package_environment(self._command, environment),
            encoding_error_handler="replace",
        )
        self._log.parent.mkdir(parents=True, exist_ok=True)
        try:
            # A scope, not task.cancel(): that would break mcp's shielded shutdown and hang.
            with CancelScope() as self._scope, self._log.open("a", encoding="utf-8") as sink:
                transport = stdio_client(parameters, errlog=sink)
                async with Client(
                    transport,
                    mode=self._settings.mode,
                    read_timeout_seconds=self._settings.start_timeout,
                ) as client:
                    self._client = client
                    if not ready.done():
                        ready.set_result(None)
                    await self._stop.wait()
        except Exception as error:  # whatever a server's answers break in mcp
            if not ready.done():
                ready.set_exception(self._failure(_innermost(error)))
        finally:
            self._client = None
            if not ready.done():
                ready.cancel()

    async def list_tools(self) -> dict[str, Any]:
        """Return the server's identity and its tools: name, description, input schema.

        Raises:
            StageFailure: The server does not list its tools, or not in a form that can be read.
        """
        from mcp import MCPError

        client = self._running()
        tools, cursor = [], None
        try:
            for _ in range(MAX_PAGES):
                page = await client.list_tools(cursor=cursor)
                tools += page.tools
                cursor = page.next_cursor
                if not cursor:
                    break
        except (MCPError, RuntimeError, ValueError) as error:
            raise self._failure(f"its list of tools: {_one_line(error)}") from None
        info = client.server_info
        self.listed = True
        return {
            "server": f"{info.name} {info.version}".strip() if info else self.name,
            "tools": [
                {
                    "name": tool.name,
                    "description": tool.description or "",
                    "input_schema": tool.input_schema,
                }
                for tool in tools
            ],
        }

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool.

        Returns:
            `{"text": ..., "is_error": bool, "blocks": int}` when the server answered,
            `{"failed": kind, "message": ...}` when it did not.
        """
        from mcp import MCPError
        from mcp.types import TextContent

        client = self._client
        if client is None:
            return {"failed": "transport", "message": f"server {self.name} is not running"}
        timeout = self._settings.call_timeout
        try:
            async with asyncio.timeout(timeout + 1):
                result = await client.call_tool(tool, arguments, read_timeout_seconds=timeout)
        except TimeoutError:
            return {"failed": "timeout", "message": f"no answer within {timeout:g} s"}
        except MCPError as error:
            timed_out = error.code == -32001
            closed = error.code == -32000
            kind = "timeout" if timed_out else "transport" if closed else "upstream"
            return {"failed": kind, "message": self._open_text(_one_line(error))}
        except (RuntimeError, ValueError) as error:
            # mcp raises these for answers that break the server's own output schema.
            return {"failed": "unreadable", "message": self._open_text(_one_line(error))}
        texts = [block.text for block in result.content if isinstance(block, TextContent)]
        return {
            "text": self._open_text("\n".join(texts)),
            "is_error": bool(result.is_error),
            "blocks": len(result.content),
        }

    def _open_text(self, text: str) -> str:
        """Return a server's text without the keys it was given: errors quote request addresses."""
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        return text

    def _running(self) -> "Client":
        if self._client is None:
            raise self._failure("it is not running")
        return self._client

    def _failure(self, message: str) -> StageFailure:
        return StageFailure(
            ErrorClass.SERVER_FAILED,
            f"MCP server {self.name} ({self._command[0]}): {message}; see {self._log}",
        )

    async def close(self) -> None:
        """End the session and the server's process."""
        self._stop.set()
        if self._owner is not None:
            if self._client is None and self._scope is not None:
                self._scope.cancel()
            await asyncio.wait([self._owner])
            self._owner = None


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return _one_line(error)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
