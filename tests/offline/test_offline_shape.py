"""Answers fit the schema they were asked for."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offline_world import WIRE

from intogen_agent.offline import composer, conversation, shape

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)
KEYS = ["bullets", "text", "report", "issues", "answers", "rewrites", "hypotheses", "verdicts"]


@pytest.mark.parametrize("name", list(WIRE))
@settings(deadline=None, max_examples=25)
@given(value=VALUES | st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4))
def test_anything_is_made_to_fit_a_wire_schema(name: str, value: Any) -> None:
    schema = WIRE[name].model_json_schema()
    jsonschema.validate(shape.conform(value, schema, schema), schema)


@pytest.mark.parametrize("name", list(WIRE))
def test_the_smallest_instance_of_a_wire_schema_is_valid(name: str) -> None:
    schema = WIRE[name].model_json_schema()
    jsonschema.validate(shape.minimal(schema, schema), schema)


@pytest.mark.parametrize("name", list(WIRE))
def test_a_request_without_blocks_is_answered_within_the_schema(name: str) -> None:
    schema = WIRE[name].model_json_schema()
    talk = conversation.read([{"role": "user", "content": "nothing at hand"}])
    value = shape.conform(composer.COMPOSERS[name](talk), schema, schema)
    jsonschema.validate(value, schema)


def test_a_fitting_value_is_left_as_it_is() -> None:
    schema = WIRE["StyleRevision"].model_json_schema()
    value = {"rewrites": [{"summary": "general", "text": "x"}]}
    assert shape.conform(value, schema, schema) == value


def test_an_enum_value_that_is_not_allowed_gives_way_to_the_first() -> None:
    schema = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}}
    assert shape.conform({"a": "z"}, schema, schema) == {"a": "x"}


def test_a_nullable_property_keeps_null_and_text() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    }
    assert shape.conform({"a": None}, schema, schema) == {"a": None}
    assert shape.conform({"a": "t"}, schema, schema) == {"a": "t"}
