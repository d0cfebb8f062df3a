"""One MCP server, owned by one task that opens and closes its session."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intogen_agent.config.mcp_settings import Server
from intogen_agent.errors import ErrorClass, StageFailure, UserError
from intogen_agent.mcp import address, exchange, http, surroundings
from intogen_agent.mcp.answers import FailureKind
from intogen_agent.mcp.stdio import Program, stdio

if TYPE_CHECKING:
    from anyio import CancelScope
    from mcp import Client
    from mcp.client._transport import TransportStreams

MAX_PAGES = 20
# Of the time to start: what a server may take to say whether it knows the newer way.
DISCOVER_PART = 0.3
NO_CONTENT = '{"content": []}'
TIMED_OUT, CLOSED = -32001, -32000
BAD_PARAMS = -32602
KINDS = {
    TIMED_OUT: FailureKind.TIMEOUT,
    CLOSED: FailureKind.TRANSPORT,
    BAD_PARAMS: FailureKind.BAD_ARGUMENTS,
    exchange.OVERSIZED: FailureKind.OVERSIZED,
    exchange.UNREADABLE: FailureKind.UNREADABLE,
    http.NOT_REACHED: FailureKind.TRANSPORT,
}


class Session:
    """A running server.

    The session's context is entered and left in one task of its own: anyio's cancel scopes must
    not cross tasks. Calls may come from any task of the loop.

    Args:
        name: The server's name in the configuration.
        settings: Command or address, environment, timeouts.
        values: Values of the command's placeholders.
        log: File for the server's standard error.
        limit: Bytes that an answer may have.
        allow_hosts: The only hosts that may be asked (`network.allow_hosts`); None: any.

    Attributes:
        listed: Whether the server has listed its tools.
    """

    def __init__(
        self,
        name: str,
        settings: Server,
        values: Mapping[str, str],
        log: Path,
        limit: int = 16_000_000,
        allow_hosts: Sequence[str] | None = None,
    ) -> None:
        self.name = name
        self.listed = False
        self._settings = settings
        self._command = surroundings.command(settings, values) if settings.command else []
        self._log = log
        self._limit = limit
        self._allow_hosts = allow_hosts
        self._secrets = surroundings.secrets(settings)
        self._headers: dict[str, str] = {}
        self._client: Client | None = None
        self._scope: CancelScope | None = None
        self._stop = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the server and shake hands.

        A server that does not survive being asked in the newer way (`mode: auto`), or does not
        answer it, is started anew and asked in the older one.

        Raises:
            StageFailure: The server does not start, ends early or does not answer in time; its
                address must not be asked, or a key for it is missing.
        """
        self._check()
        seconds = self._settings.start_timeout
        if self._settings.mode == "auto":
            begun = asyncio.get_running_loop().time()
            try:
                return await self._open("auto", seconds * DISCOVER_PART)
            except StageFailure:
                seconds -= asyncio.get_running_loop().time() - begun
        await self._open("legacy", seconds)

    def _check(self) -> None:
        url = self._settings.url
        if url is None:
            if shutil.which(self._command[0]) is None:
                raise self._failure("No such file or directory")
            return
        refusal = address.refusal(self.name, url, self._allow_hosts)
        if refusal is not None:
            raise StageFailure(ErrorClass.HOST_NOT_ALLOWED, refusal)
        try:
            self._headers, keys = address.headers(self.name, self._settings.headers)
        except UserError as error:
            raise StageFailure(ErrorClass.SERVER_FAILED, str(error)) from None
        self._secrets += keys

    async def _open(self, mode: str, seconds: float) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop.clear()
        self._owner = asyncio.create_task(self._own(ready, mode), name=f"mcp-{self.name}")
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(ready)
        except TimeoutError:
            await self.close()
            raise self._failure(f"no answer within {seconds:g} s") from None
        except BaseException:
            await self.close()
            raise

    async def _own(self, ready: "asyncio.Future[None]", mode: str) -> None:
        from anyio import CancelScope
        from mcp import Client

        try:
            # A scope, not task.cancel(): that would break the shielded shutdown and hang.
            with CancelScope() as self._scope:
                async with Client(
                    self._transport(),
                    mode=mode,
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

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator["TransportStreams"]:
        if self._settings.url is not None:
            timeout = max(self._settings.start_timeout, self._settings.call_timeout)
            async with http.http(
                self._settings.url, self._headers, self._limit, timeout
            ) as streams:
                yield streams
            return
        environment = surroundings.environment(self._settings, self._command)
        program = Program(self._command, environment, self._limit, self._secrets)
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab", buffering=0) as sink:
            async with stdio(program, sink) as streams:
                yield streams

    async def list_tools(self) -> dict[str, Any]:
        """Return the server's identity and its tools: name, description, input schema.

        Raises:
            StageFailure: The server does not list its tools, or not in a form that can be read.
        """
        from mcp import MCPError

        client = self._running()
        tools, cursor, seen = [], None, set()
        try:
            for _ in range(MAX_PAGES):
                page = await client.list_tools(cursor=cursor)
                tools += page.tools
                cursor = page.next_cursor
                if not cursor or cursor in seen:
                    break
                seen.add(cursor)
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
            return _failed(FailureKind.TRANSPORT, f"server {self.name} is not running")
        timeout = self._settings.call_timeout
        try:
            async with asyncio.timeout(timeout + 1):
                result = await client.call_tool(tool, arguments, read_timeout_seconds=timeout)
        except TimeoutError:
            return _failed(FailureKind.TIMEOUT, f"no answer within {timeout:g} s")
        except MCPError as error:
            return _failed(_kind(error), self._open_text(_one_line(error)))
        except (RuntimeError, ValueError) as error:
            # mcp raises these for answers that it cannot read.
            return _failed(FailureKind.UNREADABLE, self._open_text(_one_line(error)))
        texts = [block.text for block in result.content if isinstance(block, TextContent)]
        return {
            "text": self._open_text("\n".join(texts)) if result.content else NO_CONTENT,
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
        where = self._settings.url or self._command[0]
        told = self._open_text(message)
        hint = "" if self._settings.url else f"; see {self._log}"
        return StageFailure(
            ErrorClass.SERVER_FAILED, f"MCP server {self.name} ({where}): {told}{hint}"
        )

    async def close(self) -> None:
        """End the session and the server's process."""
        self._stop.set()
        if self._owner is not None:
            if self._client is None and self._scope is not None:
                self._scope.cancel()
            await asyncio.wait([self._owner])
            self._owner = None


def _failed(kind: FailureKind, message: str) -> dict[str, Any]:
    return {"failed": kind.value, "message": message}


def _kind(error: Any) -> FailureKind:
    """Return the kind of an error of JSON-RPC."""
    if "429" in str(error) and error.code == http.HTTP_STATUS:
        return FailureKind.THROTTLED
    if str(exchange.OVERSIZED) in str(error) or "event exceeded the" in str(error):
        return FailureKind.OVERSIZED
    return KINDS.get(error.code, FailureKind.UPSTREAM)


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return _one_line(error)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
