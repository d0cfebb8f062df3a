"""The tokens of a run so far."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from intogen_agent.cohort.tasks import Task
from intogen_agent.models import Stage
from intogen_agent.provenance.audit import merged_entries

PHASE1 = (Stage.PHASE1.value,)
OWN_STAGES = tuple(stage.value for stage in Stage if stage is not Stage.PHASE1)


class _Phase(BaseModel):
    model_config = ConfigDict(extra="ignore")

    stage: str
    input_tokens: int
    output_tokens: int


class _Call(BaseModel):
    model_config = ConfigDict(extra="ignore")

    stage: str
    kind: str


class _Record(BaseModel):
    """What provenance.json says of tokens."""

    model_config = ConfigDict(extra="ignore")

    phases: list[_Phase]
    calls: list[_Call]


@dataclass(frozen=True)
class Tokens:
    """Tokens, and the model calls that used them."""

    input: int = 0
    output: int = 0
    calls: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.input + other.input, self.output + other.output, self.calls + other.calls
        )


def run_tokens(results: Path, tasks: Iterable[Task]) -> Tokens:
    """Sum up a run's tokens: phase 1 once per gene, everything else once per pair.

    Finished pairs have them in provenance.json, the others in their journals.
    """
    total, genes = Tokens(), dict[str, Tokens | None]()
    for task in tasks:
        record = _record(results / task.path / "provenance.json")
        if record is None:
            total += _journalled(results / task.path, OWN_STAGES)
        else:
            total += _recorded(record, OWN_STAGES)
        if genes.get(task.gene_path) is None:
            genes[task.gene_path] = _recorded(record, PHASE1) if record else None
    for path, tokens in genes.items():
        total += tokens or _journalled(results / path, PHASE1)
    return total


def _record(path: Path) -> _Record | None:
    try:
        return _Record.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _recorded(record: _Record, stages: tuple[str, ...]) -> Tokens:
    own = [phase for phase in record.phases if phase.stage in stages]
    return Tokens(
        sum(phase.input_tokens for phase in own),
        sum(phase.output_tokens for phase in own),
        sum(call.kind == "llm" and call.stage in stages for call in record.calls),
    )


def _journalled(folder: Path, stages: tuple[str, ...]) -> Tokens:
    try:
        entries = merged_entries(folder, stages)
    except (OSError, EOFError, ValueError, zlib.error):
        # A damaged audit file: the tables report it where it matters; here it only counts less.
        return Tokens()
    return sum((_used(entry) for entry in entries if entry.get("kind") == "llm"), Tokens())


def _used(entry: dict[str, Any]) -> Tokens:
    usage = entry.get("meta", {}).get("usage") or {}
    return Tokens(usage.get("input_tokens") or 0, usage.get("output_tokens") or 0, 1)
