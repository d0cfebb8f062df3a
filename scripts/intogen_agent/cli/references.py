"""Print what raw tool payloads name as JSON lines, one per paper or record.

References are what the answers can be cited for; mentions are other records that they name, such
as the structures and partners of a protein.

A file holds the text of a tool's answer as it came (JSON, Markdown, XML or plain text), or the
whole answer of an MCP server as JSON; its text blocks are then joined, and an answer that the
server marked as an error holds no reference. Papers that occur in several files are printed once.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from intogen_agent.errors import UserError
from intogen_agent.evidence.identifiers import Identifier, canonical_url
from intogen_agent.evidence.models import FirstSeen, TrackedReference
from intogen_agent.evidence.payload_mentions import mentions
from intogen_agent.evidence.references import ReferenceManager


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a raw payload")
    parser.add_argument("--tool", required=True, metavar="NAME", help="the tool that answered")


def run(arguments: argparse.Namespace) -> int:
    """Print the references.

    Raises:
        UserError: A file cannot be read, or is not UTF-8.
    """
    manager = ReferenceManager()
    beside: dict[Identifier, None] = {}
    # All files are read before anything is printed.
    for path, payload in [(path, _payload(_read(path))) for path in arguments.files]:
        manager.observe(payload, "", arguments.tool, str(path))
        beside |= dict.fromkeys(mentions(payload))
    tracked = manager.tracked()
    for reference in tracked:
        _print(reference, "reference", arguments.tool)
    cited = {reference.id for reference in tracked}
    cited |= {other.id for reference in tracked for other in reference.also}
    seen = FirstSeen(stage="", tool=arguments.tool, call="")
    for identifier in beside:
        if identifier.id not in cited:
            mention = TrackedReference(
                kind=identifier.kind,
                id=identifier.id,
                database=identifier.database,
                record_id=identifier.record_id,
                url=canonical_url(identifier),
                first_seen=seen,
            )
            _print(mention, "mention", arguments.tool)
    return 0


def _print(reference: TrackedReference, role: str, tool: str) -> None:
    fields = {"kind", "id", "also", "versions", "database", "record_id", "url", "retracted"}
    line = reference.model_dump(include=fields, mode="json")
    print(json.dumps({**line, "role": role, "tool": tool}))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; give the path of a readable file") from error
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}: byte {error.start} is not UTF-8; give a text file in UTF-8"
        ) from error


def _payload(text: str) -> str:
    """Return the text that an MCP client would hand on; other content as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    result = value.get("result", value) if isinstance(value, dict) else None
    if not isinstance(result, dict):
        return text
    failed = result.get("isError") or "jsonrpc_error" in result
    if failed or ("jsonrpc" in value and "error" in value):
        return ""
    blocks = result.get("content")
    if not isinstance(blocks, list) or not all(
        isinstance(block, dict) and "type" in block for block in blocks
    ):
        return text
    return "\n".join(_block_text(block) for block in blocks)


def _block_text(block: dict[str, Any]) -> str:
    text = block.get("text")
    return text if block.get("type") == "text" and isinstance(text, str) else ""
