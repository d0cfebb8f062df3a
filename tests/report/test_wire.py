"""What models fill is apart from what is published, and strict mode takes its schema."""

from collections.abc import Iterator
from typing import Any

import pytest

from intogen_agent.report.models import FinalReport
from intogen_agent.report.wire import RefinedDraft, ReportDraft

# Everything that strict mode of the Structured Outputs takes and these schemas need.
ALLOWED = {"$defs", "$ref", "additionalProperties", "description", "enum", "items", "properties",
           "required", "title", "type"}  # fmt: skip
MOST_LEVELS = 10
MOST_PROPERTIES = 100


def schemas(
    part: Any, root: dict[str, Any], level: int = 1
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every schema of a schema with its level; references are followed."""
    if "$ref" in part:
        yield from schemas(root["$defs"][part["$ref"].rpartition("/")[2]], root, level)
        return
    yield level, part
    for inner in part.get("properties", {}).values():
        yield from schemas(inner, root, level + 1)
    if "items" in part:
        yield from schemas(part["items"], root, level + 1)


@pytest.mark.parametrize("shape", [ReportDraft, RefinedDraft], ids=lambda shape: shape.__name__)
def test_the_wire_schema_passes_a_lint_for_strict_mode(shape: Any) -> None:
    root = shape.model_json_schema()
    assert root["type"] == "object"
    found = list(schemas(root, root))
    assert max(level for level, _ in found) <= MOST_LEVELS
    assert sum(len(part.get("properties", {})) for _, part in found) <= MOST_PROPERTIES
    for _, part in found:
        assert set(part) <= ALLOWED
        if part["type"] == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


def test_the_lint_refuses_what_strict_mode_refuses() -> None:
    public = FinalReport.model_json_schema()
    assert any(not set(part) <= ALLOWED for _, part in schemas(public, public))


def test_numbering_references_and_provenance_are_never_the_models_work() -> None:
    draft = ReportDraft.model_json_schema()
    asked = {name for _, part in schemas(draft, draft) for name in part.get("properties", {})}
    ours = {"index", "references", "provenance", "url", "tracked", "retracted", "circular",
            "fingerprint", "thresholds", "first_seen", "title", "journal", "year"}  # fmt: skip
    assert asked.isdisjoint(ours)
