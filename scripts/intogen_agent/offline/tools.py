"""Tool calls: which of the offered tools to call next, and with what."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from intogen_agent.offline import shape, values
from intogen_agent.offline.conversation import Call, Conversation, Task

MAX_FETCHED = 6
_MAX_CALLS_PER_TURN = 8
_ADJUSTED_PER_QUERY = 2
_PAGE_SIZE = 20
_MAX_PAGES = 5
_BROAD = ["mutation"]
_GENERAL = ["tumorigenesis"]
_FAILED = ("failed", "refused")
_CALL_WORDS = re.compile(r"\b(call|use|tools?)\b", re.IGNORECASE)
NEGATIVE_KEYWORDS = ["passenger", "no association"]
GENERAL_WORDS = ["cancer", "tumor", "neoplasm"]


@dataclass(frozen=True)
class Tool:
    """An offered tool."""

    name: str
    schema: Mapping[str, Any]

    @property
    def properties(self) -> Mapping[str, Any]:
        """The properties of its arguments."""
        value = self.schema.get("properties")
        return value if isinstance(value, Mapping) else {}


def offered(tools: Sequence[Mapping[str, Any]]) -> list[Tool]:
    """Read the tools of a request."""
    return [
        Tool(str(tool["function"]["name"]), tool["function"].get("parameters") or {})
        for tool in tools
    ]


def next_calls(
    conversation: Conversation, tools: list[Tool], forced: str | None
) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of the next turn; empty when the search is over.

    Args:
        conversation: The conversation so far.
        tools: The offered tools.
        forced: None, `required`, or the name of the tool that must be called.
    """
    if forced not in (None, "required"):
        tools = [tool for tool in tools if tool.name == forced]
    search = next((tool for tool in tools if _is_search(tool)), None)
    fetch = next((tool for tool in tools if _is_fetch(tool)), None)
    if search is not None:
        calls = _literature(conversation, search, fetch)
    else:
        calls = [call for tool in tools[:1] for call in _single(conversation, tool)]
    if not calls and tools and (forced is not None or _asks_for_call(conversation, tools)):
        tool = next((tool for tool in tools if tool.name in conversation.said), tools[0])
        calls = [(tool.name, _arguments(tool, conversation.task, {}))]
    return calls[:_MAX_CALLS_PER_TURN]


def next_call(
    conversation: Conversation, tools: list[Tool], forced: str | None
) -> list[tuple[str, dict[str, Any]]]:
    """Return the call of the next turn where a turn has one call; empty when the search is over.

    The calls are those of `next_calls`, in the same order: a turn of several calls is made one by
    one, whatever the first of them bring.
    """
    made = conversation.calls
    done = 0
    while done < len(made):
        planned = next_calls(replace(conversation, calls=made[:done]), tools, None)
        if len(made) - done < len(planned):
            return [planned[len(made) - done]]
        done += max(1, len(planned))
    return next_calls(conversation, tools, forced)[:1]


def _asks_for_call(conversation: Conversation, tools: list[Tool]) -> bool:
    """Tell whether a conversation about no gene asks for a call, as probes do, and got none."""
    if conversation.calls or conversation.task.gene.symbol:
        return False
    named = any(tool.name in conversation.said for tool in tools)
    return named or _CALL_WORDS.search(conversation.said) is not None


def closing(conversation: Conversation) -> str:
    """Return the text that ends a conversation with tools."""
    outcomes = [str(call.answer.get("outcome") or "content") for call in conversation.calls]
    found = sum(len(values.objects(call.answer.get("findings"))) for call in conversation.calls)
    if not outcomes:
        return "No tool was offered that could be called; nothing was asked."
    failed = sum(outcome in _FAILED for outcome in outcomes)
    empty = outcomes.count("empty")
    return (
        f"The search is closed: {len(outcomes)} calls, {empty} of them empty and {failed} without "
        f"an answer, gave {found} findings."
    )


def _is_search(tool: Tool) -> bool:
    return "genes" in tool.properties or "diseases" in tool.properties


def _is_fetch(tool: Tool) -> bool:
    return "pmid" in tool.properties


