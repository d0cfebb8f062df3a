"""What the wire does with a real model: the probe, a conversation with tools, a structured answer.

It shows that an endpoint and a model can be used at all and how fast they are; it says nothing
about what the model knows.

    python benchmarks/real_model.py --base-url http://127.0.0.1:8089/v1 --model local
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from intogen_agent.config.roles import Role
from intogen_agent.config.settings import Settings
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Answer, Structured, ToolCalls
from intogen_agent.mcp.schema import function_tool
from intogen_agent.provenance.journal import Journal
from intogen_agent.provenance.recorder import Recorder

TURNS = (
    "Get the record of the gene TP53.",
    "Now search for articles about TP53.",
    "Now get the record of the gene MDM2.",
)
RESULT = json.dumps({"outcome": "content", "findings": ["It encodes a protein."]})
TOOLS = [
    function_tool(
        "gene_getter",
        "Gets the record of a gene.",
        {"properties": {"gene": {"type": "string"}}, "required": ["gene"]},
    ),
    function_tool(
        "article_searcher",
        "Searches for articles.",
        {"properties": {"query": {"type": "string"}}, "required": ["query"]},
    ),
]


class Verdict(BaseModel):
    """A small structured answer."""

    model_config = ConfigDict(extra="forbid")
    gene: str
    role: str
    sure: bool


async def converse(models: Models) -> int:
    """Hold a conversation of three turns with tools; return the calls that fit."""
    talk: list[dict[str, Any]] = [{"role": "system", "content": "You look up genes with tools."}]
    fitting = 0
    for question in TURNS:
        talk.append({"role": "user", "content": question})
        start = time.monotonic()
        outcome = await models.chat(Role.GENE_INVESTIGATOR, talk, TOOLS, "required")
        seconds = time.monotonic() - start
        if not isinstance(outcome, ToolCalls):
            print(f"  {seconds:5.1f} s  {outcome}")
            if isinstance(outcome, Answer):
                talk.append(outcome.message)
            continue
        talk.append(outcome.message)
        for call in outcome.calls:
            print(f"  {seconds:5.1f} s  {call.name}({json.dumps(call.arguments)})")
            fitting += call.arguments is not None
            talk.append({"role": "tool", "tool_call_id": call.id, "content": RESULT})
    return fitting


async def main() -> None:
    """Ask the model and print what came of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--base-url", required=True)
    options.add_argument("--model", required=True)
    options.add_argument("--api", default="auto")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        provider = {"base_url": asked.base_url, "api": asked.api}
        role = {"provider": "real", "model": asked.model, "max_output_tokens": 256}
        settings = Settings.model_validate(
            {"results": folder, "llm": {"providers": {"real": provider}, "default": role}}
        )
        with Journal(Path(folder) / "journal.jsonl") as journal:
            recorder = Recorder(journal, "benchmark")
            async with Models(settings, recorder, Path(folder)) as models:
                start = time.monotonic()
                talk = [{"role": "user", "content": "Say hello."}]
                await models.chat(Role.SUMMARIZER, talk)
                print(f"probe and first answer: {time.monotonic() - start:.1f} s")
                (kept,) = (Path(folder) / "_run" / "models").glob("*.json")
                print(f"profile: {json.dumps(json.loads(kept.read_text())['profile'])}")
                print("conversation with tools:")
                print(f"  {await converse(models)} of {len(TURNS)} turns gave a call that fits")
                start = time.monotonic()
                talk = [{"role": "user", "content": "What is TP53's role in cancer?"}]
                found = await models.structured(Role.SUMMARIZER, talk, Verdict)
                seconds = time.monotonic() - start
                shown = found.value if isinstance(found, Structured) else found
                print(f"structured answer: {seconds:.1f} s  {shown}")
            tokens = sum(e["meta"].get("gen_ai.usage.output_tokens", 0) for e in recorder.used)
            seconds = sum(entry["seconds"] for entry in recorder.used)
            print(f"{len(recorder.used)} calls, {tokens} tokens written in {seconds:.1f} s")


if __name__ == "__main__":
    asyncio.run(main())
