"""The two steps of phase 1: which calls are allowed, and what an answer is good for."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from intogen_agent.config.settings import EvidenceSettings
from intogen_agent.evidence.gene_identity import ProteinIdentity, protein_identity
from intogen_agent.evidence.gene_record import GeneRecord, identity_problem, read_gene_record
from intogen_agent.evidence.models import Protein
from intogen_agent.evidence.uniprot import condense
from intogen_agent.evidence.uniprot_choice import HUMAN, Choice, organism_name, select_entry
from intogen_agent.evidence.uniprot_statements import protein_statements
from intogen_agent.files import canonical_json
from intogen_agent.mcp.answers import ToolAnswer
from intogen_agent.mcp.logical import LogicalTool

# Of one gene's reviewed products; more are named, not read.
MAX_OTHER_PRODUCTS = 3
# Outages after which a call counts as repeatedly failed.
REPEATED = 2


@dataclass(frozen=True)
class Problem:
    """Why a call brought nothing usable.

    Attributes:
        kind: `refused`, `empty`, `wrong_gene`, `no_entry`, `unreadable`, `not_called`, or the kind
            of the tool's failure.
    """

    kind: str
    message: str


@dataclass
class Found:
    """What phase 1 has found so far.

    Attributes:
        record: The gene's record.
        protein: Its protein.
        others: Further reviewed proteins of the gene.
        identity: What the human protein entry says of the gene.
        notes: What a reader should know of these choices.
        calls: Which call brought `gene record` and `protein record`.
    """

    record: GeneRecord | None = None
    protein: Protein | None = None
    others: list[Protein] = field(default_factory=list)
    identity: ProteinIdentity | None = None
    notes: list[str] = field(default_factory=list)
    calls: dict[str, str] = field(default_factory=dict)


class Step(ABC):
    """One tool, offered until it brings something usable or the attempts are over.

    A call that was answered is not made again with the same arguments: the answer would be the
    same. A call that an outage ended may be.

    Args:
        tool: The only tool that may be called.
        symbol: The gene that is asked for.
        found: Where a usable answer goes.

    Attributes:
        organism: Whose record was found.
    """

    def __init__(self, tool: LogicalTool, symbol: str, found: Found) -> None:
        self.tool = tool
        self.organism = HUMAN
        self._symbol = symbol
        self._found = found
        self._answered: dict[str, str] = {}

    def forbidden(self, arguments: Mapping[str, Any]) -> str | None:
        """Say why a call must not be made; None if it may be."""
        before = self._answered.get(_key(arguments))
        return f"this call was made before and brought: {before}" if before else None

    def read(self, answer: ToolAnswer, arguments: Mapping[str, Any]) -> Problem | None:
        """Read an answer into what was found; say why it is of no use, if it is not."""
        problem = _no_answer(answer) or self._read(answer, arguments)
        if problem is not None and answer.kind in ("content", "empty"):
            self._answered[_key(arguments)] = problem.message
        return problem

    @abstractmethod
    def _read(self, answer: ToolAnswer, arguments: Mapping[str, Any]) -> Problem | None:
        """Read an answer that has content."""

    @abstractmethod
    def shown(self) -> str:
        """Return the found record as the summarizer reads it."""


class GeneStep(Step):
    """The gene record."""

    def _read(self, answer: ToolAnswer, arguments: Mapping[str, Any]) -> Problem | None:
        record = read_gene_record(answer.text, self._symbol)
        if record is None:
            return Problem("unreadable", "unreadable: the answer holds no gene record")
        mismatch = identity_problem(record, self._symbol)
        if mismatch is not None:
            return Problem("wrong_gene", f"wrong gene: {mismatch}")
        self._found.record = record
        self._found.calls["gene record"] = answer.call
        return None

    def shown(self) -> str:
        """Return the record's text."""
        return self._found.record.text if self._found.record else ""


class ProteinStep(Step):
    """The protein record: human first.

    The fallback organism is allowed once calls for the human protein, by the gene's symbol or
    accession, brought an answer of no use or failed repeatedly.
    """

    def __init__(
        self, tool: LogicalTool, symbol: str, found: Found, evidence: EvidenceSettings
    ) -> None:
        super().__init__(tool, symbol, found)
        self._caps = evidence.uniprot
        self._first = organism_name(evidence.organism)
        fallback = evidence.fallback_organism
        self._fallback = organism_name(fallback) if fallback else None
        self._useless = 0
        self._failed = 0

    def forbidden(self, arguments: Mapping[str, Any]) -> str | None:
        """Refuse the fallback before its time, and every other organism."""
        asked = self._asked(arguments)
        if asked not in (self._first, self._fallback):
            return f"only {self._first} is asked for, not {asked[:40]}"
        if asked != self._first and not (self._useless or self._failed >= REPEATED):
            return f"ask for {self._first} first"
        return super().forbidden(arguments)

    def _asked(self, arguments: Mapping[str, Any]) -> str:
        organism = arguments.get("organism")
        # What is no name of anything is left to the check of the arguments.
        named = isinstance(organism, str | int) and not isinstance(organism, bool)
        return (organism_name(organism) if named else "") or self._first

    def read(self, answer: ToolAnswer, arguments: Mapping[str, Any]) -> Problem | None:
        """Read an answer; count what the first organism brought."""
        problem = super().read(answer, arguments)
        asked = self._asked(arguments) == self._first and self._names_the_gene(arguments)
        if problem is not None and asked:
            self._useless += answer.kind in ("content", "empty")
            self._failed += answer.kind == "failed"
        return problem

    def _names_the_gene(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call was about this gene: an empty answer to another name says nothing."""
        record = self._found.record
        names = {self._symbol, *((record.symbol, record.uniprot or "") if record else ())}
        said = {word.casefold() for text in arguments.values() for word in str(text).split()}
        return not said.isdisjoint(name.casefold() for name in names)

    def _read(self, answer: ToolAnswer, arguments: Mapping[str, Any]) -> Problem | None:
        record = self._found.record
        present = record.symbol if record else self._symbol
        organism = self._asked(arguments)
        known = record.uniprot if record else None
        choice = select_entry(answer.text, present, organism, known)
        if choice.entry is None:
            return Problem("no_entry", f"no entry: {choice.reason}")
        self._keep(choice, organism, answer.call)
        if organism == HUMAN:
            self._found.identity = protein_identity(choice.entry, present)
        return None

    def _keep(self, choice: Choice, organism: str, call: str) -> None:
        proteins = [
            condense(entry, self._caps)
            for entry in (choice.entry, *choice.others[:MAX_OTHER_PRODUCTS])
            if entry is not None
        ]
        self.organism = organism
        self._found.protein, *self._found.others = [
            protein.model_copy(update={"call": call}) for protein in proteins
        ]
        self._found.calls["protein record"] = call
        self._found.notes += choice.notes
        if organism != self._first:
            self._found.notes.append(
                f"the protein record is of {organism}: that of {self._first} "
                "failed or brought nothing usable"
            )

    def shown(self) -> str:
        """Return the record within the caps, one statement at a time."""
        protein = self._found.protein
        return protein_statements([protein, *self._found.others]) if protein else ""


def _no_answer(answer: ToolAnswer) -> Problem | None:
    if answer.kind == "empty":
        return Problem("empty", "empty: the tool answered that it found nothing")
    if answer.kind == "refused":
        return Problem("refused", answer.error or "refused")
    if answer.kind == "failed":
        message = answer.error or "failed: no message"
        return Problem(message.split(":")[0], message)
    return None


def _key(arguments: Mapping[str, Any]) -> str:
    return canonical_json({name: value for name, value in arguments.items() if value is not None})
