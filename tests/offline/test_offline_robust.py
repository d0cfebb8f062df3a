"""No content of blocks brings the composer down: a model answers whatever it is shown."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offline_world import WIRE, block, request

from intogen_agent.offline import composer
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
