"""Memory and time of a hundred model calls at once through one client.

The server of this benchmark answers after a fixed latency. Figures are ratios within one run:
memory at the end against memory after the first rounds, and time against the latency alone.

    python benchmarks/concurrent_calls.py
"""

import asyncio
import json
import tempfile
import time
from pathlib import Path

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.llm.models import Models
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

CALLS = 100
ROUNDS = 20
LATENCY = 1.0
ANSWER = {
    "id": "x",
    "model": "m",
    "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "x" * 4000}}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 1000},
}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer requests on one connection."""
    body = json.dumps(ANSWER).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        while True:
            text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(text.split("content-length:")[1].split("\r\n")[0])
            await reader.readexactly(length)
            await asyncio.sleep(LATENCY)
            writer.write(head.encode() + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


def memory() -> int:
    """Return this process's resident memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


async def main() -> None:
    """Run the rounds and print the figures."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=CALLS)
    port = server.sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate(
            {
                "results": folder,
                "llm": {
                    "providers": {
                        "here": {
                            "base_url": f"http://127.0.0.1:{port}/v1",
                            "capabilities": {"tools": "native", "structured": "json_schema"},
                        }
                    },
                    "default": {"provider": "here", "model": "m"},
                },
            }
        )
        sizes, times = [], []
        with Journal(Path(folder) / "journal.jsonl") as journal:
            recorder = Recorder(journal, "benchmark")
            async with Models(settings, recorder, Path(folder)) as models:
                for number in range(ROUNDS):
                    talks = [
                        [{"role": "user", "content": f"{number} {call} " + "word " * 400}]
                        for call in range(CALLS)
                    ]
                    start = time.monotonic()
                    await asyncio.gather(*(models.chat(Role.SUMMARIZER, t) for t in talks))
                    times.append(time.monotonic() - start)
                    # What is on record grows by design.
                    recorder.used.clear()
                    journal.entries.clear()
                    sizes.append(memory())
    server.close()
    best = min(times[1:])
    print(f"{CALLS} calls at once, {ROUNDS} rounds, latency {LATENCY:g} s")
    print(f"time of the best round: {best / LATENCY:.2f} x the latency")
    print(f"memory: {sizes[-1] / 1e6:.0f} MB, {sizes[-1] / sizes[4]:.2f} x that after 5 rounds")


if __name__ == "__main__":
    asyncio.run(main())
