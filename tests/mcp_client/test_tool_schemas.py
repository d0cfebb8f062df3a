"""Tool schemas as models' servers take them, and the checks that they no longer make."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intogen_agent.mcp.schema import DROPPED, argument_problem, function_tool, without_nulls


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


@pytest.mark.parametrize("key", sorted(DROPPED))
def test_what_servers_and_grammars_choke_on_is_dropped(key: str) -> None:
    gene = {"type": "string", "description": "x", key: 1}
    schema = {
        key: "x",
        "properties": {"gene": gene, "list": {"type": "array", "items": gene}},
        "$defs": {"G": gene},
    }
    kept = {"type": "string", "description": "x"}
    assert parameters(schema) == {
        "type": "object",
        "properties": {"gene": kept, "list": {"type": "array", "items": kept}},
        "$defs": {"G": kept},
    }


@pytest.mark.parametrize("name", [*sorted(DROPPED), "properties", "$defs", "definitions"])
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
    ],
)
def test_a_schema_that_cannot_be_used_checks_nothing(schema: dict[str, Any]) -> None:
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
