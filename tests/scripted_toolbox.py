"""A toolbox that answers as a test says and keeps what it was asked."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import DESCRIPTIONS, SCHEMAS, LogicalTool
from intogen_agent.mcp.record import ToolCallRecord
from intogen_agent.mcp.schema import function_tool

Arguments = dict[str, Any]


class ScriptedToolbox:
    """Answers by a function of the call.

    Args:
        answer: The answer to a call of a tool by its arguments.
        trials: Whether trials can be searched.

    Attributes:
        most: The most calls that were under way together.
    """

    def __init__(
        self, answer: Callable[[str, Arguments], ToolAnswer], trials: bool = False
    ) -> None:
        self.answer = answer
        self.trials = trials
        self.calls: list[ToolCallRecord] = []
        self.offered: list[dict[str, Any]] = []
        self.running = self.most = 0

    async def __aenter__(self) -> "ScriptedToolbox":
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    @property
    def asked(self) -> list[tuple[str, Arguments]]:
        """The calls that were answered, by tool and arguments."""
        made = [call for call in self.calls if call.outcome != "refused"]
        return [(call.tool, dict(call.arguments)) for call in made]

    def narrowed(self, name: str, arguments: Arguments) -> Arguments:
        return arguments

    def named(self, name: str) -> LogicalTool | None:
        return LogicalTool(name) if name in set(LogicalTool) else None

    def offer(self, *tools: LogicalTool) -> list[dict[str, Any]]:
        there = [tool for tool in tools if self.trials or tool is not LogicalTool.TRIAL_SEARCH]
        self.offered = [function_tool(t.value, DESCRIPTIONS[t], SCHEMAS[t]) for t in there]
        return self.offered

    def refuse(self, name: str, arguments: Arguments | None, why: str) -> ToolAnswer:
        return self._kept(name, arguments or {}, ToolAnswer("refused", "", why))

    async def call(self, name: str, arguments: Arguments | None, problem: str | None) -> ToolAnswer:
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        if arguments is None:
            schema = SCHEMAS[LogicalTool(name)]
            return replace(self.refuse(name, None, problem or ""), schema=schema)
        return self._kept(name, arguments, self.answer(name, arguments))

    def _kept(self, name: str, arguments: Arguments, answer: ToolAnswer) -> ToolAnswer:
        prefix = "r" if answer.kind == "refused" else "c"
        same = sum(call.id.startswith(prefix) for call in self.calls)
        record = ToolCallRecord(
            id=f"{prefix}{same + 1}",
            server="store",
            tool=name,
            arguments=arguments,
            outcome=answer.kind,
            error=answer.error,
            started="2026-01-01T00:00:00Z",
            seconds=0.1,
            logical=self.named(name),
        )
        self.calls.append(record)
        return replace(answer, call=record.id)
