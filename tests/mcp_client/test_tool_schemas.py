"""Tool schemas as models' servers take them, and the checks that they no longer make."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from intogen_agent.mcp.schema import (
    MAX_SHOWN,
    NOT_AT_THE_ROOT,
    argument_problem,
    function_tool,
    offered_schema,
    shown_schema,
    without_nulls,
)

# Bounds of length, patterns and what else servers of models are known to refuse.
CHOKING = [
    "$anchor", "$comment", "$dynamicRef", "$id", "$schema", "contains", "default",
    "dependentSchemas", "examples", "format", "if", "maxItems", "maxLength", "maxProperties",
    "minItems", "minLength", "minProperties", "not", "nullable", "pattern", "patternProperties",
    "prefixItems", "title",
]  # fmt: skip
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(-9, 9)
    | st.text("ab/#~", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=8,
)
KEYWORDS = [
    "type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "enum", "const", "$ref",
    "$defs", "additionalProperties", "minimum", "exclusiveMaximum", "multipleOf", "uniqueItems",
    "description", "pattern", "minLength", "$id", "$schema", "not", "dependentRequired",
]  # fmt: skip
WORDS = [
    "object",
    "string",
    "objekt",
    "#",
    "#/$defs/a",
    "#/properties/a",
    "http://x.test/a",
    "(?<a",
]


def _schema_with(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(st.sampled_from(["a", "b", "title"]), inner, max_size=2)
    listed = st.lists(inner | st.sampled_from(WORDS), max_size=2)
    return st.dictionaries(st.sampled_from(KEYWORDS), inner | named | listed, max_size=5)


# What a server might send: schemas that are right, nearly right, and anything at all.
SCHEMAS = st.recursive(JSON | st.sampled_from(WORDS), _schema_with, max_leaves=12)


def parameters(schema: dict[str, Any]) -> dict[str, Any]:
    tool = function_tool("t", " Does. ", schema)
    assert tool["type"] == "function"
    function = tool["function"]
    assert set(function) == {"name", "description", "parameters"}
    assert function["name"] == "t" and function["description"] == "Does."
    found: dict[str, Any] = function["parameters"]
    return found


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": None}])
def test_a_tool_without_arguments_has_empty_properties(schema: dict[str, Any]) -> None:
    assert parameters(schema) == {"type": "object", "properties": {}}


@pytest.mark.parametrize("key", CHOKING)
def test_what_servers_and_grammars_choke_on_is_dropped(key: str) -> None:
    gene = {"type": "string", "description": "x", key: 1}
    schema = {
        key: "x",
        "properties": {"gene": gene, "list": {"type": "array", "items": gene}},
    }
    kept = {"type": "string", "description": "x"}
    assert parameters(schema) == {
        "type": "object",
        "properties": {"gene": kept, "list": {"type": "array", "items": kept}},
    }


@pytest.mark.parametrize("name", [*CHOKING, *KEYWORDS, "definitions"])
def test_an_argument_may_have_the_name_of_a_keyword(name: str) -> None:
    value = {"type": "object", "properties": {name: {"type": "string"}}}
    schema = {"properties": {name: value}, "required": [name]}
    found = parameters(schema)
    assert found["properties"] == {name: value} and found["required"] == [name]


def test_alternatives_are_cleaned_too() -> None:
    schema = {
        "properties": {"x": {"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]}}
    }
    assert parameters(schema)["properties"]["x"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}]
    }


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        ({"type": ["string", "null"], "minimum": 1, "maximum": 2.5, "multipleOf": 2}, None),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 9, "uniqueItems": True}, None),
        ({"type": "object"}, None),
        ({"additionalProperties": False, "enum": [{"title": 1}], "const": None}, None),
        ({"type": "object", "additionalProperties": {"title": "x", "type": "string"}},
         {"type": "object", "additionalProperties": {"type": "string"}}),
        ({"type": "strin", "description": "A gene."}, {"description": "A gene."}),
        ({"type": [], "enum": [], "anyOf": [], "required": ["a", 1], "minimum": "1"}, {}),
        ({"exclusiveMinimum": True, "multipleOf": 0, "uniqueItems": 1, "items": [1]}, {}),
        ({"anyOf": [7, True, {"type": "string"}]}, {"anyOf": [{}, {}, {"type": "string"}]}),
        (True, {}),
        (7, {}),
    ],
    ids=range(11),
)  # fmt: skip
def test_an_argument_keeps_what_is_known_and_well_formed(schema: Any, kept: Any) -> None:
    found = parameters({"properties": {"gene": schema}})["properties"]["gene"]
    assert found == (schema if kept is None else kept)


@pytest.mark.parametrize("key", NOT_AT_THE_ROOT)
def test_the_root_is_a_plain_object_whatever_the_server_says(key: str) -> None:
    part = {"properties": {"gene": {"type": "string"}}}
    schema = {"type": "array", key: [part], **part}
    assert parameters(schema) == {"type": "object", **part}
    inner = {"type": "object", key: [part]}
    assert parameters({"properties": {"x": inner}})["properties"]["x"] == inner


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#/$defs/Gene", {"type": "string", "description": "own"}),
        ("#/$defs/To", {"type": "string", "description": "own"}),
        ("#/$defs/a~1b%20c", {"type": "integer", "description": "own"}),
        ("#/$defs/Loop", {"description": "own", "properties": {"next": {}}}),
        ("#/$defs/Self", {"description": "own"}),
        ("#/nowhere", {"description": "own"}),
        ("#/$defs/Gene/type", {"description": "own"}),
        ("http://schemas.test/gene.json", {"description": "own"}),
        (7, {"description": "own"}),
    ],
)
def test_references_are_put_in_place(reference: Any, found: dict[str, Any]) -> None:
    schema = {
        "properties": {"gene": {"$ref": reference, "description": "own"}},
        "$defs": {
            "Gene": {"type": "string", "description": "A gene."},
            "To": {"$ref": "#/$defs/Gene"},
            "a/b c": {"type": "integer"},
            "Loop": {"properties": {"next": {"$ref": "#/$defs/Loop"}}},
            "Self": {"$ref": "#/$defs/Self"},
        },
    }
    assert parameters(schema) == {"type": "object", "properties": {"gene": found}}


def test_neither_depth_nor_references_make_an_offer_large() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(5000):
        deep = {"type": "array", "items": deep}
    assert len(json.dumps(parameters({"properties": {"x": deep}}))) < 500
    # Twenty parts that each hold the next twice: a million from twenty.
    parts = {
        f"P{n}": {"properties": {key: {"$ref": f"#/$defs/P{n + 1}"} for key in "ab"}}
        for n in range(20)
    }
    wide = {"properties": {key: {"$ref": "#/$defs/P0"} for key in "cdef"}, "$defs": parts}
    assert len(json.dumps(parameters(wide))) < 100_000


@given(schema=SCHEMAS, arguments=st.dictionaries(st.sampled_from(["a", "title"]), JSON, max_size=2))
@settings(max_examples=200, deadline=None)
def test_any_schema_makes_an_offer_and_a_check(schema: Any, arguments: dict[str, Any]) -> None:
    before = json.dumps(schema)
    offer = offered_schema(schema)
    Draft202012Validator.check_schema(offer)
    assert offer["type"] == "object" and isinstance(offer["properties"], dict)
    assert offered_schema(offer) == offer
    problem = argument_problem(arguments, schema)
    assert problem is None or 0 < len(problem) <= 300
    assert without_nulls(arguments, schema).items() <= arguments.items()
    assert json.dumps(schema) == before


def test_a_schema_is_shown_whole_or_by_its_beginning() -> None:
    small = {"properties": {"gene": {"type": "string", "maxLength": 9}}, "required": ["gene"]}
    assert shown_schema(small) == parameters(small)
    large = {"properties": {f"p{n}": {"description": "é" * 50} for n in range(100)}}
    shown = shown_schema(large)
    assert isinstance(shown, str) and len(shown) == MAX_SHOWN + len("...")
    assert shown.startswith('{"type":"object","properties":{"p0":{"description":"éé')


def test_schemas_are_never_strict() -> None:
    assert "strict" not in json.dumps(function_tool("t", "", {"required": ["a"]}))


def test_a_cleaned_schema_leaves_the_servers_own_alone() -> None:
    schema = {"properties": {"gene": {"type": "string", "maxLength": 3}}}
    parameters(schema)
    assert schema == {"properties": {"gene": {"type": "string", "maxLength": 3}}}
    assert argument_problem({"gene": "TP53X"}, schema) == "gene: 'TP53X' is too long"


@pytest.mark.parametrize(
    "name", ["biomcp_python_tools", "biomcp_cli_tools_legacy", "an_uniprot_tools_auto"]
)
def test_the_real_servers_tools_can_be_offered(shared_data: Path, name: str) -> None:
    value = json.loads((shared_data / "payloads" / f"{name}.json").read_text(encoding="utf-8"))
    tools = value["tools"] if isinstance(value, dict) else value
    assert len(tools) >= 7
    for tool in tools:
        found = function_tool(tool["name"], tool.get("description") or "", tool["inputSchema"])
        schema = found["function"]["parameters"]
        assert schema["type"] == "object" and isinstance(schema["properties"], dict)
        assert set(schema["properties"]) == set(tool["inputSchema"].get("properties") or {})
        assert "$ref" not in json.dumps(schema)


SCHEMA = {
    "type": "object",
    "properties": {
        "gene": {"type": "string", "minLength": 1, "maxLength": 20},
        "size": {"type": "integer", "minimum": 1, "maximum": 500},
        "genes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["gene"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"gene": "APC"}, None),
        ({"gene": "APC", "size": 5, "genes": ["TP53"]}, None),
        ({}, "'gene' is a required property"),
        ({"gene": ""}, "gene: '' should be non-empty"),
        ({"gene": "APC", "size": 501}, "size: 501 is greater than the maximum of 500"),
        ({"gene": "APC", "size": "5"}, "size: '5' is not of type 'integer'"),
        ({"gene": "APC", "genes": "TP53"}, "genes: 'TP53' is not of type 'array'"),
        ({"gene": "APC", "genes": [1]}, "genes[0]: 1 is not of type 'string'"),
        ({"gene": "APC", "colour": 1}, "Additional properties are not allowed"),
    ],
)
def test_arguments_are_checked_against_the_servers_own_schema(
    arguments: dict[str, Any], problem: str | None
) -> None:
    found = argument_problem(arguments, SCHEMA)
    assert found is None if problem is None else found is not None and found.startswith(problem)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "objekt"},
        {"properties": {"gene": {"$ref": "#/nowhere"}}},
        {"properties": {"gene": {"pattern": "(?<a"}}},
        {"properties": {"gene": {"minLength": "x"}}},
        {"properties": {"gene": 7}},
        {"properties": []},
        {"required": 3},
        {"$ref": "#"},
        {"properties": {"gene": {"multipleOf": 0}}, "$id": 7},
        {"properties": {"gene": {"$schema": ["x"], "type": "string"}}},
        [],
        7,
        None,
        False,
    ],
)
def test_a_schema_that_cannot_be_used_checks_nothing(schema: Any) -> None:
    assert argument_problem({"gene": "APC"}, schema) is None


def test_a_schema_is_never_fetched_from_the_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/gene.json"
        assert argument_problem({"gene": "APC"}, {"properties": {"gene": {"$ref": url}}}) is None
        with pytest.raises(TimeoutError):
            listener.accept()


@given(
    arguments=st.dictionaries(st.sampled_from("abcdef"), st.none() | st.integers()),
    required=st.lists(st.sampled_from("abcdef"), unique=True),
)
def test_only_nulls_of_optional_arguments_are_dropped(
    arguments: dict[str, Any], required: list[str]
) -> None:
    kept = without_nulls(arguments, {"required": required})
    assert all(arguments[name] is None for name in arguments.keys() - kept.keys())
    assert {name for name in arguments if arguments[name] is not None} <= kept.keys()
    assert arguments.keys() & set(required) <= kept.keys()
    assert without_nulls(arguments, {}) == {k: v for k, v in arguments.items() if v is not None}


@pytest.mark.parametrize("schema", [None, 7, ["a"], "a", {"required": 3}, {"required": "ab"}])
def test_without_a_list_of_required_arguments_every_null_is_dropped(schema: Any) -> None:
    assert without_nulls({"a": None, "b": 1}, schema) == {"b": 1}
