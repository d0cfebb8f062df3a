"""The tools of a phase: which server has which, which may be called, and every call on record."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from intogen_agent.config.mcp_settings import McpSettings
from intogen_agent.errors import StageFailure
from intogen_agent.mcp import logical as logical_tools
from intogen_agent.mcp import routing
from intogen_agent.mcp.answers import FailureKind, ToolAnswer, failure
from intogen_agent.mcp.line import NoWay, Route
from intogen_agent.mcp.logical import LogicalTool
from intogen_agent.mcp.record import ToolCallRecord
from intogen_agent.mcp.schema import (
    argument_problem,
    function_tool,
    shown_schema,
    without_nulls,
)
from intogen_agent.mcp.session import Session
from intogen_agent.provenance.recorder import Performed, Recorder
from intogen_agent.visible import visible

logger = logging.getLogger(__name__)


class Toolbox:
    """The servers of one phase and the tools that may be called.

    A server starts with the first call (or list of tools) that the journal does not answer.

    Args:
        settings: The servers.
        servers: Names of this phase's servers, in order of preference.
        allowed: The logical tools of the phase; no other tool may be called.
        recorder: The stage's recorder.
        values: Values of the commands' placeholders.
        logs: Folder for the servers' logs.
        optional: Logical tools that may be called as well if a server has them.
        allow_hosts: The only hosts that servers may be asked at; None: any.
    """

    def __init__(
        self,
        settings: McpSettings,
        servers: Sequence[str],
        allowed: Sequence[LogicalTool],
        recorder: Recorder,
        values: Mapping[str, str],
        logs: Path,
        optional: Sequence[LogicalTool] = (),
        allow_hosts: Sequence[str] | None = None,
    ) -> None:
        self._settings = settings
        self._servers = servers
        self._needed = allowed
        self._allowed = (*allowed, *optional)
        self._recorder = recorder
        self._values = values
        self._logs = logs
        self._allow_hosts = allow_hosts
        self._stack = AsyncExitStack()
        self._sessions: dict[str, Session] = {}
        self._died: set[str] = set()
        self._opening = asyncio.Lock()
        self._routes: dict[LogicalTool, Route] = {}
        self.server_versions: dict[str, str] = {}
        self.calls: list[ToolCallRecord] = []

    async def __aenter__(self) -> Self:
        """Learn which server has which of the allowed tools; servers that none needs stay closed.

        Raises:
            StageFailure: A server does not start, or no server has a tool of the phase.
        """
        await self._stack.__aenter__()
        try:
            seen: dict[str, list[str]] = {}
            for server in self._servers:
                if len(self._routes) < len(self._allowed):
                    seen[server] = await self._learned(server)
            absent = self._absent
            if absent:
                raise routing.missing(absent[0], self._servers, seen)
            self._routes = routing.distinct(list(self._routes.values()))
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the sessions, last opened first; no server process is left."""
        await self._stack.aclose()

    @property
    def _absent(self) -> list[LogicalTool]:
        return [tool for tool in self._needed if tool not in self._routes]

    async def _learned(self, server: str) -> list[str]:
        """Learn what a server can answer; one that only optional tools want need not start."""
        needed = bool(self._absent)
        try:
            return await self._learn(server)
        except StageFailure as error:
            if needed:
                raise
            logger.warning("%s; the phase goes on without its optional tools", error.message)
            return []

    async def _learn(self, server: str) -> list[str]:
        """Learn what a server can answer that none before it can; return its tools' names."""

        async def ask(_: str) -> Performed:
            session = await self._session(server)
            answer = await session.list_tools()
            serves = {tool.value: route.tool for tool, route in self._routes_of(server, answer)}
            return Performed(answer, True, {"server": server, "serves": serves})

        request = {"server": server, "command": self._source(server)}
        listed = (await self._recorder.call("list", request, ask)).response
        self.server_versions[server] = listed["server"]
        for tool, route in self._routes_of(server, listed):
            self._routes.setdefault(tool, route)
        return list(routing.by_name(listed["tools"]))

    def _routes_of(self, server: str, listed: dict[str, Any]) -> list[tuple[LogicalTool, Route]]:
        """Return what a server can answer of the phase's tools."""
        tools = routing.by_name(listed["tools"])
        found = routing.routes_of(server, self._settings.servers[server], tools)
        return [(tool, route) for tool, route in found.items() if tool in self._allowed]

    def _source(self, server: str) -> list[str]:
        """Return what decides a server's answers: its command, with the store's identity.

        It is part of every call's key: answers of another store or server are not this one's.
        """
        settings = self._settings.servers[server]
        words = [settings.url] if settings.url else settings.command
        prefix = "" if settings.prefix is None else str(settings.prefix)
        filled = [
            word.replace("{store}", self._values.get("store_identity", "")).replace(
                "{prefix}", prefix
            )
            for word in words
        ]
        return [*filled, *(f"{name}={value}" for name, value in sorted(settings.set_env.items()))]

    async def _session(self, server: str) -> Session:
        async with self._opening:
            if server not in self._sessions:
                log = self._logs / f"mcp-{server}.log"
                values = {**self._values, "log": f"{log}.requests"}
                session = Session(
                    server,
                    self._settings.servers[server],
                    values,
                    log,
                    self._settings.max_answer_bytes,
                    self._allow_hosts,
                )
                await session.open()
                self._stack.push_async_callback(session.close)
                self._sessions[server] = session
        return self._sessions[server]

    async def _ask(self, route: Route, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; a server that died is started anew for the next call."""
        try:
            session = await self._session(route.server)
        except StageFailure as error:
            if route.server not in self._died and route.logical in self._needed:
                raise
            return {"failed": "transport", "message": error.message}
        response = await session.call(route.tool, arguments)
        if response.get("failed") == "transport" and self._sessions.get(route.server) is session:
            del self._sessions[route.server]
            self._died.add(route.server)
            await session.close()
        return response

    def has(self, tool: LogicalTool) -> bool:
        """Tell whether a tool of the phase can be offered; optional ones may be missing."""
        return tool in self._routes

    def offer(self, *tools: LogicalTool) -> list[dict[str, Any]]:
        """Return the offers of some tools of the phase, for a model; missing ones are left out."""
        routes = [self._routes[tool] for tool in tools if tool in self._routes]
        return [function_tool(r.offered, r.description, r.schema) for r in routes]

    def named(self, name: str) -> LogicalTool | None:
        """Return the logical tool that is offered under a name."""
        route = self._named(name)
        return route.logical if route else None

    def narrowed(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return what of a call's arguments its server takes."""
        route = self._named(name)
        return route.way.narrow(arguments) if route and route.way else arguments

    def _named(self, name: str) -> Route | None:
        return next((route for route in self._routes.values() if route.offered == name), None)

    async def call(
        self, name: str, arguments: dict[str, Any] | None, problem: str | None
    ) -> ToolAnswer:
        """Dispatch a model's tool call, or refuse it with what it takes to make it right.

        Args:
            name: The tool as the model wrote it.
            arguments: Its arguments; None when they could not be read.
            problem: Why they could not be read.
        """
        route = self._named(name)
        if route is None:
            allowed = ", ".join(route.offered for route in self._routes.values())
            return self._refused(
                name, arguments, f"there is no tool '{name[:64]}'; call one of: {allowed}"
            )
        if arguments is None:
            return self._refused(name, arguments, problem or "the arguments cannot be read", route)
        asked = None
        if route.way is not None:
            arguments = logical_tools.fitted(route.logical, arguments)
            problem = logical_tools.problem(route.logical, arguments)
            if problem is not None:
                return self._refused(name, arguments, f"bad arguments: {problem}", route)
            narrowed = route.way.narrow(arguments)
            asked = narrowed if narrowed != arguments else None
            try:
                native = route.way.translate(narrowed)
            except NoWay as error:
                return self._refused(name, arguments, f"bad arguments: {error}", route)
        else:
            native = arguments
        native = without_nulls(native, route.native_schema)
        problem = argument_problem(native, route.native_schema)
        if problem is not None:
            return self._refused(name, arguments, f"bad arguments: {problem}", route)
        return replace(await self._dispatch(route, native), asked=asked)

    def refuse(self, name: str, arguments: dict[str, Any] | None, why: str) -> ToolAnswer:
        """Refuse a call by a rule of the phase; it is on record like every refused call."""
        return replace(self._refused(name, arguments, why, self._named(name)), schema=None)

    def _refused(
        self, name: str, arguments: dict[str, Any] | None, why: str, route: Route | None = None
    ) -> ToolAnswer:
        self.calls.append(
            ToolCallRecord(
                id=f"r{sum(1 for call in self.calls if call.outcome == 'refused') + 1}",
                server="",
                tool=name[:64],
                arguments=arguments or {},
                outcome="refused",
                error=why,
                started="",
                seconds=0.0,
                logical=route.logical if route else None,
            )
        )
        schema = shown_schema(route.schema) if route else None
        return ToolAnswer("refused", "", why, self.calls[-1].id, schema)

    async def _dispatch(self, route: Route, arguments: dict[str, Any]) -> ToolAnswer:
        async def ask(_: str) -> Performed:
            response = await self._ask(route, arguments)
            answer = _answer(route, response)
            # An outage may be over at the next start; what was answered is not asked again.
            replayable = answer.kind in ("content", "empty")
            meta = {"server": route.server, "outcome": answer.kind, "logical": route.logical.value}
            return Performed(response, replayable, meta)

        request = {
            "server": route.server,
            "command": self._source(route.server),
            "tool": route.tool,
            "arguments": arguments,
        }
        recorded = await self._recorder.call("tool", request, ask)
        answer = _answer(route, recorded.response)
        self.calls.append(
            ToolCallRecord(
                id=recorded.id,
                server=route.server,
                tool=route.tool,
                arguments=arguments,
                outcome=answer.kind,
                error=answer.error,
                started=recorded.started,
                seconds=recorded.seconds,
                logical=route.logical,
            )
        )
        return replace(answer, call=recorded.id)


def _answer(route: Route, response: dict[str, Any]) -> ToolAnswer:
    if "failed" in response:
        return failure(FailureKind(response["failed"]), visible(response["message"]))
    return route.worth(response["text"], response["is_error"], response.get("blocks", 1))
