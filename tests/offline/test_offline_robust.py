"""No content of blocks brings the composer down: a model answers whatever it is shown."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offline_http import as_wire
from offline_world import WIRE, block, request, task

from intogen_agent.offline import composer, protocol_chat, protocol_responses
from intogen_agent.offline.refused import Refused
from intogen_agent.offline.sentences import word_set

TEXT = st.text(max_size=40) | st.sampled_from(
    [
        "ABX1 loss causes growth.",
        "PMID:1",
        "E1",
        "supports",
        "refutes",
        "<b>",
        "‹task>",
        "‖",
        "a. B. C.",
    ]
)
NAMES = sorted(
    word_set(
        """
        id statement references kind stance scope text pmid abstract bullets issues chain cause
        evidence citations index title gene cancer name terms aliases function comments symbol
        assessment rationale involvement max_sentence_words general texts evidences
        """
    )
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99) | st.floats(-1, 1) | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=5,
        )
    ),
    max_leaves=14,
)
TAGS = [
    "task",
    "payload",
    "allowed_identifiers",
    "gene_function",
    "hypotheses",
    "ledger",
    "failures",
    "references",
    "rules",
    "report",
    "critique",
    "summaries",
    "style_critique",
    "targets",
]


@pytest.mark.parametrize("name", list(WIRE))
@settings(deadline=None, max_examples=25)
@given(blocks=st.dictionaries(st.sampled_from(TAGS), JSON | TEXT, max_size=7))
def test_any_blocks_get_an_answer_within_the_schema(name: str, blocks: dict[str, Any]) -> None:
    asked = request(*(block(tag, value) for tag, value in blocks.items()), schema=name)
    reply = composer.reply(asked)
    jsonschema.validate(json.loads(reply.text or ""), WIRE[name].model_json_schema())


@settings(deadline=None, max_examples=25)
@given(
    blocks=st.dictionaries(st.sampled_from(TAGS), JSON | TEXT, max_size=5), answers=st.lists(JSON)
)
def test_any_tool_answers_are_survived(blocks: dict[str, Any], answers: list[Any]) -> None:
    tool = {
        "type": "function",
        "function": {
            "name": "article_searcher",
            "parameters": {"type": "object", "properties": {"genes": {"type": "array"}}},
        },
    }
    calls = [
        {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": "article_searcher", "arguments": "{}"},
        }
        for n in range(len(answers))
    ]
    said: list[dict[str, Any]] = []
    if calls:
        said.append({"role": "assistant", "content": None, "tool_calls": calls})
        said += [
            {"role": "tool", "tool_call_id": f"c{n}", "content": json.dumps(value)}
            for n, value in enumerate(answers)
        ]
    asked = request(
        *(block(tag, value) for tag, value in blocks.items()), messages=said, tools=[tool]
    )
    reply = composer.reply(asked)
    assert reply.text or reply.calls


Path = tuple[Any, ...]
JUNK: list[Any] = [
    None,
    True,
    -1,
    10**30,
    "",
    "\ud800",
    [],
    {},
    [[1]],
    {"a": [{}]},
    [{"type": "x"}],
]
SCHEMA = {
    "type": "object",
    "properties": {
        "genes": {"type": "array", "items": {"type": "string", "enum": ["A"]}, "minItems": 1},
        "page": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
    },
    "required": ["genes"],
}
PARSERS = {"chat": protocol_chat.parse, "responses": protocol_responses.parse}


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the places of a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in inner:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from paths(part, (*path, key))


def replaced(value: Any, path: Path, junk: Any) -> Any:
    """Return a value with another one at a place."""
    changed = copy.deepcopy(value)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = junk
    return changed


def whole_requests() -> list[dict[str, Any]]:
    function = {"name": "search", "parameters": SCHEMA}
    call = {"id": "c", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    said = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "{}"},
    ]
    described = {"name": "Thing", "schema": SCHEMA, "strict": False}
    tools = [{"type": "function", "function": function}]
    choice = {"type": "function", "function": {"name": "search"}}
    return [
        request(block("task", task()), messages=said, tools=tools, tool_choice=choice),
        request("x", response_format={"type": "json_schema", "json_schema": described}),
    ]


@pytest.mark.parametrize("wire", list(PARSERS))
@pytest.mark.parametrize("asked", whole_requests(), ids=["tools", "schema"])
def test_a_request_with_a_wrong_value_anywhere_is_refused_or_answered(
    wire: str, asked: dict[str, Any]
) -> None:
    whole = as_wire(wire, asked)
    refused = 0
    for path in paths(whole):
        for junk in JUNK:
            raw = json.dumps(replaced(whole, path, junk)).encode()
            try:
                reply = composer.reply(PARSERS[wire](raw).chat)
            except Refused as error:
                assert error.message
                refused += 1
            else:
                assert reply.text or reply.calls
    assert refused
