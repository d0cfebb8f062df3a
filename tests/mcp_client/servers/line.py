"""A server that lists the tools of a line and answers every call with what it was asked: line.py
LINE."""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lists import LISTS


def result_of(request: dict[str, Any]) -> dict[str, Any]:
    if request["method"] == "initialize":
        return {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": sys.argv[1], "version": "1"},
        }
    if request["method"] == "tools/list":
        listed = [
            {"name": tool["name"], "inputSchema": tool["input_schema"]}
            for tool in LISTS[sys.argv[1]]
        ]
        return {"tools": listed}
    return {"content": [{"type": "text", "text": f"Asked: {json.dumps(request['params'])}"}]}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result_of(request)}
        print(json.dumps(answer), flush=True)
