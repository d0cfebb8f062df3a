"""What is mended in a server's messages before mcp's models read them.

mcp refuses a whole list of tools for one schema without a type, and a whole answer for one block
that it does not know. What is read here of such messages is what the stages use: names,
descriptions and argument schemas of tools, and the text of answers.
"""

import json
from collections.abc import Mapping
from typing import Any

Reply = dict[str, Any]
# What holds no text for a reader.
_BINARY = ("image", "audio")


def mended(method: str, result: Any) -> Any:
    """Return a result in the form that mcp's models take.

    Args:
        method: What was asked.
        result: The server's result; returned as it is where nothing is known to mend.
    """
    if not isinstance(result, Mapping):
        return result
    if method == "tools/list" and isinstance(result.get("tools"), list):
        return _tool_list(result)
    # A result of another type is a question of the protocol's later versions.
    if method == "tools/call" and result.get("resultType") in (None, "complete"):
        return _answer(result)
    return result


def _tool_list(result: Mapping[str, Any]) -> Reply:
    kept = {key: item for key, item in result.items() if key not in ("tools", "nextCursor")}
    cursor = result.get("nextCursor")
    if isinstance(cursor, str) and cursor:
        kept["nextCursor"] = cursor
    kept["tools"] = [
        _tool(tool)
        for tool in result["tools"]
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    ]
    return kept


def _tool(tool: Mapping[str, Any]) -> Reply:
    """Return a tool's name, description and argument schema.

    An output schema is left out: answers are read as text, so none is broken by not matching it.
    """
    schema, told = tool.get("inputSchema"), tool.get("description")
    schema = dict(schema) if isinstance(schema, dict) else {}
    return {
        "name": tool["name"],
        "description": told if isinstance(told, str) else "",
        "inputSchema": {**schema, "type": "object"},
    }


def _answer(result: Mapping[str, Any]) -> Reply:
    """Return an answer as text blocks.

    The text of structured content stands in only where no block has any text.
    """
    blocks = result.get("content")
    structured = result.get("structuredContent")
    if not isinstance(blocks, list):
        if structured is None:
            return dict(result)
        blocks = []
    texts = [text for block in blocks if (text := _text(block)) is not None]
    if not texts and structured is not None:
        inner = structured.get("result") if isinstance(structured, dict) else None
        lone = isinstance(inner, str) and len(structured) == 1
        texts = [str(inner) if lone else json.dumps(structured, ensure_ascii=False)]
    if not texts and blocks:
        texts = [""]
    kept = {"resultType": "complete"} if "resultType" in result else {}
    content = [{"type": "text", "text": text} for text in texts]
    blank: Reply = {"content": content, "isError": bool(result.get("isError"))}
    return kept | blank


def _text(block: Any) -> str | None:
    """Return the text of a block; None if it has none. An unknown block is shown as it is."""
    if not isinstance(block, dict):
        return str(block) if isinstance(block, str) else None
    kind = block.get("type")
    if kind in _BINARY:
        return None
    held = block.get("resource") if kind == "resource" else block
    text = held.get("text") if isinstance(held, dict) else None
    if isinstance(text, str):
        return text
    if kind == "resource" or kind == "text":
        return None
    return json.dumps(block, ensure_ascii=False)
