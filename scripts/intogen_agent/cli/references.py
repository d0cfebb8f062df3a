"""Print the references found in raw tool payloads as JSON lines, one per paper or record.

A file holds the text of a tool's answer as it came (JSON, Markdown, XML or plain text), or the
whole answer of an MCP server as JSON; its text blocks are then joined, and an answer that the
server marked as an error holds no reference. Papers that occur in several files are printed once.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from intogen_agent.errors import UserError
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
    # All files are read before anything is printed.
    for path, payload in [(path, _payload(_read(path))) for path in arguments.files]:
        manager.observe(payload, "", arguments.tool, str(path))
    for reference in manager.tracked():
        line = reference.model_dump(
            include={"kind", "id", "also", "database", "record_id", "url"}, mode="json"
        )
        print(json.dumps({**line, "tool": reference.first_seen.tool}))
    return 0


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
