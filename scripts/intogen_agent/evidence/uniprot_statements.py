"""A condensed protein record as the summarizer reads it: one small record per statement.

A statement may then be cited only with the papers that stand on it, or with its own entry: what
the check of citations calls a record is one statement, not the whole protein.
"""

import json
from collections.abc import Iterator
from typing import Any

from intogen_agent.evidence.models import Protein

SECTIONS = (
    "function",
    "domains",
    "motifs",
    "interactions",
    "pathways",
    "isoforms",
    "subcellular_locations",
    "modifications",
)


def protein_statements(proteins: list[Protein]) -> str:
    """Return the records of a gene's proteins as a JSON list, one object per statement."""
    records = [record for protein in proteins for record in _records(protein)]
    lines = (json.dumps(record, ensure_ascii=False) for record in records)
    return "[\n" + ",\n".join(lines) + "\n]"


def _records(protein: Protein) -> Iterator[dict[str, Any]]:
    source = {"uniprot": protein.accession} if protein.accession else {}
    # `uniprot` names the source of each statement, `accession` opens a protein.
    head = {"accession": protein.accession, "reviewed": protein.reviewed, "name": protein.name}
    yield {**source, **head, "organism": protein.organism, "kept": protein.kept}
    species = {} if protein.organism == "Homo sapiens" else {"organism": protein.organism}
    for section in SECTIONS:
        for text in getattr(protein, section):
            yield {**source, **species, section: [text]}
