"""What is known of a server line: its tools for each logical tool, and its disguises.

A line is a family of servers that share tools, arguments and answers: all 0.7 releases of
biomcp-python are one. A way leads from a logical tool to a native one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.mcp.answers import FailureKind, ToolAnswer, classify, failure
from intogen_agent.mcp.logical import LogicalTool

Arguments = dict[str, Any]
Listed = Mapping[str, Any]
"""The tools of a server: names and schemas of arguments."""


class NoWay(Exception):
    """A server line cannot answer this call; the message says what it takes instead."""


@dataclass(frozen=True)
class Way:
    """How one logical tool is asked for.

    Attributes:
        tool: The native tool.
        needs: Names of arguments that the native tool must have to be this one.
        translate: Makes native arguments of logical ones; raises `NoWay`.
        narrow: Leaves out of the logical arguments what the native tool cannot take, so that the
            record says what was asked and no more.
    """

    tool: str
    needs: tuple[str, ...]
    translate: Callable[[Arguments], Arguments]
    narrow: Callable[[Arguments], Arguments] = dict

    def fits(self, listed: Listed) -> bool:
        """Tell whether a server has the tool, with the arguments that make it this one."""
        return self.tool in listed and set(self.needs) <= argument_names(listed[self.tool])


@dataclass(frozen=True)
class Line:
    """A server line.

    Attributes:
        name: As the option `adapter` names it.
        ways: The logical tools that it has.
        marks: Native tools that tell this line from others with some of the same tools.
        hides_outages: It answers the same when its upstream is down as when nothing is found.
        doubt: Says of the text of an empty answer why it may not be one; None if it is.
    """

    name: str
    ways: Mapping[LogicalTool, Way]
    marks: tuple[str, ...] = ()
    hides_outages: bool = False
    doubt: Callable[[str], str | None] | None = None

    def recognised(self, listed: Listed) -> bool:
        """Tell whether a server's list of tools is one of this line."""
        marked = all(name in listed for name in self.marks)
        return marked and any(way.fits(listed) for way in self.ways.values())

    def worth(self, text: str, is_error: bool, blocks: int) -> ToolAnswer:
        """Tell what an answer of this line is worth."""
        answer = classify(text, is_error, blocks)
        if answer.kind == "empty" and self.hides_outages:
            message = f"{self.name} answers so too when its upstream is down"
            return failure(FailureKind.UPSTREAM, message, text)
        doubt = self.doubt(text) if answer.kind == "empty" and self.doubt else None
        return failure(FailureKind.UPSTREAM, doubt, text) if doubt else answer


@dataclass(frozen=True)
class Route:
    """A logical tool of a phase and who answers it.

    Attributes:
        offered: The name under which models get it.
        description: What they are told of it.
        schema: The schema that they get.
        way: How it is asked for; None for a native tool that the configuration names.
        native_schema: The server's own schema.
        line: The line whose disguises are known; None for a server of no known line.
    """

    logical: LogicalTool
    server: str
    tool: str
    offered: str
    description: str
    schema: Any
    native_schema: Any
    way: Way | None = None
    line: Line | None = field(default=None, repr=False)

    def worth(self, text: str, is_error: bool, blocks: int) -> ToolAnswer:
        """Tell what an answer is worth."""
        judge = self.line.worth if self.line else classify
        return judge(text, is_error, blocks)


def argument_names(schema: Any) -> set[str]:
    """Return the names of a tool's arguments."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return set(properties) if isinstance(properties, dict) else set()


def several(arguments: Arguments, names: Mapping[str, str]) -> Arguments:
    """Return the lists that hold something, under other names."""
    found = {native: words(arguments.get(name)) for name, native in names.items()}
    return {native: value for native, value in found.items() if value}


def words(value: Any) -> list[str]:
    """Return the words of a list argument that are not blank."""
    listed: Sequence[Any] = value if isinstance(value, list) else ()
    return [str(word).strip() for word in listed if str(word).strip()]
