"""Does each MCP server start, has it the tools of its phases, and does it answer a query."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from intogen_agent.config.mcp_settings import McpSettings
from intogen_agent.errors import StageFailure
from intogen_agent.evidence.gene_record import read_gene_record
from intogen_agent.mcp import routing
from intogen_agent.mcp.line import NoWay, Route
from intogen_agent.mcp.logical import PHASE1, PHASE2, LogicalTool
from intogen_agent.mcp.schema import argument_problem
from intogen_agent.mcp.session import Session
from intogen_agent.preflight.finding import Finding, bounded, failed, ok, skipped
from intogen_agent.preflight.scene import Scene

GENE = "TP53"
GENE_ARGUMENTS = ("gene_id_or_symbol", "gene", "gene_symbol", "symbol", "gene_name", "query")
SEARCH_ARGUMENTS = ("genes", "gene", "keywords", "query")
LEFT_TO_CLOSE = 0.8
"""The part of a check's time for asking; the rest is for the end of the server."""

NEEDED = {"phase1": PHASE1, "phase2": PHASE2}
"""The logical tools of each phase, by the option that names its servers."""

Routes = Mapping[LogicalTool, Route]
"""What a server can answer."""


async def check_servers(scene: Scene, store: asyncio.Future[str | None]) -> list[Finding]:
    """Check the servers of both phases.

    Args:
        scene: What to look at.
        store: The store for servers that read it; None if there is none to be used.
    """
    mcp = scene.settings.mcp
    names = list(dict.fromkeys([*mcp.phase1, *mcp.phase2]))
    answers = await asyncio.gather(*(_server(scene, name, store) for name in names))
    found = dict(zip(names, answers, strict=True))
    return [
        *(finding for finding, _ in answers),
        *_phases(mcp, {n: t for n, (_, t) in found.items()}),
    ]


def _phases(mcp: McpSettings, found: Mapping[str, Routes | None]) -> list[Finding]:
    """Tell for each phase whether its servers have its tools together."""
    lines = []
    for phase, names in (("phase1", mcp.phase1), ("phase2", mcp.phase2)):
        about = f"tools of {phase}"
        having = {
            tool: next((name for name in names if tool in (found[name] or {})), None)
            for tool in NEEDED[phase]
        }
        missing = [tool for tool, server in having.items() if server is None]
        if not missing:
            told = ", ".join(f"{tool} ({server})" for tool, server in having.items())
            lines.append(ok(about, told))
        elif any(found[name] is None for name in names):
            lines.append(skipped(about, f"not known, a server of mcp.{phase} cannot be used"))
        else:
            remedy = (
                f"add a server that has it to mcp.{phase}, or name a server's own tool under "
                "mcp.servers.<name>.tools"
            )
            problem = f"no server of {', '.join(names)} has {' or '.join(missing)}"
            lines.append(failed(about, problem, remedy))
    return lines


async def _server(
    scene: Scene, name: str, store: asyncio.Future[str | None]
) -> tuple[Finding, Routes | None]:
    about = f"server {name}"
    place = f"mcp.servers.{name}"
    settings = scene.settings.mcp.servers[name]
    log = scene.logs / f"mcp-{name}.log"
    values = {"log": f"{log}.requests"}
    if any("{store}" in word for word in settings.command):
        path = await store
        if path is None:
            return skipped(about, "not started, its store cannot be used"), None
        values |= {"store": path, "store_identity": ""}
    mcp, network = scene.settings.mcp, scene.settings.network
    limit = mcp.max_answer_bytes
    session = Session(name, settings, values, log, limit, network.allow_hosts)
    routes: dict[LogicalTool, Route] = {}

    async def ask() -> list[Finding]:
        try:
            await session.open()
            listed = await session.list_tools()
            routes.update(routing.routes_of(name, settings, routing.by_name(listed["tools"])))
            queries = await _queries(scene, name, session, routes)
        except (StageFailure, OSError) as error:
            remedy = f"set {place}.url" if settings.url else f"install it, or set {place}.command"
            return [failed(about, str(error), remedy)]
        problem = next((text for text in queries if not text[0]), None)
        if problem is not None:
            advice = f"see {log}; is the service behind it reachable, are the variables in env set?"
            return [failed(about, problem[1], advice)]
        return [
            ok(about, "; ".join([f"{listed['server']} starts", *(text for _, text in queries)]))
        ]

    try:
        remedy = f"see {log}; a slow server may need a longer --seconds"
        [finding] = await bounded(ask(), about, scene.left * LEFT_TO_CLOSE, remedy)
    finally:
        await session.close()
    return finding, routes if session.listed else None


async def _queries(
    scene: Scene, name: str, session: Session, routes: Routes
) -> list[tuple[bool, str]]:
    """Ask a server one thing for each phase that it serves."""
    mcp = scene.settings.mcp
    wanted = [tool for tool in PHASE1 if tool in routes and name in mcp.phase1][:1]
    if name in mcp.phase2 and LogicalTool.ARTICLE_SEARCH in routes:
        wanted.append(LogicalTool.ARTICLE_SEARCH)
    first = scene.plan.cohort.tasks[0].gene
    found = []
    for tool in wanted:
        result = await _query(session, routes[tool], GENE)
        if not result[0] and first != GENE:
            # A store for a few genes need not know this one.
            result = await _query(session, routes[tool], first)
        found.append(result)
    return found


async def _query(session: Session, route: Route, gene: str) -> tuple[bool, str]:
    """Ask for a gene; return whether there was an answer with content, and what to say of it."""
    arguments = _arguments(route, gene)
    if arguments is None:
        return True, f"{route.offered} was not asked, its arguments are not known here"
    response = await session.call(route.tool, arguments)
    if "failed" in response:
        return False, f"{route.offered} for {gene}: {response['failed']}: {response['message']}"
    answer = route.worth(response["text"], response["is_error"], response["blocks"])
    if answer.kind != "content":
        return False, f"{route.offered} for {gene}: {answer.error or 'it found nothing'}"
    if route.logical is LogicalTool.GENE_RECORD and read_gene_record(answer.text) is None:
        return False, f"{route.offered} for {gene}: the answer holds no gene record"
    return True, f"{route.offered} for {gene}: {len(answer.text):,} characters"


def _arguments(route: Route, gene: str) -> dict[str, Any] | None:
    search = route.logical is LogicalTool.ARTICLE_SEARCH
    if route.way is None:
        return query_arguments(
            route.native_schema, SEARCH_ARGUMENTS if search else GENE_ARGUMENTS, gene
        )
    try:
        return route.way.translate({"genes": [gene]} if search else {"gene": gene})
    except NoWay:
        return None


def query_arguments(schema: Any, names: Sequence[str], gene: str) -> dict[str, Any] | None:
    """Return arguments that ask a tool for a gene; None if its schema offers no known way.

    Args:
        schema: The tool's schema of its arguments.
        names: Names that an argument for genes may have, best first.
        gene: The gene's symbol.
    """
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name in names:
        if not isinstance(properties, dict) or name not in properties:
            continue
        for value in (gene, [gene]):
            if argument_problem({name: value}, schema) is None:
                return {name: value}
    return None
