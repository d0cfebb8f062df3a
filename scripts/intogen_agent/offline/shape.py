"""Making values fit a JSON Schema, and telling whether a schema is strict."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

_EMPTY: dict[str, Any] = {
    "string": "none",
    "integer": 0,
    "number": 0.0,
    "boolean": True,
    "array": [],
    "null": None,
}
_REFUSED = ("default", "patternProperties", "oneOf", "allOf", "not", "if", "then", "else")
MAX_DEPTH = 10
# No schema makes the smallest value a large one.
_MOST = 100


def problem(schema: Any) -> str | None:
    """Say why a value is no JSON Schema that can be worked with; None if it is one."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, Mapping):
        return f"{schema!r} is not of type 'object', 'boolean'"
    for name, fits in _KEYWORDS.items():
        if name in schema and not fits(schema[name]):
            return f"{schema[name]!r} is not valid for '{name}'"
    parts = [part for name in _NAMED for part in (schema.get(name) or {}).values()]
    parts += [*(schema.get("anyOf") or ()), schema.get("items", True)]
    return next((found for found in map(problem, parts) if found), None)


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_NAMED = ("properties", "$defs", "definitions")
_KEYWORDS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(_NAMED, _is_object),
    **dict.fromkeys(("anyOf", "enum"), _is_list),
    **dict.fromkeys(("minItems", "minLength", "maxLength"), _is_count),
    "minimum": lambda value: _is_count(value) or isinstance(value, float),
    "required": _are_texts,
    "type": lambda value: isinstance(value, str) or (_is_list(value) and _are_texts(value)),
    "items": lambda value: isinstance(value, Mapping | bool),
    "$ref": lambda value: isinstance(value, str),
}


def strict_problem(schema: Any) -> str | None:
    """Say why a schema is refused in strict mode; None if it is not.

    Rules of OpenAI's structured outputs: the root is an object; every object forbids additional
    properties and requires all of its own; some keywords are not known; at most ten levels.
    """
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return "schema must be a JSON Schema of 'type: \"object\"'"
    for path, part, depth in _objects(schema, (), 0):
        where = f"In context=({', '.join(map(repr, path))})"
        if depth > MAX_DEPTH:
            return f"{where}, the schema has more than {MAX_DEPTH} levels of nesting"
        for keyword in _REFUSED:
            if keyword in part:
                return f"{where}, '{keyword}' is not permitted"
        properties = part.get("properties")
        if part.get("type") != "object" and not isinstance(properties, Mapping):
            continue
        if part.get("additionalProperties") is not False:
            return f"{where}, 'additionalProperties' is required to be supplied and to be false"
        missing = set(properties or ()) - set(part.get("required") or ())
        if missing:
            return (
                f"{where}, 'required' is required to be supplied and to be an array including "
                f"every key in properties. Missing '{sorted(missing)[0]}'"
            )
    return None


def _objects(
    schema: Mapping[str, Any], path: tuple[str, ...], depth: int
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any], int]]:
    yield path, schema, depth
    for name in _NAMED:
        for key, part in (schema.get(name) or {}).items():
            if isinstance(part, Mapping):
                yield from _objects(part, (*path, name, key), depth + (name == "properties"))
    for name in ("items",):
        if isinstance(schema.get(name), Mapping):
            yield from _objects(schema[name], (*path, name), depth)
    for place, part in enumerate(schema.get("anyOf") or ()):
        if isinstance(part, Mapping):
            yield from _objects(part, (*path, "anyOf", str(place)), depth)


def conform(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Return a value that a schema accepts: keys it does not know go, those it misses come.

    A value of the wrong type gives way to the smallest one of the right type.
    """
    schema = _resolved(schema, root)
    options = schema.get("anyOf")
    if isinstance(options, list):
        chosen = next((one for one in options if _fits(value, _resolved(one, root))), options[0])
        return conform(value, chosen, root)
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list):
        return value if value in schema["enum"] else schema["enum"][0]
    if not _fits(value, schema):
        return minimal(schema, root)
    if isinstance(value, Mapping):
        properties = schema.get("properties") or {}
        return {
            name: conform(value[name], part, root) if name in value else minimal(part, root)
            for name, part in properties.items()
        }
    if isinstance(value, list):
        part = schema.get("items") or {}
        return [conform(one, part, root) for one in value]
    return value


def takes_null(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema allows null."""
    options = schema.get("anyOf")
    options = options if isinstance(options, list) else []
    return any(
        isinstance(one, Mapping) and "null" in (one.get("type"), *_listed(one.get("type")))
        for one in (schema, *options)
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def minimal(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Return the smallest value of a schema."""
    schema = _resolved(schema, root)
    options = schema.get("anyOf")
    if isinstance(options, list) and options:
        return minimal(options[0], root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        properties = schema.get("properties") or {}
        required = schema.get("required")
        names = required if isinstance(required, list) else list(properties)
        return {name: minimal(properties.get(name) or {}, root) for name in names}
    return _within(_EMPTY.get(str(kind), "none"), schema, root)


def _within(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Bring the smallest value of a plain type within the lower bounds of a schema."""
    if isinstance(value, list):
        return [minimal(schema.get("items") or {}, root) for _ in range(_least(schema, "minItems"))]
    if isinstance(value, str):
        return value.ljust(_least(schema, "minLength"), "e")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(value, schema.get("minimum") or 0)
    return value


def _least(schema: Mapping[str, Any], name: str) -> int:
    return min(schema.get(name) or 0, _MOST)


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    for _ in range(MAX_DEPTH):
        if not isinstance(schema, Mapping):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        part: Any = root
        for key in reference[2:].split("/"):
            part = part.get(key, {}) if isinstance(part, Mapping) else {}
        schema = part
    return schema


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    tests = {
        "string": isinstance(value, str),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "boolean": isinstance(value, bool),
        "array": isinstance(value, list),
        "object": isinstance(value, Mapping),
        "null": value is None,
    }
    return any(tests.get(str(kind), kind is None) for kind in kinds)
