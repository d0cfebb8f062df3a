"""The tokens of a run so far, and their price."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from intogen_agent.cohort.tasks import Task
from intogen_agent.models import Stage
from intogen_agent.provenance.attributes import Usage, read_usage
from intogen_agent.provenance.audit import merged_entries
from intogen_agent.provenance.usage import recorded_price

PHASE1 = (Stage.PHASE1.value,)
OWN_STAGES = tuple(stage.value for stage in Stage if stage is not Stage.PHASE1)


class _Call(BaseModel):
    """What provenance.json says of a call's tokens."""

    model_config = ConfigDict(extra="ignore")

    stage: str
    kind: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    price: float | None = None


class _Record(BaseModel):
    """The calls of provenance.json."""

    model_config = ConfigDict(extra="ignore")

    calls: list[_Call]


@dataclass(frozen=True)
class Tokens:
    """Tokens, the model calls that used them, and their price.

    Attributes:
        usage: The tokens; cached ones are None if no server says.
        calls: Number of model calls.
        priced: Number of those whose price is known.
        price: Of the priced calls, in the currency of `llm.prices`.
    """

    usage: Usage = field(default_factory=lambda: Usage(0, 0))
    calls: int = 0
    priced: int = 0
    price: float = 0.0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.usage.plus(other.usage),
            self.calls + other.calls,
            self.priced + other.priced,
            self.price + other.price,
        )

    def lines(self) -> list[str]:
        """Return a line for people on the tokens, and one on the price if any is known."""
        read, written = self.usage.input_tokens or 0, self.usage.output_tokens or 0
        cached = self.usage.cached_tokens
        share = ""
        if cached is not None and read:
            share = f" ({100 * cached / read:.0f} % from the provider's cache)"
        lines = [f"tokens: {read:,} in{share}, {written:,} out, {_calls(self.calls)}"]
        if self.priced:
            missing = self.calls - self.priced
            some = f"; calls without a price: {missing:,}" if missing else ""
            lines.append(f"price: {amount(self.price)} (in the currency of llm.prices{some})")
        return lines


def _calls(number: int) -> str:
    return f"{number:,} model call{'' if number == 1 else 's'}"


def amount(price: float) -> str:
    """Return a price for people."""
    return "below 0.01" if 0 < price < 0.01 else f"{price:,.2f}"


@dataclass(frozen=True)
class Spent:
    """The tokens of a run so far.

    Attributes:
        pairs: Of the finished pairs' own stages.
        finished: The number of these pairs.
        unfinished: Of the other pairs' own stages.
        phase1: Of phase 1, once per gene.
        genes: The number of genes that have asked a model.
    """

    pairs: Tokens
    finished: int
    unfinished: Tokens
    phase1: Tokens
    genes: int

    @property
    def total(self) -> Tokens:
        """All of it."""
        return self.pairs + self.unfinished + self.phase1


def run_tokens(results: Path, tasks: Iterable[Task]) -> Tokens:
    """Sum up a run's tokens: phase 1 once per gene, everything else once per pair."""
    return spent(results, tasks).total


def spent(results: Path, tasks: Iterable[Task]) -> Spent:
    """Return what a run has used, finished pairs apart from the others.

    Finished pairs have it in provenance.json, the others in their journals.
    """
    pairs, unfinished, finished = Tokens(), Tokens(), 0
    genes: dict[str, Tokens | None] = {}
    for task in tasks:
        record = _record(results / task.path / "provenance.json")
        if record is None:
            unfinished += _journalled(results / task.path, OWN_STAGES)
        else:
            pairs, finished = pairs + _recorded(record, OWN_STAGES), finished + 1
        if genes.get(task.gene_path) is None:
            genes[task.gene_path] = _recorded(record, PHASE1) if record else None
    own = [tokens or _journalled(results / path, PHASE1) for path, tokens in genes.items()]
    asked = sum(tokens.calls > 0 for tokens in own)
    return Spent(pairs, finished, unfinished, sum(own, Tokens()), asked)


def _record(path: Path) -> _Record | None:
    try:
        return _Record.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _recorded(record: _Record, stages: tuple[str, ...]) -> Tokens:
    own = (call for call in record.calls if call.kind == "llm" and call.stage in stages)
    used = (
        _used(Usage(call.input_tokens, call.output_tokens, call.cached_tokens), call.price)
        for call in own
    )
    return sum(used, Tokens())


def _journalled(folder: Path, stages: tuple[str, ...]) -> Tokens:
    try:
        entries = merged_entries(folder, stages)
    except (OSError, EOFError, ValueError, zlib.error):
        # A damaged audit file: the tables report it where it matters; here it only counts less.
        return Tokens()
    metas = (entry.get("meta", {}) for entry in entries if entry.get("kind") == "llm")
    return sum((_used(read_usage(meta), recorded_price(meta)) for meta in metas), Tokens())


def _used(usage: Usage, price: float | None) -> Tokens:
    return Tokens(usage, 1, int(price is not None), price or 0.0)