def _single(conversation: Conversation, tool: Tool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Call a record tool until it answered with content: symbol, aliases, another organism."""
    made = [call for call in conversation.calls if call.tool == tool.name]
    if any(call.answer.get("outcome", "content") == "content" for call in made):
        return
    tried = {_key(tool.name, call.arguments) for call in made}
    for variant in _variants(conversation.task, tool, conversation.calls):
        if _key(tool.name, variant) not in tried:
            yield tool.name, variant
            return


def _variants(task: Task, tool: Tool, calls: list[Call]) -> Iterator[dict[str, Any]]:
    known = [name for call in calls for name in values.texts(call.answer.get("aliases"))]
    names = [task.gene.symbol, *task.gene.aliases, *map(str, known)]
    names = list(dict.fromkeys(name for name in names if name))
    organisms = ["human", "mouse"] if "organism" in tool.properties else [""]
    for name in names[:1]:
        for organism in organisms:
            yield _arguments(tool, task, {"name": name, "organism": organism})
    for name in names[1:3]:
        yield _arguments(tool, task, {"name": name, "organism": organisms[0]})


def _literature(
    conversation: Conversation, search: Tool, fetch: Tool | None
) -> list[tuple[str, dict[str, Any]]]:
    """Search for every hypothesis and against them, adjust what failed, then fetch papers."""
    task = conversation.task
    tried = {_key(call.tool, call.arguments) for call in conversation.calls}
    planned = [(search.name, one) for one in _queries(conversation, search)]
    fresh = [call for call in planned if _key(*call) not in tried]
    if fresh:
        return _unique(fresh)
    adjusted = [(search.name, one) for one in _asked_again(conversation, search)]
    adjusted += [(search.name, one) for one in _adjusted(conversation, search)]
    adjusted += [(search.name, one) for one in _next_pages(conversation, search)]
    adjusted = [call for call in adjusted if _key(*call) not in tried]
    wanted: list[tuple[str, dict[str, Any]]] = []
    if fetch is not None:
        wanted = [
            (fetch.name, _arguments(fetch, task, {"pmid": pmid}))
            for pmid in _papers(conversation, fetch)
        ]
        wanted = [call for call in wanted if _key(*call) not in tried]
    return _unique([*adjusted, *wanted])


def _queries(conversation: Conversation, search: Tool) -> Iterator[dict[str, Any]]:
    task = conversation.task
    for hypothesis in conversation.items("hypotheses"):
        tested = [str(hypothesis["id"])] if hypothesis.get("id") else []
        yield _arguments(search, task, {"keywords": keywords(hypothesis), "hypotheses": tested})
    for issue in values.objects(conversation.record("critique").get("issues")):
        if issue.get("needs_new_evidence"):
            yield _arguments(search, task, {"keywords": ["mutation", "function"]})
    yield _arguments(search, task, {"keywords": _BROAD})
    every = [str(one["id"]) for one in conversation.items("hypotheses") if one.get("id")]
    yield _arguments(search, task, {"keywords": NEGATIVE_KEYWORDS, "hypotheses": every})
    # What speaks against a gene is often said of cancer in general.
    yield _arguments(search, task, {"keywords": NEGATIVE_KEYWORDS, "diseases": GENERAL_WORDS})


def keywords(hypothesis: Mapping[str, Any]) -> list[str]:
    """Return the search keywords of a hypothesis: planned ones, or its alteration and mediator."""
    planned = hypothesis.get("keywords")
    if isinstance(planned, list) and planned:
        return [str(word) for word in planned[:3]]
    mediator = values.text(values.mapping(hypothesis.get("chain")).get("mediator"))
    kind = str(hypothesis.get("alteration") or "mutation")
    return [word for word in (kind if kind != "none" else "", mediator) if word]


def _asked_again(conversation: Conversation, search: Tool) -> Iterator[dict[str, Any]]:
    """Ask a search that failed again: under the gene's aliases, then in one general word."""
    outcomes = {
        _key(call.tool, call.arguments): call.answer.get("outcome")
        for call in conversation.calls
        if call.tool == search.name
    }
    aliases = _aliases(conversation.task)
    for query in _queries(conversation, search):
        names = query.get("genes") if isinstance(query.get("genes"), list) else None
        wider = {"genes": [*names, *aliases]} if names else {}
        variants = [{**query, **wider}, {**query, **wider, "keywords": _GENERAL}]
        for before, variant in zip([query, *variants], variants, strict=False):
            if outcomes.get(_key(search.name, before)) != "failed":
                break
            if _key(search.name, variant) not in outcomes:
                yield variant
                break


def _aliases(task: Task) -> list[str]:
    return [alias for alias in task.gene.aliases if len(alias) > 2][:3]


def _adjusted(conversation: Conversation, search: Tool) -> Iterator[dict[str, Any]]:
    """Broaden searches that came back empty: general words, then the aliases.

    A name of the gene is never given up, nor all words beside it: without them an answer would be
    about something else.
    """
    task = conversation.task
    made = [call for call in conversation.calls if call.tool == search.name]
    poor = [call for call in made if call.answer.get("outcome") in ("empty", *_FAILED)]
    empty = any(call.answer.get("outcome") == "empty" for call in poor)
    if not empty or len(poor) < len(made):
        return
    aliases = _aliases(task)
    broader: list[dict[str, Any]] = [{"keywords": _GENERAL}]
    if aliases:
        broader.append({"genes": aliases, "keywords": _BROAD})
    for change in broader[:_ADJUSTED_PER_QUERY]:
        yield _arguments(search, task, change)


def _next_pages(conversation: Conversation, search: Tool) -> Iterator[dict[str, Any]]:
    """Turn the page of the broad search as long as pages come back full."""
    if "page" not in search.properties:
        return
    for call in conversation.calls:
        page = int(call.arguments.get("page") or 1)
        full = len(values.objects(call.answer.get("records"))) >= _PAGE_SIZE
        broad = call.tool == search.name and call.arguments.get("keywords") == _BROAD
        if broad and full and page < _MAX_PAGES:
            yield {**call.arguments, "page": page + 1}


def _papers(conversation: Conversation, fetch: Tool) -> list[str]:
    """Return the PMIDs worth reading whole: those whose findings speak for or against."""
    fetched = {
        str(call.arguments.get("pmid")) for call in conversation.calls if call.tool == fetch.name
    }
    score: dict[str, int] = {}
    for call in conversation.calls:
        if call.tool == fetch.name:
            continue
        for finding in values.objects(call.answer.get("findings")):
            weight = {"refutes": 3, "supports": 2}.get(str(finding.get("stance")), 1)
            for one in values.texts(finding.get("references")):
                if one.startswith("PMID:"):
                    pmid = one.removeprefix("PMID:")
                    score[pmid] = score.get(pmid, 0) + weight
    if not score:
        # A search that brought titles alone: the abstracts have to be read.
        score = dict.fromkeys(_named_papers(conversation), 0)
    room = MAX_FETCHED - len(fetched)
    order = {pmid: place for place, pmid in enumerate(score)}
    ranked = sorted(score, key=lambda pmid: (-score[pmid], order[pmid]))
    return [pmid for pmid in ranked if pmid not in fetched][: max(room, 0)]


def _named_papers(conversation: Conversation) -> Iterator[str]:
    """Yield the PMIDs of the papers that searches named."""
    for call in conversation.calls:
        for record in values.objects(call.answer.get("records")):
            one = str(record.get("id"))
            if one.startswith("PMID:"):
                yield one.removeprefix("PMID:")


def _arguments(tool: Tool, task: Task, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a tool's arguments by the names of its properties."""
    symbol = chosen.get("name") or task.gene.symbol
    known: dict[str, Any] = {
        "gene_id_or_symbol": symbol,
        "gene": symbol,
        "symbol": symbol,
        "gene_name": symbol,
        "organism": chosen.get("organism") or "human",
        "genes": chosen.get("genes") or [task.gene.symbol],
        "diseases": chosen.get("diseases") or list(task.terms),
        "keywords": list(chosen.get("keywords") or ()),
        "hypotheses": list(chosen.get("hypotheses") or ()),
        "pmid": chosen.get("pmid") or "",
        "page_size": _PAGE_SIZE if "genes" in tool.properties else None,
    }
    filled = {
        name: _fitted(known[name], schema)
        for name, schema in tool.properties.items()
        if known.get(name)
    }
    required = tool.schema.get("required")
    for name in required if isinstance(required, list) else ():
        if name not in filled:
            schema = tool.properties.get(name)
            schema = schema if isinstance(schema, Mapping) else {}
            filled[name] = None if shape.takes_null(schema) else shape.minimal(schema, tool.schema)
    return filled


def _fitted(value: Any, schema: Any) -> Any:
    """Give a list to a property that takes lists, else its first entry."""
    if not isinstance(value, list) or not isinstance(schema, Mapping):
        return value
    kinds = [schema, *(schema.get("anyOf") or ())]
    if any(kind.get("type") == "array" for kind in kinds if isinstance(kind, Mapping)):
        return value
    return value[0] if any(kind.get("type") == "string" for kind in kinds) else value


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True)}"


def _unique(calls: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    return list({_key(*call): call for call in calls}.values())
