"""Which server answers which logical tool of a phase, chosen from what the servers list."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from intogen_agent.config.mcp_settings import Server
from intogen_agent.errors import ErrorClass, StageFailure
from intogen_agent.mcp.line import Line, Route
from intogen_agent.mcp.lines import BY_NAME, LINES
from intogen_agent.mcp.logical import DESCRIPTIONS, SCHEMAS, LogicalTool

MANY = 12
# What a citation of a tool (`TOOL:name`) may hold.
_CITABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,99}")
Tools = Mapping[str, Mapping[str, Any]]
"""The tools of a server by name: description and input schema."""


def by_name(listed: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return a server's list of tools by name; of equal names the first."""
    found: dict[str, Mapping[str, Any]] = {}
    for tool in listed:
        found.setdefault(tool["name"], tool)
    return found


def lines_of(settings: Server, tools: Tools) -> list[Line]:
    """Return the lines that a server is asked as: the forced one, or those that its tools show."""
    if settings.adapter is not None:
        return [BY_NAME[settings.adapter]]
    schemas = {name: tool["input_schema"] for name, tool in tools.items()}
    return [line for line in LINES if line.recognised(schemas)]


def routes_of(name: str, settings: Server, tools: Tools) -> dict[LogicalTool, Route]:
    """Return what a server can answer.

    Tools that the configuration names come first, under their own names and schemas; lines have
    the rest.
    """
    lines = lines_of(settings, tools)
    found = {}
    for logical in LogicalTool:
        native = settings.tools.get(logical.value)
        if native is None:
            route = _by_line(logical, name, lines, tools, forced=settings.adapter is not None)
        else:
            route = _by_name(logical, name, native, lines, tools)
        if route is not None:
            found[logical] = route
    return found


def _by_name(
    logical: LogicalTool, server: str, native: str, lines: list[Line], tools: Tools
) -> Route | None:
    tool = tools.get(native)
    if tool is None:
        return None
    schema = tool["input_schema"]
    line = lines[0] if lines else None
    offered = native if _CITABLE.fullmatch(native) else logical.value
    return Route(logical, server, native, offered, tool["description"], schema, schema, line=line)


def _by_line(
    logical: LogicalTool, server: str, lines: list[Line], tools: Tools, *, forced: bool
) -> Route | None:
    schemas = {name: tool["input_schema"] for name, tool in tools.items()}
    for line in lines:
        way = line.ways.get(logical)
        if way is None or not (way.fits(schemas) or (forced and way.tool in schemas)):
            continue
        told, schema = DESCRIPTIONS[logical], SCHEMAS[logical]
        native = schemas[way.tool]
        return Route(logical, server, way.tool, logical.value, told, schema, native, way, line)
    return None


def distinct(routes: Iterable[Route]) -> dict[LogicalTool, Route]:
    """Tell equal names apart: the second of two native tools goes by its logical name."""
    found: dict[LogicalTool, Route] = {}
    taken: set[str] = {route.logical.value for route in routes if route.way is not None}
    for route in routes:
        if route.way is None and route.offered in taken:
            route = replace(route, offered=route.logical.value)
        taken.add(route.offered)
        found[route.logical] = route
    return found


def missing(
    tool: LogicalTool, servers: Sequence[str], seen: Mapping[str, Sequence[str]]
) -> StageFailure:
    """Return the failure of a phase without one of its tools."""
    told = "; ".join(f"{name} has {_few(seen.get(name, ()))}" for name in servers)
    known = ", ".join(line.name for line in LINES if tool in line.ways)
    option = f"mcp.servers.<name>.tools.{tool.value}"
    return StageFailure(
        ErrorClass.TOOL_MISSING,
        f"no server of {', '.join(servers)} has the tool {tool.value} ({told}); server lines that "
        f"have it: {known}; of another server, name its own tool under {option}",
    )


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(name[:64] for name in names[:MANY])
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return f"{shown}{more}" if names else "no tools"
