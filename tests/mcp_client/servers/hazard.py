"""A server with one of the habits that a client must survive: hazard.py HABIT FOLDER."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# Tests read the names here, too.
HABIT, FOLDER = [*sys.argv, "", ""][1], Path([*sys.argv, "", ""][2])
RECORD = "# Record 1\nSymbol: APC\n"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"gene": {"type": "string"}, "organism": {"type": "string"}},
    "required": ["gene"],
}
SCHEMAS: dict[str, Any] = {
    "schema-without-type": {"properties": {"gene": {"type": "string"}}},
    "schema-without-properties": {"type": "object"},
    "schema-that-is-none": None,
    "strange-schema": {
        "type": "object",
        "$defs": {"Gene": {"type": "string", "format": "gene", "minLength": 1}},
        "properties": {
            "gene": {"$ref": "#/$defs/Gene"},
            "organism": {"anyOf": [{"type": "string", "pattern": "^[a-z]+$"}, {"type": "null"}]},
            "size": {"oneOf": [{"type": "integer"}, {"type": "string", "format": "int32"}]},
        },
        "required": ["gene"],
    },
}
LONG_NAME = "bio.mcp/" + "gene.record." * 7


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(request: dict[str, Any], **members: Any) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **members}).encode() + b"\n")


def answer(text: str, **members: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": False, **members}


def initialize(request: dict[str, Any]) -> None:
    if HABIT == "hangs-in-initialize":
        time.sleep(600)
    asked = request["params"]["protocolVersion"]
    version = "2024-11-05" if HABIT == "old-protocol" else asked
    send(
        request,
        result={
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hazard", "version": "1"},
        },
    )


def list_tools(request: dict[str, Any]) -> None:
    name = LONG_NAME if HABIT == "long-name" else "gene_getter"
    schema = SCHEMAS.get(HABIT, SCHEMA)
    tools = [{"name": name, "description": "A gene.", "inputSchema": schema}]
    if HABIT == "output-schema":
        numbers = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        tools[0]["outputSchema"] = numbers
    if HABIT == "many-tools":
        tools = [{"name": f"tool_{n}", "inputSchema": SCHEMA} for n in range(200)] + tools
    if HABIT == "cursor-loop":
        return send(request, result={"tools": tools, "nextCursor": "again"})
    send(request, result={"tools": tools})


def call(request: dict[str, Any]) -> None:
    arguments = request["params"].get("arguments") or {}
    if HABIT == "dies-in-call":
        sys.exit(3)
    if HABIT == "half-a-reply":
        return write(json.dumps({"jsonrpc": "2.0", "id": request["id"]}).encode()[:-1] + b', "re\n')
    if HABIT == "bad-utf8":
        line = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(RECORD + "@")})
        return write(line.encode().replace(b"@", b"\xff\xc3") + b"\n")
    if HABIT.startswith("megabytes-"):
        size = int(HABIT.removeprefix("megabytes-")) * 1_000_000
        return send(request, result=answer(RECORD + "x" * size))
    if HABIT == "noise-around-replies":
        write(b'[debug] asking {"upstream": 1}\n\n')
        line = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(RECORD)})
        return write(b"cached {1 of 2} " + line.encode() + b" done\n")
    if HABIT == "output-schema":
        return send(request, result=answer(RECORD, structuredContent={"n": "many"}))
    if HABIT == "error-as-success":
        return send(request, result=answer("# Record 1\nError: Error 503: no upstream"))
    if HABIT == "throttled-as-success":
        return send(request, result=answer('[{"error": "Error 429: Too Many Requests"}]'))
    if HABIT == "tells-environment":
        return send(request, result=answer(RECORD + json.dumps(dict(os.environ))))
    if HABIT == "refuses-nulls" and None in arguments.values():
        return send(request, error={"code": -32602, "message": "null is no string"})
    send(request, result=BLOCKS.get(HABIT, answer(RECORD)))


BLOCKS: dict[str, dict[str, Any]] = {
    "empty-content": {"content": [], "isError": False},
    "missing-content": {"isError": False},
    "unknown-block": {"content": [{"type": "hologram", "text": RECORD}], "isError": False},
    "mixed-blocks": {
        "content": [
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "text", "text": RECORD},
            {"type": "hologram", "depth": 3},
            7,
        ],
        "isError": False,
    },
    "structured-alone": {"structuredContent": {"result": RECORD}},
}


def have_children() -> None:
    """Start a child, and a grandchild in a session of its own that keeps this output open."""
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    sleeper = [sys.executable, "-S", "-c", code, str(FOLDER)]
    subprocess.Popen(sleeper)
    if os.fork() == 0:
        os.setsid()
        subprocess.Popen(sleeper)
        os._exit(0)


def begin() -> None:
    if HABIT == "dies-at-start":
        sys.exit("cannot read the licence file")
    if HABIT == "banner":
        write(b"Welcome!\n\nListening on stdio ...\n")
    if HABIT == "banner-without-newline":
        write(b"Welcome! {beta} ")
    if HABIT in ("ignores-term", "ignores-all"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if HABIT in ("has-children", "ignores-all"):
        have_children()


def main() -> None:
    begin()
    (FOLDER / "started").write_text(str(os.getpid()))
    methods = {"initialize": initialize, "tools/list": list_tools, "tools/call": call}
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        method = request.get("method", "")
        if method == "server/discover" and HABIT == "dies-on-discover":
            sys.exit(1)
        if method == "server/discover" and HABIT == "silent-on-discover":
            continue
        if method in methods:
            methods[method](request)
        else:
            send(request, error={"code": -32601, "message": f"Method not found: {method}"})
    while HABIT in ("ignores-eof", "ignores-term", "ignores-all"):
        time.sleep(0.1)


if __name__ == "__main__":
    main()
