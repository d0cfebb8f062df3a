"""Time from a protein answer to its condensed record, as a ratio to `json.loads` of the answer.

A ratio, because the machine decides the milliseconds; both are printed.

    python benchmarks/protein_record.py APP search_by_gene_APP_full_real_entry.json
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from intogen_agent.config.settings import UniprotSettings
from intogen_agent.evidence.uniprot import condense
from intogen_agent.evidence.uniprot_choice import select_entry
from intogen_agent.evidence.uniprot_statements import protein_statements

ROUNDS = 20


def answer_text(path: Path) -> str:
    """Return the text of a recorded tool answer, or of a file that is one itself."""
    text = path.read_text(encoding="utf-8")
    value = json.loads(text) if text.lstrip().startswith("{") else None
    if isinstance(value, dict) and "content" in value.get("result", {}):
        return "\n".join(block["text"] for block in value["result"]["content"])
    return text


def milliseconds(work: Callable[[], Any]) -> float:
    """Return the median time of some work."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def main() -> None:
    """Print the size of the answer and of the record, and the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("symbol", help="the gene")
    parser.add_argument("answer", type=Path, help="a UniProt answer: JSON or flat text")
    arguments = parser.parse_args()
    symbol, text = arguments.symbol, answer_text(arguments.answer)

    def record() -> str:
        choice = select_entry(text, symbol, "human")
        if choice.entry is None:
            raise SystemExit(choice.reason)
        return protein_statements(condense(choice.entry, UniprotSettings()))

    spent = milliseconds(record)
    told = f"{len(text)} characters to {len(record())}: {spent:.1f} ms"
    if text.lstrip().startswith(("{", "[")):
        told += f", {spent / milliseconds(lambda: json.loads(text)):.1f} x json.loads"
    print(told)


if __name__ == "__main__":
    main()
