"""The tools of a phase: which server has which, which may be called, and every call on record."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from intogen_agent.config.settings import McpSettings
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.mcp.answers import ToolAnswer, classify
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


@dataclass(frozen=True)
class Tool:
    """A tool and the server that has it."""

    server: str
    name: str
    description: str
    input_schema: Any


class Toolbox:
    """The servers of one phase and the tools that may be called.

    A server starts with the first call (or list of tools) that the journal does not answer.

    Args:
        settings: The servers.
        servers: Names of this phase's servers, in order of preference.
        allowed: The only tools that may be called.
        recorder: The stage's recorder.
        values: Values of the commands' placeholders.
        logs: Folder for the servers' logs.
    """

    def __init__(
        self,
        settings: McpSettings,
        servers: Sequence[str],
        allowed: Sequence[str],
        recorder: Recorder,
        values: Mapping[str, str],
        logs: Path,
    ) -> None:
        self._settings = settings
        self._servers = servers
        self._allowed = allowed
        self._recorder = recorder
        self._values = values
        self._logs = logs
        self._stack = AsyncExitStack()
        self._sessions: dict[str, Session] = {}
        self._died: set[str] = set()
        self._opening = asyncio.Lock()
        self._tools: dict[str, Tool] = {}
        self.server_versions: dict[str, str] = {}
        self.calls: list[ToolCallRecord] = []

    async def __aenter__(self) -> Self:
        """Learn which server has which of the allowed tools.

        Raises:
            StageFailure: A server does not start, or no server has a tool of the phase.
        """
        await self._stack.__aenter__()
        try:
            for server in self._servers:
                await self._learn(server)
            missing = [name for name in self._allowed if name not in self._tools]
            if missing:
                raise StageFailure(
                    ErrorClass.TOOL_MISSING,
                    f"no server of {', '.join(self._servers)} has the tool {missing[0]}; "
                    "check mcp.phase1, mcp.phase2 and the tool names under mcp",
                )
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

    async def _learn(self, server: str) -> None:
        async def ask(_: str) -> Performed:
            session = await self._session(server)
            return Performed(await session.list_tools(), True, {"server": server})

        request = {"server": server, "command": self._source(server)}
        listed = (await self._recorder.call("list", request, ask)).response
        self.server_versions[server] = listed["server"]
        for tool in listed["tools"]:
            if tool["name"] in self._allowed and tool["name"] not in self._tools:
                self._tools[tool["name"]] = Tool(server, **tool)

    def _source(self, server: str) -> list[str]:
        """Return what decides a server's answers: its command, with the store's identity.

        It is part of every call's key: answers of another store or server are not this one's.
        """
        command = self._settings.servers[server].command
        return [word.replace("{store}", self._values.get("store_identity", "")) for word in command]

    async def _session(self, server: str) -> Session:
        async with self._opening:
            if server not in self._sessions:
                log = self._logs / f"mcp-{server}.log"
                values = {**self._values, "log": f"{log}.requests"}
                session = Session(server, self._settings.servers[server], values, log)
                await session.open()
                self._stack.push_async_callback(session.close)
                self._sessions[server] = session
        return self._sessions[server]

    async def _ask(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; a server that died is started anew for the next call."""
        try:
            session = await self._session(tool.server)
        except StageFailure as error:
            if tool.server not in self._died:
                raise
            return {"failed": "transport", "message": error.message}
        response = await session.call(tool.name, arguments)
        if response.get("failed") == "transport" and self._sessions.get(tool.server) is session:
            del self._sessions[tool.server]
            self._died.add(tool.server)
            await session.close()
        return response

    def offer(self, *names: str) -> list[dict[str, Any]]:
        """Return the offers of some allowed tools, for a model."""
        tools = [self._tools[name] for name in names]
        return [function_tool(t.name, t.description, t.input_schema) for t in tools]

    async def call(
        self, name: str, arguments: dict[str, Any] | None, problem: str | None
    ) -> ToolAnswer:
        """Dispatch a model's tool call, or refuse it with what it takes to make it right.

        Args:
            name: The tool as the model wrote it.
            arguments: Its arguments; None when they could not be read.
            problem: Why they could not be read.
        """
        tool = self._tools.get(name)
        if tool is None:
            allowed = ", ".join(self._allowed)
            return self._refused(
                name, arguments, f"there is no tool '{name[:64]}'; call one of: {allowed}"
            )
        if arguments is None:
            return self._refused(name, arguments, problem or "the arguments cannot be read", tool)
        arguments = without_nulls(arguments, tool.input_schema)
        problem = argument_problem(arguments, tool.input_schema)
        if problem is not None:
            return self._refused(name, arguments, f"bad arguments: {problem}", tool)
        return await self._dispatch(tool, arguments)

    def _refused(
        self, name: str, arguments: dict[str, Any] | None, why: str, tool: Tool | None = None
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
            )
        )
        schema = shown_schema(tool.input_schema) if tool else None
        return ToolAnswer("refused", "", why, self.calls[-1].id, schema)

    async def _dispatch(self, tool: Tool, arguments: dict[str, Any]) -> ToolAnswer:
        async def ask(_: str) -> Performed:
            response = await self._ask(tool, arguments)
            answer = _answer(response)
            # An outage may be over at the next start; what was answered is not asked again.
            replayable = answer.kind in ("content", "empty")
            return Performed(response, replayable, {"server": tool.server, "outcome": answer.kind})

        request = {
            "server": tool.server,
            "command": self._source(tool.server),
            "tool": tool.name,
            "arguments": arguments,
        }
        recorded = await self._recorder.call("tool", request, ask)
        answer = _answer(recorded.response)
        self.calls.append(
            ToolCallRecord(
                id=recorded.id,
                server=tool.server,
                tool=tool.name,
                arguments=arguments,
                outcome=answer.kind,
                error=answer.error,
                started=recorded.started,
                seconds=recorded.seconds,
            )
        )
        return ToolAnswer(answer.kind, answer.text, answer.error, recorded.id)


def _answer(response: dict[str, Any]) -> ToolAnswer:
    if "failed" in response:
        return ToolAnswer("failed", "", visible(f"{response['failed']}: {response['message']}"))
    return classify(response["text"], response["is_error"])
