"""A hostile MCP server: plain JSON-RPC lines, one bad habit per run (the first argument)."""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

HABIT = sys.argv[1] if len(sys.argv) > 1 else "honest"
MARK = Path(sys.argv[2] if len(sys.argv) > 2 else "mark")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"gene": {"type": "string"}, "organism": {"type": "string"}},
    "required": ["gene"],
}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def reply(request: dict[str, Any], result: Any) -> None:
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request: dict[str, Any], code: int, message: str) -> None:
    send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}})


def text(value: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}], "isError": is_error}


def initialize(request: dict[str, Any]) -> None:
    if HABIT == "dies-in-initialize":
        sys.exit(3)
    if HABIT == "hangs-in-initialize":
        time.sleep(600)
    if HABIT == "refuses-initialize":
        return refuse(request, -32603, "no licence")
    if HABIT == "nonsense-initialize":
        return reply(request, {"hello": "world"})
    asked = request["params"]["protocolVersion"]
    version = "1999-01-01" if HABIT == "unknown-protocol" else asked
    reply(
        request,
        {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "raw", "version": "1.0"},
        },
    )


def tools(request: dict[str, Any]) -> None:
    names = ["gene_getter"]
    schema = SCHEMA
    if HABIT == "dies-in-list":
        sys.exit(3)
    if HABIT == "hangs-in-list":
        time.sleep(600)
    if HABIT == "other-tool":
        names = ["something_else"]
    if HABIT == "schema-without-type":
        schema = {"properties": SCHEMA["properties"]}
    if HABIT == "unusable-schema":
        schema = {
            "type": "object",
            "properties": {"gene": {"$ref": "#/nowhere"}, "organism": {"type": "strin"}},
        }
    if HABIT == "remote-schema":
        schema = {
            "type": "object",
            "properties": {"gene": {"$ref": "http://127.0.0.1:9/gene.json"}},
        }
    if HABIT == "nonsense-list":
        return reply(request, {"tools": "many"})
    result: dict[str, Any] = {
        "tools": [{"name": name, "description": "A tool.", "inputSchema": schema} for name in names]
    }
    if HABIT == "endless-list":
        result["nextCursor"] = "again"
    if HABIT == "output-schema":
        result["tools"][0]["outputSchema"] = {
            "type": "object",
            "properties": {"result": {"type": "integer"}},
            "required": ["result"],
        }
    reply(request, result)


def call(request: dict[str, Any]) -> None:
    arguments = request["params"].get("arguments") or {}
    if HABIT == "dies-in-call":
        sys.exit(3)
    if HABIT == "dies-once-in-call" and not MARK.exists():
        MARK.touch()
        sys.exit(3)
    if HABIT == "hangs-in-call":
        return None
    if HABIT == "hangs-once-in-call" and not MARK.exists():
        MARK.touch()
        return None
    if HABIT == "error-flag":
        return reply(request, text("Request failed with status code 503", is_error=True))
    if HABIT == "json-rpc-error":
        return refuse(request, -32602, "Invalid gene search arguments")
    if HABIT == "no-content":
        return reply(request, {"content": [], "isError": False})
    if HABIT == "missing-content":
        return reply(request, {"isError": False})
    if HABIT == "unknown-block":
        return reply(request, {"content": [{"type": "hologram", "data": 1}], "isError": False})
    if HABIT == "image-block":
        block = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
        return reply(request, {"content": [block], "isError": False})
    if HABIT == "two-blocks":
        first, second = text("# Record 1")["content"], text("Symbol: APC")["content"]
        return reply(request, {"content": first + second, "isError": False})
    if HABIT == "bad-utf8":
        line = json.dumps(
            {"jsonrpc": "2.0", "id": request["id"], "result": text("Symbol: AP@C")}
        ).encode()
        sys.stdout.buffer.write(line.replace(b"@", b"\xff") + b"\n")
        sys.stdout.buffer.flush()
        return None
    if HABIT == "half-character":
        return reply(request, text("Symbol: APC\ud83d"))
    if HABIT == "not-json":
        sys.stdout.write("{this is no JSON\n")
        sys.stdout.flush()
        return None
    if HABIT == "large":
        return reply(request, text("Symbol: APC\n" + "x" * 1_000_000))
    if HABIT == "refuses-nulls" and None in arguments.values():
        return refuse(request, -32602, "null is no string")
    if HABIT == "environment":
        return reply(request, text(json.dumps(dict(os.environ))))
    if HABIT == "key-in-error":
        key = os.environ.get("TEST_API_KEY", "")
        return reply(request, text(f"Error 429 for url https://api.test/?key={key}", is_error=True))
    if HABIT == "chatty":
        print("loading the cache ...", flush=True)
    return reply(request, text(f"# Record 1\nSymbol: {arguments.get('gene')}\n"))


def main() -> None:
    if HABIT == "dies-at-start":
        print("cannot read the licence file", file=sys.stderr)
        sys.exit(3)
    if HABIT == "banner":
        print("Welcome to the server!\n\nListening ...", flush=True)
    if HABIT == "banner-without-newline":
        sys.stdout.write("Welcome ")
        sys.stdout.flush()
    if HABIT in ("ignores-eof", "ignores-term"):
        if HABIT == "ignores-term":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        MARK.write_text(str(os.getpid()))
    if HABIT == "counts-starts":
        with MARK.open("a") as handle:
            handle.write("started\n")
    answers = {"initialize": initialize, "tools/list": tools, "tools/call": call}
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        answer = answers.get(request.get("method", ""))
        if answer is None:
            refuse(request, -32601, f"Method not found: {request.get('method')}")
        else:
            answer(request)
    while HABIT in ("ignores-eof", "ignores-term"):
        time.sleep(0.1)


if __name__ == "__main__":
    main()
